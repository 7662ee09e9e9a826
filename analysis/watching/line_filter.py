"""What a log view shows and hides: words typed by a person, by text, level and source file, combined.

`softmax -Output level:E,F file:arm_perf_monitor` keeps error lines of one source file that contain "softmax" and not
"Output".  Matching ignores case.  A filter also knows bytes that every line it passes must hold, so that a file of
gigabytes is searched without making a `Line` of each line.
"""

from __future__ import annotations

import re

from ..lines import Line
from ..named_tuple import NamedTuple

_LEVELS = {"d": "D", "i": "I", "e": "E", "f": "F", "?": "?", "none": "", "debug": "D", "info": "I"}
_LEVELS |= {"error": "E", "fatal": "F"}


class LineFilter(NamedTuple):
    """What must and must not be in a line; all parts must hold, and within `levels` and `files` one of them."""

    words: tuple[str, ...] = ()
    not_words: tuple[str, ...] = ()
    levels: frozenset[str] = frozenset()
    not_levels: frozenset[str] = frozenset()
    files: tuple[str, ...] = ()
    not_files: tuple[str, ...] = ()
    problem: str = ""
    """What cannot be understood, in a sentence; the rest still filters."""

    @property
    def empty(self) -> bool:
        """True when every line passes."""
        return not any(self[:6])

    def passes(self, line: Line) -> bool:
        """Whether the line is shown."""
        if self.levels and line.level not in self.levels:
            return False
        if line.level in self.not_levels:
            return False
        if self.files or self.not_files:
            file = (line.file or "").casefold()
            if self.files and not any(part in file for part in self.files):
                return False
            if any(part in file for part in self.not_files):
                return False
        if not self.words and not self.not_words:
            return True
        text = line.text.casefold()
        return all(word in text for word in self.words) and not any(word in text for word in self.not_words)

    def needle(self) -> bytes:
        """Bytes that every line which passes holds in lower case; empty where nothing is known."""
        known = [word.encode() for word in (*self.words, *self.files[: len(self.files) == 1]) if word.isascii()]
        return max(known, key=len, default=b"")

    def level_pattern(self) -> re.Pattern[bytes] | None:
        """What every line which passes matches somewhere, where levels are asked for."""
        if not self.levels or "" in self.levels:
            return None
        letters = re.escape("".join(sorted(self.levels))).encode()
        return re.compile(rb"[%s] (?:\[|executorch:|ethosu-tui:|[012]\d:)" % letters)


def parse_filter(text: str) -> LineFilter:
    """Read what was typed; never fails, see `LineFilter.problem`.

    Example:
        >>> parse_filter("-level:D file:perf cycle").not_levels
        frozenset({'D'})
    """
    words: tuple[list[str], list[str]] = ([], [])
    levels: tuple[set[str], set[str]] = (set(), set())
    files: tuple[list[str], list[str]] = ([], [])
    problem = ""
    for out, body, quoted in tokens(text):
        name, colon, value = ("", "", "") if quoted else body.partition(":")
        if colon and name == "level":
            for part in value.casefold().split(","):
                if part in _LEVELS:
                    levels[out].add(_LEVELS[part])
                elif part:
                    problem = f"level:{part} is not known; levels are D, I, E, F and none"
        elif colon and name == "file":
            files[out].extend(part for part in value.casefold().split(",") if part)
        else:
            words[out].append(body.casefold())
    return LineFilter(
        tuple(words[0]),
        tuple(words[1]),
        frozenset(levels[0]),
        frozenset(levels[1]),
        tuple(files[0]),
        tuple(files[1]),
        problem,
    )


def tokens(text: str) -> list[tuple[bool, str, bool]]:
    """(left out, text, quoted) of each word; a quote that is not closed goes to the end."""
    tokens: list[tuple[bool, str, bool]] = []
    minus = False
    for index, part in enumerate(text.split('"')):
        if index % 2:
            if part:
                tokens.append((minus, part, True))
            continue
        words = part.split()
        minus = bool(words) and words[-1] == "-" and not part[-1].isspace()
        for word in words:
            body = word.removeprefix("-")
            if body:
                tokens.append((word != body, body, False))
    return tokens
