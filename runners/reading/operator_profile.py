"""What the operators of an input cost, for exports: of a compile result, a run that its FVP traced, an ETDump, Vela's table."""

from __future__ import annotations

from ...analysis.export.operators import (
    Profile,
    profile_of_compile,
    profile_of_etdump,
    profile_of_layers,
    profile_of_trace,
)
from ..job import InputError
from .inputs import Loaded
from .pmu_trace import has_trace, trace_of_run


def profile_of_loaded(loaded: Loaded, run: int | None = None) -> Profile | None:
    """The costs of a compile's operators or of a run's: what its FVP traced, else its ETDump; None without any.

    Of several runs of a log, `run` (from 1; None: the first that has an ETDump) chooses one.

    Raises:
        InputError: the log cannot be read again, or a trace that is all there is.
    """
    if loaded.result is not None:
        operators = [operator for operator in loaded.result.get("operators") or () if isinstance(operator, dict)]
        return profile_of_compile(loaded.label, operators)
    found, unread = None, None
    if has_trace(loaded.path):
        try:
            traced = trace_of_run(loaded.path, counters=False)
            found = profile_of_trace(loaded.label, traced.trace, traced.notes)
        except InputError as error:  # an ETDump may tell all the same
            unread = error
    if found is None:
        found = _of_dump(loaded, run) if loaded.log is not None else None
    if found is None and loaded.capture is not None:
        from ...analysis.compiles.whole_network import networks_of

        wholes = (network.whole for network in networks_of(loaded.capture))
        summary = next((whole for whole in wholes if whole.operators), None)
        found = profile_of_layers(loaded.label, summary.operators) if summary is not None else None
    if found is None and unread is not None:
        raise unread
    return found


def _of_dump(loaded: Loaded, run: int | None) -> Profile | None:
    runs = loaded.capture.runs if loaded.capture is not None else ()
    if not any(one.etdump is not None for one in runs):  # nothing to look for in a log of gigabytes
        return None
    from ...analysis.etdump.reader import EtdumpError
    from .kept_dumps import dumps_in

    blocks = dumps_in(str(loaded.log), run)
    if blocks is None or not blocks.etdump or blocks.gap_bytes:
        return None
    dumped = next((one for one in runs if one.etdump is not None and run in (None, one.index)), None)
    host = dumped is not None and dumped.target.platform == "host"
    try:
        return profile_of_etdump(loaded.label, blocks.dump(), "ns" if host else "cycles")
    except EtdumpError:
        return None
