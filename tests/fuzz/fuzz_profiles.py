"""Coverage-guided fuzzing of the decoders of profiles: `python tests/fuzz/fuzz_profiles.py TARGET [libFuzzer options]`.

Targets: `etdump` (a dump's bytes), `base64` (a block's text), `trace` (a PMU trace fed in pieces), `database` (Vela's debug
database), `program` (a .pte) and `tosa` (a graph).  Whatever comes in, only the decoders' own errors may come out, and nothing may take longer than its size allows.
For a long run: `python tests/fuzz/fuzz_profiles.py trace -max_total_time=3600 CORPUS_FOLDER`.
"""

from __future__ import annotations

import base64
import importlib.util
import json
import sys
import types
from pathlib import Path

import atheris

ROOT = Path(__file__).resolve().parents[2]
if importlib.util.find_spec("ethosu_tui") is None:
    package = types.ModuleType("ethosu_tui")
    package.__path__ = [str(ROOT)]
    sys.modules["ethosu_tui"] = package

with atheris.instrument_imports(include=["ethosu_tui.analysis"]):
    from ethosu_tui.analysis.etdump import decode as etdump
    from ethosu_tui.analysis.etdump import report as etdump_report
    from ethosu_tui.analysis.etdump import tables as etdump_tables
    from ethosu_tui.analysis.etdump import text as etdump_text
    from ethosu_tui.analysis.etdump.block import EtdumpBlock
    from ethosu_tui.analysis.etdump.reader import EtdumpError
    from ethosu_tui.analysis.npu_trace import fvp_trace, vela_debug
    from ethosu_tui.analysis.npu_trace import operators as npu_operators
    from ethosu_tui.analysis.npu_trace import tables as npu_tables
    from ethosu_tui.analysis.program import needs, writer
    from ethosu_tui.analysis.program import reader as program_reader
    from ethosu_tui.analysis.program import tables as program_tables
    from ethosu_tui.analysis.tosa import reader as tosa_reader
    from ethosu_tui.analysis.tosa import tables as tosa_tables

DATABASE = (
    '<debug><table name="queue"><![CDATA[\n"offset","cmdstream_id","optimised_id","scheduled_id"\n'
    "16,1,1,1\n40,1,2,2\n64,1,2,2\n100,1,3,3\n]]></table>"
    '<table name="group"><![CDATA[\n"id","group_id"\n3,2\n]]></table></debug>'
)


def fuzz_etdump(data: bytes) -> None:
    """A dump's bytes, as a file and as a block of a log."""
    try:
        dump = etdump.decode(data)
    except EtdumpError:
        return
    etdump_tables.inspector_table(dump)
    block = EtdumpBlock(1, None)
    block.add(base64.b64encode(data).decode(), len(data) * 2)
    etdump_report.run_etdump([block])


def fuzz_base64(data: bytes) -> None:
    """The text of a block."""
    text = data.decode("latin-1")
    etdump_text.decode_base64(text)
    block = EtdumpBlock(1, "etdump.bin")
    block.add(text, len(text))
    etdump_report.run_etdump([block])


def fuzz_trace(data: bytes) -> None:
    """A trace in pieces, walked along a small command stream."""
    step, text = 1 + 8 * data[0] if data else 1, data[1:].decode("utf-8", "replace")
    reader, walk = fvp_trace.TraceReader(), npu_operators.QueueWalk(vela_debug.parse_debug_database(DATABASE))
    events = [e for start in range(0, len(text), step) for e in reader.feed(text[start : start + step])]
    events += reader.finish()
    for event in events:
        walk.feed(event)
    walk.finish()
    counters = npu_operators.WindowCounters(walk)
    for event in events:
        counters.feed(event)
    trace = walk.finish(counters)
    npu_tables.trace_table(trace)
    json.dumps(npu_tables.trace_to_dict(trace), allow_nan=False)


def fuzz_database(data: bytes) -> None:
    """A debug database's text."""
    try:
        database = vela_debug.parse_debug_database(data.decode("utf-8", "replace"))
    except vela_debug.VelaDebugError:
        return
    npu_tables.database_table(database)
    npu_operators.QueueWalk(database).finish()


def fuzz_program(data: bytes) -> None:
    """A program's bytes, read and put together again."""
    try:
        program = program_reader.read_program(data)
        program_tables.program_tables(program, None, needs.needs_of(program), needs.fits_on_boards(program))
        assert writer.Template(data).with_delegates({}) == data
    except program_reader.ProgramError:
        return


def fuzz_tosa(data: bytes) -> None:
    """A graph's bytes."""
    try:
        graph = tosa_reader.read_tosa(data)
    except tosa_reader.TosaError:
        return
    tosa_tables.tosa_tables(graph)


if __name__ == "__main__":
    target = sys.argv.pop(1)
    atheris.Setup(sys.argv, globals()[f"fuzz_{target}"])
    atheris.Fuzz()
