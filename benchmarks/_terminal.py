"""A program in a pseudo-terminal: shared by the benchmarks that measure what a person at a terminal gets.

The terminal answers what programs ask one at their start (who are you, where is the cursor, do you know synchronised
output), as a modern terminal does, and counts what it is sent.  It does not draw: an emulator here would take the
processor from the program that is measured.  Escape sequences are dropped instead, and texts are looked for in the rest.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import statistics
import struct
import sys
import termios
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

PEER = """
from textual.app import App
from textual.widgets import Static
class Minimal(App):
    BINDINGS = [("down", "count", "")]
    number = 0
    def compose(self):
        yield Static("peer is ready", id="said")
    def action_count(self):
        self.number += 1
        self.query_one("#said").update(f"pressed {self.number} ")
Minimal().run()
"""
"""The least that Textual can be: what starts and keys are compared with, in the same run."""
PEER_READY = "peer is ready"
OURS = "import sys; from ethosu_tui.tui.cli import main; sys.exit(main(sys.argv[1:]))"
DOWN, UP, PAGE_DOWN, PAGE_UP, END, HOME = b"\x1b[B", b"\x1b[A", b"\x1b[6~", b"\x1b[5~", b"\x1b[F", b"\x1b[H"
QUIET_SECONDS = 0.1
"""After so long without a byte an answer is over; what an app does now and then unasked comes less often."""
_ESCAPE = re.compile(rb"\x1b\[[0-9;:<>=?$ ]*[a-zA-Z]|\x1b\].*?(?:\x07|\x1b\\)|\x1b[()][0B]|\x1b[=>78DM]", re.S)
_QUESTION = re.compile(
    rb"\x1b\[\?(?P<mode>\d+)\$p|\x1b\[0?c|\x1b\[>0?c|\x1b\[>0?q|\x1b\[6n|\x1b\[\?u|\x1b\]1[01];\?(?:\x07|\x1b\\)"
)
_ANSWERS = (
    (b"\x1b[>q", b"\x1bP>|XTerm(379)\x1b\\"),
    (b"\x1b[>0q", b"\x1bP>|XTerm(379)\x1b\\"),
    (b"\x1b[>", b"\x1b[>41;379;0c"),
    (b"\x1b[6n", b"\x1b[1;1R"),
    (b"\x1b[?u", b"\x1b[?0u"),
    (b"\x1b]10", b"\x1b]10;rgb:ffff/ffff/ffff\x1b\\"),
    (b"\x1b]11", b"\x1b]11;rgb:0000/0000/0000\x1b\\"),
    (b"\x1b[", b"\x1b[?62;22c"),
)
_SYNCHRONISED = b"2026"
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


class Answer(NamedTuple):
    """What came after a key."""

    first_seconds: float
    last_seconds: float
    size_bytes: int
    processor_seconds: float
    """What the program computed for it; unlike the others it does not depend on what else the machine does."""


class Screen:
    """What stands in a terminal, for programs that send only what differs; all characters are taken to be one cell wide."""

    def __init__(self, rows: int, columns: int) -> None:
        self._cells = [[" "] * columns for _ in range(rows)]
        self._row = self._column = 0
        self._cut = b""

    def feed(self, data: bytes) -> None:
        """More of what the terminal was sent."""
        data = self._cut + data
        whole = max(data.rfind(b"\x1b"), 0) if len(data) - data.rfind(b"\x1b") < 20 else len(data)
        data, self._cut = data[:whole], data[whole:]
        for part in re.finditer(
            r"\x1b\[(\d+);(\d+)H|\x1b\[[0-9;?$ ]*[a-zA-Z]|\n|[^\x1b\n]+", data.decode("utf-8", "replace")
        ):
            if part[1]:
                self._row, self._column = int(part[1]) - 1, int(part[2]) - 1
            elif part[0] == "\n":
                self._row, self._column = self._row + 1, 0
            elif part[0][0] != "\x1b" and self._row < len(self._cells):
                row = self._cells[self._row]
                row[self._column : self._column + len(part[0])] = part[0][: len(row) - self._column]
                self._column += len(part[0])

    @property
    def text(self) -> str:
        """All lines."""
        return "\n".join("".join(row) for row in self._cells)


class Terminal:
    """A program in a pseudo-terminal, and what it wrote since it was last forgotten."""

    def __init__(
        self, command: Sequence[str], environment: dict[str, str], *, rows: int = 24, columns: int = 80
    ) -> None:
        self.began = time.perf_counter()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            os.execvpe(command[0], list(command), environment)
        self.seen = b""
        self.screen = Screen(rows, columns)
        self.draws = False
        """Whether `screen` is kept, which takes some of the processor."""
        self.total_bytes = 0
        self.newest = self.began
        """When the newest byte came."""
        self._ended = False

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def pump(self, timeout: float) -> bool:
        """Take what has come; False when nothing did."""
        if not select.select([self.fd], [], [], timeout)[0]:
            return False
        try:
            data = os.read(self.fd, 1 << 16)
        except OSError:
            raise SystemExit(f"the program ended: {self.text[-800:]}") from None
        self.newest = time.perf_counter()
        self.seen += data
        if self.draws:
            self.screen.feed(data)
        self.total_bytes += len(data)
        for question in _QUESTION.finditer(data):
            mode = question["mode"]
            if mode:
                reply = b"\x1b[?%s;%d$y" % (mode, 2 if mode == _SYNCHRONISED else 0)
            else:
                reply = next(reply for start, reply in _ANSWERS if question[0].startswith(start))
            os.write(self.fd, reply)
        return True

    @property
    def text(self) -> str:
        """What was written since it was forgotten, without escape sequences, in the order of writing."""
        return _ESCAPE.sub(b"", self.seen).decode("utf-8", "replace")

    def until(self, told: str | Callable[[str], bool], since: float, limit: float = 60.0) -> float:
        """Seconds from `since` to the arrival of a text, or of what makes `told` true of all text."""
        heard = (lambda text: told in text) if isinstance(told, str) else told
        while time.perf_counter() - since < limit:
            if self.pump(0.05) and heard(self.text):
                return self.newest - since
        raise SystemExit(f"it did not come within {limit} s; the terminal got {self.text[-800:]!r}")

    def ready(self, told: str | Callable[[str], bool], limit: float = 60.0) -> float:
        """Seconds from the start of the program to that text."""
        return self.until(told, self.began, limit)

    def press(self, key: bytes, told: str | Callable[[str], bool]) -> float:
        """Seconds from a key to what it must bring."""
        self.seen = b""
        began = time.perf_counter()
        os.write(self.fd, key)
        return self.until(told, began)

    def answer(self, key: bytes) -> Answer:
        """Press a key and take all that comes until the program is quiet."""
        self.seen = b""
        before = self.processor_seconds()
        began = time.perf_counter()
        os.write(self.fd, key)
        first = 0.0
        while self.pump(QUIET_SECONDS if self.seen else 10.0):
            first = first or self.newest - began
        return Answer(first, self.newest - began, len(self.seen), self.processor_seconds() - before)

    def rest(self, seconds: float) -> int:
        """Let time go by, and forget what was written meanwhile; gives how many bytes that were."""
        before, end = self.total_bytes, time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            self.pump(left)
            self.seen = self.seen[-4096:]
        self.seen = b""
        return self.total_bytes - before

    def settle(self, limit: float = 20.0) -> None:
        """Until nothing has come for half a second."""
        end = time.perf_counter() + limit
        while self.pump(0.5) and time.perf_counter() < end:
            pass
        self.seen = b""

    def processor_seconds(self) -> float:
        """What the program itself took so far, its children not counted."""
        total = 0
        for thread in Path(f"/proc/{self.pid}/task").iterdir():
            with suppress(OSError):  # it ended meanwhile
                total += int((thread / "schedstat").read_text().split()[0])
        return total / 1e9

    def memory_bytes(self) -> int:
        """What the program itself holds in memory now."""
        return int(Path(f"/proc/{self.pid}/statm").read_text().split()[1]) * _PAGE_BYTES

    def peak_bytes(self) -> int:
        """The most that it held."""
        found = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{self.pid}/status").read_text())
        return int(found[1]) << 10 if found else 0

    def end(self) -> None:
        """Ask it to end, and see that it does."""
        if self._ended:
            return
        self._ended = True
        os.kill(self.pid, signal.SIGTERM)
        deadline = time.perf_counter() + 5
        while os.waitpid(self.pid, os.WNOHANG)[0] == 0:
            if time.perf_counter() > deadline:
                os.kill(self.pid, signal.SIGKILL)
                deadline += 60
            if select.select([self.fd], [], [], 0.01)[0]:
                try:
                    os.read(self.fd, 1 << 16)
                except OSError:
                    time.sleep(0.01)
        os.close(self.fd)


def python(code: str, *words: str) -> list[str]:
    """The command that runs this code with these arguments."""
    return [sys.executable, "-c", code, *words]


def surroundings(home: str) -> dict[str, str]:
    """An environment with a home and a workspace of its own, and a terminal that can do all."""
    environment = dict(os.environ, HOME=home, ETHOSU_TUI_WORKSPACE=f"{home}/runs")
    environment |= {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}
    for name in ("COLUMNS", "LINES", "NO_COLOR", "PYTHONDONTWRITEBYTECODE"):
        environment.pop(name, None)
    return environment


def p95(values: Sequence[float]) -> float:
    """The 95th percentile."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]


class Aims:
    """Prints each figure beside its aim, and remembers whether all were met."""

    def __init__(self) -> None:
        self.met = True

    def told(self, name: str, value: float, aim: float, unit: str, more: str = "") -> None:
        """One row; `aim` is the most that `value` may be."""
        good = value <= aim
        self.met = self.met and good
        digits = 0 if value >= 100 or unit == "B" else 2 if value < 10 else 1
        said = f"{name:44} {value:9,.{digits}f} {unit:4} aim {aim:g}  {'met' if good else 'NOT MET'}"
        print(f"{said}  {more}".rstrip(), flush=True)

    def keys(self, name: str, answers: Sequence[Answer], most_seconds: float, most_bytes: int) -> None:
        """Two rows: the time to the last byte at the 95th percentile, and the bytes of a key, also at that."""
        last = [answer.last_seconds * 1000 for answer in answers]
        sizes = [float(answer.size_bytes) for answer in answers]
        computed = statistics.median(answer.processor_seconds for answer in answers) * 1000
        more = f"p50 {statistics.median(last):.1f} (processor {computed:.1f}), {len(answers)} keys"
        self.told(f"{name}: last byte, p95", p95(last), most_seconds * 1000, "ms", more)
        more = f"p50 {statistics.median(sizes):,.0f}, most {max(sizes):,.0f}"
        self.told(f"{name}: bytes, p95", p95(sizes), most_bytes, "B", more)
