"""Rows as columns: what goes in comes out, here and behind a pipe, and a run can be read again from its bytes."""

from __future__ import annotations

import pickle
import random
from array import array
from pathlib import Path

import pytest

from ethosu_tui.analysis.post_mortem.alike import alike
from ethosu_tui.analysis.reread import AFTER_BYTES, reread
from ethosu_tui.analysis.rows import RunRow
from ethosu_tui.analysis.rows.store import RunStore
from ethosu_tui.analysis.scan import Scanner


def scanned(data: bytes) -> Scanner:
    scanner = Scanner("night.log", full_runs=1_000_000)
    scanner.feed(data)
    scanner.finish()
    return scanner


@pytest.fixture
def night(samples: Path) -> bytes:
    """Runs that pass, fail and are cut, one after the other."""
    names = ("mnist_q", "missing_op_softmax", "softmax", "method_small_planned", "mobilenet_v2_corstone320")
    logs = [(samples / f"{name}.log").read_bytes() for name in names]
    cut = logs[0][: len(logs[0]) // 2].rpartition(b"\n")[0] + b"\n"
    return b"".join([*logs, cut, *logs])


def test_titles_are_those_of_all_rows_whenever_they_are_asked_for(night: bytes) -> None:
    rows = scanned(night).rows()
    asked, whole = RunStore(), RunStore()
    for row in rows:
        asked.add((row,))
        asked.note_titles()
        asked.titles()
    whole.add(rows)
    by_cause = [{store.text_of(code): title for code, title in store.titles().items()} for store in (asked, whole)]
    assert by_cause[0] == by_cause[1] != {}
    whole.take()
    assert whole.titles() == {}


def test_rows_come_out_as_they_went_in_also_behind_a_pipe(night: bytes) -> None:
    rows = scanned(night).rows()
    here, there = RunStore(), RunStore()
    for part in (rows[:3], rows[3:]):
        here.add(part)
        there.extend(pickle.loads(pickle.dumps(here.take())))
    assert list(there) == rows
    assert here.take().added == 0
    statuses = there.counts("status", 0, there.count)
    assert statuses == {status: sum(r.status == status for r in rows) for status in {r.status for r in rows}}
    failed = next(i for i, row in enumerate(rows) if row.cause)
    assert there.find("cause", rows[failed].cause or "") == failed


@pytest.mark.parametrize("value", [None, 0, 5, 1 << 70])
def test_equal_columns_come_out_like_others(night: bytes, value: int | None) -> None:
    """Columns that are all alike are kept in one go; one row that differs, at any place, is not lost in them."""
    row = scanned(night).rows()[0]._replace(npu_cycles=value, at=None, cause_line=None, cause_advice=None)
    odd = row._replace(npu_cycles=7, at="12:00:00", cause="other", cause_line=3, status="failed")
    shown = row._replace(npu_cycles=None) if value == 1 << 70 else row
    for place in (0, 2, 5):
        store = RunStore()
        store.add([row] * 4)
        store.add([row] * place + [odd] + [row] * (5 - place))
        assert list(store) == [shown] * (4 + place) + [odd] + [shown] * (5 - place)


@pytest.mark.parametrize("runs", [0, 1, 2, 40])
def test_a_store_is_the_same_on_the_other_side_and_takes_more(night: bytes, runs: int) -> None:
    rows = scanned(night).rows()[:runs]
    store = RunStore()
    store.add(rows)
    there = pickle.loads(pickle.dumps(store))
    assert list(there) == list(store)
    there.add(rows)
    total = RunStore()
    total.merge(store)
    total.merge(store)
    assert list(there) == list(total)


def test_columns_are_searched_and_put_in_order_behind_a_pipe(night: bytes) -> None:
    row = scanned(night).rows()[0]
    stamps = ["Jan  5 12:00:00", None, "jan  4 23:00:00", "Feb  1 00:00:00", None]
    cycles, causes = [30, None, 10, None, 20], ["b", None, "C", "a", None]
    rows = [row._replace(at=a, npu_cycles=n, cause=c) for a, n, c in zip(stamps, cycles, causes, strict=True)]
    here, there = RunStore(), RunStore()
    for part in (rows[:2], rows[2:]):
        here.add(part)
        there.extend(here.take())
    assert [there.at(i) for i in range(5)] == [there.text("at", i) for i in range(5)] == stamps
    for name, order in (("at", [3, 2, 0, 1, 4]), ("npu_cycles", [2, 4, 0, 1, 3]), ("cause", [3, 0, 2, 1, 4])):
        assert there.ordered(name, range(5), descending=False) == order
        known = [i for i in order if getattr(rows[i], name) is not None]
        assert there.ordered(name, range(5), descending=True) == [*reversed(known), *order[len(known) :]]
        assert (
            there.has(name, 0, 2) and not there.has(name, 1, 2) and there.has(name, 0, 5) and not there.has(name, 3, 3)
        )
    assert there.having("at", "jan", 0, 5) == [True, False, True, False, False]
    assert there.having("cause", "c", 1, 5) == [False, True, False, False]
    there.add(rows[:1])
    there.merge(here)
    assert there.row(5) == there.row(0)._replace(cause_advice=None), "codes go on where the pipe left them"


def test_a_number_that_no_machine_word_holds_counts_as_absent() -> None:
    row = RunRow._make(None if "None" in str(kind) else 0 for kind in RunRow.__annotations__.values())
    row = row._replace(status="passed", stage="complete", rules=("a", "b"), npu_cycles=1 << 80, source="x")
    columns = RunStore()
    columns.add([row])
    assert columns.row(0) == row._replace(npu_cycles=None)


def test_a_run_read_again_from_its_bytes_is_the_run_of_the_whole_capture(night: bytes) -> None:
    scanner = scanned(night)
    capture = scanner.capture()
    rows = scanner.rows()
    assert len(rows) == len(capture.runs) > 8
    for row, run in zip(rows, capture.runs, strict=True):
        again = reread(row, night[row.start_byte : row.end_byte + AFTER_BYTES], capture.lines)
        assert again.runs == (run,)
        assert list(again.findings) == [f for f in capture.findings if f.run == run.index]


def test_bytes_of_another_file_give_no_run(night: bytes) -> None:
    row = scanned(night).rows()[1]
    assert reread(row, b"nothing of that kind\n" * 50, 50).runs == ()


def test_rows_that_say_the_same_are_found_together() -> None:
    R = random.Random(3)
    for length in (0, 1, 5, 4096, 4097, 9000):
        steady = array("q", [7]) * length
        mixed = array("q", [R.randrange(3) if place % 5000 > 4500 else 1 for place in range(length)])
        grouped: dict[tuple[int, ...], list[int]] = {}
        for values, positions in alike([steady, mixed], 0, length):
            assert list(positions) == sorted(positions)
            grouped.setdefault(values, []).extend(positions)
        assert all(positions == sorted(positions) for positions in grouped.values())
        by_row = {place: values for values, positions in grouped.items() for place in positions}
        assert [by_row[place] for place in range(length)] == list(zip(steady, mixed, strict=True))


def test_rows_so_far_stay_as_they_are_while_more_come(night: bytes) -> None:
    rows = scanned(night).rows()
    child, here = RunStore(), RunStore()
    child.add(rows[:3])
    here.extend(child.take())
    kept = here.so_far()
    child.add([row._replace(source="other.log", at="11:00:00") for row in rows])
    here.extend(child.take())
    assert list(kept) == rows[:3] and here.count == 3 + len(rows)
    assert kept.code_of("other.log") < 0 and len(kept.stamps()) == 3
    assert list(RunStore().so_far()) == []
