"""What a numeric check means, as findings; a mismatch is an error, and so is a check that was asked for and not done."""

from __future__ import annotations

from collections.abc import Iterator

from ..report import Finding
from .report import CheckedLayer, CheckedOutput, Errors, NumericReport


def numeric_findings(report: NumericReport) -> Iterator[Finding]:
    """The findings of one report."""
    if report.status == "not-checked":
        yield Finding(
            "numeric-not-checked",
            "error",
            None,
            "The numeric check could not be done",
            _sentence(report.reason or "The reason is not known"),
            "The program itself is not affected; leave --check-numerics out, or see numeric/ in the run folder.",
        )
    elif report.reason is not None:
        yield Finding(
            "numeric-mismatch",
            "error",
            None,
            "The program and its TOSA graphs do not belong together",
            _sentence(report.reason),
            "Compile again; nothing may change the run folder between the compile and the check.",
        )
    elif report.status == "failed":
        yield _mismatch(report)
    else:
        if not report.exact:
            yield _rounding(report)
        yield from _argmax(report)
    if report.skipped:
        count = len(report.samples)
        yield Finding(
            "numeric-samples-skipped",
            "info",
            None,
            f"The numeric check used {count} sample{'' if count == 1 else 's'} and left some out",
            _sentence("; ".join(report.skipped)),
            "Ask for fewer samples with --check-samples.",
        )


def _mismatch(report: NumericReport) -> Finding:
    bad = max(report.outputs, key=lambda o: (o.errors.problem is not None, o.errors.max_lsb or 0.0, o.errors.differing))
    first = report.first_diverging
    where = f" First to diverge: {_place(first)}." if first is not None else ""
    advice = "Do not ship this program: look for a changed TOSA graph, or another release of ExecuTorch."
    if first is None:
        advice += " --check-per-layer names the first layer that diverges."
    return Finding(
        "numeric-mismatch",
        "error",
        None,
        f"Output {bad.index} of partition {bad.partition} is not what PyTorch computes: {_extent(bad.errors)}",
        f"{_detail(bad)} Tolerated: {report.tolerance_lsb} LSB.{where}",
        advice,
    )


def _rounding(report: NumericReport) -> Finding:
    worst = max(report.outputs, key=lambda o: o.errors.max_lsb or 0.0)
    return Finding(
        "numeric-rounding",
        "info",
        None,
        f"Not bit exact, within the tolerance: {_extent(worst.errors)} in partition {worst.partition}",
        f"{_detail(worst)} TOSA rescales in integers, PyTorch rounds floats. Tolerated: {report.tolerance_lsb} LSB.",
        "Nothing has to be done; --check-tolerance 0 asks for bit exact results.",
    )


def _argmax(report: NumericReport) -> Iterator[Finding]:
    for output in report.model_outputs:
        eager = output.eager
        if eager is not None and eager.argmax_agree < eager.argmax_rows:
            off = eager.argmax_rows - eager.argmax_agree
            yield Finding(
                "quantised-argmax",
                "warning",
                None,
                f"The largest value of output {output.index} is another one than in float for {off} of {eager.argmax_rows} inputs",
                f"The delegates compute what the quantised model does; quantisation itself is off by up to {eager.max_error:.4g} "
                f"where the float model's values reach {eager.largest_value:.4g}.",
                "Calibrate with data of the field (--calibration DIR) and check with them.",
            )


def _extent(errors: Errors) -> str:
    if errors.problem is not None:
        return errors.problem
    share = errors.differing_percent or 0.0
    step = "" if errors.max_lsb is None else f" by up to {errors.max_lsb:,.0f} LSB"
    return f"{share:.3g} % of the values differ{step}"


def _detail(output: CheckedOutput) -> str:
    errors = output.errors
    parts = []
    if errors.mean_lsb is not None:
        parts.append(f"On the average {errors.mean_lsb:.3g} LSB over {errors.values:,} values")
    if errors.max_error is not None:
        parts.append(f"in float up to {errors.max_error:.4g}")
    said = [", ".join(parts)] if parts else []
    for worst in errors.worst[:1]:
        at = ", ".join(map(str, worst.index))
        said.append(
            f"worst at [{at}] of sample {worst.sample + 1}: expected {_number(worst.expected)}, got {_number(worst.got)}"
        )
    return _sentence("; ".join(said)) if said else ""


def _number(value: float | str | None) -> str:
    return f"{value:g}" if isinstance(value, (int, float)) else str(value)


def _place(layer: CheckedLayer) -> str:
    named = " in ".join(part for part in (layer.torch or layer.node, layer.module) if part)
    source = f" ({layer.source})" if layer.source else ""
    return f"{named}{source}, {_extent(layer.errors)}"


def _sentence(text: str) -> str:
    text = text[:1].upper() + text[1:]
    return text if text.endswith(".") else text + "."
