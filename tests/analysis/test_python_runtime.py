"""Python programs with ExecuTorch's runtime inside: what the runtime said before the exception is the reason."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.report import Finding

FRAMES = (
    "Traceback (most recent call last):\n"
    '  File "/w/try.py", line 4, in <module>\n'
    '    program = Runtime.get().load_program("a.pte")\n'
    '  File "/w/env/lib/python3.11/site-packages/executorch/runtime/__init__.py", line 333, in load_program\n'
    "    p = self._legacy_module._load_program(\n"
)
NOT_LOADED = FRAMES + "RuntimeError: Failed to load program, error: 0x:23\n"


def _only(log: str) -> Finding:
    capture = read_capture("x", log.encode())
    assert capture.runs == ()
    (finding,) = capture.findings
    return finding


@pytest.mark.parametrize(
    "said, title",
    [
        (
            "[tensor_impl.cpp:135] Attempted to resize a static tensor. Expected shape (1, 8), but received (1, 9).\n"
            "[method.cpp:1243] Error resizing tensor at input 0\n",
            "Input 0 has the shape (1, 9) where the program takes (1, 8)",
        ),
        (
            "[tensor_impl.cpp:108] Attempted to change the tensor rank which is immutable: old=2, new=4\n"
            "[method.cpp:1243] Error resizing tensor at input 1\n",
            "Input 1 has 4 dimensions where the program takes 2",
        ),
    ],
)
@pytest.mark.parametrize(
    "raised",
    [
        "RuntimeError: method->set_inputs() for method 'forward' failed with error 0x10\n",
        "RuntimeError: Failed to execute method forward, error: 0x10\n",
    ],
)
def test_an_input_that_does_not_fit_is_told_with_both_shapes(said: str, title: str, raised: str) -> None:
    found = _only(said + FRAMES + raised)
    assert found.title == title and found.lines == (1, 2, 8)
    assert said.splitlines()[0].partition("] ")[2].rstrip(".") in found.detail


def test_a_program_that_was_cut_off_is_told_with_both_sizes() -> None:
    said = "[program.cpp:114] File size is too small. Expected file size from extended header is 4096, actual file size from data loader is 512\n"
    assert _only(said + NOT_LOADED).title == "The program is cut off: it has only 512 of its 4096 bytes"
    apart = said + "a line of another program\n" * 20
    assert "0x23" in _only(apart + NOT_LOADED).title  # too far above to be of it


@pytest.mark.parametrize("found, advice", [("BP08", ".bpte"), ("ET99", "same release"), ("TFL3", "wrong file")])
def test_a_file_of_another_kind_is_named_by_its_identifier(found: str, advice: str) -> None:
    said = f"[program.cpp:168] Program identifier '{found}' != expected 'ET12'\n"
    first, second = read_capture("x", f"{said}{NOT_LOADED}".encode()).findings
    assert (first.rule, second.rule, second.severity) == ("program-load-failed", "program-not-loaded", "info")
    assert (
        first.title.startswith(("The file ", "The program "))
        and f"'{found}'" in first.detail
        and advice in first.advice
    )


def test_a_program_that_is_not_there_is_named() -> None:
    said = "[mmap_data_loader.cpp:89] Failed to open a.pte: No such file or directory (2)\n"
    finding = _only(f"{said}{FRAMES}RuntimeError: Failed to create MmapDataLoader from file a.pte, error: 0x:22\n")
    assert finding.rule == "program-file-missing" and finding.title == "Python could not open the program a.pte"


def test_a_method_that_is_not_there_is_no_key_of_the_script() -> None:
    frame = FRAMES.replace("load_program(\n", "load_method(\n").replace("in load_program", "in load_method")
    assert _only(f"{frame}KeyError: 'encode'\n").title == "The program has no method encode"
    own = 'Traceback (most recent call last):\n  File "/w/executorch_try.py", line 4, in <module>\n    a["encode"]\n'
    assert _only(f"{own}KeyError: 'encode'\n").rule == "compile-failed"


def test_bytes_that_are_no_text_abort_python() -> None:
    log = (
        "[program.cpp:168] terminate called after throwing an instance of 'pybind11::error_already_set'\n"
        "  what():  UnicodeDecodeError: 'utf-8' codec can't decode byte 0xff in position 9: invalid start byte\n"
    )
    finding = _only(log)
    assert "not text (0xff)" in finding.title and "Vela" not in finding.advice


def test_what_the_runtime_said_of_something_else_is_not_quoted() -> None:
    said = "[tensor_impl.cpp:108] Attempted to change the tensor rank which is immutable: old=2, new=4\n"
    frames = 'Traceback (most recent call last):\n  File "/w/executorch_try.py", line 4, in <module>\n    a()\n'
    finding = _only(f"{said}{frames}ValueError: odd\n")
    assert "rank" not in finding.title + finding.detail


def test_what_a_backend_raises_in_the_runtime_is_no_failure_of_a_compile() -> None:
    finding = _only(FRAMES + "RuntimeError: Exception raised from get_layer at /w/a.cpp:12: no layer has this name\n")
    assert finding.title.startswith(
        "ExecuTorch's runtime in Python failed on the program: RuntimeError: Exception raised from get_layer"
    )
    assert "backend" in finding.advice and "--debug" not in finding.advice


@pytest.mark.parametrize(
    "said", ["Failed to load method forward, error: 0x:14", "loading method forward failed with error 0x14"]
)
def test_an_operator_without_a_kernel_is_told_by_its_status(said: str) -> None:
    finding = _only(FRAMES.replace("program", "method") + f"RuntimeError: {said}\n")
    assert finding.rule == "program-not-loaded" and "no kernel for an operator" in finding.title
    other = _only(FRAMES.replace("program", "method") + f"RuntimeError: {said.replace('14', '20')}\n")
    assert "kernel" not in other.title and "0x20" in other.title
