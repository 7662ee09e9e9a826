"""How a row is matched the first times: by walking its template, for compiling a regex costs as much as fifty such walks.

Most logs hold each line once or twice.  The result is that of the regex, with the same order of preference; a row that
goes on being asked gets its regex in `table.py`.
"""

from __future__ import annotations

import re

LONGEST = 300
"""Longer messages go to the regex."""
_MOST_STEPS = 1_000
"""So do those over which a walk gets lost, trying every length of a value."""


class LostError(Exception):
    """The walk took too many steps."""


Piece = tuple[str, str, str]
"""Kind ("literal", "blank", "value", "may" or "end"), then the literal, or the type and the name of a value."""

_FREE = {"text", "rest"}
_types: dict[str, re.Pattern[str]] = {}


def pieces_of(template: str, grammar: re.Pattern[str]) -> tuple[Piece, ...]:
    """The template taken apart; `grammar` is the one of `table.py`."""
    pieces: list[Piece] = []
    for match in grammar.finditer(template):
        name, kind, blanks, literal = match.groups()
        if kind is not None:
            pieces.append(("value", kind, name))
        elif blanks is not None:
            pieces.append(("blank", "", ""))
        elif literal is not None:
            if pieces and pieces[-1][0] == "literal":
                literal = pieces.pop()[1] + literal
            pieces.append(("literal", literal, ""))
        else:
            pieces.append(("may" if match.group() == "{?" else "end", "", ""))
    return tuple(pieces)


def walk_template(pieces: tuple[Piece, ...], message: str, source: dict[str, str]) -> dict[str, str | None] | None:
    """The texts of the named values, or None where the message is another; `source` has the regex of each type.

    Raises:
        LostError: the regex is the better way for this message.
    """
    state = _Walk(source)
    if not _from(pieces, 0, message, 0, state):
        return None
    return {name: state.found.get(name) for kind, _, name in pieces if kind == "value" and name}


class _Walk:
    __slots__ = ("found", "left", "source")

    def __init__(self, source: dict[str, str]) -> None:
        self.source = source
        self.found: dict[str, str] = {}
        self.left = _MOST_STEPS


def _from(pieces: tuple[Piece, ...], index: int, message: str, at: int, state: _Walk) -> bool:
    while index < len(pieces):
        kind, text, name = pieces[index]
        if kind == "literal":
            if not message.startswith(text, at):
                return False
            at += len(text)
        elif kind == "blank":
            while at < len(message) and message[at].isspace():
                at += 1
        elif kind == "value":
            return _value(pieces, index, message, at, state)
        elif kind == "may":
            kept = dict(state.found)
            if _from(pieces, index + 1, message, at, state):
                return True
            state.found = kept
            depth = 1
            while depth:
                index += 1
                depth += {"may": 1, "end": -1}.get(pieces[index][0], 0)
        index += 1
    return not message[at:].strip()


def _value(pieces: tuple[Piece, ...], index: int, message: str, at: int, state: _Walk) -> bool:
    _, kind, name = pieces[index]
    if kind == "rest":
        ends = range(len(message), at - 1, -1)
    elif kind == "text":
        ends = range(at, len(message) + 1)
    else:
        known = _types.get(kind)
        if known is None:
            known = _types[kind] = re.compile(state.source[kind])
        longest = known.match(message, at)
        if longest is None:
            return False
        ends = range(longest.end(), at - 1, -1)
    after = pieces[index + 1] if index + 1 < len(pieces) else ("", "", "")
    for end in ends:
        state.left -= 1
        if state.left < 0:
            raise LostError
        if after[0] == "literal" and not message.startswith(after[1], end):
            continue
        if kind not in _FREE and end != ends[0] and _types[kind].fullmatch(message, at, end) is None:
            continue
        kept = dict(state.found)
        if name:
            state.found[name] = message[at:end]
        if _from(pieces, index + 1, message, end, state):
            return True
        state.found = kept
    return False
