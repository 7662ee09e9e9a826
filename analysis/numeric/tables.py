"""The tables of a numeric check."""

from __future__ import annotations

from ..tables import Cell, Column, Table, Tone
from ..units import format_count, format_percent
from .report import CheckedLayer, Errors, FinalErrors, NumericReport

LAYER_ROWS = 500

_FIGURES = tuple(
    Column(name, "right") for name in ("Values", "Differ", "Max LSB", "Mean LSB", "Max error", "Mean error")
)


def numeric_tables(report: NumericReport) -> tuple[Table, ...]:
    """Delegates against PyTorch, the model's outputs, worst values where there are any, and layers where asked for."""
    if not report.outputs:
        return ()
    tables = [_delegates(report)]
    if report.model_outputs:
        tables.append(_model(report))
    worst = _worst(report)
    if worst.rows:
        tables.append(worst)
    if report.layers is not None:
        tables.append(_layers(report))
    return tuple(tables)


def _delegates(report: NumericReport) -> Table:
    columns = (Column("Partition"), Column("Output"), Column("Type"), *_FIGURES, Column("Verdict"))
    rows = []
    for output in report.outputs:
        shape = "x".join(map(str, output.shape))
        verdict, tone = _verdict(output.errors, report.tolerance_lsb)
        rows.append(
            (
                Cell(str(output.partition), output.partition), Cell(output.name), Cell(f"{output.dtype} {shape}"),
                *_figures(output.errors), Cell(verdict, verdict, None, tone),
            )
        )  # fmt: skip
    count = len(report.samples)
    note = f"{count} sample{'' if count == 1 else 's'}, {report.reference}. {report.limits}"
    return Table("Numeric check: TOSA against quantised PyTorch", columns, tuple(rows), note)


def _model(report: NumericReport) -> Table:
    columns = (
        Column("Output"), Column("Against"), Column("Max error", "right"), Column("Mean error", "right"),
        Column("Largest value", "right"), Column("Argmax", "right"),
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    untold = False
    for output in report.model_outputs:
        name = Cell(str(output.index), output.index)
        if output.basis is None:
            untold = True
            rows.append((name, Cell("-"), *(Cell("-", None, None, "dim") for _ in range(4))))
            continue
        for label, errors in (("quantised", output.quantised), ("eager float", output.eager)):
            if errors is not None:
                rows.append((name, Cell(label), *_final(errors)))
    note = "Argmax: largest value at the same place, over all entries of all samples."
    if untold:
        note += " An output that the CPU makes behind inexact delegates cannot be told without a target."
    return Table("Outputs of the model", columns, tuple(rows), note)


def _final(errors: FinalErrors) -> tuple[Cell, ...]:
    argmax = f"{errors.argmax_agree}/{errors.argmax_rows}" if errors.argmax_rows else "-"
    figures = (errors.max_error, errors.mean_error, errors.largest_value)
    return *(Cell(f"{value:.4g}", value) for value in figures), Cell(argmax, errors.argmax_agree)


def _worst(report: NumericReport) -> Table:
    columns = (
        Column("Partition"), Column("Output"), Column("Sample", "right"), Column("Index"), Column("Expected", "right"),
        Column("Got", "right"),
    )  # fmt: skip
    rows = tuple(
        (
            Cell(str(output.partition)), Cell(output.name), Cell(str(worst.sample + 1), worst.sample + 1),
            Cell(", ".join(map(str, worst.index))), _value(worst.expected), _value(worst.got),
        )
        for output in report.outputs
        for worst in output.errors.worst
    )  # fmt: skip
    return Table("Worst values", columns, rows, "Indices are in the order in which the delegate has them in memory.")


def _layers(report: NumericReport) -> Table:
    columns = (Column("Partition"), Column("Layer"), Column("Module"), *_FIGURES, Column("Source"))
    layers = report.layers or ()
    first = report.first_diverging
    rows = tuple(_layer(layer, layer is first) for layer in layers[:LAYER_ROWS])
    note = "Differences add up from layer to layer."
    if first is not None:
        note += f" First to diverge (*): {first.torch or first.node}."
    if len(layers) > LAYER_ROWS:
        note += f" Only the first {LAYER_ROWS} of {len(layers)} layers are shown."
    return Table("Layers", columns, rows, note)


def _layer(layer: CheckedLayer, first: bool) -> tuple[Cell, ...]:
    name = layer.torch or layer.node
    return (
        Cell(str(layer.partition), layer.partition),
        Cell(f"{name} *" if first else name, name, None, "warn" if first else ""),
        Cell(layer.module or "-", layer.module),
        *_figures(layer.errors),
        Cell(layer.source or "-", layer.source),
    )


def _figures(errors: Errors) -> tuple[Cell, ...]:
    if errors.problem is not None:
        return Cell(errors.problem, errors.problem, None, "bad"), *(Cell("-") for _ in range(5))
    numbers = (errors.max_lsb, errors.mean_lsb, errors.max_error, errors.mean_error)
    return (
        Cell(format_count(errors.values), errors.values),
        Cell(format_percent(errors.differing_percent), errors.differing_percent),
        *(Cell("-" if value is None else f"{value:.4g}", value) for value in numbers),
    )


def _value(value: float | str | None) -> Cell:
    return Cell(f"{value:g}" if isinstance(value, (int, float)) else str(value), value)


def _verdict(errors: Errors, tolerance_lsb: int) -> tuple[str, Tone]:
    if errors.problem is None and not errors.differing:
        return "bit exact", "good"
    if errors.problem is None and errors.max_lsb is not None and errors.max_lsb <= tolerance_lsb:
        return f"within {tolerance_lsb} LSB", "good"
    return "differs", "bad"
