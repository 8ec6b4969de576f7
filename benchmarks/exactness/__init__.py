"""A campaign that tries to refute claims of exactness by a brute force that shares nothing with altsel."""
