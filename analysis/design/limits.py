"""Limits of a board's memories as a user writes them, and whether a configuration keeps them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..named_tuple import TYPE_CHECKING, NamedTuple
from ..units import format_bytes, parse_bytes
from .candidates import MEMORIES, Candidate

if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    from .candidates import Memory

    Keeping = Literal["fits", "exceeds", "unknown"]

_MOST = 1 << 50
_EXAMPLE = "as in sram=512KiB,flash=2MiB"

Limits: TypeAlias = "Mapping[Memory, int]"
"""Bytes at most, by memory."""


def parse_limits(texts: Iterable[str]) -> dict[Memory, int]:
    """Read limits such as "sram=512KiB,flash=2MiB". KB is 1000 bytes and KiB is 1024; a bare number is bytes.

    Raises:
        ValueError: one of them is no limit; the message is one sentence that says which and why.
    """
    limits: dict[Memory, int] = {}
    for part in (part.strip() for text in texts for part in text.split(",")):
        if not part:
            raise ValueError(f"a limit is empty: write memory=size, {_EXAMPLE}")
        name, equals, size = (word.strip() for word in part.partition("="))
        memory = next((memory for memory in MEMORIES if memory == name.lower()), None)
        if not equals:
            raise ValueError(f"{part!r} is no limit: write memory=size, {_EXAMPLE}")
        if memory is None:
            raise ValueError(f"{name!r} is no memory to limit: choose one of {', '.join(MEMORIES)}")
        if memory in limits:
            raise ValueError(f"{memory} is limited twice: leave one of them out")
        limits[memory] = _bytes(memory, size)
    return limits


def _bytes(memory: str, text: str) -> int:
    size = parse_bytes(text)
    if size is None:
        raise ValueError(f"{memory}={text} is no size: write a number with B, KB, KiB, MB or MiB, {_EXAMPLE}")
    if not 0 < size <= _MOST:
        raise ValueError(f"{memory}={text} is no limit: it must be more than nothing and at most {format_bytes(_MOST)}")
    return size


def format_limits(limits: Limits) -> str:
    """The limits as text: "SRAM 512.0 KiB, flash 2.0 MiB"."""
    return ", ".join(f"{name_of(memory)} {format_bytes(limits[memory])}" for memory in MEMORIES if memory in limits)


def name_of(memory: Memory) -> str:
    """The name of the memory in a sentence."""
    return memory if memory == "flash" else memory.upper()


class Broken(NamedTuple):
    """A limit that is exceeded, or may be: then `need_bytes` is None."""

    memory: Memory
    limit_bytes: int
    need_bytes: int | None
    reason: str


class Verdict(NamedTuple):
    """Whether a configuration keeps all limits."""

    keeps: Keeping
    broken: tuple[Broken, ...]

    @property
    def reason(self) -> str:
        """Why it does not fit, in one sentence; empty if it fits."""
        return "; ".join(one.reason for one in self.broken)


def judge(candidate: Candidate, limits: Limits) -> Verdict:
    """Whether a configuration keeps these limits, and which one it exceeds by how much.

    A limit whose need is unknown is neither kept nor exceeded. One exceeded limit is enough to decide.
    """
    broken = tuple(one for memory in MEMORIES if memory in limits for one in _broken(candidate, memory, limits[memory]))
    if any(one.need_bytes is not None for one in broken):
        return Verdict("exceeds", broken)
    return Verdict("unknown" if broken else "fits", broken)


def _broken(candidate: Candidate, memory: Memory, limit: int) -> Iterable[Broken]:
    need = candidate.need(memory)
    if need is None:
        yield Broken(memory, limit, None, f"how much {name_of(memory)} it needs is not known")
    elif need > limit:
        text = f"{name_of(memory)}: {_written(need)}{_parts(candidate, memory)} is {_written(need - limit)} over {_written(limit)}"
        yield Broken(memory, limit, need, text)


def _written(size: int) -> str:
    """Exact bytes beside the rounded figure, since a limit may be missed by a few."""
    return format_bytes(size) if size < 1024 or size % 1024 == 0 else f"{format_bytes(size)} ({size:,} bytes)"


def _parts(candidate: Candidate, memory: Memory) -> str:
    if memory == "sram" and candidate.weights_in_sram and candidate.on_chip_flash_bytes:
        return f", of which {format_bytes(candidate.on_chip_flash_bytes)} are weights (Sram_Only)"
    if memory == "flash" and candidate.pte_bytes is not None:
        return " of program"
    return ""
