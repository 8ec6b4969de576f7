"""Rules of a problem read as linear rows over features, and how many sets keep them."""
