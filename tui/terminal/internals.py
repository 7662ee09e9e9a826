"""Whether this Textual is one whose inner workings we know: what we do in their place was held against no other."""

from __future__ import annotations

from importlib.metadata import version

KNOWN = "8.2."
ARE_KNOWN = version("textual").startswith(KNOWN)
"""Where this is false, Textual finds all styles and draws all frames itself: slower, and as right."""
