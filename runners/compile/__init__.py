"""Compiles: what to compile, the batch that does it, and what is kept of it."""
