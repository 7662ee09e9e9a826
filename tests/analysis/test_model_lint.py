"""What is known of a model's parts: the right advice for the NPU at hand, with the places, and nothing for what is sound."""

from __future__ import annotations

from typing import Any

import pytest

from ethosu_tui.analysis.compiles.model_lint import PARTS, lint, operator_advice

FACTS = {
    "avoid-bicubic": {"mode": "bicubic"},
    "avoid-bilinear": {"mode": "bilinear", "scale_factor": "2.0"},
    "avoid-strided-transpose": {"stride": "(3, 1)"},
}
"""What modules must be like for a part to count."""


def census(
    kind: str, group: str = "modules", count: int = 1, facts: dict[str, str] | None = None, **place: Any
) -> dict[str, Any]:
    row = {
        "kind": kind,
        "facts": facts or {},
        "count": count,
        "places": [{"module": "a.b", "source": "/m/net.py:7"} | place] * count,
    }
    return {"modules": [], "calls": []} | {group: [row]}


@pytest.mark.parametrize("part", PARTS, ids=lambda part: f"{part.rule}-{part.severity}")
def test_every_part_is_found_where_it_counts_and_says_what_to_use(part: Any) -> None:
    for kind in part.kinds:
        for npu in part.npus:
            facts = FACTS.get(part.rule, {})
            (finding,) = lint(census(kind, facts=facts), npu)
            assert (finding.rule, finding.severity, finding.title) == (part.rule, part.severity, part.title)
            assert "/m/net.py:7 (a.b)" in finding.detail and finding.advice


@pytest.mark.parametrize(
    "kind", ["Conv2d", "BatchNorm2d", "ReLU", "ReLU6", "Hardswish", "Linear", "MaxPool2d", "Sequential"]
)
def test_what_costs_nothing_is_not_mentioned(kind: str) -> None:
    assert lint(census(kind), "ethos-u55") == []


@pytest.mark.parametrize(
    ("kind", "facts", "npu"),
    [
        ("Upsample", {"mode": "nearest"}, "ethos-u55"),
        ("Upsample", {"mode": "bilinear"}, "ethos-u85"),
        ("ConvTranspose2d", {"stride": "(2, 2)"}, "ethos-u55"),
        ("ConvTranspose2d", {"stride": "(3, 3)"}, "ethos-u85"),
        ("Conv3d", {}, "ethos-u85"),
        ("Embedding", {}, "ethos-u85"),
    ],
)
def test_what_this_npu_runs_is_not_mentioned(kind: str, facts: dict[str, str], npu: str) -> None:
    assert lint(census(kind, facts=facts), npu) == []


def test_attention_is_a_warning_on_the_small_ones_only() -> None:
    said = {npu: lint(census("MultiheadAttention"), npu)[0] for npu in ("ethos-u55", "ethos-u65", "ethos-u85")}
    assert [said[npu].severity for npu in said] == ["warning", "warning", "info"]
    assert "Ethos-U85" in said["ethos-u55"].advice and "compile for" not in said["ethos-u85"].advice.lower()


def test_modules_and_calls_of_one_kind_are_one_finding_and_warnings_come_first() -> None:
    both = census("GELU") | {"calls": census("gelu", "calls")["calls"] + census("rms_norm", "calls")["calls"]}
    findings = lint(both, "ethos-u85")
    assert [finding.rule for finding in findings] == ["avoid-rms-norm", "gelu-is-a-table"]
    assert "2 in this model (GELU, gelu)" in findings[1].detail


def test_many_places_are_counted() -> None:
    rows = census("LayerNorm", count=3)
    rows["modules"][0]["places"] = [{"module": f"b.{n}", "source": None} for n in range(8)]
    rows["modules"][0]["count"] = 12
    (finding,) = lint(rows, "ethos-u55")
    assert "12 in this model" in finding.detail and "b.3 and 4 more places" in finding.detail


@pytest.mark.parametrize(
    "damaged",
    [
        {},
        {"modules": 3, "calls": None},
        {
            "modules": [
                None,
                3,
                {"kind": ["x"]},
                {"kind": "GELU", "facts": 3, "count": "x", "places": [1, {"source": 3}]},
            ]
        },
    ],
)
def test_damage_is_passed_over(damaged: dict[str, Any]) -> None:
    for finding in lint(damaged, "ethos-u55"):
        assert finding.title


def test_names_of_a_model_are_cleaned() -> None:
    (finding,) = lint(census("GELU", module="a\x1b[31m\x07b"), "ethos-u55")
    assert finding.detail.isprintable()


def test_operators_that_stay_have_their_own_advice() -> None:
    assert "int32" in str(operator_advice("aten.argmax.default", None))
    assert "fastpath" in str(operator_advice("aten._transformer_encoder_layer_fwd.default", "Not included"))
    assert "float" in str(operator_advice("aten.relu.default", "Node was not marked as quantized in the Arm backend."))
    assert operator_advice("aten.odd.default", "Other") is None and operator_advice(None, None) is None
