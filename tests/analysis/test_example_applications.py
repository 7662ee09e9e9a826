"""ExecuTorch's example applications for Ethos-U beside its runner: each ends in words of its own."""

from __future__ import annotations

import pytest

from .port_logs import RUNNER, lines, only, read

MAIN = "I [executorch:main.cpp:120 main()] "
LAUNCH = "Running work/app/example for ethos-u85-256 run with FVP:FVP_Corstone_SSE-320 num_macs:256 timeout:300\n"
SCRIPT = (
    "\nInfo: /OSCI/SystemC: Simulation stopped by user.\n[backends/arm/scripts/run_fvp.sh] Simulation complete, 0\n"
    "Checking for a etdump in log\nChecking for problems in log:\nNo problems found!\n"
)
LOADED = lines(
    MAIN,
    "Runtime initialized", "Size of the model = 1213584", "Running method forward", "num_memory_planned_buffers = 1",
    "Planned memory buffer_size 0 8464 bytes", "Number of input tensors = 1",
)  # fmt: skip
VAD = lines(MAIN, "Running 1500 audio samples (3 frames), threshold=0.550000", "PROB 0.000 0.012345 silence",
            "PROB 0.032 0.912345 speech", "PROB 0.064 0.912345 speech", "SEGMENT 0.032 0.096 speech")  # fmt: skip
SUMMARY = "1 segments, 3 frames, 0.1s", "Speech: 2/3 frames (66.7%)"


@pytest.mark.parametrize("mark", ["", "app: "])
@pytest.mark.parametrize(
    ("said", "stage", "rule"),
    [
        ("Program::load failed: 0x23", "load", "program-load-failed"),
        ("load_method failed: 0x20", "plan", "method-load-failed"),
        ("execute() failed: 0x12", "execute", "execution-failed"),
        ("execute() failed: 0x12 (window 3)", "execute", "execution-failed"),
    ],
)
def test_an_application_names_the_call_that_failed(mark: str, said: str, stage: str, rule: str) -> None:
    capture = read("Runtime initialized\n" + mark + said + "\n")
    assert [(run.status, run.stage) for run in capture.runs] == [("failed", stage)]
    assert capture.findings[0].rule == rule


def test_a_call_that_another_program_names_begins_no_run() -> None:
    assert not read("db: execute() failed: 0x12\nworker: execute() failed: 0x1f at 12:00\n").runs


@pytest.mark.parametrize("said", ["db: execute() failed: 0x5", "execute() failed: 0x80004005"])
def test_a_call_that_another_program_names_fails_no_run(said: str) -> None:
    begun, ended = RUNNER[0], "\n".join(RUNNER[1:])
    assert only(f"{begun}\n{said}\n{ended}\n{said}\n").status == "passed"
    assert only(f"{LOADED}app: execute() failed: 0x80004005\n").status == "truncated"


@pytest.mark.parametrize(
    "text",
    [
        "Sometimes it says: Error: load_method failed: 0x20 and stops, see the issue.\n",
        "Fixed: load_method failed: 0x20 on boards without a cache\n",
        "The reader stops at E: Program::load failed: 0x23\n",
    ],
)
def test_a_sentence_about_a_call_is_no_run(text: str) -> None:
    assert not read(text).runs


def test_voice_activity_detection_ends_with_its_summary() -> None:
    run = only(
        LAUNCH + LOADED + VAD + lines(MAIN, *SUMMARY, "Writing probability dump to vad_probs.bin", "\4") + SCRIPT
    )
    assert (run.status, run.stage) == ("passed", "complete")
    assert (run.model.pte_bytes, run.memory.planned_buffers, run.target.name) == (1213584, (8464,), "ethos-u85-256")


def test_its_last_lines_alone_are_a_run() -> None:
    run = only("\n".join(SUMMARY) + "\nSimulation complete, 0\nNo problems found!\n")
    assert (run.status, run.stage) == ("passed", "complete")


def test_before_its_summary_it_hangs() -> None:
    run = only(LAUNCH + LOADED + VAD)
    assert (run.status, run.stage) == ("hung", "execute")


@pytest.mark.parametrize("levelled", [LOADED, ""])
def test_a_count_of_outputs_ends_a_classic_model(levelled: str) -> None:
    run = only(LAUNCH + levelled + lines(MAIN, "Inference complete: 1 output(s)") + "Output[0][0]: 0.023456\n" + SCRIPT)
    assert (run.status, run.stage) == ("passed", "complete")
    assert run.outputs[0].first == (0.023456,)


def test_the_end_of_transmission_ends_an_example_after_its_figures() -> None:
    scores = lines(MAIN, "Top 3 classes in descending order(by score):", "Class 282 ( tabby ) with score of 0.753906")
    assert only(LOADED + scores + lines(MAIN, "\4")).status == "passed"
    assert only(LOADED + scores).status == "truncated"
    assert only(LOADED + lines(MAIN, "\4")).status == "truncated", "it has computed nothing"


def test_the_console_says_again_what_the_log_says() -> None:
    log = (
        LAUNCH + lines(MAIN, "Runtime initialized") + "MobileSAM Ethos-U example started\n"
        + lines(MAIN, "Size of the model = 10863216") + "Model size = 10863216 bytes\nLoading ExecuTorch program\n"
        + lines(MAIN, "Running method forward") + "Running method forward\nRunning model execution\nInference finished\n"
        + lines(MAIN, "Output mask logits shape = [1, 1, 112, 112]", "Model executed successfully.") + "Model executed successfully.\n"
        + SCRIPT
    )  # fmt: skip
    run = only(log)
    assert (run.status, run.model.pte_bytes) == ("passed", 10863216)


def test_its_console_alone_begins_a_run_each_time() -> None:
    once = "MobileSAM Ethos-U example started\nModel size = 10863216 bytes\nLoading ExecuTorch program\n"
    runs = read(once + once).runs
    assert [(run.status, run.stage, run.model.pte_bytes) for run in runs] == [("truncated", "load", 10863216)] * 2


def test_the_words_of_an_example_are_no_run_without_their_prefix() -> None:
    words = "Inference complete: 1 output(s)\n"
    assert read(f"hello\n{words}bye\n").runs == ()
    assert only(f"I 00:00:01.000001 executorch:main.cpp:9] {words}").status == "passed"
    assert only(f"{LAUNCH}{LOADED}Running inference...\n{words}").status == "passed"


MINIMAL = "{} [executorch:main.cpp:{}] {}\n"
"""The smallest example of bare metal, which says nothing before its outputs."""


@pytest.mark.parametrize(
    ("asserted", "said", "stage"),
    [
        ("program.ok()", "Program::load failed: 0x23", "load"),
        ("buffer != nullptr", "Could not allocate planned buffer 0", "plan"),
        ("method.ok()", "Could not load method: 0x20", "plan"),
        ("input_buffer != nullptr", "Could not allocate input 0", "inputs"),
        ("method->set_input(input, i) == Error::Ok", "Could not prepare input 0", "inputs"),
        ("method->execute() == Error::Ok", "Inference failed", "execute"),
    ],
)
def test_the_smallest_example_fails(asserted: str, said: str, stage: str) -> None:
    run = only(MINIMAL.format("F", 99, f"In function main(), assert failed ({asserted}): {said}"))
    assert (run.status, run.stage) == ("failed", stage)


def test_the_smallest_example() -> None:
    run = only(
        MINIMAL.format("I", 226, "Inference complete: 1 output(s)") + "Output[0][0]: 0.25\nOutput[0][1]: -1.5\n\x04\n"
    )
    assert (run.status, [output.first for output in run.outputs]) == ("passed", [(0.25, -1.5)])


def test_the_smallest_example_says_true_and_false_without_their_type() -> None:
    two = MINIMAL.format("I", 226, "Inference complete: 2 output(s)")
    run = only(f"{two}Output[0][0]: 0.25\nOutput[1][0]: true\nOutput[1][1]: false\n\x04\n")
    assert [(o.count, o.dtype, o.first) for o in run.outputs] == [(1, None, (0.25,)), (2, "bool", (1.0, 0.0))]
    assert (run.status, only("Output[0][0]: true\n").stage) == ("passed", "report")


def test_the_pools_of_an_example_have_their_sizes_in_its_own_source() -> None:
    begun = LAUNCH + lines(
        MAIN, "Runtime initialized", "num_memory_planned_buffers = 1", "Planned memory buffer_size 0 65536 bytes"
    )
    said = "E [executorch:memory_allocator.h:105 allocate()] Memory allocation failed: {}B requested (adjusted for alignment), 4096B available\n"
    fatal = "F [executorch:main.cpp:160 main()] In function main(), assert failed (buffer != nullptr): Could not allocate memory for memory planned buffer size 65536\n"
    found = read(begun + said.format(65536) + fatal).findings[0]
    assert found.rule == "method-pool-too-small" and "source" in found.advice
    assert "-D" not in found.advice and "trim" not in found.advice
    scratch = "E [executorch:EthosUBackend.cpp:173 execute()] Failed to allocate scratch buffer of 20480 bytes from temp_allocator\n"
    found = read(begun + lines(MAIN, "Number of input tensors = 1") + said.format(20480) + scratch).findings[0]
    assert found.rule == "temp-pool-too-small" and "source" in found.advice and "-D" not in found.advice
