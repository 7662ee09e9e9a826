"""`analyze --follow` on real files that grow, are emptied, rotated or not there yet, and on pipes."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import tarfile
import threading
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest


class Following:
    """A running `analyze --follow`, its output collected as it comes."""

    def __init__(self, *arguments: str | Path, stdin: Any = subprocess.DEVNULL) -> None:
        command = [sys.executable, "-m", "ethosu_tui.tui", "analyze", "--follow", *map(str, arguments)]
        self.process = subprocess.Popen(
            command, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )  # fmt: skip
        self.out: list[str] = []
        self.said: list[str] = []
        self._readers = [
            threading.Thread(target=lambda: self.out.extend(iter(self.process.stdout.readline, "")), daemon=True),  # type: ignore[union-attr]
            threading.Thread(target=lambda: self.said.extend(iter(self.process.stderr.readline, "")), daemon=True),  # type: ignore[union-attr]
        ]
        for reader in self._readers:
            reader.start()

    def wait_for(self, word: str, *, count: int = 1, said: bool = False, seconds: float = 90) -> None:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if sum(word in line for line in (self.said if said else self.out)) >= count:
                return
            time.sleep(0.05)
        raise AssertionError(f"no {word!r} in {self.out} {self.said}")

    def reads(self) -> int:
        """How often the process has read so far, from whatever file."""
        return int(Path(f"/proc/{self.process.pid}/io").read_text().split()[5])

    def wait_until_it_looked(self, *, seconds: float = 90) -> None:
        """Until it has looked for more many times, each with two reads: what was there is read and taken in.

        Modules that it imports when the first run ends are reads too, fewer than half of these.
        """
        enough, deadline = self.reads() + 40, time.monotonic() + seconds
        while self.reads() < enough:
            assert time.monotonic() < deadline, "it does not look any more"
            time.sleep(0.05)

    def end(self) -> int:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        code = self.process.wait(60)
        for reader in self._readers:
            reader.join(10)
        return code


@pytest.fixture
def following() -> Iterator[Any]:
    started: list[Following] = []

    def start(*arguments: str | Path, stdin: Any = subprocess.DEVNULL) -> Following:
        started.append(Following(*arguments, stdin=stdin))
        return started[-1]

    yield start
    for one in started:
        one.process.kill()
        one.process.wait(60)
        for stream in (one.process.stdout, one.process.stderr, one.process.stdin):
            if stream is not None:
                stream.close()


def append(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)


def test_runs_are_printed_as_they_end(following: Any, samples: Path, tmp_path: Path) -> None:
    log = tmp_path / "uart.log"
    good, bad = ((samples / name).read_bytes() for name in ("mobilenet_v2_corstone320.log", "method_small_load.log"))
    watch = following(log)
    watch.wait_for("waiting for this file", said=True)
    append(log, good[:1500])
    watch.wait_until_it_looked()
    assert not watch.out, "a run that goes on is not printed"
    append(log, good[1500:])
    watch.wait_for("run 1, line 1: passed  ethos-u85  5,920,305 NPU cycles")
    append(log, bad)
    watch.wait_for("run 2, line 49: failed at stage plan")
    watch.wait_for("-DET_ARM_BAREMETAL_METHOD_ALLOCATOR_POOL_SIZE=")
    append(log, good[:1500])
    watch.wait_until_it_looked()
    assert watch.end() == 130
    assert sum(", run 1" in line for line in watch.out) == 1
    assert any("2 runs in 1 input" in line for line in watch.out)
    assert any("the last run had not ended; it had reached stage" in line for line in watch.said)
    assert watch.said[-1] == "ethosu-tui: interrupted\n"


def test_truncated_and_rotated_files_are_read_on(following: Any, samples: Path, tmp_path: Path) -> None:
    log = tmp_path / "uart.log"
    data = (samples / "mnist_q.log").read_bytes()
    log.write_bytes(data * 2)
    watch = following(log, "--jsonl")
    watch.wait_for('"index": 2, "first_line"')
    log.write_bytes(data[:300])
    watch.wait_for("was truncated", said=True)
    append(log, data[300:])
    watch.wait_for('"index": 1, "first_line"', count=2)
    log.rename(tmp_path / "uart.log.1")
    append(tmp_path / "uart.log.1", data)  # the writer still has the old one open
    time.sleep(0.5)
    log.write_bytes(data)
    watch.wait_for("was replaced", said=True)
    watch.wait_for('"index": 1, "first_line"', count=3)
    assert watch.end() == 130
    rows = [json.loads(line) for line in watch.out]
    assert [row["index"] for row in rows] == [1, 2, 1, 2, 1]
    assert {row["status"] for row in rows} == {"passed"}
    whole = subprocess.run(
        [sys.executable, "-m", "ethosu_tui.tui", "analyze", "--jsonl", str(tmp_path / "uart.log.1")],
        capture_output=True, timeout=60,
    )  # fmt: skip
    for found, expected in zip(rows[2:4], map(json.loads, whole.stdout.splitlines()), strict=True):
        assert {**found, "source": ""} == {**expected, "source": ""}, "as without --follow"


def test_a_longer_capture_that_is_copied_over_one_that_begins_alike_is_read_whole(
    following: Any, samples: Path, tmp_path: Path
) -> None:
    log = tmp_path / "uart.log"
    data = (samples / "mnist_q.log").read_bytes()
    log.write_bytes(data)
    watch = following(log, "--jsonl")
    watch.wait_for('"index": 1, "first_line"')
    other = data.replace(b"153427", b"9153427").replace(b"-0.044823", b"-0.0448233")
    with log.open("r+b") as file:  # never shorter than before
        file.write(other * 3)
    watch.wait_for('"index": 3, "first_line"')
    assert watch.end() == 130
    rows = [json.loads(line) for line in watch.out]
    assert [row["index"] for row in rows] == [1, 1, 2, 3]
    assert [row["cycles"]["inference"] for row in rows[1:]] == [9153427] * 3
    assert any("was overwritten; reading it from its start" in line for line in watch.said)


def test_several_files_and_csv(following: Any, samples: Path, tmp_path: Path) -> None:
    logs = [tmp_path / "a.log", tmp_path / "b.log"]
    watch = following(*logs, "--format", "csv")
    for log in logs:
        append(log, (samples / "mnist_q.log").read_bytes())
    watch.wait_for('"passed"', count=2)
    assert watch.end() == 130
    assert watch.out[0].startswith("source,run,")
    assert {line.partition(",")[0] for line in watch.out[1:]} == {f'"{log}"' for log in logs}


def test_a_pipe_ends_by_itself(following: Any, samples: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    watch = following(pipe)
    time.sleep(1)
    with pipe.open("wb") as file:
        file.write((samples / "mnist_q.log").read_bytes())
        file.flush()
        watch.wait_for("run 1, line 1: passed")
        file.write((samples / "method_small_load.log").read_bytes())
    assert watch.process.wait(60) == 1, "as the runs were"
    with subprocess.Popen(["cat", str(samples / "mnist_q.log")], stdout=subprocess.PIPE) as source:
        watch = following("-", stdin=source.stdout)
        assert watch.process.wait(60) == 0
    watch.wait_for("-, run 1, line 1: passed")


def test_a_file_as_standard_input_is_followed(samples: Path, following: Any, tmp_path: Path) -> None:
    path = tmp_path / "growing.log"
    path.write_bytes((samples / "mnist_q.log").read_bytes())
    with path.open("rb") as source:
        watch = following("-", stdin=source)
    watch.wait_for("-, run 1, line 1: passed")
    with path.open("ab") as file:
        file.write((samples / "softmax.log").read_bytes())
    watch.wait_for("-, run 2")
    assert not any("waiting for this file" in text for text in watch.said)


def test_a_silent_run_is_told(samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    from ethosu_tui.runners.reading.follow import Grown, Silent
    from ethosu_tui.tui.commands import analyze_follow
    from ethosu_tui.tui.commands.meaning import Derivation

    watch = analyze_follow._Watch("table", Derivation(None, {}))
    watch.take(Grown("x.log", (samples / "hang_u55_no_npu.log").read_bytes()))
    for seconds in (2.0, 61.0, 62.0):
        watch.take(Silent("x.log", seconds))
    said = capsys.readouterr()
    assert said.err.count("nothing new for 61 s; the last run is at stage") == 1
    assert not said.out


@pytest.mark.parametrize(
    "assumed", [[], ["--target", "ethos-u85-128", "--npu-clock", "400MHz"], ["--target", "ethos-u55-32"]]
)
@pytest.mark.parametrize("silence", [True, False])
def test_runs_say_what_they_say_without_it(
    assumed: list[str], silence: bool, samples: Path, following: Any, tmp_path: Path
) -> None:
    """Derived figures too, whether the run ended by a silence or with the pipe; and why an option is not used."""
    log = tmp_path / "u85.log"
    log.write_bytes((samples / "mobilenet_v2_corstone320.log").read_bytes())
    command = [sys.executable, "-m", "ethosu_tui.tui", "analyze", str(log), "--jsonl", *assumed]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    if silence:
        watch = following(log, "--jsonl", *assumed)
        watch.wait_for('"index": 1')
        watch.wait_until_it_looked()
        watch.end()
    else:
        watch = following("-", "--jsonl", *assumed, stdin=subprocess.PIPE)
        watch.process.stdin.write(log.read_text())
        watch.process.stdin.close()
        watch.wait_for('"index": 1')
        watch.process.wait(60)
        watch.end()
    (run,), (expected,) = (list(map(json.loads, lines)) for lines in (watch.out, done.stdout.splitlines()))
    assert {**run, "source": ""} == {**expected, "source": ""}
    assert len(run["derived"]) > 2
    contradicted = [line for line in watch.said if "run 1: " in line]
    assert [line.split("run 1: ")[1] for line in contradicted] == [
        line.removeprefix("ethosu-tui: ") for line in done.stderr.splitlines(True)
    ]
    assert len(contradicted) == (assumed == ["--target", "ethos-u55-32"])


def test_a_table_of_followed_runs_says_that_it_derives_nothing(following: Any, samples: Path, tmp_path: Path) -> None:
    log = tmp_path / "u85.log"
    log.write_bytes((samples / "mobilenet_v2_corstone320.log").read_bytes())
    watch = following(log, "--target", "ethos-u55-32")
    watch.wait_for("run 1, line 1: passed")
    watch.wait_for("run 1: ", said=True)
    watch.end()
    assert "is in --jsonl" in watch.said[0]


@pytest.mark.parametrize(
    ("arguments", "code", "word"),
    [
        (["--json"], 2, "one document"),
        (["--format", "markdown"], 2, "one document"),
        (["--jobs", "2"], 2, "can only be combined with --jsonl"),
        (["--output", "x"], 2, "can only be combined with --jsonl"),
        (["--summary"], 2, "leave out --summary"),
        (["--force"], 2, "leave out --force"),
        (["--partition", "0"], 2, "leave out --partition"),
        (["--jsonl", "--roofline", "--outputs"], 2, "leave out --outputs, --roofline"),
        (["--jsonl", "--npu-clock", "fast"], 2, "fast"),
    ],
)
def test_what_does_not_go_with_it(tmp_path: Path, arguments: list[str], code: int, word: str) -> None:
    command = [sys.executable, "-m", "ethosu_tui.tui", "analyze", "--follow", str(tmp_path / "x"), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr.count("\n")) == (code, 1)
    assert word in done.stderr


def test_what_cannot_be_followed(tmp_path: Path) -> None:
    packed = tmp_path / "x.log.gz"
    packed.write_bytes(gzip.compress(b"hello"))
    with tarfile.open(tmp_path / "x.tar", "w") as archive:
        archive.add(packed)
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive_of_two:
        archive_of_two.writestr("a.log", "hello")
        archive_of_two.writestr("b.log", "hello")
    for path, word in (
        (tmp_path / "x.tar", "an archive cannot be followed"),
        (tmp_path / "x.zip!a.log", "an archive cannot be followed"),
        (packed, "cannot be followed"),
        (tmp_path, "a folder"),
        (Path("/dev/null"), "not a regular file"),
    ):
        command = [sys.executable, "-m", "ethosu_tui.tui", "analyze", "--follow", str(path)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stderr.count("\n")) == (3, 1)
        assert word in done.stderr


def test_a_terminal_is_told_what_is_waited_for_and_how_it_ends(tmp_path: Path) -> None:
    log = tmp_path / "board.log"
    log.write_text("booting\n")
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "ethosu_tui.tui", "analyze", "--follow", str(log)]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    try:
        said = b""
        while b"\n" not in said:
            said += os.read(ours, 1000)
        assert f"{log}: read as it grows; each run is printed when it is over; Ctrl-C ends".encode() in said
    finally:
        process.kill()
        process.wait()
        os.close(ours)
