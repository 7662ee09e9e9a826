"""What firmware says of a reset: whether a line tells the cause of one, and whether the board did it of itself."""

from __future__ import annotations

from .cleaning import compiled

_MOST = 200
"""Characters of a cause that are looked at; no firmware says so much."""
_BY = (
    ("watchdog", ("wdt", "wdog", "wdg", "watchdog")),
    ("supply", ("brown", "undervolt", "low volt")),
    ("lockup", ("lockup",)),
)
"""What resets a board of itself, by the words for it."""
_DENIED = (
    r"\b(?:no|not|non|without)\b[ -]?[\w-]{0,40}|[\w-]{1,40} ?[=:] ?(?:0x0{1,8}|0|no|false)\b|"
    r"[\w-]{1,40} (?:is )?(?:disabled|off)\b"
)
"""Causes that a line names and says that they were none: firmware may list all that it knows."""
_UNMARKED = r"[^:>\]|,;.]*\Z"
"""What stands behind the last mark of a log's own prefix."""
_SPEAKING = frozenset("i you we if what which should line lines missing shown think see says said prints".split())
"""Words of who speaks of such a line."""
_LEADING = _SPEAKING.union("a an the this that your my no when print grep for with as".split())
"""The same in front of it, where firmware has a name at most ("Last", "MCU")."""
_MOST_NAMES = 2


def reset_by(what: str) -> str:
    """What the board was reset by, of itself; nothing where somebody reset it, or the cause is not known."""
    low = compiled(_DENIED).sub("", what[:_MOST].lower())
    return next((by for by, words in _BY if any(word in low for word in words)), "")


def tells_cause(before: str, what: str) -> bool:
    """Whether the words around "Reset cause:" are a console's, and not of a text or of source code that speaks of it."""
    found = compiled(_UNMARKED).search(before[-_MOST:])
    leading = found.group().lower().split() if found is not None else []
    said = what[:_MOST].lower().split()
    if len(leading) > _MOST_NAMES or "%" in what or any(mark in "".join(leading) for mark in "\"'`("):
        return False
    if said and (said[0] in ("is", "was") or said[-1].endswith(("?", '"', "'", "`", ");"))):
        return False
    return _LEADING.isdisjoint(leading) and _SPEAKING.isdisjoint(word.strip("().,;") for word in said)
