"""Whether this Textual is one whose inner workings we know: what we do in their place was held against no other.

Its version is read off the folder that installers leave beside it: `importlib.metadata` takes a twentieth of the first frame.
"""

from __future__ import annotations

import os

import textual

KNOWN = "textual-8.2."


def _installed_as(beginning: str) -> bool:
    try:
        beside = os.listdir(os.path.dirname(os.path.dirname(textual.__file__)))
    except OSError:
        return False
    return any(name.startswith(beginning) and name.endswith(".dist-info") for name in beside)


ARE_KNOWN = _installed_as(KNOWN)
"""Where this is false, Textual finds all styles and draws all frames itself: slower, and as right."""
