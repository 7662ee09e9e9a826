"""What QEMU and the commands around it say of a run: where it ran, and who ended it."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture

START = (
    "I [executorch:arm_executor_runner.cpp:1274 main()] PTE @ 0x70000000 [----ET12]\n"
    "I [executorch:arm_executor_runner.cpp:602 runner_init()] PTE Model data loaded. Size: 960 bytes.\n"
    "I [executorch:arm_executor_runner.cpp:1154 run_model()] Starting running 1 inferences...\n"
)
END = "I [executorch:arm_executor_runner.cpp:1292 main()] Program complete, exiting.\n"
TIMEOUT = "qemu-system-arm: terminating on signal 15 from pid 22897 (timeout)\n"
KILLED = "qemu-system-arm: terminating on signal 15 from pid 612 (python3)\n"
CALL = "$ qemu-system-arm -nographic -M mps3-an547 -kernel r.elf\n"


@pytest.mark.parametrize(
    ("text", "status", "platform", "line"),
    [
        (START, "hung", None, None),
        (START + TIMEOUT, "timeout", "qemu", 4),
        (START + KILLED, "hung", "qemu", 4),
        (START + END + TIMEOUT, "passed", "qemu", 5),
        (CALL + START + END, "passed", "qemu", 1),
        ("bash-5.2# qemu-system-arm -M mps3-an547 -kernel r.elf\n" + START + END, "passed", "qemu", 1),
        ("(venv) me@lab:~/et$ qemu-system-arm -M mps3-an547 -kernel r.elf\n" + START + END, "passed", "qemu", 1),
        ("It also runs with qemu-system-arm -M mps3-an547 here:\n" + START + END, "passed", None, None),
        ("+ qemu-system-arm -machine mps3-an547 -kernel r.elf\n" + START, "hung", "qemu", 1),
        ("[7/8] To exit from QEMU enter: 'CTRL+a, x'[QEMU] CPU: cortex-m3\n" + START + END, "passed", "qemu", 1),
        ("To exit from QEMU enter: 'CTRL+a, x'\n[QEMU] CPU: cortex-m3\n" + START + END, "passed", "qemu", 2),
        (START + "qemu: fatal: Lockup: can't escalate 3 to HardFault (current priority -1)\n", "failed", "qemu", 4),
    ],
)
def test_qemu_is_the_platform_where_it_speaks(text: str, status: str, platform: str | None, line: int | None) -> None:
    (run,) = read_capture("x", text.encode()).runs
    assert (run.status, run.target.platform, run.lines.get("target.platform")) == (status, platform, line)
    assert "target.machine" not in run.lines


def test_the_limit_of_the_command_timeout_is_the_cause() -> None:
    findings = read_capture("x", (START + TIMEOUT).encode()).findings
    assert [finding.rule for finding in findings if finding.severity == "error"] == ["time-limit"]
    assert findings[0].title == "The timeout command stopped QEMU at stage execute"
    assert "no" in findings[0].advice and "NPU" in findings[0].advice


@pytest.mark.parametrize("text", [TIMEOUT, KILLED, CALL])
def test_qemu_alone_is_no_run(text: str) -> None:
    assert read_capture("x", text.encode()).runs == ()


def test_what_comes_after_the_emulator_ended_is_another_run() -> None:
    capture = read_capture("x", (START + TIMEOUT + START + END + TIMEOUT).encode())
    assert [(run.status, run.first_line, run.last_line) for run in capture.runs] == [
        ("timeout", 1, 4),
        ("passed", 5, 9),
    ]


def test_shares_that_qemu_printed_are_called_so() -> None:
    share = "I [executorch:arm_perf_monitor.cpp:179 StopMeasurements()] Inference CPU ratio: 100.00 %\n"
    (finding,) = read_capture("x", (START + share + END + TIMEOUT).encode()).findings
    assert (finding.rule, finding.title) == ("fvp-ratio-not-time", "The CPU/NPU ratio of QEMU is not time")
    assert "FVP" not in finding.detail


def test_a_ports_own_words_are_an_emulators_where_that_plays_its_board() -> None:
    log = f"{CALL}Output[0]: dtype=6, numel=1, nbytes=4\n  [0]=1065353216 (float raw)\n"
    for text, platform in ((log, "qemu"), (log.removeprefix(CALL), "board")):
        (run,) = read_capture("x", text.encode()).runs
        assert run.target.platform == platform


@pytest.mark.parametrize(
    ("words", "rule", "advice"),
    [
        ("unable to find CPU model 'cortex-m56'", "simulator-option", "-cpu out"),
        ("unsupported machine type", "simulator-option", "-machine help"),
        ("No machine specified, and there is no default", "simulator-option", "mps3-an547"),
        ("Invalid RAM size, should be 2 GiB", "simulator-option", "-m out"),
        ("-serial stdio: cannot use stdio by multiple character devices", "simulator-option", "-serial stdio out"),
        ("This board can only be used with CPU cortex-m55-arm-cpu", "simulator-option", "Leave -cpu out"),
        ("Invalid CPU model: cortex-m4", "simulator-option", "Leave -cpu out"),
        ("could not load kernel 'a.elf'", "launcher-not-found", "ls -l"),
        (
            "-device loader,file=m.pte,addr=0x70000000: Cannot load specified image m.pte",
            "launcher-not-found",
            "force-raw",
        ),
        ("cannot set up guest memory 'mps.ram': Cannot allocate memory", "out-of-memory", "ulimit -v"),
        ("allocate 1073741824 bytes for jit buffer: Cannot allocate memory", "out-of-memory", "tb-size"),
        ("Display 'gtk' is not available.", "simulator-option", "-nographic"),
        ("-nographics: invalid option", "simulator-option", "-help"),
        ("-device ethosu: 'ethosu' is not a valid device model name", "simulator-option", "-device help"),
    ],
)
def test_a_launch_that_qemu_refuses_is_no_fault_of_an_fvp(words: str, rule: str, advice: str) -> None:
    for text in (
        f"qemu-system-arm: {words}\n",
        f"(qemu) qemu-system-arm: {words}\n",
        f"{CALL}qemu-system-arm: {words}\n",
    ):
        capture = read_capture("x", (START + END + text).encode())
        assert [run.status for run in capture.runs] == ["passed", "not_started"]
        (finding,) = (finding for finding in capture.findings if finding.severity == "error")
        assert finding.rule == rule and advice in finding.advice and "FVP on PATH" not in finding.advice


@pytest.mark.parametrize(
    "said", ["bash: {}: command not found", "zsh: command not found: {}", "make: {}: No such file or directory"]
)
def test_an_emulator_that_is_not_installed_is_no_missing_fvp(said: str) -> None:
    (finding,) = read_capture("x", f"{said.format('qemu-system-arm')}\n".encode()).findings
    assert finding.rule == "launcher-not-found" and "apt install qemu-system-arm" in finding.advice


@pytest.mark.parametrize(
    "words", ["cannot set up guest memory 'pc.ram': Cannot allocate memory", "-nographics: invalid option"]
)
def test_a_refusal_of_an_emulator_of_other_cores_is_no_run(words: str) -> None:
    assert [run.status for run in read_capture("x", f"{START}{END}qemu-system-x86_64: {words}\n".encode()).runs] == [
        "passed"
    ]


@pytest.mark.parametrize(
    "words", ["warning: nic lan9118.0 has no peer", "-serial tcp::9,server: info: QEMU waiting for connection on: a"]
)
def test_what_qemu_says_beside_is_no_refusal(words: str) -> None:
    (run,) = read_capture("x", f"qemu-system-arm: {words}\n{START}{END}".encode()).runs
    assert run.status == "passed"
