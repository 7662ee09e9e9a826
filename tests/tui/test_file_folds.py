"""Dumps in logs of any size are one row each: found by searching bytes, kept in a few bytes, and what one reads stays in place."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ethosu_tui.analysis.watching.dump_finder import DumpFinder, seen
from ethosu_tui.analysis.watching.dump_lines import Dump, dumps, kind_of
from ethosu_tui.runners.reading.window import STRIDE_BYTES, LineCounter, LogWindow
from ethosu_tui.tui.widgets.file_folds import FileFolds
from ethosu_tui.tui.widgets.file_log_pane import FileLogPane
from ethosu_tui.tui.widgets.log_pane import LogPane

from ..log_windows import window_of
from .conftest import until
from .test_log_reading import HEAD, TAIL, Host, log, outputs, rows

SHAPES = (
    b"Output[0][%d]: (float) 0.5",
    b"I [executorch:arm_executor_runner.cpp:%d print_outputs()] Output[1][3]: (int) 3",
    b"\x1b[32mOutput[0][%d]: 1\x1b[0m",
    b"[00:00:%d] Output[0][1]: 2",
    b"in[%d][3] = 2\r",
    b"0123456789abcdef0123456789abcdef0123456789abcdef | Output[0][%d]: 1",
    b"QUJD" * 19 + b"%d",
    b"QUJD" * 19 + b"\\",
    b"E [executorch:a.cpp:1] failed at min[1][%d]",
    b"value [a][b] of path /usr/lib/python3/site/packages/torch/include/aten/%d.h",
    b"hello %d",
    b"",
)


@given(st.lists(st.tuples(st.sampled_from(SHAPES), st.integers(0, 30), st.integers(0, 12_000)), max_size=8), st.data())
def test_the_dumps_found_are_those_of_looking_at_each_line(
    parts: list[tuple[bytes, int, int]], data: st.DataObject
) -> None:
    lines = [shape % (start + i) if b"%d" in shape else shape for shape, count, start in parts for i in range(count)]
    finder = DumpFinder()
    found: list[Dump] = []
    at = 0
    while at < len(lines):
        size = data.draw(st.integers(1, 40))
        found += finder.feed(b"\n".join(lines[at : at + size]))
        at += size
    found += [finder.unfinished] if finder.unfinished else []
    assert finder.index == len(lines)
    assert found == list(dumps(bytes(kind_of(seen(1, line)) for line in lines)))


@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(12, 30)), max_size=6),
    st.integers(0, 5),
    st.lists(st.integers(0, 5), max_size=5),
    st.booleans(),
)
def test_rows_and_lines_are_those_of_a_list_of_all_rows(
    gaps: list[tuple[int, int]], after: int, turned: list[int], everything: bool
) -> None:
    folds = FileFolds()
    known: list[Dump] = []
    line = 0
    for gap, length in gaps:
        known.append(Dump(line + gap, line + gap + length, "output"))
        line += gap + length
    folds.total = line + after
    folds.add_dumps(known)
    opened = set()
    if everything and known:
        folds.turn_all()
        opened = {dump.start for dump in known}
    for place in turned:
        if place < len(known):
            folds.turn(known[place], lambda index: index + 1)
            opened ^= {known[place].start}
    hidden = {i for dump in known if dump.start not in opened for i in range(dump.start + 1, dump.end)}
    right = [i for i in range(folds.total) if i not in hidden]
    shown = folds.rows(lambda index: index + 1)
    if shown is None:
        assert not hidden
        return
    assert list(shown) == right
    for index in range(folds.total):
        assert right[folds.row_at(index)] == max(i for i in right if i <= index)
    assert [i for i in range(folds.total) if folds.folded_at(i)] == [d.start for d in known if d.start not in opened]


def test_the_first_line_that_news_of_dumps_are_about() -> None:
    folds = FileFolds()
    folds.total = 100
    assert folds.add_dumps([]) is None
    assert folds.add_dumps([Dump(10, 20, "output")], [Dump(50, 60, "output")]) == 10
    assert folds.add_dumps([], [Dump(50, 60, "output")]) is None, "nothing new"
    assert folds.add_dumps([], [Dump(50, 70, "output")]) == 50, "it has grown"
    assert folds.add_dumps([Dump(50, 75, "output")], [Dump(80, 95, "output")]) == 50
    assert folds.add_dumps([]) == 80, "what stood there for now is none"


def big(path: Path, *parts: bytes) -> LogWindow:
    path.write_bytes(b"".join(parts))
    return window_of(path)


async def test_a_file_has_the_rows_and_the_keys_of_a_small_log(tmp_path: Path) -> None:
    parts = (HEAD, outputs(1000), TAIL, (b"QUJD" * 19 + b"\n") * 40, b"end\n")
    window = big(tmp_path / "a.log", *parts)
    small = LogPane()
    async with Host(small).run_test(size=(60, 12)):
        small.load(log(b"".join(parts)))
        right = rows(small)
    pane = FileLogPane(window)
    async with Host(pane).run_test(size=(60, 12)) as pilot:
        await until(pilot, lambda: pane.row_count == 5)
        assert rows(pane) == right and right[1].endswith("… 1,000 Output lines")
        await pilot.press("down", "enter")
        assert pane.row_count == 1004 and pane.current is not None and pane.current.number == 2
        await pilot.press("down", "down", "enter")
        assert pane.row_count == 5 and pane.current.number == 2, "folded again from inside"
        await pilot.press("z")
        assert pane.row_count == 1043
        await pilot.press("end", "z")
        assert pane.row_count == 5 and pane.current.number == 1043
        pane.goto(500)
        assert pane.current.number == 500 and pane.row_count == 1004, "only the dump that holds it is opened"
        pane.apply_filter("base64 -nothing [7]")
        await until(pilot, lambda: pane.settled)
        pane.apply_filter("")
        assert pane.row_count == 1004
        pane.search("QUJD")
        await until(pilot, lambda: pane.current is not None and pane.current.number == 1003)
    window.close()


async def test_a_dump_longer_than_any_piece_is_one_row_and_takes_no_memory_for_its_lines(tmp_path: Path) -> None:
    count = 6 * STRIDE_BYTES // 27
    window = big(tmp_path / "a.log", HEAD, outputs(count), TAIL)
    assert window.strides > 5
    pane = FileLogPane(window)
    async with Host(pane).run_test(size=(60, 12)) as pilot:
        await until(pilot, lambda: pane.row_count == 3)
        assert rows(pane)[1].endswith(f"… {count:,} Output lines")
        assert isinstance(pane._folds, FileFolds) and len(pane._folds._starts) == 1
        await pilot.press("end")
        assert pane.current is not None and pane.current.number == count + 2
    window.close()


async def test_what_one_reads_stays_where_it_is_when_dumps_above_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looking = FileLogPane._look_for_dumps
    monkeypatch.setattr(FileLogPane, "_look_for_dumps", lambda pane: None)
    window = big(tmp_path / "a.log", HEAD, outputs(500), b"".join(b"line %d\n" % i for i in range(100)))
    pane = FileLogPane(window)
    async with Host(pane).run_test(size=(60, 12)) as pilot:
        await until(pilot, lambda: pane.row_count == 601)
        pane.goto(560)
        await pilot.pause()
        drawn = [pane.render_line(y).text for y in range(10)]
        looking(pane)
        await until(pilot, lambda: pane.row_count == 102)
        assert pane.current is not None and pane.current.number == 560
        assert [pane.render_line(y).text for y in range(10)] == drawn
    window.close()


async def test_a_dump_in_which_the_cursor_stands_stays_open_when_it_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looking = FileLogPane._look_for_dumps
    monkeypatch.setattr(FileLogPane, "_look_for_dumps", lambda pane: None)
    window = big(tmp_path / "a.log", HEAD, outputs(500), TAIL, outputs(30, 1))
    pane = FileLogPane(window)
    async with Host(pane).run_test(size=(60, 12)) as pilot:
        await until(pilot, lambda: pane.row_count == 532)
        pane.goto(100)
        looking(pane)
        await until(pilot, lambda: pane.row_count == 503)
        assert pane.current is not None and pane.current.number == 100
    window.close()


async def test_a_dump_grows_in_its_row_while_the_file_is_still_counted(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    data = HEAD + outputs(3 * STRIDE_BYTES // 27) + TAIL
    path.write_bytes(data)
    whole = window_of(path)
    counter = LineCounter()
    window = LogWindow(whole._descriptor)
    pane = FileLogPane(window)
    async with Host(pane).run_test(size=(60, 12)) as pilot:
        seen_so_far = 0
        for start in range(0, len(data) - STRIDE_BYTES + 1, STRIDE_BYTES):
            counter.feed(data[start : start + STRIDE_BYTES])
            window.grow(counter.take())
            pane.grow()
            await until(pilot, lambda: pane.total == window.total and pane.row_count == 2)
            await until(pilot, lambda: int(rows(pane)[1].split()[-3].replace(",", "")) + 1 == window.total)
            seen_so_far += 1
        assert seen_so_far > 2
        counter.feed(data[start + STRIDE_BYTES :])
        counter.finish()
        window.grow(counter.take())
        await until(pilot, lambda: pane.total == whole.total and pane.row_count == 3)
        assert "Program" in rows(pane)[2]
    whole.close()
