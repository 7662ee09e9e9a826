"""Several boards in one file, with a name before each line, wherever in its run the capture of each begins."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture

from .port_logs import RUNNER

NAMES = (
    "[ttyUSB{}] ", "(uart{}) ", "<ttyACM{}> ", "/dev/ttyUSB{}: ", "board{}: ", "board{} | ", "uart{} ",
    "[10:11:12.123] [ttyUSB{}] ", "2026-05-04T10:11:12Z uart{} ",
    "INFO board_{}: ", "INFO     main:board{} ", "INFO     board_{}:serial.py:42 ",
    "INFO:board_{}:", "DEBUG:lab.board{}.console:", "2026-05-04 10:11:12,345 - board_{} - INFO - ",
    "2026-05-04 10:11:12,345 INFO board_{}: ", "10:11:12 INFO     board_{}:serial.py:42 ",
)  # fmt: skip


def mixed(name: str, *logs: list[str]) -> bytes:
    """The lines of these logs in turns, two of each."""
    turns = range(0, max(map(len, logs)), 2)
    return "".join(
        f"{name.format(board)}{line}\n" for at in turns for board, log in enumerate(logs) for line in log[at : at + 2]
    ).encode()


@pytest.mark.parametrize("name", NAMES)
def test_each_board_has_its_run(name: str) -> None:
    plain = read_capture("x.log", ("\n".join(RUNNER) + "\n").encode()).runs[0]
    read = read_capture("x.log", mixed(name, RUNNER, RUNNER))
    assert [(run.status, run.model, run.memory, run.cycles) for run in read.runs] == [
        (plain.status, plain.model, plain.memory, plain.cycles)
    ] * 2
    assert not [finding for finding in read.findings if finding.rule == "targets-mixed"]


HALVES = [
    f"I [executorch:arm_perf_monitor.cpp:{place}] {text}"
    for place, text in (
        (171, "ethosu_pmu_cntr2 : {beats}"),
        (171, "ethosu_pmu_cntr3 : {idle}"),
    )
] + [
    f"I [executorch:arm_executor_runner.cpp:{place}] {text}"
    for place, text in (
        (483, "model_pte_loaded_size:     {loaded} bytes."),
        (498, "method_allocator_used:     {used} / 62914560  free: 61000000 ( used: 2 % ) "),
        (505, "method_allocator_planned:  {planned} bytes"),
        (613, "1 outputs: "),
        (650, "Program complete, exiting."),
    )
]


def half(**figures: int) -> list[str]:
    """A run whose beginning was not captured."""
    return [line.format(**figures) for line in HALVES]


@pytest.mark.parametrize("names", [("alif: ", "corstone: "), ("[board-a] ", "[board-b] "), ("left | ", "right | ")])
def test_boards_whose_runs_began_before_the_capture_keep_their_figures(names: tuple[str, str]) -> None:
    first = half(beats=4711, idle=512, loaded=4425968, used=1355722, planned=752640)
    second = half(beats=815, idle=77, loaded=960, used=1248, planned=32)
    late = [*second[3:], *second]  # the second one is in another phase: its run ends, and one more follows
    alone = [read_capture("x.log", ("\n".join(lines) + "\n").encode()) for lines in (first, late)]
    lines = [f"{name}{line}" for pair in zip(first, late, strict=False) for name, line in zip(names, pair, strict=True)]
    lines += [f"{names[1]}{line}" for line in late[len(first) :]]
    read = read_capture("x.log", ("\n".join(lines) + "\n").encode())
    of = [(run.status, run.memory, run.cycles, run.pmu) for run in read.runs]
    assert sorted(map(str, of)) == sorted(
        str((run.status, run.memory, run.cycles, run.pmu)) for report in alone for run in report.runs
    )
    assert {"targets-mixed"}.isdisjoint(finding.rule for finding in read.findings)


def test_tasks_of_one_board_share_its_run() -> None:
    plain = read_capture("x.log", ("\n".join(RUNNER) + "\n").encode())
    lines = [f"{'pmu' if 'perf_monitor' in line else 'main'}_task: {line}" for line in RUNNER]
    read = read_capture("x.log", ("\n".join(lines) + "\n").encode())
    assert [(run.status, run.memory, run.cycles) for run in read.runs] == [
        (run.status, run.memory, run.cycles) for run in plain.runs
    ]


def test_what_two_loggers_say_of_one_board_is_one_run() -> None:
    plain = read_capture("x.log", ("\n".join(RUNNER) + "\n").encode())
    lines = [f"INFO {'pmu' if 'perf_monitor' in line else 'main'}_task: {line}" for line in RUNNER]
    read = read_capture("x.log", ("\n".join(lines) + "\n").encode())
    assert [(run.status, run.memory, run.cycles) for run in read.runs] == [
        (run.status, run.memory, run.cycles) for run in plain.runs
    ]


def test_a_level_behind_the_name_of_a_board_is_a_word_of_that_board() -> None:
    kit = (
        "INFO - Initialising ExecuTorch runtime",
        "INFO - Model PTE file loaded. Size: 2100 bytes.",
        "INFO - Model buffer loaded, has 1 methods",
        "INFO - Setting up planned buffer 0, size 752640.",
        "INFO - Total planned memory allocated: 752640 bytes",
        "INFO - Setting up temporary allocator pool. Base: 0x31000000, size: 1572864 bytes.",
        "INFO - Method memory allocated: 1234 bytes",
        "INFO - Input tensor 0 is ready",
    )
    lines = [f"INFO board_{board}: {line}" for line in kit for board in (0, 1)]
    read = read_capture("x.log", ("\n".join(lines) + "\n").encode())
    assert [run.runner.kind for run in read.runs] == ["mlek", "mlek"]


KIT = [
    "INFO - Ethos-U device initialised", "INFO - Allocating tensors", "INFO - Activation buffer (a.k.a tensor arena) size used: 5120",
    "INFO - Running inference on image 0 => a.bmp", "INFO - Final results:", "INFO - Total number of inferences: 1", "INFO - Profile for Inference:",
    "INFO - NPU ACTIVE: {active} cycles", "INFO - NPU IDLE: 10 cycles", "INFO - NPU TOTAL: {total} cycles", "INFO - Main loop terminated successfully.",
]  # fmt: skip


@pytest.mark.parametrize(
    "name", ["INFO:board_{}:", "INFO board_{}: ", "2026-05-04 10:11:12,345 - board_{} - INFO - ", "[ttyUSB{}] "]
)
def test_each_board_with_the_evaluation_kit_has_its_run(name: str) -> None:
    logs = [[line.format(active=active, total=active + 10) for line in KIT] for active in (4711, 815)]
    plain = [read_capture("x.log", ("\n".join(log) + "\n").encode()).runs[0] for log in logs]
    read = read_capture("x.log", mixed(name, *logs))
    assert [(run.status, run.pmu, run.memory) for run in read.runs] == [
        (run.status, run.pmu, run.memory) for run in plain
    ]
    late = read_capture("x.log", mixed(name, *(log[5:] for log in logs)))
    assert [run.pmu for run in late.runs] == [run.pmu for run in plain]


def test_a_logger_is_one_source_whatever_its_levels_are() -> None:
    plain = read_capture("x.log", ("\n".join(RUNNER) + "\n").encode()).runs[0]
    levels = ("DEBUG", "INFO", "INFO", "WARNING", "INFO")
    lines = [
        f"{levels[(at + board) % 5]}:board{board}:{line}\n" for at, line in enumerate(RUNNER) for board in range(2)
    ]
    lines[9:9] = ["INFO:lab.power:board1 is on\n"]
    read = read_capture("x.log", "".join(lines).encode())
    assert [(run.status, run.memory, run.cycles) for run in read.runs] == [
        (plain.status, plain.memory, plain.cycles)
    ] * 2


def test_a_number_that_goes_up_is_no_name() -> None:
    plain = read_capture("x.log", ("\n".join(RUNNER) + "\n").encode())
    read = read_capture("x.log", "".join(f"[n{at}] {line}\n" for at, line in enumerate(RUNNER)).encode())
    assert [(run.status, run.model, run.cycles) for run in read.runs] == [
        (run.status, run.model, run.cycles) for run in plain.runs
    ]


@pytest.mark.parametrize(
    ("console", "other"),
    [("INFO:lab.console:", "INFO:lab:"), ("2026-05-04 10:11:12,345 - console - INFO - ", "2026-05-04 10:11:12,345 - check - DEBUG - ")],
)  # fmt: skip
@pytest.mark.parametrize("every", [1, 2, 3])
def test_a_logger_that_repeats_lines_of_the_console_is_no_board(console: str, other: str, every: int) -> None:
    for log in (RUNNER, [line.format(active=4711, total=4721) for line in KIT]):
        plain = read_capture("x.log", ("\n".join(log) + "\n").encode()).runs[0]
        rows = [
            f"{name}{line}\n"
            for at, line in enumerate(log)
            for name in ((console, other) if at % every == 0 else (console,))
        ]
        (run,) = read_capture("x.log", "".join(rows).encode()).runs
        assert (run.status, run.memory, run.cycles, run.pmu) == (plain.status, plain.memory, plain.cycles, plain.pmu)
