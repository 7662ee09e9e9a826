"""A line of a device as LAVA, the test service of many board farms, keeps it: in JSON, as an item of a YAML list."""

from __future__ import annotations

import json

from ..cleaning import clean, compiled

_HEAD = r'- \{"dt": ?"[^"\\]{1,40}", ?"lvl": ?"[a-z]{1,16}", ?"msg": ?"'
_END = r'"(?:, ?"[a-z_]{1,12}": ?"[^"\\]{0,80}"){0,3}\}\Z'
"""Its end, with what may stand behind the message."""


def message_of(body: str) -> str:
    """What the device printed, safe to show; the text as it is where it is no such line."""
    head = compiled(_HEAD).match(body)
    if head is None:
        return body
    text = body.rstrip()
    end = compiled(_END).search(text, head.end())
    text = text[head.end() : end.start() if end is not None else len(text)]
    if "\\" in text:
        try:
            return clean(json.loads(f'"{text}"')).lstrip()
        except ValueError:  # cut in the middle of an escape, or not quite JSON
            return text.replace('\\"', '"').replace("\\\\", "\\").lstrip()
    return text.lstrip()
