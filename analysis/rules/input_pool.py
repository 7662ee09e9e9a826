"""The pool of a semihosting runner into which it reads its program and its inputs."""

from __future__ import annotations

from ..draft import Evidence
from ..report import Finding, Run
from ..units import format_bytes
from .evidence import error
from .memory import padded
from .possible_sizes import IMPOSSIBLE_BYTES
from .releases import surely_before, surely_from

_NO_ROOM = "Failed to allocate input file size"
_OPTION = "-DET_ARM_BAREMETAL_SEMIHOSTING_FILE_ALLOCATOR_POOL_SIZE"
_CONSTANT = "input_file_allocation_pool_size in arm_executor_runner.cpp"


def input_pool(run: Run, seen: Evidence) -> Finding | None:
    """A file that is there and larger than what is left of that pool; "ERROR Out of memory" alone does not say so."""
    bad = next((t for t in seen.all("file_read_failed") if t.text.startswith(_NO_ROOM)), None)
    size = bad.values.get("size") if bad is not None else None
    if bad is None or not isinstance(size, int) or not 0 < size < IMPOSSIBLE_BYTES:
        return None
    full = next((t for t in seen.all("allocation_failed") if t.line == bad.line - 1), None)
    named = next((t for t in seen.all("file_read_failed") if t.line > bad.line and "path" in t.values), None)
    left = full.values.get("available") if full is not None else None
    detail = f"{named.values['path'] if named is not None else 'The file'} has {size} bytes"
    if isinstance(left, int):
        detail += f", and {left} bytes were left of the pool that holds the program and all inputs"
    first = len({"reading_model", "input_file"} & seen.seen.keys()) < 2 and seen.seen.get("input_file", 0) < bad.line
    if first and isinstance(left, int):
        need = padded(size)
        option, constant = f"build the runner with {_OPTION}={need} or more", f"set {_CONSTANT} to {need} bytes or more"
    else:
        more = f"by {size - (left if isinstance(left, int) else 0)} bytes or more"
        option, constant = f"enlarge {_OPTION} {more}", f"enlarge {_CONSTANT} {more}"
    way = f"{constant} (the pool has no option before 1.4)"
    if not surely_before(run, (1, 4)):
        way = option if surely_from(run, (1, 4)) else f"{option} (1.4 and later; before that {constant})"
    lines = [t.line for t in (full, bad, named) if t is not None]
    return error(
        "input-pool-too-small", run, f"The pool for the runner's files is too small: {format_bytes(size)} did not fit", f"{detail}.",
        f"{way[0].upper()}{way[1:]}; the other files that it reads need room as well. Or build the program into the ELF.", *lines,
    )  # fmt: skip
