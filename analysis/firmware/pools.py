"""How large the runner's pools must be for a program, each with the terms that it is the sum of.

Planned buffers, inputs and the NPU's scratch memory stand in the file.  What the runtime lays out beside them when it loads a
method is an estimate (`structures.py`), and gets a margin; a pool that holds none of it is exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..named_tuple import TYPE_CHECKING, NamedTuple
from ..program.needs import needs_of
from ..program.report import Method, Program, Tensor
from .calls import MethodCalls
from .releases import NEWEST, Release
from .structures import EVALUE, POINTER, loaded_bytes, resolving_bytes

if TYPE_CHECKING:
    from typing import Literal

    Source = Literal["file", "estimate", "margin"]
    Certainty = Literal["exact", "at least", "estimate", "not known"]
    Runner = Literal["bare-metal", "zephyr"]

ALIGNMENT_BYTES = 16
PLANNED_FAST_INDEX = 2
"""Place of the planned buffer with mem_id 3."""
_MARGIN_PART = 4
_MARGIN_LEAST_BYTES = 256
_TERMS = 64


class Term(NamedTuple):
    """One addend; None where nothing is known of it."""

    what: str
    bytes: int | None
    source: Source


class Pool(NamedTuple):
    """One pool: `name` is method, scratch, fast_scratch or planned_fast."""

    name: str
    bytes: int | None
    """What to give it, rounded up to 16; None where the file and the release do not tell."""
    certainty: Certainty
    """exact: it follows from the file; "at least": something unknown comes on top, which the note names."""
    terms: tuple[Term, ...]
    note: str


def pools_of(
    program: Program, calls: Sequence[MethodCalls], release: Release = NEWEST, runner: Runner = "bare-metal"
) -> tuple[Pool, ...]:
    """The pools of the upstream runner of that release; of several methods, the one that takes the most."""
    method_pools = [
        _method_pool(method, call, release, runner) for method, call in zip(program.methods, calls, strict=True)
    ]
    pools = []
    if method_pools:
        most = max(method_pools, key=lambda pool: (pool.bytes is None, _sum(pool.terms)))
        if method_pools[1:]:
            name = program.methods[method_pools.index(most)].name
            most = most._replace(note=f"method {name}, which takes most; {most.note}")
        pools.append(most)
    needs = {need.region: need for need in needs_of(program)}
    if "scratch" in needs:
        pools.append(_scratch(needs["scratch"].bytes, calls, release, program))
    if "fast_scratch" in needs:
        pools.append(_fast_scratch(needs["fast_scratch"].bytes))
    fast = max((_planned(method, PLANNED_FAST_INDEX) for method in program.methods), default=0)
    if fast and release.planned_fast and runner == "bare-metal":
        note = "mem_id 3, which the runner places in SRAM"
        pools.append(Pool("planned_fast", fast, "exact", (Term("planned buffer 3", fast, "file"),), note))
    return tuple(pools)


def _up(size: int) -> int:
    return -(-size // ALIGNMENT_BYTES) * ALIGNMENT_BYTES


def _planned(method: Method, index: int) -> int:
    sizes = method.planned_buffers_bytes
    return _up(max(sizes[index], 0)) if index < len(sizes) else 0


def _method_pool(method: Method, calls: MethodCalls, release: Release, runner: Runner) -> Pool:
    elsewhere = PLANNED_FAST_INDEX if release.planned_fast and runner == "bare-metal" else None
    terms = [
        Term(f"planned buffer {index + 1}", _up(size), "file")
        for index, size in enumerate(method.planned_buffers_bytes)
        if size > 0 and index != elsewhere
    ]
    terms = _shortened(terms, "planned buffers")
    start = _sum(terms)
    terms += _inputs(method, release, runner)
    notes = []
    if release.structures:
        loaded = loaded_bytes(calls, start)
        margin = max(_MARGIN_LEAST_BYTES, loaded // _MARGIN_PART)
        terms.append(Term("runtime structures, for 32-bit pointers", loaded, "estimate"))
        terms.append(Term("margin over the estimate, and alignment", margin, "margin"))
    else:
        terms.append(Term("runtime structures", None, "estimate"))
        notes.append(f"how release {release.name} lays a method out is not known here: run once and read the log")
    notes.append("an ETDump build takes its buffers from it too")
    if any(term.bytes is None for term in terms):
        return Pool("method", None, "not known", tuple(terms), "; ".join(notes))
    return Pool("method", _up(_sum(terms)), "estimate", tuple(terms), "; ".join(notes))


def _shortened(terms: list[Term], what: str) -> list[Term]:
    """At most so many; what is left is one term, so that a garbled file makes no endless list."""
    rest = terms[_TERMS:]
    if not rest:
        return terms
    unknown = any(term.bytes is None for term in rest)
    return [*terms[:_TERMS], Term(f"{len(rest)} more {what}", None if unknown else _sum(rest), "file")]


def _sum(terms: Iterable[Term]) -> int:
    return sum(term.bytes or 0 for term in terms)


def _inputs(method: Method, release: Release, runner: Runner) -> list[Term]:
    count = len(method.inputs)
    if not count:
        return []
    if runner == "bare-metal" and release.inputs == "values":
        return [Term("handles of the inputs", EVALUE[0] * count + EVALUE[1], "estimate")]
    if runner == "bare-metal" and release.inputs == "pointers":
        return [Term("pointers to the inputs", POINTER * count, "estimate")]
    terms = [Term("pointers to the inputs", POINTER * count, "estimate")]
    for index, value in enumerate(method.inputs):
        if isinstance(value, Tensor):
            size = None if value.size_bytes is None else _up(value.size_bytes)
            terms.append(Term(f"copy of input {index}", size, "file"))
    return _shortened(terms, "copies")


def _scratch(size: int | None, calls: Sequence[MethodCalls], release: Release, program: Program) -> Pool:
    delegates = sum(delegate.vela is not None for delegate in program.delegates)
    many = f", the largest of {delegates} delegates" if delegates > 1 else ""
    terms = [Term(f"scratch memory of the NPU{many}", None if size is None else _up(size), "file")]
    # what kernels and delegates take is given back after each step
    resolving = max((resolving_bytes(method) for method in calls), default=0) if release.inputs != "copies" else 0
    if size is not None and resolving > size:
        terms.append(Term("room for looking up kernels", _up(resolving) - _up(size), "file"))
    if size is None:
        return Pool("scratch", None, "not known", tuple(terms), "a delegate does not say it")
    names = {
        call.operator for method in calls for chain in method.chains for call in chain if call.operator is not None
    }
    takers = sorted(name for name in names if name.startswith(release.temp_kernels))
    if takers:
        note = f"{', '.join(takers[:3])} on the CPU takes from it too, while the NPU does not: make it as large as the larger"
        return Pool("scratch", _sum(terms), "at least", tuple(terms), note)
    return Pool("scratch", _sum(terms), "exact", tuple(terms), "")


def _fast_scratch(size: int | None) -> Pool:
    what = "arena cache of the memory mode"
    if size is None:
        note = "Dedicated_Sram names no size: give what the board has, and compile with that --arena-cache-size"
        return Pool("fast_scratch", None, "not known", (Term(what, None, "file"),), note)
    return Pool("fast_scratch", _up(size), "exact", (Term(what, _up(size), "file"),), "at most: Vela may use less")
