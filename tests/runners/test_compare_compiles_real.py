"""`compare` of real compiles: what differs in the setup, operators matched over NPU generations, sums that are Vela's totals."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from ethosu_tui.runners.interpreters import look_up
from ethosu_tui.tui.cli import main

pytestmark = [
    pytest.mark.compile,
    pytest.mark.skipif(bool(look_up().missing), reason="needs the compile extra"),
]


@pytest.fixture
def compared(mnist: dict[str, Path], capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """MNIST for four targets, the smallest Ethos-U55 as the baseline."""
    folders = [str(mnist[name]) for name in ("ethos-u55-128", "ethos-u55-256", "ethos-u65-256", "ethos-u85-256")]
    capsys.readouterr()
    assert main(["compare", "--json", "--operators", *folders]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_the_setups_are_told_apart(compared: dict[str, Any]) -> None:
    setup = {one["name"]: one for one in compared["setup"]}
    assert setup["target"]["values"] == ["ethos-u55-128", "ethos-u55-256", "ethos-u65-256", "ethos-u85-256"]
    assert setup["MACs"]["values"] == ["128", "256", "256", "256"] and setup["MACs"]["state"] == "differs"
    assert setup["model"]["state"] == setup["ExecuTorch"]["state"] == setup["Vela"]["state"] == "same"
    assert setup["NPU clock"]["values"] == ["500 MHz", "500 MHz", "1000 MHz", "1000 MHz"]


def test_operators_add_up_to_the_totals_and_are_matched(compared: dict[str, Any]) -> None:
    (diff,) = compared["operators"]
    totals = next(one for one in compared["metrics"] if one["name"] == "compile.total_cycles")["values"]
    for column, total in enumerate(totals):
        assert sum(row["values"][column] or 0 for row in diff["rows"]) == total
    changes = [max(abs((value or 0) - (row["values"][0] or 0)) for value in row["values"][1:]) for row in diff["rows"]]
    assert changes == sorted(changes, reverse=True)
    same = diff["rows"]
    assert all(all(row["present"][:2]) for row in diff["rows"]), "one family makes the same operators"
    assert {row["matched_by"][1] for row in same} <= {"name", "place"}, "none has to be guessed by its order"
    both = [row for row in diff["rows"] if row["present"][0] and row["present"][3]]
    assert {row["module"] for row in both} >= {"features.0", "features.3", "classifier.1", "classifier.3"}
    front = compared["pareto"]["front"]
    assert front and set(front) <= {0, 1, 2, 3}


def test_as_a_table_for_others(mnist: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folders = [str(mnist["ethos-u55-128"]), str(mnist["ethos-u85-256"])]
    file = tmp_path / "operators.csv"
    assert main(["compare", "--operators", *folders, "--export", str(file)]) == 0
    rows = list(csv.DictReader(file.read_text("utf-8").splitlines()))
    assert rows[0]["Operator"] == "all operators"
    columns = [name for name in rows[0] if name.endswith(("ethos-u55-128", "ethos-u85-256"))]
    assert len(columns) == 2
    for name in columns:
        assert sum(float(row[name]) for row in rows[1:] if row[name] not in ("", "chained")) == float(rows[0][name])
    figures = tmp_path / "figures.md"
    assert main(["compare", *folders, "--export", str(figures)]) == 0
    text = figures.read_text("utf-8")
    assert text.index("Differs") < text.index("total cycles, est.") and "**Cycles and time**" in text
