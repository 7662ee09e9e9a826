"""What a numeric check tells its user, word for word: each figure in its place, and nothing of what was not measured."""

from __future__ import annotations

from ethosu_tui.analysis.numeric.judgement import numeric_findings
from ethosu_tui.analysis.numeric.report import (
    CheckedLayer,
    CheckedOutput,
    Errors,
    FinalErrors,
    ModelOutput,
    NumericReport,
    Worst,
)
from ethosu_tui.analysis.order_statistics import best_of, doubled_ranks, median
from ethosu_tui.analysis.report import Finding

ROUNDED = Errors(2000, 30, 1.0, 0.015, 0.5, 0.25, (Worst(1, (0, 3), 9.0, 10.0),), None)
WRONG = Errors(2000, 500, 1234.0, 3.5, 617.0, 9.0, (Worst(0, (7,), 1.5, "nan"),), None)
NO_STEPS = Errors(10, 1, None, None, None, None, (Worst(0, (2,), 1.0, 0.0),), None)
BROKEN = Errors(0, 0, None, None, None, None, (), "it has another shape")


def output(errors: Errors, partition: int = 1, index: int = 0) -> CheckedOutput:
    return CheckedOutput(partition, index, "out", "int8", (1, 10), 0.5, 0, errors)


def layer(torch: str | None, source: str | None, module: str | None = "net.conv") -> CheckedLayer:
    return CheckedLayer(1, "t", "aten_conv", module, torch, source, 0.5, WRONG)


def report(status: str, *outputs: CheckedOutput, **other: object) -> NumericReport:
    plain = NumericReport(status, None, 2, "tosa-tools 1", ("a", "b"), outputs=outputs, exact=False)  # type: ignore[arg-type]
    return plain._replace(**other)  # type: ignore[arg-type]


def only(found: NumericReport) -> Finding:
    (finding,) = numeric_findings(found)
    return finding


def test_a_check_that_could_not_be_done_says_why() -> None:
    finding = only(report("not-checked", reason="no reference model for this machine"))
    assert (finding.rule, finding.severity) == ("numeric-not-checked", "error")
    assert finding.detail == "No reference model for this machine."
    assert only(report("not-checked")).detail == "The reason is not known."


def test_a_program_that_is_not_of_its_graphs_is_no_measured_difference() -> None:
    finding = only(report("failed", output(WRONG), reason="partition 1 was changed."))
    assert finding.title == "The program and its TOSA graphs do not belong together"
    assert (finding.severity, finding.detail) == ("error", "Partition 1 was changed.")


def test_the_output_that_is_most_wrong_is_the_one_told() -> None:
    finding = only(report("failed", output(ROUNDED), output(WRONG, 2, 3)))
    assert finding.title == (
        "Output 3 of partition 2 is not what PyTorch computes: 25 % of the values differ by up to 1,234 LSB"
    )
    assert finding.detail == (
        "On the average 3.5 LSB over 2,000 values, in float up to 617; worst at [7] of sample 1: expected 1.5, got nan. "
        "Tolerated: 2 LSB."
    )
    assert "--check-per-layer names the first layer" in finding.advice
    broken = only(report("failed", output(WRONG), output(BROKEN, 4)))
    assert broken.title == "Output 0 of partition 4 is not what PyTorch computes: it has another shape"
    assert broken.detail.strip() == "Tolerated: 2 LSB."


def test_values_without_steps_are_told_without_them() -> None:
    finding = only(report("failed", output(NO_STEPS)))
    assert finding.title.endswith("10 % of the values differ")
    assert finding.detail == "Worst at [2] of sample 1: expected 1, got 0. Tolerated: 2 LSB."


def test_the_first_layer_that_diverges_is_named_as_its_author_knows_it() -> None:
    def said(first: CheckedLayer) -> Finding:
        return only(report("failed", output(WRONG), layers=(first,)))

    finding = said(layer("conv2d", "net.py:7"))
    assert (
        "First to diverge: conv2d in net.conv (net.py:7), 25 % of the values differ by up to 1,234 LSB."
        in finding.detail
    )
    assert "--check-per-layer" not in finding.advice
    assert "First to diverge: aten_conv, 25 %" in said(layer(None, None, None)).detail


def test_rounding_is_told_of_the_worst_output_and_is_nothing_to_mend() -> None:
    finding = only(report("passed", output(ROUNDED._replace(max_lsb=None)), output(ROUNDED, 2)))
    assert (finding.rule, finding.severity) == ("numeric-rounding", "info")
    assert finding.title == (
        "Not bit exact, within the tolerance: 1.5 % of the values differ by up to 1 LSB in partition 2"
    )
    assert not [*numeric_findings(report("passed", output(ROUNDED), exact=True))]


def test_a_class_that_is_another_than_in_float_is_counted() -> None:
    off = FinalErrors(40, 0, 0.25, 0.1, 2.0, 4, 3)
    same = ModelOutput(0, "tosa", None, off._replace(argmax_agree=4))
    finding = only(
        report(
            "passed",
            exact=True,
            model_outputs=(same, ModelOutput(1, "tosa", None, off), ModelOutput(2, None, None, None)),
        )
    )
    assert (
        finding.rule == "quantised-argmax"
        and "output 1 is another one than in float for 1 of 4 inputs" in finding.title
    )
    assert "off by up to 0.25 where the float model's values reach 2." in finding.detail
    assert "(--calibration DIR)" in finding.advice  # `compile` refuses it among the arguments of ExecuTorch's script


def test_samples_that_were_left_out_are_said() -> None:
    assert "used 2 samples and left" in only(report("passed", exact=True, skipped=("too large", "no data"))).title
    finding = only(report("passed", exact=True, samples=("a",), skipped=("too large", "no data")))
    assert "used 1 sample and left" in finding.title and finding.detail == "Too large; no data."


def test_the_middle_the_ranks_and_the_best_of_values() -> None:
    assert median([9, 1, 4]) == 4 and median([9, 1, 4, 5]) == 4.5 and median([2]) == 2
    assert doubled_ranks([30, 10, 20, 10]) == [8, 3, 6, 3]
    assert (best_of([3, 1, 2]), best_of([3, 1, 2], "higher"), best_of([3, 1, 2], "none")) == (1, 3, None)
    assert best_of([1]) is None and best_of([1, 1, 2]) is None and best_of([1, 1, 2, 2]) == 1
