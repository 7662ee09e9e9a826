"""What stands around every line from the first one on: found in the beginning of a stored log, before its lines are read.

Lines with a log prefix show by themselves what some tool put before them.  Those of the evaluation kit, of applications
without ExecuTorch and of simulators do not, so that only what all of them have in common can tell.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ..cleaning import clean, compiled
from ..line_forms.encodings import Decoder
from ..line_forms.host_prefix import (
    HEAD_BYTES,
    LABEL,
    LEVELS_OF_LOGGERS,
    LONGEST_WORDS,
    NAMED,
    NOTEBOOK,
    Frame,
    frame_of_all,
    frame_of_words,
    undecorated,
    without_job,
)
from ..lines import parse_line
from ..named_tuple import TYPE_CHECKING
from ..patterns import TABLE
from ..patterns.printed_once import PRINTED_ONCE

if TYPE_CHECKING:
    from ..patterns.value_types import Value

_LOOKED_AT = 12
"""Lines with words; where fewer than `_LEAST` are complete, nothing is common to all by more than chance."""
_MOST_WORDED = 48
"""As many where it takes words to tell: a simulator and its program begin with lines that mean nothing."""
_LEAST = 3
_LINES_OF_A_NAME = 3
"""A name comes back; what counts lines does not."""
_OF_NOTEBOOK = (b'"cells":', b'"cell_type":')
_OF_OUTPUT = rb'"(?:text(?:/plain)?|traceback)": ?\[\s{0,80}"'
"""How the output of a cell begins, where no more of the notebook is there."""
_HUNK = rb"@@ -\d{1,7}(?:,(\d{1,7}))? \+\d{1,7}(?:,(\d{1,7}))? @@"
"""Before lines of a diff, with the numbers of those that it takes away and of those that it adds, context counted in both."""
_ADDED = Frame(r"\+(?![\d.])|-(?![\d.-]| \S).*", "")
"""Of a diff that adds lines of a log, what it takes away is no more; a sign before a number may be the number's, one with a blank that of a list."""
_TAKEN_AWAY = Frame(r"-(?![\d.-])", "")
_BARS = "|\u2502"
_ROW = Frame(r"[|\u2502](?: {0,6}\d{1,6} {0,6}[|\u2502])? ?", r"[|\u2502]\s*\Z")
"""A row whose one cell is a line, perhaps with its number: so pages show files."""
_WITH_MORE_CELLS = 4
"""One row of so many may have a bar of its own."""
_LONGEST = 4096
_MOST_WORDS = 16
"""Words that a tool may have put before each line."""
_OWN = r"\[?[A-Za-z]{3}|[DIEF?] \[|[EWID]: [^\s\[]"
"""How lines begin before which nothing stands any more."""
_TAG_SIGNS = 84
"""So many characters may stand before a record of JSON, as a name of what it is of."""
_RECORD = '{"'
_PREFIXED = r"[DIEF?] \[?(?:executorch:|[\w.-]{1,80}:\d)"
_QUOTES = "'\""
"""What opens a string: the frame of lines which it also ends; in others, strings are taken apart."""
_BEHIND_A_WORD = r"(?<=[^\s])\s+(?:b?['\"](?=\S))?|[|>](?=\S)"


def first_frame(data: bytes, known: Callable[[str], bool]) -> Frame | None:
    """The frame of all complete lines that this text begins with, where more of them are lines of the log without it.

    `known` tells whether a text is one; where none is either way, what needs an end as well as a beginning is believed.
    """
    head = data[:HEAD_BYTES]
    if head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"{" and all(key in head for key in _OF_NOTEBOOK):
        return NOTEBOOK
    if (output := re.search(_OF_OUTPUT, head)) is not None:
        told = _worded(head[output.start() :])
        if _known_lines(told, known, NOTEBOOK) > _known_lines(told, known, None):
            return NOTEBOOK
    if b"@@ -" in head and (added := _of_diff(head, known)) is not None:
        return added
    lines = _worded(head)
    return _of_lines(lines, known) or _behind_names(lines, known)


def _behind_names(lines: list[str], known: Callable[[str], bool]) -> Frame | None:
    """The frame of what stands behind the names of most services, as the records of those that write JSON."""
    told = map(undecorated, lines)
    records = [rest for rest, stream in told if stream and _RECORD in rest[:_TAG_SIGNS]]
    frame = _of_lines(records, known) if 2 * len(records) > len(lines) else None
    proved = frame is not None and (len(records) == len(lines) or _known_lines(records, known, frame))
    return frame if proved else None  # other services write no records


def _of_lines(more: list[str], known: Callable[[str], bool]) -> Frame | None:
    """The frame of these lines, of which the first ones tell where a few are enough."""
    lines = more[:_LOOKED_AT]
    if len(lines) < _LEAST or len(set(lines)) < _LEAST:
        return None
    if _are_rows(lines) and _known_lines(more, known, _ROW) >= _known_lines(more, known, None):
        return _ROW
    rests = [undecorated(line)[0] for line in lines]
    taken = min(len(_shape(line[: len(line) - len(rest)])) for rest, line in zip(rests, lines, strict=True))
    stamped = all(rest != line for rest, line in zip(rests, lines, strict=True))
    if not stamped or not any(not rest or _is_own(rest) for rest in rests):
        frame = frame_of_all(lines)
        if frame is not None:
            plain, freed = _known_lines(lines, known, None), _known_lines(lines, known, frame)
            if not freed and not plain:  # a build begins with words of its tools
                plain, freed = _known_lines(more, known, None), _known_lines(more, known, frame)
            if freed > plain or (frame.tail and freed == plain):
                return frame
    return None if compiled(_PREFIXED).match(rests[0]) else _of_words(more, known, taken)


def _is_own(rest: str) -> bool:
    """Whether nothing stands before this line any more."""
    return compiled(_OWN).match(rest) is not None and _RECORD not in rest[:_TAG_SIGNS]


def frame_of_most(data: bytes, known: Callable[[str], bool]) -> Frame | None:
    """The frame of most lines that this text begins with, where few mean something without it; they begin with the same mark but for its figures.

    What a tool says itself, before and behind what it passes on, has none.
    """
    lines = _worded(data[:HEAD_BYTES])
    marks = [_shape(line.split(" ", 1)[0]) for line in lines]
    mark = max(marks, key=marks.count, default="A")
    framed = [line for line, own in zip(lines, marks, strict=True) if own == mark]
    if mark[:1].isalpha() or not len(lines) > len(framed) > len(lines) // 2:
        return None
    frame = _of_lines(framed, known)
    enough = max(_LEAST, 3 * _known_lines(lines, known, None))
    return frame if frame is not None and _known_lines(framed, known, frame) >= enough else None


def _of_diff(head: bytes, known: Callable[[str], bool]) -> Frame | None:
    """The frame of the lines of a log that a diff adds, or else takes away.

    Where other lines of this text are of a log, a job has shown the diff of its sources before it ran.
    """
    changed, others = _hunks(head)
    if any(known(parse_line(1, line.encode()).message) for line in others):
        return None
    for sign, frame in (("+", _ADDED), ("-", _TAKEN_AWAY)):
        if _known_lines([line for line in changed if line[0] == sign], known, frame):
            return frame
    return None


def _hunks(head: bytes) -> tuple[list[str], list[str]]:
    """The first lines with words in the hunks of a diff, each as long as it says, and all others of this text."""
    parts: tuple[list[bytes], list[bytes]] = ([], [])
    gone = new = 0
    for raw in head.split(b"\n")[:-1]:
        if (hunk := re.match(_HUNK, raw)) is not None:
            gone, new = (int(number or 1) for number in hunk.groups())
            continue
        parts[gone <= 0 and new <= 0].append(raw)
        gone, new = gone - (not raw.startswith((b"+", b"\\"))), new - (not raw.startswith((b"-", b"\\")))
    changed, others = (b"\n".join([*part, b""]) for part in parts)
    return _worded(changed), _worded(others, len(parts[1]))


def _are_rows(lines: list[str]) -> bool:
    """Whether each of these lines is the one cell of a row; the rows of a table with columns mean something as they are."""
    if not all(line[0] in _BARS and line[-1] in _BARS for line in lines):
        return False
    cells = [compiled(_ROW.head).sub("", line, 1)[:-1] for line in lines]
    return _WITH_MORE_CELLS * sum(any(bar in cell for bar in _BARS) for cell in cells) < len(lines)


def sources_before(data: bytes, known: Callable[[str], bool]) -> tuple[tuple[str, ...], frozenset[str]]:
    """The names before all lines of a log of several sources, and which sources are boards, each with runs of its own.

    For a frame names that differ by a number alone, as ports do, would be the same; others count where they are boards'.
    """
    names = _names_before(data, known)
    boards = boards_before(data, names)
    if not boards and any(level.encode() in data[:HEAD_BYTES] for level in LEVELS_OF_LOGGERS):
        loggers = _names_before(data, known, LEVELS_OF_LOGGERS)
        if loggers and (boards := boards_before(data, loggers)):
            return loggers, boards
    if names and not boards and len({*map(_shape, names)}) > 1:
        return _speaking(data, names, known), boards_before(data, ())
    return names, boards


_OF_ONE_BOARD = PRINTED_ONCE | {"mlek_device", "mlek_profile", "mlek_arena_used", "mlek_start"}
"""What no two tasks of one board print: lines of a runner that come once in a run, and of the evaluation kit's only task."""
_MOST_TESTS, _MOST_NUMBERS = 64, 512


def tests_of_ctest(data: bytes) -> tuple[tuple[str, ...], frozenset[str]]:
    """The numbers that `ctest -V` puts before all that a test prints, each of which has runs of its own; those that come later, too."""
    told = [int(number) for number in re.findall(rb"(?m)^(?:.{0,40} )?(\d{1,5}): Test command: \S", data)]
    if not told:
        return (), frozenset()
    numbers = {number + more for number in (*told[:_MOST_TESTS], 1) for more in range(_MOST_TESTS)}
    names = tuple(f"{number}: " for number in sorted(numbers))[:_MOST_NUMBERS]
    return names, frozenset(name.strip() for name in names)


def _speaking(data: bytes, names: tuple[str, ...], known: Callable[[str], bool]) -> tuple[str, ...]:
    """The one of these names that stands before lines of a log, as a branch of a job beside what the service says.

    Not where most of its lines mean something with it, as then the name is the line's own.  None where several do, or where
    lines without it are of the log, too: a port marks the lines of its runtime, and no others.
    """
    lines = _worded(data[:HEAD_BYTES])
    told = []
    for name in names:
        own = [line for line in lines if line.startswith(name)]
        plain, freed = _known_lines(own, known, None), _known_lines(own, known, Frame(re.escape(name), ""))
        if freed > 2 * plain:
            told.append(name)
    if len(told) != 1 or _known_lines([line for line in lines if not line.startswith(told[0])], known, None):
        return ()
    return tuple(told)


def _names_before(data: bytes, known: Callable[[str], bool], levels: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The names, and these words where they stand before names."""
    lines = _worded(data[:HEAD_BYTES])
    labels = [compiled(LABEL).match(f"{undecorated(line, levels)[0]} ") for line in lines]
    names = (*sorted({label.group() for label in labels if label is not None}), *levels)
    if None in labels or not 2 <= len(names) - len(levels) <= len(lines) // _LINES_OF_A_NAME:
        return ()
    named = sum(known(parse_line(1, line.encode(), labels=names).message) for line in lines)
    least = _known_lines(lines, known, None) + (not levels)  # behind a level, what is proved to be boards counts
    return names if named >= least else ()


def boards_before(
    data: bytes, names: tuple[str, ...], frame: Frame | None = None, *, copied: bool = False
) -> frozenset[str]:
    """Those of which one prints what another one prints, too, and a run prints once.

    The tasks of one board, and the services around a simulator, share the lines of one run.  `copied`: what repeats the line
    right above it may be a copy, as where a test logs again what its console logged, unless the names differ by a number.
    """
    head = data[:HEAD_BYTES]
    if not names and re.search(NAMED, head) is None:
        return frozenset()
    said: dict[str, set[tuple[str, Value]]] = {}
    above, who = "", ""
    for line in _worded(head, len(head)):
        read = parse_line(1, line.encode(), labels=names, frame=frame)
        again = copied and read.message == above and _shape(read.stream) != _shape(who)
        event = TABLE.match(read.message, 1) if read.stream and not again else None
        above, who = read.message, who if again else read.stream
        if event is not None and event.kind in _OF_ONE_BOARD:
            said.setdefault(read.stream, set()).add((event.kind, event.values.get("index")))
    return frozenset(
        name for name, own in said.items() if any(own & others for other, others in said.items() if other != name)
    )


def _worded(head: bytes, most: int = _MOST_WORDED) -> list[str]:
    """The first complete lines with words, as they would be shown."""
    lines: list[str] = []
    for raw in head.split(b"\n")[:-1]:
        text = raw[:_LONGEST].decode("utf-8", "replace")
        line = clean(without_job(text) if "\t" in text else text).strip()
        if compiled(r"[A-Za-z]{3}").search(line):
            lines.append(line)
        if len(lines) == most:
            break
    return lines


def in_one_line(data: bytes, frame: Frame | None) -> Decoder | None:
    """What takes a notebook apart that has no line ends, as some services write them; None for all others."""
    if frame is not NOTEBOOK or b"\n" in data[:HEAD_BYTES].strip():
        return None
    from .one_line import OneLineText  # only here: most notebooks have lines

    return OneLineText()


def _known_lines(lines: list[str], known: Callable[[str], bool], frame: Frame | None) -> int:
    return sum(known(parse_line(1, line.encode(), frame=frame).message) for line in lines)


def _shape(text: str) -> str:
    return compiled(r"\d+").sub("0", text)


def _of_words(lines: list[str], known: Callable[[str], bool], taken: int) -> Frame | None:
    """The frame of lines that begin with the same words but for their figures, where more mean something without them.

    Where what is left means as much with a word more taken off, that word is the line's own.  Where all that is known
    to stand before lines, `taken` characters of each, is taken off as well, one line is enough, if there are more than a few.
    """
    shapes = [_shape(f"{line[: 2 * LONGEST_WORDS]} ") for line in lines]
    low, high = min(shapes), max(shapes)
    alike = next((i for i, (a, b) in enumerate(zip(low, high, strict=False)) if a != b), min(len(low), len(high)))
    alike = min(alike, LONGEST_WORDS)
    prefixes = filter(None, map(compiled(_PREFIXED).search, shapes))
    own = min((prefix.start() for prefix in prefixes), default=len(low))  # from here on nothing is a tool's
    ends = [
        found.end() for found in compiled(_BEHIND_A_WORD).finditer(low, 0, min(alike, own + 1)) if found.end() <= own
    ]
    if own <= alike and own not in ends:
        ends.append(own)
    if not ends or (plain := _known_lines(lines, known, None)) == len(lines):
        return None
    ends = [end for end in ends if low[end - 1] not in _QUOTES or all(line[-1] == low[end - 1] for line in lines)]
    best, most = None, plain + (len(lines) <= _LEAST or plain > 0)  # one line more may be chance
    for end in ends[:_MOST_WORDS]:
        frame = frame_of_words(low[:end])
        freed = _known_lines(lines, known, frame)
        if freed > most + (end < taken and most == plain):
            best, most = frame, freed
    return best
