"""The runners for a host's own system: where their runs begin and end, and what a shell says of them."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.answers.of_capture import answers_to
from ethosu_tui.analysis.report import executions
from ethosu_tui.analysis.report_tables import run_tables

from .port_logs import lines, only, read

RUNNER = "I 00:00:00.000120 executorch:executor_runner.cpp:476] "
EXAMPLE = "I 00:00:00.000120 executorch:example_runner.cpp:148] "
LOADED = lines(
    RUNNER, "Model file m.pte is loaded.", "Using method forward", "Setting up CPU planned buffer 0, size 32."
)
READY = LOADED + lines(RUNNER, "Model loaded in 0.099348 ms.")
EXECUTED = READY + lines(
    RUNNER, "Iteration 1 of 1: 0.018588 ms", "Model executed successfully 1 time(s) in 0.018588 ms."
)
VALUES = "OutputX 0: tensor(sizes=[2, 2], [0.5, 0.5, 0.5, 0.5])\n"
FAILED = (
    LOADED
    + "E 00:00:00.000099 executorch:method.cpp:85] Backend EthosUBackend is not registered.\n"
    + "F 00:00:00.000103 executorch:executor_runner.cpp:617] In function main(), assert failed (method.ok()): "
    + "Loading of method forward failed with status 0x20\n"
)
CRASHED = "run.sh: line 4:  4323 Aborted                 (core dumped) ./executor_runner --model_path m.pte\n"


@pytest.mark.parametrize("first", ["Loading inputs from input file(s).", "Loading tensor data from .ptd file."])
def test_files_that_are_read_before_the_program_are_of_its_run(first: str) -> None:
    run = only(lines(RUNNER, first) + EXECUTED + lines(RUNNER, "1 outputs: ") + VALUES)
    assert (run.status, run.first_line, run.model.method) == ("passed", 1, "forward")
    refused = read(lines(RUNNER, first) + FAILED)
    assert [(run.status, run.stage) for run in refused.runs] == [("failed", "plan")]


def test_inputs_that_cannot_be_read_end_the_run_there() -> None:
    run = only(
        lines(RUNNER, "Loading inputs from input file(s).")
        + "E 00:00:00.000098 executorch:executor_runner.cpp:156] Failed to open input file: i.bin\n"
        + "F 00:00:00.000103 executorch:executor_runner.cpp:405] In function main(), assert failed (load_status == Error::Ok): "
        + "Could not load inputs: 0x22\n"
    )
    assert (run.status, run.stage) == ("failed", "inputs")


@pytest.mark.parametrize("end", ["", f"{RUNNER}ETDump written to file 'm.etdump'.\n"], ids=["alone", "etdump"])
def test_values_that_are_printed_elsewhere_or_not_at_all_are_no_cut(end: str) -> None:
    run = only(EXECUTED + lines(RUNNER, "1 outputs: ") + end)
    assert (run.status, run.outputs) == ("passed", ())


def test_outputs_that_are_no_tensors_are_outputs_too() -> None:
    shown = lines("", "OutputX 0: tensor(sizes=[1], [1.])", "OutputX 1: 3", "OutputX 2: True", "OutputX 3: None")
    run = only(EXECUTED + lines(RUNNER, "4 outputs: ") + shown)
    assert (run.status, [tensor.first for tensor in run.outputs]) == ("passed", [(1.0,)])
    assert read("Output 1: 3\n").runs == ()


def test_a_server_is_through_when_its_input_is() -> None:
    served = READY + lines(RUNNER, "Running in server mode; waiting for stdin triggers.", "1 outputs: ")
    done = lines(RUNNER, "Writing output to file: o-0.bin", "SERVER MODE DONE")
    assert [only(served + done * count).status for count in (1, 3)] == ["passed", "passed"]
    assert only(served + done + lines(RUNNER, "Writing output to file: o-0.bin")).status != "passed"


def test_values_alone_on_their_lines_are_the_outputs_of_the_example_runner() -> None:
    begun = lines(
        EXAMPLE, "Running method forward", "Method loaded.", "Inputs prepared.", "Model executed successfully."
    )
    run = only(begun + lines(EXAMPLE, "0.500000", "0.250000"))
    assert (run.status, run.outputs[0].first) == ("passed", (0.5, 0.25))


def test_types_that_0_4_lists_as_errors_are_no_errors() -> None:
    registry = "E 00:00:00.000137 executorch:operator_registry.cpp:185] "
    listed = lines(registry, "kernel 'aten::exp.out' not found.", "dtype: 6 | dim order: [", "0,", "1,", "]")
    capture = read(
        LOADED
        + listed
        + "E 00:00:00.000162 executorch:method.cpp:542] Missing operator: [0] aten::exp.out\n"
        + "F 00:00:00.000167 executorch:executor_runner.cpp:156] In function main(), assert failed (method.ok()): "
        + "Loading of method forward failed with status 0x14\n"
    )
    assert capture.findings[0].rule == "missing-operator"
    assert "error-messages" not in {finding.rule for finding in capture.findings}
    assert not any("0,." in finding.detail for finding in capture.findings)


def test_what_a_shell_says_of_a_failed_run_is_no_other_run() -> None:
    capture = read(FAILED + CRASHED)
    assert [run.status for run in capture.runs] == ["failed"]
    assert capture.findings[0].rule == "backend-not-registered"
    again = read(FAILED + CRASHED + EXECUTED + lines(RUNNER, "1 outputs: ") + VALUES)
    assert [run.status for run in again.runs] == ["failed", "passed"]


def test_a_shell_names_the_runner_that_crashed_without_a_word() -> None:
    capture = read(CRASHED)
    assert [run.status for run in capture.runs] == ["not_started"]
    assert capture.findings[0].rule == "runner-crashed"
    assert read(CRASHED.replace("./executor_runner", "./other")).runs == ()
    for tool in ("strip cmake-out/executor_runner", "cp -v a/executor_runner -t b", "file executor_runner"):
        assert read(CRASHED.replace("./executor_runner --model_path m.pte", tool)).runs == (), "it was given the runner"


@pytest.mark.parametrize(
    "refused",
    [
        "E 00:00:00.000050 executorch:file_data_loader.cpp:110] Failed to open m.pte: No such file or directory (2)\n"
        "F 00:00:00.000075 executorch:executor_runner.cpp:461] In function main(), assert failed (file_loader.ok()): "
        "FileDataLoader::from() failed: 0x22\n",
        "E 00:00:00.000059 executorch:program.cpp:168] Program identifier ':x:0' != expected 'ET12'\n"
        "E 00:00:00.000079 executorch:executor_runner.cpp:473] Failed to parse model file m.pte\n",
    ],
    ids=["missing", "damaged"],
)
def test_each_start_that_was_refused_is_a_run(refused: str) -> None:
    capture = read(refused + CRASHED + refused + refused + EXECUTED + lines(RUNNER, "1 outputs: ") + VALUES)
    assert [run.status for run in capture.runs] == ["failed", "failed", "failed", "passed"]
    roots = [finding.rule for finding in capture.findings if finding.severity == "error"]
    assert len(roots) == 3 and len(set(roots)) == 1


@pytest.mark.parametrize(("arch", "macs", "target"), [("1.0.6", 256, "ethos-u65-256"), ("2.0.0", 512, "ethos-u85-512")])
def test_the_kernel_that_finds_an_npu_tells_the_target(arch: str, macs: int, target: str) -> None:
    boot = f"[    4.112233] ethosu 4a900000.npu: Ethos-U NPU, arch v{arch}, rev r0p2, cmd stream ver0, {macs} MACs, 384KB SRAM, 4 PMU cntrs\n"
    run = "I 00:00:00.000193 executorch:executor_runner.cpp:476] Model file mv2.pte is loaded.\n"
    found = only(boot + run)
    assert (found.target.name, found.target.macs, found.first_line) == (target, macs, 2)
    assert found.lines["target.name"] == 1
    assert read(boot).runs == ()


def test_an_output_that_keeps_its_place_does_not_end_the_run() -> None:
    kept = "E 00:00:00.134655 executorch:method.cpp:1056] Output 1 is memory planned, or is a constant. Cannot override the existing data pointer.\n"
    run = only(f"I 00:00:00.134639 executorch:qnn_executor_runner.cpp:241] Method loaded.\n{kept}")
    assert (run.status, run.stage) == ("truncated", "plan")


def test_a_file_that_ends_inside_a_delegate_was_cut_off() -> None:
    # executorch issue 3848, with the runner's own prefixes
    report = read(
        LOADED
        + "E 00:00:00.000099 executorch:file_data_loader.cpp:155] File m.pte: offset 5320704 + size 4198960 > file_size_ 8912896, or overflow detected\n"
        + "E 00:00:00.000100 executorch:method.cpp:97] Failed to load data for backend EthosUBackend\n"
    )
    finding = report.findings[0]
    assert (report.runs[0].status, finding.rule, finding.severity) == ("failed", "program-load-failed", "error")
    assert finding.title.startswith("The file ") and "was cut off" in finding.advice


def test_an_input_of_another_shape_is_named_as_that() -> None:
    # executorch issue 7717
    report = read(
        "E 00:00:00.223672 executorch:tensor_impl.cpp:105] Attempted to resize a bounded tensor with capacity of 128000 elements to 64000 elements.\n"
        "E 00:00:00.223676 executorch:method.cpp:803] Error setting input 0: 0x10\nTraceback (most recent call last):\n"
    )
    finding = report.findings[0]
    assert (report.runs[0].status, report.runs[0].stage) == ("failed", "inputs")
    assert finding.rule == "inputs-failed" and "128000 elements" in finding.title and "64000 elements" in finding.detail


def test_a_log_of_it_that_stops_is_no_board_that_was_reset() -> None:
    # executorch issue 3919: a model of 1.1 GB that seems to hang
    report = read(
        lines(
            RUNNER,
            "Using method forward",
            "Setting up planned buffer 0, size 1161822208.",
            "Method loaded.",
            "Inputs prepared.",
        )
    )
    finding = report.findings[0]
    assert (report.runs[0].status, finding.rule) == ("truncated", "truncated-log")
    assert "reset" not in finding.detail + finding.advice and "Output 0" in finding.advice


def test_the_runner_of_core_ml_ends_with_its_time() -> None:
    ml = "I 00:00:00.000120 executorch:main.mm:373] "
    begun = lines(ml, "Load duration = 120.500000", "Running method = forward", "Inputs prepared.")
    executed = lines(ml, "Model executed successfully.")
    timed = lines(ml, "Inference latency=2.50ms.")
    run = only(begun + executed + timed)
    assert (run.status, run.stage, run.model.method) == ("passed", "complete", "forward")
    assert (run.times.load_seconds, run.times.inference_seconds) == (0.1205, 0.0025)
    assert (only(begun).status, only(begun + executed).status) == ("truncated", "truncated")
    assert not read("Load duration = 1.5\nRunning method = fast\nInference latency=2.50ms.\n").runs


def test_inferences_that_are_timed_one_by_one_have_a_median_and_a_first() -> None:
    took = (9.5, 4.0, 4.25, 3.75, 4.0)
    each = [f"Iteration {i} of {len(took)}: {ms:.6f} ms" for i, ms in enumerate(took, 1)]
    end = f"Model executed successfully {len(took)} time(s) in {sum(took):.6f} ms."
    run = only(READY + lines(RUNNER, *each, each[-1], end))
    found = {name: entry.value for name, entry in run.derived.items()}
    assert found["timed_inferences"] == 5, "a line that comes again is a copy"
    assert found["min_seconds_per_inference"] == 0.00375
    assert (found["median_seconds_per_inference"], found["max_seconds_per_inference"]) == (0.004, 0.0095)
    assert found["first_seconds_per_inference"] == 0.0095
    assert run.times.inference_seconds == 0.0051
    assert run.lines["times.iterations"] == READY.count("\n") + 1
    capture = read(READY + lines(RUNNER, *each, end))
    (row,) = run_tables(capture, capture.runs[0])["spread"].rows
    assert [cell.text for cell in row] == ["Inference time", "5", "3.75 ms", "4 ms", "9.5 ms", "143.75 %"]
    assert "3.75 ms to 9.5 ms with a median of 4 ms" in answers_to(capture, capture.runs[0])[1].reason
    cut = only(READY + lines(RUNNER, *each[:3]))
    assert cut.times.inference_seconds is None and cut.derived["median_seconds_per_inference"].value == 0.00425
    assert "timed_inferences" not in only(EXECUTED).derived, "one has no spread"


def test_a_runner_of_0_6_for_a_host_counts_its_executions() -> None:
    said = {
        166: "Model file n.pte is loaded.", 175: "Using method forward", 226: "Setting up planned buffer 0, size 96.",
        251: "Method loaded.", 284: "Model executed successfully 4 time(s) in 0.064000 ms.", 293: "1 outputs: ",
    }  # fmt: skip
    text = "".join(f"I 00:00:00.000031 executorch:executor_runner.cpp:{at}] {what}\n" for at, what in said.items())
    run = only(text + "Output 0: tensor(sizes=[1], [2.])\n")
    assert (run.runner.executorch_version, run.cycles.inferences, executions(run)) == ("0.6.0", 4, 4)


HEAD = "I 00:00:00.000283 executorch:executor_runner.cpp:476] Model file m.pte is loaded.\n"


@pytest.mark.parametrize(
    "log, rule, title",
    [
        (
            "E 00:00:00.000336 executorch:file_data_loader.cpp:258] Reading from m: failed to read 64 bytes at offset 0: Is a directory\n"
            "E 00:00:00.000456 executorch:executor_runner.cpp:473] Failed to parse model file m\n",
            "program-load-failed",
            "The path of the program is a folder, not a file",
        ),
        (
            "E 00:00:00.000336 executorch:file_data_loader.cpp:258] Reading from m: failed to read 64 bytes at offset 0: Input/output error\n"
            "E 00:00:00.000456 executorch:executor_runner.cpp:473] Failed to parse model file m\n",
            "program-load-failed",
            "The runner could not read its program: Input/output error",
        ),
        (
            f"{HEAD}E 00:00:00.000436 executorch:bundled_program.cpp:274] testset_idx 5 is out of range [0, 2]\n"
            "F 00:00:00.000438 executorch:executor_runner.cpp:700] In function main(), assert failed (status == Error::Ok): "
            "load_bundled_input failed with status 0x12\n",
            "test-set-missing",
            "The bundled program has no test set 5",
        ),
        (
            "E 00:00:00.000291 executorch:executor_runner.cpp:324] Unknown --print_output mode 'loud'. Expected 'none', 'summary', or 'all'.\n",
            "runner-parameters",
            "The runner was started with wrong options",
        ),
        (
            "./executor_runner: error while loading shared libraries: libstdc++.so.6: failed to map segment from shared object\n",
            "out-of-memory",
            "The runner never started: its library libstdc++.so.6 could not be mapped into memory",
        ),
    ],
)
def test_the_reason_stands_in_the_title(log: str, rule: str, title: str) -> None:
    (run,) = (capture := read_capture("x", log.encode())).runs
    first = capture.findings[0]
    assert (first.rule, first.title, first.severity) == (rule, title, "error")
    assert run.status in ("failed", "not_started")


STAMP = "00:00:00.000256 executorch:"
PASSED = (
    f"I {STAMP}executor_runner.cpp:352] Model file m.pte is loaded.\n"
    f"I {STAMP}executor_runner.cpp:361] Using method forward\n"
    f"I {STAMP}executor_runner.cpp:440] Method loaded.\n"
    f"I {STAMP}executor_runner.cpp:493] Model executed successfully 1 time(s) in 0.125000 ms.\n"
    f"I {STAMP}executor_runner.cpp:502] 1 outputs: \n"
    "OutputX 0: tensor(sizes=[1, 2], [0.5, 0.25])\n"
)
UNPARSED = f"E {STAMP}executor_runner.cpp:349] Failed to parse model file b.pte\n"
FATAL = f"F {STAMP}executor_runner.cpp:405] In function main(), assert failed ({{}}.ok()): {{}}: 0x22\n"
UNREAD = {
    "cut": f"E {STAMP}program.cpp:114] File size is too small. Expected file size from extended header is 4096, actual file size from data loader is 512\n{UNPARSED}",
    "other": f"E {STAMP}program.cpp:134] Program identifier 'BP08' != expected 'ET12'\n{UNPARSED}",
    "absent": f"E {STAMP}file_data_loader.cpp:110] Failed to open b.pte: No such file or directory (2)\n"
    + FATAL.format("loader", "FileDataLoader::from() failed"),
    "inputs": f"I {STAMP}executor_runner.cpp:254] Loading inputs from input file(s).\n"
    f"E {STAMP}executor_runner.cpp:156] Failed to open input file: b.bin\n"
    + FATAL.format("status", "Could not load inputs"),
}


@pytest.mark.parametrize("unread", UNREAD.values(), ids=UNREAD)
def test_a_program_that_cannot_be_read_is_not_of_the_run_before_it(unread: str) -> None:
    capture = read_capture("x", (PASSED + unread + PASSED).encode())
    assert [run.status for run in capture.runs] == ["passed", "failed", "passed"]
    assert [run.first_line for run in capture.runs] == [1, 7, 7 + unread.count("\n")]
    alone = read_capture("x", unread.encode())
    assert [run.status for run in alone.runs] == ["failed"]


def test_a_run_that_ends_without_a_fatal_line_is_none_with_the_next() -> None:
    unread = f"E {STAMP}executor_runner.cpp:193] Failed to open input file: b.bin\n\n"
    capture = read_capture("x", (unread + PASSED + unread + PASSED).encode())
    assert [run.status for run in capture.runs] == ["failed", "passed", "failed", "passed"]


def test_what_fails_behind_the_outputs_is_still_of_their_run() -> None:
    log = f"{PASSED}E {STAMP}bundled_program.cpp:523] Method's output data mismatched the expected one.\n"
    assert len(read_capture("x", log.encode()).runs) == 1


def test_outputs_alone_ask_for_a_build_that_logs() -> None:
    (found,) = read_capture("x", b"OutputX 0: tensor(sizes=[1, 2], [0.5, 0.25])\n").findings
    assert found.title.startswith("The log has only executor_runner's outputs")
    assert "EXECUTORCH_ENABLE_LOGGING" in found.advice


def test_inputs_without_memory_on_a_host_are_of_no_pool() -> None:
    log = (
        f"{HEAD}E 00:00:00.000431 executorch:inputs.cpp:169] malloc(150528) failed for input 0\n"
        "F 00:00:00.000440 executorch:executor_runner.cpp:677] In function main(), assert failed (res.ok()): Could not prepare inputs: 0x21\n"
    )
    finding = next(f for f in read_capture("x", log.encode()).findings if f.rule == "inputs-failed")
    assert "not enough memory" in finding.title and "free -m" in finding.advice and "POOL" not in finding.advice


def test_the_size_test_ends_with_the_values_of_its_output() -> None:
    said = [(214, "Program file add.pte loaded."), (223, "Loading method forward"), (230, "Method loaded."),
            (242, "Inputs prepared."), (248, "Model executed successfully."), (262, "2.000000"), (262, "4.500000")]  # fmt: skip
    log = "".join(f"I 00:00:00.000{n} executorch:size_test.cpp:{n}] {text}\n" for n, text in said)
    (run,) = read_capture("size", log.encode()).runs
    assert (run.status, run.outputs[0].first) == ("passed", (2.0, 4.5))
    (run,) = read_capture("size", log.replace("size_test.cpp", "my_test.cpp").encode()).runs
    assert run.status != "passed"
    (run,) = read_capture("size", log[: log.index("I 00:00:00.000262")].encode()).runs
    assert run.status != "passed"
    late = (
        log[: log.index("I 00:00:00.000248")]
        + "F 00:00:00.000300 executorch:size_test.cpp:247] In function main(), assert failed: status == Error::Ok\n"
    )
    assert read_capture("size", late.encode()).runs[0].status == "failed"


def test_the_size_test_has_pools_of_its_own() -> None:
    log = (
        "E 00:00:00.000812 executorch:memory_allocator.h:89] Memory allocation failed: 1480B requested (adjusted for alignment), 300B available\n"
        "E 00:00:00.000820 executorch:method.cpp:120] Failed to allocate values\n"
        "F 00:00:00.000830 executorch:size_test.cpp:230] In function main(), assert failed: method.ok()\n"
    )
    first = read_capture("size", log.encode()).findings[0]
    assert first.rule == "method-pool-too-small"
    assert "test/size_test.cpp" in first.advice and "ET_ARM" not in first.advice and "CONFIG_" not in first.advice
