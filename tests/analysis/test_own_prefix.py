"""Prefixes that a port makes up itself: figures, levels and places are read behind any of them, and nothing of prose is."""

from __future__ import annotations

import time

import pytest

from ethosu_tui.analysis import Capture, read_capture
from ethosu_tui.analysis.watching.live_reader import LiveReader

BANNER = "telnetterminal0: Listening for serial connection on port 5000\n\n    Ethos-U rev 136b7d75 --- Feb 16 2024 15:47:15\n"
SAID = (
    ("I", "arm_executor_runner.cpp", 677, "runner_init", "PTE Model data loaded. Size: 1264 bytes."),
    ("I", "arm_executor_runner.cpp", 693, "runner_init", "Model buffer loaded, has 1 methods"),
    ("I", "arm_executor_runner.cpp", 714, "runner_init", "Setup Method allocator pool. Size: 4096 bytes."),
    ("I", "arm_executor_runner.cpp", 740, "runner_init", "Setting up planned buffer with mem_id=1, size 304."),
    ("", "", 0, "", "board: 31 C"),
    ("I", "arm_perf_monitor.cpp", 150, "StopMeasurements", "NPU Inferences : 1"),
    ("I", "arm_perf_monitor.cpp", 210, "StopMeasurements", "ethosu_pmu_cycle_cntr : 4711 (4711.00 per inference)"),
    ("", "", 0, "", "Output[0][0]: (float) 0.250000"),
)  # fmt: skip
PASSED = (*SAID, ("I", "arm_executor_runner.cpp", 1550, "main", "Program complete, exiting."))
FAILED = (
    *SAID[:4],
    ("E", "memory_allocator.h", 105, "allocate", "Memory allocation failed: 640B requested (adjusted for alignment), 12B available"),
)  # fmt: skip
WORDS = {"I": "INFO", "E": "ERROR"}


def written(prefix: str, said: tuple[tuple[str, str, int, str, str], ...]) -> bytes:
    text = BANNER
    for number, (level, file, line, function, message) in enumerate(said):
        told = prefix.format(
            level=level, word=WORDS.get(level, ""), file=file, line=line, function=function, ms=f"{number * 7:03}"
        )
        text += f"{told if level else ''}{message}\n"
    return text.encode()


def printed(prefix: str, said: tuple[tuple[str, str, int, str, str], ...]) -> Capture:
    return read_capture("port", written(prefix, said))


PREFIXES = (
    "ET: ", "[NPU] ", "M55> ", "{word}: ", "[{word}] ", "[{word:<5}] ", "{word} - ", "[{level}] ", "{level}/net: ", "[{level}/net] ",
    "[{word}][ET  ]: ", "{level} {file}:{line}: ", "[{level} {file}:{line}] ", "[{file}:{line}] {level}: ", "{file}:{line} {level} ",
    "{level} [executorch:{file}:{line} {function}] ", "[executorch:{file}:{line}] {level}: ", "{level}|net|{file}:{line}|", "{level}\t",
    "[10:00:00.{ms}] [{level}] [net] ", "src/{file}:{line} {function}() {word}: ", "{file}(main) ",
)  # fmt: skip


@pytest.mark.parametrize("prefix", PREFIXES)
def test_figures_are_read_behind_any_prefix(prefix: str) -> None:
    (run,) = printed(prefix, PASSED).runs
    assert (run.status, run.model.pte_bytes, run.memory.planned_buffers) == ("passed", 1264, (304,))
    assert run.pmu is not None
    assert (run.pmu.npu_cycles, run.cycles.inferences, run.memory.pools["method"].capacity_bytes) == (4711, 1, 4096)
    assert [tensor.first for tensor in run.outputs] == [(0.25,)]


ZEPHYR = (
    *(
        ("I", "arm_executor_runner.cpp", number, "main", message)
        for number, message in (
            (215, "PTE at 0x8004000 Size: 720 bytes"), (230, "PTE Model data loaded. Size: 720 bytes."), (254, "Running method forward"),
            (282, "Setting up planned buffer 0, size 48."), (399, "Starting the model execution..."), (436, "Model executed successfully."),
            (485, "SUCCESS: Program complete, exiting."),
        )
    ),
)  # fmt: skip
SAMPLE = tuple(
    ("I", "main.cpp", number, "main", message)
    for number, message in (
        (269, "Model PTE at 0x8004000, Size: 720 bytes"), (302, "Model loaded, has 1 methods"), (325, "Method allocator pool size: 4096 bytes."),
        (349, "Setting up planned buffer 0, size 48."),
    )
)  # fmt: skip


@pytest.mark.parametrize("prefix", PREFIXES)
def test_samples_of_zephyr_are_read_behind_any_prefix(prefix: str) -> None:
    (run,) = printed(prefix, ZEPHYR).runs  # its last words end as the runner's do
    assert (run.status, run.model.pte_bytes, run.memory.planned_buffers) == ("passed", 720, (48,))
    (run,) = printed(prefix, SAMPLE).runs
    assert (run.model.pte_bytes, run.memory.pools["method"].capacity_bytes) == (720, 4096)


@pytest.mark.parametrize("prefix", PREFIXES)
def test_a_run_of_few_lines_is_read_behind_any_prefix(prefix: str) -> None:
    """All that there is where its program is damaged, or where the board stops there."""
    (run,) = printed(prefix, ZEPHYR[:2]).runs
    assert (run.status, run.stage, run.model.pte_bytes) == ("truncated", "load", 720)


@pytest.mark.parametrize("prefix", PREFIXES)
def test_a_report_that_is_printed_past_the_runtime_takes_no_prefix_from_the_rest(prefix: str) -> None:
    bare = tuple(("", *told[1:]) if told[1] == "arm_perf_monitor.cpp" else told for told in PASSED)
    report = ("", "", 0, "", "Ethos-U PMU report:")
    (run,) = printed(prefix, (*bare[:6], report, *bare[6:])).runs
    assert (run.status, run.model.pte_bytes, run.pmu and run.pmu.npu_cycles) == ("passed", 1264, 4711)


def test_two_errors_of_the_runtime_are_read_behind_a_prefix() -> None:
    scratch = "Failed to allocate scratch buffer of 640 bytes from temp_allocator"
    found = printed("[ET/{level}] ", (FAILED[-1], ("E", "EthosUBackend.cpp", 173, "execute", scratch))).findings
    assert found[0].rule == "temp-pool-too-small"


@pytest.mark.parametrize("prefix", PREFIXES)
def test_what_failed_is_told_behind_any_prefix(prefix: str) -> None:
    capture = printed(prefix, FAILED)
    assert ([run.status for run in capture.runs], capture.findings[0].rule) == (["failed"], "method-pool-too-small")


def test_the_place_in_a_prefix_tells_the_release() -> None:
    (run,) = printed("[{file}:{line}] {level}: ", PASSED).runs
    (same,) = printed("{level} [executorch:{file}:{line} {function}()] ", PASSED).runs
    assert run.runner.executorch_version is not None
    assert run.runner.executorch_version == same.runner.executorch_version


@pytest.mark.parametrize(
    "text",
    [
        'ET_LOG(Info, "Input prepared.");\nET_LOG(Info, "Program complete, exiting.");\n',
        "Then it says Input prepared. and so on.\nAt the end it says Program complete, exiting. and stops.\n",
        "[A] Input prepared.\n[B] Program complete, exiting.\n[A] Program complete, exiting.\n[B] Input prepared.\n",
        "ET: Input prepared.\nET: Input prepared.\n",
    ],
)
def test_words_of_others_are_no_prefix(text: str) -> None:
    assert read_capture("x", (BANNER + text).encode()).runs[0].status == "not_started"


def test_a_long_line_before_a_message_takes_no_time() -> None:
    began = time.perf_counter()
    text = "".join(
        f"{'a.b/' * 200}c.cpp:1 x() Input prepared.\n{'I ' * 80}Program complete, exiting.\n" for _ in range(200)
    )
    read_capture("x", text.encode())
    assert time.perf_counter() - began < 2


@pytest.mark.parametrize("size", [1, 23, 160, 5000])
@pytest.mark.parametrize("prefix", PREFIXES)
@pytest.mark.parametrize("said", [PASSED, FAILED])
def test_a_run_that_is_watched_is_read_so_too(
    said: tuple[tuple[str, str, int, str, str], ...], prefix: str, size: int
) -> None:
    """What was printed before the prefix is known is read again; each line is shown once."""
    data, reader = written(prefix, said), LiveReader("port")
    lines = [line for at in range(0, len(data), size) for line in reader.feed(data[at : at + size], float(at))]
    lines += reader.flush()
    assert [line.number for line in lines] == list(range(1, data.count(b"\n") + 1))
    assert reader.finish().runs == printed(prefix, said).runs


@pytest.mark.parametrize(
    "mark", ["1. ", "2) ", "- ", "* ", "# ", "// ", "- [x] ", "Then you will see ", "On the console: we see "]
)
def test_a_text_about_a_run_is_no_run(mark: str) -> None:
    """A list of what should be printed, a comment, a sentence."""
    text = f"{mark}Input prepared.\n{mark}Program complete, exiting.\n"
    assert read_capture("x", text.encode()).runs == ()


@pytest.mark.parametrize("size", [1, 7, 255])
@pytest.mark.parametrize(
    "behind",
    [
        "X| Program complete, exiting.\n",
        '"Input prepared."\n',
        "I [executorch:arm_executor_runner.cpp:70] Model buffer loaded, has 1 methods\n",
        "I [executorch:arm_executor_runner.cpp:70] Model buffer loaded, has 1 methods",
    ],
)
def test_what_contradicts_a_prefix_later_counts_for_a_run_that_is_watched_too(behind: str, size: int) -> None:
    data, reader = written("M55> ", PASSED) + behind.encode(), LiveReader("port")
    lines = []
    for at in range(0, len(data), size):
        lines += reader.feed(data[at : at + size])
        reader.snapshot()
    lines += reader.flush()
    assert [line.number for line in lines] == list(range(1, data.count(b"\n") + 1 + (not data.endswith(b"\n"))))
    assert reader.finish() == read_capture("port", data)


@pytest.mark.parametrize(
    "text",
    [
        "M55> PTE @ 0x1\n" * 3200,
        "".join(f"p{number}q> Input prepared.\n" for number in range(2000)),
        "".join(f"{'z' * 500}{number}PTE @ 0x1\n" for number in range(90)),
    ],
)
def test_a_prefix_is_looked_for_in_each_line_once(text: str) -> None:
    data, reader, began = text.encode(), LiveReader("port"), time.process_time()
    for at in range(0, len(data), 16):
        reader.feed(data[at : at + 16])
    assert time.process_time() - began < 4


def test_what_somebody_says_beside_a_runner_without_a_prefix_ends_nothing() -> None:
    hangs = "".join(f"{message}\n" for *_, message in SAID[:4])
    said = "bob: Input prepared.\nbob: Program complete, exiting.\n"
    (run,) = read_capture("x", (BANNER + hangs + said).encode()).runs
    assert run.status == "truncated"
