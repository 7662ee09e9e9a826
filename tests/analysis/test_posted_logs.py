"""Logs as they are posted: of Android, of a script that prints bytes, of boards whose printf is small, with make and Python below the run."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture

from .port_logs import only

STUDIO = "05-03 09:10:11.120: E/ExecuTorch(4100): "
JAVA = "05-03 09:10:11.140: W/System.err(4100): "


def test_an_error_in_the_log_of_a_phone_is_a_run_that_failed() -> None:
    capture = read_capture("x", f"{STUDIO}Nothing is where it should be\n".encode())
    assert [run.status for run in capture.runs] == ["failed"]
    assert [finding.rule for finding in capture.findings] == ["run-failed"]


def test_an_exception_of_java_tells_how_the_method_ended() -> None:
    log = (
        f"{STUDIO}input 2 is none\n05-03 09:10:11.131: I/App(4100): it failed\n"
        f"{JAVA}java.lang.RuntimeException: java.lang.Exception: Execution of method forward failed with status 0x12\n"
        f"{JAVA}\tat com.example.app.Run.now(Run.java:31)\n"
        f"{JAVA}Caused by: java.lang.Exception: Execution of method forward failed with status 0x12\n"
    )
    capture = read_capture("x", log.encode())
    assert [(run.status, run.stage) for run in capture.runs] == [("failed", "execute")]
    assert [(f.rule, f.severity) for f in capture.findings] == [
        ("inputs-failed", "error"),
        ("execution-failed", "info"),
    ]
    assert "Input 2" in capture.findings[0].title
    alone = read_capture("x", b"java.lang.Exception: Execution of method forward failed with status 0x14\n")
    assert alone.findings[0].rule == "execution-failed" and "0x14" in alone.findings[0].detail


@pytest.mark.parametrize("quote", ["'", '"'])
def test_lines_that_a_script_printed_as_the_bytes_that_it_read(quote: str) -> None:
    lines = (
        "I [executorch:arm_executor_runner.cpp:602 runner_init()] PTE Model data loaded. Size: 4416 bytes.",
        "I [executorch:arm_executor_runner.cpp:637 runner_init()] Setup Method allocator pool. Size: 2048 bytes.",
        "E [executorch:memory_allocator.h:105 allocate()] Memory allocation failed: 4096B requested (adjusted for alignment), 2048B available",
        "I [executorch:arm_executor_runner.cpp:670 runner_init()] Loading of method \\'forward\\' failed with status 0x21",
    )
    capture = read_capture("x", "".join(f"b{quote}{line}\\r\\n{quote}\n" for line in lines).encode())
    (run,) = capture.runs
    assert (run.status, run.model.pte_bytes, run.memory.pools["method"].capacity_bytes) == ("failed", 4416, 2048)
    assert capture.findings[0].rule == "method-pool-too-small"


@pytest.mark.parametrize("name", ["b'", "b''", "b'I am'", 'b"'])
def test_other_bytes_are_no_run(name: str) -> None:
    assert read_capture("x", f"{name}\n".encode()).runs == ()


def test_what_was_printed_first_does_not_follow_from_what_came_later() -> None:
    kernel = "Didn't find op for builtin opcode 'PAD' version '1'\n\nFailed to get registration from op code PAD\n"
    arena = "Failed to allocate memory for memory planning, 480 bytes required\n"
    capture = read_capture("x", f"{kernel}{arena}".encode())
    found = {finding.rule: finding for finding in capture.findings}
    assert capture.findings[0].rule == "arena-too-small"
    assert "follows from" not in found["missing-operator"].detail


def test_a_name_that_a_small_printf_lost_is_no_operator() -> None:
    log = "Didn't find op for builtin opcode 'SLICE' version '2'\n\nFailed to get registration from op code  d\n\nAllocateTensors() failed\n"
    finding = read_capture("x", log.encode()).findings[0]
    assert (finding.rule, finding.title) == ("missing-operator", "The application has no kernel for SLICE")
    alone = read_capture("x", b"Failed to get registration from op code  d\nAllocateTensors() failed\n").findings[0]
    assert (alone.rule, alone.severity) == ("missing-operator", "error") and "name is not printed" in alone.title


def test_each_call_after_a_setup_that_failed_says_so() -> None:
    log = "Score: 3\nInvoke() called after initialization failed\n\nInvoke failed.\n" * 3
    capture = read_capture("x", log.encode())
    assert [run.status for run in capture.runs] == ["failed"]
    assert [f.rule for f in capture.findings if f.severity == "error"] == ["tensors-not-allocated"]


PANIC = (
    "[    3.120000] [CPU0] arm_{0}fault: PANIC!!! {1}:\n[    3.120000] [CPU0] arm_{0}fault: \tIRQ: 5 regs: 0x2001f0c0\n"
    "[    3.120000] [CPU0] arm_{0}fault: \tCFSR: {2} HFSR: 00000000 DFSR: 00000000 BFAR: 60000010 AFSR: 00000000\n"
    "[    3.120000] [CPU0] up_dump_register: IP: 00000000 SP: 2001f0a8 LR: 10002213  PC: 10004a10\n"
)


@pytest.mark.parametrize(
    ("name", "banner", "cfsr", "title", "words"),
    [
        ("bus", "Bus Fault", "00008200", "Bus fault", "60000010"),
        ("usage", "Usage Fault", "00080000", "Usage fault", "no coprocessor"),
        ("hard", "Hard Fault!", "00100000", "Stack overflow", "Enlarge the stack"),
    ],
)
def test_a_panic_of_nuttx(name: str, banner: str, cfsr: str, title: str, words: str) -> None:
    capture = read_capture("x", PANIC.format(name, banner, cfsr).encode())
    finding = capture.findings[0]
    assert [run.status for run in capture.runs] == ["failed"]
    assert finding.rule == "hard-fault" and finding.title.startswith(title)
    assert words in f"{finding.detail} {finding.advice}" and ".pte" not in finding.advice


def test_what_make_and_python_say_below_a_run_follows_from_it() -> None:
    arena = "Failed to allocate tail memory. Requested: 640, available 112, missing: 528\nFailed starting model allocation.\n"
    capture = read_capture("x", f"{arena}make: *** [Makefile:7: test_net] Segmentation fault\n".encode())
    assert [f.rule for f in capture.findings if f.severity == "error"] == ["arena-too-small"]
    other = read_capture("x", f"{arena}make: *** [Makefile:7: net.o] Error 1\n".encode())
    assert [f.rule for f in other.findings if f.severity == "error"] == ["arena-too-small", "build-failed"]
    lost = '[method.cpp:61] Backend OtherBackend is not registered.\nTraceback (most recent call last):\n  File "/w/a.py", line 3, in run\n'
    said = read_capture("x", lost.encode()).findings
    assert [f.rule for f in said if f.severity == "error"] == ["backend-not-registered"]
    assert only(lost).status == "failed"


def test_the_first_releases_write_errors_to_a_phone_as_information() -> None:
    mark = "02-11 08:00:01.101: I/ETLOG(77): "
    log = (
        f"{mark}Model file /data/a.pte is loaded.\n{mark}Setting up planned buffer 0, size 4096.\n"
        f"{mark}Constant buffer 4 out of program buffer range 2\n{mark}getTensorDataPtr() failed: 0x12\n"
        f"{mark}Failed parsing tensor at index 2: 0x12\n{mark}In function CheckOk(), assert failed: hasValue_\n"
    )
    capture = read_capture("x", log.encode())
    assert [run.status for run in capture.runs] == ["failed"]
    assert [f.rule for f in capture.findings if f.severity == "error"] == ["method-load-failed"]
    assert "Constant buffer 4" in capture.findings[0].detail


@pytest.mark.parametrize(
    ("said", "status"), [("Overriding outp", "truncated"), ("Over", "failed"), ("Overrun", "failed")]
)
def test_a_message_that_stops_no_run_is_known_by_its_beginning(said: str, status: str) -> None:
    log = f"I 00:00:00.000100 executorch:some_runner.cpp:20] Method loaded.\nE 00:00:00.000200 executorch:method.cpp:939] {said}\n"
    assert only(log).status == status


def test_an_operator_is_named_once_where_a_release_misnames_it_in_the_second_line() -> None:
    log = "".join(
        f"Didn't find op for builtin opcode '{name}' version '1'\n\nFailed to get registration from op code ADD\n \n"
        for name in ("TANH", "SQUEEZE")
    )
    capture = read_capture("x", f"{log}Failed starting model allocation.\n".encode())
    assert capture.findings[0].title.endswith("TANH, SQUEEZE")
    alone = read_capture("x", b"Failed to get registration from op code ADD\n \n")
    assert alone.findings[0].title.endswith("ADD")


def test_tensors_that_are_allocated_again() -> None:
    twice = "07:08:09.110 -> MicroAllocator: Model allocation started before finishing previously allocated model\n"
    capture = read_capture("x", f"{twice}07:08:09.110 -> Failed starting model allocation.\n".encode())
    assert [(run.status, run.stage) for run in capture.runs] == [("failed", "plan")]
    assert [f.rule for f in capture.findings] == ["tensors-not-allocated"]
    assert "again" in capture.findings[0].title
    first = f"Failed to allocate tail memory. Requested: 640, available 112, missing: 528\n{twice}"
    found = read_capture("x", first.encode()).findings
    assert [f.rule for f in found if f.severity == "error"] == ["arena-too-small"]


@pytest.mark.parametrize(
    ("said", "rule", "title"),
    [
        ("[method.cpp:7] Input 3 has unexpected scalar type: expected Int but was Float.", "input-type", "type"),
        ("[tensor_impl.cpp:9] Attempted to resize a static tensor to a new shape at dimension 1 old_size: 4 new_size: 9",
         "inputs-failed", "9 in dimension 1"),
        (" 12%|###   | 1/8 [00:02<00:14,  2.01s/it][tensor_impl.cpp:9] Attempted to change the tensor rank which is immutable",
         "inputs-failed", "shape"),
        ("[method.cpp:7] Something else happened", "inputs-failed", "could not be prepared"),
    ],
)  # fmt: skip
def test_what_the_line_above_says_of_an_input_in_a_log_of_python(said: str, rule: str, title: str) -> None:
    capture = read_capture("x", f"{said}\n[method.cpp:8] Error setting input 3: 0x12\n".encode())
    assert [run.status for run in capture.runs] == ["failed"]
    assert capture.findings[0].rule == rule and title in capture.findings[0].title


def test_the_first_of_the_lines_in_which_a_backend_says_why_it_gave_up() -> None:
    log = (
        "[SomeModelLoader.mm:40] Failed to load model from asset 7\n[some_delegate.mm:288] Model init failed\n"
        "[some_backend.mm:193] SomeBackend: Failed to init the model.\n[method.cpp:113] Init failed for backend SomeBackend: 0x23\n"
    )
    finding = read_capture("x", log.encode()).findings[0]
    assert finding.rule == "method-load-failed"
    assert finding.detail.endswith("It says: Failed to load model from asset 7.")


def test_zephyr_that_could_not_stack_the_registers() -> None:
    mark = "[00:00:07.000,001] <err> os: "
    told = (
        "***** HARD FAULT *****", "  Fault escalation (see below)", "***** MPU FAULT *****", "  Stacking error (context area might be not valid)",
        "  Floating-point lazy state preservation error", "r0/a1:  0x20000010  r1/a2:  0x00000000  r2/a3:  0x20002000",
        "Faulting instruction address (r15/pc): 0x00004abc",
    )  # fmt: skip
    finding = read_capture("x", "".join(f"{mark}{line}\n" for line in told).encode()).findings[0]
    assert finding.title.startswith("Memory management fault") and "CONFIG_MAIN_STACK_SIZE" in finding.advice
    assert "Stacking error" in finding.detail and "lazy state" in finding.detail


def test_registers_below_a_fault_in_a_minimal_log_of_zephyr_are_no_messages() -> None:
    log = (
        "E: ***** USAGE FAULT *****\nE:   Attempt to execute undefined instruction\n"
        "E: r0/a1:  0x00000001  r1/a2:  0x00000002  r2/a3:  0x00000003\nE:  xpsr:  0x01000000\nE: s[ 0]:  0x00000000  s[ 1]:  0x00000000\n"
    )
    assert [finding.rule for finding in read_capture("x", log.encode()).findings] == ["hard-fault"]


def test_a_fault_of_an_old_zephyr_names_its_instruction() -> None:
    log = "***** BUS FAULT *****\n  Executing thread ID (thread): 0x20000044\n  Faulting instruction address:  0x2b7e\n  Imprecise data bus error\n"
    assert "0x2b7e" in read_capture("x", log.encode()).findings[0].detail


def test_the_check_of_a_kernel_that_is_the_last_word() -> None:
    said = "E [executorch:{} check_args()] Check failed (in.dim() == 5): Expected 5 dimensions, but got 2\n"
    kernel = said.format("op_stack.cpp:70")
    assert (only(kernel).status, only(kernel).stage) == ("failed", "execute")
    finding = read_capture("x", kernel.encode()).findings[0]
    assert finding.rule == "operator-failed" and finding.title == "The kernel stack rejected its arguments"
    shared = read_capture("x", said.format("kernel_ops_util.cpp:70").encode()).findings
    assert [f.title for f in shared] == ["A kernel rejected its arguments"]
    told = f"{kernel}E [executorch:method.cpp:9 f()] KernelCall failed at instruction 0:1 in operator aten::stack.out: 0x12\n"
    assert [f.rule for f in read_capture("x", told.encode()).findings if f.severity == "error"] == ["operator-failed"]
    of_tensors = read_capture("x", said.format("tensor_util.h:70").encode()).findings
    assert [f.rule for f in of_tensors] == ["operator-failed"]  # nothing but kernels asks for its checks
    loader = read_capture("x", said.format("program.cpp:70").encode()).findings
    assert [f.rule for f in loader] == ["run-failed"]


def test_an_execution_that_failed_without_a_word_before_says_what_to_capture() -> None:
    failed = "F [executorch:arm_executor_runner.cpp:1060 run_model()] In function run_model(), assert failed (status == Error::Ok): Execution of method forward failed with status 0x1\n"
    finding = read_capture("x", failed.encode()).findings[0]
    assert finding.rule == "execution-failed" and finding.advice.startswith("Capture stderr as well")
    said = "E [executorch:method.cpp:9 f()] Something was wrong\n" + failed
    assert read_capture("x", said.encode()).findings[0].advice.startswith("Read the lines just before")
