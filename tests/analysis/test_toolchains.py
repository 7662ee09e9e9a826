"""What belongs to which ExecuTorch, and what is read from the console of a script that tells nothing else."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis.compiles.toolchains import TOOLCHAINS, misfits, pip_words, toolchain, why_not_staged
from ethosu_tui.analysis.host.script_console import delegation, error

FITTING = {"executorch": "1.4.1", "torch": "2.13.0+cpu", "ethos-u-vela": "5.1.0", "tosa-tools": "2026.5.0"}


def test_a_whole_release_fits() -> None:
    assert misfits(FITTING) == ()
    assert misfits(FITTING | {"torch": "2.13.1", "tosa-tools": None, "ethos-u-vela": "unknown"}) == ()


@pytest.mark.parametrize(
    ("changed", "fatal"),
    [
        ({"ethos-u-vela": "5.0.0"}, False),
        ({"tosa-tools": "2026.2.1"}, False),
        ({"torch": "2.14.0"}, False),
        ({"torch": "2.9.1"}, True),
        ({"executorch": "1.3.1", "ethos-u-vela": "5.0.0", "tosa-tools": "2026.2.1"}, True),
    ],
)
def test_one_package_of_another_release_is_found(changed: dict[str, str], fatal: bool) -> None:
    (misfit,) = misfits(FITTING | changed)
    assert misfit.fatal is fatal and misfit.found == (FITTING | changed)[misfit.package]


@pytest.mark.parametrize("version", [None, "unknown", "1.6.0", "1.5.0a0+abc", "0.7.0", "1.5", "1.5.1.post1", "x"])
def test_what_is_no_known_release_is_not_judged(version: str | None) -> None:
    assert toolchain(version) is None and why_not_staged(version) is not None
    assert misfits(FITTING | {"executorch": version}) == ()
    assert pip_words(version) == ('"executorch[ethos-u]==1.5.1" "torch==2.13.0"',)


def test_every_release_of_our_route_has_a_line_that_installs_it() -> None:
    for release, known in TOOLCHAINS.items():
        words = " ".join(pip_words(f"{release}.1"))
        assert (f"=={release}.1" in words) == known.staged
        assert (why_not_staged(f"{release}.0") is None) == known.staged


def test_only_a_whole_delegation_summary_counts() -> None:
    summary = "Delegation summary:\n  Delegated partitions for silicon acceleration: 0\n  Non-delegated ops: 12\n"
    found = delegation(f"Delegation summary:\n  cut\n{summary}  Non-delegated operators:\n    - aten_sort: 12\n")
    assert found is not None and (found["subgraphs"], found["non_delegated"], found["delegated"]) == (0, 12, None)
    assert found["operators"] == {"aten_sort": (None, 12)}
    assert delegation(summary.partition("  Non-delegated ops")[0]) is None
    assert delegation("  Non-delegated ops: 12\n") is None


@pytest.mark.parametrize(
    ("text", "kind", "message", "line"),
    [
        ('Traceback (most recent call last):\n  File "/m.py", line 7, in f\nValueError: no\n', "ValueError", "no", 7),
        (
            'Traceback (most recent call last):\n  File "/m.py", line 1, in f\nKeyError: 1\n\n'
            "During handling of the above exception, another exception occurred:\n\n"
            'Traceback (most recent call last):\n  File "/m.py", line 3, in g\n  File "/x.py", line 9, in h\n'
            "torch._dynamo.exc.UserError: first\nsecond\x1b[31m\n",
            "torch._dynamo.exc.UserError",
            "first\nsecond",
            3,
        ),
        ("Traceback (most recent call last):\n  cut\nAssertionError\n", "AssertionError", "", None),
        ("usage: x\naot.py: error: argument -t: invalid choice\n", "SystemExit", "argument -t: invalid choice", None),
    ],
)
def test_what_a_script_died_of(text: str, kind: str, message: str, line: int | None) -> None:
    assert error(text, "/m.py") == {"error": kind, "message": message, "line": line}


@pytest.mark.parametrize(
    "text", ["", "Traceback (most recent call last):\n", "Traceback (most recent call last):\n  x\n", "ok"]
)
def test_a_console_without_an_error_has_none(text: str) -> None:
    assert error(text, None) is None
