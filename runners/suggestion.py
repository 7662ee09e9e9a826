"""What somebody may have meant who typed a name that is not known."""

from __future__ import annotations

import difflib
from collections.abc import Sequence


def suggestion(name: str, known: Sequence[str]) -> str:
    """A hint that names the nearest known value, or all of them."""
    lower = {value.lower(): value for value in known}
    near = difflib.get_close_matches(name.lower(), lower, 1, 0.75)
    return f"did you mean {lower[near[0]]}?" if near else f"choose one of {', '.join(known)}"
