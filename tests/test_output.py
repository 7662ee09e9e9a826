"""Where a report goes: files that are never lost, readers that leave, disks that are full, and Ctrl-C at any moment."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

from ethosu_tui.analysis.tables import Cell, Column, Table
from ethosu_tui.analysis.tables.text import render
from ethosu_tui.runners.job import UsageError
from ethosu_tui.runners.reading.gather import gather
from ethosu_tui.runners.reading.harvest import Harvest, Outlets
from ethosu_tui.runners.reading.settings import ReadSettings
from ethosu_tui.runners.runs.index import Listed
from ethosu_tui.runners.saved_file import save_pieces, whole_file
from ethosu_tui.tui.cli import main
from ethosu_tui.tui.commands import config, narrow, output, repeating, runs

from .analysis.test_scan import made

COMMAND = [sys.executable, "-m", "ethosu_tui.tui"]
SAMPLES = Path(__file__).parent.parent / "sample_logs"


def ethosu(*arguments: str | Path, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*COMMAND, *map(str, arguments)], capture_output=True, input=stdin, timeout=120)


def shell(command: str, *arguments: str | Path) -> subprocess.CompletedProcess[bytes]:
    """A line of bash in which $E is the command; a pipe ends with the code of its first part that failed."""
    environment = {**os.environ, "E": " ".join(COMMAND)}
    words = ["bash", "-o", "pipefail", "-c", command, "bash", *map(str, arguments)]
    return subprocess.run(words, capture_output=True, env=environment, timeout=120)


@pytest.fixture
def log(samples: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(samples / "softmax.log", tmp_path / "a.log"))


def test_an_input_is_never_replaced(log: Path, tmp_path: Path) -> None:
    before = log.read_bytes()
    (tmp_path / "soft.log").symlink_to(log)
    os.link(log, tmp_path / "hard.log")
    for name in ("a.log", "x/../a.log", "soft.log", "hard.log"):
        (tmp_path / "x").mkdir(exist_ok=True)
        done = ethosu("analyze", log, "--output", tmp_path / name)
        assert (done.returncode, done.stdout) == (2, b"") and b"is itself read" in done.stderr
    for paths in ([log], [tmp_path], [f"{tmp_path}/*.log"], ["nothing.log", log]):
        done = ethosu("analyze", *paths, "--output", log, "--force")
        assert (done.returncode, done.stdout) == (2, b"")
        assert b"is itself read" in done.stderr and done.stderr.count(b"\n") == 1
    assert log.read_bytes() == before
    assert ethosu("inspect", log, "--save-etdump", log, "--force").returncode == 2
    assert log.read_bytes() == before


def test_the_archive_of_a_member_is_an_input(log: Path, tmp_path: Path) -> None:
    archive = Path(shutil.make_archive(str(tmp_path / "lab"), "zip", tmp_path, "a.log"))
    before = archive.read_bytes()
    assert ethosu("analyze", f"{archive}!a.log", "--output", archive, "--force").returncode == 2
    assert archive.read_bytes() == before


def test_another_file_is_replaced_only_when_told(log: Path, tmp_path: Path) -> None:
    place = tmp_path / "report.csv"
    place.write_text("mine")
    done = ethosu("analyze", log, "--output", place)
    assert done.returncode == 2 and b"--force" in done.stderr and place.read_text() == "mine"
    assert ethosu("analyze", log, "--output", place, "--force").returncode == 0
    assert place.read_text().startswith("source,run")
    assert ethosu("analyze", log, "--output", "/dev/null").returncode == 0
    done = ethosu("analyze", log, "--output", "")
    assert done.returncode == 2 and b"empty name" in done.stderr


def test_a_file_that_comes_meanwhile_stays_and_a_long_name_is_no_trouble(tmp_path: Path) -> None:
    target = tmp_path / f"{'報' * 84}.md"  # 255 bytes, the most that file systems take
    assert save_pieces(target, ["whole"]) == 5
    with pytest.raises(UsageError, match="is there already"), whole_file(tmp_path / "out", replace=False) as stream:
        stream.write("ours")
        (tmp_path / "out").write_text("theirs")
    assert (tmp_path / "out").read_text() == "theirs"
    with pytest.raises(ZeroDivisionError), whole_file(tmp_path / "out", replace=True) as stream:
        stream.write("a par")
        stream.write(str(1 // 0))
    assert (tmp_path / "out").read_text() == "theirs"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", target.name]


def test_two_things_are_not_saved_in_one_file(log: Path, tmp_path: Path) -> None:
    place = tmp_path / "both"
    done = ethosu("inspect", log, "--save-etdump", place, "--save-debug-buffer", place)
    assert done.returncode == 2 and not place.exists()


@pytest.mark.parametrize("form", ["--all", "--json", "--jsonl", "--format=csv", "--format=markdown"])
def test_a_reader_that_leaves_does_not_change_the_exit_code(samples: Path, form: str) -> None:
    for _ in range(2):
        done = shell('$E analyze "$@" | head -n 1 >/dev/null', form, samples)
        assert (done.returncode, done.stderr) == (1, b"")
        done = shell('$E analyze "$@" | true', form, samples / "softmax.log", samples / "mnist_q.log")
        assert (done.returncode, done.stderr) == (0, b"")
    assert shell('$E analyze "$@" | true', form, "--jobs", "2", samples).returncode == 1


def test_a_large_input_that_is_given_up_is_not_one_that_was_cut_off(tmp_path: Path) -> None:
    """When its last reader has gone, no run is held to have failed because the rest of it was not read."""
    path = tmp_path / "night.log"
    path.write_bytes(made("dense", "classic", 3_000_000))

    def gone(lines: list[str]) -> None:
        raise BrokenPipeError

    harvest = Harvest(ReadSettings(0, jsonl=True), 0, Outlets(lines=gone))
    with pytest.raises(BrokenPipeError):
        gather(str(path), harvest)
    assert (harvest.code, harvest.remarks) == (0, [])


def test_a_pipe_that_never_ends_is_left_with_its_reader(samples: Path) -> None:
    done = shell(
        'while cat "$1"; do sleep 0.01; done | timeout 60 $E analyze --jsonl - | head -n 1', samples / "mnist_q.log"
    )
    assert done.stdout.count(b"\n") == 1
    assert done.returncode != 124


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize("form", ["--all", "--json", "--jsonl", "--format=csv"])
def test_a_full_disk_is_not_a_finding(samples: Path, form: str) -> None:
    done = shell('$E analyze "$@" >/dev/full', form, samples / "softmax.log")
    assert done.returncode == 4 and done.stderr.count(b"\n") == 1
    assert b"standard output cannot be written (No space left" in done.stderr
    done = ethosu("analyze", samples / "softmax.log", form, "--output", "/dev/full")
    assert done.returncode == 4 and b"/dev/full: cannot be written" in done.stderr


def test_an_interrupt_while_modules_load_is_no_traceback(samples: Path, tmp_path: Path) -> None:
    """Python's own start cannot be guarded, so the moment is the import of the first module of ours."""
    (tmp_path / "sitecustomize.py").write_text(
        "import os, signal, sys\n"
        "class Finder:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == os.environ['AT']:\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Finder())\n"
    )
    command = [*COMMAND, "analyze", str(samples / "softmax.log")]
    for module in (
        "ethosu_tui.tui.command_line",
        "ethosu_tui.tui.unasked",
        "ethosu_tui.analysis",
        "ethosu_tui.runners.reading.digest",
    ):
        environment = {**os.environ, "PYTHONPATH": str(tmp_path), "AT": module}
        done = subprocess.run(command, capture_output=True, env=environment, timeout=60)
        assert (done.returncode, done.stderr) == (130, b"ethosu-tui: interrupted\n"), module


def test_an_interrupt_at_any_moment_is_no_traceback(samples: Path) -> None:
    for wait_ms in range(40, 140, 20):
        command = [*COMMAND, "analyze", "--all", str(samples)]
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        time.sleep(wait_ms / 1000)
        child.send_signal(signal.SIGINT)
        _, told = child.communicate(timeout=60)
        if b"Traceback" not in told:
            assert child.returncode in (1, 130, -signal.SIGINT), told
        else:
            assert b'cli.py", line' not in told, told


def printed_on_a_terminal(columns: int, *arguments: str) -> list[str]:
    """The rows of its standard output, run where the samples are: rows must not depend on what the checkout is called."""
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    words = [*COMMAND, *arguments]
    child = subprocess.Popen(words, cwd=SAMPLES, stdin=subprocess.DEVNULL, stdout=theirs, stderr=subprocess.DEVNULL)
    os.close(theirs)
    told = b""
    with contextlib.suppress(OSError):  # Linux says so when the last writer has gone
        while block := os.read(ours, 65536):
            told += block
    child.wait(60)
    os.close(ours)
    return told.decode().splitlines()


def said_on_a_terminal(columns: int, *arguments: str) -> list[str]:
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    subprocess.run(
        [*COMMAND, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=theirs, timeout=120
    )
    os.close(theirs)
    with open(ours, "rb") as terminal:
        return terminal.read1(65536).decode().splitlines()


def test_sentences_on_a_terminal_are_broken_between_words_and_whole_in_a_pipe() -> None:
    words = ("compare", "nothing/at/all.log", "nothing/else.log")
    whole = ethosu(*words).stderr.decode().splitlines()
    assert max(map(len, whole)) > 60
    rows = said_on_a_terminal(40, *words)
    assert max(map(len, rows)) <= 40 and len(rows) > len(whole)
    assert " ".join(rows) == " ".join(whole)


def test_a_command_in_a_sentence_is_not_broken(samples: Path) -> None:
    path = str(samples / "softmax.log")
    command = "`ethosu-tui analyze PATH`"
    for columns in range(30, 90, 7):
        assert any(command in row for row in said_on_a_terminal(columns, path))


def test_reports_on_a_terminal_are_broken_between_words() -> None:
    rows = printed_on_a_terminal(80, "analyze", "method_small_planned.log", "missing_op_softmax.log")
    assert "[method-pool-too-small]" in "\n".join(rows)
    assert any(row.startswith("2 runs: 2 failed. Why is said at the top") for row in rows[-4:])
    assert [row for row in rows if len(row) > 80 and " " in row.strip()] == []


def test_columns_for_which_a_terminal_has_no_room_stand_below_each_other(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ("ethos-u55-128", "ethos-u65-256", "ethos-u85-256")
    cells = (Cell("status"), Cell("ok"), Cell("ok"), Cell("failed"))
    table = Table("Results", (Column("What"), *(Column(name) for name in names)), (cells,), "A note.")
    monkeypatch.setattr(output, "columns", lambda: 40)
    output.print_side_by_side(table)
    parts = capsys.readouterr().out
    assert "Results, columns 1 to 2 of 3" in parts and "Results, column 3 of 3" in parts and parts.count("A note.") == 1
    monkeypatch.setattr(output, "columns", lambda: None)
    output.print_side_by_side(table)
    assert capsys.readouterr().out.splitlines()[0] == "Results"


def test_a_missing_option_is_explained() -> None:
    done = ethosu("run", "model.pte")
    assert done.returncode == 2 and b"required: --on; --on: fvp, serial:URL" in done.stderr
    rows = said_on_a_terminal(60, "run", "model.pte")
    assert max(map(len, rows)) <= 60


def test_repeats_on_a_narrow_terminal_keep_names_that_tell_them_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("n", "Mean", "Median", "Min", "Max", "Std. deviation", "Spread")
    heads = (Column("Figure"), *(Column(name, "right") for name in names))
    cells = [Cell("pmu.npu_cycles", "pmu.npu_cycles"), *(Cell("5,920,305", 5920305) for _ in names[:-1])]
    table = Table("Repeats: 3 runs", heads, ((*cells, Cell("equal in 3 runs", 0.0)),), "A note.")
    assert repeating.for_terminal(table) == table
    for module in (repeating, narrow):
        monkeypatch.setattr(module, "columns", lambda: 80)
    shown = repeating.for_terminal(table)
    assert (shown.rows[0][0].text, shown.rows[0][-1].text) == ("NPU cycles", "equal")
    assert max(map(len, render(shown).splitlines()[:-1])) <= 80
    assert shown.note.startswith("A note. Left out in this narrow terminal: Median")


def test_paths_of_settings_are_whole_on_a_narrow_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    workspace = str(tmp_path / ("a folder with a name that no column of a small terminal holds" * 2))
    monkeypatch.setenv("ETHOSU_TUI_WORKSPACE", workspace)
    monkeypatch.setattr(config, "columns", lambda: 80)
    assert main(["config"]) == 0
    assert f"workspace ($ETHOSU_TUI_WORKSPACE)\n    {workspace}\n" in capsys.readouterr().out


def test_a_terminal_that_does_not_say_how_wide_it_is_gets_what_a_pipe_gets() -> None:
    words = ("compare", "softmax.log", "mobilenet_v2_corstone320.log")
    piped = subprocess.run([*COMMAND, *words], cwd=SAMPLES, capture_output=True, timeout=120)
    assert printed_on_a_terminal(0, *words) == piped.stdout.decode().splitlines()


def test_tables_that_are_too_wide_are_cut_or_stand_below_each_other(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A program's delegates need one column less for a name; bandwidths and what counters count have no room beside their names."""
    monkeypatch.setattr(output, "columns", lambda: 80)
    monkeypatch.chdir(SAMPLES)
    assert main(["inspect", "../tests/programs/two_parts_u55_128.pte"]) == 0
    assert main(["analyze", "mobilenet_v2_corstone320.log", "--board", "alif-e8-u85"]) == 0
    shown = capsys.readouterr().out
    assert "EthosUBack\N{HORIZONTAL ELLIPSIS}" in shown
    assert "EXT0_RD_DATA_BEAT_RECEIVED" in shown and "external memory, port 0: beats written" in shown
    assert max(map(len, shown.splitlines())) <= 80
    assert main(["analyze", "mobilenet_v2_corstone320.log"]) == 0
    shown = capsys.readouterr().out  # one column less: it would fit if the names of the events were cut
    assert "EXT0_RD_DATA_BEAT_RECEIVED" in shown and "external memory, port 0: beats written" in shown


def test_a_table_of_one_column_stays_one(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(output, "columns", lambda: 10)
    cell = Cell("12345678901234567890", 1)
    output.print_tables([Table("", (Column("Count", "right"),), ((cell,), (cell,)))])
    assert capsys.readouterr().out.count(cell.text) == 2


def test_ids_of_runs_are_whole_on_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"20260105-180000-a-model-with-a-name-ethos-u55-128-arena-{size}" for size in (9440, 9760)]
    one = Listed("", "", "run", "finished", "not_started", 1.0, 0.0, "", None, None, None, False)
    monkeypatch.setattr(narrow, "columns", lambda: 80)
    table = runs.with_whole_ids(runs.runs_table("Runs", [one._replace(id=name) for name in names]))
    shown = render(table, 80)
    assert all(f"{name} " in shown for name in names) and "not started" in shown
    assert max(map(len, shown.splitlines())) <= 80
    assert [column.name for column in table.columns] == ["ID", "Status"]
    assert table.rows[0][1].value == "not_started"


def test_two_logs_are_no_programs_whose_differences_can_be_shown(samples: Path) -> None:
    done = ethosu("inspect", samples / "etd_plain.log", samples / "softmax.log")
    assert done.returncode == 3 and done.stdout == b""
    assert b"etd_plain.log is not a program or TOSA graph; give two .pte" in done.stderr
    assert b"`ethosu-tui compare`" in done.stderr


def test_nobody_asks_why_all_runs_passed() -> None:
    assert printed_on_a_terminal(80, "analyze", "softmax.log", "mnist_q.log")[-1] == "2 runs: 2 passed."
    assert "Why is said" in " ".join(printed_on_a_terminal(80, "analyze", "softmax.log", "hardfault_badaddr.log")[-2:])


def test_a_status_of_two_words_is_two_words_in_tables_alone(tmp_path: Path, samples: Path) -> None:
    log = tmp_path / "refused.log"
    log.write_text("run_fvp.sh: line 9: FVP_Corstone_SSE-300_Ethos-U55: cannot execute binary file\n")
    for words in (["analyze"], ["compare"], ["analyze", "--markdown"], ["analyze", "--plain"]):
        shown = ethosu(*words, log, samples / "softmax.log").stdout
        assert b"not started" in shown and b"not_started" not in shown, words
    for words in (["analyze", "--json"], ["analyze", "--jsonl"], ["analyze", "--csv"], ["compare", "--json"]):
        shown = ethosu(*words, log, samples / "softmax.log").stdout
        assert b"not_started" in shown, words
