"""Every string that ExecuTorch's runners print, with values: read into the right field, or known not to be read.

The table of strings stands beside the checkout where it is present.  Each row is printed with several sets of values and
every prefix of its releases and ports.  An error line that has no pattern of its own must reach the findings word for word.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.collect.collect import FIGURES
from ethosu_tui.analysis.draft import RunDraft
from ethosu_tui.analysis.patterns import HOST_EVENTS, PATTERNS, TABLE
from ethosu_tui.analysis.patterns.table import Event
from ethosu_tui.analysis.report import to_dict
from ethosu_tui.analysis.runs import RunBuilder
from ethosu_tui.analysis.splitter import LineSplitter

from .printf_rows import NUMBERS, Argument, Row, printed, render, rows
from .string_fields import (
    AFTER,
    BEGINS,
    BESIDE,
    CHECKS,
    CONTEXT,
    FIELDS,
    IGNORED,
    LINUX_START,
    START,
    UNQUOTED,
    UNSHOWN,
    UNSHOWN_VALUES,
    WHAT_FAILED,
    WHERE,
)

TABLE_OF_STRINGS = Path(__file__).resolve().parents[3] / "shared" / "reference" / "log-strings.tsv"

WORDS = {
    "Output[%d][%d]: (bool) %s (0x%x)\\n": ("true",),
    "Input[%d][%d]: (bool) %s (0x%x)\\n": ("false",),
    "KernelCall failed at instruction %zu:%zu in operator %s.%s: 0x%x": ("aten::exp", "out"),
    "Could not allocate memory for planned buffer with mem_id=%lu, size %lu in %s": ("SLOW_MEMORY_REGION",),
    "Program identifier '%.4s' != expected '%.4s'": ("XX99", "ET12"),
    '# Writing etdump.bin [base64]\\necho \\"%s\\" | base64 -d >etdump.bin\\n': ("1AQAAA==",),
}
ABOUT_THE_RUN = ("status", "stage", "index", "first_line", "last_line", "lines.", "runner.", "derived.")
ALWAYS_IGNORED = {text for texts in IGNORED.values() for text in texts}
UNSHOWN_EVENTS = {event for events in UNSHOWN.values() for event in events}
UNSHOWN_PAIRS = {pair for pairs in UNSHOWN_VALUES.values() for pair in pairs}


def table() -> list[Row]:
    return rows(TABLE_OF_STRINGS) if TABLE_OF_STRINGS.is_file() else []


def is_prefix(row: Row) -> bool:
    return row.macro == "fprintf" and row.format.startswith("%c ") and "executorch:" in row.format


ROWS = [row for row in table() if not is_prefix(row)]
pytestmark = pytest.mark.skipif(not ROWS, reason="no table of log strings beside this checkout")


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """The plain values of a document, each with its path."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, part in parts:
        yield from leaves(part, f"{path}.{name}" if path else str(name))
    if not isinstance(value, (dict, list)):
        yield path, value


@cache
def before(*lines: str) -> dict[str, Any]:
    return dict(leaves(read(*lines)[0]))


def changed(lines: tuple[str, ...], run: dict[str, Any]) -> list[str]:
    """Paths of the fields that the newest line changed, but for those that say where and in which release a run is."""
    old = before(*lines)
    return [p for p, value in leaves(run) if value != old.get(p) and not p.startswith(ABOUT_THE_RUN)]


def read(*lines: str) -> tuple[dict[str, Any], RunDraft]:
    splitter, builder = LineSplitter(), RunBuilder()
    for line in splitter.feed("".join(f"{line}\n" for line in lines).encode()):
        builder.feed(line)
    run = builder.runs(live=False)[-1]
    assert builder.draft is not None
    document: dict[str, Any] = json.loads(json.dumps(to_dict(run), allow_nan=False))
    return document, builder.draft


def at(document: Any, path: str) -> Any:
    for part in path.split("."):
        document = document[int(part)] if isinstance(document, list) else (document or {}).get(part)
    return document


def wanted(path: str, value: Any, kind: str) -> Any:
    """What the report shows for a printed value: wrapped 32-bit totals come back, what cannot be is absent."""
    if isinstance(value, str):
        return value.replace("0x0x", "0x")
    if path in ("cycles.inference", "cycles.operators_total", "cycles.operators.0.cycles"):
        return value + (1 << 32) if isinstance(value, int) and value < 0 else value
    if path.endswith("_percent"):
        return value if 0 <= value <= 100 else None
    if kind == "call_cycles":
        return value or None  # the call took place, so a counter at 0 was not running
    return None if path.endswith((".inferences", ".delegations", "_bytes")) and value < 0 else value


def problems(row: Row, message: str, arguments: list[Argument]) -> Iterator[str]:
    for part in (part.strip() for part in message.replace("\x04", "").split("\n")):
        event = TABLE.match(part, 2) if part else None
        if not part or part in ("========================================",):
            continue
        if event is None and row.letter in ("E", "F"):
            yield from kept(row, part)
        elif event is None:
            if not (len(message.split("\n")) > 2 and part.startswith("forward")):  # the data line of a here-string
                yield f"no pattern for {part!r}"
        else:
            yield from shown(row, part, event, arguments)


def kept(row: Row, part: str) -> Iterator[str]:
    for line in printed(row, part):
        _, draft = read(START, line)
        if not any(part in t.text and t.level == row.letter for t in draft.trouble):
            yield f"{line!r} does not reach the findings"
    if len(row.format.split("%")[0].strip()) >= 14:  # ports that print no prefix leave only the words
        _, draft = read("PTE @ 0x70000000 [----ET12]", part)
        if not any(part in t.text for t in draft.trouble):
            yield f"{part!r} without a prefix does not reach the findings"


def shown(row: Row, part: str, event: Event, arguments: list[Argument]) -> Iterator[str]:
    numbers = [a.value for a in arguments]
    for name, value in event.values.items():
        if isinstance(value, (int, float)) and not any(value == n for n in numbers):
            yield f"{name} was read as {value}, which {part!r} does not say"
    if event.kind in HOST_EVENTS:
        return
    for line in printed(row, part):
        start = LINUX_START if row.group == "linux_executor_runner" else START
        lines, after = (start, *CONTEXT.get(event.kind, ())), AFTER.get(event.kind, ())
        run, draft = read(*lines, line, *after)
        if event.kind not in draft.seen:
            yield f"{line!r} was not taken for {event.kind}"
            continue
        yield from unaccounted(event, run, line)
        allowed = tuple(fields_of(event)) + BESIDE.get(event.kind, ())
        stray = [] if event.kind in BEGINS else [p for p in changed((*lines, *after), run) if not p.startswith(allowed)]
        if stray:
            yield f"{line!r} changed {stray}, which it does not speak of"
    if event.kind in WHAT_FAILED:
        yield from unquoted(event, line, len(lines) + 1)


def fields_of(event: Event) -> Iterator[str]:
    """Beginnings of the paths at which the report may show what this line says."""
    yield from WHERE.get(event.kind, ())
    for name in event.values:
        path = FIGURES.get((event.kind, name)) or FIELDS.get((event.kind, name))
        if path is not None:
            yield path


def unquoted(event: Event, line: str, number: int) -> Iterator[str]:
    """What failed is no field: a finding has its line, and its numbers."""
    lines = (START, *CONTEXT.get(event.kind, ()), line)
    findings = read_capture("x", "".join(f"{text}\n" for text in lines).encode()).findings
    if not any(number in finding.lines for finding in findings):
        yield f"no finding has the line {line!r}"
    said = " ".join(f"{f.title} {f.detail} {f.advice}" for f in findings).replace(",", "")
    for name, value in event.values.items():
        if isinstance(value, (int, float)) and (event.kind, name) not in UNQUOTED:
            if not {f"{value:g}", str(value), f"{value & 0xFFFFFFFF:02x}" if isinstance(value, int) else ""} & words(
                said
            ):
                yield f"no finding says the {name} of {line!r}"


def words(text: str) -> set[str]:
    return {
        word
        for part in re.findall(r"0x[0-9a-f]+|-?[\d.]+", text)
        for word in (part, part.removeprefix("0x"), part.rstrip("."))
    }


def unaccounted(event: Event, run: dict[str, Any], line: str) -> Iterator[str]:
    if event.kind in CHECKS and not CHECKS[event.kind](run, event.values):
        yield f"{line!r} gave a wrong {event.kind}"
    names = list(event.values) or [""]
    for name, value in ((n, event.values.get(n)) for n in names):
        path = FIGURES.get((event.kind, name)) or FIELDS.get((event.kind, name))
        if path is not None:
            if value is not None and at(run, path) != wanted(path, value, event.kind):
                yield f"{line!r}: {path} is {at(run, path)}, not {value}"
        elif not (event.kind in CHECKS or event.kind in UNSHOWN_EVENTS or (event.kind, name) in UNSHOWN_PAIRS):
            yield f"{event.kind}.{name} is in no field and in no list"


@pytest.mark.parametrize("row", ROWS, ids=lambda r: f"{r.group}-{r.format[:40]}")
def test_every_string_is_accounted_for(row: Row) -> None:
    found: list[str] = []
    said = 0
    if row.format in ALWAYS_IGNORED:
        return
    for name in NUMBERS:
        if name == "negative" and row.format.startswith("%d inferences"):
            continue
        made = render(row, name, WORDS.get(row.format, ("forward",)))
        if made is not None:
            said += 1
            found += problems(row, *made)
    assert said, "no set of values fits"
    assert not found, found[:3]


@pytest.mark.parametrize("row", [row for row in table() if is_prefix(row)], ids=lambda r: f"{r.group}-{r.format}")
def test_every_prefix_is_taken_apart(row: Row) -> None:
    texts = iter(("method.cpp", "load()") if "()" not in row.format else ("method.cpp", "load", "Input prepared."))
    made = re.sub(r"%z?l?u", "64", row.format.replace("%c", "I").replace("\\n", ""))
    made = re.sub("%s", lambda _: next(texts), made)
    line = LineSplitter().feed(f"{made}\n".encode())[0]
    assert (line.level, line.file, line.source_line) == ("I", "method.cpp", 64)
    assert (line.function, line.message) == (("load", "Input prepared.") if "()" in row.format else (None, "load()"))


def test_nothing_is_ignored_that_is_not_in_the_table() -> None:
    formats = {row.format for row in table()}
    assert formats >= ALWAYS_IGNORED


def test_lists_of_what_is_not_shown_name_events_that_exist() -> None:
    kinds = {pattern.event for pattern in PATTERNS if not pattern.anywhere}
    assert kinds >= UNSHOWN_EVENTS
    assert kinds >= {kind for kind, _ in (*UNSHOWN_PAIRS, *FIELDS)}
