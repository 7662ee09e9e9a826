"""From the base64 blocks of a run to its report: the events with their cycles, and what to say of a damaged block.

It is imported only for runs that print such a block.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..report import Etdump as Report
from ..report import EtdumpEvent
from .block import EtdumpBlock
from .decode import decode
from .reader import HEAD_BYTES, Etdump, EtdumpError, ProfileEvent, announced_size, sniff
from .text import Block, decode_block

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
    damage: tuple[tuple[int, int], ...] = ()
    """Where bytes of the dump stand (from, up to) that cannot be known."""
    odd: int = 0
    """Characters of the dump's text that are no base64."""
    cut_at_damage: bool = False
    """True where the dump ends before the first of them, because what stands behind cannot be put in its place."""
    marred: tuple[int, ...] = ()
    """The lines with such characters."""
    inside: tuple[int, ...] = ()
    """Lines of another printer that stand inside the dump's text, which goes on after them."""
    buffer_odd: int = 0
    """Characters of the debug buffer's text that are no base64."""
    buffer_line: int = 0

    @property
    def sound(self) -> bytes:
        """The dump up to the first byte that cannot be known."""
        return self.etdump[: self.damage[0][0]] if self.damage else self.etdump

    @property
    def damaged_bytes(self) -> int:
        """Bytes of the dump that cannot be known."""
        known, count = 0, 0
        for start, end in self.damage:
            count += max(0, end - max(start, known))
            known = max(known, end)
        return count

    def dump(self) -> Etdump:
        """The dump, decoded without the bytes that cannot be known; raises as `decode`."""
        return _decoded(self.etdump, self)

    @property
    def said_of_damage(self) -> str:
        """How many characters cannot be read, and where; "" where all can."""
        return _said_of(self.odd, self.marred or (self.line,)) if self.odd else ""

    @property
    def gap_bytes(self) -> int:
        """Bytes that are missing from (below zero: too many in) the middle of the dump, whose end is there.

        Where they are cannot be known, so no offset in the dump can be relied on.
        """
        whole = announced_size(self.etdump)
        if whole is None or (self.damage and self.damage[0][0] < HEAD_BYTES) or self.cut_at_damage:
            return 0
        if not self.complete and not (self.passed_over and len(self.etdump) < whole):
            return 0
        return whole - len(self.etdump)


def decode_blocks(blocks: Sequence[EtdumpBlock]) -> Blocks | None:
    """The bytes of the blocks; None where none of them is (or may be) an ETDump."""
    dump: tuple[EtdumpBlock, Block] | None = None
    buffer: tuple[EtdumpBlock, Block] | None = None
    for block in blocks:
        found = decode_block(block.held, complete=block.complete)
        if block.file is None or "debug_buffer" not in block.file or sniff(found.data):
            if dump is None or (sniff(found.data), block.complete) > (sniff(dump[1].data), dump[0].complete):
                dump = block, found
        else:
            buffer = block, found
    if dump is None and buffer is None:
        return None
    debug = (buffer[1].odd, (buffer[0].marred or [buffer[0].line])[0]) if buffer is not None else (0, 0)
    held = buffer[1].data if buffer is not None else None
    if dump is None:
        return Blocks(b"", held, blocks[0].line, blocks[0].complete, 0, (), 0, False, (), (), *debug)
    block, found = dump
    return Blocks(
        found.data, held, block.line, block.complete, found.passed_over, found.damage, found.odd, found.cut,
        tuple(block.marred), tuple(block.inside), *debug,
    )  # fmt: skip


def _decoded(data: bytes, found: Blocks) -> Etdump:
    """The dump; where a character took the place of another and both are base64, what it says tells that it is damaged."""
    dump = decode(data, found.damage, doubtful=found.odd > 0)
    return decode(data, doubtful=True) if dump.impossible and not found.odd else dump


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
    if found.odd and (len(data) < HEAD_BYTES or found.damage and found.damage[0][0] < HEAD_BYTES):
        text = f"{found.said_of_damage}, at the beginning already, so that nothing of the block can be read."
        return RunEtdump(None, line, (Note("etdump_damaged", _place(found), text),))
    if not data:
        text = "The block holds no data."
        if buffer is not None:
            text = f"The debug buffer {'came' if found.complete else 'is cut off'}, the ETDump after it did not{'' if found.complete else ' come'}."
        return RunEtdump(None, line, (Note("etdump_cut", line, text),))
    whole = announced_size(data)
    gap = found.gap_bytes
    if gap:
        text = f"{len(data):,} bytes stand where {whole:,} are announced, though its end is there: which events are right cannot be told."
        text = f"{found.said_of_damage}, and {text}" if found.odd else text
        return RunEtdump(Report(len(data), (), buffer, False), line, (Note("etdump_damaged", _place(found), text),))
    data = data if whole is None or whole >= len(data) else data[:whole]
    try:
        dump = _decoded(data, found)
    except EtdumpError as error:
        cut = not found.odd and (not found.complete or len(data) < (whole or 0))
        said = f"only {len(data):,} bytes of it came" if cut and not sniff(data) else str(error)
        said = f"{found.said_of_damage}; {said}" if found.odd else said
        note = Note("etdump_cut" if cut else "etdump_damaged", _place(found), f"{said[0].upper()}{said[1:]}.")
        return RunEtdump(Report(len(data), (), buffer, False), line, (note,))
    events = report_events(dump)
    complete = not (dump.unreadable or dump.lost_runs)
    return RunEtdump(Report(len(data), events, buffer, complete), line, tuple(_notes(dump, found, len(events))))


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
    if found.odd:
        notes.append(Note("etdump_damaged", _place(found), _said_of_events(dump, found, listed)))
    elif dump.cut or (dump.announced_bytes is None and not found.complete):
        whole = f" of {dump.announced_bytes:,}" if dump.announced_bytes is not None else ""
        text = f"{dump.bytes:,}{whole} bytes came; {listed - dump.unreadable:,} of the {listed:,} events listed can be read"
        if dump.recovered:
            text += f" ({dump.recovered:,} of them by the layout that ExecuTorch is known to write)"
        if dump.lost_runs:
            text += f"; {dump.lost_runs:,} more block{'s of events are' if dump.lost_runs > 1 else ' of events is'} lost whole"
        notes.append(Note("etdump_cut", found.line, f"{text}."))
    elif dump.unreadable or dump.lost_runs:
        text = f"{dump.unreadable:,} of the {listed:,} events listed cannot be read."
        if dump.lost_runs:
            text = f"{text[:-1]}, nor can the lists of {dump.lost_runs:,} blocks."
        notes.append(Note("etdump_damaged", found.line, text))
    elif dump.garbled:
        text = f"The name of a block of events or of an allocator is garbled; the {listed:,} events listed can be read."
        notes.append(Note("etdump_damaged", found.line, text))
    elif found.passed_over:
        text = f"{found.passed_over:,} characters inside the block are not part of it and were passed over."
        notes.append(Note("etdump_damaged", found.line, text))
    if found.buffer_odd:
        text = (
            f"{_said_of(found.buffer_odd, (found.buffer_line,))}, in the debug buffer; the ETDump is not touched by it."
        )
        notes.append(Note("etdump_damaged", found.buffer_line, text))
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
    if found.inside and found.complete and dump.announced_bytes == dump.bytes:
        text = f"It is {_lines(found.inside)}; without it the block has exactly the {dump.bytes:,} bytes announced, and is read so."
        notes.append(Note("etdump_inside", found.inside[0], text))
    return notes


def _place(found: Blocks) -> int:
    return found.marred[0] if found.marred else found.line


def _lines(lines: Sequence[int]) -> str:
    if len(lines) == 1:
        return f"line {lines[0]}"
    return f"lines {', '.join(map(str, lines[:-1]))} and {lines[-1]}"


def _said_of(odd: int, lines: Sequence[int]) -> str:
    return f"{odd:,} character{'s' if odd > 1 else ''} on {_lines(lines)} {'are' if odd > 1 else 'is'} no base64"


def _said_of_events(dump: Etdump, found: Blocks, listed: int) -> str:
    read = f"{listed - dump.unreadable:,} of the {listed:,} events listed"
    lost = (
        f"; {dump.lost_runs:,} block{'s of events are' if dump.lost_runs > 1 else ' of events is'} lost whole"
        if dump.lost_runs
        else ""
    )
    if found.passed_over:
        return f"{found.said_of_damage}, and stand between the others; without them the block has its announced size, and is read so."
    if not found.cut_at_damage:
        return (
            f"{found.said_of_damage}; what stood there ({found.damaged_bytes:,} of {dump.bytes:,} bytes) is not used: "
            f"{read} need none of it, have a plausible name and are read{lost}."
        )
    whole = f" of the {dump.announced_bytes:,}" if dump.announced_bytes is not None else ""
    return f"{found.said_of_damage}; only the {dump.bytes:,}{whole} bytes before are used: {read} can be read from them{lost}."
