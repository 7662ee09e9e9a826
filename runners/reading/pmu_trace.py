"""An FVP's trace of the NPU by operator, as a file with Vela's debug database, or as a stored run left it.

The trace is read as a stream, twice: for the command queue, then for what was active meanwhile.  Which program a run had, and
what Vela wrote beside it, is found through the request that the run folder keeps.
"""

from __future__ import annotations

import os
from codecs import getincrementaldecoder
from collections.abc import Iterator, Mapping
from pathlib import Path

from ...analysis.named_tuple import TYPE_CHECKING, NamedTuple
from ..job import InputError
from .blocks import blocks, read_whole
from .paths import is_run_folder

if TYPE_CHECKING:
    from typing import Any

    from ...analysis.npu_trace.operators import NpuTrace
    from ...analysis.npu_trace.vela_debug import DebugDatabase

TRACE = "pmu_trace.gz"
DEBUG_LIMIT_BYTES = 512 << 20
_MOST_DATABASES = 64


class RunTrace(NamedTuple):
    """What a stored run's trace tells, and the operators of the compile that its program came from."""

    trace: NpuTrace
    notes: tuple[str, ...]
    operators: tuple[Mapping[str, Any], ...] = ()
    """Rows of the compile result, with the lines of PyTorch; empty where the program came from elsewhere."""


def has_trace(folder: str) -> bool:
    """Whether a stored run left a trace."""
    try:
        return os.path.isdir(folder) and os.path.getsize(os.path.join(folder, TRACE)) > 0
    except OSError:
        return False


def trace_of_run(folder: str, *, counters: bool = True) -> RunTrace:
    """The trace of a stored run by operator; without `counters` it is read once instead of twice.

    Raises:
        InputError: it cannot be read, or what belongs to its program cannot be found.
    """
    from .results import stored_result  # whoever only reads a file needs none of it

    trace = os.path.join(folder, TRACE)
    program = _program_of(folder)
    databases = _databases_beside(program)
    if not databases:
        raise InputError(
            f"{trace}: Vela's debug database is not next to the program that ran ({program or 'unknown'})",
            f"give it by hand: ethosu-tui inspect {trace} --debug-db FILE_debug.xml",
        )
    if len(databases) > 1:
        raise InputError(
            f"{trace}: the program has {len(databases)} partitions, and a trace does not say which one it shows",
            f"choose one: ethosu-tui inspect {trace} --debug-db {databases[0]}",
        )
    found, notes = measured(trace, databases[0], counters=counters)
    result = stored_result(os.path.dirname(program)) if is_run_folder(os.path.dirname(program)) else None
    rows = (result or {}).get("operators")
    operators = tuple(row for row in rows if isinstance(row, Mapping)) if isinstance(rows, list) else ()
    return RunTrace(found, notes, operators)


def _program_of(folder: str) -> str:
    """The program that was run, as its request names it."""
    from .results import json_object

    path = os.path.join(folder, "request.json")
    if not os.path.isfile(path):
        return ""
    document = json_object(path)
    request, cwd = document.get("request"), document.get("cwd")
    named = request.get("artefact") if isinstance(request, dict) else None
    if not isinstance(named, str) or not named:
        return ""
    return os.path.join(cwd if isinstance(cwd, str) else "", os.path.expanduser(named))


def _databases_beside(program: str) -> list[str]:
    """Debug databases of the program: in the folder of its compile, or next to it under its name."""
    if not program:
        return []
    place = Path(program).parent
    found = sorted(str(path) for path in place.glob("vela/partition-*/*_debug.xml"))[:_MOST_DATABASES]
    beside = Path(program).with_name(f"{Path(program).stem}_debug.xml")
    return found or ([str(beside)] if beside.is_file() else [])


def measured(path: str, database_path: str, *, counters: bool = True) -> tuple[NpuTrace, tuple[str, ...]]:
    """The trace by operator, and what the reader of its figures has to know.

    Raises:
        InputError: one of the files cannot be read, or is not what it should be.
    """
    from ...analysis.npu_trace.fvp_trace import TraceReader
    from ...analysis.npu_trace.operators import QueueWalk, WindowCounters

    database = parsed_database(database_path, database_text(database_path))
    walk = QueueWalk(database)
    queue = TraceReader(queue_only=True)
    for event in _events(path, queue):
        walk.feed(event)
    if queue.events == 0:
        raise InputError(
            f"{path}: {queue.problem or 'the trace contains no events'}", "give the file that --pmu-trace wrote"
        )
    trace = walk.finish()
    if trace.before_cycles is None:
        raise InputError(f"{path}: the trace has no command queue event (qread)", "record it without --fast")
    if trace.mapped and counters:
        active = WindowCounters(walk)
        for event in _events(path, TraceReader()):
            active.feed(event)
        trace = walk.finish(active)
    notes = [f"The trace is incomplete: {queue.problem}."] if queue.problem is not None else []
    if queue.odd:
        notes.append(f"{queue.odd:,} events of the trace could not be read.")
    if database.passed_over:
        notes.append(f"{database.passed_over:,} rows of the debug database could not be read.")
    notes.append("A debug database contains only one partition's operators.")
    return trace, tuple(notes)


def database_text(path: str) -> str:
    """A debug database as text; raises as `read_whole`."""
    return read_whole(path, DEBUG_LIMIT_BYTES, "a debug database").decode("utf-8", "replace")


def parsed_database(path: str, text: str) -> DebugDatabase:
    """Vela's debug database.

    Raises:
        InputError: it is none.
    """
    from ...analysis.npu_trace.vela_debug import VelaDebugError, parse_debug_database

    try:
        return parse_debug_database(text)
    except VelaDebugError as error:
        raise InputError(f"{path}: {error}", "give Vela's <name>_debug.xml") from None


def _events(path: str, reader: Any) -> Iterator[Any]:
    decoder = getincrementaldecoder("utf-8")("replace")
    try:
        for block in blocks(path):
            yield from reader.feed(decoder.decode(block))
            if reader.ended:
                return
    except InputError as error:
        if not reader.events:
            raise
        yield from reader.finish()
        reader.problem = f"{error.message.removeprefix(f'{path}: ')}, after {reader.events:,} events"
        return
    yield from reader.finish()
