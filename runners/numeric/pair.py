"""Finds the TOSA graphs that a `.pte` was made of, and refuses those that it was not made of.

Each partition's folder holds its graph and, in `digests.sha256`, what the compiler saw when it compiled it: the SHA-256 of the
delegate and that of the graph.  A delegate in the program must be one of these, and the graph on disk must still be the one.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import NamedTuple

from ...analysis.program.reader import ProgramError, read_program
from ..vela import VELA


class WrongPair(Exception):
    """The program and the graphs do not belong together; the message says which."""


class NoGraphs(Exception):
    """There is nothing to compare with; the message says why."""


class Partition(NamedTuple):
    """A partition's graph, bound to a delegate of the program."""

    number: int
    tosa: Path
    tosa_sha256: str
    delegate_sha256: str


def bound_partitions(folder: Path, pte: Path) -> list[Partition]:
    """The partitions whose graphs the delegates of this program were made of.

    Raises:
        WrongPair: a delegate was made of none of them, or a graph is not what it was.
        NoGraphs: no graph was kept, or the program cannot be read.
    """
    kept = _kept(folder / VELA)
    try:
        data = pte.read_bytes()
        delegates = [d for method in read_program(data).methods for d in method.delegates]
    except (OSError, ProgramError) as error:
        raise NoGraphs(f"{pte} cannot be read: {error}") from error
    if not delegates:
        raise NoGraphs("nothing was delegated, so there is no TOSA graph to check")
    if not kept:
        raise NoGraphs("no TOSA graph was kept beside the program")
    by_delegate = {partition.delegate_sha256: partition for partition in kept}
    found: dict[int, Partition] = {}
    for delegate in delegates:
        if delegate.problem is not None:
            raise NoGraphs(f"delegate {delegate.index} of the program cannot be read: {delegate.problem}")
        blob = data[delegate.start_byte : delegate.start_byte + delegate.size_bytes]
        partition = by_delegate.get(hashlib.sha256(blob).hexdigest())
        if partition is None:
            raise WrongPair(f"delegate {delegate.index} of {pte.name} was made of none of the TOSA graphs in {VELA}/")
        found[partition.number] = partition
    return [found[number] for number in sorted(found)]


def _kept(directory: Path) -> list[Partition]:
    partitions = []
    for path in directory.glob("partition-*"):
        number = path.name.rpartition("-")[2]
        graph = path / "out.tosa"
        try:
            delegate, tosa = (path / "digests.sha256").read_text().split()
            actual = hashlib.sha256(graph.read_bytes()).hexdigest()
        except (OSError, ValueError) as error:
            raise NoGraphs(f"the TOSA graph of partition {number} was not kept whole: {error}") from error
        if actual != tosa:
            raise WrongPair(f"the TOSA graph of partition {number} is not the one that the program was made of")
        partitions.append(Partition(int(number), graph, tosa, delegate))
    return partitions
