"""Keys in long tables and logs: from the key to the last byte at the terminal, and how many bytes that takes.

Runs in a real pseudo-terminal of 120x40 as the widgets stand in the screens, the detail pane under them included: a table
of 100,000 rows, and the log of a report of a gigabyte, while that is still read (then a key counts as answered when the row
that the cursor went to has arrived) and afterwards.  Also how long sorting and filtering that table takes, and what an arrow
key costs the minimal Textual app, in the same run.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
from pathlib import Path

from _captures_of_runs import many_bytes
from _terminal import (
    DOWN,
    END,
    HOME,
    OURS,
    PAGE_DOWN,
    PAGE_UP,
    PEER,
    PEER_READY,
    UP,
    Aims,
    Answer,
    Terminal,
    p95,
    python,
    surroundings,
)

ROWS, COLUMNS = 40, 120
ARROW_SECONDS, ARROW_BYTES = 0.015, 1_500
PAGE_SECONDS, PAGE_BYTES = 0.030, 10_000
SORT_SECONDS = 0.150
FIRST_SECONDS = 1.0
READING_SECONDS = 0.050
BACK = b"\x7f"
TABLE = """
import sys
from textual.app import App
from ethosu_tui.analysis.tables import Cell, Column, Table
from ethosu_tui.tui.widgets.data_table import DataTable
from ethosu_tui.tui.widgets.detail import Detail
from ethosu_tui.tui.widgets.chrome import FilterBar
from ethosu_tui.tui.screens.page import Page
from ethosu_tui.tui.terminal.garbage import leave_garbage, look_for_garbage
leave_garbage()  # as the dashboard does
names = ("Operator", "TOSA", "Cycles", "Share", "SRAM", "Where")
columns = tuple(Column(name, "left" if i in (0, 1, 5) else "right") for i, name in enumerate(names))
def row(i):
    n = i * 7919 % 100_003
    cells = (f"features.{i % 52}.conv.{i % 7}", ("CONV2D", "RESCALE", "ADD")[i % 3], f"{n:,}", f"{n / 1000:.1f}%",
             f"{n % 977} KiB", f"model.py:{i % 400}")
    return tuple(Cell(text, n if j in (2, 3, 4) else text) for j, text in enumerate(cells))
count = int(sys.argv[1])
table = Table("Operators", columns, tuple(row(i) for i in range(count)))
class Host(Page):
    HEADING = "Operators"
    def body(self):
        yield DataTable(table, id="table")
        yield Detail(id="detail")
    def on_mount(self):
        self.query_one(Detail).styles.height = 4
        self.query_one(DataTable).focus()
        self.query_one(DataTable).moved = self.tell
        self.call_after_refresh(look_for_garbage)
    def tell(self, row):
        cells = table.rows[row]
        text = f"{cells[0].text} at {cells[5].text}: {cells[2].text} cycles\\nrow {row} of {count}"
        self.query_one(Detail).say(text)
class Bench(App):
    CSS_PATH = []
    def get_default_screen(self):
        return Host()
Bench().run()
"""


def spread(terminal: Terminal, key: bytes, times: int, again: bytes | None = None) -> list[Answer]:
    """The answers to a key pressed so often, alternating with another after the first half."""
    half = times // 2
    found = []
    for number in range(times):
        found.append(terminal.answer(again if again is not None and number >= half else key))
    return found


def measure(name: str, terminal: Terminal, keys: int, aims: Aims) -> None:
    """Arrow and page keys in the middle and at the ends."""
    terminal.settle()
    terminal.answer(DOWN)
    arrows = spread(terminal, DOWN, keys, UP)
    terminal.answer(END)
    arrows += spread(terminal, UP, keys // 2)
    terminal.answer(HOME)
    arrows += spread(terminal, DOWN, ROWS + 20)  # past the lower edge: each key scrolls
    pages = spread(terminal, PAGE_DOWN, keys, PAGE_UP)
    aims.keys(f"{name}, arrow", arrows, ARROW_SECONDS, ARROW_BYTES)
    aims.keys(f"{name}, page", pages, PAGE_SECONDS, PAGE_BYTES)


def numbered(line: int) -> re.Pattern[str]:
    """A line of a log by its number in the gutter; how much stands behind it depends on the room."""
    return re.compile(rf"(?<![\d.,:]){line}[ !✗i] ")


def log_of(report: Terminal) -> None:
    """From the list of runs to the log of the first one."""
    report.press(b"\r", "Findings")
    report.settle(2.0)
    report.press(b"7", lambda text: bool(numbered(5).search(text)))
    report.rest(1.0)


def measure_reading(name: str, terminal: Terminal, keys: int, aims: Aims) -> None:
    """Arrow keys while the rest of the file is still read: until the number of the line that they go to has come."""
    waited: list[float] = []
    for line in range(2, keys + 2):
        told = numbered(line)
        waited.append(terminal.press(DOWN, lambda text, told=told: bool(told.search(text))) * 1000)  # type: ignore[misc]
        terminal.rest(0.03)
    aims.told(f"{name}, arrow: its line, p95", p95(waited), READING_SECONDS * 1000, "ms", f"{keys} keys")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keys", type=int, default=60, help="presses of each key (default 60)")
    parser.add_argument("--rows", type=int, default=100_000, help="rows of the table (default 100000)")
    parser.add_argument("--megabytes", type=int, default=1000, help="size of the log (default 1000)")
    parser.add_argument("--only", choices=("table", "log"), help="measure one of them")
    options = parser.parse_args()
    aims = Aims()
    with tempfile.TemporaryDirectory() as home:
        environment = surroundings(home)
        with Terminal(python(PEER), environment, rows=ROWS, columns=COLUMNS) as peer:
            peer.ready(PEER_READY)
            peer.settle()
            answers = spread(peer, DOWN, options.keys)
            print("minimal Textual app, for comparison:")
            Aims().keys("  arrow", answers, ARROW_SECONDS, ARROW_BYTES)
        if options.only != "log":
            command = python(TABLE, str(options.rows))
            with Terminal(command, environment, rows=ROWS, columns=COLUMNS) as table:
                table.ready("features.")
                measure(f"table of {options.rows:,} rows", table, options.keys, aims)
                table.answer(b"\x1b[C")
                table.answer(b"\x1b[C")
                sorts = [table.answer(b"s").last_seconds * 1000 for _ in range(6)]
                more = " ".join(f"{ms:.0f}" for ms in sorts)
                aims.told(f"sort of {options.rows:,} rows, most", max(sorts), SORT_SECONDS * 1000, "ms", more)
                table.answer(b"/")
                filters = [table.answer(bytes([key])).last_seconds * 1000 for key in b"conv.3\x7f\x7f"]
                more = " ".join(f"{ms:.0f}" for ms in filters)
                aims.told(f"filter of {options.rows:,} rows, most", max(filters), SORT_SECONDS * 1000, "ms", more)
        if options.only != "table":
            log = Path(home) / "huge.log"
            many_bytes(log, options.megabytes * 1_000_000)
            with Terminal(python(OURS, "open", str(log)), environment, rows=ROWS, columns=COLUMNS) as report:
                first = report.ready(lambda text: bool(re.search(r"[\d,]+ passed", text)))
                aims.told(f"log of {options.megabytes:,} MB: first figures", first, FIRST_SECONDS, "s")
                log_of(report)
                measure_reading(f"log of {options.megabytes:,} MB, being read", report, options.keys, aims)
                report.press(BACK, "y copies")
                if "read:" not in report.text:
                    report.until("read:", time.perf_counter(), 900)
                report.settle()
                log_of(report)
                measure(f"log of {options.megabytes:,} MB", report, options.keys, aims)
    return 0 if aims.met else 1


if __name__ == "__main__":
    sys.exit(main())
