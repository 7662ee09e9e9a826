"""Vela without torch: graphs compiled straight to it, and further configurations of graphs that are there."""
