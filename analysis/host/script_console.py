"""What ExecuTorch's ahead-of-time script printed about one compile, where nothing else is known of it.

Vela's summaries are read like those of any capture (`vela.py`); here is what only the script says: the delegation summary
that it ends with since 1.4, and the error that it died of.
"""

from __future__ import annotations

import re
from typing import Any

from ..lines import clean

_PARTITIONS = re.compile(r"^ +Delegated partitions for silicon acceleration: (\d{1,9})$", re.M)
_LEFT = re.compile(r"^ +Non-delegated ops: (\d{1,9})$", re.M)
_OPERATOR = re.compile(r"^ {2,}- ([\w.:]{1,200}): (\d{1,9})$")
_MOST_OPERATORS = 1000
_TRACEBACK = "Traceback (most recent call last):\n"
_RAISED = re.compile(r"^(?P<error>[A-Za-z_][\w.]*)(?:: (?P<message>.*))?$", re.S)
_USAGE = re.compile(r"^\S+: error: (.*)$", re.M)
_PLACE = re.compile(r'^ +File "(.{1,4096})", line (\d{1,9})')
_MESSAGE_CHARACTERS = 4000


def delegation(text: str) -> dict[str, Any] | None:
    """The delegation summary: `subgraphs`, `non_delegated` and `operators` by name as (None, not delegated).

    How many nodes were delegated is not printed, so `delegated` is None.  None without such a summary.
    """
    at = text.rfind("Delegation summary:\n")
    if at < 0:
        return None
    block = text[at:].partition("PTE file saved")[0]
    partitions, left = _PARTITIONS.search(block), _LEFT.search(block)
    if partitions is None or left is None:
        return None
    rows = [row for line in block.splitlines() if (row := _OPERATOR.match(line))][:_MOST_OPERATORS]
    return {
        "subgraphs": int(partitions[1]),
        "delegated": None,
        "non_delegated": int(left[1]),
        "operators": {row[1]: (None, int(row[2])) for row in rows},
    }


def error(text: str, model: str | None) -> dict[str, Any] | None:
    """What the script died of: `error` (the exception's class), `message`, and `line` in the user's file or None.

    None where it neither ended with a traceback nor refused its arguments.
    """
    at = text.rfind(_TRACEBACK)
    if at < 0:
        refused = _USAGE.findall(text)
        if not refused:
            return None
        return {"error": "SystemExit", "message": clean(refused[-1])[:_MESSAGE_CHARACTERS], "line": None}
    lines = text[at + len(_TRACEBACK) :].splitlines()
    head = next((number for number, line in enumerate(lines) if line and not line.startswith(" ")), None)
    if head is None:
        return None
    raised = _RAISED.match("\n".join(lines[head:]).rstrip())
    if raised is None:
        return None
    places = [place for line in lines[:head] if (place := _PLACE.match(line))]
    ours = [int(place[2]) for place in places if model is not None and place[1] == model]
    message = "\n".join(clean(line) for line in (raised["message"] or "").splitlines())
    return {"error": raised["error"], "message": message[:_MESSAGE_CHARACTERS], "line": ours[-1] if ours else None}
