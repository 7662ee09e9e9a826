"""Several printers in one capture: host tools before the lines, boards that alternate, lines that break into others."""

from __future__ import annotations

from pathlib import Path

import pytest

from ethosu_tui.analysis import Run, read_capture
from ethosu_tui.analysis.splitter import LineSplitter

LINE = "I [executorch:arm_executor_runner.cpp:603 runner_init()] PTE Model data loaded. Size: 960 bytes."
BARE = ["Output[0][0]: 0.5", "NPU delegations: 2 (1.00 per inference)", "# Writing etdump.bin [base64]", "1 outputs:"]

STAMPS = [
    "[14:23:01.123] ", "[00:00:00.012] ", "[2022-05-06T14:23:01.123Z] ", "[2022-05-06T14:23:01.123+0200] ", "[1700000000.123456] ",
    "[2021-06-01 12:00:00] ", "[2021-06-01 12:00:00.123] ", "[Tue May 06 14:23:01.123 2022] ", "[0 00:00:01.123] ", "2024-01-01 12:00:00 ",
    "May 06 14:23:01 ", "May  6 14:23:01 ", "14:23:01.123456 ", "1700000000.123456 ", "2024-01-01T12:00:00.1234567Z ", "00> ",
    "test\tRun model\t2024-01-01T12:00:00.1234567Z ", "[    1.234567] ", "00:00:01.123 00> ", "14:23:01.123 -> ", "[12:00:01:123] ",
    "[00:00:00.010,000] <inf> executorch: ", "2024-01-01T12:00:00.123456Z 01O ", "(2024-05-06 14:23:01) ", "2024/05/06 14:23:01 ",
    "06/05/2024 14:23:01 ", "[0.000001 0.000001] ", "2021-02-09 14:47:15,071 # ", "2024-01-01 12:00:00,123 - board - INFO - ",
    "2024-01-01 12:00:00 [    INFO] ", "INFO     root:test_run.py:12 ", "02:23:01 PM ", "[2:23:01 PM] ", "Mon May  6 14:23:01 UTC 2024 ",
    "2024-05-06T14:23:01,123456+0200 ", "[+0.123s] ", "12:34:56.789| ", "2024-05-06T14:23:01.123Z stdout F ", "E       ", "> ",
    "[2024-01-01 12:00:00] [14:23:01.123] May 06 14:23:01 ", "\x1b[2m[14:23:01.123]\x1b[0m ",
]  # fmt: skip
SOURCES = {
    "runner-1  | ": "runner-1", "runner_1  | ": "runner_1", "runner  | ": "runner", "\x1b[36mrunner-1  | \x1b[0m": "runner-1",
    "runner-1  | 2024-01-01T12:00:00.123456789Z ": "runner-1", "May  6 14:23:01 lab conserver[123]: ": "conserver[123]",
    "2024-05-06T14:23:01.123456+02:00 lab conserver[123]: ": "conserver[123]", "May 06 14:23:01.123456 lab kernel: ": "kernel",
    "[pod/bench-0/runner] ": "pod/bench-0/runner", "board0 ": "board0", "[board0] ": "[board0]", "ttyUSB0: ": "ttyUSB0:",
    "<dut> ": "<dut>", "[2024-01-01 12:00:00] board-a: ": "board-a:", "runner-1  | [12:00:00.123] ": "runner-1",
}  # fmt: skip


@pytest.mark.parametrize("before", [*STAMPS, *SOURCES], ids=str.strip)
def test_what_tools_of_the_host_put_before_lines_is_taken_off(before: str) -> None:
    splitter = LineSplitter()
    lines = splitter.feed("".join(f"{before}{text}\n" for text in (LINE, LINE, *BARE)).encode())
    assert [line.message for line in lines[1:]] == ["PTE Model data loaded. Size: 960 bytes.", *BARE]
    assert lines[0].level == "I" and lines[0].source_line == 603
    assert {line.stream for line in lines} == {SOURCES.get(before, "")}


@pytest.mark.parametrize(
    "text",
    [
        "ethosu_pmu_cycle_cntr : 134869", "Model run: 1", "INFO - NPU TOTAL: 405608 cycles", "[0] = 0.500000", "    [6] left: 0.1220 (q: 0x8f)",
        "10:20 is no time", "Mayor of a town", "[3] class 92: 3.2362", "dtype: 6 | dim order: [", "May be", "*** Booting Zephyr OS build v4.4.0 ***",
        "E: NPU error(s) occured during inference. (ethosu_driver.c:553)", "telnetterminal0: Listening for serial connection on port 5000",
        "Hard fault. irq=-13, pc=0x100008d2, lr=0x10000b01, xpsr=0x01000000, sp=0x10060000", "Inference time: 30 ms", "Total SRAM used    5.00 KiB",
    ],
)  # fmt: skip
def test_lines_that_only_look_like_it_are_left_alone(text: str) -> None:
    (line,) = LineSplitter().feed(text.encode() + b"\n")
    assert line.message == text.strip()
    assert line.stream == ""


def figures(run: Run) -> tuple[object, ...]:
    return run.status, run.stage, run.model, run.memory, run.cycles, run.pmu, run.outputs


@pytest.mark.parametrize(
    "names",
    [
        ("runner-1  | ", "runner-2  | "),
        ("[board-a] ", "[board-b] "),
        ("May  6 14:23:01 lab a[1]: ", "May  6 14:23:01 lab b[2]: "),
    ],
)
def test_two_boards_that_alternate_are_two_runs(samples: Path, names: tuple[str, str]) -> None:
    logs = [(samples / name).read_text("latin-1").split("\n") for name in ("softmax.log", "mnist_q.log")]
    alone = [read_capture("x", "\n".join(log).encode("latin-1")).runs[0] for log in logs]
    longest = max(map(len, logs))
    mixed = [
        name + log[i]
        for i in range(longest)
        for name, log in zip(names, logs, strict=True)
        if i < len(log) and log[i].strip()
    ]
    runs = read_capture("both", "\n".join([*mixed, ""]).encode("latin-1")).runs
    assert sorted(figures(run)[:1] for run in runs) == sorted(figures(run)[:1] for run in alone)
    assert {figures(run)[2:] for run in map(_hashable, runs)} == {figures(run)[2:] for run in map(_hashable, alone)}


def _hashable(run: Run) -> Run:
    return run._replace(memory=run.memory._replace(pools=tuple(run.memory.pools.items())))  # type: ignore[arg-type]


def test_another_core_without_runs_of_its_own_adds_none(samples: Path) -> None:
    log = (samples / "softmax.log").read_text("latin-1").split("\n")
    mixed = "\n".join(f"m55  | {line}\na32  | [    1.000000] usb 1-1: new device {i}" for i, line in enumerate(log))
    (run,) = read_capture("both", mixed.encode("latin-1")).runs
    assert run.status == "passed"


INJECTED = [
    "W: Ethos-U something odd (ethosu_driver.c:123)",
    "I [executorch:method.cpp:822 init()] hello there",
    "E 00:00:01.000123 executorch:executor_runner.cpp:9] from another process",
]


@pytest.mark.parametrize("other", INJECTED)
@pytest.mark.parametrize("every", [1, 7])
def test_a_line_that_another_printer_broke_is_put_together_again(samples: Path, other: str, every: int) -> None:
    """At every place of every line, for some offset, and with all lines broken at once."""
    lines = (samples / "softmax.log").read_text("latin-1").split("\r\n")
    alone = figures(read_capture("x", "\n".join(lines).encode("latin-1")).runs[0])
    for offset in range(1, 120, 9):
        broken: list[str] = []
        for number, line in enumerate(lines):
            cut = (number * 13 + offset) % max(1, len(line))
            if number % every or not cut or "\x04" in line:
                broken.append(line)
            else:
                broken += [line[:cut] + other, line[cut:]]
        runs = read_capture("broken", "\n".join(broken).encode("latin-1")).runs
        assert [figures(run) for run in runs] == [alone], offset


@pytest.mark.parametrize("other", INJECTED)
@pytest.mark.parametrize("text", ["ethos-u : cycle_cnt : 7 cycles (0.50 per inference)", "Output[0][0]: (float) 0.500000",
                                  "ethosu_pmu_cycle_cntr :  5920305 (5920305.00 per inference)"])  # fmt: skip
def test_a_line_may_be_broken_at_any_place(text: str, other: str) -> None:
    line = f"I [executorch:arm_perf_monitor.cpp:160 StopMeasurements()] {text}"
    whole = figures(read_capture("x", f"NPU Inferences : 2\n{line}\n".encode()).runs[0])
    for cut in range(1, len(line)):
        (run,) = read_capture("x", f"NPU Inferences : 2\n{line[:cut]}{other}\n{line[cut:]}\n".encode()).runs
        assert figures(run) == whole, line[:cut]


def test_a_broken_figure_whose_rest_never_comes_is_absent() -> None:
    log = b"ethosu_pmu_cycle_cntr : 13" + INJECTED[1].encode() + b"\nModel run: 1\nProgram complete, exiting.\n"
    (run,) = read_capture("x", log).runs
    assert run.pmu is None
    log = b"Output[0][0]: 0.5\nOutput[0][1]: 0." + INJECTED[0].encode() + b"\nOutput[0][2]: 0.25\n"
    assert read_capture("x", log).runs[0].outputs[0].first == (0.5,)


@pytest.mark.parametrize(
    "failure",
    [
        "bash: FVP_Corstone_SSE-300_Ethos-U55: command not found",
        "docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?",
        "/opt/fvp/FVP_Corstone_SSE-320: cannot execute binary file: Exec format error",
    ],
)
@pytest.mark.parametrize("at", [6, 15, 30])
def test_a_launch_that_fails_beside_a_run_does_not_divide_it(samples: Path, failure: str, at: int) -> None:
    log = (samples / "mnist_q.log").read_text().splitlines()
    (plain,) = read_capture("x", "\n".join([*log, ""]).encode()).runs
    beside = read_capture("x", "\n".join([*log[:at], failure, *log[at:], ""]).encode()).runs
    assert [(run.status, run.model, run.memory, run.pmu, run.outputs) for run in beside if run.status != "not_started"] == [
        (plain.status, plain.model, plain.memory, plain.pmu, plain.outputs)
    ]  # fmt: skip
    assert sorted((run.first_line, run.last_line) for run in beside) == [(1, len(log) + 1), (at + 1, at + 1)]
    ended = read_capture("x", "\n".join([*log[:at], failure, *log, ""]).encode()).runs
    assert [run.status for run in ended] == ["truncated", "passed"]
    (cut, launch) = read_capture("x", "\n".join([*log[:at], failure, ""]).encode()).runs
    assert (cut.status, launch.status) == ("truncated", "not_started")


@pytest.mark.parametrize("at", [20, 41, 60])
def test_a_launch_that_fails_beside_two_boards_divides_neither_run(at: int, samples: Path) -> None:
    log = (samples / "mnist_q.log").read_text().splitlines()
    (plain,) = read_capture("x", "\n".join([*log, ""]).encode()).runs
    rows = [f"[ttyUSB{board}] {line}" for line in log for board in range(2)]
    rows[at:at] = ["bash: FVP_Corstone_SSE-320: command not found"]
    runs = read_capture("x", "\n".join([*rows, ""]).encode()).runs
    assert [(run.status, run.memory, run.pmu) for run in runs if run.status != "not_started"] == [
        (plain.status, plain.memory, plain.pmu)
    ] * 2
    assert len(runs) == 3


@pytest.mark.parametrize("prompt", ["user@host:~/et$ ", "root@board:~# ", "$ "])
def test_make_that_was_called_behind_a_run_did_not_make_it(prompt: str, samples: Path) -> None:
    log = (samples / "mnist_q.log").read_text().splitlines()[:9]
    capture = read_capture(
        "x", "\n".join([*log, f"{prompt}make all", "cc -c a.c", "make: *** [Makefile:12: all] Interrupt", ""]).encode()
    )
    assert [run.status for run in capture.runs] == ["truncated"]
    assert "interrupted" not in capture.findings[0].title
    assert "build-failed" in {finding.rule for finding in capture.findings}


def test_make_tells_who_ended_the_run_that_it_made(samples: Path) -> None:
    log = (samples / "mnist_q.log").read_text().splitlines()[:9]
    for said in (
        "make: *** [Makefile:12: run] Interrupt",
        "^Cmake: *** [Makefile:12: run] Interrupt",
        "make: *** [run] Terminated",
    ):
        capture = read_capture("x", "\n".join([*log, said, ""]).encode())
        assert [run.status for run in capture.runs] == ["truncated"]
        assert "interrupted at stage inputs" in capture.findings[0].title
        assert not [finding for finding in capture.findings if finding.rule == "build-failed"]


def test_make_does_not_tell_of_a_run_behind_which_somebody_typed_the_next_command() -> None:
    log = "I [executorch:arm_executor_runner.cpp:1245 run_model()] Starting running 1 inferences...\n"
    typed = f"{log}me@lab:~/fw$ make flash\nmake: *** [Makefile:91: flash] Interrupt\n"
    (run,) = read_capture("x", typed.encode()).runs
    assert run.status == "hung"


def test_the_simulator_stops_in_the_middle_of_a_line() -> None:
    log = b"I [executorch:arm_executor_runner.cpp:1 main()] Starting running 1 inferences...\nI [executorch:arm_exInfo: Simulation is stopping. Reason: CPU time has been exceeded.\n"
    (run,) = read_capture("x", log).runs
    assert (run.status, run.stage) == ("timeout", "execute")


def test_a_piece_that_came_twice_is_no_second_run() -> None:
    start = "[12:00:00.{:03}] I [executorch:arm_executor_runner.cpp:603 runner_init()] {}\n"
    texts = [
        "PTE @ 0x70000000 [----ET12]",
        "PTE Model data loaded. Size: 960 bytes.",
        "Model buffer loaded, has 1 methods",
        "Running method forward",
    ]
    lines = [start.format(i, text) for i, text in enumerate(texts)]
    end = start.format(9, "Program complete, exiting.")
    (run,) = read_capture("twice", "".join([*lines, *lines, end]).encode()).runs
    assert run.status == "passed"
    later = [line.replace("12:00:00", "12:00:07") for line in lines]
    assert len(read_capture("reboot", "".join([*lines, *later, end]).encode()).runs) == 2


def test_figures_after_a_lost_piece_are_not_those_of_the_run_before() -> None:
    prefix = "I [executorch:arm_executor_runner.cpp:1 main()] "
    first = [
        "PTE @ 0x70000000 [----ET12]",
        "Setup Method allocator pool. Size: 1000 bytes.",
        "Starting running 1 inferences...",
        "NPU Inferences : 1",
    ]
    second = [
        "Setup Method allocator pool. Size: 2000 bytes.",
        "Starting running 1 inferences...",
        "method_allocator_planned:  32 bytes",
        "Program complete, exiting.",
    ]
    runs = read_capture("lost", "".join(f"{prefix}{text}\n" for text in first + second).encode()).runs
    assert [(run.status, run.memory.pools["method"].capacity_bytes, run.memory.planned_bytes) for run in runs] == [
        ("truncated", 1000, None), ("passed", 2000, 32),
    ]  # fmt: skip


def test_a_word_before_one_line_is_not_taken_for_the_name_of_a_source() -> None:
    log = b"Info: " + LINE.encode() + b"\nInfo: Simulation is stopping. Reason: CPU time has been exceeded.\n"
    assert [line.message[:10] for line in LineSplitter().feed(log)] == ["PTE Model ", "Info: Simu"]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("size", [1, 3, 1 << 20])
def test_wide_captures_are_read_like_narrow_ones(samples: Path, encoding: str, mark: str, size: int) -> None:
    text = (samples / "softmax.log").read_text("latin-1").replace("hello", "h\u00e9llo \u2666")
    data = (mark + text).encode(encoding)
    capture = read_capture("wide", (data[at : at + size] for at in range(0, len(data), size)))
    narrow = read_capture("narrow", text.encode())
    assert [figures(run) for run in capture.runs] == [figures(run) for run in narrow.runs]
    assert capture.lines == narrow.lines
    assert capture.bytes == len(data)


@pytest.mark.parametrize("stamp", ["2031-04-05T06:07:08.1234567Z ", "[06:07:08.123] ", "Apr 05 06:07:08 ", "> "])
@pytest.mark.parametrize("before", ["04-05 06:07:08.009  77  78 E ExecuTorch: ", "E/ExecuTorch(   77): "])
def test_a_device_log_may_have_been_stamped_once_more(stamp: str, before: str) -> None:
    """A CI service, `ts` or a mail puts its own mark before each line of `adb logcat`."""
    capture = read_capture("x", f"{stamp}{before}[method.cpp:99] Missing operator: [3] aten::sinh.out\n".encode())
    assert [run.status for run in capture.runs] == ["failed"]
    assert capture.findings[0].rule == "missing-operator" and "aten::sinh.out" in capture.findings[0].title


def _console(cycles: int) -> list[str]:
    said = (
        (1211, "main", "PTE @ 0x70000000 [----ET12]"),
        (597, "runner_init", "PTE Model data loaded. Size: 98304 bytes."),
        (610, "runner_init", "Model buffer loaded, has 1 methods"),
        (1121, "run_model", "Starting running 1 inferences..."),
        (199, "StopMeasurements", f"ethosu_pmu_cycle_cntr : {cycles} ({cycles}.00 per inference)"),
    )
    lines = [f"I [executorch:arm_executor_runner.cpp:{number} {name}()] {text}" for number, name, text in said]
    return [
        *lines,
        f"Output[0][0]: (float) {cycles}.5",
        "I [executorch:arm_executor_runner.cpp:1238 main()] Program complete, exiting.",
    ]


@pytest.mark.parametrize("numbers", [(1, 2), (70, 9)])
def test_tests_that_ctest_runs_beside_one_another_have_runs_of_their_own(numbers: tuple[int, int]) -> None:
    both = zip(*([f"{number}: {line}" for line in _console(1000 * number)] for number in numbers), strict=True)
    commands = [f"{number}: Test command: /w/FVP_Corstone_SSE-300_Ethos-U55 -a {number}.elf" for number in numbers]
    log = [*commands, *(line for pair in both for line in pair), "100% tests passed, 0 tests failed out of 2"]
    runs = read_capture("x", "\n".join(log).encode()).runs
    assert [(run.status, run.pmu and run.pmu.npu_cycles, run.outputs[0].first) for run in runs] == [
        ("passed", 1000 * number, (1000 * number + 0.5,)) for number in numbers
    ]
