"""Reading a log: dumps in one row, matches counted, marks, times, wide characters, and files that change while shown."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from rich.cells import cell_len
from textual.app import App, ComposeResult
from textual.pilot import Pilot

from ethosu_tui.analysis.lines import Line
from ethosu_tui.analysis.splitter import LineSplitter
from ethosu_tui.analysis.watching.dump_lines import KINDS, dumps, kind_of
from ethosu_tui.runners.reading.window import LineCounter, LogWindow
from ethosu_tui.runners.runs.folder import RunFolder
from ethosu_tui.tui.screens.log_tab import LogTab
from ethosu_tui.tui.screens.report import ReportScreen
from ethosu_tui.tui.widgets.file_log_pane import FileLogPane
from ethosu_tui.tui.widgets.log_pane import LogPane

from ..log_windows import window_of
from .conftest import MakeApp, notices, on_screen, until

HEAD = b"I [executorch:arm_executor_runner.cpp:1] Output 0 follows\n"
TAIL = b"I [executorch:arm_executor_runner.cpp:2] Program complete\n"


class Host(App[None]):
    """One log pane, in a frame as the screens have it."""

    CSS = "LogPane { border-top: solid $primary; }"

    def __init__(self, pane: LogPane) -> None:
        super().__init__()
        self._pane = pane

    def compose(self) -> ComposeResult:
        yield self._pane

    def on_mount(self) -> None:
        self._pane.focus()


async def _at_the_log(pilot: Pilot[None]) -> ReportScreen:
    """The report, once it is read and its log has the keys."""
    await on_screen(pilot, "ReportScreen")
    report = pilot.app.screen
    assert isinstance(report, ReportScreen)
    await until(pilot, lambda: report.focused is not None and report._lines is not None)
    await pilot.press("7")
    await until(pilot, lambda: isinstance(report.focused, LogPane))
    return report


def log(text: bytes) -> list[Line]:
    splitter = LineSplitter()
    return splitter.feed(text) + splitter.finish()


def outputs(count: int, tensor: int = 0) -> bytes:
    return b"".join(b"Output[%d][%d]: (float) 0.5\n" % (tensor, i) for i in range(count))


def rows(pane: LogPane) -> list[str]:
    return [pane.draw_row(position, 60).text.rstrip() for position in range(pane.row_count)]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (b"Output[0][999]: (float) 0.5", "output"),
        (b"I [executorch:arm_executor_runner.cpp:1022 print_outputs()] Output[1][0]: (int) 3", "output"),
        (b"QUJD" * 19, "base64"),
        (b"QUJD" * 19 + b"\\", "base64"),
        (b"Output 0 follows", ""),
        (b"I [executorch:arm_executor_runner.cpp:2] Program complete", ""),
        (b"ethos-u55-128 ethos-u55-128 ethos-u55-128 ethos-u55-128", ""),
        (b"=" * 70, ""),
    ],
)
def test_which_lines_are_a_dump(text: bytes, kind: str) -> None:
    (line,) = log(text)
    assert KINDS[kind_of(line)] == kind


def test_neighbours_of_two_kinds_are_two_dumps_and_few_lines_none() -> None:
    found = list(dumps(b"\1" * 11 + b"\0" + b"\1" * 12 + b"\2" * 40))
    assert [(dump.start, dump.end, dump.kind) for dump in found] == [(12, 24, "output"), (24, 64, "base64")]


async def test_a_dump_is_one_row_until_enter_opens_it() -> None:
    pane = LogPane()
    async with Host(pane).run_test(size=(60, 12)) as pilot:
        pane.load(log(HEAD + outputs(1000) + TAIL))
        assert pane.row_count == 3 and pane.total == 1002 and pane.hidden == 0
        assert rows(pane)[1].endswith("… 1,000 Output lines") and "hidden" not in str(pane.border_title)
        await pilot.press("down", "enter")
        assert pane.row_count == 1002 and pane.current is not None and pane.current.number == 2
        await pilot.press("down", "down", "enter")
        assert pane.row_count == 3 and pane.current.number == 2, (
            "folded again from inside, on the row that stands for it"
        )
        await pilot.press("z")
        assert pane.row_count == 1002
        await pilot.press("end", "z")
        assert pane.row_count == 3 and pane.current.number == 1002


async def test_jumps_and_searches_find_what_is_folded() -> None:
    pane = LogPane()
    async with Host(pane).run_test(size=(60, 12)) as pilot:
        pane.load(log(HEAD + outputs(40) + TAIL + outputs(30, 1)))
        assert pane.row_count == 4
        assert pane.goto(20) and pane.current is not None and pane.current.number == 20
        assert pane.row_count == 43, "only the dump that holds it is opened"
        assert pane.search("output[1][2") and pane.current.number == 45
        assert pane.row_count == 72 and "1 of 11 matches" in str(pane.border_title)
        await pilot.press("n", "n")
        assert "3 of 11 matches" in str(pane.border_title)
        await pilot.press("home")
        assert str(pane.border_title) == "Log: 11 matches"
        pane.search("")
        assert str(pane.border_title) == "Log"


async def test_a_filter_looks_into_dumps_and_they_fold_again_behind_it() -> None:
    pane = LogPane()
    async with Host(pane).run_test(size=(60, 12)):
        pane.load(log(HEAD + outputs(40) + TAIL))
        pane.apply_filter("[7]")
        assert [pane._at(i).number for i in range(pane.row_count)] == [9]
        assert "41 lines hidden" in str(pane.border_title)
        pane.apply_filter("")
        assert pane.row_count == 3 and pane.current is not None


async def test_marks_lead_from_one_to_the_next_and_round() -> None:
    pane = LogPane()
    app = Host(pane)
    async with app.run_test(size=(60, 12)) as pilot:
        pane.load(log(b"".join(b"line %d\n" % i for i in range(1, 101))))
        await pilot.press("u")
        assert any("m marks one" in note.message for note in app._notifications)
        await pilot.press("down", "m", "end", "m", "home", "u")
        assert pane.current is not None and pane.current.number == 2
        assert rows(pane)[1] == "  2 ●line 2" and rows(pane)[2] == "  3  line 3"
        await pilot.press("u")
        assert pane.current.number == 100
        await pilot.press("u")
        assert pane.current.number == 2, "round"
        await pilot.press("U")
        assert pane.current.number == 100
        await pilot.press("m")
        assert pane.marks == {2}


async def test_a_live_dump_grows_in_its_row_and_what_one_reads_stays() -> None:
    splitter = LineSplitter()
    pane = LogPane(follow=True, max_lines=1000)
    async with Host(pane).run_test(size=(60, 12)) as pilot:
        pane.append(splitter.feed(HEAD))
        for count in range(50):
            pane.append(splitter.feed(b"Output[0][%d]: (float) 0.5\n" % count))
        assert pane.row_count == 2 and rows(pane)[1].endswith("… 50 Output lines")
        pane.append(splitter.feed(b"".join(b"line %d\n" % i for i in range(900))))
        assert pane.row_count == 902
        await pilot.pause()
        await pilot.press("pageup", "pageup")
        seen = pane.current
        assert seen is not None and not pane.follow
        before = pane.cursor_row - pane.scroll_offset.y
        for _ in range(5):
            pane.append(splitter.feed(b"more\n" * 40))
            await pilot.pause()
        assert pane.total == 1000 and pane.dropped == 151
        assert pane.current == seen, "the cursor stays on its line"
        assert pane.cursor_row - pane.scroll_offset.y == before, "and the line on its place in the terminal"


async def test_an_opened_dump_stays_open_while_it_grows() -> None:
    splitter = LineSplitter()
    pane = LogPane(follow=True, max_lines=1000)
    async with Host(pane).run_test(size=(60, 12)) as pilot:
        pane.append(splitter.feed(HEAD + outputs(40)))
        await pilot.press("enter")
        assert pane.row_count == 41
        pane.append(splitter.feed(b"Output[0][40]: (float) 0.5\nOutput[0][41]: (float) 0.5\n"))
        assert pane.row_count == 43


async def test_every_row_is_as_wide_as_the_pane_whatever_the_characters() -> None:
    text = "模型執行完成 ＯＫ 🙂 e\u0301\u0302 नमस्ते 👩‍👩‍👧 " * 20
    pane = LogPane()
    async with Host(pane).run_test(size=(61, 12)) as pilot:
        pane.load(log(text.encode() + b"\n" + b"x" * 1_000_000 + b"\n" + "語".encode() * 300_000 + b"\n"))
        for steps in (0, 1, 2, 30):
            await pilot.press(*["right"] * steps)
            for position in range(pane.row_count):
                for width in (61, 60):
                    drawn = pane.draw_row(position, width)
                    assert sum(cell_len(segment.text) for segment in drawn) == width == drawn.cell_length
        pane.search("完成")
        assert pane.current is not None and "1 of 1 match" in str(pane.border_title)


async def test_a_stored_run_shows_when_its_lines_came(make_app: MakeApp, tmp_path: Path, samples: Path) -> None:
    folder = RunFolder.create(tmp_path / "runs", "run", "softmax")
    console = folder.console()
    for number, line in enumerate((samples / "softmax.log").read_bytes().splitlines(keepends=True)):
        console.write(line, 0.5 * number)
    console.close()
    folder.finish(status="passed")
    app = make_app(folder.path)
    async with app.run_test(size=(100, 30)) as pilot:
        report = await _at_the_log(pilot)
        pane = report.query_one(LogTab).log_pane
        await pilot.press("t")
        await until(pilot, lambda: pane.draw_row(2, 60).text.split()[0] == "1.000")
        assert pane.draw_row(0, 60).text.split()[:2] == ["0.000", "1"]
        await pilot.press("t")
        assert pane.draw_row(2, 60).text.split()[0] == "3"


async def test_a_log_of_which_nobody_kept_the_times_says_so(make_app: MakeApp, samples: Path) -> None:
    app = make_app(samples / "softmax.log")
    async with app.run_test(size=(100, 30)) as pilot:
        await _at_the_log(pilot)
        await pilot.press("t")
        await until(pilot, lambda: any("only stored runs have them" in note for note in notices(app)))


async def test_a_file_that_shrinks_or_goes_while_it_is_shown_is_said(tmp_path: Path) -> None:
    path = tmp_path / "big.log"
    path.write_bytes(b"".join(b"line %d of the log\n" % i for i in range(1, 50_001)))
    window = window_of(path)
    pane = FileLogPane(window)
    async with Host(pane).run_test(size=(80, 12)) as pilot:
        await until(pilot, lambda: pane.row_count == 50_000)
        await pilot.press("end")
        assert pane.current is not None and pane.current.text == "line 50000 of the log"
        os.truncate(path, 1000)
        await until(pilot, lambda: "shorter" in str(pane.border_title))
        await pilot.press("home")
        assert pane.current.text == "line 1 of the log"
        pane.goto(25_000)
        assert pane.current.text == "", "what is gone is no line of something else"
        path.write_bytes(b"".join(b"line %d of the log\n" % i for i in range(1, 50_001)))
        await until(pilot, lambda: str(pane.border_title) == "Log")
        path.unlink()
        await until(pilot, lambda: "removed" in str(pane.border_title))
        await pilot.press("home")
        assert pane.current.text == "line 1 of the log"
    window.close()


async def test_the_matches_of_a_file_are_counted_beside_the_keys(tmp_path: Path) -> None:
    path = tmp_path / "big.log"
    path.write_bytes(b"".join(b"line %d\n" % i for i in range(1, 100_001)))
    window = window_of(path)
    pane = FileLogPane(window)
    async with Host(pane).run_test(size=(80, 12)) as pilot:
        await until(pilot, lambda: pane.row_count == 100_000)
        pane.search("999")
        await until(pilot, lambda: str(pane.border_title) == "Log: 1 of 280 matches")
        await pilot.press("n")
        await until(pilot, lambda: str(pane.border_title) == "Log: 2 of 280 matches")
        pane.search("no such text")
        await until(pilot, lambda: str(pane.border_title) == "Log: 0 matches")
    window.close()


async def test_a_search_and_a_filter_go_on_while_the_file_is_still_counted(tmp_path: Path) -> None:
    path = tmp_path / "big.log"
    data = b"".join(b"line %d%s\n" % (i, b"" if i % 1000 else b" mark") for i in range(1, 100_001))
    path.write_bytes(data)
    whole = window_of(path)
    counter = LineCounter()
    window = LogWindow(whole.descriptor)
    window.counted = False
    pane = FileLogPane(window)
    async with Host(pane).run_test(size=(80, 12)) as pilot:
        counter.feed(data[: len(data) // 2])
        window.grow(counter.take())
        await until(pilot, lambda: pane.row_count == window.total)
        pane.search("999")
        early = sum(b"999" in line for line in data.split(b"\n")[: window.total])
        await until(pilot, lambda: str(pane.border_title) == f"Log: 1 of {early} so far matches")
        pane.apply_filter("line -5 level:none")
        pane.apply_filter("mark")
        await until(pilot, lambda: pane.row_count == window.total // 1000)
        assert not pane.settled
        counter.feed(data[len(data) // 2 :])
        counter.finish()
        window.grow(counter.take())
        await until(pilot, lambda: pane.row_count == 100)
        assert " so far matches" in str(pane.border_title) and not pane.settled
        window.counted = True
        await until(pilot, lambda: str(pane.border_title).startswith("Log: 280 matches") and pane.settled)
        assert pane.row_count == 100
    whole.close()
