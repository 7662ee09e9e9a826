"""From the base64 blocks of a run to its report: the events with their cycles, and what to say of a damaged block.

It is imported only for runs that print such a block.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..draft import EtdumpBlock
from ..report import Etdump as Report
from ..report import EtdumpEvent
from .reader import Etdump, EtdumpError, ProfileEvent, announced_size, decode, sniff
from .text import decode_held

OVERHEAD = "OPERATOR_CALL"
"""The runtime's event around each kernel, with its own overhead in it; the Inspector hides it, and so do we."""
DELEGATE = "DELEGATE_CALL"
_KERNEL = "native_call_"


class Note(NamedTuple):
    """What is wrong with a block: the kind (a key of the table in `rules/etdump.py`), its line, and the sentence about it."""

    kind: str
    line: int
    text: str


class RunEtdump(NamedTuple):
    """What the blocks of a run hold."""

    report: Report | None
    line: int
    notes: tuple[Note, ...]


class Blocks(NamedTuple):
    """The decoded blocks of a run: the dump, the debug buffer, and where the dump stands in the log."""

    etdump: bytes
    debug_buffer: bytes | None
    line: int
    complete: bool
    passed_over: int

    @property
    def gap_bytes(self) -> int:
        """Bytes that are missing from (below zero: too many in) the middle of the dump, whose end is there.

        Where they are cannot be known, so no offset in the dump can be relied on.
        """
        whole = announced_size(self.etdump)
        if whole is None or not self.complete and not (self.passed_over and len(self.etdump) < whole):
            return 0
        return whole - len(self.etdump)


def decode_blocks(blocks: Sequence[EtdumpBlock]) -> Blocks | None:
    """The bytes of the blocks; None where none of them is (or may be) an ETDump."""
    dump: tuple[EtdumpBlock, bytes, int] | None = None
    buffer: bytes | None = None
    for block in blocks:
        data, junk = decode_held(block.held)
        if block.file is None or "debug_buffer" not in block.file or sniff(data):
            if dump is None or (sniff(data), block.complete) > (sniff(dump[1]), dump[0].complete):
                dump = block, data, junk
        else:
            buffer = data
    if dump is None:
        return None if buffer is None else Blocks(b"", buffer, blocks[0].line, blocks[0].complete, 0)
    return Blocks(dump[1], buffer, dump[0].line, dump[0].complete, dump[2])


def run_etdump(blocks: Sequence[EtdumpBlock], announced: tuple[int, str] | None = None) -> RunEtdump | None:
    """The report of a run's blocks; None where there is none.  `announced`: the last line that says that one follows."""
    found = decode_blocks(blocks)
    if found is None:
        if announced is None:
            return None
        return RunEtdump(
            None,
            announced[0],
            (Note("etdump_cut", announced[0], f"No block of {announced[1]} that can be read follows."),),
        )
    line, data = found.line, found.etdump
    buffer = len(found.debug_buffer) if found.debug_buffer is not None else None
    if not data:
        text = "The block holds no data." if buffer is None else "The debug buffer came, the ETDump after it did not."
        return RunEtdump(None, line, (Note("etdump_cut", line, text),))
    whole = announced_size(data)
    gap = found.gap_bytes
    if gap:
        text = f"{len(data):,} bytes stand where {whole:,} are announced, though its end is there: which events are right cannot be told."
        return RunEtdump(Report(len(data), (), buffer), line, (Note("etdump_damaged", line, text),))
    data = data if whole is None or whole >= len(data) else data[:whole]
    try:
        dump = decode(data)
    except EtdumpError as error:
        cut = not found.complete or len(data) < (whole or 0)
        said = f"only {len(data):,} bytes of it came" if cut and not sniff(data) else str(error)
        note = Note("etdump_cut" if cut else "etdump_damaged", line, f"{said[0].upper()}{said[1:]}.")
        return RunEtdump(Report(None if cut else len(data), (), buffer), line, (note,))
    events = report_events(dump)
    notes = tuple(_notes(dump, found, len(events)))
    size = None if any(note.kind == "etdump_cut" for note in notes) else len(data)
    return RunEtdump(Report(size, events, buffer), line, notes)


def report_events(dump: Etdump) -> tuple[EtdumpEvent, ...]:
    """The profile events in the order of the dump, the overhead events left out; cycles are None where no timer ran."""
    timed = dump.timed
    backends = delegate_names(dump)
    events: list[EtdumpEvent] = []
    for run in dump.runs:
        for event in run.events:
            if isinstance(event, ProfileEvent) and OVERHEAD not in event.name:
                cycles = event.ticks if timed else None
                operator = operator_of(event.name) or backends.get((event.name, event.instruction))
                events.append(EtdumpEvent(event.name, operator, cycles, event.instruction, run.name or None))
    return tuple(events)


def operator_of(name: str) -> str | None:
    """The operator behind an event's name: "native_call_add.out" gives "add.out"; None for what is no kernel."""
    return name.removeprefix(_KERNEL) if name.startswith(_KERNEL) else None


def delegate_names(dump: Etdump) -> dict[tuple[str, int | None], str]:
    """The backend of each delegate call, where the backend logged an event of its own ("EthosUBackend::execute()")."""
    names: dict[tuple[str, int | None], str] = {}
    for run in dump.runs:
        for event in run.events:
            if isinstance(event, ProfileEvent) and event.instruction is not None:
                backend, call, _ = event.name.lstrip("+").partition("::")
                if call and backend.isidentifier() and backend != "Method":
                    names.setdefault((DELEGATE, event.instruction), backend)
    return names


def _notes(dump: Etdump, found: Blocks, events: int) -> list[Note]:
    notes: list[Note] = []
    listed = sum(len(run.events) for run in dump.runs) + dump.unreadable
    if dump.cut or not found.complete:
        whole = f" of {dump.announced_bytes:,}" if dump.announced_bytes is not None else ""
        text = f"{dump.bytes:,}{whole} bytes came; {listed - dump.unreadable:,} of the {listed:,} events listed can be read"
        if dump.recovered:
            text += f" ({dump.recovered:,} of them by the layout that ExecuTorch is known to write)"
        if dump.lost_runs:
            text += f"; {dump.lost_runs:,} more block{'s' if dump.lost_runs > 1 else ''} of events is lost whole"
        if dump.cut or dump.announced_bytes is None:
            notes.append(Note("etdump_cut", found.line, f"{text}."))
    elif dump.unreadable or dump.lost_runs:
        text = f"{dump.unreadable:,} of the {listed:,} events listed cannot be read."
        if dump.lost_runs:
            text = f"{text[:-1]}, nor can the lists of {dump.lost_runs:,} blocks."
        notes.append(Note("etdump_damaged", found.line, text))
    elif found.passed_over:
        text = f"{found.passed_over:,} characters inside the block are not part of it and were passed over."
        notes.append(Note("etdump_damaged", found.line, text))
    profile = [e for run in dump.runs for e in run.events if isinstance(e, ProfileEvent)]
    if events and not dump.timed:
        text = f"All {len(profile):,} events begin and end at tick 0."
        notes.append(Note("etdump_untimed", found.line, text))
    wrapped = [e for e in profile if e.wrapped]
    if wrapped:
        first = wrapped[0]
        text = f"{first.name} begins at {first.start_ticks:,} and ends at {first.end_ticks:,}"
        more = f", and {len(wrapped) - 1:,} more events do so" if len(wrapped) > 1 else ""
        notes.append(Note("etdump_wrapped", found.line, f"{text}{more}."))
    return notes
