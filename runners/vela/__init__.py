"""Vela without torch: graphs compiled straight to it, and further configurations of graphs that are there."""

VELA = "vela"
"""The folder in a run folder that holds what Vela made, a folder for each partition in it."""
