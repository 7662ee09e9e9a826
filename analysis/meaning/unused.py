"""Which options contradict which runs of a post-mortem, where nobody prints the findings of each run.

A table of all runs, a CSV and a stream of JSON lines hold no warnings; what was asked for and not done is still to be said.
Rows are enough to tell: they hold the target, the NPU's cycles and the inferences.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..report import Finding, Run, Target
from ..rows.store import ABSENT, RunStore
from .assumptions import Assumptions
from .contradictions import not_of_this_run


def unused_options(given: Assumptions, store: RunStore) -> list[str]:
    """One sentence for each option that was not used for some of the runs, with how many they are."""
    told: dict[str, tuple[int, Finding]] = {}
    for target, count in store.counts("target", 0, store.count).items():
        for finding in _told_of(given, target):
            before, first = told.get(finding.rule, (0, finding))
            told[finding.rule] = before + count, first
    said = [
        f"{_of(count, store)}{finding.title}. {finding.detail} {finding.advice}" for count, finding in told.values()
    ]
    beyond = _beyond(given, store) if given.model_macs is not None else 0
    if beyond:
        said.append(
            f"{_of(beyond, store)}--macs {given.model_macs} is more than the NPU could do in its cycles, and is not used "
            "there. Give the MACs of one inference of that model."
        )
    return said


def _of(count: int, store: RunStore) -> str:
    return "" if store.count == 1 else f"{count:,} of {store.count:,} runs: "


def untold(given: Assumptions, run: Run, findings: Sequence[Finding]) -> list[Finding]:
    """Those of a derived run that `unused_options` cannot know: its counters, or the compile beside it, contradict an option."""
    told = {finding.rule for finding in _told_of(given, run.target.name or run.target.npu)}
    return [
        finding
        for finding in findings
        if finding.rule in _OF_OPTIONS
        and finding.rule not in told
        and (
            finding.rule != "macs-not-of-this-run" or (given.model_macs is not None and "MAC_ACTIVE" in finding.detail)
        )
    ]


_OF_OPTIONS = frozenset(
    (
        "board-not-of-this-run", "target-not-of-this-run", "system-config-not-of-this-run", "memory-mode-not-of-this-run",
        "macs-not-of-this-run", "memory-mode-mismatch",
    )
)  # fmt: skip


def _told_of(given: Assumptions, target: str | None) -> list[Finding]:
    family, macs = _parts(target or "")
    known = Target(name=target if macs is not None else None, npu=family, macs=macs)
    run = Run(index=0, first_line=0, last_line=0, status="passed", stage="complete", target=known)
    return not_of_this_run(run, given._replace(memory_mode=None))[1]


def _parts(target: str) -> tuple[str | None, int | None]:
    family, _, size = target.rpartition("-")
    if size.isdigit() and family.startswith("ethos-u"):
        return family, int(size)
    return (target, None) if target.startswith("ethos-u") else (None, None)


def _beyond(given: Assumptions, store: RunStore) -> int:
    """Runs in whose NPU cycles so many multiply-accumulates cannot be done."""
    macs = given.model_macs or 0
    columns = zip(store.numbers("npu_cycles"), store.numbers("inferences"), range(store.count), strict=False)
    named = _parts(given.target or "")
    sizes: dict[str | None, int | None] = {None: named[1]}
    beyond = 0
    for cycles, inferences, place in columns:
        target = store.text("target", place)
        if target not in sizes:
            family, own = _parts(str(target))
            sizes[target] = named[1] if own is None and family == named[0] else own
        size = sizes[target]
        if cycles in (ABSENT, 0) or size is None:
            continue
        old = (store.text("version", place) or "0.").startswith("0.")  # where the line counts calls of the delegate
        beyond += macs * (1 if old or inferences == ABSENT else inferences) > cycles * size
    return beyond
