"""What any long call needs: a clock, progress, files written whole, signs of life of processes."""
