"""Memory that a program needs on its target, region by region, from the file alone; and whether a board has it.

What Vela planned is exact: the scratch memory of each delegate, of which one is in use at a time.  What the memory mode names
is where it must be for Vela's plan to hold.  Firmware, stack, and the runner's own pools come on top and are in no file.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..compiles.vendor_configs import mode_family
from ..meaning.boards import BOARDS, Board, BoardMemory
from ..named_tuple import TYPE_CHECKING, NamedTuple
from ..targets import cache_bytes
from ..units import format_bytes

if TYPE_CHECKING:
    from typing import Literal

    from ..tables import Tone
    from .report import Program

    Fit = Literal["fits", "does not fit", "cannot tell"]
    Place = Literal["SRAM", "external", "any", "unknown"]

ETHOS_U = "EthosUBackend"


class Need(NamedTuple):
    """One region: program, weights, commands, scratch, fast_scratch or planned_buffers; `bytes` is None where the file does
    not say."""

    region: str
    bytes: int | None
    memory: Place
    """Where the memory mode wants it; "external" is flash or DRAM."""
    note: str


class Check(NamedTuple):
    """One comparison of a board's memory with a need."""

    fit: Fit
    reason: str
    needed_bytes: int | None = None
    available_bytes: int | None = None


class BoardFit(NamedTuple):
    """Whether a program fits on a board, with the reason that decides first."""

    board: str
    title: str
    fit: Fit
    checks: tuple[Check, ...]

    @property
    def reasons(self) -> tuple[str, ...]:
        """Those of the verdict."""
        return tuple(check.reason for check in self.checks if check.fit == self.fit)


WORST_FIRST: tuple[Fit, ...] = ("does not fit", "cannot tell", "fits")
"""Of several verdicts the first one here counts."""
VERDICT_TONES: dict[Fit, Tone] = {"fits": "good", "does not fit": "bad", "cannot tell": "warn"}


def worst_fit(fits: Iterable[Fit]) -> Fit:
    """The verdict of all together; "fits" where there is none."""
    return min(fits, key=WORST_FIRST.index, default="fits")


def modes_of(program: Program) -> tuple[str | None, ...]:
    """The families of memory modes that its Ethos-U delegates were compiled for; None for one that is not known."""
    found: dict[str | None, None] = {}
    for delegate in program.delegates:
        if delegate.id == ETHOS_U:
            found[mode_family(delegate.build.memory_mode if delegate.build is not None else None)] = None
    return tuple(found)


def needs_of(program: Program) -> tuple[Need, ...]:
    """The regions of a program."""
    needs = [Need("program", program.bytes, "any", "the file, with all that follows but scratch and buffers in it")]
    modes = modes_of(program)
    mode = modes[0] if len(modes) == 1 else None
    streams = [(d, d.vela) for d in program.delegates if d.id == ETHOS_U]
    if streams:
        sizes = [stream.weight_bytes if stream is not None else None for _, stream in streams]
        commands = [stream.command_bytes if stream is not None else None for _, stream in streams]
        note = {
            "Sram_Only": "Vela's cycles hold where the program itself is in SRAM",
            "Shared_Sram": "read from the program over the external port",
            "Dedicated_Sram": "read from the program over the external port",
        }.get(mode or "", "")
        where: Place = "unknown" if mode is None else "SRAM" if mode == "Sram_Only" else "external"
        needs.append(Need("weights", _sum(sizes), where, note))
        needs.append(Need("commands", _sum(commands), where, note))
        scratch = [stream.scratch_bytes if stream is not None else None for _, stream in streams]
        where = "unknown" if mode is None else "external" if mode == "Dedicated_Sram" else "SRAM"
        note = "the NPU's feature maps, inputs and outputs" + ("; the largest of the delegates" if streams[1:] else "")
        needs.append(Need("scratch", _most(scratch), where, note))
        if "Dedicated_Sram" in modes:
            limits = [_cache_bytes(d.build.memory_mode or "", d.build.flags) for d, _ in streams if d.build is not None]
            note = "at most: Vela may use less" if None not in limits else "as large as the runner gives it"
            needs.append(Need("fast_scratch", _most(limits), "SRAM", note))
    planned = max((sum(method.planned_buffers_bytes) for method in program.methods), default=0)
    needs.append(
        Need("planned_buffers", planned, "any", "activations between the operators; the runner allocates them")
    )
    return tuple(needs)


def _sum(sizes: Iterable[int | None]) -> int | None:
    total = 0
    for size in sizes:
        if size is None:
            return None
        total += size
    return total


def _most(sizes: Iterable[int | None]) -> int | None:
    most = 0
    for size in sizes:
        if size is None:
            return None
        most = max(most, size)
    return most


def _cache_bytes(mode: str, flags: tuple[str, ...]) -> int | None:
    for flag in flags:
        name, _, value = flag.partition("=")
        if name == "--arena-cache-size" and value.isdigit() and len(value) < 16:
            return int(value)
    return cache_bytes(mode)


SRAM = ("sram", "socmem", "npu_sram", "ocram")
STORAGE = ("mram", "flash", "qspi", "rram", "ddr")
OTHER_RAM = ("tcm", "dtcm", "bram", "ddr")


def fits_on_boards(program: Program, boards: Iterable[Board] = ()) -> tuple[BoardFit, ...]:
    """A verdict for each board of the board data, or for these."""
    needs = {need.region: need for need in needs_of(program)}
    return tuple(_fit(program, needs, board) for board in boards or BOARDS.values())


def _fit(program: Program, needs: dict[str, Need], board: Board) -> BoardFit:
    checks = list(_npu(program, board))
    if all(check.fit != "does not fit" for check in checks):
        if program.cut:
            checks.append(Check("cannot tell", "the file is cut off"))
        checks += _memory(needs, board)
    return BoardFit(board.name, board.title, worst_fit(check.fit for check in checks), tuple(checks))


def _npu(program: Program, board: Board) -> Iterable[Check]:
    targets = {d.build.target if d.build is not None else None for d in program.delegates if d.id == ETHOS_U}
    for target in sorted(targets, key=str):
        if target is None:
            yield Check("cannot tell", "a delegate does not say which NPU it is for")
            continue
        family, _, macs = target.rpartition("-")
        if family != board.npu or board.macs is not None and macs.isdigit() and int(macs[:9]) != board.macs:
            yield Check("does not fit", f"it is for {target}, the board has {board.npu_name}")
        else:
            yield Check("fits", f"it is for {target}")
    for backend in sorted({d.id for d in program.delegates} - {ETHOS_U}):
        yield Check("cannot tell", f"it needs {backend}, whose memory is not known here")


def _memory(needs: dict[str, Need], board: Board) -> Iterable[Check]:
    scratch, fast = needs.get("scratch"), needs.get("fast_scratch")
    in_sram = 0
    for need, name in ((scratch, "scratch"), (fast, "fast scratch")):
        if need is None:
            continue
        if need.memory == "unknown":
            yield Check("cannot tell", "the memory mode is not known", need.bytes)
        elif need.bytes is None:
            yield Check("cannot tell", f"the size of the {name} is not in the file")
        elif need.memory == "SRAM":
            in_sram += need.bytes
            yield one_memory(need.bytes, name, board, SRAM, complete=True)
        else:
            yield one_memory(need.bytes, name, board, ("ddr",), complete=board.platform == "fvp")
    planned, program = needs["planned_buffers"].bytes or 0, needs["program"].bytes or 0
    if planned:
        rest = one_memory(planned + in_sram, "scratch and buffers", board, SRAM, complete=False)
        if rest.fit != "fits":
            beside = one_memory(planned, "buffers", board, OTHER_RAM, complete=board.platform == "fvp")
            rest = beside if beside.fit != "cannot tell" or beside.available_bytes is not None else rest
        yield rest
    stored = one_memory(program, "program", board, STORAGE, complete=board.platform == "fvp")
    if stored.fit != "fits":
        beside = one_memory(program + planned + in_sram, "program and all it needs", board, SRAM, complete=False)
        if beside.fit == "fits":
            stored = beside
    yield stored


def one_memory(needed: int, what: str, board: Board, names: tuple[str, ...], *, complete: bool) -> Check:
    """Whether one of these memories is large enough; `complete` where the board has no others for it."""
    here: list[BoardMemory] = [memory for memory in board.memories if memory.name in names]
    size = format_bytes(needed)
    if not here:
        return Check("cannot tell", f"{what}: {size}, and the board data name no memory for it", needed)
    largest = max(here, key=lambda memory: (memory.size.value, memory.size.verified))
    room, total = int(largest.size.value), sum(memory.size.value for memory in here)
    text = f"{what}: {size}, {largest.name}: {format_bytes(room)}"
    if not largest.size.verified:
        return Check("cannot tell", f"{text} (unverified)", needed, room)
    if needed <= room:
        return Check("fits", text, needed, room)
    if not complete:
        return Check("cannot tell", f"{text}; external memory is not in the board data", needed, room)
    if needed <= total:
        return Check("cannot tell", f"{text}, all together: {format_bytes(total)}", needed, room)
    return Check("does not fit", text, needed, room)
