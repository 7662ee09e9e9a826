"""An entry of systemd's journal as `journalctl -o json`, `json-pretty`, `json-sse` and `json-seq` print it.

The fields of an entry come in any order, and a message with an escape character in it is printed as a list of its bytes.
"""

from __future__ import annotations

import json

from ..cleaning import clean, compiled

_MESSAGE_ROW = r'"MESSAGE" : (".*"|\[[ \d,]*\])(?=,?\Z)'
"""Where each field of an entry has a row of its own."""
_SERVER_SENT = "data: "


def message_of(body: str) -> str:
    """What the service printed, safe to show; the text as it is where it is no entry of a journal."""
    row = compiled(_MESSAGE_ROW).match(body)
    text = row[1] if row is not None else body.removeprefix(_SERVER_SENT)
    try:
        entry = json.loads(text)
    except (ValueError, RecursionError):  # cut off, no JSON, or damaged
        return body
    message = entry if row is not None else entry.get("MESSAGE", body) if isinstance(entry, dict) else body
    if isinstance(message, list):
        if not all(isinstance(byte, int) and 0 <= byte < 256 for byte in message):
            return body
        message = bytes(message).decode("utf-8", "replace")
    if not isinstance(message, str):
        return body
    return clean(compiled(r"[\r\n]+").sub(" ", message)).strip()  # no number goes on over the end of its line
