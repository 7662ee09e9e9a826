"""Boards and simulators with an Ethos-U as data: which NPU at which clock, beside what memory, and who says so.

No log prints a clock, so that time needs one from here or from the user.  Every figure carries its source: "source" was
read in source code, a device tree or a log; "vendor" is the maker's documentation; "unverified" is third-party or hearsay
and is never used without saying so.
"""

from __future__ import annotations

from ..named_tuple import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    Trust: TypeAlias = Literal["source", "vendor", "unverified"]


class Sourced(NamedTuple):
    """A figure with who says so."""

    value: float
    source: str
    trust: Trust

    @property
    def verified(self) -> bool:
        """False for hearsay."""
        return self.trust != "unverified"


class BoardMemory(NamedTuple):
    """One memory of a board, by its name there."""

    name: str
    size: Sourced


class Board(NamedTuple):
    """One NPU of one board (a chip with three NPUs is three entries); `clock_hz` is None where there is no real clock."""

    name: str
    title: str
    platform: Literal["fvp", "board"]
    npu: str
    macs: int | None
    clock_hz: Sourced | None
    cpu: str
    cpu_clock_hz: Sourced | None = None
    memories: tuple[BoardMemory, ...] = ()
    note: str = ""
    npu_source: str = ""
    """Who says how many MACs its NPU has."""
    npu_trust: Trust = "vendor"

    @property
    def npu_name(self) -> str:
        """Its NPU with the MACs, as far as they are known: "ethos-u55-128", "ethos-u85"."""
        return self.npu + (f"-{self.macs}" if self.macs is not None else "")

    @property
    def macs_verified(self) -> bool:
        """False where only hearsay says how many MACs its NPU has."""
        return self.npu_trust != "unverified"


_K, _M = 1024, 1024 * 1024


def _memories(source: str, trust: Trust, **sizes: float) -> tuple[BoardMemory, ...]:
    return tuple(BoardMemory(name, Sourced(size, source, trust)) for name, size in sizes.items())


def _hz(mhz: float, source: str, trust: Trust) -> Sourced:
    return Sourced(mhz * 1e6, source, trust)


_C300 = _memories(
    "ExecuTorch's Corstone-300.ld", "source",
    itcm=512 * _K, dtcm=512 * _K, bram=_M, sram=2 * _M, qspi=8 * _M, ddr=1536 * _M,
)  # fmt: skip
_C320 = _memories(
    "ExecuTorch's Corstone-320.ld", "source",
    itcm=32 * _K, dtcm=32 * _K, brom=128 * _K, bram=2 * _M, sram=4 * _M, qspi=8 * _M, ddr=256 * _M,
)  # fmt: skip
_ALIF = "Alif documentation"
_ALIF_PACK = "Alif's CMSIS pack and OpenMV AE3 documentation"
_FVP: tuple[str, Trust] = ("ExecuTorch's run_fvp.sh", "source")
_KIT = "profiles of the ml-embedded-evaluation-kit and of MLIA"
_NO_CLOCK = "An FVP counts NPU cycles and has no clock: give one, or take that of the Vela system config."

BOARDS: dict[str, Board] = {
    board.name: board
    for board in (
        Board("corstone-300-u55", "Corstone-300 FVP", "fvp", "ethos-u55", None, None, "Cortex-M55", None, _C300, _NO_CLOCK, *_FVP),
        Board("corstone-300-u65", "Corstone-300 FVP", "fvp", "ethos-u65", None, None, "Cortex-M55", None, _C300, _NO_CLOCK, *_FVP),
        Board("corstone-320", "Corstone-320 FVP", "fvp", "ethos-u85", None, None, "Cortex-M85", None, _C320, _NO_CLOCK, *_FVP),
        Board("corstone-310", "Corstone-310 FVP", "fvp", "ethos-u55", 256, None, "Cortex-M85", None, (), _NO_CLOCK, _KIT, "vendor"),
        Board("corstone-315", "Corstone-315 FVP", "fvp", "ethos-u65", None, None, "Cortex-M85", None, (), _NO_CLOCK, _KIT, "vendor"),
        Board("corstone-1000-a320", "Corstone-1000 FVP with a Cortex-A320", "fvp", "ethos-u85", None, None, "Cortex-A320", None, (), _NO_CLOCK, "ExecuTorch's scripts", "source"),
        Board(
            "mps3-an552", "MPS3 FPGA, AN547/AN552", "board", "ethos-u55", 128,
            _hz(32, "log of the ml-embedded-evaluation-kit (core clock; the NPU shares it)", "source"),
            "Cortex-M55", _hz(32, "log of the ml-embedded-evaluation-kit", "source"),
            _memories("Arm application note", "vendor", sram=2 * _M), "",
            "log of the ml-embedded-evaluation-kit", "source",
        ),
        Board(
            "mps4-u85", "MPS4 FPGA (SSE-320)", "board", "ethos-u85", 1024, None, "Cortex-M85", None,
            _memories("a public characterisation", "unverified", sram=4 * _M), "The clock depends on the FPGA image.",
            "a public characterisation", "unverified",
        ),
        Board(
            "alif-e7-hp", "Alif Ensemble E3/E7, HP core", "board", "ethos-u55", 256, _hz(400, _ALIF_PACK, "vendor"),
            "Cortex-M55", _hz(400, _ALIF_PACK, "vendor"),
            _memories(_ALIF_PACK, "vendor", sram=13.5 * _M, mram=5.5 * _M, itcm=256 * _K, dtcm=_M), "", _ALIF_PACK,
        ),
        Board(
            "alif-e7-he", "Alif Ensemble E3/E7, HE core", "board", "ethos-u55", 128, _hz(160, _ALIF_PACK, "vendor"),
            "Cortex-M55", _hz(160, _ALIF_PACK, "vendor"), _memories(_ALIF_PACK, "vendor", sram=13.5 * _M, tcm=512 * _K),
            "", _ALIF_PACK,
        ),
        Board(
            "alif-e8-hp", "Alif Ensemble E4/E6/E8, HP core", "board", "ethos-u55", 256, _hz(400, _ALIF, "vendor"),
            "Cortex-M55", _hz(400, _ALIF, "vendor"),
            _memories(_ALIF, "vendor", sram=9.75 * _M, mram=5.5 * _M, tcm=1280 * _K), "", _ALIF,
        ),
        Board(
            "alif-e8-he", "Alif Ensemble E4/E6/E8, HE core", "board", "ethos-u55", 128, _hz(160, _ALIF, "vendor"),
            "Cortex-M55", _hz(160, _ALIF, "vendor"), _memories(_ALIF, "vendor", sram=9.75 * _M, tcm=512 * _K),
            "", _ALIF,
        ),
        Board(
            "alif-e8-u85", "Alif Ensemble E4/E6/E8, Ethos-U85", "board", "ethos-u85", 256, _hz(400, _ALIF, "vendor"),
            "Cortex-M55", _hz(400, _ALIF, "vendor"), _memories(_ALIF, "vendor", sram=9.75 * _M, mram=5.5 * _M),
            "", _ALIF,
        ),
        Board(
            "imx93", "NXP i.MX 93", "board", "ethos-u65", 256, _hz(1000, "NXP (0.5 TOPS)", "vendor"),
            "Cortex-A55, Cortex-M33", None,
            (
                *_memories("Linux device tree", "source", npu_sram=96 * _K),
                *_memories("third parties", "unverified", ocram=640 * _K),
            ),
            "The device tree of mainline Linux assigns 800 MHz to the NPU: give the clock that your system uses.",
            "NXP",
        ),
        Board(
            "himax-we2", "Himax WE2 (HX6538), Grove Vision AI V2", "board", "ethos-u55", 64,
            _hz(400, "himax_vela.ini", "source"), "Cortex-M55", _hz(400, "himax_vela.ini", "source"),
            _memories("third parties", "unverified", sram=2 * _M), "", "himax_vela.ini", "source",
        ),
        Board(
            "psoc-edge-e84", "Infineon PSOC Edge E84", "board", "ethos-u55", 128, _hz(400, "third parties", "unverified"),
            "Cortex-M55", _hz(400, "board page of the Qt documentation", "vendor"),
            _memories(
                "board page of the Qt documentation", "vendor",
                sram=_M, socmem=5 * _M, rram=512 * _K, itcm=256 * _K, dtcm=256 * _K,
            ),
            "", "third parties", "unverified",
        ),
        Board(
            "ra8p1", "Renesas RA8P1", "board", "ethos-u55", 256, _hz(500, "Renesas", "vendor"),
            "Cortex-M85", _hz(1000, "Renesas", "vendor"), _memories("Renesas", "vendor", mram=_M, sram=1664 * _K),
            "", "Renesas",
        ),
        Board(
            "m55m1", "Nuvoton M55M1", "board", "ethos-u55", 256, _hz(220, "Nuvoton", "vendor"),
            "Cortex-M55", _hz(220, "Nuvoton", "vendor"), _memories("Nuvoton", "vendor", sram=1.5 * _M, flash=2 * _M),
            "", "Nuvoton",
        ),
    )
}  # fmt: skip
"""By name, as `--board` takes it."""


def board_named(name: str) -> Board:
    """The board of this name, in any case.

    Raises:
        ValueError: no such board; the message lists those there are.
    """
    board = BOARDS.get(name.strip().lower())
    if board is None:
        raise ValueError(f"{name} is not a known board (one of {', '.join(BOARDS)})")
    return board
