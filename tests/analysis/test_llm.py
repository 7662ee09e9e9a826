"""Runners of language models: the figures at the end of a text, which no completion line follows."""

from __future__ import annotations

from .port_logs import only, read

BEGUN = "I 00:00:00.020000 executorch:main.cpp:65] Resetting threadpool with num threads = 4\nI 00:00:05.700000 executorch:runner.cpp:69] Reading metadata from model\n"
STATS = (
    "I 00:00:22.600001 executorch:stats.h:104] \tPrompt Tokens: 14    Generated Tokens: 113\n"
    "I 00:00:22.600002 executorch:stats.h:110] \tModel Load Time:\t\t6.028000 (seconds)\n"
    "I 00:00:22.600003 executorch:stats.h:117] \tTotal inference time:\t\t16.500000 (seconds)\t\t Rate: \t6.848485 (tokens/second)\n"
    "I 00:00:22.600004 executorch:stats.h:127] \t\tPrompt evaluation:\t1.522000 (seconds)\t\t Rate: \t9.198423 (tokens/second)\n"
    "I 00:00:22.600005 executorch:stats.h:136] \t\tGenerated 113 tokens:\t14.978000 (seconds)\t\t Rate: \t7.544398 (tokens/second)\n"
    "I 00:00:22.600006 executorch:stats.h:147] \tTime to first generated token:\t1.522000 (seconds)\n"
    "I 00:00:22.600007 executorch:stats.h:153] \tSampling time over 127 tokens:\t0.281000 (seconds)\n"
)
OBSERVER = '\nPyTorchObserver {"prompt_tokens":14,"generated_tokens":113}\n'


def test_a_text_that_was_generated_is_a_run_that_came_to_its_end() -> None:
    for log in (BEGUN + STATS, BEGUN + STATS + OBSERVER, BEGUN + OBSERVER + STATS, STATS):
        run = only(log)
        assert (run.status, run.stage) == ("passed", "complete")
        assert (run.runner.kind, run.runner.executorch_version) == ("other", None)
        assert run.times is not None and run.times.inference_seconds == 16.5


def test_a_text_that_broke_off_is_not() -> None:
    assert only(BEGUN).status == "truncated"
    assert only(BEGUN + STATS.split("\n", 1)[0] + "\n").status == "truncated"


def test_such_words_of_others_are_no_run() -> None:
    assert read("Model Load Time: 1.5 (seconds)\nSampling time over 12 tokens: 0.1 (seconds)\n").runs == ()


WITHOUT = (
    BEGUN
    + "I 00:00:05.900000 executorch:text_llm_runner.cpp:89] RSS after loading model: 412.250000 MiB (0 if unsupported)\n"
    "A board \nthat talks.\nI 00:00:09.100000 executorch:text_token_generator.h:181] \nReached to the end of generation\n"
)
RSS = "I 00:00:09.100100 executorch:text_llm_runner.cpp:258] RSS after finishing text generation: 413.5 MiB (0 if unsupported)\n"


def test_a_text_whose_figures_are_left_out_came_to_its_end_all_the_same() -> None:
    for log in (WITHOUT, WITHOUT + RSS, WITHOUT + RSS + OBSERVER, BEGUN + "a text\n" + OBSERVER, WITHOUT + RSS + STATS):
        run = only(log)
        assert (run.status, run.runner.kind) == ("passed", "other")
        assert (run.times is not None and run.times.inference_seconds is not None) == (STATS in log)


def test_one_that_is_begun_behind_another_did_not() -> None:
    again = WITHOUT.splitlines(keepends=True)[2]
    assert only(WITHOUT + again).status == "truncated"
    assert (
        only(BEGUN + "Doing a warmup run...\n" + WITHOUT[len(BEGUN) :] + "Warmup run finished!\n").status == "truncated"
    )
    assert read("Reached to the end of generation\n" + OBSERVER).runs == ()


BOARD = (
    "I [executorch:arm_executor_runner.cpp:700] Model buffer loaded, has 1 methods\n"
    "I [executorch:arm_executor_runner.cpp:710] Running method forward\n"
)


def test_such_words_between_the_lines_of_a_board_end_no_run() -> None:
    for words in (
        "Max new tokens 24 reached!\n",
        "\nReached to the end of generation\n",
        OBSERVER,
        "Doing a warmup run...\n" + OBSERVER,
    ):
        run, alone = only(BOARD + words), only(BOARD)
        assert (run.status, run.stage, run.runner) == ("truncated", alone.stage, alone.runner)
