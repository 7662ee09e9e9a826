"""`ethosu-tui inspect` on profiles: ETDumps as files and in logs, saving them, and PMU traces with Vela's database."""

from __future__ import annotations

import csv
import errno
import gzip
import io
import json
import os
from pathlib import Path

import pytest

from ethosu_tui.runners import saved_file
from ethosu_tui.runners.artefacts import identify
from ethosu_tui.tui.cli import main
from ethosu_tui.tui.inspected import tables_of

from .analysis.etdump_writer import DumpWriter, logged
from .analysis.trace_writer import DATABASE, OFFSETS, TraceWriter

CYCLES = (700, 900, 400, 300, 1200, 800)


@pytest.fixture
def dump() -> bytes:
    writer = DumpWriter()
    writer.run("Execute", [writer.profile("native_call_add.out", 10, 60, instruction=0)])
    return writer.finish(sized=True)


@pytest.fixture
def log(tmp_path: Path, dump: bytes) -> Path:
    path = tmp_path / "console.log"
    path.write_text(logged(dump, debug_buffer=b"\x01\x02" * 50), "utf-8")
    return path


@pytest.fixture
def trace(tmp_path: Path) -> tuple[Path, Path]:
    writer = TraceWriter()
    writer.stream(OFFSETS, CYCLES)
    writer.stream(OFFSETS, CYCLES)
    writer.active("mac_active", 0, 500)
    path, database = tmp_path / "pmu_trace.gz", tmp_path / "out_debug.xml"
    path.write_bytes(gzip.compress(writer.text().encode()))
    database.write_text(DATABASE, "utf-8")
    return path, database


def test_a_screen_says_what_is_missing_of_an_etdump(
    tmp_path: Path, dump: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    """What goes to stderr is seen by nobody there."""
    path = tmp_path / "cut.etdp"
    path.write_bytes(dump)
    assert tables_of(identify(str(path)))[0].note == ""
    path.write_bytes(dump[: len(dump) // 2])
    assert "the ETDump is cut off" in tables_of(identify(str(path)))[0].note
    assert capsys.readouterr().err == ""


def test_an_etdump_file(tmp_path: Path, dump: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "etdump.bin"
    path.write_bytes(dump)
    assert main(["inspect", str(path)]) == 0
    shown = capsys.readouterr().out
    assert "native_call_add.out" in shown and "Ticks" in shown and "does not say which" in shown
    assert main(["inspect", str(path), "--unit", "ns"]) == 0
    assert " ns " in capsys.readouterr().out
    assert main(["inspect", str(path), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["kind"] == "etdump" and document["etdump"]["unit"] == "ticks"
    event = document["etdump"]["events"][0]
    assert (event["name"], event["operator"], event["calls"], event["p50"], event["start"]) == (
        "native_call_add.out", "add.out", 1, 50, [10],
    )  # fmt: skip
    assert main(["inspect", str(path), "--csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert rows[0]["Event"] == "native_call_add.out" and float(rows[0]["Ticks"]) == 50


def test_a_cut_file_says_so(tmp_path: Path, samples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = tmp_path / "whole.bin"
    assert main(["inspect", str(samples / "etd_plain.log"), "--save-etdump", str(whole)]) == 0
    cut = tmp_path / "cut.bin"
    cut.write_bytes(whole.read_bytes()[:900])
    capsys.readouterr()
    assert main(["inspect", str(cut)]) == 0
    said = capsys.readouterr().err
    assert "896 of 1,236 bytes" in said and "cannot be read" in said
    cut.write_bytes(whole.read_bytes()[:20])
    assert main(["inspect", str(cut)]) == 3
    assert "cut before its list of runs" in capsys.readouterr().err


def test_a_log_gives_its_dump_and_buffer(
    log: Path, dump: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["inspect", str(log)]) == 0
    assert "native_call_add.out" in capsys.readouterr().out
    etdump, buffer = tmp_path / "e.bin", tmp_path / "d.bin"
    arguments = ["inspect", str(log), "--save-etdump", str(etdump), "--save-debug-buffer", str(buffer)]
    assert main(arguments) == 0
    assert etdump.read_bytes() == dump and buffer.read_bytes() == b"\x01\x02" * 50
    assert "100 bytes" in capsys.readouterr().err
    etdump.write_bytes(b"mine")
    assert main(arguments) == 2
    assert "--force" in capsys.readouterr().err and etdump.read_bytes() == b"mine"
    assert main([*arguments, "--force"]) == 0
    assert etdump.read_bytes() == dump


def test_a_compressed_log_and_one_of_its_runs(tmp_path: Path, dump: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    writer = DumpWriter()
    writer.run("Execute", [writer.profile("native_call_mul.out", 10, 20, instruction=0)])
    path = tmp_path / "night.log.gz"
    path.write_bytes(gzip.compress((logged(dump) + logged(writer.finish(sized=True))).encode()))
    assert main(["inspect", str(path)]) == 0
    assert "native_call_add.out" in capsys.readouterr().out
    assert main(["inspect", str(path), "--run", "2"]) == 0
    assert "native_call_mul.out" in capsys.readouterr().out
    assert main(["inspect", str(path), "--run", "3"]) == 3
    assert "run 3 of" in capsys.readouterr().err


@pytest.mark.parametrize("indent", [1, None])
def test_the_dump_of_a_log_in_a_notebook(
    indent: int | None, tmp_path: Path, log: Path, dump: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    text = log.read_text("utf-8").splitlines(True)
    outputs = [{"name": "stdout", "output_type": "stream", "text": text}]
    book = {"cells": [{"cell_type": "code", "metadata": {}, "outputs": outputs, "source": ["!run"]}], "nbformat": 4}
    path, saved = tmp_path / "console.ipynb", tmp_path / "e.bin"
    path.write_text(json.dumps(book, indent=indent), "utf-8")
    assert main(["inspect", str(path), "--save-etdump", str(saved)]) == 0
    assert saved.read_bytes() == dump and "native_call_add.out" in capsys.readouterr().out


def test_a_stored_run(samples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = samples / "etd_plain.log"
    assert main(["run", str(log), "--on", f"replay:{log}"]) == 0
    folder = next(Path(os.environ["ETHOSU_TUI_WORKSPACE"]).glob("*/manifest.json")).parent
    capsys.readouterr()
    assert main(["inspect", str(folder)]) == 0
    assert "native_call_quantized_linear.out" in capsys.readouterr().out


def test_what_cannot_be_saved_is_one_sentence(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for target, said in ((tmp_path, "is a folder"), (tmp_path / "no" / "x", "is no folder")):
        assert main(["inspect", str(log), "--save-etdump", str(target)]) == 2
        assert said in capsys.readouterr().err

    def full(path: Path, data: bytes) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(saved_file, "replace_file", full)
    assert main(["inspect", str(log), "--save-etdump", str(tmp_path / "e.bin")]) == 4
    shown = capsys.readouterr()
    assert "the disk is full" in shown.err and "Traceback" not in shown.err and not (tmp_path / "e.bin").exists()


def test_a_log_without_a_dump(samples: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", str(samples / "softmax.log"), "--save-etdump", str(tmp_path / "e.bin")]) == 3
    assert "it has no ETDump block" in capsys.readouterr().err
    assert main(["inspect", str(samples / "etd_plain.log"), "--save-debug-buffer", str(tmp_path / "d.bin")]) == 3
    said = capsys.readouterr().err
    assert "no debug buffer" in said and "ET_DUMP_INTERMEDIATE_OUTPUTS" in said and "capture all of it" not in said


@pytest.mark.parametrize("era", ["0.6", "0.7"])
def test_runners_before_1_0_print_no_debug_buffer(
    era: str, dump: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "old.log"
    path.write_text(logged(dump, era), "utf-8")
    assert main(["inspect", str(path), "--save-debug-buffer", str(tmp_path / "d.bin")]) == 3
    said = capsys.readouterr().err
    assert "its release prints none" in said and "1.0 and later" in said and "capture all of it" not in said


def test_the_run_with_a_debug_buffer_is_found_or_named(
    dump: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, buffer = tmp_path / "two.log", tmp_path / "d.bin"
    path.write_text(logged(dump) + logged(dump, debug_buffer=b"\x03\x04" * 20), "utf-8")
    arguments = ["inspect", str(path), "--save-debug-buffer", str(buffer)]
    assert main([*arguments, "--run", "1"]) == 3
    assert "run 2 has one: --run 2" in capsys.readouterr().err and not buffer.exists()
    assert main(arguments) == 0
    assert buffer.read_bytes() == b"\x03\x04" * 20 and "showing run 2" in capsys.readouterr().err


def test_a_damaged_dump_is_saved_with_a_word(dump: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, saved = tmp_path / "x.log", tmp_path / "e.bin"
    text = logged(dump)
    place = text.index('echo "') + 106
    path.write_text(text[:place] + "?" + text[place + 1 :], "utf-8")
    assert main(["inspect", str(path), "--save-etdump", str(saved)]) == 0
    said = capsys.readouterr().err
    assert "1 character on line" in said and "are unknown" in said and len(saved.read_bytes()) == len(dump)


def test_a_trace_needs_the_database(trace: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    path, database = trace
    assert main(["inspect", str(path)]) == 0
    shown = capsys.readouterr()
    assert "PMU trace" in shown.out and "--debug-db" in shown.err
    assert main(["inspect", str(path), "--debug-db", str(database)]) == 0
    shown = capsys.readouterr()
    assert "Mapped 5 of 5 operators" in shown.out and "1,200" in shown.out
    assert main(["inspect", str(path), "--debug-db", str(database), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)["npu_operators"]
    assert document["passes"] == 2 and [row["npu_cycles"] for row in document["operators"]][1:] == [900, 700, 1200, 800]
    assert document["operators"][0]["active_cycles"] == {"mac_active": 250}
    assert main(["inspect", str(path), "--debug-db", str(database), "--csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["NPU cycles"] for row in rows][1:] == ["900.0", "700.0", "1200.0", "800.0"]


@pytest.mark.parametrize("kept", [0.3, 0.6, 0.9])
def test_a_cut_trace_gives_what_was_there(
    kept: float, trace: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    path, database = trace
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * kept)])
    code = main(["inspect", str(path), "--debug-db", str(database)])
    shown = capsys.readouterr()
    assert code in (0, 3) and "Traceback" not in shown.err
    if code == 0:
        assert "The trace is incomplete" in shown.out


def test_what_is_no_trace_or_database(trace: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    path, database = trace
    assert main(["inspect", str(path), "--debug-db", str(path)]) == 3
    assert "no table 'queue'" in capsys.readouterr().err
    assert main(["inspect", str(path), "--debug-db", str(path) + ".no"]) == 3
    assert "no such file" in capsys.readouterr().err
    path.write_bytes(gzip.compress(b'{"traceEvents":[{"tid":"mac","ts":"1","dur":"2"}]}'))
    assert main(["inspect", str(path), "--debug-db", str(database)]) == 3
    assert "qread" in capsys.readouterr().err
    path.write_bytes(gzip.compress(b'{"traceEvents":[]}'))
    assert main(["inspect", str(path), "--debug-db", str(database)]) == 3
    assert "no events" in capsys.readouterr().err


def test_a_database_alone_shows_the_estimate(trace: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", str(trace[1])]) == 0
    shown = capsys.readouterr().out
    assert 'conv "first", 3x3' in shown and "not measurements" in shown


def test_formulas_stay_text_in_csv(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    writer = DumpWriter()
    writer.run("Execute", [writer.profile("=HYPERLINK(1)", 10, 60, instruction=0)])
    path = tmp_path / "etdump.bin"
    path.write_bytes(writer.finish())
    assert main(["inspect", str(path), "--csv"]) == 0
    assert "'=HYPERLINK" in capsys.readouterr().out
