"""Benchmarks of TensorFlow Lite Micro: figures of the arena, and when they are through."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis.answers.answer import Answer
from ethosu_tui.analysis.answers.of_run import answers_of_run
from ethosu_tui.analysis.report import Finding, Run

from .port_logs import lines, only, read

TICKS = lines(
    "", "CONV_2D took 1596 ticks (1 ms).", "ethos-u took 120345 ticks (3 ms).", "SOFTMAX took 2 ticks (0 ms)."
)
GENERIC = lines("", "Configured arena size = 3000000", "", "Input CRC32: 0x14F6A510", "") + TICKS
USE = "[RecordingMicroAllocator] Arena allocation total 14960 bytes\n"


@pytest.mark.parametrize("total", ["        Total | 89248 |   100.00", '"Total",89248,100.00'], ids=["table", "csv"])
def test_the_generic_benchmark_tells_the_use_of_its_arena(total: str) -> None:
    form = "Table" if "|" in total else "CSV"
    run = only(GENERIC + lines("", "", "Output CRC32: 0xA4A6A6BE", "", f"[[ {form} ]]: Arena", total))
    pool = run.memory.pools["tensor_arena"]
    assert (run.status, pool.used_bytes, pool.capacity_bytes) == ("passed", 89248, 3_000_000)
    fit = answer_to("fit", run)
    assert (fit.answer, fit.lines) == (
        "in its pools, yes (2.97 % of the tensor arena)",
        (run.lines["memory.pools.tensor_arena.used_bytes"],),
    )
    assert run.runner.executorch_version is None


SUM = '"total number of ticks", {}'
SET_UP = lines("", "tflite::GetModel, 4", "tflite::MicroInterpreter::AllocateTensors, 50", SUM.format(54))


def benchmark(target: str, *calls: str) -> str:
    """The generic benchmark that was built for one of the makefile's targets, and one block for each call of the interpreter."""
    begun = lines("", "Configured arena size = 2048", "", "Target information:", "", f"TARGET={target}", "")
    return begun + SET_UP + "".join(calls) + lines("", "", "Output CRC32: 0xA4A6A6BE", "")


def answer_to(question: str, run: Run, findings: tuple[Finding, ...] = ()) -> Answer:
    return next(answer for answer in answers_of_run(run, findings, None, None) if answer.key == question)


CALL = lines("", "", "Input CRC32: 0x60FF5B7A", "") + TICKS


@pytest.mark.parametrize("target", ["cortex_m_corstone_300", "cortex_m_generic"])
def test_on_a_cortex_m_the_sum_of_its_ticks_is_cycles(target: str) -> None:
    run = only(benchmark(target, CALL + lines("", "", SUM.format(121943), "", "", SUM.format(77))))
    assert (run.status, run.cycles.operators_total) == ("passed", 121943)
    board = run._replace(target=run.target._replace(platform="board"))
    speeds = [answer_to("speed", of) for of in (run, board)]
    assert [speed.known for speed in speeds] == [False, True]
    assert speeds[0].reason.endswith("it names neither a board nor a simulator")
    assert (speeds[1].answer, speeds[1].lines) == (
        "121,943 CPU cycles in all operators",
        (run.lines["cycles.operators_total"],),
    )


def test_a_model_that_streams_is_as_quick_as_its_last_call() -> None:
    calls = (CALL + lines("", "", SUM.format(of), "") for of in (12, 121943))
    assert only(benchmark("cortex_m_generic", *calls)).cycles.operators_total == 121943


def test_elsewhere_a_tick_is_no_cycle_and_what_sets_the_model_up_is_no_inference() -> None:
    whole = CALL + lines("", "", SUM.format(121943))
    assert only(benchmark("linux", whole)).cycles.operators_total is None
    cut = only(benchmark("cortex_m_generic").split("Output")[0])
    assert (cut.status, cut.cycles.operators_total) == ("truncated", None)


def test_a_benchmark_that_was_cut_did_not_pass() -> None:
    assert only(GENERIC).status in ("hung", "truncated")
    assert only("Configured arena size = 3000000\n").status == "truncated"


def test_loops_tell_the_time_of_an_inference() -> None:
    begun = lines(
        "",
        "InitializeBenchmarkRunner took 207 ticks (0 ms).",
        "",
        "WithPersonDataIterations(1) took 38713 ticks (38 ms)",
    )
    run = only(begun + TICKS + lines("", "", "WithPersonDataIterations(10) took 368913 ticks (360 ms)"))
    assert (run.status, run.times.inference_seconds) == ("passed", 0.036)
    quick = only(lines("", "KeywordRunNIerations(10) took 265 ticks (0 ms)", "") + USE)
    assert (quick.status, quick.times.inference_seconds) == ("passed", None)
    speed = answer_to("speed", quick, read(lines("", "KeywordRunNIerations(10) took 265 ticks (0 ms)")).findings)
    assert (speed.known, speed.reason) == (False, "the log counts ticks of a clock that it does not name")
    assert quick.memory.pools["tensor_arena"].used_bytes == 14960


def test_each_benchmark_is_a_run() -> None:
    whole = GENERIC + lines("", "", "Output CRC32: 0xA4A6A6BE", "")
    keyword = (
        lines("", "InitializeKeywordRunner took 64 ticks (0 ms).", "", "KeywordRunNIerations(1) took 37 ticks (0 ms)")
        + TICKS
        + USE
    )
    assert [run.status for run in read(whole + whole + keyword + keyword).runs] == ["passed"] * 4


def test_what_the_resolver_lacks_is_the_cause() -> None:
    capture = read(
        lines("", "Didn't find op for builtin opcode 'SVDF'", "Failed to get registration from op code SVDF", " ")
        + lines("", "InitializeKeywordRunner took 56 ticks (0 ms).")
    )
    assert [(run.status, run.stage) for run in capture.runs] == [("failed", "plan")]
    assert capture.findings[0].rule == "missing-operator"


def test_such_words_alone_are_nothing() -> None:
    assert read('Input CRC32: 0x14F6A510\nOutput CRC32: 0x14F6A510\n"Total",89248,100.00\n').runs == ()


@pytest.mark.parametrize(
    "said", ["JIT took 12 ticks (3 ms).", "Running inference job: nightly", "Finished running job: nightly"]
)
def test_words_of_any_program_begin_no_run(said: str) -> None:
    assert read(f"deploy 3 of 7\n{said}\nall is well\n").runs == ()
    assert len(read("ethos-u took 1203 ticks (3 ms).\n").runs) == 1


def test_the_kit_on_a_host_tells_its_time_in_microseconds() -> None:
    run = only(lines("INFO - ", "Allocating tensors", "Profile for Inference:", "Duration: 34379 microseconds"))
    assert run.times.inference_seconds == 0.034379


def test_the_kit_is_known_by_its_end_where_it_came_no_further() -> None:
    said = "ERROR - Model's schema version 2 is not equal to supported version 3.ERROR - Failed to initialise model\n"
    run = only(f"INFO - Arm ML embedded code samples\n\n{said}INFO - program terminating...\n")
    assert (run.status, run.stage, run.runner.kind) == ("failed", "load", "mlek")


@pytest.mark.parametrize(
    ("verdict", "status"), [("~~~ALL TESTS PASSED~~~", "passed"), ("~~~SOME TESTS FAILED~~~", "failed")]
)
def test_a_test_of_tensorflow_lite_micro_ends_with_its_verdict(verdict: str, status: str) -> None:
    ticks = lines("", "FULLY_CONNECTED, 13", SUM.format(13), "")
    log = f"{ticks}{USE}{USE.replace('total 14960', 'head 128')}{verdict}\n"
    run = only(log)
    assert (run.status, run.memory.pools["tensor_arena"].used_bytes) == (status, 14960)
    assert read(f"{verdict}\n").runs == ()


def test_the_next_test_of_tensorflow_lite_micro_is_a_run_of_its_own() -> None:
    test = f"{lines('', 'FULLY_CONNECTED, 13', SUM.format(13), '')}{USE}~~~ALL TESTS PASSED~~~\n"
    log = (
        test
        + test.replace("13", "17").replace("14960", "15200").replace("ALL TESTS PASSED", "SOME TESTS FAILED")
        + test
    )
    runs = read(log).runs
    assert [run.status for run in runs] == ["passed", "failed", "passed"]
    assert [run.memory.pools["tensor_arena"].used_bytes for run in runs] == [14960, 15200, 14960]
    one = read(test).runs[0]
    assert (runs[0].cycles, runs[0].last_line) == (one.cycles, one.last_line)
    assert (runs[2].cycles, runs[2].first_line) == (one.cycles, one.first_line + 2 * test.count("\n"))
