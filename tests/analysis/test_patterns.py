"""The pattern table checks itself: every row has samples, every sample belongs to exactly one row, handlers fit."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable
from importlib import import_module
from pkgutil import iter_modules

import pytest

from ethosu_tui.analysis import collect
from ethosu_tui.analysis.collect.collect import FAILURES, FIGURES, TROUBLE
from ethosu_tui.analysis.collect.handlers import handler_of
from ethosu_tui.analysis.collect.stages import STAGE
from ethosu_tui.analysis.lines import clean
from ethosu_tui.analysis.patterns import PATTERNS, TABLE
from ethosu_tui.analysis.patterns.table import Pattern, translate
from ethosu_tui.analysis.report import Run

GENERAL = (
    "FATAL ERROR: {:rest}",
    "Error: {:rest}",
    "ERROR: {:rest}",
    "RuntimeError: {:rest}",
    "ERROR - {what:name} failed.",
    "[{:int}/{:int}] {:rest}",
    ": Permission denied",
    ": No such file or directory",
    ": not found",
    "exec format error",
    "{before:rest}Test_result: FAIL{more:rest}",
    ": Error: ",
    ": error: ",
    "{:label}invoke fail{:end}",
    "Failed to build {:rest}",
    "#{depth:int} {?{:pointer} in ?}{function:callee}({:text}) {place:rest}",
    "NPU config mismatch{?.?}{?:?} npu.{what:name}={npu:int}{?,?} optimizer.{:name}={model:int}{? ({source:text})?}",
    "Inference Run #{:int}, inference time: {:float}ms",
    "INFO - Inference Run #{:int}, inference time: {:float}ms",
    "NPU status={status:status}, qread={qread:int}, cmd_end_reached={end:int}",
)
"""Rows that take what no row above them knows."""


@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda p: p.template[:60])
def test_every_sample_matches_its_row_and_no_other(pattern: Pattern) -> None:
    assert pattern.samples, f"{pattern.template} has no sample"
    for sample in pattern.samples:
        message = clean(sample)
        rows = TABLE.matches(message)
        assert [row for row in rows if row == pattern.template or row not in GENERAL] == [pattern.template]
        event = TABLE.match(message, 7)
        assert event is not None
        assert event.kind == pattern.event
        assert event.line == 7


def fields_of(kind: str) -> set[str]:
    names: set[str] = set()
    for pattern in PATTERNS:
        if pattern.event == kind:
            names |= set(translate(pattern.template)[1])
    return names


HANDLERS: dict[str, Callable[..., None]] = {
    name[3:]: function
    for place in iter_modules(collect.__path__)
    for name, function in vars(import_module(f"{collect.__name__}.{place.name}")).items()
    if name.startswith("on_")
}


@pytest.mark.parametrize("kind", sorted(HANDLERS))
def test_each_handler_is_found_and_its_parameters_are_the_pattern_groups(kind: str) -> None:
    assert handler_of(kind) is HANDLERS[kind]
    rows = [p for p in PATTERNS if p.event == kind]
    assert rows, f"on_{kind} handles an event that no pattern gives"
    wanted = set(inspect.signature(HANDLERS[kind]).parameters) - {"draft", "line"}
    for row in rows:
        assert set(translate(row.template)[1]) == wanted, row.template


def test_tables_of_events_name_events_that_exist() -> None:
    known = {p.event for p in PATTERNS}
    assert {kind for kind, _ in FIGURES} <= known
    assert set(STAGE) <= known
    assert known >= FAILURES
    assert known >= TROUBLE


@pytest.mark.parametrize(("event", "path"), sorted(FIGURES.items()))
def test_figures_name_groups_and_report_fields_that_exist(event: tuple[str, str], path: str) -> None:
    kind, group = event
    assert group in fields_of(kind)
    part, _, rest = path.partition(".")
    assert part in Run._fields
    assert rest


def test_torn_lines_match_nothing() -> None:
    assert TABLE.match("ethosu_pmu_cycle_cntr : 59203I [executorch", 1) is None
    assert TABLE.match("method_allocator_used:     1355722 / 6291", 1) is None


def test_per_inference_words_that_are_no_numbers_are_absent() -> None:
    event = TABLE.match("Inference runtime: 58092 CPU cycles total (inf per inference)", 1)
    assert event is not None
    assert event.values == {"cycles": 58092, "per_inference": None}


@pytest.mark.parametrize("text", ["Model initialized. Ready for inference.", "Model inference", "Model in use"])
def test_words_are_no_addresses(text: str) -> None:
    event = TABLE.match(text, 1)
    assert event is None or "address" not in event.values


@pytest.mark.parametrize("filler", [" ", "a", " a", "FAILED "])
def test_a_long_line_takes_no_square_of_its_length(filler: str) -> None:
    """Blanks at which a text may begin and end, words that may be parted anywhere: 20 lines of 2,000 characters each."""
    began = time.process_time()
    for begin in (
        "Result is ",
        "Running ",
        "Address that caused ",
        "*** dual TFLite Micro parallel ",
        "INFO - 1/1 ",
        "ERROR - ",
    ):
        rest = (filler * 2_000)[: 2_000 - len(begin)]
        for _ in range(20):
            TABLE.match(f"{begin}{rest}\x01", 1)
    assert time.process_time() - began < 4


@pytest.mark.parametrize(
    "begin", ['{"type": "log", "m": "', '{"type": 1, "name": "INVOKE", "code": 0, "x": "', 'echo "', "Output: "]
)
@pytest.mark.parametrize("filler", ["test_ passed in 3 failed ", "passed, 3 in failed "])
def test_what_may_be_longer_is_searched_for_its_own_words_alone(begin: str, filler: str) -> None:
    began = time.process_time()
    TABLE.match(begin + filler * 20_000, 1)
    assert time.process_time() - began < 2


@pytest.mark.parametrize(
    "text", ["Unexpected job state FAILED for job 12", "Error: Unexpected job state: PENDING", "Info: NOP"]
)
def test_words_of_other_programs_are_not_the_driver_s(text: str) -> None:
    event = TABLE.match(text, 1)
    assert event is None or not event.kind.startswith("driver_")


def test_a_wide_gap_is_a_gap() -> None:
    event = TABLE.match(f"Result is{' ' * 40}old{' ' * 40}truck (Score:{' ' * 40}64)", 1)
    assert event is not None and event.values["score"] == 64
