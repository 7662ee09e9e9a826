"""Input made to hurt: figures of thousands of digits, lines made to keep a pattern searching, runs without end.

The time bounds are for quadratic behaviour, which takes minutes here; linear reading takes a fraction of a second.
"""

from __future__ import annotations

import json
import time

import pytest

from ethosu_tui.analysis import Report, read_capture
from ethosu_tui.analysis.compiles.entry import compile_entry, summary_of
from ethosu_tui.analysis.compiles.tables import compile_table
from ethosu_tui.analysis.compiles.vela import parse_per_layer_csv, parse_summary_csv

BOUND_SECONDS = 20


@pytest.mark.parametrize("digits", [25, 400, 5000])
@pytest.mark.parametrize(
    "line",
    [
        "N outputs:", "I [executorch:a.cpp:N main()] x", "method_allocator_used: N / 1 free: 0 ( used: 0 % )",
        "Setup Method allocator pool. Size: N bytes.", "Operator[0] aten::x: N ns", "Output[N][N]: N",
        "Model executed successfully N time(s) in N ms.", "Total SRAM used N KiB", "Batch Inference time N ms, N inferences/s (batch size 1)",
        "Could not allocate memory for planned buffer with mem_id=N, size N in SLOW_MEMORY_REGION", "Model run: N",
        "ethosu_pmu_cntrN : N", "Iteration N of N: N ms", "Execution of method x failed with status 0xN",
    ],
)  # fmt: skip
def test_numbers_without_end(line: str, digits: int) -> None:
    capture = read_capture("x", (line.replace("N", "9" * digits) + "\n").encode() * 2)
    json.dumps(Report((capture,)).to_dict(), allow_nan=False)


@pytest.mark.parametrize(
    "data",
    [
        b"a" * 100_000 + b": Listening for serial connection on port ",
        b"a." * 400_000 + b" Demo Complete\n" + b"a." * 40_000 + b" Demo Complet Demo Complete",
        b"In function " + b"(), assert failed " * 50_000,
        (b"In function " + b"(), assert failed " * 100 + b"\n") * 200,
        (b"ERROR: a (line 3 " * 60 + b"\n") * 2000,
        b"\r" * 1_000_000 + b"x",
        (b"\r" * 1000 + b"x") * 1000,
        b"OutputX 0: tensor(sizes=[" + b"], [" * 100_000,
        b'echo "' + b'" | base64 -d ' * 50_000,
        b"\x1b]" * 200_000,
        b"[12:00:00] " * 50_000,
        (b"1" * 1_880 + b" input(s), \n") * 30,
        (b"\xff" * 60 + b"x\n") * 300 + b"\xff" * 600_000,
        b"OutputX 0: tensor(sizes=[1, 100000], [\n" + b"1\n" * 100_000,
    ],
    ids=range(14),
)
def test_lines_made_to_keep_a_pattern_searching(data: bytes) -> None:
    start = time.process_time()
    for size in (len(data), 1 << 16):
        read_capture("x", (data[at : at + size] for at in range(0, len(data), size)))
    assert time.process_time() - start < BOUND_SECONDS


@pytest.mark.parametrize("parse", [parse_summary_csv, parse_per_layer_csv])
def test_tables_with_a_field_without_end(parse: object) -> None:
    with pytest.raises(ValueError, match="not a Vela"):
        parse("cycles_total,accelerator_configuration,Op Cycles\n" + "9" * 200_000)  # type: ignore[operator]


@pytest.mark.parametrize("row", ["net", "net,", ""])
def test_a_summary_that_was_cut_in_its_row_is_none(row: str) -> None:
    with pytest.raises(ValueError, match="not a Vela summary"):
        parse_summary_csv(f"network,accelerator_configuration,cycles_total\n{row}")


def test_a_csv_figure_beyond_all_bounds_is_absent() -> None:
    text = "accelerator_configuration,cycles_total,sram_memory_used\nEthos_U55_128,1e400,nan\n"
    summary = parse_summary_csv(text)
    assert summary.total_cycles is None
    assert summary.sram_used_bytes is None


@pytest.mark.parametrize("junk", [None, 5, "x\x1b[2J", [], {}, [1], {"a": 1}, True, 10**400, float("inf"), [[[]]]])
def test_a_stored_result_of_any_shape_can_be_shown(junk: object) -> None:
    names = ("memory_mode", "status", "pte", "pte_bytes", "seconds", "summary", "operators", "findings", "log")
    assert compile_entry(junk) is None
    for name in names:
        entry = compile_entry({"target": "ethos-u55-128\x1b[31m", name: junk})
        assert entry is not None
        assert "\x1b" not in json.dumps(entry, ensure_ascii=False, allow_nan=False)
        summary_of(entry)
        compile_table([entry])
    entry = compile_entry({"target": "t", "summary": {"npu_cycles": junk, "accelerator": junk, "non_delegated_operators": junk},
                           "operators": [{"npu_cycles": junk, "tosa": junk}], "findings": [{"lines": junk, "severity": junk}]})  # fmt: skip
    assert entry is not None
    assert entry["findings"][0]["severity"] == "info"
    compile_table([entry])


def test_words_of_a_vela_table_carry_no_escapes() -> None:
    text = "accelerator_configuration,cycles_total,memory_mode\nEthos_U55_128\x1b[2J,5,a\x1b]52;c;AA\x07b\n"
    summary = parse_summary_csv(text)
    assert (summary.accelerator, summary.memory_mode) == ("ethos-u55-128", "ab")


@pytest.mark.parametrize(
    ("figures", "told"),
    [
        ("Target = 262144 Bytes, Actual = 393216 Bytes", "384.0 KiB"),
        ("Target = -1 Bytes, Actual = 393216 Bytes", "more SRAM"),
        (f"Target = {'9' * 18} Bytes, Actual = 5 Bytes", "more SRAM"),
    ],
)
def test_a_warning_of_vela_with_figures_that_cannot_be_is_told_without_them(figures: str, told: str) -> None:
    said = f"Warning: SRAM target for arena memory area exceeded. {figures}\n"
    found = [f.title for f in read_capture("x", said.encode()).findings if f.rule == "vela-sram-exceeded"]
    assert len(found) == 1 and told in found[0]
