"""`analyze --roofline`: the drawing and the sentences of the report's Roofline tab, wherever they go."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ethosu_tui.analysis.meaning.derive import derive
from ethosu_tui.analysis.meaning.roofline import Roofline, roofline_of
from ethosu_tui.runners.reading.inputs import load
from ethosu_tui.tui.cli import main

from .tui.test_report_tabs import wav2letter


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return wav2letter(tmp_path)


def found(log: Path) -> Roofline:
    capture = load(str(log)).capture
    assert capture is not None
    roofline = roofline_of(derive(capture).runs[0])
    assert isinstance(roofline, Roofline)
    return roofline


def test_it_is_drawn_with_the_figures_of_the_report(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyze", str(log), "--roofline"]) == 0
    drawn = capsys.readouterr().out.partition("\nRoofline\n")[2].partition("\n\n")[0]
    plot, _, words = drawn.partition("- roof of the MACs")
    assert plot.count("X") == plot.count("O") == 1 and plot.count("/") > 5 and plot.count("-") > 5
    assert "1,000" in plot and "MACs a byte" in plot
    assert max(map(len, plot.splitlines())) <= 80 and "\x1b" not in drawn
    assert words.splitlines()[1:] == list(found(log).words)


def test_it_is_ascii_where_the_output_is(log: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ethosu_tui.tui.cli", "analyze", str(log), "--roofline"],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        timeout=120,
    )
    plot = done.stdout.decode("ascii").partition("\nRoofline\n")[2]
    assert plot.splitlines()[0].strip() == "+" + "-" * 73 + "+"
    assert plot.count("X") >= 1 and "?" not in plot.partition("\n\n")[0]


def test_a_screen_reader_and_a_file_get_the_sentences(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["analyze", str(log), "--roofline", "--plain"]) == 0
    said = capsys.readouterr().out
    assert all(words in said for words in found(log).words) and "┌" not in said
    assert main(["analyze", str(log), "--roofline", "--export", str(tmp_path / "r.md")]) == 0
    text = (tmp_path / "r.md").read_text("utf-8")
    assert all(words in text for words in found(log).words)


def test_why_there_is_none_is_said_as_the_report_says_it(samples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["analyze", str(samples / "mobilenet_v2_corstone320.log"), "--roofline"])
    assert "\nThere is no roofline: the MACs of the model are not known. Give them (--macs)" in capsys.readouterr().out
    main(["analyze", str(samples / "softmax.log"), "--roofline"])
    assert "\nThere is no roofline: the log has no NPU cycles.\n" in capsys.readouterr().out


@pytest.mark.parametrize("other", ["--json", "--jsonl", "--summary", "--format=csv"])
def test_it_goes_with_tables_alone(log: Path, other: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyze", str(log), "--roofline", other]) == 2
    assert "--roofline" in capsys.readouterr().err
