"""What firmware prints about a reset: whether a line tells the cause, and whether the board reset itself."""

from __future__ import annotations

from ..cleaning import compiled

_MOST = 200
"""Characters of a cause that are looked at; no firmware says so much."""
_BY = (
    ("watchdog", ("wdt", "wdog", "wdg", "watchdog")),
    ("supply", ("brown", "undervolt", "low volt")),
    ("lockup", ("lockup",)),
)
"""Words for what makes a board reset itself."""
_DENIED = (
    r"\b(?:no|not|non|without)\b[ -]?[\w-]{0,40}|[\w-]{1,40} ?[=:] ?(?:0x0{1,8}|0|no|false)\b|"
    r"[\w-]{1,40} (?:is )?(?:disabled|off)\b"
)
"""Words of a line that names causes which it says were none: firmware may list all that it knows."""
_UNMARKED = r"[^:>\]|,;.]*\Z"
"""What follows the last mark of a log's own prefix."""
_SPEAKING = frozenset("i you we if what which should line lines missing shown think see says said prints".split())
"""Words of somebody who speaks about such a line."""
_LEADING = _SPEAKING.union("a an the this that your my no when print grep for with as".split())
"""The same in front of it, where firmware prints at most a name ("Last", "MCU")."""
_MOST_NAMES = 2


def reset_by(what: str) -> str:
    """What made the board reset itself; "" where somebody reset it, or the cause is unknown."""
    low = compiled(_DENIED).sub("", what[:_MOST].lower())
    return next((by for by, words in _BY if any(word in low for word in words)), "")


def tells_cause(before: str, what: str) -> bool:
    """Whether the words around "Reset cause:" are a console's, not those of a text or source code about it."""
    found = compiled(_UNMARKED).search(before[-_MOST:])
    leading = found.group().lower().split() if found is not None else []
    said = what[:_MOST].lower().split()
    if len(leading) > _MOST_NAMES or "%" in what or any(mark in "".join(leading) for mark in "\"'`("):
        return False
    if said and (said[0] in ("is", "was") or said[-1].endswith(("?", '"', "'", "`", ");"))):
        return False
    return _LEADING.isdisjoint(leading) and _SPEAKING.isdisjoint(word.strip("().,;") for word in said)
