"""The five answers to a compile: all figures are Vela's estimates, and each answer says so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ..design.candidates import Candidate
from ..design.fit_table import candidate_of, free, worst_of
from ..design.on_boards import checks_on, is_for
from ..meaning.boards import BOARDS
from ..named_tuple import TYPE_CHECKING
from ..report import CompileSummary, Finding
from ..units import format_bytes, format_cycles, format_hz, format_many, format_percent, format_seconds, is_number
from .answer import Answer, first_sentence, unknown, with_room
from .fix import fix_of

if TYPE_CHECKING:
    from typing import Any

    from ..meaning.boards import Board
    from ..program.needs import Check
    from ..tables import Tone

ASKED = "Did it compile?"
_MEMORIES = {
    "npu": "the NPU",
    "sram": "SRAM",
    "dram": "DRAM",
    "on_chip_flash": "on-chip flash",
    "off_chip_flash": "flash",
}
_NAMES = ("Vela", "ExecuTorch", "XNNPACK", "TOSA", "PyTorch")
"""Words that keep their capital inside a sentence."""
_ADVICE = {
    "npu": "a smaller model, channel counts in multiples of 16, or an NPU with more MACs",
    "sram": "fuse element-wise operators, or use a smaller input",
    "dram": "a larger arena cache (--arena-cache-size), or a memory mode that keeps the arena in SRAM",
    "on_chip_flash": "smaller or pruned weights",
    "off_chip_flash": "smaller or pruned weights, or --optimise Performance with a larger arena cache",
}


def answers_of_compile(
    summary: CompileSummary | None,
    findings: Sequence[Finding] = (),
    entry: Mapping[str, Any] | None = None,
    board: Board | None = None,
) -> tuple[Answer, ...]:
    """The answers to one compile; `entry` is its checked result, where there is more than Vela's summary."""
    entry = entry or {}
    root = next((finding for finding in findings if finding.severity == "error"), None)
    failed = entry.get("status", "ok") != "ok"
    return (
        _compiled(entry, summary, root, failed),
        _speed(summary, failed),
        _fit(entry, summary, board, failed),
        _limit(entry, summary, failed),
        _advice(entry, summary, findings, root),
    )


def _compiled(entry: Mapping[str, Any], summary: CompileSummary | None, root: Finding | None, failed: bool) -> Answer:
    lines = root.lines[:1] if root is not None else ()
    if failed:
        return _said("no", root.title if root is not None else "the log says why", "bad", lines)
    if root is not None:
        word = "yes, but" if entry else "Vela finished, but"  # a log alone does not tell whether the program was saved
        return _said(word, root.title, "bad", lines)
    left, done = (summary.non_delegated_nodes, summary.delegated_nodes) if summary is not None else (None, None)
    if left is not None and done is not None:
        parts = summary.delegated_subgraphs if summary is not None else None
        where = f" in {parts} parts" if parts is not None and parts > 1 else ""
        if left:
            go, stay = "goes" if done == 1 else "go", "stays" if left == 1 else "stay"
            said = f"{format_many(done, 'node')} {go} to the NPU{where}, {left} {stay} on the CPU"
            return _said("yes", said, "warn" if left > done else "good")
        return _said("yes", f"all {done} nodes go to the NPU{where}" if done > 1 else "its one node goes to the NPU")
    if left is not None and summary is not None and summary.delegated_subgraphs:
        return _of_short(left, summary.delegated_subgraphs)
    if summary is not None and summary.npu_operators is not None and summary.cpu_operators is not None:
        return _of_vela(summary.npu_operators, summary.cpu_operators)
    reason = "this summary does not say what the NPU was given" if summary is not None else ""
    return _said("yes", reason)


def _said(word: str, reason: str, tone: Tone = "good", lines: tuple[int, ...] = ()) -> Answer:
    return Answer("passed", word, reason, True, tone, lines, ASKED)


def _of_short(left: int, parts: int) -> Answer:
    """By the short summary, which does not count what was delegated."""
    what = "one part of the model goes" if parts == 1 else f"{parts} parts of the model go"
    if left:
        return _said(
            "yes", f"{what} to the NPU, {format_many(left, 'node')} {'stays' if left == 1 else 'stay'} on the CPU"
        )
    return _said(
        "yes", "the whole model goes to the NPU" if parts == 1 else f"{what} to the NPU, and no node stays on the CPU"
    )


def _of_vela(npu: int, cpu: int) -> Answer:
    """Without a table of ExecuTorch's: what Vela itself could place, counted as its own summary counts."""
    if cpu and not npu:
        what = f"all {cpu} operators" if cpu > 1 else "the one operator"
        return _said("yes, but", f"nothing of it runs on the NPU: Vela left {what} to the CPU", "warn")
    if cpu:
        said = f"Vela put {npu} of the {npu + cpu} operators that it was given on the NPU"
        return _said("yes", said, "warn" if cpu > npu else "good")
    given = f"all {npu} operators that it was" if npu > 1 else "the one operator that it was"
    return _said("yes", f"Vela put {given} given on the NPU")


def _speed(summary: CompileSummary | None, failed: bool) -> Answer:
    if summary is None or summary.total_cycles is None or _nothing_placed(summary):
        return unknown("speed", "it did not compile" if failed else _no_cycles(summary))
    cycles = f"{format_cycles(summary.total_cycles)} cycles"
    if summary.inference_seconds is None:
        return Answer("speed", f"{cycles}, estimated", "no time, because the summary has no clock")
    clock = f" at {format_hz(summary.core_clock_hz)}" if summary.core_clock_hz else ""
    config = f" ({summary.system_config})" if summary.system_config else ""
    return Answer(
        "speed", f"{format_seconds(summary.inference_seconds)} on the NPU, estimated",
        f"Vela's {cycles}{clock}{config}; not measured, and excluding what stays on the CPU",
    )  # fmt: skip


def _nothing_placed(summary: CompileSummary) -> bool:
    """Whether Vela gave the NPU nothing: older releases then print cycles all the same, of which each is 0."""
    return summary.npu_operators == 0 and not summary.total_cycles


def _no_cycles(summary: CompileSummary | None) -> str:
    if summary is not None and _nothing_placed(summary):
        return "nothing of it runs on the NPU"
    if summary is None or (summary.sram_used_bytes is None and summary.npu_cycles is None):
        return "there is no Vela estimate"
    whole = summary.npu_cycles is None
    return (
        "Vela's summary has no cycles here (--verbose-cycle-estimate prints them)"
        if whole
        else "Vela's summary is cut off here, before its cycle total"
    )


def _fit(entry: Mapping[str, Any], summary: CompileSummary | None, board: Board | None, failed: bool) -> Answer:
    if summary is None or summary.sram_used_bytes is None:
        nothing = summary is not None and _nothing_placed(summary)
        reason = "nothing of it runs on the NPU" if nothing else "there is no Vela estimate"
        return unknown("fit", "it did not compile" if failed else reason)
    one = candidate_of(entry, summary)
    sram, flash = one.need("sram"), one.need("flash")
    need = f"{format_bytes(sram)} of SRAM" + (f" and {format_bytes(flash)} of flash" if flash is not None else "")
    beside = "pools and firmware come on top"
    if board is not None:
        return _on_board(one, board, beside)
    boards = [board for board in BOARDS.values() if board.platform == "board" and is_for(one, board)]
    if sram is None:
        planned = format_bytes(summary.sram_used_bytes)
        return unknown("fit", f"the weights are in SRAM as well, and the summary has only the arena ({planned})")
    checks = {board.name: list(checks_on(one, board)) for board in boards}
    fits = [name for name, found in checks.items() if worst_of(found).fit == "fits"]
    why = "" if fits else _missing(checks.values())
    return Answer("fit", f"it needs {need}", f"{with_room(fits, len(boards))}{why}; {beside}")


def _missing(boards: Iterable[Sequence[Check]]) -> str:
    """What would have to be known to tell whether it fits, where that is what keeps all boards from being told."""
    told = [worst_of(found) for found in boards]
    reasons = {check.reason for check in told if check.fit == "cannot tell"}
    return f", as {reasons.pop()}" if len(reasons) == 1 and all(check.fit == "cannot tell" for check in told) else ""


def _on_board(one: Candidate, board: Board, beside: str) -> Answer:
    if not is_for(one, board):
        return Answer(
            "fit",
            f"on {board.name}, no",
            f"it was compiled for {one.target}, the board has {board.npu_name}",
            tone="bad",
        )
    checks = list(checks_on(one, board))
    worst = worst_of(checks)
    reason = "; ".join(check.reason for check in checks if check.fit == worst.fit)
    if worst.fit == "cannot tell":
        return Answer("fit", f"on {board.name}, it cannot be told", reason, known=False, tone="dim")
    if worst.fit == "fits":
        return Answer(
            "fit", f"on {board.name}, yes, {100 * free(worst):.0f} % to spare", f"{reason}; {beside}", tone="good"
        )
    return Answer("fit", f"on {board.name}, no", reason, tone="bad")


def _shares(entry: Mapping[str, Any]) -> dict[str, float]:
    """Share of the estimated cycles by what takes longest in each operator."""
    shares: dict[str, float] = {}
    for operator in entry.get("operators") or ():
        bound, share = operator.get("bound"), operator.get("share_percent")
        if bound in _MEMORIES and is_number(share):
            shares[bound] = shares.get(bound, 0.0) + share
    return shares


def _bound(entry: Mapping[str, Any], summary: CompileSummary | None) -> tuple[str, str] | None:
    """What takes longest, and the evidence."""
    shares = _shares(entry)
    if shares:
        most = max(shares, key=lambda name: shares[name])
        return most, f"{format_percent(shares[most])} of the cycles are in operators that wait for it longest"
    if summary is None or not summary.npu_cycles or summary.total_cycles is None:
        return None  # of a summary that was cut above its last row, the cycles of the memories are not known
    cycles = {
        "npu": summary.npu_cycles,
        "sram": summary.sram_access_cycles or 0,
        "dram": summary.dram_access_cycles or 0,
        "on_chip_flash": summary.on_chip_flash_access_cycles or 0,
        "off_chip_flash": summary.off_chip_flash_access_cycles or 0,
    }
    most = max(cycles, key=lambda name: cycles[name])
    if most == "npu":
        second = max((name for name in cycles if name != "npu"), key=lambda name: cycles[name])
        return (
            most,
            f"{format_cycles(cycles['npu'])} NPU cycles against {format_cycles(cycles[second])} of {_MEMORIES[second]}",
        )
    return most, f"{format_cycles(cycles[most])} cycles of access against {format_cycles(cycles['npu'])} of the NPU"


def _limit(entry: Mapping[str, Any], summary: CompileSummary | None, failed: bool) -> Answer:
    found = _bound(entry, summary)
    if found is None:
        return unknown("limit", "it did not compile" if failed else _no_cycles(summary))
    return Answer("limit", f"{_MEMORIES[found[0]]}, by Vela's estimate", found[1])


def _advice(
    entry: Mapping[str, Any], summary: CompileSummary | None, findings: Sequence[Finding], root: Finding | None
) -> Answer:
    worth = root or next((finding for finding in findings if finding.severity == "warning" and finding.advice), None)
    if worth is not None:
        said, fix = first_sentence(worth.advice), fix_of(worth)
        name = worth.title.startswith(_NAMES)
        why = "" if worth is root else worth.title if name else worth.title[:1].lower() + worth.title[1:]
        if fix is not None and fix not in said:
            said, why = fix, said
        return Answer("advice", said, why, tone="warn" if worth is not root else "", lines=worth.lines[:1])
    if summary is not None and summary.non_delegated_nodes and not _only_borders(summary):
        return Answer(
            "advice", "see what stays on the CPU, and why",
            f"not delegated: {format_many(summary.non_delegated_nodes, 'node')}, which the estimate leaves out",
        )  # fmt: skip
    found = _bound(entry, summary)
    if found is not None:
        why = f"{_MEMORIES[found[0]]} takes longest; run it then, since an estimate is no measurement"
        return Answer("advice", f"try {_ADVICE[found[0]]}", why)
    return unknown("advice", "there is nothing to go by")


def _only_borders(summary: CompileSummary) -> bool:
    """Whether what stays on the CPU only turns floats into integers and back, which every int8 program does."""
    names = summary.non_delegated_operators
    return bool(names) and all("quantize" in name or "getitem" in name for name in names)
