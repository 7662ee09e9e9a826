"""Options for what a log does not print (clock, board, MACs), and the figures and findings that follow from them."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from ...analysis.named_tuple import TYPE_CHECKING, NamedTuple
from ...runners.job import UsageError

if TYPE_CHECKING:
    import argparse
    from typing import Any

    from ...analysis.meaning.assumptions import Assumptions
    from ...analysis.meaning.boards import Board
    from ...analysis.report import Capture, CompileSummary, Finding, Run
    from ...analysis.rows.store import RunStore
    from ...runners.reading.settings import ReadSettings

_OPTIONS: tuple[tuple[str, str, str], ...] = (
    ("--npu-clock", "HZ", "clock of the NPU (400MHz), to turn its cycles into time; no log prints it"),
    (
        "--cpu-clock",
        "HZ",
        "clock of the CPU; used if the log shows hardware, since CPU cycles of an FVP are not time",
    ),
    (
        "--board",
        "NAME",
        "a known board (alif-e8-hp, imx93, ...) or your own target: its clocks, and whether the run fits there",
    ),
    ("--target", "TARGET", "the NPU that the log does not name (ethos-u55-128)"),
    ("--macs", "N", "multiply-accumulates of one inference of the model (Vela: Neural network macs)"),
    (
        "--system-config",
        "NAME",
        "system config of vela.ini (Arm's, or a vendor's like RTSS_HP_SRAM_MRAM), for clock and peak bandwidth",
    ),
    ("--memory-mode", "NAME", "Vela memory mode, to tell external from SRAM traffic"),
    ("--beat-bytes", "N", "width of the NPU's ports if it is not 8 (U55) or 16 (U65, U85)"),
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add them to a command."""
    group = parser.add_argument_group("assumptions for what a log does not print")
    for option, name, text in _OPTIONS:
        group.add_argument(option, metavar=name, help=text)


class Derivation(NamedTuple):
    """Adds derived figures and their findings to a capture; it may go to another process."""

    given: Assumptions | None
    told: dict[str, str]
    """What was said of runs that were read on their own, by rule."""

    def at(self, path: str) -> Derivation:
        """The same for a stored run, whose folder says which target it ran on; what the user said counts more."""
        from ...analysis.meaning.assumptions import NOTHING, of_place, over
        from ...runners.targets.recorded import recorded_place

        place = of_place(recorded_place(path))
        return self if place is NOTHING else self._replace(given=over(self.given or NOTHING, place))

    def assumed(self, path: str) -> Assumptions | None:
        """What counts for the capture of this path: what the user said, and the place where a stored run ran."""
        return self.at(path).given if os.path.isdir(path) else self.given

    def stored(self, settings: ReadSettings, path: str) -> ReadSettings:
        """The settings for the stored run at this path."""
        known = self.at(path)
        if known is self:
            return settings
        return settings._replace(
            complete=known.of_run if settings.complete is not None else None,
            derive=known.of_capture if settings.derive is not None else None,
        )

    def of_capture(self, capture: Capture) -> Capture:
        """The capture with what follows from it."""
        if self.given is None and not any(run.pmu is not None and run.pmu.npu_cycles for run in capture.runs):
            return capture  # nothing to derive from, and nothing to import for it
        from ...analysis.meaning.derive import derive

        return derive(capture) if self.given is None else derive(capture, self.given)

    def of_run(self, run: Run, findings: Sequence[Finding] = (), summaries: Sequence[CompileSummary] = ()) -> Run:
        """The same for one run that is read on its own, with the findings about it and the compiles before it."""
        if self.given is None and not (run.pmu is not None and run.pmu.npu_cycles):
            return run
        from ...analysis.meaning.derive import NOTHING, derive_run

        rules = frozenset(f.rule for f in findings if f.run == run.index)
        found = derive_run(run, summaries, NOTHING if self.given is None else self.given, rules, judge=False)
        if found.findings and self.given is not None:
            from ...analysis.meaning.unused import untold

            for finding in untold(self.given, run, found.findings):
                self.told.setdefault(finding.rule, f"{finding.title}. {finding.detail} {finding.advice}")
        return found.run

    def unused(self, store: RunStore) -> list[str]:
        """What is to be said of options that contradict runs, where their findings are not printed."""
        if self.given is None:
            return []
        from ...analysis.meaning.unused import unused_options

        return [*unused_options(self.given, store), *self.told.values()]


def meaning(options: argparse.Namespace) -> Derivation:
    """What adds derived figures and their findings to a capture.

    Raises:
        UsageError: an option does not say what it should.
    """
    names = [option[2:].replace("-", "_") for option, _, _ in _OPTIONS]
    return Derivation(_assumptions(options) if any(getattr(options, name) is not None for name in names) else None, {})


def _assumptions(options: argparse.Namespace) -> Assumptions:
    from ...analysis.meaning.assumptions import Assumptions, checked, parse_count, parse_hz

    def read(name: str, parse: Callable[[str], Any]) -> Any:
        text = getattr(options, name)
        return None if text is None else parse(text)

    board = options.board
    own = _own_board(board) if board is not None else None
    try:
        return checked(
            Assumptions(
                npu_clock_hz=read("npu_clock", parse_hz),
                cpu_clock_hz=read("cpu_clock", parse_hz),
                board=own.name if own is not None else read("board", str.lower),
                own_board=own,
                target=read("target", str.lower),
                model_macs=read("macs", parse_count),
                beat_bytes=read("beat_bytes", parse_count),
                system_config=options.system_config,
                memory_mode=options.memory_mode,
            )
        )
    except ValueError as error:
        raise UsageError(str(error)) from None


def _own_board(name: str) -> Board | None:
    """A target of the user's own under that name, which the board data do not have."""
    from ...analysis.meaning.boards import BOARDS

    if name.strip().lower() in BOARDS:
        return None
    from ...runners.targets.as_board import own_board

    return own_board(name.strip())
