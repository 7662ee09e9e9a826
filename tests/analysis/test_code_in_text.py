"""Console text that somebody set as code inside of a text: a mark before its first line, and one behind its last."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture

from .port_logs import only

RUN = (
    "I [executorch:arm_executor_runner.cpp:675] Model executed successfully.\n"
    "I [executorch:arm_executor_runner.cpp:679] 1 outputs:\nOutput[0][0]: (int) 2\n"
    "I [executorch:arm_executor_runner.cpp:783] Program complete, exiting."
)
ARENA = "Arena size is too small for all buffers. Needed 212064 but only 191120 was available.\nAllocateTensors() failed\n\nInvoke failed."


@pytest.mark.parametrize(
    "mark",
    [
        "`{}`",
        "` {} `",
        "```{}\n```",
        "```{}```",
        "```text\n{}```",
        "``` {}\n\n```",
        "It says:\n`{}`\nand no more.",
        "`{}\n`",
    ],
)
def test_a_run_in_marks_of_code_is_read_to_its_end(mark: str) -> None:
    run = only(mark.format(RUN) + "\n")
    assert (run.status, run.outputs[0].count) == ("passed", 1)


def test_the_first_line_of_several_may_be_the_cause() -> None:
    capture = read_capture("x", f"But there is this error:\n\n`{ARENA} `\n\nWhat is it?\n".encode())
    assert [(f.rule, f.severity) for f in capture.findings][:2] == [
        ("arena-too-small", "error"),
        ("tensors-not-allocated", "info"),
    ]
    fenced = read_capture("x", f"```{ARENA}```\nWhat is it?\n".encode())
    assert [f.rule for f in fenced.findings] == [f.rule for f in capture.findings]
    said = "`executorch.exir.pass_base.ExportPassBaseError: call_module is not supported.\nWhile executing %_guards_fn : [num_users=0]`\n"
    assert [f.rule for f in read_capture("x", said.encode()).findings] == ["guards"]


@pytest.mark.parametrize(
    "line",
    [
        "`",
        "``",
        "```",
        "```text",
        "````",
        "```a b```",
        "see `a` and `b`",
        "`a` is not `b`",
        "undefined reference to `x'",
    ],
)
def test_other_marks_stay(line: str) -> None:
    run = only(f"{line}\n{RUN}\n{line}\n")
    assert (run.status, run.first_line) == ("passed", 2)


def test_a_fence_in_a_quotation_ends_what_is_said_above_it() -> None:
    said = "```\nCMake Error at a/CMakeLists.txt:20 (add_library):\n  Cannot find source file:\n\n    /w/a.cpp\n```\n"
    plain = read_capture("x", said.encode()).findings
    quoted = read_capture("x", "".join(f"> {line}\n" for line in said.splitlines()).encode()).findings
    assert [finding.title for finding in quoted] == [finding.title for finding in plain] != []
