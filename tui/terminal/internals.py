"""Whether this Textual is one whose inner workings we know: what we do in their place was held against no other.

Its version is read off the folder that installers leave beside it: `importlib.metadata` takes a twentieth of the first frame.
"""

from __future__ import annotations

import os

import textual

KNOWN = "textual-8.2."


def _installed_as() -> str:
    try:
        beside = os.listdir(os.path.dirname(os.path.dirname(textual.__file__)))
    except OSError:
        return ""
    return next((name for name in beside if name.startswith("textual-") and name.endswith(".dist-info")), "")


INSTALLED_AS = _installed_as()
"""The folder's name, which ends with the version; empty where there is none."""
ARE_KNOWN = INSTALLED_AS.startswith(KNOWN)
"""Where this is false, Textual finds all styles and draws all frames itself: slower, and as right."""
