"""Runs of a known layout read at once instead of line by line."""
