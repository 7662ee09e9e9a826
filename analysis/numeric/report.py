"""What a numeric check found, as plain data: the field `numeric` of a job of ``ethosu-tui/compile/1``.

An LSB is one step of a quantised integer.  Figures in float come from the scale of the tensor and are None where it has none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from ..lines import clean
from ..tosa.origin import origin_of

LIMITS = (
    "The reference model runs the TOSA graphs that Vela compiled. Vela's command stream, the memory plan and the board are "
    "not part of it, and each delegate gets the inputs that PyTorch computes."
)
DEFAULT_TOLERANCE_LSB = 1
"""Rescaling rounds otherwise than float arithmetic does.  Measured with ExecuTorch 1.5.1: on their own inputs MNIST and
keyword spotting are bit exact; of MobileNetV2's outputs 8 % are one step off, of MNIST's on random inputs 1 %; none is two."""


class Worst(NamedTuple):
    """One value that is far off; integers for a quantised tensor."""

    sample: int
    index: tuple[int, ...]  # type: ignore[assignment]
    """In the delegate's order of memory."""
    expected: float | str | None
    got: float | str | None


class Errors(NamedTuple):
    """Differences of one tensor over all samples."""

    values: int
    differing: int
    max_lsb: float | None
    """None for a tensor of floats."""
    mean_lsb: float | None
    max_error: float | None
    mean_error: float | None
    worst: tuple[Worst, ...]
    problem: str | None

    @property
    def differing_percent(self) -> float | None:
        """Share of the values that differ."""
        return 100 * self.differing / self.values if self.values else None


class CheckedOutput(NamedTuple):
    """One output of a delegate."""

    partition: int
    index: int  # type: ignore[assignment]
    name: str
    dtype: str
    shape: tuple[int, ...]
    scale: float | None
    zero_point: int | None
    errors: Errors


class CheckedLayer(NamedTuple):
    """One layer inside of a delegate, in the order of the graph."""

    partition: int
    tensor: str
    node: str
    module: str | None
    torch: str | None
    source: str | None
    scale: float | None
    errors: Errors


class FinalErrors(NamedTuple):
    """Differences of one output of the model in float; rows are entries of a batch, in all samples."""

    values: int
    not_finite: int
    max_error: float
    mean_error: float
    largest_value: float
    argmax_rows: int
    """0 where an output has one value only."""
    argmax_agree: int


class ModelOutput(NamedTuple):
    """One output of the model as the TOSA graphs make it, against the quantised and the eager model."""

    index: int  # type: ignore[assignment]
    basis: Literal["tosa", "exact delegates"] | None
    """Made by a delegate; or by operators on the CPU behind delegates that are all bit exact; None: cannot be told."""
    quantised: FinalErrors | None
    eager: FinalErrors | None


class NumericReport(NamedTuple):
    """The check of one program."""

    status: Literal["passed", "failed", "not-checked"]
    reason: str | None
    """Why it was not checked, or why the pair is refused."""
    tolerance_lsb: int
    reference: str | None
    """The reference model's package and version."""
    samples: tuple[str, ...] = ()
    """Where each sample is from."""
    skipped: tuple[str, ...] = ()
    seconds: float | None = None
    shared_with: str | None = None
    """The job with the same TOSA graphs whose result this is."""
    exact: bool | None = None
    outputs: tuple[CheckedOutput, ...] = ()
    model_outputs: tuple[ModelOutput, ...] = ()
    layers: tuple[CheckedLayer, ...] | None = None
    """None where no layers were asked for."""
    limits: str = LIMITS

    @property
    def first_diverging(self) -> CheckedLayer | None:
        """The first layer that is far off; else the first that is not within the tolerance; else the first that differs.

        Rounding alone adds up to some steps on the way through a deep network, so "far" is a quarter of the largest difference.
        """
        off = [layer for layer in self.layers or () if layer.errors.differing or layer.errors.problem]
        far = max((layer.errors.max_lsb or 0.0 for layer in off), default=0.0) / 4
        limit = max(far, self.tolerance_lsb)
        bad = [layer for layer in off if layer.errors.problem or (layer.errors.max_lsb or 0.0) > limit]
        return next(iter(bad or off), None)


def not_checked(reason: str, tolerance_lsb: int, reference: str | None = None) -> NumericReport:
    """A check that was asked for and could not be done."""
    return NumericReport("not-checked", clean(reason), tolerance_lsb, reference)


def refused(reason: str, tolerance_lsb: int, reference: str | None = None) -> NumericReport:
    """A program and TOSA graphs that do not belong together."""
    return NumericReport("failed", clean(reason), tolerance_lsb, reference)


def build_report(
    answer: Mapping[str, Any],
    facts: Mapping[str, Any],
    partitions: Sequence[int],
    tolerance_lsb: int,
    reference: str,
    seconds: float,
) -> NumericReport:
    """The report from what the reference model's process answered and what the compile kept (`samples.json`).

    `partitions` names, for each call of a delegate, the partition whose graph it runs.
    """
    if answer.get("problem"):
        return not_checked(str(answer["problem"]), tolerance_lsb, reference)
    outputs = tuple(
        CheckedOutput(
            partitions[place],
            index,
            clean(str(spec["name"])),
            str(spec["dtype"]),
            tuple(spec["shape"]),
            spec["scale"],
            spec["zero_point"],
            _errors(told),
        )
        for place, (call, of_call) in enumerate(zip(facts["calls"], answer["calls"], strict=True))
        for index, (spec, told) in enumerate(zip(call["outputs"], of_call, strict=True))
    )
    exact = all(o.errors.values and not o.errors.differing and o.errors.problem is None for o in outputs)
    good = bool(outputs) and all(_tolerated(o.errors, tolerance_lsb) for o in outputs)
    done = int(answer["done"])
    skipped = list(facts["skipped"])
    if done < len(facts["samples"]):
        skipped.append(f"{len(facts['samples']) - done} samples: the reference model took too long")
    layers = None
    if any(call["layers"] for call in facts["calls"]):
        layers = tuple(
            _layer(partitions[place], spec, told)
            for place, (call, of_call) in enumerate(zip(facts["calls"], answer["layers"], strict=True))
            for spec, told in zip(call["layers"], of_call, strict=True)
        )
    return NumericReport(
        "passed" if good else "failed",
        None,
        tolerance_lsb,
        reference,
        tuple(clean(str(sample["origin"])) for sample in facts["samples"][:done]),
        tuple(clean(text) for text in skipped),
        round(seconds, 3),
        None,
        exact,
        outputs,
        tuple(
            _model_output(index, spec, told, exact)
            for index, (spec, told) in enumerate(zip(facts["outputs"], answer["outputs"], strict=True))
        ),
        layers,
    )


def _tolerated(errors: Errors, tolerance_lsb: int) -> bool:
    if errors.problem is not None or not errors.values:
        return False
    return not errors.differing if errors.max_lsb is None else errors.max_lsb <= tolerance_lsb


def _errors(told: Mapping[str, Any]) -> Errors:
    worst = tuple(Worst(w["sample"], tuple(w["index"]), w["expected"], w["got"]) for w in told["worst"])
    return Errors(**{**told, "worst": worst})


def _model_output(index: int, spec: Mapping[str, Any], told: Mapping[str, Any], exact: bool) -> ModelOutput:
    if spec["call"] is None and not exact:
        return ModelOutput(index, None, None, None)
    quantised, eager = (None if told[name] is None else FinalErrors(**told[name]) for name in ("quantised", "eager"))
    return ModelOutput(index, "exact delegates" if spec["call"] is None else "tosa", quantised, eager)


def _layer(partition: int, spec: Mapping[str, Any], told: Mapping[str, Any]) -> CheckedLayer:
    origin = origin_of(spec["origin"])
    return CheckedLayer(
        partition,
        clean(str(spec["tensor"])),
        clean(str(spec["node"])),
        origin.module if origin is not None else None,
        origin.aten if origin is not None else None,
        origin.source if origin is not None else None,
        spec["scale"],
        _errors(told),
    )
