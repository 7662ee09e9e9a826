"""What a numeric check says: verdicts, findings and tables of given answers, and graphs that give out more tensors."""

from __future__ import annotations

from typing import Any

import pytest

from ethosu_tui.analysis.numeric.judgement import numeric_findings
from ethosu_tui.analysis.numeric.report import NumericReport, build_report, not_checked
from ethosu_tui.analysis.numeric.tables import numeric_tables
from ethosu_tui.analysis.report import to_dict
from ethosu_tui.analysis.tables.text import render
from ethosu_tui.analysis.tosa.outputs import with_outputs
from ethosu_tui.analysis.tosa.reader import TosaError, read_tosa

from ..programs import program

GRAPH = program("two_parts.tosa")


def told(max_lsb: float | None, differing: int, values: int = 100, **other: Any) -> dict[str, Any]:
    worst = [{"sample": 1, "index": [0, 3], "expected": 9.0, "got": 9.0 + (max_lsb or 0)}] if differing else []
    mean = None if max_lsb is None or not values else max_lsb * differing / values
    error = None if max_lsb is None else 0.5 * max_lsb
    facts = {
        "problem": None, "values": values, "differing": differing, "max_lsb": max_lsb, "mean_lsb": mean,
        "max_error": error, "mean_error": error, "worst": worst,
    }  # fmt: skip
    return facts | other


def final(agree: int = 4) -> dict[str, Any]:
    return {
        "values": 40, "not_finite": 0, "max_error": 0.25, "mean_error": 0.1, "largest_value": 2.0, "argmax_rows": 4,
        "argmax_agree": agree,
    }  # fmt: skip


def report(
    output: dict[str, Any], layers: tuple[tuple[str, float], ...] = (), agree: int = 4, call: int | None = 0
) -> NumericReport:
    spec = {"name": "out\x1b[31m", "dtype": "int8", "shape": [1, 10], "scale": 0.5, "zero_point": 0}
    described = [{"tensor": name, "node": name, "scale": 0.5, "zero_point": 0, "origin": "{}"} for name, _ in layers]
    facts = {
        "samples": [{"origin": "ModelInputs"}, {"origin": "calibration 1"}],
        "skipped": [],
        "calls": [{"outputs": [spec], "layers": described}],
        "outputs": [{"call": call}],
    }
    answer = {
        "problem": None,
        "done": 2,
        "calls": [[output]],
        "layers": [[told(off, 1 if off else 0) for _, off in layers]],
        "outputs": [{"quantised": final(), "eager": final(agree)}],
    }
    return build_report(answer, facts, [3], 1, "tosa-tools 1", 0.5)


def test_verdicts_follow_the_tolerance() -> None:
    assert (report(told(0.0, 0)).status, report(told(0.0, 0)).exact) == ("passed", True)
    assert (report(told(1.0, 5)).status, report(told(1.0, 5)).exact) == ("passed", False)
    assert report(told(2.0, 1)).status == "failed"
    assert report(told(None, 1)).status == "failed"  # floats have no steps to tolerate
    assert report(told(0.0, 0, values=0)).status == "failed"  # nothing was compared
    assert report(told(0.0, 0, problem="9 values instead of 10")).status == "failed"


def test_findings() -> None:
    assert list(numeric_findings(report(told(0.0, 0)))) == []
    (rounding,) = numeric_findings(report(told(1.0, 5)))
    assert (rounding.rule, rounding.severity) == ("numeric-rounding", "info")
    assert "5 % of the values differ by up to 1 LSB in partition 3" in rounding.title
    (mismatch,) = numeric_findings(report(told(7.0, 5)))
    assert (mismatch.rule, mismatch.severity) == ("numeric-mismatch", "error")
    assert "worst at [0, 3] of sample 2: expected 9, got 16" in mismatch.detail
    (argmax,) = numeric_findings(report(told(0.0, 0), agree=3))
    assert (argmax.rule, argmax.severity) == ("quantised-argmax", "warning")
    assert "1 of 4" in argmax.title
    (undone,) = numeric_findings(not_checked("the reference model was killed by signal 9", 1))
    assert (undone.severity, undone.detail) == ("error", "The reference model was killed by signal 9.")


def test_the_layer_that_diverges_is_not_the_one_that_rounds() -> None:
    failed = report(told(60.0, 5), (("first", 1.0), ("second", 3.0), ("wrong", 80.0), ("after", 60.0)))
    assert failed.first_diverging is not None and failed.first_diverging.node == "wrong"
    passed = report(told(1.0, 5), (("exact", 0.0), ("rounds", 1.0)))
    assert passed.first_diverging is not None and passed.first_diverging.node == "rounds"
    assert report(told(0.0, 0), (("exact", 0.0),)).first_diverging is None


def test_what_the_cpu_makes_is_told_behind_exact_delegates_only() -> None:
    (exact,) = report(told(0.0, 0), call=None).model_outputs
    assert exact.basis == "exact delegates" and exact.eager is not None
    (unknown,) = report(told(1.0, 5), call=None).model_outputs
    assert (unknown.basis, unknown.quantised, unknown.eager) == (None, None, None)


def test_tables_and_json_hold_no_escapes_and_say_what_is_not_checked() -> None:
    checked = report(told(1.0, 5), (("layer", 1.0),))
    tables = numeric_tables(checked)
    assert [t.title for t in tables][1:] == ["Outputs of the model", "Worst values", "Layers"]
    text = "\n".join(render(t, 100) for t in tables)
    assert "\x1b" not in text
    text = " ".join(text.split())  # notes are wrapped
    assert "within 1 LSB" in text and "command stream" in text
    assert to_dict(checked)["outputs"][0]["errors"]["worst"][0]["index"] == [0, 3]
    assert numeric_tables(not_checked("why", 1)) == ()


def test_a_graph_gives_out_tensors_of_its_middle() -> None:
    before = read_tosa(GRAPH).blocks[0]
    inner = next(operator.outputs[0] for operator in before.operators if operator.op == "CONV2D")
    more = with_outputs(GRAPH, [inner, before.outputs[0], inner])
    after = read_tosa(more).blocks[0]
    assert after.outputs == (*before.outputs, inner)
    assert after._replace(outputs=before.outputs) == before
    assert len(more) > len(GRAPH)
    with pytest.raises(TosaError, match="no tensor nowhere"):
        with_outputs(GRAPH, ["nowhere"])
    with pytest.raises(TosaError):
        with_outputs(GRAPH[:200], [inner])
