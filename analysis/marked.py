"""The base64 text of a line with a mark for each byte that cleaning took out.

Removing what cannot be shown is right for words. In base64 it would move everything after it and hide the damage.
"""

from __future__ import annotations

import re

from .cleaning import clean

MARK = "?"
"""A character that is not base64 and may be shown."""
_SEQUENCE = re.compile(r"\x1b(?:\[[0-?]{0,32}[ -/]{0,4}[@-~]|\][^\x07\x1b]{0,256}(?:\x07|\x1b\\)|[()][A-Z0-9]|[=>])")
"""A terminal sequence. A lone escape character may have been a letter; what follows it is data."""
_OPENED = 'echo "'
_CLOSED = re.compile(r'"\s*(?:\||>)')
_ROW = re.compile(r"([^\s\"\\]{4,})(?:[\"\\]|\Z)")
_ODD = re.compile(r"[^A-Za-z0-9+/=]")
_MOST_ODD = 8
"""A row of base64 has fewer than one in so many characters that are not base64."""


def marked(text: str) -> str:
    """The text with a mark for each byte that cleaning removes; other characters outside ASCII stay."""
    found = _SEQUENCE.sub(lambda sequence: MARK * len(sequence.group()), text)
    kept = {character: clean(character) for character in set(found)}
    return found.translate({ord(c): MARK * _bytes(c) for c, shown in kept.items() if shown != c})


def base64_text(text: str, message: str) -> str:
    """The base64 text of this line with such marks, or "" where it has none.

    It is what an `echo` quotes, or a row of a block. `text` is the line as it came, `message` what is left without
    stamps, prefixes and what cannot be shown.
    """
    begin = text.find(_OPENED)
    if begin >= 0:
        came = text[begin + len(_OPENED) :]
        end = _CLOSED.search(came)
        came = came[: end.start()] if end is not None else _without_last(came)
        found = marked(came)
    else:
        came = _behind(text, message)
        found = marked(came)
        row = _ROW.match(found)
        if row is None or _MOST_ODD * len(_ODD.findall(row[1])) > len(row[1]):
            return ""
    return found.replace(" ", "") if found != came else ""


def _behind(text: str, message: str) -> str:
    """The message as it came, without what stands before it and without terminal sequences at both ends."""
    shown = clean(text).rstrip()
    skip = len(shown) - len(message) if shown.endswith(message) else 0
    place = 0
    while place < len(text):
        sequence = _SEQUENCE.match(text, place)
        if sequence is not None:
            place = sequence.end()
        elif skip > 0:
            skip -= len(clean(text[place]))
            place += 1
        else:
            break
    return _without_last(text[place:]).strip(" \t")


def _without_last(text: str) -> str:
    """The text without a terminal sequence at its end."""
    start = end = 0
    for sequence in _SEQUENCE.finditer(text):
        if sequence.start() != end:
            start = sequence.start()
        end = sequence.end()
    return text[:start] if end and not text[end:].strip(" \t") else text


def _bytes(character: str) -> int:
    return len(character.encode("utf-8", "replace"))
