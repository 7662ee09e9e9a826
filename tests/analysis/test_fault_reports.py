"""What handlers of faults print: which fault it was, what it could not reach, and in which numbers they say so."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture


@pytest.mark.parametrize(
    ("banner", "ipsr", "title"),
    [
        ("Exception caught by function BusFault_Handler", "0x00000005", "Bus fault on the target"),
        ("Exception caught by function HardFault_Handler", "0x00000003", "Hard fault on the target"),
        ("Exception caught by function MemManage_Handler", "0x00000004", "Memory management fault on the target"),
        ("Exception caught by function Default_Handler", "0x00000006", "Usage fault on the target"),
        ("***** USAGE FAULT *****", "0x00000003", "Usage fault on the target"),
    ],
)
def test_a_fault_is_named(banner: str, ipsr: str, title: str) -> None:
    log = f"INFO - Ethos-U device initialised\n{banner}\nCTRL    : 0x0000000c\nIPSR    : {ipsr}\nMSP     : 0x2007fb58\n"
    capture = read_capture("x", log.encode())
    assert (capture.runs[0].status, capture.runs[0].last_line) == ("failed", 5)
    assert (capture.findings[0].rule, capture.findings[0].title) == ("hard-fault", title)


@pytest.mark.parametrize(
    "banner",
    [
        "Hard fault. irq=-13, pc=0x1000",
        "Hard fault. irq=-13, pc=0x10000620, lr=0x1000a63b, psr=0x01100000, sp=0x3007fbf8\n",
    ],
)
def test_a_fault_whose_line_was_cut_or_damaged_is_one(banner: str) -> None:
    log = f"I [executorch:arm_executor_runner.cpp:703 runner_init()] Running method forward\n{banner}"
    capture = read_capture("x", log.encode())
    assert [(run.status, run.stage) for run in capture.runs] == [("failed", "load")]
    assert capture.findings[0].rule == "hard-fault"
    for other in (b"Hard fault. The handler resets the board.\n", b"Hard fault. irq=%d, pc=0x%08lx, lr=0x%08lx\n"):
        assert read_capture("x", other).runs == ()


@pytest.mark.parametrize(
    ("report", "told"),
    [
        ("Hard fault. irq=-13", "Capture the report to its end"),
        ("Hard fault. irq=-13, pc=0x1000a6", "Capture the report to its end"),
        ("Hard fault. irq=-13, pc=0x1000a63a", "Look up the pc"),
        ("Hard fault. irq=-13, pc=0x00000000, lr=0x1000a63b, xpsr=0x01100000, sp=0x3007fbf8", "Look up the lr"),
        ("++ MbedOS Fault Handler ++\n\nFaultType: HardFault\nR0   : 00000001\nPC   : 00001874", "Look up the pc"),
        ("E: ***** USAGE FAULT *****\nE:   Unaligned memory access", "If it already is: stop in that handler"),
        ("*** HARDFAULT ***", "Stop in that handler"),
        ("psr: 0x01000000\n pc: 0x00001a2c\nhard fault on thread: main", "Look up the pc"),
        ("Guru Meditation Error: Core  0 panic'ed (Load access fault). Exception was unhandled.\nMEPC    : 0x42008a1c", "Look up the pc"),
    ],
)  # fmt: skip
def test_only_what_a_report_holds_is_to_be_looked_up(report: str, told: str) -> None:
    log = f"I [executorch:arm_executor_runner.cpp:703 runner_init()] Running method forward\n{report}"
    assert told in read_capture("x", log.encode()).findings[0].advice


def test_a_handler_that_prints_the_parts_of_the_status_names_the_address() -> None:
    log = (
        "INFO - Ethos-U device initialised\nINFO - Running inference on image 0 => a.bmp\n\n==== BusFault exception ====\n\nHFSR  = 40000000 (FORCED)\n"
        "BFSR  = 82 (PRECISERR)\nBFAR  = A0000010\nEXC_RETURN = FFFFFFF9\nR12 = 00000000 SP  = 2001FF00 LR  = 8000ABCD PC  = 8000ABCE\n"
    )
    capture = read_capture("x", log.encode())
    assert [(run.status, run.stage) for run in capture.runs] == [("failed", "execute")]
    found = capture.findings[0]
    assert (found.rule, found.title) == ("hard-fault", "Bus fault on the target")
    assert "precise data bus error" in found.detail and "PC = 8000ABCE" in found.detail
    assert found.advice.startswith("Check pointers and memory regions around A0000010")
    valid = log.replace("82 (PRECISERR)", "82 (BFARVALID, PRECISERR)")  # names the register, and is another
    assert (
        read_capture("x", valid.encode())
        .findings[0]
        .advice.startswith("Check pointers and memory regions around A0000010")
    )


def test_a_fault_report_without_a_pc_does_not_send_to_it() -> None:
    kit = "INFO - Ethos-U device initialised\nException caught by function {}_Handler\nIPSR    : 0x00000005\nMSP     : 0x2007aa10\n"
    advice = read_capture("x", kit.format("BusFault").encode()).findings[0].advice
    assert advice.startswith("Stop in that handler")
    mbed = b"++ MbedOS Fault Handler ++\n\nFaultType: HardFault\n\nContext:\nPC   : 00002A74\nHFSR : 40000000\n"
    assert read_capture("x", mbed).findings[0].advice.startswith("Look up the pc in the ELF")


@pytest.mark.parametrize(
    "log",
    [
        "[00:00:00.000,000] <err> os: ***** HARD FAULT *****\n[00:00:00.000,000] <err> os:   Bus fault on vector table read\n"
        "[00:00:00.000,000] <err> os: Faulting instruction address (r15/pc): 0x00000009\n"
        "[00:00:00.000,000] <err> os: >>> ZEPHYR FATAL ERROR 0: CPU exception on CPU 0\n",
        "++ MbedOS Fault Handler ++\n\nFaultType: HardFault\n\nContext:\nPC   : 00000008\nHFSR : 00000002\n",
    ],
)
def test_a_vector_that_the_core_could_not_read_is_told(log: str) -> None:
    capture = read_capture("x", log.encode())
    assert (capture.runs[0].status, capture.findings[0].rule) == ("failed", "hard-fault")
    assert capture.findings[0].advice.startswith("Check that the vector table")
    assert capture.runs[0].runner.kind == ("zephyr" if "ZEPHYR" in log else "other")


def test_registers_that_are_printed_in_decimal_behind_0x_are_read_so() -> None:
    fault = "Hard fault. irq=-13, pc=0x{}, lr=0x{}, xpsr=0x{}, sp=0x{}\n            cfsr=0x{} bfar=0x{}\n"  # 0x8200 and 0x60000010
    log = "I [executorch:arm_executor_runner.cpp:625 main()] PTE Model data loaded. Size: 960 bytes.\n" + fault
    decimal = log.format("268501300", "268501121", "553648128", "805306208", "00033280", "1610612752")
    (finding,) = read_capture("x", decimal.encode()).findings
    assert (
        "cfsr=0x00008200 bfar=0x60000010: precise data bus error" in finding.detail and "in decimal" in finding.detail
    )
    assert "pc=0x10010134" in finding.detail and finding.advice.startswith(
        "Check pointers and memory regions around 0x60000010"
    )
    hexadecimal = log.format("10010134", "10010081", "21000000", "30000460", "00008200", "60000010")
    (finding,) = read_capture("x", hexadecimal.encode()).findings
    assert "bfar=0x60000010: precise data bus error" in finding.detail and "decimal" not in finding.detail


@pytest.mark.parametrize("mark", ["[00:00:00.000,000] <err> os: ", "DEBUG: #: [00:00:00.000,000] <err> os: ", "E: "])
def test_zephyr_tells_caller_and_thread(mark: str) -> None:
    log = "".join(
        f"{mark}{text}\n"
        for text in (
            "***** BUS FAULT *****",
            "  Precise data bus error",
            "r0/a1:  0x00000001  r1/a2:  0x00000002  r2/a3:  0x00000003",
            "r3/a4:  0x00000004 r12/ip:  0x00000005 r14/lr:  0x10002321",
            "Faulting instruction address (r15/pc): 0x1000aa80",
            ">>> ZEPHYR FATAL ERROR 25: Unknown error on CPU 0",
            "Current thread: 0x20000060 (main)",
        )
    )
    (finding, *_) = read_capture("x", log.encode()).findings
    assert finding.rule == "hard-fault" and finding.lines == (1, 2, 4, 5, 7)
    assert all(text in finding.detail for text in ("r14/lr: 0x10002321", "(r15/pc): 0x1000aa80", "0x20000060 (main)"))
