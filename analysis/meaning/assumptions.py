"""What the user says beside the log: clocks, MACs, target.  A log prints none of it, so each use of it is named as one."""

from __future__ import annotations

from ..cleaning import compiled
from ..named_tuple import TYPE_CHECKING, NamedTuple
from ..targets import ETHOS_U_TARGETS, MEMORY_MODES, SYSTEM_CONFIGS

if TYPE_CHECKING:
    from ..report import Run
    from .boards import Board

_HZ = {"": 1.0, "hz": 1.0, "k": 1e3, "khz": 1e3, "m": 1e6, "mhz": 1e6, "g": 1e9, "ghz": 1e9}
_SOURCE = r"targets\.[a-z0-9][a-z0-9._-]{0,63}\.(?:cpu_)?clock(?: \(unverified\))?"
_CABLED = ("serial", "ssh")
"""Kinds of targets that are a board, where they name one."""
_COUNTS = {"": 1.0, "k": 1e3, "m": 1e6, "g": 1e9}


class Assumptions(NamedTuple):
    """All optional; what stays None is taken from the log, from a compile in the same capture, or left unknown."""

    npu_clock_hz: float | None = None
    cpu_clock_hz: float | None = None
    board: str | None = None
    """Name in `boards.BOARDS`."""
    target: str | None = None
    """"ethos-u85-256", where the log does not say."""
    model_macs: int | None = None
    """Multiply-accumulates of one inference (Vela: "Neural network macs")."""
    beat_bytes: int | None = None
    """Bytes per beat of the NPU's ports, where they are not 8 (U55) or 16 (U65, U85)."""
    sram_ports: int | None = None
    ext_ports: int | None = None
    system_config: str | None = None
    memory_mode: str | None = None
    npu_clock_source: str = "assumptions.npu_clock_hz"
    """What derived figures name as the source of that clock."""
    cpu_clock_source: str = "assumptions.cpu_clock_hz"
    own_board: Board | None = None
    """A target of the user's own as a board, under the name that `board` says."""
    hardware: bool | None = None
    """Whether the run took place on a board, by its manifest."""


NOTHING = Assumptions()


def parse_hz(text: str) -> float:
    """ "400MHz", "400 M", "4e8", "0.4GHz" to hertz.

    Raises:
        ValueError: not a frequency from 1 kHz to 10 GHz; the message says what is expected.
    """
    value = _scaled(text, _HZ)
    if value is None or not 1e3 <= value <= 1e10:
        raise ValueError(f"{text} is not a clock frequency (write 400MHz, 1GHz or hertz, from 1 kHz to 10 GHz)")
    return value


def parse_count(text: str) -> int:
    """ "300836992", "300.8M", "3.5G" to a whole number.

    Raises:
        ValueError: not a positive number.
    """
    value = _scaled(text.replace(",", "").replace("_", ""), _COUNTS)
    if value is None or not 1 <= value <= 1e15:
        raise ValueError(f"{text} is not a count (write 300836992 or 300.8M)")
    return round(value)


def _scaled(text: str, units: dict[str, float]) -> float | None:
    word = text.strip().lower()
    digits = word.rstrip("abcdfghijklmnopqrstuvwxyz ")
    try:
        value = float(digits) * units[word[len(digits) :].strip()]
    except (KeyError, ValueError):
        return None
    return value if value == value else None


def checked(assumptions: Assumptions) -> Assumptions:
    """The same, if its names are known.

    Raises:
        ValueError: an unknown board, target, system config or memory mode, or a beat that is no width.
    """
    from ..compiles.vendor_configs import VENDOR_CONFIGS, VENDOR_MEMORY_MODES, is_memory_mode, system_config_named
    from .boards import board_named  # only where something was given

    if assumptions.board is not None and assumptions.own_board is None:
        board_named(assumptions.board)
    names = [target.name for target in ETHOS_U_TARGETS]
    if assumptions.target is not None and assumptions.target not in names:
        raise ValueError(f"{assumptions.target} is not an Ethos-U target (one of {', '.join(names)})")
    if assumptions.system_config is not None and system_config_named(assumptions.system_config) is None:
        known = ", ".join((*SYSTEM_CONFIGS, *VENDOR_CONFIGS))
        raise ValueError(f"{assumptions.system_config} is not a known system config (one of {known})")
    if assumptions.memory_mode is not None and not is_memory_mode(assumptions.memory_mode):
        known = ", ".join((*MEMORY_MODES, *VENDOR_MEMORY_MODES))
        raise ValueError(f"{assumptions.memory_mode} is not a known memory mode (one of {known})")
    if assumptions.beat_bytes is not None and assumptions.beat_bytes not in (4, 8, 16, 32):
        raise ValueError(f"{assumptions.beat_bytes} is not the width of a beat (one of 4, 8, 16, 32 bytes)")
    for ports, most in ((assumptions.sram_ports, 4), (assumptions.ext_ports, 2)):
        if ports is not None and not 1 <= ports <= most:
            raise ValueError(
                f"{ports} is not a number of ports (an Ethos-U85 has 1 to 4 for SRAM and 1 or 2 external ones)"
            )
    return assumptions


def board_of(given: Assumptions) -> Board | None:
    """The board that was named: one of the user's own, or of the board data."""
    if given.board is None:
        return None
    if given.own_board is not None:
        return given.own_board
    from .boards import BOARDS  # only here: few calls name a board

    return BOARDS.get(given.board.lower())


def of_place(facts: object) -> Assumptions:
    """What the manifest of a run says of the target that it ran on; whatever makes no sense there is passed over.

    `clock_from` and `cpu_clock_from` are what derived figures name as the source.
    """
    if not isinstance(facts, dict) or not facts:
        return NOTHING
    from .boards import BOARDS

    board, target = facts.get("board"), facts.get("npu_target")
    found = Assumptions(
        board=board if isinstance(board, str) and board in BOARDS else None,
        target=target if target in [known.name for known in ETHOS_U_TARGETS] else None,
        hardware=True if isinstance(board, str) and facts.get("kind") in _CABLED else None,
    )
    for key in ("npu", "cpu"):
        value, source = facts.get(f"{key}_clock_hz"), facts.get(f"{key}_clock_from")
        if not isinstance(value, (int, float)) or isinstance(value, bool) or not 1e3 <= value <= 1e10:
            continue
        if isinstance(source, str) and compiled(_SOURCE).fullmatch(source):
            if key == "npu":
                found = found._replace(npu_clock_hz=float(value), npu_clock_source=source)
            else:
                found = found._replace(cpu_clock_hz=float(value), cpu_clock_source=source)
    return NOTHING if found == NOTHING else found


def over(given: Assumptions, place: Assumptions) -> Assumptions:
    """What the user says, and what the target of the run says where the user says nothing."""
    if given is NOTHING or place is NOTHING:
        return place if given is NOTHING else given
    if (given.npu_clock_hz, given.board, given.system_config) != (None, None, None):
        place = place._replace(npu_clock_hz=None, cpu_clock_hz=place.cpu_clock_hz if given.board is None else None)
    said = {name: value for name, value in given._asdict().items() if value is not None}
    for key in ("npu", "cpu"):
        if f"{key}_clock_hz" not in said and getattr(place, f"{key}_clock_hz") is not None:
            said.pop(f"{key}_clock_source")
    return place._replace(**said)


def on_hardware(run: Run, given: Assumptions) -> Run:
    """The run, of a board where its manifest says so and its log says nothing else."""
    if not given.hardware or run.target.platform is not None:
        return run
    return run._replace(target=run.target._replace(platform="board"))
