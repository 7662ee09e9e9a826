"""Every rule is held to logs that show it: it comes first, in every era's prefix and under a host's timestamps."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from ethosu_tui.analysis import Capture, read_capture
from ethosu_tui.analysis.report import Finding
from ethosu_tui.analysis.rules.all_samples import samples
from ethosu_tui.analysis.rules.samples import PREFIXES, Sample, render

SAMPLES = samples()
RECURRING = {
    1: ("method-pool-too-small",), 2: ("temp-pool-too-small",), 3: ("missing-operator",), 4: ("backend-not-registered", "missing-operator"),
    5: ("npu-config-mismatch",), 6: ("npu-arch-mismatch", "npu-product-mismatch", "npu-driver-product"), 7: ("hung",), 8: ("time-limit",),
    9: ("hard-fault",), 10: ("cpu-cycles-not-counted",), 11: ("operator-cycles-not-counted",), 12: ("fvp-ratio-not-time",),
    13: ("npu-cycles-differ",), 14: ("not-delegated", "npu-not-used"), 15: ("missing-out-variants",),
    16: ("vela-refused", "tosa-version-mismatch", "vela-operator"), 17: ("program-load-failed",), 18: ("vela-stream-malformed", "vela-stream-misaligned"),
    19: ("npu-bus-error",), 20: ("outputs-all-equal", "bundleio-fail"), 21: ("input-size-mismatch", "input-type", "delegate-input-type"),
    22: ("runner-silent", "input-file-missing", "input-file-unreadable"), 23: ("never-started", "launcher-not-found", "wrong-architecture", "docker-missing"),
    24: ("newlib-nano-shift", "npu-config-mismatch"), 25: ("link-overflow",),
}  # fmt: skip
"""The recurring failures by number, and the rules that must answer each of them; other rules may show one, too."""
SECOND = {"false-success": "the launch that failed", "compile-unfinished": "what stopped the compiler"}
"""Rules that are no error and stand behind the one that is, by what that says."""
ANALYSIS = Path(__file__).resolve().parents[2] / "analysis"
RULES = (ANALYSIS / "findings.py", *sorted((ANALYSIS / "rules").glob("*.py")))
ELSEWHERE = frozenset(
    (
        "command-failed", "cut-short", "emulator-aborted", "error-messages", "fragmented", "kernel-crashed", "kernels-needed", "lines-cut", "lines-unnumbered",
        "no-verdict", "platform-not-ready", "run-failed", "strings-left-out", "test-set-missing", "undecodable-lines", "vela-cpu-operators",
    )
)  # fmt: skip
"""Rules about how a live run ended, about a whole capture or a file, or that stand beside others: their tests are those of their subject."""


def leading(capture: Capture) -> Finding:
    """The finding that is to be read first: the only error."""
    return next(f for f in capture.findings if f.severity == "error")


def check(sample: Sample, log: str) -> None:
    capture = read_capture("sample.log", log.encode())
    if sample.severity == "error":
        finding = leading(capture)
        assert capture.findings[0] == finding, [f.rule for f in capture.findings]
        assert [f.rule for f in capture.findings if f.severity == "error"] == [sample.rule]
    else:
        assert sample.rule in {f.rule for f in capture.findings}, [f.rule for f in capture.findings]
        finding = next(f for f in capture.findings if f.rule == sample.rule)
    assert (finding.rule, finding.severity) == (sample.rule, sample.severity)
    text = finding.title + finding.detail + finding.advice
    for word in sample.words:
        assert word in text, f"{word} is not in: {text}"
    lines = log.splitlines()
    assert finding.lines and all(0 < line <= len(lines) for line in finding.lines)
    assert finding.title and finding.detail and finding.advice
    assert "{" not in finding.title + finding.advice


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda s: f"{s.rule}-{s.era}")
def test_the_rule_comes_first(sample: Sample) -> None:
    check(sample, render(sample))


@pytest.mark.parametrize(
    "sample", [s for s in SAMPLES if s.era in ("0.4", "1.0", "main")], ids=lambda s: f"{s.rule}-{s.era}"
)
def test_the_rule_comes_first_in_every_prefix(sample: Sample) -> None:
    for era in PREFIXES:
        if era != "bare":
            check(sample, render(sample, era))


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda s: f"{s.rule}-{s.era}")
@pytest.mark.parametrize("stamp", ["[14:03:22.123] ", "2026-08-29T10:11:12.1234567Z ", "[2026-08-29 10:11:12.123] "])
def test_the_rule_comes_first_under_timestamps(sample: Sample, stamp: str) -> None:
    stamped = "".join(f"{stamp}{line}\r\n" for line in render(sample).splitlines())
    check(sample, stamped)


def test_every_recurring_failure_has_a_sample() -> None:
    for row, rules in RECURRING.items():
        assert {sample.rule for sample in SAMPLES if row in sample.rows} >= set(rules), row
    assert {row for sample in SAMPLES for row in sample.rows} == set(RECURRING)


@pytest.mark.parametrize("sample", [s for s in SAMPLES if s.rows], ids=lambda s: f"{s.rule}-{s.era}")
def test_a_recurring_failure_is_the_first_finding(sample: Sample) -> None:
    found = read_capture("sample.log", render(sample).encode()).findings
    if sample.rule in SECOND:
        assert (found[0].severity, found[1].rule) == ("error", sample.rule), SECOND[sample.rule]
    else:
        assert found[0].rule == sample.rule


def test_every_rule_has_a_sample() -> None:
    named: set[str] = set()
    for path in RULES:
        named |= set(re.findall(r'(?:error|Finding)\(\s*"([a-z0-9-]+)"', path.read_text("utf-8")))
    assert named - {s.rule for s in SAMPLES} == ELSEWHERE
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", rule) for rule in named)


def test_a_log_with_two_causes_names_the_first_and_keeps_the_other() -> None:
    overflow = next(s for s in SAMPLES if s.rule == "method-pool-too-small" and s.era == "main")
    capture = read_capture("x", render(overflow).encode())
    follows = [f for f in capture.findings if f.severity == "info" and "It follows from" in f.detail]
    assert {"hard-fault", "exit-code"} <= {f.rule for f in follows}


@pytest.mark.parametrize("seed", range(12))
def test_any_mixture_of_lines_has_one_cause_a_run_and_it_comes_first(seed: int) -> None:
    chance = random.Random(seed)
    lines = [line for sample in SAMPLES for line in render(sample).splitlines()]
    for _ in range(15):
        picked = [chance.choice(lines) for _ in range(chance.randint(1, 40))]
        if chance.random() < 0.3:
            picked = [line[: chance.randint(0, len(line))] for line in picked]
        capture = read_capture("x", "\n".join(picked).encode())
        for run in capture.runs:
            of_run = [f for f in capture.findings if f.run == run.index]
            errors = [f for f in of_run if f.severity == "error"]
            assert len(errors) == (0 if run.status == "passed" else 1)
            assert not errors or of_run[0] is errors[0]
        for finding in capture.findings:
            assert all(1 <= line <= capture.lines for line in finding.lines)
            assert finding.title.isprintable() and finding.detail and finding.advice
