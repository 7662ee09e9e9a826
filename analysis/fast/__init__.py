"""Reads runs of a known layout at once instead of line by line; the results are always those of reading line by line."""
