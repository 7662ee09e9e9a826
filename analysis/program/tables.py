"""Programs as tables: what is in them, what they were built for, the memory that they need, and which boards have it."""

from __future__ import annotations

from collections.abc import Sequence

from ..tables import Cell, Column, Table
from ..units import format_bytes, format_count, shape_text
from .needs import VERDICT_TONES, BoardFit, Need
from .report import Build, Bundle, Program, Tensor, Value

_SPEC_CHARACTERS = 160
_ROWS = 200


def program_tables(
    program: Program, bundle: Bundle | None, needs: Sequence[Need], fits: Sequence[BoardFit]
) -> tuple[Table, ...]:
    """All tables of a program; of a bundled one, its test cases too."""
    return (
        _facts(program),
        _delegates(program),
        _tensors(program),
        _vela_tensors(program),
        _operators(program),
        _segments(program),
        _specs(program),
        *(() if bundle is None else (_cases(bundle),)),
        needs_table(needs),
        boards_table(fits),
    )


def build_text(build: Build | None) -> str:
    """ "ethos-u55-128, Ethos_U55_High_End_Embedded, Shared_Sram"."""
    if build is None:
        return "-"
    return ", ".join(part or "unknown" for part in (build.target, build.system_config, build.memory_mode))


def _facts(program: Program) -> Table:
    rows = [("Identifier", f"{program.identifier}, version {program.version}")]
    builds = dict.fromkeys(build_text(d.build) for d in program.delegates if d.build is not None)
    rows += [("Built for", text) for text in builds] or [("Built for", "none: the program has no Ethos-U delegate")]
    rows.append(("Header", f"eh00, segments from byte {program.segment_base_bytes:,}" if program.header else "none"))
    for method in program.methods:
        kinds: dict[str, int] = {}
        for instruction in method.instructions:
            kinds[instruction.kind] = kinds.get(instruction.kind, 0) + 1
        steps = ", ".join(f"{count} {kind}" for kind, count in kinds.items()) or "none"
        rows.append((f"Method {method.name}", f"{method.values} values; instructions: {steps}"))
        planned = ", ".join(format_bytes(size) for size in method.planned_buffers_bytes) or "none"
        rows.append(("Planned buffers", planned))
    constants = format_bytes(program.constants_bytes)
    rows.append(("Constants", f"{constants} beside the delegates" if program.constants_bytes else "none"))
    if program.named_data:
        rows.append(("Named data", ", ".join(entry.key for entry in program.named_data[:8])))
    note = ""
    if program.cut:
        note = f"The file is cut off: {program.bytes:,} of {program.announced_bytes:,} bytes are there."
    cells = tuple((Cell(name), Cell(value)) for name, value in rows)
    return Table("Program", (Column("What"), Column("Value")), cells, note)


def _delegates(program: Program) -> Table:
    columns = (
        Column("Method"), Column("#", "right"), Column("Backend"), Column("Data", "right"), Column("Stored"),
        Column("Commands", "right"), Column("Weights", "right"), Column("Scratch", "right"), Column("Blocks"),
    )  # fmt: skip
    rows, notes = [], []
    for method in program.methods:
        for delegate in method.delegates[:_ROWS]:
            vela = delegate.vela
            sizes = (None, None, None) if vela is None else (vela.command_bytes, vela.weight_bytes, vela.scratch_bytes)
            blocks = () if vela is None else vela.blocks
            names = ", ".join(block.name + (" (elsewhere)" if block.external else "") for block in blocks[1:-1])
            stored = delegate.location if delegate.segment is None else f"segment {delegate.segment}"
            rows.append(
                (
                    Cell(method.name), Cell(str(delegate.index), delegate.index), Cell(delegate.id),
                    Cell(format_count(delegate.size_bytes), delegate.size_bytes), Cell(stored),
                    *(Cell(format_count(size), size) for size in sizes), Cell(names),
                )
            )  # fmt: skip
            if delegate.problem is not None:
                notes.append(f"Delegate {delegate.index}: {delegate.problem}.")
    return Table("Delegates (bytes)", columns, tuple(rows), " ".join(notes[:4]))


def _tensors(program: Program) -> Table:
    columns = (
        Column("Method"), Column("Tensor"), Column("Type"), Column("Shape"), Column("Bytes", "right"),
        Column("Buffer", "right"), Column("Offset", "right"),
    )  # fmt: skip
    rows = []
    for method in program.methods:
        for kind, values in (("input", method.inputs), ("output", method.outputs)):
            for index, value in enumerate(values[:_ROWS]):
                rows.append((Cell(method.name), Cell(f"{kind} {index}"), *_tensor(value)))
    return Table("Inputs and outputs", columns, tuple(rows))


def _tensor(value: Tensor | Value) -> tuple[Cell, ...]:
    if isinstance(value, Value):
        return Cell(value.kind), Cell(""), Cell("-"), Cell("-"), Cell("-")
    shape = shape_text(value.shape) + ("" if value.dynamism == "static" else f" ({value.dynamism})")
    figures = (value.size_bytes, value.buffer, value.offset_bytes)
    return Cell(value.dtype), Cell(shape), *(Cell(format_count(figure), figure) for figure in figures)


def _vela_tensors(program: Program) -> Table:
    columns = (
        Column("Method"), Column("#", "right"), Column("Tensor"), Column("Shape"), Column("Element bytes", "right"),
        Column("Bytes", "right"), Column("Region", "right"), Column("Offset", "right"),
    )  # fmt: skip
    rows = []
    for method in program.methods:
        for delegate in method.delegates[:_ROWS]:
            for kind in ("input", "output") if delegate.vela is not None else ():
                tensors = delegate.vela.inputs if kind == "input" else delegate.vela.outputs  # type: ignore[union-attr]
                for index, tensor in enumerate(tensors[:_ROWS]):
                    figures = (tensor.element_bytes, tensor.size_bytes, tensor.region, tensor.offset_bytes)
                    rows.append(
                        (
                            Cell(method.name), Cell(str(delegate.index), delegate.index), Cell(f"{kind} {index}"),
                            Cell(shape_text(tensor.shape)), *(Cell(format_count(f), f) for f in figures),
                        )
                    )  # fmt: skip
    return Table("Inputs and outputs of the NPU", columns, tuple(rows))


def _operators(program: Program) -> Table:
    columns = (Column("Method"), Column("Operator on the CPU"), Column("Calls", "right"))
    rows = tuple(
        (Cell(method.name), Cell(name), Cell(format_count(calls), calls))
        for method in program.methods
        for name, calls in method.operators.items()
    )
    return Table("Operators", columns, rows)


def _segments(program: Program) -> Table:
    columns = (Column("#", "right"), Column("Holds"), Column("Bytes", "right"), Column("Offset", "right"))
    rows = tuple(
        (
            Cell(str(index), index), Cell(segment.holds), Cell(format_count(segment.size_bytes), segment.size_bytes),
            Cell(format_count(segment.offset_bytes), segment.offset_bytes),
        )
        for index, segment in enumerate(program.segments[:_ROWS])
        if segment.size_bytes
    )  # fmt: skip
    return Table("Segments", columns, rows)


def _specs(program: Program) -> Table:
    columns = (Column("Delegate"), Column("Compile spec"), Column("Value"))
    sets: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for method in program.methods:
        for delegate in method.delegates:
            key = tuple((spec.key, spec.value) for spec in delegate.compile_specs)
            sets.setdefault(key, []).append(f"{method.name} {delegate.index}")
    rows = []
    for specs, names in list(sets.items())[:_ROWS]:
        where = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if names[3:] else "")
        for name, value in specs:
            text = value if len(value) <= _SPEC_CHARACTERS else value[: _SPEC_CHARACTERS - 1] + "\u2026"
            rows.append((Cell(where), Cell(name), Cell(text, value)))
    return Table("Compile specs", columns, tuple(rows))


def _cases(bundle: Bundle) -> Table:
    columns = (Column("Method"), Column("Case", "right"), Column("Inputs"), Column("Expected outputs"))
    rows = []
    for suite in bundle.suites:
        for index, case in enumerate(suite.cases[:_ROWS]):
            texts = (
                ", ".join(v if isinstance(v, str) else f"{v.dtype} {shape_text(v.shape)}" for v in values[:8])
                for values in (case.inputs, case.expected_outputs)
            )
            rows.append((Cell(suite.method), Cell(str(index), index), *map(Cell, texts)))
    return Table("Test cases", columns, tuple(rows))


def needs_table(needs: Sequence[Need]) -> Table:
    """Memory by region."""
    columns = (Column("Region"), Column("Bytes", "right"), Column("Memory"), Column("Note"))
    rows = tuple(
        (
            Cell(need.region.replace("_", " ")),
            Cell(format_count(need.bytes), need.bytes),
            Cell(need.memory),
            Cell(need.note),
        )
        for need in needs
    )
    return Table("Memory needed", columns, rows, "Firmware, stack and the runner's own pools come on top.")


def boards_table(fits: Sequence[BoardFit]) -> Table:
    """The verdict for each board."""
    columns = (Column("Board"), Column("Verdict"), Column("Why"))
    order = {"fits": 0, "cannot tell": 1, "does not fit": 2}
    rows = tuple(
        (Cell(fit.board), Cell(fit.fit, fit.fit, tone=VERDICT_TONES[fit.fit]), Cell("; ".join(fit.reasons)))
        for fit in sorted(fits, key=lambda fit: order[fit.fit])
    )
    return Table(
        "Boards",
        columns,
        rows,
        "Only what the file needs is compared with the board's memories; the runner needs room too.",
    )
