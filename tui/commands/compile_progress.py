"""What `ethosu-tui compile` says on stderr while its jobs run."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence

from ...analysis.lines import clean
from ...analysis.report import Finding
from ...analysis.units import format_seconds
from ...runners.compile.compiler import CompilePoint, CompileResult
from .saying import say


class Progress:
    """Progress on stderr: one line that changes on a terminal, else a line for each step."""

    def __init__(self, points: Sequence[CompilePoint]) -> None:
        self._labels = [point.label for point in points]
        self._stages: dict[int, str] = {}
        self._finished = 0
        self._live = sys.stderr.isatty()
        self._noticed: set[str] = set()

    def stage(self, index: int, stage: str) -> None:
        """A job entered a stage."""
        if self._stages.get(index) == stage:
            return
        self._stages[index] = stage
        if self._live:
            self._draw()
        else:
            say(f"{self._labels[index]}: {stage}")

    def say(self, sentence: str) -> None:
        """Something about all jobs."""
        self.clear()
        say(f"ethosu-tui: {clean(sentence)}")
        if self._live:
            self._draw()

    def notice(self, finding: Finding) -> None:
        """Something is known of the model already; jobs of one family say the same, which is printed once."""
        sentence = clean(f"{finding.title}. {finding.advice}")
        if finding.severity == "info" or sentence in self._noticed:
            return
        self._noticed.add(sentence)
        self.say(sentence)

    def done(self, index: int, result: CompileResult) -> None:
        """A job ended."""
        self._finished += 1
        self._stages.pop(index, None)
        self.clear()
        stopped = [finding for finding in result.findings if finding.rule == "stopped"]
        how = "found" if result.cached else "compiled" if result.status == "ok" else "stopped" if stopped else "failed"
        shared = " (shared graphs)" if result.route == "shared" and not result.cached else ""
        took = format_seconds(result.seconds)
        say(f"[{self._finished}/{len(self._labels)}] {self._labels[index]}: {how} in {took}{shared}")
        for finding in result.findings[:1] if how == "failed" else ():
            say(f"ethosu-tui: {self._labels[index]}: {finding.title}; {finding.advice} Log: {result.log}")
        if self._live:
            self._draw()

    def clear(self) -> None:
        """Take the changing line away."""
        if self._live:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def _draw(self) -> None:
        running = " | ".join(f"{self._labels[index]}: {stage}" for index, stage in self._stages.items())
        room = shutil.get_terminal_size().columns - 1
        print(f"\r\x1b[K{running[:room]}", end="", file=sys.stderr, flush=True)
