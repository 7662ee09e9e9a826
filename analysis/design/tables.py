"""Tables and sentences of the answers, for the command line and the screens."""

from __future__ import annotations

from collections.abc import Sequence

from ..named_tuple import TYPE_CHECKING
from ..tables import Cell, Column, Table, Tone
from ..units import format_bytes, format_cycles, format_seconds
from .answers import FRONT, Answers
from .limits import format_limits, judge, name_of
from .objectives import OBJECTIVES, rank

if TYPE_CHECKING:
    from .candidates import Candidate, Memory
    from .limits import Limits

_ESTIMATES = "Vela's estimates at the clock of the system config, not measurements."
_WEIGHTS = (
    "In Sram_Only the weights count as SRAM. Flash is the whole program; the runner's own pools come on top of all."
)
KNEE, CHOSEN, ON_FRONT = "knee", "chosen", "front"


def best_first(answers: Answers) -> list[int]:
    """The places of all configurations: first those that fit, the best one first, then the others."""
    fit = answers.fit
    objective = OBJECTIVES[FRONT[0]] if fit is None else fit.objective
    limits = {} if fit is None else fit.limits

    def order(place: int) -> tuple[float, ...]:
        candidate = answers.candidates[place]
        return judge(candidate, limits).keeps != "fits", *rank(candidate, objective)

    return sorted(range(len(answers.candidates)), key=order)


def candidates_table(answers: Answers, title: str = "Configurations", places: Sequence[int] | None = None) -> Table:
    """Configurations as rows, with what they need and what stands out: all (best first), or those at these places."""
    shown = best_first(answers) if places is None else places
    limits = answers.fit.limits if answers.fit is not None else {}
    ignored = dict(answers.ignored)
    memories: list[Memory] = ["sram", "flash"]
    if any(answers.candidates[place].need("dram") for place in shown):
        memories.append("dram")
    rows = []
    for place in shown:
        candidate = answers.candidates[place]
        marks = [mark for mark in marks_of(answers, place) if mark != ON_FRONT or places is None]
        marks += ["limit not kept"] if place in ignored else []
        tone: Tone = "best" if CHOSEN in marks else "warn" if place in ignored else ""
        row = (Cell(candidate.label, candidate.label), *_figures(candidate, limits, memories))
        rows.append((*row, Cell(", ".join(marks), len(marks), None, tone)))
    reasons = [ignored[place].reason for place in shown if place in ignored]
    note = [_ESTIMATES, _WEIGHTS, *(f"Limit not kept: {reason}." for reason in reasons[:1])]
    if answers.front and answers.knee_reason:
        note.append(f"No knee: {answers.knee_reason}.")
    columns = (Column("Configuration"), Column("Time", "right"), Column("Cycles", "right"))
    sizes = (
        Column(name_of(memory).capitalize() if memory == "flash" else name_of(memory), "right") for memory in memories
    )
    return Table(title, (*columns, *sizes, Column("")), tuple(rows), " ".join(note))


def marks_of(answers: Answers, place: int) -> list[str]:
    """What stands out about a configuration: that it was chosen, is the knee, or is on the front."""
    marks = [CHOSEN] if answers.fit is not None and answers.fit.place == place else []
    marks += [KNEE] if answers.knee == place else []
    return marks + ([ON_FRONT] if place in answers.front else [])


def front_table(answers: Answers) -> Table:
    """The Pareto front, fastest first."""
    return candidates_table(answers, "Pareto front of time against SRAM", answers.front)


def boards_table(answers: Answers) -> Table:
    """The best configuration for each board that something was compiled for."""
    columns = (
        Column("Board"), Column("Fit"), Column("Configuration"), Column("Cycles", "right"), Column("SRAM", "right"),
    )  # fmt: skip
    tones: dict[str, Tone] = {"fits": "good", "does not fit": "bad", "cannot tell": "warn"}
    rows = []
    for one in answers.boards:
        if one.fit == "not compiled":
            continue
        candidate = answers.candidates[one.place] if one.place is not None else None
        cycles = candidate.total_cycles if candidate is not None else None
        sram = candidate.need("sram") if candidate is not None else None
        rows.append(
            (
                Cell(one.board, one.board),
                Cell(one.fit, one.fit, None, tones[one.fit]),
                Cell(candidate.label if candidate is not None else "-", one.place),
                Cell(format_cycles(cycles), cycles),
                Cell(format_bytes(sram), sram),
            )
        )
    note = "Cycles are for the memories of the system config, which may not be the board's."
    return Table("Best per board", columns, tuple(rows), note)


def board_reasons(answers: Answers) -> list[str]:
    """Why the answer for a board is not simply yes, and for which boards nothing was compiled."""
    reasons = [f"{one.board}: {one.reason}" for one in answers.boards if one.reason and one.fit != "not compiled"]
    others = [one.board for one in answers.boards if one.fit == "not compiled"]
    return reasons + ([f"Nothing was compiled for the NPU of {', '.join(others)}."] if others else [])


def verdict(answers: Answers) -> str:
    """The answer to `--fit` and `--minimise` in one or two sentences."""
    fit = answers.fit
    if fit is None:
        return ""
    because = f" ({fit.objective_reason})" if fit.objective_reason else ""
    if fit.place is None:
        return f"{fit.reason}.{because}"
    chosen = answers.candidates[fit.place]
    under = f" within {format_limits(fit.limits)}" if fit.limits else ""
    text = f"Least {fit.objective.title}{under}: {chosen.label}"
    text += f", {format_cycles(chosen.total_cycles)} cycles, {format_seconds(chosen.seconds)}, {format_bytes(chosen.need('sram'))} of SRAM"
    if fit.unlimited is not None and fit.unlimited != fit.place:
        text += f"; against the same without an arena limit: {_against(chosen, answers.candidates[fit.unlimited])}"
    return f"{text}.{because}"


def _against(chosen: Candidate, plain: Candidate) -> str:
    parts = []
    pairs = ((chosen.total_cycles, plain.total_cycles, "cycles"), (chosen.need("sram"), plain.need("sram"), "SRAM"))
    for ours, theirs, what in pairs:
        if ours is not None and theirs:
            percent = 100 * (ours / theirs - 1)
            text = f"{percent:+.3f} %" if abs(percent) < 1 else f"{percent:+.1f} %"
            parts.append(
                f"{text} {what}" if ours != theirs else f"as much {what}" if what == "SRAM" else f"as many {what}"
            )
    return ", ".join(parts)


def _figures(candidate: Candidate, limits: Limits, memories: Sequence[Memory]) -> tuple[Cell, ...]:
    broken = {one.memory for one in judge(candidate, limits).broken if one.need_bytes is not None}
    return (
        Cell(format_seconds(candidate.seconds), candidate.seconds),
        Cell(format_cycles(candidate.total_cycles), candidate.total_cycles),
        *(
            Cell(format_bytes(size := candidate.need(memory)), size, None, "bad" if memory in broken else "")
            for memory in memories
        ),
    )
