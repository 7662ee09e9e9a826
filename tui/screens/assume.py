"""What the user says beside a log (clock, board, MACs, target, ...), asked for in small windows, and as options of `analyze`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ...analysis.meaning.assumptions import NOTHING, Assumptions, checked, parse_count, parse_hz
from ...analysis.meaning.boards import BOARDS, Board
from ...analysis.tables import Cell
from ...analysis.targets import ETHOS_U_TARGETS, MEMORY_MODES, SYSTEM_CONFIGS
from ...analysis.units import format_hz
from .dialogs import AskScreen, Choice

NONE = "none"
ALL = "all of it"
"""Is taken back."""
_LISTED = ("board", "target", "system_config", "memory_mode")
"""Only what is in a list is known, so that typing narrows it."""


class Said(NamedTuple):
    """One thing that can be said."""

    field: str
    option: str
    title: str
    what: str
    parse: Callable[[str], object]
    write: Callable[[object], str]
    short: str
    """For a title line."""


def _hz(value: object) -> str:
    return format_hz(value).replace(" ", "") if isinstance(value, (int, float)) else ""


def _text(value: object) -> str:
    return str(value)


SAID: dict[str, Said] = {
    said.field: said
    for said in (
        Said(
            "npu_clock_hz",
            "--npu-clock",
            "Clock of the NPU",
            "turns NPU cycles into time and bandwidth",
            parse_hz,
            _hz,
            "clock",
        ),
        Said("board", "--board", "Board", "its clocks and memories", str.lower, _text, "board"),
        Said("target", "--target", "Target", "the NPU that the log does not name", str.lower, _text, "target"),
        Said(
            "model_macs",
            "--macs",
            "MACs of the model",
            "for MAC utilisation and the roofline",
            parse_count,
            _text,
            "MACs",
        ),
        Said(
            "system_config",
            "--system-config",
            "System config",
            "clock and peak bandwidth, as in vela.ini",
            _text,
            _text,
            "system config",
        ),
        Said(
            "memory_mode",
            "--memory-mode",
            "Memory mode",
            "tells external from SRAM traffic",
            _text,
            _text,
            "memory mode",
        ),
        Said("cpu_clock_hz", "--cpu-clock", "Clock of the CPU", "for boards only", parse_hz, _hz, "CPU clock"),
        Said(
            "beat_bytes",
            "--beat-bytes",
            "Bytes of a beat",
            "where it is not 8 (U55) or 16 (U65, U85)",
            parse_count,
            _text,
            "beat",
        ),
    )
}


def options_of(given: Assumptions) -> tuple[str, ...]:
    """The options that say the same to `analyze`."""
    words: list[str] = []
    for said in SAID.values():
        value = getattr(given, said.field)
        if value is not None:
            words += (said.option, said.write(value))
    return tuple(words)


def ask_which(given: Assumptions) -> AskScreen:
    """Which of them to change; answers with the option, or `ALL`."""
    choices = []
    for said in SAID.values():
        value = getattr(given, said.field)
        now = f"now {said.write(value)}; " if value is not None else ""
        choices.append(Choice(said.option, f"{now}{said.what}"))
    if given != NOTHING:
        choices.append(Choice(ALL, "is taken back: only what the log says counts"))
    return AskScreen("What the log does not say", hint="type to filter", choices=choices, free=False)


def field_of(option: str) -> str:
    """The field that an option sets."""
    return next(said.field for said in SAID.values() if said.option == option)


def ask_for(
    field: str,
    given: Assumptions,
    npu: str | None = None,
    notes: dict[str, str] | None = None,
    own: Sequence[Board] = (),
) -> AskScreen:
    """Its value; an empty answer takes it back.  `notes` say what becomes of each board."""
    said = SAID[field]
    value = getattr(given, field)
    hint = f"{said.what}; empty: not given"

    def check(text: str) -> str | None:
        try:
            with_value(given, field, text)
        except ValueError as error:
            return str(error)
        return None

    choices = _choices(field, npu, notes or {}, own)
    text = said.write(value) if value is not None else ""
    if field in _LISTED:
        choices.insert(0, Choice(NONE, "take it back" if value is not None else "not given"))
        return AskScreen(said.title, value=text, hint="type to filter", choices=choices, free=False)
    return AskScreen(said.title, value=text, hint=hint, choices=choices, check=check)


def with_value(given: Assumptions, field: str, text: str, own: Sequence[Board] = ()) -> Assumptions:
    """What is said then.

    Raises:
        ValueError: the text is no such value.
    """
    value: Any = SAID[field].parse(text.strip()) if text.strip() not in ("", NONE) else None
    changed = given._replace(**{field: value})
    if field == "board":
        mine = next((board for board in own if board.name == text.strip()), None)
        changed = changed._replace(own_board=mine, board=mine.name if mine is not None else value)
    checked(changed)
    return NOTHING if changed == NOTHING else changed


def _choices(field: str, npu: str | None, notes: dict[str, str], own: Sequence[Board]) -> list[Choice]:
    if field == "board":
        boards = sorted(BOARDS.values(), key=lambda one: (npu not in (None, one.npu), one.platform == "fvp"))
        mine = [Choice(board.name, f"your target: {board.title}, {board.npu}") for board in own]
        return mine + [Choice(board.name, notes.get(board.name) or f"{board.title}, {board.npu}") for board in boards]
    if field == "target":
        return [Choice(target.name) for target in ETHOS_U_TARGETS if npu in (None, target.npu)]
    if field == "system_config":
        found = [config for config in SYSTEM_CONFIGS.values() if npu in (None, config.npu)]
        return [Choice(config.name, f"{format_hz(config.clock_hz)}, {config.axi1}") for config in found]
    if field == "memory_mode":
        return [Choice(mode) for mode in MEMORY_MODES]
    if field == "npu_clock_hz":
        return _clocks(npu)
    return []


def _clocks(npu: str | None) -> list[Choice]:
    """Clocks of boards and system configs, each with who has it."""
    found: dict[float, list[str]] = {}
    for board in BOARDS.values():
        if board.clock_hz is not None and board.clock_hz.verified and npu in (None, board.npu):
            found.setdefault(board.clock_hz.value, []).append(board.name)
    for config in SYSTEM_CONFIGS.values():
        if npu in (None, config.npu):
            found.setdefault(config.clock_hz, []).append(config.name)
    return [Choice(_hz(clock), ", ".join(names[:4])) for clock, names in sorted(found.items())]


def board_note(row: Sequence[Cell]) -> str:
    """What a row of the table of known boards says, in a line: verdict, margin, reason."""
    verdict, left, reason = (cell.text for cell in row[-3:])
    return f"{verdict}{f', {left} left' if left != '-' else ''}: {reason}"
