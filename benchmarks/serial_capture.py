"""A board that talks at 3 Mbaud (300 kB/s through a pseudo-terminal) into disk, parser and lines, against `cat >file`.

Aim: no byte lost, under 25 % of one core.  Both sides get the same bytes at the same pace in the same run, a millisecond's
worth at a time; ours counts from the first byte to the last, without the start of Python.  `heavy` is what boards send at such
speeds, long dumps; `dense` is 90 whole reports a second, which nobody runs.
"""

from __future__ import annotations

import hashlib
import json
import os
import pty
import select
import subprocess
import sys
import tempfile
import time
import tty
from pathlib import Path

from captures import KINDS, write  # beside this file

BYTES_PER_SECOND = 300_000
SECONDS = 10
STEP_SECONDS = 0.001
END = "the end of the benchmark"

OURS = """
import json, sys, time
from pathlib import Path
from ethosu_tui.analysis import Line
from ethosu_tui.runners.runs.folder import RunFolder
from ethosu_tui.runners.serial.job import SerialJob, SerialRun
from ethosu_tui.runners.session import Session, Snapshot
job = SerialJob(SerialRun(sys.argv[1], 3_000_000, until=(sys.argv[2],), ends_at_marker=False))
folder = RunFolder.create(Path(sys.argv[3]), "run", "bench")
job.keep(folder.path)
session, began, lines, shots = Session(job, folder, "bench"), None, 0, 0
with open("/dev/null", "w") as view:
    for event in session.events():
        if isinstance(event, Line):
            if began is None:
                began = time.process_time(), time.monotonic()
            lines += 1
            print(event.text, file=view)
        elif isinstance(event, Snapshot):
            shots += 1
            ended = time.process_time(), time.monotonic()
took = {"cpu": ended[0] - began[0], "wall": ended[1] - began[1], "lines": lines, "snapshots": shots}
print(json.dumps({**took, "console": str(folder.console_path)}))
"""


def play(command: list[str], link: Path, data: bytes, output: int) -> tuple[subprocess.Popen[str], float]:
    """Start a reader of the port at `link` and send it everything; the reader, and how long that took."""
    master, slave = pty.openpty()
    tty.setraw(slave)
    link.unlink(missing_ok=True)
    link.symlink_to(os.ttyname(slave))
    os.close(slave)
    reader = subprocess.Popen(command, stdout=output, stderr=subprocess.DEVNULL, text=True)  # the pulled cable of `cat`
    poll = select.poll()
    poll.register(master, 0)
    while any(event & select.POLLHUP for _, event in poll.poll(0)):
        time.sleep(0.01)
    time.sleep(0.3)
    view, began = memoryview(data), time.monotonic()
    sent = 0
    while sent < len(view):
        due = int((time.monotonic() - began + STEP_SECONDS) * BYTES_PER_SECOND)
        if due > sent:
            sent += os.write(master, view[sent : min(due, sent + 4096)])
        time.sleep(STEP_SECONDS)
    took = time.monotonic() - began
    time.sleep(1.0)  # the reader takes what the kernel still holds; then the cable is pulled
    os.close(master)
    return reader, took


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def side_by_side(kind: str, folder: Path) -> None:
    """Both sides on one kind of capture."""
    write(folder / "capture.log", kind, BYTES_PER_SECOND * SECONDS)
    data = (folder / "capture.log").read_bytes()[: BYTES_PER_SECOND * SECONDS] + b"\n" + END.encode() + b"\n"
    sent = hashlib.sha256(data).hexdigest()
    link = folder / "port"
    command = [sys.executable, "-c", OURS, str(link), END, str(folder / "runs")]
    reader, took = play(command, link, data, subprocess.PIPE)
    assert reader.stdout is not None
    ours = json.loads(reader.communicate(timeout=60)[0])
    same = digest(Path(ours["console"])) == sent
    with open(folder / "peer", "wb") as stream:
        process, _ = play(["cat", str(link)], link, data, stream.fileno())
        _, _, usage = os.wait4(process.pid, 0)
        process.returncode = 0
    peer = usage.ru_utime + usage.ru_stime
    whole = digest(folder / "peer") == sent
    print(
        f"{kind}: {len(data):,} bytes at {len(data) / took / 1000:.0f} kB/s, {ours['lines']:,} lines, "
        f"{ours['snapshots']} snapshots; ours {ours['cpu'] / took:.1%} of one core (aim: under 25 %), "
        f"{'no byte lost' if same else 'BYTES LOST'}; cat >file {peer / took:.1%}, "
        f"{'no byte lost' if whole else 'bytes lost'}"
    )


def main() -> None:
    for kind in KINDS:
        with tempfile.TemporaryDirectory() as scratch:
            side_by_side(kind, Path(scratch))


if __name__ == "__main__":
    main()
