"""An ETDump from its bytes: which reader fits it, and what to say where it is none."""

from __future__ import annotations

from collections.abc import Sequence
from struct import error as StructError

from .flatbuffer import U32, Damaged
from .reader import HEAD_BYTES, DumpReader, Etdump, EtdumpError, announced_size, sniff


def decode(data: bytes, damage: Sequence[tuple[int, int]] = (), *, doubtful: bool = False) -> Etdump:
    """Decode an ETDump, whole or cut; `damage`: where bytes stand in it (from, up to) that are known to be wrong.

    `doubtful`: it came with damage, so that what is read must look like what a dump holds.

    Raises:
        EtdumpError: it is not an ETDump, or it is cut or damaged before its list of runs.
    """
    if damage and damage[0][0] < HEAD_BYTES:
        raise EtdumpError("the ETDump is damaged at its very beginning, without which nothing of it can be read")
    if len(data) < HEAD_BYTES or not sniff(data):
        raise EtdumpError("it is no ETDump: the identifier ED00 is not at its beginning")
    announced = announced_size(data)
    body = data
    if announced is not None:
        announced -= 4
        body = data[4 : 4 + announced]
    whole = len(body) if announced is None or damage else announced
    reader = DumpReader(body, whole)
    if damage or doubtful:
        from .damaged import DamagedReader  # few dumps are

        size = 4 if announced is not None else 0
        reader = DamagedReader(body, [(start - size, end - size) for start, end in damage], whole)
    try:
        root = reader.table(U32.unpack_from(body)[0], "root")
        version = reader.number(root, 0, U32, 0)
        places = reader.places(root, 1)
    except (Damaged, StructError):
        raise EtdumpError(
            f"the ETDump is cut before its list of runs: {len(body):,} of {announced:,} bytes are there"
            if reader.cut
            else "the ETDump is damaged: its list of runs cannot be found"
        ) from None
    runs = [run for run in (reader.run(place) for place in places) if run is not None]
    return Etdump(
        len(body),
        announced,
        version,
        tuple(runs),
        reader.unreadable,
        reader.lost_runs,
        reader.recovered,
        reader.garbled,
    )
