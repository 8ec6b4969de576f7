"""Searches: loops that decide what to solve or to test next."""
