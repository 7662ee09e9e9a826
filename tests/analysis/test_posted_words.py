"""What looks like the words of posted logs and is another's: nothing of it fails a run, hides a failure or makes a figure."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture

from .port_logs import only

ARENA = "Failed to allocate tail memory. Requested: 72, available 40, missing: 32\nFailed starting model allocation.\n"


@pytest.mark.parametrize(
    "line",
    [
        "03-04 05:06:07.120: E/System.err(510): the picture is too dark",
        "03-04 05:06:07.120   510   511 E System.err: the picture is too dark",
        "The answer was expected to have type int.",
        "I wonder why input 2 has unexpected scalar type: expected Int but was Float",
        "so they wrote PANIC!!! Bus Fault: in large letters",
        "- `E [executorch:method.cpp:85] Backend EthosUBackend is not registered.`: link the backend",
        "2. **`E [executorch:method.cpp:85] Backend EthosUBackend is not registered.`** - link the backend",
    ],
)
def test_words_of_others_are_no_run(line: str) -> None:
    capture = read_capture("x", f"{line}\n".encode())
    assert (capture.runs, capture.findings) == ((), ())


def test_an_item_that_is_an_error_alone_is_what_was_posted() -> None:
    capture = read_capture("x", b"- `E [executorch:method.cpp:85] Backend EthosUBackend is not registered.`\n")
    assert [finding.rule for finding in capture.findings] == ["backend-not-registered"]


@pytest.mark.parametrize(
    ("target", "said", "shown"),
    [
        ("runner.o", "Error 1", True), ("out/test_a.o", "Error 1", True), ("check_a.elf", "Error 1", True), ("simd.cc.obj", "Error 1", True),
        ("runtime", "Killed", True), ("testing.o", "Segmentation fault", True), ("a/test.o", "Segmentation fault", True),
        ("test_a", "Error 1", False), ("run-sim", "Error 2", False), ("a/run_fvp", "Error 1", False), ("test_a", "Segmentation fault", False),
        ("run", "Segmentation fault", False), ("run_test_a", "Aborted", False), ("check-all", "Aborted", False),
    ],
)  # fmt: skip
def test_what_make_could_not_build_stays_a_failure(target: str, said: str, shown: bool) -> None:
    capture = read_capture("x", f"{ARENA}make: *** [Makefile:31: {target}] {said}\n".encode())
    assert len([f for f in capture.findings if f.severity == "error"]) == 1 + shown


def test_no_number_goes_on_over_the_end_of_a_line_in_bytes() -> None:
    line = "I [executorch:arm_executor_runner.cpp:602 runner_init()] PTE Model data loaded. Size: {} bytes."
    pool = "I [executorch:arm_executor_runner.cpp:637 runner_init()] Setup Method allocator pool. Size: 2048 bytes."
    cut = line.format("71\\r\\n23")
    torn = read_capture("x", f"b'{cut}\\r\\n'\nb'{pool}\\r\\n'\n".encode())
    assert [run.model.pte_bytes for run in torn.runs] == [None]
    both = only(f"b'{line.format(7123)}\\r\\n{pool}\\r\\n'\n")
    assert (both.model.pte_bytes, both.memory.pools["method"].capacity_bytes) == (7123, 2048)
