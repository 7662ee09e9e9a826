"""The five answers: each says what the log shows or why it cannot be told, and never a figure that is not one."""

from __future__ import annotations

from pathlib import Path

import pytest

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.answers.answer import QUESTIONS, Answer, document_of, unknown, with_room, wrapped_lines
from ethosu_tui.analysis.answers.fix import fix_of
from ethosu_tui.analysis.answers.of_capture import answers_document, answers_in, answers_to
from ethosu_tui.analysis.answers.of_compile import answers_of_compile
from ethosu_tui.analysis.answers.of_run import answers_of_run
from ethosu_tui.analysis.meaning.assumptions import Assumptions
from ethosu_tui.analysis.meaning.boards import BOARDS
from ethosu_tui.analysis.meaning.derive import derive
from ethosu_tui.analysis.report import CompileSummary, Finding

from .port_logs import only

GIVEN = Assumptions(npu_clock_hz=500e6, target="ethos-u85-128", model_macs=300_836_992)
SUMMARY = CompileSummary(
    accelerator="ethos-u55-128", system_config="Ethos_U55_High_End_Embedded", memory_mode="Shared_Sram",
    core_clock_hz=500e6, sram_used_bytes=400_000, off_chip_flash_used_bytes=100_000, npu_cycles=52_036,
    sram_access_cycles=10_000, off_chip_flash_access_cycles=107_264, total_cycles=138_824, inference_seconds=278e-6,
    delegated_subgraphs=1, delegated_nodes=34, non_delegated_nodes=3,
)  # fmt: skip


def answers(samples: Path, name: str, given: Assumptions | None = None) -> dict[str, Answer]:
    capture = read_capture(name, (samples / name).read_bytes())
    capture = derive(capture) if given is None else derive(capture, given)
    (found,) = answers_in(capture, given)
    assert [answer.key for answer in found.answers] == list(QUESTIONS)
    return {answer.key: answer for answer in found.answers}


def test_every_sample_log_has_five_answers_with_a_reason(samples: Path) -> None:
    for log in sorted(samples.glob("*.log")):
        for answer in answers(samples, log.name).values():
            assert answer.answer and "None" not in answer.sentence, (log.name, answer)
            assert answer.reason or answer.key == "advice", (log.name, answer)


def test_without_a_clock_speed_is_cycles_and_with_one_time(samples: Path) -> None:
    name = "mobilenet_v2_corstone320.log"
    speed = answers(samples, name)["speed"]
    assert "5,920,305 NPU cycles" in speed.answer and "no clock is known" in speed.reason and speed.lines == (24,)
    timed = answers(samples, name, GIVEN)["speed"]
    assert timed.answer == "11.8 ms on the NPU alone" and "500 MHz (the clock that was given)" in timed.reason
    assert "not time" in timed.reason, "the CPU cycles of an FVP"


def test_an_error_beside_a_run_that_passed_did_not_stop_it(samples: Path) -> None:
    log = (samples / "host_softmax.log").read_text()
    broken = 'CMake Error at CMakeLists.txt:12 (message):\n  Unknown EXECUTORCH_PAL_DEFAULT "tiny".\n'
    capture = read_capture("host", f"{log}\n{broken}".encode())
    assert (capture.runs[0].status, capture.findings[0].severity) == ("passed", "error")
    said = {answer.key: answer.reason for answer in answers_to(capture, capture.runs[0])}
    assert said["speed"] == "the runner measured it"
    assert said["limit"] == "the log has no PMU counters of the NPU"


def test_cycles_of_a_simulated_core_are_no_speed(samples: Path) -> None:
    speed = answers(samples, "softmax.log")["speed"]
    assert not speed.known and "not time" in speed.reason
    host = answers(samples, "host_softmax.log")["speed"]
    assert host.known and "us an inference" in host.answer


def test_what_failed_says_why_and_what_to_type(samples: Path) -> None:
    found = answers(samples, "method_small_planned.log")
    assert found["passed"].answer == "no, failed" and "method pool is too small" in found["passed"].reason
    assert found["passed"].tone == "bad" and found["passed"].lines
    assert found["fit"].answer == "no" and "3.8 KiB did not fit" in found["fit"].reason
    assert "-DET_ARM_BAREMETAL_METHOD_ALLOCATOR_POOL_SIZE=8192" in found["advice"].answer
    assert not found["speed"].known and not found["limit"].known


def test_a_cut_log_neither_passed_nor_failed(samples: Path) -> None:
    whole = (samples / "mobilenet_v2_corstone320.log").read_bytes()
    capture = derive(read_capture("cut", whole[: whole.index(b"ethosu_pmu_cntr1")]))
    passed = answers_of_run(capture.runs[0], capture.findings)[0]
    assert passed.key == "passed" and not passed.known and "the run's output ends" in passed.reason


def test_a_pass_with_a_reference_says_so_and_one_without_says_that(samples: Path) -> None:
    assert "bundled program expects" in answers(samples, "bundleio_pass.log")["passed"].reason
    assert "no reference" in answers(samples, "softmax.log")["passed"].reason


def test_a_board_that_was_asked_for(samples: Path) -> None:
    name = "mobilenet_v2_corstone320.log"
    fit = answers(samples, name, Assumptions(board="alif-e8-u85"))["fit"]
    assert fit.answer == "on alif-e8-u85, yes, 23 % to spare" and "planned, 735.0 KiB" in fit.reason
    other = answers(samples, name, Assumptions(board="imx93"))["fit"]
    assert other.answer == "on imx93, no" and "has ethos-u65-256" in other.reason and other.tone == "bad"


def test_a_verdict_is_the_answer_to_what_limits_it() -> None:
    from .perf_log import U85, render
    from .test_derive import BUILT, WAV2LETTER, WAV2LETTER_MACS

    banner = BUILT.format("ethos-u85-1024", "Ethos_U85_SYS_DRAM_Mid", "Dedicated_Sram_384KB")
    given = Assumptions(model_macs=WAV2LETTER_MACS)
    capture = derive(read_capture("x", render(WAV2LETTER, U85, before=banner)), given)
    ((*_, limit, advice),) = (found.answers for found in answers_in(capture, given))
    assert limit.answer == "bound by the MAC array (high confidence)" and "94.8 %" in limit.reason
    assert "more MACs" in advice.answer


def test_a_compile_is_answered_with_estimates_that_say_so() -> None:
    entry = {"target": "ethos-u55-128", "status": "ok", "pte_bytes": 112_000, "operators": []}
    passed, speed, fit, limit, advice = answers_of_compile(SUMMARY, (), entry)
    assert passed.question == "Did it compile?" and "34 nodes go to the NPU, 3 stay on the CPU" in passed.reason
    assert "estimated" in speed.answer and "not measured" in speed.reason
    assert "390.6 KiB of SRAM" in fit.answer and "psoc-edge-e84" in fit.reason
    assert limit.answer == "flash, by Vela's estimate" and "stays on the CPU" in advice.answer
    (on_board,) = (a for a in answers_of_compile(SUMMARY, (), entry, BOARDS["psoc-edge-e84"]) if a.key == "fit")
    assert on_board.answer == "on psoc-edge-e84, yes, 79 % to spare"
    (wrong,) = (a for a in answers_of_compile(SUMMARY, (), entry, BOARDS["imx93"]) if a.key == "fit")
    assert wrong.answer == "on imx93, no"


def test_operators_tell_what_limits_a_compile_better_than_totals() -> None:
    rows = [{"bound": "dram", "share_percent": 70.0}, {"bound": "npu", "share_percent": 30.0}, {"bound": None}]
    limit = answers_of_compile(SUMMARY, (), {"target": "ethos-u55-128", "operators": rows})[3]
    assert limit.answer.startswith("DRAM") and "70.00 %" in limit.reason


def test_borders_of_an_int8_program_are_no_advice() -> None:
    quiet = SUMMARY._replace(
        non_delegated_operators={"quantize_per_tensor": 1, "dequantize_per_tensor": 1, "getitem": 1}
    )
    assert answers_of_compile(quiet)[4].answer.startswith("try ")


def test_a_compile_that_failed_has_no_figures() -> None:
    root = Finding("vela-failed", "error", None, "Vela refused", "", "Compile with `--debug`.", (3,))
    found = answers_of_compile(None, (root,), {"target": "ethos-u55-128", "status": "failed"})
    assert found[0].answer == "no" and found[0].reason == "Vela refused"
    assert [answer.known for answer in found[1:4]] == [False, False, False]
    assert found[4].answer == "Compile with `--debug`"


def test_json_has_null_for_what_cannot_be_told() -> None:
    (entry,) = document_of([unknown("speed", "there is no clock")])
    assert entry == {"question": "speed", "answer": None, "reason": "there is no clock", "lines": []}


def test_a_compile_alone_in_a_capture_is_answered(samples: Path) -> None:
    from .test_derive import VELA

    (found,) = answers_document(read_capture("vela", VELA.encode()))
    assert (found["run"], found["compile"]) == (None, 1) and len(found["five"]) == 5


def test_lines_are_wrapped_behind_the_question() -> None:
    lines = wrapped_lines([Answer("fit", "yes", "word " * 30), Answer("limit", "a\x1b[2Jb", "c")], 60)
    assert all(len(line) <= 60 for line in lines)
    assert lines[0].startswith("Does it fit?     yes: word") and lines[1].startswith(" " * 17 + "word")
    assert lines[-1].endswith("ab: c"), "nothing of it steers a terminal"


@pytest.mark.parametrize(
    ("advice", "fix"),
    [
        ("build with -DA_B=10240 (Zephyr: CONFIG_A_B=10240); then trim.", "-DA_B=10240"),
        ('name them: -DLIST="a::b.out,c::d.out"; more', '-DLIST="a::b.out,c::d.out"'),
        ('pip install "executorch[ethos-u]" of the same release', 'pip install "executorch[ethos-u]"'),
        ("start it with -C ethosu.num_macs=128 (Corstone-320: other)", "-C ethosu.num_macs=128"),
        ("Look with `ethosu-tui runs rm`, then again.", "ethosu-tui runs rm"),
        ("Use --target=ethos-u55-128.", "--target=ethos-u55-128"),
        ("give the target (--target ethos-u85-256); give more", "--target ethos-u85-256"),
        ("Link it with --whole-archive.", None),
        ("Check the wiring - and the power.", None),
        ("Link the full newlib: without --specs=nano.specs.", None),
    ],
)
def test_what_is_to_be_typed_is_taken_out_of_an_advice(advice: str, fix: str | None) -> None:
    assert fix_of(Finding("x", "error", None, "", "", advice)) == fix


def test_what_a_compile_needs_is_not_told_where_the_weights_are_not_known() -> None:
    """Vela's summary of a small model has neither cycles nor, in Sram_Only, what the weights take."""
    bare = CompileSummary(accelerator="ethos-u85-256", memory_mode="Sram_Only", sram_used_bytes=51)
    found = {answer.key: answer for answer in answers_of_compile(bare, ())}
    assert not found["fit"].known and "only the arena (51 B)" in found["fit"].reason
    assert not found["speed"].known and "no cycles" in found["speed"].reason == found["limit"].reason
    shared = bare._replace(memory_mode="Shared_Sram", accelerator="ethos-u55-128")
    fit = answers_of_compile(shared, ())[2]
    assert fit.answer == "it needs 51 B of SRAM" and "as the size of the program is not known" in fit.reason
    large = answers_of_compile(shared._replace(sram_used_bytes=1 << 40), ())[2]
    assert "none is known to have room;" in large.reason
    one = answers_of_compile(shared._replace(accelerator="ethos-u85-256"), ())[2]
    assert one.reason.startswith("the one known board with this NPU is not known to have room, as ")
    assert with_room(["a-board"], 1) == "the one known board with this NPU surely has room (a-board)"


def test_why_no_board_is_known_to_have_room_is_said_of_a_run_as_well() -> None:
    kit = "INFO - Ethos-U55 device initialised\nINFO - MACs/cc:    128\nINFO - Allocating tensors\n"
    run = only(kit + "INFO - Activation buffer (a.k.a tensor arena) size used: 20480\n")
    fit = next(answer for answer in answers_of_run(run, ()) if answer.key == "fit")
    assert fit.reason.endswith("none is known to have room, as the log does not tell the size of the program")


def test_a_summary_of_vela_above_a_traceback_is_no_program() -> None:
    """A log does not tell whether the `.pte` was written; a checked result does."""
    failed = Finding("compile-failed", "error", None, "A Python program of the compile failed", "", "", (9,))
    summary = CompileSummary(npu_operators=3, cpu_operators=0)
    assert [
        answers_of_compile(summary, [failed], entry)[0].answer
        for entry in (None, {"status": "ok"}, {"status": "failed"})
    ] == ["Vela finished, but", "yes, but", "no"]


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        ((1, 1), "1 node goes to the NPU, 1 stays on the CPU"),
        ((2, 0), "all 2 nodes go to the NPU"),
        ((1, 0), "its one node goes to the NPU"),
    ],
)
def test_one_node_is_no_nodes(counts: tuple[int, int], said: str) -> None:
    done, left = counts
    summary = CompileSummary(delegated_nodes=done, non_delegated_nodes=left, delegated_subgraphs=1)
    assert answers_of_compile(summary)[0].reason == said


@pytest.mark.parametrize("cycles", [None, 0])
def test_a_network_of_which_nothing_runs_on_the_npu_has_no_speed_there(cycles: int | None) -> None:
    """Releases of Vela before 4 print cycles for it, of which each is 0."""
    summary = CompileSummary(
        npu_operators=0, cpu_operators=3, npu_cycles=cycles, total_cycles=cycles, inference_seconds=cycles
    )
    compiled, speed, fit, limit, _ = answers_of_compile(summary)
    assert (compiled.answer, compiled.tone) == ("yes, but", "warn")
    assert compiled.reason == "nothing of it runs on the NPU: Vela left all 3 operators to the CPU"
    assert not (speed.known or fit.known or limit.known)
    assert {speed.reason, fit.reason, limit.reason} == {"nothing of it runs on the NPU"}


def test_a_summary_without_cycles_names_the_option_that_prints_them() -> None:
    summary = CompileSummary(npu_operators=4, cpu_operators=0, sram_used_bytes=1024)
    assert "--verbose-cycle-estimate" in answers_of_compile(summary)[1].reason


@pytest.mark.parametrize(
    ("title", "why"), [("Vela left 1 operator", "Vela left"), ("The partitioner kept it", "the part")]
)
def test_a_name_keeps_its_capital_inside_a_sentence(title: str, why: str) -> None:
    advice = answers_of_compile(CompileSummary(), [Finding("x", "warning", None, title, "", "Look at it.", (1,))])[4]
    assert advice.reason.startswith(why)
