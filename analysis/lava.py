"""A line of a device as LAVA, the test service of many board farms, keeps it: in JSON, as an item of a YAML list."""

from __future__ import annotations

import json

from .cleaning import clean, compiled

_HEAD = r'- \{"dt": ?"[^"\\]{1,40}", ?"lvl": ?"[a-z]{1,16}", ?"msg": ?"'
_END = '"}'


def message_of(body: str) -> str:
    """What the device printed, safe to show; the text as it is where it is no such line."""
    head = compiled(_HEAD).match(body)
    if head is None:
        return body
    text = body.rstrip()
    text = text[head.end() : len(text) - len(_END) if text.endswith(_END) else len(text)]
    if "\\" in text:
        try:
            return clean(json.loads(f'"{text}"'))
        except ValueError:  # cut in the middle of an escape, or not quite JSON
            return text.replace('\\"', '"').replace("\\\\", "\\")
    return text
