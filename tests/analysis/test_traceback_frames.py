"""Tracebacks whose first line was not captured: a scrolled terminal, the tail of a job's log."""

from __future__ import annotations

import json

import pytest

from ethosu_tui.analysis import read_capture

FRAMES = (
    '  File "/w/executorch/exir/backend/backend_api.py", line 12, in to_backend\n    partition(program)\n    ^^^^^^^^^^^^^^^^^^\n'
    '  File "/w/executorch/exir/backend/utils.py", line 34, in partition\n    old = inputs[index]\n          ~~~~~~^^^^^^^\n'
)
SHOWN = (
    f"{'-' * 75}\nRuntimeError{' ' * 30}Traceback (most recent call last)\nCell In[7], line 4\n"
    "      2 parts = [EthosUPartitioner(spec)]\n----> 4 edge = to_edge_transform_and_lower(program, partitioner=parts)\n\n"
    "File ~/w/executorch/backends/arm/tosa/partitioner.py:52, in TOSAPartitioner.partition(self, program)\n"
    "     50 tags = {}\n   (...)\n---> 52 raise RuntimeError(reason)\n"
)
SHOWN_OLDER = (
    f"{'-' * 75}\nUserError{' ' * 33}Traceback (most recent call last)\n<ipython-input-3-0a1b2c3d4e5f> in <cell line: 2>()\n"
    "      1 model = Net()\n----> 2 program = torch.export.export(model, inputs)\n\n1 frames\n"
    "/usr/local/lib/python3.10/dist-packages/torch/export/__init__.py in export(mod, args)\n"
    "    366     )\n--> 368     return _export(\n    369         mod,\n\n"
)
OF_ARM = "ExecuTorch's Arm backend failed: RuntimeError: no part fits"


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


def test_what_any_program_may_raise_counts_in_a_traceback_of_the_field() -> None:
    raised = "IndexError: index out of range in self\n"
    torch = '  File "/w/torch/nn/functional.py", line 25, in embedding\n    return torch.embedding(weight, input)\n'
    assert [rule for rule, _ in _rules(f"Traceback (most recent call last):\n{torch}{raised}")] == ["index-range"]
    assert "index-range" not in {rule for rule, _ in _rules(raised)}


def test_nothing_is_kept_back_for_them() -> None:
    warned = "Warning: SRAM target for arena memory area exceeded. Target = 100 Bytes, Actual = 300 Bytes\n"
    assert _rules(FRAMES + warned) == _rules(warned) != []
    other = '  File "/w/shop/cart.py", line 3, in add\n    total[item]\n'
    assert _rules(f"{other}KeyError: 'x'\n") == _rules("KeyError: 'x'\n")


def _in_notebook(log: str) -> str:
    """The same in the file of a notebook, with its colours, a frame with its source in each string."""
    frames = [
        frame.replace("Error", "Error\x1b[0m").replace("File ", "\x1b[36mFile \x1b[39m") for frame in log.split("\n\n")
    ]
    output = {"ename": "RuntimeError", "evalue": "no part fits", "output_type": "error", "traceback": frames}
    head, *others = frames[0].split("\n", 2)
    output["traceback"] = [head, *others, *frames[1:]]
    cell = {"cell_type": "code", "execution_count": 7, "metadata": {}, "outputs": [output], "source": ["x = 1"]}
    return json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1) + "\n"


def test_a_traceback_as_notebooks_show_it_is_one() -> None:
    log = f"{SHOWN}\nRuntimeError: no part fits\n"
    assert _rules(log) == _rules(_in_notebook(log)) == [("compile-failed", OF_ARM)]
    assert _rules(f"{SHOWN_OLDER}UserError: what nobody knows\n") == [
        ("compile-failed", "torch.export could not export the model: UserError: what nobody knows")
    ]
    known = f"{SHOWN_OLDER}UserError: Dynamic control flow is not supported at the moment.\n"
    assert [rule for rule, _ in _rules(known)] == ["data-dependent"]


def test_ones_own_cell_is_told() -> None:
    cell = SHOWN[: SHOWN.index("File ")]
    own = _rules(f"{cell}RuntimeError: no part fits\n")
    assert own == [("compile-failed", "The code In[7]:4 failed: RuntimeError: no part fits")]
    bare = _rules(f"{SHOWN_OLDER}AssertionError: \n")
    assert bare == [
        (
            "compile-failed",
            "torch.export could not export the model: AssertionError at __init__.py:368 (return _export()",
        )
    ]


@pytest.mark.parametrize("shown", [SHOWN, SHOWN_OLDER])
def test_one_that_a_log_ends_in_is_cut(shown: str) -> None:
    assert [rule for rule, _ in _rules(shown)] == ["traceback-cut"]


def test_one_of_another_program_is_none_of_a_compile() -> None:
    other = (
        SHOWN.replace("executorch/backends/arm/tosa", "shop/cart")
        .replace("to_edge_transform_and_lower", "add")
        .replace("EthosUPartitioner", "Cart")
    )
    other = other.replace("TOSAPartitioner.", "Cart.")
    assert _rules(f"{other}\nRuntimeError: no part fits\n") == []
    assert _rules("It ends with RuntimeError Traceback (most recent call last)\nexecutorch\nRuntimeError: x\n") == []


@pytest.mark.parametrize(
    ("raised", "rule"),
    [
        ("urllib3.exceptions.IncompleteRead: IncompleteRead(700 bytes read, 300 more expected)", "download-failed"),
        (
            "requests.exceptions.ConnectionError: ('Connection aborted.', RemoteDisconnected('Remote end closed it'))",
            "download-failed",
        ),
        (
            "requests.exceptions.ConnectionError: ('Connection aborted.', FileNotFoundError(2, 'No such file or directory'))",
            "compile-failed",
        ),
        ('RuntimeError: invalid hash value (expected "0a1b2c3d", got "ffee0011")', "download-failed"),
        ("ImportError: cannot import name 'x' from 'executorch.exir' (unknown location)", "source-shadows-package"),
        ("ImportError: cannot import name 'x' from 'executorch.exir' (/a/__init__.py)", "release-mismatch"),
    ],
)
def test_what_a_compile_asks_of_the_machine_is_no_fault_of_its_place(raised: str, rule: str) -> None:
    begun = "Traceback (most recent call last):\n" + FRAMES
    assert [found for found, _ in _rules(f"{begun}{raised}\n")] == [rule]
