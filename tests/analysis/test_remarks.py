"""Logs that somebody wrote about: with remarks behind their lines, and with the marks that an editor of Markdown puts."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.capture import CaptureReader
from ethosu_tui.analysis.carriers.markdown import MarkdownText
from ethosu_tui.analysis.patterns import TABLE

from .port_logs import only

_AT = "I [executorch:arm_executor_runner.cpp:1316 main()] "
LOG = (
    f"{_AT}PTE @ 0x70000000 [----ET12]\n{_AT}PTE Model data loaded. Size: 4096 bytes.\n{_AT}ethosu_pmu_cycle_cntr : 1234\n"
    f"{_AT}Ethos-U PMU Events:[ETHOSU_PMU_SRAM_RD_DATA_BEAT_RECEIVED, ETHOSU_PMU_NPU_IDLE]\n{_AT}ethosu_pmu_cntr1 : 77\n"
)


@pytest.mark.parametrize(
    "remark",
    [
        "  // the size",
        "   # \u5927\u5c0f",
        " <-- here",
        "  \u2190 look, 5 %",
        " <== 2 kB more",
        "\uff08\u5927\u5c0f\uff09",
        " // see a.cpp:12",
    ],
)
def test_a_remark_behind_a_line_changes_nothing(remark: str) -> None:
    plain, run = only(LOG), only(LOG.replace("\n", f"{remark}\n"))
    assert run.model == plain.model and run.pmu == plain.pmu
    assert run.pmu is not None and [counter.event for counter in run.pmu.counters] == ["ETHOSU_PMU_NPU_IDLE"]


@pytest.mark.parametrize(
    "line", ["int main() // Method loaded.", "http://a.b/c#d", "# Method loaded.", "x <y> z", "a <b (\u597d)", "\u2190"]
)
def test_what_is_behind_a_mark_alone_means_nothing(line: str) -> None:
    assert not read_capture("x", f"{line}\n".encode()).runs


def escaped(text: str) -> str:
    """As an editor of Markdown stores it."""
    return "".join(f"\\{mark}" if mark in "_[]*" else mark for mark in text)


@pytest.mark.parametrize("quoted", ["", "> ", "- "])
def test_backslashes_of_an_editor_are_no_part_of_a_log(quoted: str) -> None:
    text = "".join(f"{quoted}{line}\n" for line in escaped(LOG).splitlines())
    plain, run = only(LOG), only(text)
    assert run.model == plain.model and run.pmu == plain.pmu


def test_an_unfinished_last_line_is_what_it_was_on_its_page() -> None:
    (run,) = read_capture("x", f"{LOG}{_AT}Program complete, exiting&#46;".encode()).runs
    assert run.stage == "complete"


def test_backslashes_come_in_any_pieces() -> None:
    data = escaped(LOG).replace("\n", "\\\r\n").encode()
    whole = MarkdownText().decode(data)
    for size in (1, 2, 3, 7):
        decoder = MarkdownText()
        assert "".join(decoder.decode(data[at : at + size]) for at in range(0, len(data), size)) == whole
    assert whole == LOG.replace("\n", "\r\n")


@pytest.mark.parametrize("prefix", [r"I \[executorch:.*\] ", r"I \[executorch:a\.cpp:\d+ main\(\)\] "])
def test_an_expression_that_looks_for_lines_is_no_log(prefix: str) -> None:
    text = "".join(f"  - {prefix}{said}\n" for said in ("Model executed successfully.", r"Program complete, exiting\."))
    assert not read_capture("x", text.encode()).runs


def test_a_row_of_backslashes_is_not_kept() -> None:
    decoder = MarkdownText()
    assert "".join(decoder.decode(b"\\" * 3) for _ in range(5)) + decoder.decode(b"", True) == "\\" * 8


def test_a_mark_in_a_string_begins_no_remark() -> None:
    assert TABLE.match('echo "all # of them"', 1) is None


def test_a_path_of_windows_keeps_its_backslashes() -> None:
    text = rf"""{_AT}PTE @ 0x70000000 [----ET12]
C:\_a\[b]\_c.exe\
D:\_d\[e]
"""
    reader = CaptureReader("x")
    reader.look_at(text.encode())
    assert [line.text for line in reader.feed(text.encode())][1:] == ["C:\\_a\\[b]\\_c.exe\\", "D:\\_d\\[e]"]


def test_numbers_of_a_code_box_are_found_where_a_page_wrote_the_blanks() -> None:
    lines = ("Profile for Inference:", "NPU ACTIVE: 900 cycles", "NPU IDLE: 100 cycles", "NPU TOTAL: 1000 cycles")
    plain = "INFO - Ethos-U device initialised\n" + "".join(f"INFO - {line}\n" for line in lines)
    numbered = "".join(f"{n}&nbsp;&nbsp;{line}\n" for n, line in enumerate(plain.splitlines(), 1))
    assert only(numbered).pmu == only(plain).pmu is not None


GROUPED = (
    f"{_AT}PTE @ 0x70000000 [----ET12]\n{_AT}PTE Model data loaded. Size: 1,234,560 bytes.\n"
    f"{_AT}method_allocator_used:     1,234 / 62,914,560  free: 62,913,326 ( used: 0 % )\n{_AT}ethosu_pmu_cycle_cntr : 12,345 // all\n"
)


def test_numbers_in_groups_of_digits_are_numbers() -> None:
    run = only(GROUPED)
    assert run.model == only(GROUPED.replace(",", "")).model and run.model.pte_bytes == 1234560
    assert run.memory.pools == only(GROUPED.replace(",", "")).memory.pools != {}
    assert run.pmu is not None and run.pmu.npu_cycles == 12345


@pytest.mark.parametrize(
    ("written", "seconds"),
    [("2.5", 0.0025), ("1,234.5", 1.2345), ("1,234", None), ("1,2", None), ("1,234,567.0", 1234.567)],
)
def test_what_may_be_a_fraction_is_no_number_in_groups(written: str, seconds: float | None) -> None:
    text = "Network summary for a\nAccelerator configuration  Ethos_U55_128\n"
    text += f"Batch Inference time  {written} ms,  2.00 inferences/s (batch size 1)\n"
    (summary,) = read_capture("x", text.encode()).compile
    assert summary.inference_seconds == seconds


_ERROR = "E [executorch:op_copy.cpp:33 copy_out()] Check failed (non_blocking == false):"


@pytest.mark.parametrize(
    "line",
    [
        "**`Program identifier '' != expected 'ET12'`:**",
        "**`Memory allocation failed: 48B requested (adjusted for alignment), 44B available`:**",
        "**BUS FAULT or vtable corruption:**",
        f"| 173 | `copy` | {_ERROR} _(w0:264)_ |",
    ],
)
def test_what_a_guide_lists_as_possible_errors_is_no_run(line: str) -> None:
    capture = read_capture("x", f"## Troubleshooting\n\n{line}\n\nReload the model.\n".encode())
    assert not capture.runs and not capture.findings


@pytest.mark.parametrize("line", ["BUS FAULT", "BUS FAULT PC=0x0ffe2000", "BUS FAULT at 0x0ffe2000", f"| 1 | {_ERROR}"])
def test_what_a_target_prints_of_them_is_one(line: str) -> None:
    (run,) = read_capture("x", f"{_AT}Starting running 1 inferences...\n{line}\n".encode()).runs
    assert run.status == "failed"
