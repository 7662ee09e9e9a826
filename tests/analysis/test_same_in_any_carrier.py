"""What carried a log, or what stands before its first and behind its last line, changes nothing of what is read."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ethosu_tui.analysis import CaptureReader, Run, read_capture
from ethosu_tui.analysis.lines import parse_line

ARM = "I [executorch:arm_executor_runner.cpp:100 main()] "
BOARD = (
    "*** Booting Zephyr OS build v9.9.1 ***",
    "Ethos-U version info:",
    "\tArch:       v1.1.0",
    "\tMACs/cc:    128",
    "Model bytes: 4096",
    "Method 'forward': 1 inputs, 1 outputs, 2 planned buffers",
    "  Planned buffer[0]: 512 bytes",
    "  Planned buffer[1]: 128 bytes",
    "Loading method 'forward'...",
    "Method loaded, 1 inputs, 1 outputs",
)
LINUX = "{} 00:00:00.000{} executorch:executor_runner.cpp:{}] {}"


def said(lines: tuple[str, ...] | list[str]) -> tuple[object, ...]:
    (run,) = read_capture("x", "".join(f"{line}\n" for line in lines).encode()).runs
    return figures(run)


def figures(run: Run) -> tuple[object, ...]:
    return run.status, run.stage, run.runner.kind, run.target, run.model, run.memory, run.outputs


Carrier = Callable[[int, str], str]
CARRIERS: dict[str, Carrier] = {
    "CI service": lambda n, line: f"2031-02-03T04:05:{n:02d}.1234567Z {line}",
    "container": lambda n, line: f"2031-02-03T04:05:{n:02d}.123456789Z stdout F {line}",
    "journal": lambda n, line: f"Feb 03 04:05:{n:02d} evk7 app[77]: {line}",
    "ESP-IDF": lambda n, line: f"I ({100 + 7 * n}) main: {line}",
    "ESP-IDF with its clock": lambda n, line: f"W (04:05:{n:02d}.123) uart-2: {line}",
    "basicConfig": lambda n, line: f"INFO:bench:{line}",
    "logging": lambda n, line: f"2031-02-03 04:05:{n:02d},123 INFO bench: {line}",
    "BuildKit": lambda n, line: f"#9 {n}.123 {line}",
    "syslog": lambda n, line: f"<14>1 2031-02-03T04:05:{n:02d}.123Z evk7 app 77 - - {line}",
    "a stamp and a colon": lambda n, line: f"2031-02-03 04:05:{n:02d}: {line}",
    "stamp and ESP-IDF": lambda n, line: f"[04:05:{n:02d}.123] I ({n}) main: {line}",
}


@pytest.mark.parametrize("carrier", CARRIERS.values(), ids=CARRIERS)
def test_indented_lines_and_lines_that_look_like_a_service_are_read_behind_every_stamp(carrier: Carrier) -> None:
    plain = said(BOARD)
    assert said([carrier(n, line) for n, line in enumerate(BOARD)]) == plain
    assert said(BOARD)[5].planned_buffers == (512, 128)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "before",
    ["tests/fvp/test_run.py ", "test_run.py::TestBoard::test_boots ", "a/run_test.py::test_all[u55-128] ", "<pre>",
     '<div class="log"><pre><code class="language-text">'],
)  # fmt: skip
def test_what_is_glued_to_the_first_line_is_taken_off(before: str) -> None:
    assert said([before + BOARD[0], *BOARD[1:]]) == said(BOARD)


@pytest.mark.parametrize(
    "line",
    ["tests/test_run.py::test_a[Segmentation fault] PASSED", "run.py Model bytes: 4096", "I (x) main: y", "I (12) two words: z",
     "X (12) main: z", "a <pre>b"],
)  # fmt: skip
def test_what_only_looks_like_that_stays(line: str) -> None:
    assert parse_line(1, line.encode()).message == line


def test_the_end_of_a_listing_is_taken_off_the_last_line() -> None:
    for end in ("</pre>", "</code></pre>"):
        assert parse_line(1, f"Model bytes: 4096{end}".encode()).message == "Model bytes: 4096"


FAILED = "E [executorch:main.cpp:77 main()] The backend is not there; no more is done"


@pytest.mark.parametrize(
    "behind",
    [("", "[10:00:00.123] Disconnected"), ("Terminating...", "Thanks for using picocom"), ("", "Script done on 2031-02-03 [COMMAND_EXIT_CODE=\"0\"]"),
     ("```", "", "Any idea?"), ("(env) me@evk7:~# exit", "logout"), ("", "real\t0m3.123s", "user\t0m2.000s"), ("[screen is terminating]",),
     ("section_end:1795640009:step_script\r\x1b[0K",), (".", "", "====== 1 passed in 1.23s ======"), ("PASSED",), ("make[1]: Leaving directory '/w'",)],
)  # fmt: skip
def test_an_error_stays_the_last_word_before_what_others_print_at_the_end(behind: tuple[str, ...]) -> None:
    for lines in ([BOARD[0], FAILED], [BOARD[0], FAILED, *behind]):
        assert said(lines)[0] == "failed"
    assert said([BOARD[0], FAILED, "Display ready, 3 buttons"])[0] == "truncated"


def test_a_fence_behind_a_simulator_is_no_program_that_it_ran() -> None:
    banner = "telnetterminal0: Listening for serial connection on port 5000\n    Ethos-U rev 0123abcd --- Jan  1 2031 00:00:00\n    (C) COPYRIGHT 2031 Arm Limited\n"
    for behind in ("", "```\n", "me@host:~/w$ \n"):
        findings = read_capture("x", (banner + behind).encode()).findings
        assert [f.rule for f in findings] == ["never-started"]


@pytest.mark.parametrize(
    "carrier", [lambda n, line: f"[uart3] {line}", lambda n, line: f"04:05:{n:02d} INFO [bench.py:7] {line}"]
)
def test_one_known_line_is_enough_where_all_of_several_lines_begin_alike(carrier: Carrier) -> None:
    lines = ["cheese", "bread with butter", "TFLM started", "Model bytes: 4096", "water"]
    (run,) = read_capture("x", "".join(f"{carrier(n, line)}\n" for n, line in enumerate(lines)).encode()).runs
    assert run.model.pte_bytes == 4096


ROWS = ("0.5, -0.0612, 0.25, 0.125,", "1.5, 2.5, 3.5, 4.5")


@pytest.mark.parametrize("at", range(1, len(ROWS[0])))
def test_a_number_that_a_narrow_screen_broke_is_no_other_number(at: int) -> None:
    head = [
        LINUX.format("I", "101", 9, "Model executed successfully 1 time(s) in 0.5 ms."),
        LINUX.format("I", "102", 9, "1 outputs: "),
    ]
    head.append("OutputX 0: tensor(sizes=[2, 4], [")
    first = (ROWS[0][:at], ROWS[0][at:])
    (tensor,) = read_capture("x", "\n".join([*head, *first, ROWS[1], "])", ""]).encode()).runs[0].outputs
    assert (tensor.count, tensor.first) == (8, (0.5, -0.0612, 0.25, 0.125, 1.5, 2.5, 3.5, 4.5))
    cut = read_capture("x", "\n".join([*head, first[0]]).encode()).runs[0].outputs[0].first
    assert cut == (0.5, -0.0612, 0.25, 0.125)[: first[0].count(",")]


def test_a_unit_at_the_end_proves_the_figure_before_it_whole() -> None:
    ready = "Ethos-U backend registered successfully\n"
    for line, figure in (("Model bytes: 4096", None), ("PTE at 0x10 Size: 4096 bytes", 4096)):
        (run,) = read_capture("x", f"{ready}{line}".encode()).runs
        assert run.model.pte_bytes == figure


def test_a_name_with_damage_in_it_is_no_name() -> None:
    for name, found in (("forward", "forward"), ("for\ufffdard", None)):
        (run,) = read_capture("x", f"{ARM}Running method {name}\n{ARM}Model run: 1\n".encode()).runs
        assert run.model.method == found


BUNDLED = [
    LINUX.format("I", "100", 9, "Model file m.bpte is loaded."),
    LINUX.format("I", "101", 9, "Model executed successfully 1 time(s) in 0.5 ms."),
    LINUX.format("I", "102", 9, "1 outputs: "),
    "OutputX 0: tensor(sizes=[2], [0.5, 0.25])",
]
PASS, FAIL = (LINUX.format("I", "104", 9, f"TEST: BundleIO index[0] Test_result: {word}") for word in ("PASS", "FAIL"))


def test_a_bundled_program_has_not_passed_before_its_outputs_were_compared() -> None:
    assert [said(BUNDLED)[0], said([*BUNDLED, PASS])[0], said([*BUNDLED, FAIL])[0]] == ["truncated", "passed", "failed"]
    assert said([BUNDLED[0].replace("bpte", "pte"), *BUNDLED[1:]])[0] == "passed"


@pytest.mark.parametrize("end", [2, 5, 12, 18, 20, 30, 40, 51, 54])
def test_a_log_that_ends_inside_of_a_line_that_tells_more_has_not_passed(end: int) -> None:
    passed = [BUNDLED[0].replace("bpte", "pte"), *BUNDLED[1:]]
    for level, lines, status in (
        ("F", 4, "truncated"),
        ("E", 4, "truncated"),
        ("I", 4, "passed"),
        ("I", 2, "truncated"),
        ("Output", 3, "truncated"),
    ):
        torn = f"{level} 00:00:00.000120 executorch:executor_runner.cpp:77] Some"[:end]
        (run,) = read_capture("x", "\n".join([*passed[:lines], torn]).encode()).runs
        assert run.status == ("failed" if level == "F" and end > 53 else status)


def test_another_program_behind_a_runner_that_was_through_has_a_run_of_its_own() -> None:
    passed = [BUNDLED[0].replace("bpte", "pte"), *BUNDLED[1:]]
    other = "F 00:00:00.000150 executorch:example_runner.cpp:9] In function main(), assert failed (status == Error::Ok): no data: 0x10"
    for times in (1, 2):  # the same line at the same microsecond came twice
        runs = read_capture("x", "".join(f"{line}\n" for line in [*passed, *[other] * times]).encode()).runs
        assert [run.status for run in runs] == ["passed", "failed"]


def test_who_looks_at_a_run_while_it_goes_on_changes_nothing() -> None:
    lines = [
        BUNDLED[0].replace("bpte", "pte"),
        *BUNDLED[1:],
        LINUX.format("I", "109", 9, "ETDump written to file 'x.etdump'."),
    ]
    reader = CaptureReader("x")
    for line in lines:
        reader.feed(f"{line}\n".encode())
        reader.snapshot()
    assert reader.ended
    assert [figures(run) for run in reader.finish().runs] == [said(lines)]


@pytest.mark.parametrize(
    "prompt", ["$ ", "root@evk7:~# ", "(env) me@host:~/w$ ", "sh-5.2# ", "uart:~$ ", "\x1b[?2004h$ "]
)
def test_a_prompt_without_a_line_end_cuts_nothing_off(prompt: str) -> None:
    begun = "".join(f"{ARM}{said}\n" for said in ("Running method forward", "Starting running 1 inferences..."))
    statuses = [
        read_capture("x", f"{begun}{end}".encode()).runs[0].status for end in ("", prompt, "99%", "the next li")
    ]
    assert statuses == ["hung", "hung", "truncated", "truncated"]
