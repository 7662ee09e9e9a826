"""A sweep as a file: its rows as CSV with raw values, or its results as the JSON document of `compile --json`."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path

from ...analysis.design.answers import Answers
from ...analysis.export.escaping import no_formula
from ...analysis.tables import Table
from ..job import JobError, UsageError
from ..saved_file import check_target
from .fit import answers_of
from .result import CompileResult
from .result_text import object_text

SCHEMA = "ethosu-tui/compile/1"
UNITS = {
    "Cycles": "cycles",
    "Time": "seconds",
    "SRAM": "bytes",
    "Flash": "bytes",
    "Arena limit": "bytes",
    "Took": "seconds",
}
ENDINGS = (".csv", ".json")


def compile_document(model: str, seconds: float, results: Sequence[CompileResult], answers: Answers) -> Iterator[str]:
    """The text of the object that `compile --json` prints, piece by piece; beyond ASCII it is escaped: logs are untrusted."""
    head = {"schema": SCHEMA, "model": model, "seconds": round(seconds, 3)}
    yield object_text(head, " ").removesuffix("\n}") + ',\n "jobs": ['
    for place, result in enumerate(results):
        yield f",\n{result.text()}" if place else f"\n{result.text()}"
    yield f'\n ],\n "answers": {object_text(answers.to_dict(), "  ")}\n}}\n'


def check_export(path: str) -> str | None:
    """What speaks against this file, in a sentence; None where nothing does."""
    try:
        _target(path)
    except JobError as error:
        return f"{error.message}: {error.hint}"
    return None


def exported(
    path: str, table: Table, rows: Sequence[int], model: str, seconds: float, results: Sequence[CompileResult]
) -> tuple[Path, bytes, str]:
    """Where to write, what, and what that is in words; a CSV has these rows, a JSON these results.

    Raises:
        UsageError: the name has another ending, or there is a file of it.
    """
    target = _target(path)
    if target.suffix.lower() == ".csv":
        return target, _csv(table, rows), f"{len(rows)} rows"
    text = "".join(compile_document(model, seconds, results, answers_of(results)))
    return target, text.encode(), f"{len(results)} results"


def _target(path: str) -> Path:
    if not path.lower().endswith(ENDINGS):
        raise UsageError(f"{path or 'an empty name'} is neither CSV nor JSON", "end the name with .csv or .json")
    try:
        return check_target(path, force=False)
    except UsageError as error:
        raise UsageError(error.message, error.hint.replace("give --force to replace it, or ", "")) from None


def _csv(table: Table, rows: Sequence[int]) -> bytes:
    """The rows with raw values; what is absent is an empty field."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    names = [column.name for column in table.columns]
    writer.writerow([_field(name) for name in names])
    for row in rows:
        values = (cell.value for cell in table.rows[row])
        writer.writerow(["" if v is None else no_formula(v) if isinstance(v, str) else v for v in values])
    return out.getvalue().encode()


def _field(name: str) -> str:
    """A column as a CSV calls it: with its unit, unless that is what it is called."""
    field, unit = name.lower().replace(" ", "_"), UNITS.get(name, "")
    return f"{field}_{unit}" if unit not in ("", field) else field
