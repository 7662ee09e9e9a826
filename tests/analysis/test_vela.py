"""Vela's console summary, its CSV files and the delegation table."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.answers.of_compile import answers_of_compile
from ethosu_tui.analysis.compiles.vela import parse_per_layer_csv, parse_summary_csv
from ethosu_tui.analysis.findings import compile_findings

SUMMARY = (
    "experiment,network,accelerator_configuration,system_config,memory_mode,core_clock,sram_memory_used,"
    "dram_memory_used,on_chip_flash_memory_used,off_chip_flash_memory_used,nn_macs,cycles_npu,cycles_sram_access,"
    "cycles_dram_access,cycles_on_chip_flash_access,cycles_off_chip_flash_access,cycles_total,inference_time\n"
    "default,out,Ethos_U55_128,Ethos_U55_High_End_Embedded,Shared_Sram,500000000.0,18.09375,0.0,0.0,105.5,1135872,"
    "52036.0,13696.0,0.0,0.0,107264.0,138824.0,0.000277648\n"
)
LAYERS = (
    "Original Operator,NNG Operator,Target,Staging Usage,Peak% (Staging),Op Cycles,Network% (cycles),NPU,SRAM AC,DRAM AC,"
    "OnFlash AC,OffFlash AC,MAC Count,Network% (MAC),Util% (MAC),Name\n"
    "CONV2D,Conv2D,NPU,3136,17,14956,10,14956,2578,0,0,1552,112896,9,5,conv1\n"
    "MAX_POOL2D,MaxPool,NPU,18528,100,5044,3,4604,2984,0,0,0,12544,1,2,a,b (fused)\n"
    "torn,row\n"
)


def test_summary_csv() -> None:
    summary = parse_summary_csv(SUMMARY)
    assert (summary.accelerator, summary.system_config, summary.memory_mode) == (
        "ethos-u55-128", "Ethos_U55_High_End_Embedded", "Shared_Sram",
    )  # fmt: skip
    assert summary.core_clock_hz == 5e8
    assert summary.sram_used_bytes == 18528
    assert summary.dram_used_bytes == 0
    assert (summary.npu_cycles, summary.total_cycles, summary.macs) == (52036, 138824, 1135872)
    assert summary.inference_seconds == pytest.approx(0.000277648)
    assert summary.npu_operators is None


def test_per_layer_csv_keeps_names_with_commas_and_drops_torn_rows() -> None:
    layers = parse_per_layer_csv(LAYERS)
    assert [(x.tosa, x.name, x.op_cycles, x.npu_cycles, x.macs, x.sram_bytes) for x in layers] == [
        ("CONV2D", "conv1", 14956, 14956, 112896, 3136), ("MAX_POOL2D", "a,b (fused)", 5044, 4604, 12544, 18528),
    ]  # fmt: skip
    assert [x.share_percent for x in layers] == [74.78, 25.22]


@pytest.mark.parametrize("parse", [parse_summary_csv, parse_per_layer_csv])
@pytest.mark.parametrize("text", ["", "a,b\n1,2\n", "\x00\xff"])
def test_other_text_is_refused(parse: object, text: str) -> None:
    with pytest.raises(ValueError, match="not a Vela"):
        parse(text)  # type: ignore[operator]


def test_console_summary_and_delegation_table() -> None:
    log = (
        "Network summary for out\nAccelerator configuration               Ethos_U85_128\n"
        "Accelerator clock                                1000 MHz\nTotal SRAM used                               5178.77 KiB\n"
        "NPU cycles                                    4832315 cycles/batch\n"
        "Total delegated subgraphs: 2\nNumber of non-delegated nodes: 3\n"
        "\u2502  7 \u2502 aten_sort_default   \u2502   0 \u2502   1 \u2502\n\u2502  8 \u2502 aten_add_tensor \u2502 5 \u2502 0 \u2502\n"
        "\u2502 12 \u2502 Total \u2502 419 \u2502 3 \u2502\nPTE file saved as x.pte\nNetwork summary for out\n"
    )
    capture = read_capture("aot", log.encode())
    first, second = capture.compile
    assert first.accelerator == "ethos-u85-128"
    assert first.sram_used_bytes == round(5178.77 * 1024)
    assert first.non_delegated_operators == {"aten_sort_default": 1}
    assert second.accelerator is None
    assert [f.rule for f in capture.findings] == ["fragmented"]
    assert not capture.runs


@pytest.mark.parametrize("mark", ["", "- "], ids=["lines", "list"])
def test_a_summary_retold_with_colons_counts_where_it_names_the_npu(mark: str) -> None:
    figures = [
        "Memory mode: Dedicated_Sram", "Accelerator clock: 1000 MHz", "Total SRAM used: 384.0 KiB", "Total DRAM used: 2048.5 KiB",
        "CPU operators = 0 (0.0%)", "NPU operators: 44 (100.0%)", "Neural network MACs: 11038833 MACs/batch", "Total cycles: 52036 cycles/batch",
    ]  # fmt: skip
    told = "".join(f"{mark}{figure}\n" for figure in ["Accelerator configuration: Ethos_U65_256", *figures])
    (summary,) = read_capture("report", told.encode()).compile
    assert (summary.accelerator, summary.memory_mode, summary.core_clock_hz) == ("ethos-u65-256", "Dedicated_Sram", 1e9)
    assert (summary.sram_used_bytes, summary.dram_used_bytes) == (384 * 1024, round(2048.5 * 1024))
    assert (summary.cpu_operators, summary.npu_operators) == (0, 44)
    assert (summary.macs, summary.total_cycles) == (11_038_833, 52_036)
    again = read_capture("report", f"{told}{mark}Total SRAM used: 9 KiB\n{told}".encode()).compile
    assert [one.sram_used_bytes for one in again] == [384 * 1024] * 2
    others = "Accelerator configuration: none\nMemory mode: fast\nTotal SRAM used: 12 KiB\nNPU operators 3 (12.0%)\n"
    assert not read_capture("other", others.encode()).compile
    assert not read_capture("text", f"{mark}Accelerator configuration: Ethos_U55_128\nand more\n".encode()).compile


def test_operators_without_a_sign_count_in_a_summary() -> None:
    table = "Accelerator configuration      Ethos_U55_256\nCPU operators                  2 (1.0%)\nNPU operators  198 (99.0%)\n"
    (summary,) = read_capture("report", table.encode()).compile
    assert (summary.cpu_operators, summary.npu_operators) == (2, 198)


NEW_COLUMNS = (
    "Original Operator    NNG Operator         Target Staging Usage  Peak% (Staging)  Op Cycles Network% (cycles)  NPU"
)
OLD_COLUMNS = (
    "TFLite_operator      NNG Operator         SRAM Usage  Peak%  Op Cycles Network%        NPU    SRAM AC    DRAM AC"
)
CONSOLE_SUMMARY = "\nNetwork summary for out\nAccelerator configuration               Ethos_U55_128\nNeural network macs   392000 MACs/batch\n"


def table(columns: str, words: str, names: tuple[str, ...]) -> str:
    rows = "".join(
        f"{words}  12992  58.84  {300 - 200 * i}  75.00  {290 - 200 * i}  6048  0  0  5776  {320000 - 248000 * i}  12.01  9.51 {name} \n"
        for i, name in enumerate(names)
    )
    return f"{'#' * 80}\nPerformance for NPU Grap o/out\n{columns}\n{'-' * 20} {'-' * 20}\n{rows}"


@pytest.mark.parametrize(
    ("columns", "words"),
    [(NEW_COLUMNS, "DepthwiseConv2D      Conv2D               NPU"), (OLD_COLUMNS, "CONV_2D              Conv2DBias")],
)
def test_the_operator_table_of_the_console(columns: str, words: str) -> None:
    text = table(columns, words, ("conv 1;relu", "")) + CONSOLE_SUMMARY
    first, second = read_capture(
        "aot", (text + "PTE file saved as a.pte\n" + text.replace("58.84", "nan")).encode()
    ).compile
    assert (first.accelerator, first.macs, first.first_line) == ("ethos-u55-128", 392_000, 8)
    assert [(o.index, o.tosa, o.name) for o in first.operators] == [
        (0, words.split()[0], "conv 1;relu"),
        (1, words.split()[0], ""),
    ]
    assert [(o.op_cycles, o.npu_cycles, o.macs, o.sram_bytes) for o in first.operators] == [
        (300, 290, 320_000, 12_992),
        (100, 90, 72_000, 12_992),
    ]
    assert [o.share_percent for o in first.operators] == [75.0, 25.0]
    assert second.operators == first.operators


def test_a_table_that_is_cut_is_kept_and_ends_with_the_first_other_line() -> None:
    text = table(NEW_COLUMNS, "Conv2D Conv2D NPU", ("a", "b"))
    (cut,) = read_capture("cut", text[:-30].encode()).compile
    assert [o.name for o in cut.operators] == ["a"]
    (other,) = read_capture(
        "other", (text + "Conv2D is mentioned in this line and it is no row\n" + CONSOLE_SUMMARY).encode()
    ).compile
    assert len(other.operators) == 2


def test_summaries_without_a_name_are_told_apart() -> None:
    one = "Accelerator configuration   Ethos_U55_128\nNeural network macs   5 MACs/batch\n"
    first, second = read_capture("two", (one + one.replace("128", "256")).encode()).compile
    assert (first.accelerator, second.accelerator) == ("ethos-u55-128", "ethos-u55-256")


@pytest.mark.parametrize(
    ("text", "cpu", "npu"), [("0/106 (0.0%)", 0, 106), ("3/10 (30.0%)", 3, 7), ("5/3 (0.0%)", None, None)]
)
def test_old_releases_print_how_many_operators_fall_back(text: str, cpu: int | None, npu: int | None) -> None:
    log = f"Network summary for net\nAccelerator configuration   Ethos_U55_256\n{text} operations falling back to the CPU\n"
    (summary,) = read_capture("x", log.encode()).compile
    assert (summary.cpu_operators, summary.npu_operators) == (cpu, npu)


def test_a_summary_that_a_build_report_repeats_as_a_list() -> None:
    lines = (
        "**Vela:**",
        "  - Accelerator configuration               Ethos_U85_512",
        "  - Memory mode                             Sram_Only",
        "  - Total SRAM used                         96.50 KiB",
        "  - NPU operators = 9 (100.0%)",
        "  - NPU cycles                              5120 cycles/batch",
        "  - Batch Inference time                    0.01 ms, 97656.25 inferences/s (batch size 1)",
    )
    (compiled,) = read_capture("report.md", "\n".join(lines).encode()).compile
    assert (compiled.accelerator, compiled.memory_mode, compiled.sram_used_bytes) == (
        "ethos-u85-512", "Sram_Only", 98816,
    )  # fmt: skip
    assert (compiled.npu_operators, compiled.npu_cycles, compiled.inference_seconds) == (9, 5120, 1e-5)
    other = b"  - Total SRAM used:     21.69 KiB (66.1% headroom out of 64 KiB)\n  - NPU Operators:       49 (100.0%)\n"
    assert read_capture("x", other).compile == ()


DEFAULT = "Warning: No {what} specified. Using a default of {value}. Compilation may be invalid or non-optimal.\n"


def test_that_vela_looks_in_its_own_file_is_no_default_of_what_was_named() -> None:
    file = DEFAULT.format(what="configuration file", value=r"['c:\\python\\config_files\\Arm\\vela.ini']")
    refused = (
        'Traceback (most recent call last):\n  File "vela.py", line 1219, in main\n'
        "ethosu.vela.errors.ConfigOptionError: 'Error: Invalid configuration of arena_mem_area=OffChipFlash (must be Sram or Dram)'\n"
    )
    assert [f.rule for f in read_capture("x", (file + refused).encode()).findings] == ["vela-configuration"]
    mode = DEFAULT.format(what="memory mode", value="Shared_Sram")
    (finding,) = read_capture("x", (file + mode).encode()).findings
    assert finding.title == "Vela compiled with its defaults: Shared_Sram" and finding.lines == (1, 2)


def test_operators_that_stay_on_the_cpu_are_run_there_where_nothing_was_delegated() -> None:
    text = "Network summary for keywords\nAccelerator configuration   Ethos_U55_256\nCPU operators = 10 (37.0%)\nNPU operators = 17 (63.0%)\n"
    (finding,) = read_capture("x", text.encode()).findings
    assert finding.rule == "vela-cpu-operators" and "TensorFlow Lite Micro" in finding.detail
    (summary,) = read_capture("x", text.encode()).compile
    (finding,) = compile_findings(summary._replace(delegated_subgraphs=1))
    assert finding.detail == "Inside a delegate this does not run on an Ethos-U."


def test_a_time_too_short_for_two_decimals_is_taken_from_the_rate() -> None:
    text = (
        "Accelerator configuration   Ethos_U55_128\nAccelerator clock   500 MHz\nTotal cycles   349 cycles/batch\n"
        "Batch Inference time   0.00 ms, 1432664.76 inferences/s (batch size 1)\n"
    )
    (summary,) = read_capture("x", text.encode()).compile
    assert summary.inference_seconds == pytest.approx(698e-9)
    assert answers_of_compile(summary)[1].answer == "698 ns on the NPU, estimated"
    assert answers_of_compile(summary._replace(inference_seconds=0.0))[1].answer == "0 s on the NPU, estimated"


TOLD = (
    "Network summary for out\nAccelerator configuration               Ethos_U55_128\nMemory mode                               Shared_Sram\n"
    "Total SRAM used                                 18.00 KiB\nCPU operators = 0 (0.0%)\nNPU operators = 7 (100.0%)\n"
    "Total cycles                                   138824 cycles/batch\n"
    "Batch Inference time                 0.28 ms, 3571.43 inferences/s (batch size 1)\n"
)


def test_a_text_that_quotes_parts_of_a_summary_tells_of_one_compile() -> None:
    part, other = TOLD.splitlines()[-1], TOLD.splitlines()[1]
    for log in (
        f"- The rate is\n  ```\n  {part}\n  ```\n{TOLD}",
        f"{TOLD}PTE file saved as a.pte\n## Parts\n{other}\n{part}\n",
    ):
        (summary,) = read_capture("x", log.encode()).compile
        assert (summary.accelerator, summary.total_cycles, summary.npu_operators) == ("ethos-u55-128", 138824, 7)
    for log in (
        TOLD + TOLD,
        f"{TOLD}PTE file saved as a.pte\n{part.replace('0.28', '0.56')}\n",
        f"{part}\nPTE file saved as a.pte\n{part}\n",
    ):
        assert len(read_capture("x", log.encode()).compile) == 2


@pytest.mark.parametrize(
    "table",
    [
        "                  op_type  occurrences_in_delegated_graphs  occurrences_in_non_delegated_graphs\n"
        "0  aten_add_tensor   2   0\n1  aten_sort_values   0   1\n2  getitem   0   2\n3  Total   2   3\n",
        "|    | op_type          | occurrences_in_delegated_graphs | occurrences_in_non_delegated_graphs |\n|----|------|---|---|\n"
        "|  0 | aten_add_tensor  | 2       | 0     |\n|  1 | aten_sort_values | 0  | 1 |\n|  2 | getitem | 0 | 2 |\n|  3 | **Total** | **2** | **3** |\n",
    ],
)
def test_a_delegation_table_of_a_data_frame_or_in_markdown(table: str) -> None:
    head = "Total delegated subgraphs: 1\nNumber of delegated nodes: 2\nNumber of non-delegated nodes: 3\n\n"
    other = "| 1 | another | 4 | 5 |\n6  of_a_table  7  8\n"
    (summary,) = read_capture("x", (head + table + other).encode()).compile
    assert (summary.delegated_nodes, summary.non_delegated_operators) == (2, {"aten_sort_values": 1, "getitem": 2})
    (summary,) = read_capture("x", (head + other).encode()).compile
    assert summary.non_delegated_operators == {}
    assert read_capture("x", table.encode()).compile == ()


SHORT = """Delegation summary:
  Model was {how} delegated.
  Delegated partitions for silicon acceleration: {parts}
  Non-delegated ops: {left}
{rows}PTE file saved as net{of}.pte
"""


def test_the_short_summary_that_stands_without_a_table_is_read() -> None:
    rows = "  Non-delegated operators:\n    - aten_odd_default: 3\n    - getitem: 1\n"
    log = SHORT.format(how="partially", parts=2, left=4, rows=f"{rows}\nFull delegation report:\n  x.txt\n", of="")
    (summary,) = read_capture("x", log.encode()).compile
    assert (summary.delegated_subgraphs, summary.delegated_nodes, summary.non_delegated_nodes) == (2, None, 4)
    assert summary.non_delegated_operators == {"aten_odd_default": 3, "getitem": 1}


def test_the_short_summary_belongs_to_the_estimate_above_it() -> None:
    vela = "Network summary for out\nAccelerator configuration               Ethos_U55_64\nTotal cycles      900 cycles/batch\n\n"
    log = vela + SHORT.format(how="fully", parts=1, left=0, rows="", of="")
    (summary,) = read_capture("x", log.encode()).compile
    assert (summary.accelerator, summary.delegated_subgraphs, summary.non_delegated_nodes) == ("ethos-u55-64", 1, 0)


def test_a_short_summary_without_an_npu_is_no_estimate() -> None:
    rows = "  Non-delegated operators:\n    - cortex_m_quantized_add_default: 3\n"
    capture = read_capture("x", SHORT.format(how="not", parts=0, left=3, rows=rows, of="_cortex-m55").encode())
    assert not capture.compile
    assert [found.rule for found in capture.findings] == ["compiled-for-cpu"]


def test_a_summary_that_somebody_shortened_gives_what_stands_in_it() -> None:
    short = (
        "NPU operators = 40  (95.2%)   all convolutions\nCPU operators =  2  ( 4.8%)   TopK\n\n"
        "Total SRAM used        200 KiB\nTotal Off-chip Flash  1024 KiB\nMACs   12 M MACs/frame\n"
    )
    (found,) = read_capture("x", short.encode()).compile
    assert (found.npu_operators, found.cpu_operators) == (40, 2)
    assert (found.sram_used_bytes, found.off_chip_flash_used_bytes) == (200 * 1024, 1024 * 1024)
    assert (found.macs, found.dram_used_bytes, found.npu_cycles) == (None, None, None)
    assert read_capture("x", b"Total SRAM 512 KiB\n").compile == ()
    (kept,) = read_capture("x", b"Total SRAM used 1.50 KiB\nTotal SRAM 512 KiB\n").compile
    assert kept.sram_used_bytes == 1536


def test_the_memory_that_arms_advisor_reports_is_velas() -> None:
    rows = [
        ("SRAM used", "180.25", "KiB"),
        ("Off-chip flash used", "1024.00", "KiB"),
        ("NPU total cycles", "52,000", "cycles"),
    ]
    table = "".join(f"\u2502 {name:<20} \u2502 {value:>12} \u2502 {unit:<6} \u2502\n" for name, value, unit in rows)
    head = "Performance metrics:\n\u250c\u2500\u252c\u2500\u2510\n\u2502 Metric \u2502 Value \u2502 Unit \u2502\n"
    (found,) = read_capture("x", (head + table).encode()).compile
    assert (found.sram_used_bytes, found.off_chip_flash_used_bytes) == (184576, 1048576)
    assert (found.npu_cycles, found.total_cycles, found.dram_used_bytes) == (None, None, None)
