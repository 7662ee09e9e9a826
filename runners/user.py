"""Who runs this program, by the name that the system has for them: for locks, bundles and lines to type."""

from __future__ import annotations

import os
import pwd


def user_name(unknown: str | None = None) -> str:
    """Our user name; where the system has none, `unknown`, or else the number of the user."""
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return str(os.getuid()) if unknown is None else unknown
