"""Where runs are given one by one, as lines of JSON or as columns, each says why it failed, as its report does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ethosu_tui.tui.command_line import run

FAILED, PASSED = "temp_small_topk.log", "mnist_q.log"


@pytest.fixture
def cause(samples: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """The root cause as the report has it."""
    assert run(["analyze", "--json", str(samples / FAILED)]) == 1
    finding = json.loads(capsys.readouterr().out)["captures"][0]["findings"][0]
    assert (finding["severity"], finding["rule"]) == ("error", "temp-pool-too-small")
    return {**{name: finding[name] for name in ("rule", "title", "advice")}, "line": finding["lines"][0]}


def test_a_line_of_json_has_the_root_cause(
    samples: Path, cause: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["analyze", "--jsonl", str(samples / FAILED), str(samples / PASSED)]) == 1
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(one["status"], one["root_cause"]) for one in found] == [("failed", cause), ("passed", None)]


def test_it_is_the_same_for_each_run_of_a_night(
    samples: Path, tmp_path: Path, cause: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    log = (samples / FAILED).read_bytes()
    (tmp_path / "night.log").write_bytes(log * 300)
    assert run(["analyze", "--jsonl", str(tmp_path / "night.log")]) == 1
    lines = log.count(b"\n")
    found = [json.loads(line)["root_cause"] for line in capsys.readouterr().out.splitlines()]
    assert found == [{**cause, "line": cause["line"] + place * lines} for place in range(300)]


def test_a_column_has_the_root_cause(samples: Path, cause: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", "--json", str(samples / PASSED), str(samples / FAILED)]) == 0
    columns = json.loads(capsys.readouterr().out)["columns"]
    assert [column["root_cause"] for column in columns] == [None, cause]
    assert run(["compare", str(samples / PASSED), str(samples / FAILED)]) == 0
    said = f"temp_small_topk (failed, line {cause['line']}): {cause['title']}"
    assert said in capsys.readouterr().out.splitlines()
