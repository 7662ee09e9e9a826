"""What of a program cannot work on a target, said before anything starts; and what works, but not as one may think."""

from __future__ import annotations

from ..compiles.vendor_configs import mode_family
from ..meaning.boards import BOARDS, Board, BoardMemory, Sourced
from ..meaning.memory_mode import family, timing_adapters
from ..named_tuple import TYPE_CHECKING, NamedTuple
from ..program.needs import ETHOS_U, fits_on_boards
from ..program.report import Program

if TYPE_CHECKING:
    from collections.abc import Iterator


class Hardware(NamedTuple):
    """What a target has, as far as it is known."""

    name: str
    """As a sentence calls it."""
    npu: str | None
    macs: int | None
    simulator: bool
    board: str | None = None
    memories: tuple[tuple[str, int], ...] = ()
    """In place of those of the board."""
    memory_mode: str | None = None
    """That its runner was built for."""
    system_config: str | None = None
    """The same."""
    doubtful: bool = False
    """Nobody has checked which NPU it is."""

    @property
    def configuration(self) -> str:
        """As `ethos-u55-128`, or the family alone."""
        return f"{self.npu}-{self.macs}" if self.macs is not None else str(self.npu)


class Judgement(NamedTuple):
    """Why a program cannot run there, with what to do; and what is worth knowing of it."""

    refusal: tuple[str, str] | None
    notes: tuple[str, ...] = ()


def targets_of(program: Program) -> tuple[str, ...]:
    """The NPU configurations that its delegates were compiled for, each once."""
    builds = (delegate.build for delegate in program.delegates if delegate.id == ETHOS_U)
    return tuple(dict.fromkeys(build.target for build in builds if build is not None and build.target is not None))


def judge(program: Program, path: str, hardware: Hardware) -> Judgement:
    """Whether this program can run on that target."""
    refusal = _refusal(program, path, hardware)
    doubts: tuple[str, ...] = ()
    if refusal is not None and hardware.doubtful:
        refusal = _refusal(program, path, hardware._replace(npu=None, macs=None))
        if refusal is None:
            doubts = (
                f"{path} was compiled for {targets_of(program)[0]}, and {hardware.name} is said to have an "
                f"{hardware.configuration}, which nobody has checked",
            )
    return Judgement(refusal, (*doubts, *_notes(program, path, hardware)))


def _refusal(program: Program, path: str, hardware: Hardware) -> tuple[str, str] | None:
    targets = targets_of(program)
    if len(targets) > 1:
        text = f"{path} has parts for {' and for '.join(targets)}: no NPU runs both"
        return text, "compile it for one target"
    for target in targets:
        npu, _, size = target.rpartition("-")
        other = hardware.npu not in (None, npu) or hardware.macs is not None and size != str(hardware.macs)
        if other:
            text = f"{path} was compiled for {target}, and {hardware.name} has an {hardware.configuration}"
            how = f"with --target {hardware.configuration}" if hardware.macs is not None else f"for an {hardware.npu}"
            return text, f"compile it {how}, or run it on an {target}"
        if npu == "ethos-u55":
            for mode in _modes(program):
                if family(mode) == "Dedicated_Sram":
                    text = f"{path} was compiled for {target} with {mode}, which an Ethos-U55 cannot work with"
                    return text, "compile it with --memory-mode Shared_Sram or Sram_Only"
    return None


def _modes(program: Program) -> tuple[str, ...]:
    builds = (delegate.build for delegate in program.delegates if delegate.id == ETHOS_U)
    return tuple(dict.fromkeys(build.memory_mode for build in builds if build is not None and build.memory_mode))


def _notes(program: Program, path: str, hardware: Hardware) -> Iterator[str]:
    modes = _modes(program)
    configs = dict.fromkeys(d.build.system_config for d in program.delegates if d.build is not None)
    if hardware.simulator and len(modes) == 1 and len(configs) == 1:
        (config,) = configs
        said = timing_adapters(config, modes[0], "fvp") if config is not None else None
        if said is not None and said.startswith("none"):
            yield (
                f"ExecuTorch's runner has no timing adapters for {config} with {modes[0]}: where it was built so, the FVP's "
                "memories have no delays, and its cycles are too few"
            )
    built = hardware.memory_mode
    if built is not None and mode_family(built) is not None:
        for mode in modes:
            if family(mode) != family(built):
                yield (
                    f"{path} was compiled for {mode}, and the runner of {hardware.name} was built for {built}: it runs, "
                    "but slower, or through another port than Vela planned for"
                )
    adapted = hardware.system_config
    if hardware.simulator and adapted is not None:
        for config in configs:
            if config not in (None, adapted):
                yield (
                    f"{path} was compiled for {config}, and the runner of {hardware.name} was built for {adapted}: the FVP's "
                    "memories are as slow as in the latter"
                )
    board = _board(hardware)
    if board is not None:
        (fit,) = fits_on_boards(program, (board,))
        if fit.fit == "does not fit":
            yield f"{path} does not fit on {hardware.name}: {'; '.join(fit.reasons)}"


def _board(hardware: Hardware) -> Board | None:
    """The board to hold memories against; its NPU is compared elsewhere."""
    known = BOARDS.get(hardware.board or "")
    if known is None and not (hardware.memories and hardware.npu):
        return None
    board = known or Board(
        hardware.name,
        hardware.name,
        "fvp" if hardware.simulator else "board",
        str(hardware.npu),
        hardware.macs,
        None,
        "",
    )
    if hardware.memories:
        said = tuple(
            BoardMemory(name, Sourced(size, "the target's entry", "source")) for name, size in hardware.memories
        )
        board = board._replace(memories=said)
    return board
