"""The table of failures: each sample is explained by its own row, and whatever comes gets a sentence."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis.rules.causes import Failure, explain_text
from ethosu_tui.analysis.rules.causes_aot import AOT_FAILURES as FAILURES
from ethosu_tui.runners.compile.failures import ended, explain, lost

SAMPLES = [(failure, sample) for failure in FAILURES for sample in failure.samples]


@pytest.mark.parametrize(("failure", "sample"), SAMPLES, ids=lambda value: getattr(value, "rule", None))
def test_every_sample_is_explained_by_its_row(failure: Failure, sample: str) -> None:
    kind, _, message = sample.partition(": ")
    finding = explain({"error": kind, "message": message, "line": 7}, "export", "/m/net.py")
    assert finding.rule == failure.rule
    assert finding.severity == "error"
    assert finding.advice and "{" not in finding.advice
    assert "/m/net.py, line 7" in finding.detail


def test_every_row_has_a_sample_and_no_row_before_it_takes_it() -> None:
    assert all(failure.samples for failure in FAILURES)
    for failure, sample in SAMPLES:
        found = explain_text(FAILURES, sample)
        assert found is not None and found.failure is failure, sample


def test_the_unknown_is_told_as_it_is_and_safe_to_print() -> None:
    finding = explain({"error": "Odd", "message": "a\x1b[31m\x07" + "b" * 999 + "\nc"}, "TOSA", None)
    assert finding.rule == "compile-failed"
    assert finding.title.isprintable()
    assert len(finding.title) < 230
    assert explain({}, "TOSA", None).title


def test_ends_without_words() -> None:
    assert "signal 9" in ended(-9, "TOSA").title and "memory" in ended(-9, "TOSA").detail
    assert "status 3" in ended(3, "TOSA").title
    assert "killed by signal 11" in lost("killed by signal 11", "TOSA").title
