"""`--plain`, `--html`, `--export`, `--perfetto`, `--model-explorer`: the commands, as people and scripts call them."""

from __future__ import annotations

import csv
import json
import os
import re
import stat
from pathlib import Path

import pytest

from ethosu_tui.runners.job import UsageError
from ethosu_tui.runners.runs.folder import RunFolder
from ethosu_tui.runners.saved_file import place_for
from ethosu_tui.tui.cli import main
from ethosu_tui.tui.commands import narrow, output

BOXES = re.compile("[\u2500-\u259f\u25a0-\u25ff\u2190-\u21ff\u2713\u2717]|\x1b|  +|\t|--|\\|")


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ETHOSU_TUI_WORKSPACE", str(tmp_path / "runs"))
    monkeypatch.setenv("HOME", str(tmp_path))
    folder = tmp_path / "out"
    folder.mkdir()
    return folder


@pytest.fixture
def compiled(tmp_path: Path) -> Path:
    rows = [
        {"index": 0, "tosa": "CONV2D", "op_cycles": 700, "npu_cycles": 700, "tosa_index": 4, "partition": 1},
        {"index": 1, "tosa": "ADD", "op_cycles": 300, "npu_cycles": 200, "tosa_index": 8, "partition": 2},
    ]
    folder = RunFolder.create(tmp_path / "runs", "compile", "mnist", target="ethos-u55-128")
    folder.write_json("result.json", {"target": "ethos-u55-128", "status": "ok", "operators": rows})
    folder.finish("ok")
    return folder.path


def plain(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, list[str]]:
    """The exit code and the lines; none of them needs eyes."""
    capsys.readouterr()
    code = main([*words, "--plain"])
    lines = capsys.readouterr().out.splitlines()
    for line in lines:
        assert not BOXES.search(line.replace("--", "").replace("ethosu-tui", "")), line
    return code, lines


def test_every_report_can_be_heard(samples: Path, capsys: pytest.CaptureFixture[str], compiled: Path) -> None:
    code, lines = plain(capsys, "analyze", str(samples / "mobilenet_v2_corstone320.log"))
    assert code == 0 and "Status: passed." in lines and "NPU cycles: 5,920,305." in lines
    code, lines = plain(capsys, "analyze", str(samples / "method_small_planned.log"))
    assert code == 1, "the exit code is that of the report"
    assert any(line.startswith("Error: ") for line in lines) and any(line.startswith("What to do: ") for line in lines)
    code, lines = plain(capsys, "analyze", str(samples))
    assert code == 1 and any(line.startswith("Root cause") or "Count: " in line for line in lines)
    code, lines = plain(capsys, "compare", str(samples / "softmax.log"), str(samples / "mnist_q.log"))
    assert code == 0 and any("not comparable" in line for line in lines)
    assert not any("not comparable = " in line for line in lines), "the sign is gone, and with it what it stands for"
    code, lines = plain(capsys, "runs")
    assert code == 0 and any("State: finished." in line for line in lines)
    code, lines = plain(capsys, "targets")
    assert code == 0 and "corstone-320, Kind: fvp." in lines
    code, lines = plain(capsys, "inspect", str(samples.parent / "tests" / "programs" / "two_parts_u55_128.pte"))
    assert code == 0 and any(line.startswith("What: ") for line in lines)


def test_without_a_command_the_dashboard_is_said(capsys: pytest.CaptureFixture[str], compiled: Path) -> None:
    code, lines = plain(capsys)
    assert code == 0 and "Nothing is running." in lines
    assert any("Kind: compile." in line for line in lines) and "corstone-320, Kind: fvp." in lines
    assert any(line.startswith("What is missing") for line in lines)


def test_a_page_holds_all_that_the_command_says(samples: Path, place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = place / "report.html"
    assert (
        main(["analyze", str(samples / "softmax.log"), str(samples / "method_small_planned.log"), "--html", str(page)])
        == 1
    )
    printed = capsys.readouterr()
    assert not printed.out and f"to {page}" in printed.err
    text = page.read_text("utf-8")
    assert "softmax.log, run 1" in text and "Error: " in text and "<h2>Runs</h2>" in text
    assert main(["analyze", str(samples / "softmax.log"), "--html", str(page)]) == 2
    assert page.read_text("utf-8") == text, "what is there stays"
    assert main(["analyze", str(samples / "softmax.log"), "--html", str(page), "--force"]) == 0
    assert page.read_text("utf-8") != text
    assert main(["analyze", str(samples / "softmax.log"), "--html", "-"]) == 0
    assert capsys.readouterr().out.startswith("<!DOCTYPE html>")
    assert os.listdir(place) == ["report.html"]


def test_the_ending_chooses_the_form(samples: Path, place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    logs = [str(samples / "softmax.log"), str(samples / "mnist_q.log")]
    assert main(["compare", *logs, "--export", str(place / "c.csv")]) == 0
    rows = list(csv.reader((place / "c.csv").read_text("utf-8").splitlines()))
    assert rows[0] == ["Metric", "softmax", "mnist_q"] and ["inferences", "1", "1"] in rows
    assert main(["compare", *logs, "--export", str(place / "c.md")]) == 0
    assert (place / "c.md").read_text("utf-8").startswith("# Comparison of softmax.log, mnist_q.log")
    assert main(["targets", "--export", str(place)]) == 2, "a folder says nothing of the form"
    assert main(["targets", "--export", str(place / "t.json")]) == 0
    assert json.loads((place / "t.json").read_text())["schema"] == "ethosu-tui/tables/1"
    capsys.readouterr()
    assert main(["analyze", logs[0], "--export", str(place / "a.csv")]) == 2
    said = capsys.readouterr().err
    assert "a .csv file can hold only one" in said and not (place / "a.csv").exists()
    assert f"--output {place / 'a.csv'} writes one row per run" in said
    (place / "other.log").write_text("region `ITCM' overflowed by 4096 bytes\n")
    assert main(["analyze", str(place / "other.log"), "--export", str(place / "a.csv")]) == 2
    assert "this gives no tables" in capsys.readouterr().err
    assert main(["analyze", logs[0], "--export", str(place / "a.xls")]) == 2
    assert ".md, .csv, .json, .html" in capsys.readouterr().err


def test_an_exported_post_mortem_has_a_row_for_each_run_behind_what_to_do(
    samples: Path, place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    log = place / "night.log"
    log.write_bytes((samples / "method_small_planned.log").read_bytes() * 25)
    assert main(["analyze", str(log), "--export", str(place / "night.md")]) == 1
    text = (place / "night.md").read_text("utf-8")
    assert "Remarks on the inputs" not in text
    assert text.count(f"| {log} |") == 26, "where it was first, and 25 runs"
    assert text.index("build the runner with") < text.index("## Run by run")
    assert main(["analyze", str(log), "--plain"]) == 1
    assert capsys.readouterr().out.count(str(log)) == 1, "nobody listens to that many"
    monkeypatch.setattr("ethosu_tui.analysis.post_mortem.export.MARKDOWN_RUNS", 24)
    assert main(["analyze", str(log), "--html", "-"]) == 1
    assert "The rows of 25 runs are not shown here; --csv has them." in capsys.readouterr().out


def test_the_runs_fit_a_narrow_terminal(
    samples: Path, place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (output, narrow):
        monkeypatch.setattr(module, "columns", lambda: 80)
    logs = [str(samples / name) for name in ("method_small_load.log", "method_small_planned.log", "softmax.log")]
    assert main(["analyze", *logs]) == 1
    lines = capsys.readouterr().out.split("\nRuns\n")[1].split("\n\n")[0].splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0].split("  ")[0] == "Source" and lines[0].endswith("Root cause") and "Time" not in lines[0]
    assert "ethod_small_load.log " in lines[2] and "ethod_small_planned.log " in lines[3], "told apart by their ends"
    assert lines[-1].startswith("Left out in this narrow terminal: Method pool")
    assert main(["analyze", *logs, "--export", str(place / "a.md")]) == 1
    assert "Method pool" in (place / "a.md").read_text("utf-8"), "a file is as wide as it likes"


def test_a_report_for_others_says_what_was_not_read(
    samples: Path, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log, empty = str(samples / "softmax.log"), place / "empty_[1].log"
    empty.write_bytes(b"")
    said = "is empty; was the capture stopped before the first byte?"
    assert main(["analyze", log, str(empty), "--export", str(place / "a.md")]) == 3
    text = (place / "a.md").read_text("utf-8")
    assert "## Remarks on the inputs" in text and said in text
    capsys.readouterr()
    assert main(["analyze", log, str(empty), "--format", "markdown"]) == 3
    printed = capsys.readouterr()
    assert said in printed.err and "## Remarks on the inputs\n\n- " in printed.out
    assert f"empty\\_\\[1\\].log: {said}" in printed.out
    assert main(["analyze", str(empty), "--export", str(place / "b.md")]) == 3
    assert "nothing to write" in capsys.readouterr().err


def test_nothing_is_written_over_an_input(samples: Path, place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = place / "log.html"
    log.write_bytes((samples / "softmax.log").read_bytes())
    assert main(["analyze", str(log), "--html", str(log), "--force"]) == 2
    assert "is itself read" in capsys.readouterr().err
    assert log.read_bytes() == (samples / "softmax.log").read_bytes()


def test_a_folder_that_cannot_be_written_to_is_one_sentence(
    samples: Path, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["analyze", str(samples / "softmax.log"), "--html", "/dev/full/x.html"]) == 2
    (place / "unreadable.log").write_bytes(b"\x00\xff" * 10)
    capsys.readouterr()
    assert main(["analyze", str(place / "unreadable.log"), "--html", str(place / "x.html")]) == 3
    assert not (place / "x.html").exists() and "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [["--plain", "--json"], ["--html", "x.html", "--jsonl"], ["--export", "x.md", "--format", "csv"], ["--plain", "--html", "x"],
     ["--perfetto", "x", "--plain"]],
)  # fmt: skip
def test_two_forms_are_refused(words: list[str], samples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyze", str(samples / "softmax.log"), *words]) == 2
    assert "ask for two formats" in capsys.readouterr().err


def test_operators_of_a_compile_and_of_an_etdump(
    samples: Path, place: Path, compiled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["analyze", str(compiled), "--perfetto", f"{place}/"]) == 0
    trace = json.loads((place / "operators.perfetto.json").read_text())
    assert [event["args"]["cycles"] for event in trace["traceEvents"] if event["ph"] == "X"] == [700, 300]
    target = place / "nodes.json"
    assert main(["analyze", str(compiled), "--model-explorer", str(target)]) == 2
    assert "--partition 1" in capsys.readouterr().err and not target.exists()
    assert main(["analyze", str(compiled), "--model-explorer", str(target), "--partition", "2"]) == 0
    assert json.loads(target.read_text())["main"]["results"] == {"main/op8": {"value": 300}}
    assert f"--extensions tosa_adapter_model_explorer --node_data_paths {target}" in capsys.readouterr().err
    assert main(["inspect", str(samples / "etd_plain.log"), "--perfetto", str(place / "dump.json")]) == 0
    about = json.loads((place / "dump.json").read_text())["otherData"]
    assert about["unit"] == "cycles" and about["evidence"] == "an ETDump"
    capsys.readouterr()
    assert main(["analyze", str(compiled), "--perfetto", "-"]) == 0
    assert json.loads(capsys.readouterr().out) == trace
    assert main(["analyze", str(samples / "softmax.log"), "--perfetto", str(place / "none.json")]) == 3
    assert "no operator cycles" in capsys.readouterr().err and not (place / "none.json").exists()


def test_a_pipe_or_a_device_is_not_replaced_by_a_file(samples: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.html"
    os.mkfifo(pipe)
    for place in (str(pipe), "/dev/null", ""):
        for force in ((), ("--force",)):
            with pytest.raises(UsageError):
                place_for(place, "x.html", force=bool(force))
            assert main(["analyze", str(samples / "mnist_q.log"), "--html", place, *force]) == 2
    assert stat.S_ISFIFO(pipe.stat().st_mode) and stat.S_ISCHR(os.stat("/dev/null").st_mode)
