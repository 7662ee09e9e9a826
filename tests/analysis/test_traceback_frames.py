"""Tracebacks whose first line was not captured: a scrolled terminal, the tail of a job's log."""

from __future__ import annotations

from ethosu_tui.analysis import read_capture

FRAMES = (
    '  File "/w/executorch/exir/backend/backend_api.py", line 12, in to_backend\n    partition(program)\n    ^^^^^^^^^^^^^^^^^^\n'
    '  File "/w/executorch/exir/backend/utils.py", line 34, in partition\n    old = inputs[index]\n          ~~~~~~^^^^^^^\n'
)


def _rules(log: str) -> list[tuple[str, str]]:
    return [(finding.rule, finding.title) for finding in read_capture("x", log.encode()).findings]


def test_what_was_raised_is_told() -> None:
    for before in ("", "    return step(model)\n", "Export failed: Command '['a', 'b']' ended\n"):
        found = _rules(f"{before}{FRAMES}IndexError: list index out of range\n")
        assert found == [
            ("compile-failed", "ExecuTorch could not lower the exported model: IndexError: list index out of range")
        ]


def test_places_of_a_source_are_no_error() -> None:
    """PyTorch prints them beside the nodes of a graph, and the work goes on."""
    assert read_capture("x", FRAMES.encode()).findings == ()
    assert read_capture("x", f"{FRAMES}{'a line' + chr(10)}".encode()).findings == ()


def test_nothing_is_kept_back_for_them() -> None:
    warned = "Warning: SRAM target for arena memory area exceeded. Target = 100 Bytes, Actual = 300 Bytes\n"
    assert _rules(FRAMES + warned) == _rules(warned) != []
    other = '  File "/w/shop/cart.py", line 3, in add\n    total[item]\n'
    assert _rules(f"{other}KeyError: 'x'\n") == _rules("KeyError: 'x'\n")
