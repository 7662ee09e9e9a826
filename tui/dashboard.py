"""What the panes of Home show, as neutral tables: what goes on now, the places to run, and what this machine lacks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ..analysis.tables import Cell, Column, Table, Tone
from ..analysis.units import format_span
from . import glyphs
from .keys_in_force import key_of, with_keys

if TYPE_CHECKING:
    from textual.screen import Screen

    from ..runners.doctor import Tool
    from ..runners.runs.going import Going
    from ..runners.target_overview import Overseen
    from .full_screen import FullScreen

GOING_COLUMNS = (
    Column("Run", least=14),
    Column("Target", least=7),
    Column("Progress", least=15),
    Column("Time", "right"),
)
TARGET_COLUMNS = (Column(""), Column("Target", least=16), Column("State", least=8), Column("NPU"))
TOOL_COLUMNS = (Column(""), Column("Tool", least=26), Column("Detail", least=8))
DOCTOR = "app.page('doctor')"
NO_RUNS = (
    ("app.page('compile')", "compile a bundled model for one or more targets"),
    ("open", "open the log of a board or a simulator"),
    ("report", "read the sample log under the cursor below; {replay} plays it as if it ran now"),
    ("app.page('run')", "run a program on a simulator or on this machine"),
    (DOCTOR, "see what this machine has for that, and what it lacks"),
)
"""The ways in, for a workspace without runs: actions of Home, and what they do."""
_PARTS = 7


_TO_BE_NAMED = {"no url": "a url", "no host": "a host", "no argv": "an argv", "no log": "a log"}
"""What an entry of the user's has to say before a known board can be reached; nothing is broken there."""


class Now(NamedTuple):
    """What goes on: the table, and behind each row the folder of a run or the screen of a compile."""

    table: Table
    behind: tuple[str | FullScreen, ...]


def now_going(
    pages: Sequence[FullScreen], going: Sequence[Going], now: float, own: frozenset[str] = frozenset()
) -> Now:
    """`own` are the folders of compiles that a screen of this app shows already."""
    rows: list[tuple[Cell, ...]] = []
    behind: list[str | FullScreen] = []
    for page in pages:
        name, done, total, left = page.progress
        told = f"about {format_span(left)} left" if left is not None else ""
        rows.append(
            (_name(name, "running"), Cell("this screen" if not total else ""), _counted(done, total), Cell(told))
        )
        behind.append(page)
    for one in going:
        if one.path in own:
            continue
        label = one.label.removesuffix(f" on {one.target}").removesuffix(f" {one.target}")
        rows.append(
            (
                _name(label, one.state),
                Cell((one.target or "-").removeprefix("ethos-")),
                progress_cell(one),
                Cell(time_text(one, now)),
            )
        )
        behind.append(one.path)
    return Now(Table("Now", GOING_COLUMNS, tuple(rows)), tuple(behind))


def _name(label: str, state: str) -> Cell:
    return Cell(f"{glyphs.status_sign(state)} {label}", label, tone="" if state == "running" else "dim")


def progress_cell(one: Going) -> Cell:
    """How far a run is: its stage, the steps counted, or what it waits for."""
    from ..analysis.report import STAGES

    if one.state == "queued":
        return Cell(one.stage or "queued", tone="dim")
    if one.stage in STAGES:
        place = STAGES.index(one.stage)
        return Cell(f"{_bar(place, len(STAGES))} {one.stage}", place)
    if one.total:
        return _counted(one.done or 0, one.total, f" {one.stage}")
    return Cell(one.stage or ("compiling" if one.kind == "compile" else "started"))


def _counted(done: int, total: int, what: str = " done") -> Cell:
    if not total:
        return Cell("running")
    return Cell(f"{_bar(done * _PARTS // total, _PARTS)} {done} of {total}{what}", done)


def _bar(done: int, total: int) -> str:
    done = max(0, min(done, total))
    active = glyphs.ACTIVE if done < total else ""
    return glyphs.DONE * done + active + glyphs.WAITING * (total - done - len(active))


def time_text(one: Going, now: float) -> str:
    """How long it runs, and how long it still takes where the same files ran before."""
    passed = one.passed if one.passed is not None else max(0.0, now - one.since)
    if one.state == "queued" or one.usual is None:
        return format_span(passed)
    left = one.usual.seconds - passed
    if left > 0:
        return f"{format_span(passed)}, about {format_span(left)} left"
    return f"{format_span(passed)}, usually {format_span(one.usual.seconds)}"


class Places(NamedTuple):
    """The targets that can be run on, their names, and how many others are only known."""

    table: Table
    names: tuple[str, ...]
    others: int


def places(targets: Iterable[Overseen], brief: bool = False) -> Places:
    """One row for each target that says where it is; where it is `brief`, what is missing is left to the tools beside it, and why a
    host is not known to answer to the screen of targets."""
    rows, names, others = [], [], 0
    for one in targets:
        if not one.reachable and one.layer == "shipped":
            others += 1
            continue
        sign, text, tone = state_of(one)
        if brief and one.health.ready is not True:
            text = text.partition(": " if one.health.ready is False else "; ")[0]
        rows.append(
            (
                Cell(sign, tone=tone),
                Cell(one.name),
                Cell(text, tone=tone),
                Cell(one.npu.removeprefix("ethos-") or one.kind or "-"),
            )
        )
        names.append(one.name)
    return Places(Table("Targets", TARGET_COLUMNS, tuple(rows)), tuple(names), others)


def state_of(one: Overseen) -> tuple[str, str, Tone]:
    """Sign, words and tone for whether a target could be used now."""
    if one.holders and len(one.holders) >= one.slots:
        more = f" and {len(one.holders) - 1} more" if len(one.holders) > 1 else ""
        return glyphs.ACTIVE, f"in use by {one.holders[0]}{more}", "warn"
    if not one.reachable and one.health.why in _TO_BE_NAMED:
        return glyphs.WAITING, f"known; needs {_TO_BE_NAMED[one.health.why]}", "dim"
    if one.health.ready is False:
        return glyphs.BROKEN, f"missing: {one.health.why}", "warn"
    if one.health.ready is None:
        return glyphs.WAITING, f"free; {one.health.why}" if one.holders == () else one.health.why, ""
    return glyphs.PASSED, "free" if one.holders is not None else "ready", "good"


class Lacks(NamedTuple):
    """The tools of this machine, what is missing first, and how many those are."""

    table: Table
    missing: int


def tools_table(tools: Iterable[Tool]) -> Lacks:
    """One row for each tool."""
    rows = [
        (
            Cell(glyphs.PASSED if tool.found else glyphs.BROKEN, tone="good" if tool.found else "warn"),
            Cell(tool.name.removeprefix("FVP_"), tool.name),
            Cell(tool.detail if tool.found else "missing", tone="dim"),
        )
        for tool in tools
    ]
    rows.sort(key=lambda cells: cells[0].text == glyphs.PASSED)  # the pane is small
    missing = sum(cells[0].text != glyphs.PASSED for cells in rows)
    return Lacks(Table("This machine", TOOL_COLUMNS, tuple(rows)), missing)


def how_to_begin(home: Screen[Any]) -> str:
    """What a list without runs says: the ways in, each with its key."""
    keys = [key_of(home, action) for action, _ in NO_RUNS]
    room = max(map(len, keys))
    ways = (f"{key:<{room}}  {with_keys(home, what)}" for key, (_, what) in zip(keys, NO_RUNS, strict=True))
    return "\n".join(("no runs yet", "", *ways))
