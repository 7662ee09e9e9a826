"""What Linux says of the NPU behind a run that failed, and how the tools of its driver stack fail."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.capture import CaptureReader
from ethosu_tui.analysis.outcome import Outcome

from .port_logs import lines, only, read

RUNNER = "I 00:00:00.000120 executorch:executor_runner.cpp:476] "
ASKS = lines(RUNNER, "Model file m.pte is loaded.", "Using method forward", "Model loaded in 0.090000 ms.")
GAVE_UP = (
    "E 00:00:00.000470 executorch:method.cpp:1528] CALL_DELEGATE execute failed at instruction 1: 0x2\n"
    "F 00:00:00.000490 executorch:executor_runner.cpp:773] In function main(), assert failed (status == Error::Ok): "
    "Execution of method forward failed with status 0x2\nAborted\n"
)
DRIVER = "E 00:00:00.000450 executorch:EthosUBackend_Cortex_A.cpp:318] Ethos-U Linux driver invocation failed: {}\n"
UNOPENED = ASKS + DRIVER.format("Failed to open device") + GAVE_UP
PROMPT = "root@board:~# "
NO_FIRMWARE = (
    "[  812.250000] remoteproc remoteproc0: powering up imx-rproc\n"
    "[  812.260000] remoteproc remoteproc0: request_firmware failed: -2\n"
)
MESSAGE = '[  812.250000] ethosu soc@0:ethosu: Msg: Error. type=1, msg="Invalid network"\n'


def test_firmware_that_linux_could_not_load_is_why_the_run_above_got_no_npu() -> None:
    capture = read(
        f"{PROMPT}executor_runner --model_path=m.pte\n{UNOPENED}{PROMPT}dmesg | tail -2\n{NO_FIRMWARE}{PROMPT}\n"
    )
    (run,) = capture.runs
    assert (run.status, run.runner.kind) == ("failed", "executor_runner")
    assert [f.rule for f in capture.findings if f.severity == "error"] == ["npu-firmware-missing"]
    alone = read(NO_FIRMWARE)
    assert [run.status for run in alone.runs] == ["not_started"]
    others = read(
        lines(
            "I [executorch:arm_executor_runner.cpp:677 runner_init()] ",
            "PTE Model data loaded. Size: 960 bytes.",
            "Model buffer loaded, has 1 methods",
        )
        + "Hard fault. irq=-13, pc=0x10000000, lr=0x10000001, xpsr=0x01000003, sp=0x30000000\n"
        + NO_FIRMWARE
    )
    assert [run.status for run in others.runs] == ["failed", "not_started"]


def test_what_the_kernel_says_of_a_failed_run_is_its_cause_and_of_a_passed_one_nothing() -> None:
    refused = ASKS + DRIVER.format("Ethos-U inference failed with status ERROR") + GAVE_UP
    first = read(f"{refused}{PROMPT}dmesg | tail -1\n{MESSAGE}").findings[0]
    assert (first.rule, first.run) == ("npu-firmware-refused", 1)
    passed = ASKS + lines(RUNNER, "Model executed successfully 1 time(s) in 0.125000 ms.", "1 outputs: ")
    capture = read(f"{passed}OutputX 0: tensor(sizes=[1, 2], [0.5, 0.25])\n{PROMPT}dmesg | tail -1\n{MESSAGE}")
    assert [(run.status, run.last_line) for run in capture.runs] == [("passed", 6)]
    assert not [f for f in capture.findings if f.severity == "error"]


def test_a_program_that_is_not_there_is_named() -> None:
    log = "F 00:00:00.000150 executorch:executor_runner.cpp:278] In function try_load_file(), assert failed (file.is_open()): Could not open file 'net.pte'\n"
    capture = read(log)
    assert capture.runs[0].status == "failed"
    assert (capture.findings[0].rule, capture.findings[0].title) == (
        "input-file-missing",
        "The runner could not open net.pte",
    )


TOOL = "Send Ping\nSend version request\nSend capabilities request\nCapabilities:\n\tmacs_per_cc:8\nCreate network\n"


@pytest.mark.parametrize(
    ("said", "rule", "word"),
    [
        ("Error: IOCTL failed\n", "npu-device-refused", "kernel driver"),
        ("Error: Failed to open 'net_vela.tflite'\n", "input-file-missing", "net_vela.tflite"),
        ("Create inference\nWait for inferences\nInference status: error\n", "execution-failed", "failed"),
        ("Create inference\nWait for inference\nInference timed out, cancelling it\nInference status: aborted\n", "npu-timeout", "in time"),
    ],
)  # fmt: skip
def test_a_tool_of_the_driver_stack_that_fails_says_why_once(said: str, rule: str, word: str) -> None:
    capture = read(TOOL + said)
    (run,) = capture.runs
    first = capture.findings[0]
    assert (run.status, first.rule) == ("failed", rule) and word in first.title
    assert "NVIC" not in first.advice and ("dmesg" in first.advice or rule == "input-file-missing")
    assert [f.rule for f in capture.findings if f.severity == "error"] == [rule]


def test_the_words_of_the_tool_are_others_too() -> None:
    outside = read("Send Ping\nError: IOCTL failed\n")
    assert (outside.runs, [f.rule for f in outside.findings]) == ((), ["npu-device-refused"])
    run = only(
        ASKS
        + lines(RUNNER, "Model executed successfully 1 time(s) in 0.125000 ms.", "1 outputs: ")
        + "Error: Failed to open 'labels.txt'\n"
    )
    assert run.status == "passed"
    unrun = "Error: Failed to invoke.\n"
    assert read(unrun).runs == ()
    passed = ASKS + lines(RUNNER, "Model executed successfully 1 time(s) in 0.125000 ms.", "1 outputs: ")
    assert only(f"{passed}OutputX 0: tensor(sizes=[1, 2], [0.5, 0.25])\n{unrun}").status == "passed"
    assert only(f"INFO: Ethosu delegate: device_name set to /dev/ethosu0.\n{unrun}").status == "failed"


@pytest.mark.parametrize("said", ["Error: Failed to open 'labels.txt'\n", "Error: IOCTL failed\n"])
def test_such_words_beside_a_tool_of_tensorflow_lite_are_another_program_s(said: str) -> None:
    measured = (
        "INFO: EthosuDelegate: 1 nodes delegated out of 1 nodes with 1 partitions.\nINFO: Applied EXTERNAL delegate.\n"
        f"INFO: invoked\n{said}INFO: average time: 3.25 ms\nINFO: 0.75: 12 kite\n"
    )
    capture = read(measured)
    assert [run.status for run in capture.runs] == ["passed"]
    assert all(finding.run is None for finding in capture.findings if finding.severity == "error")


SAMPLE = (
    "BoardInit: complete\nEthosU IRQ#: 56, Handler: 0x1000195d\nEthos-U device initialised\nEthos-U version info:\n\tArch:       v1.0.6\n"
    "\tMACs/cc:    256\nTarget system: M55M1\nModel file size 3168 \n"
    + lines("I executorch:main.cpp:345] ", "Model buffer loaded, has 1 methods", "Running method forward")
)


def test_nuvotons_sample_of_executorch_is_on_its_board_and_has_its_kernels_in_a_file() -> None:
    log = (
        f"{SAMPLE}E executorch:method.cpp:728] Missing operator: [0] aten::_softmax.out\n"
        "I executorch:main.cpp:411] Loading of method forward failed with status 0x14\n"
    )
    capture = read_capture("x", log.encode())
    (run,) = capture.runs
    assert (run.status, run.target.name, run.target.platform) == ("failed", "ethos-u55-256", "board")
    assert capture.findings[0].rule == "missing-operator" and "RegisterNativeKernels.cpp" in capture.findings[0].advice
    hung = read_capture("x", (SAMPLE + "I executorch:main.cpp:449] Starting the model execution...\n").encode())
    assert hung.runs[0].status == "hung" and "FVP" not in hung.findings[0].advice
    assert only(log.replace("M55M1", "other")).target.platform is None


CORE = "[  812.2{}0000] remoteproc remoteproc1: {}\n"


@pytest.mark.parametrize(
    "kernel",
    [
        CORE.format(1, "Direct firmware load for adsp.mbn failed with error -2")
        + CORE.format(2, "request_firmware failed: -2") + CORE.format(3, "Boot failed: -2"),
        CORE.format(1, "powering up 4f000000.dsp") + CORE.format(2, "Boot failed: -22"),
        CORE.format(1, "can't start rproc 4f000000.dsp: -110"),
    ],
)  # fmt: skip
def test_a_core_that_does_not_run_the_npu_is_no_cause(kernel: str) -> None:
    capture = read(f"{UNOPENED}{PROMPT}dmesg | tail -3\n{kernel}")
    assert [run.status for run in capture.runs] == ["failed"]
    assert "npu-firmware-missing" not in {f.rule for f in capture.findings}
    behind = read(f"{UNOPENED}{PROMPT}dmesg | tail -5\n{kernel}{NO_FIRMWARE}")
    assert "npu-firmware-missing" in {f.rule for f in behind.findings}, "the NPU's own core counts behind it"


@pytest.mark.parametrize(("seconds", "cause"), [("812.1", True), ("812.9", True), ("512.1", False), ("99.1", False)])
def test_the_kernel_s_word_of_another_time_is_no_cause(seconds: str, cause: bool) -> None:
    stamped = "".join(f"[  {seconds}00000] {line}\n" for line in UNOPENED.splitlines())
    capture = read(stamped + NO_FIRMWARE)
    assert [run.status for run in capture.runs] == ["failed"]
    assert ("npu-firmware-missing" in {f.rule for f in capture.findings}) == cause


@pytest.mark.parametrize(
    ("kernel", "certain"),
    [
        ("remoteproc remoteproc0: Boot failed: -22\n", False),
        ("[  812.250000] remoteproc remoteproc0: request_firmware failed: -2\n", False),
        (NO_FIRMWARE.replace("[  812.250000] ", "").replace("[  812.260000] ", ""), True),
        (f"{NO_FIRMWARE}[  812.270000] remoteproc remoteproc0: Boot failed: -2\n", True),
        ("remoteproc remoteproc0: can't start rproc imx-rproc: -110\n", True),
        ("remoteproc remoteproc0: Boot failed: -22\nremoteproc remoteproc1: can't start rproc imx-rproc: -110\n", True),
    ],
)
def test_a_core_without_a_name_may_be_another(kernel: str, certain: bool) -> None:
    capture = read(f"{UNOPENED}{PROMPT}dmesg -t | tail -2\n{kernel}")
    assert [run.status for run in capture.runs] == ["failed"]
    found = next(f for f in capture.findings if f.rule == "npu-firmware-missing")
    assert ("may be the NPU's" in found.title) != certain
    assert ("Nothing tells which core" in found.detail) != certain


@pytest.mark.parametrize(
    ("last", "status"),
    [("Inputs prepared.\n^C\n", "hung"), ("Inputs prepared.\n", "truncated"), ("Method loaded.\n^C\n", "truncated")],
)
def test_who_interrupts_the_runner_in_its_inference_saw_it_stand_still(last: str, status: str) -> None:
    (run,) = read(f"{PROMPT}executor_runner --model_path=m.pte\n{ASKS}{RUNNER}{last}{PROMPT}").runs
    assert (run.status, run.runner.kind) == (status, "executor_runner")
    done = lines(RUNNER, "Model executed successfully 1 time(s) in 0.125000 ms.", "1 outputs: ")
    through = f"{ASKS}{RUNNER}Inputs prepared.\n^C\n{done}OutputX 0: tensor(sizes=[1, 2], [0.5, 0.25])\n"
    assert read(through).runs[0].status == "passed", "the key was not taken"


@pytest.mark.parametrize(
    ("said", "who"),
    [
        ("^C^C\n", "pressed Ctrl+C"),
        ("^[[A^C" + PROMPT, "pressed Ctrl+C"),
        ("^\\Quit (core dumped)\n", "pressed Ctrl+\\"),
        ("Killed by signal 2.\n", "interrupted it (Killed by signal 2.)"),
        ("Killed by signal 3.\n", "interrupted it (Killed by signal 3.)"),
        ("Killed by signal 11.\n", ""),
        ("[1]    1234 interrupt  ./executor_runner --model_path=m.pte\n", "interrupted it"),
        ("Process exited with status 130\n", "interrupted it"),
        ("^Cmake: *** [Makefile:12: run] Interrupt\n", "pressed Ctrl+C"),
        ("make: *** [Makefile:12: run] Interrupt\n", "interrupted it (make: *** [Makefile:12: run] Interrupt)"),
        ("make[1]: *** [run] Terminated\nmake: *** [Makefile:3: all] Terminated\n", "a signal ended it (make[1]: *** [run] Terminated)"),
        ("make: *** [Makefile:12: run] Error 143\n", "a signal ended it"),
        ("make: *** [Makefile:12: out/a.o] Interrupt\n", ""),
        ("make: *** [Makefile:12: out/a.bin] Interrupt\n", ""),
        ("Terminated\n", "a signal ended it (Terminated)"),
        ("./run.sh: line 3:  1234 Terminated              ./executor_runner -m m.pte\n", "a signal ended it"),
        ('Traceback (most recent call last):\n  File "/w/run.py", line 3, in <module>\n    call()\nKeyboardInterrupt\n', "interrupted it"),
        ("Process exited with status 1300\n", ""),
        ("press ^C to stop\n", ""),
        ("Terminated by policy\n", ""),
        ("[1]+  Stopped                 ./executor_runner --model_path=m.pte\n", ""),
    ],
)  # fmt: skip
def test_what_shells_and_services_say_of_an_interrupted_runner(said: str, who: str) -> None:
    capture = read(f"{ASKS}{RUNNER}Inputs prepared.\n{said}{PROMPT}")
    assert capture.runs[0].status == ("hung" if who else "truncated")
    assert who in capture.findings[0].detail
    assert ("log shows" in capture.findings[0].detail) == bool(who)
    counting = read(f"{ASKS}{RUNNER}Inputs prepared.\n{RUNNER}Iteration 1 of 9: 3.250000 ms\n{said}{PROMPT}")
    assert counting.runs[0].status == ("truncated" if who else "hung")
    assert ("interrupted at stage execute" in counting.findings[0].title) == bool(who)
    assert who in counting.findings[0].detail
    loading = read(f"{ASKS}{RUNNER}Method loaded.\n{said}{PROMPT}")
    assert loading.runs[0].status == "truncated"
    assert ("interrupted at stage plan" in loading.findings[0].title) == bool(who)
    passed = lines(RUNNER, "Model executed successfully 1 time(s) in 0.125000 ms.", "1 outputs: ")
    through = f"{ASKS}{RUNNER}Inputs prepared.\n{passed}OutputX 0: tensor(sizes=[1, 2], [0.5, 0.25])\n{said}"
    assert read(through).runs[0].status == "passed"


def test_only_a_key_that_ended_the_runner_is_named_as_its_end() -> None:
    began = f"{ASKS}{RUNNER}Inputs prepared.\n"
    on = read(f"{began}^C\n{lines(RUNNER, 'Model executed successfully 1 time(s) in 0.125000 ms.')}")
    assert on.runs[0].status != "hung", "the runner went on behind it"
    of_kernel = read(f"{began}^C\n{PROMPT}dmesg | tail -1\n{MESSAGE}")
    assert of_kernel.runs[0].status == "hung", "the kernel tells why"
    reader = CaptureReader("x")
    reader.feed(began.encode())
    silent = reader.finish(Outcome("silence"))
    (hung,) = (found for found in silent.findings if found.rule == "hung")
    assert "interrupted" not in hung.title and "Ctrl+C" not in hung.detail


@pytest.mark.parametrize("below", ["^C\n", "KeyboardInterrupt\n", "Process exited with status 130\n", "Terminated\n"])
def test_who_interrupts_the_next_command_did_not_interrupt_the_runner(below: str) -> None:
    began = f"{ASKS}{RUNNER}Inputs prepared.\n"
    run = read(f"{began}{PROMPT}python3 train.py\nepoch 1\n{below}").runs[0]
    assert run.status == "truncated", "the shell took a command, so the runner had ended"
    killed = read(f"{began}{PROMPT}kill 412\n[1]+  Terminated              ./executor_runner --model_path=m.pte\n")
    assert killed.runs[0].status == "hung", "it ran beside the shell"


@pytest.mark.parametrize(
    "begun", ["", "I: Initializing NPU: base_address=0x4a900000, fast_memory=0, secure=0, privileged=0\n"]
)
def test_lines_of_the_runtime_are_more_than_the_start_of_a_driver(begun: str) -> None:
    (found,) = read(f"{begun}D [executorch:app.cpp:12 main()] waiting for a picture\n").findings
    assert found.rule == "truncated-log" and "driver" not in found.title


def test_a_driver_that_only_started_was_asked_for_no_inference() -> None:
    """The trace of firmware beside Linux holds no more until a job comes."""
    started = lines(
        "I: ", "Initializing NPU: base_address=0x4a900000, fast_memory=0, secure=0, privileged=0", "Soft reset NPU",
        "New NPU driver registered (handle: 0x0x20009210, NPU: 0x0x4a900000)",
    )  # fmt: skip
    for text, rule in ((started, "truncated-log"), (f"{started}I: Acquiring NPU driver handle\n", "hung")):
        (found,) = read(text).findings
        assert (found.rule, "trace again" in found.advice) == (rule, rule == "truncated-log")
    for text in (
        f"{started}I [executorch:app.cpp:12 main()] Waiting\n",
        "I [executorch:EthosUBackend.cpp:9 init()] New words\n",
    ):
        (found,) = read(text).findings
        assert found.rule == "truncated-log" and "driver" not in found.title, "the runtime spoke, too"
