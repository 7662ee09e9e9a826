"""Results of compiles, as they are stored: beside the log of a run, and in the summaries that Vela writes."""

from __future__ import annotations

import os

from ...analysis.named_tuple import TYPE_CHECKING
from ..job import InputError
from .blocks import blocks, refusing

if TYPE_CHECKING:
    from ...analysis.report import Capture

RESULT = "result.json"
STORED_LIMIT_BYTES = 64 << 20
_COLUMNS = (b"accelerator_configuration", b"cycles_total", b"NNG Operator")
"""Of Vela's tables: the first two are in those of a whole network."""


def stored_result(folder: str) -> dict[str, object] | None:
    """The compile result beside a stored run's log; None where there is none.

    Raises:
        InputError: it is damaged.
    """
    from ...analysis.compiles.entry import compile_entry

    path = os.path.join(folder, RESULT)
    if not os.path.isfile(path):
        return None
    return compile_entry(json_object(path))


def json_object(path: str) -> dict[str, object]:
    """A stored JSON object; anything else that is valid JSON counts as an empty one.

    Raises:
        InputError: it cannot be read, is no JSON, or too large to be what it should be.
    """
    import json

    damaged = "the console.log beside it is still readable"
    with refusing(path):
        if os.path.getsize(path) > STORED_LIMIT_BYTES:
            raise InputError(f"{path}: is damaged (too large)", damaged)
        with open(path, "rb") as file:
            text = file.read(STORED_LIMIT_BYTES)
    try:
        value = json.loads(text.decode())
    except (ValueError, RecursionError):
        raise InputError(f"{path}: is damaged (not JSON)", damaged) from None
    return value if isinstance(value, dict) else {}


def is_summary(path: str) -> bool:
    """Whether this table has the columns of Vela's; a log that a terminal program has exported as a table has others.

    Raises:
        InputError: it cannot be read.
    """
    if not path.endswith(".csv") or os.path.isdir(path):
        return False
    if os.path.exists(path) and not os.path.isfile(path):
        return True  # what is read of a pipe to see is lost
    header = next(blocks(path), b"").partition(b"\n")[0]
    return any(name in header for name in _COLUMNS)


def read_summary(path: str) -> Capture:
    from ...analysis.compiles.vela import parse_summary_csv
    from ...analysis.report import Capture

    data = b""
    for block in blocks(path):
        data += block
        if len(data) > STORED_LIMIT_BYTES:
            raise InputError(f"{path}: is too large for a summary", "give Vela's <name>_summary_<config>.csv")
    try:
        summary = parse_summary_csv(data.decode("utf-8", "replace"))
    except ValueError as error:
        raise InputError(f"{path}: {error}", "give Vela's <name>_summary_<config>.csv") from None
    return Capture(path, len(data), data.count(b"\n"), compile=(summary,), recognised=1)
