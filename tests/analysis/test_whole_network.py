"""One network in several delegates: Vela tells of each alone, ExecuTorch counts them below."""

from __future__ import annotations

from pathlib import Path

import pytest

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.answers.of_capture import answers_document
from ethosu_tui.analysis.compiles.tables import compile_table, jobs_of
from ethosu_tui.analysis.compiles.whole_network import combine, network_with, networks, networks_of
from ethosu_tui.analysis.report import CompileSummary, Layer


def part(macs: int, cycles: int, sram: str = "", flash: str = "", system: str = "Ethos_U55_High_End_Embedded") -> str:
    lines = [
        "",
        "Network summary for out",
        f"Accelerator configuration               Ethos_U55_{macs}",
        f"System configuration             {system}",
        "Memory mode                               Shared_Sram",
        "Accelerator clock                                 500 MHz",
        *([f"Total SRAM used                                 {sram} KiB"] if sram else []),
        *([f"Total Off-chip Flash used                        {flash} KiB"] if flash else []),
        "CPU operators = 0 (0.0%)",
        "NPU operators = 4 (100.0%)",
        "Neural network macs                              1000 MACs/batch",
        f"NPU cycles                                     {cycles - 4} cycles/batch",
        "SRAM Access cycles                                 10 cycles/batch",
        f"Total cycles                                   {cycles} cycles/batch",
        "Batch Inference time                 0.00 ms, 9000.00 inferences/s (batch size 1)",
    ]
    return "\n".join(lines) + "\n"


def counted(parts: int) -> str:
    return (
        "\nDelegation summary:\n  Model was partially delegated.\n"
        f"  Delegated partitions for silicon acceleration: {parts}\n  Non-delegated ops: 4\n  Non-delegated operators:\n"
        "    - getitem: 2\n    - aten_sort_default: 1\n    - cortex_m_quantize_per_tensor_default: 1\n"
        "PTE file saved as out/net.pte\n"
    )


PARTS = part(128, 50_000, "65.50", "3.00") + part(128, 7_000, "", "1.50")
TWO = PARTS + counted(2)


def numbers(text: str) -> list[tuple[int, int]]:
    return [(network.first, network.last) for network in networks(read_capture("x", text.encode()).compile)]


def test_the_parts_of_one_network_are_told_by_the_count_below_them() -> None:
    (network,) = networks(read_capture("x", TWO.encode()).compile)
    whole = network.whole
    assert (network.first, network.last) == (1, 2)
    assert (whole.total_cycles, whole.npu_cycles, whole.macs, whole.npu_operators) == (57_000, 56_992, 2_000, 8)
    assert whole.inference_seconds == pytest.approx(114e-6), "57,000 cycles at 500 MHz"
    assert whole.sram_used_bytes == 67_072, "delegates run one after the other in the same memory"
    assert whole.off_chip_flash_used_bytes == 4_608 and whole.dram_used_bytes is None
    assert whole.delegated_subgraphs == 2 and whole.non_delegated_operators["aten_sort_default"] == 1


def test_summaries_without_such_a_count_are_networks_of_their_own() -> None:
    assert numbers(part(128, 50_000) + part(128, 7_000)) == [(1, 1), (2, 2)]
    assert numbers(part(128, 50_000) + part(128, 7_000) + counted(3)) == [(1, 1), (2, 2)]
    assert numbers(part(128, 50_000) + part(256, 7_000) + counted(2)) == [(1, 1), (2, 2)]
    assert numbers(part(128, 50_000) + counted(1) + part(128, 7_000) + counted(2)) == [(1, 1), (2, 2)]


def test_an_attempt_that_was_stopped_is_no_part_of_the_next() -> None:
    assert numbers(part(128, 50_000) + TWO + TWO) == [(1, 1), (2, 3), (4, 5)]


@pytest.mark.parametrize(
    "counts", [(None, 2, None, None, 3), (1, None, 3, None, 2), (None, None, 0, 2, 2, None), (None, 9)]
)
def test_the_network_of_a_summary_is_the_one_that_the_list_has(counts: tuple[int | None, ...]) -> None:
    summaries = [CompileSummary(accelerator="ethos-u55-128", delegated_subgraphs=count) for count in counts]
    listed = [network for network in networks(summaries) for _ in network.parts]
    assert [network_with(summaries, at) for at in range(len(summaries))] == listed


def test_each_of_very_many_summaries_is_looked_at_once() -> None:
    looked = 0

    class Counted(CompileSummary):
        def __getattribute__(self, name: str) -> object:
            nonlocal looked
            looked += 1
            return super().__getattribute__(name)

    for last in (None, 2, 2000):
        told = [Counted(accelerator="ethos-u55-128") for _ in range(1999)]
        many = [*told, Counted(accelerator="ethos-u55-128", delegated_subgraphs=last)]
        looked = 0
        assert sum(len(network.parts) for network in networks(many)) == 2000
        assert looked < 20 * 2000


@pytest.mark.parametrize(("mode", "dram"), [("Shared_Sram", 300), ("Dedicated_Sram_384KB", 200)])
def test_constants_of_all_delegates_lie_side_by_side(mode: str, dram: int) -> None:
    parts = [CompileSummary(memory_mode=mode, dram_used_bytes=used, sram_used_bytes=7) for used in (100, 200)]
    whole = combine(parts)
    assert whole is not None and (whole.dram_used_bytes, whole.sram_used_bytes) == (dram, 7)


def test_the_operators_of_a_network_are_those_of_all_its_delegates() -> None:
    layers = [Layer(at, "Conv2D", "x", 60, 100, 9, 1, 50.0) for at in range(2)]
    parts = (
        CompileSummary(accelerator="ethos-u55-128", operators=tuple(layers)),
        CompileSummary(accelerator="ethos-u55-128", operators=(layers[0],), delegated_subgraphs=2),
    )
    (network,) = networks(parts)
    assert [(layer.index, layer.share_percent) for layer in network.whole.operators] == [
        (0, 33.333),
        (1, 33.333),
        (2, 33.333),
    ]
    (cut,) = networks((parts[0]._replace(operators=()), parts[1]))
    assert cut.whole.operators == (), "those of one delegate alone are not those of the network"


def test_a_figure_that_one_part_does_not_tell_is_not_added_up() -> None:
    parts = [CompileSummary(total_cycles=5, sram_used_bytes=9), CompileSummary(total_cycles=None, sram_used_bytes=4)]
    whole = combine(parts)
    assert whole is not None and whole.total_cycles is None and whole.sram_used_bytes == 9
    cut = [CompileSummary(sram_used_bytes=9), CompileSummary()]
    lost = combine(cut)
    assert lost is not None and lost.sram_used_bytes is None, (
        "without the lines behind, the memory may stand in what was lost"
    )


def test_a_network_is_answered_once() -> None:
    (answers,) = answers_document(read_capture("x", TWO.encode()))
    assert (answers["compile"], answers["parts"]) == (2, 2)
    said = {five["question"]: five for five in answers["five"]}
    assert said["passed"]["reason"].startswith("2 parts of the model go to the NPU")
    assert "57,000 cycles" in said["speed"]["reason"] and "65.5 KiB of SRAM" in said["fit"]["answer"]


def test_the_table_shows_the_delegates_and_all_of_them() -> None:
    table = compile_table(jobs_of(read_capture("x", TWO.encode())))
    assert [column.name for column in table.columns][1:] == [
        "ethos-u55-128, all 2",
        "delegate 1 of 2",
        "delegate 2 of 2",
    ]
    rows = {row[0].text: row[1:] for row in table.rows}
    assert [cell.text for cell in rows["total cycles (estimate)"]] == ["57,000", "50,000", "7,000"]
    assert [cell.text for cell in rows["delegated subgraphs"]] == ["2", "-", "-"]
    assert not any(cell.tone == "best" for row in rows.values() for cell in row), "a part is not better than the whole"
    assert "largest" in table.note and "best" not in table.note
    assert ".pte size" not in rows and "compile time" not in rows, "no log tells them"


def test_what_cuts_the_network_is_named() -> None:
    (cut,) = [f for f in read_capture("x", TWO.encode()).findings if f.rule == "fragmented"]
    assert "aten_sort_default" in cut.advice and "getitem" not in cut.advice and "quantize" not in cut.advice


@pytest.mark.parametrize(("cycles", "told"), [(2_400_000, 0), (24_000, 1)])
def test_a_run_is_held_against_all_delegates_together(samples: Path, cycles: int, told: int) -> None:
    run = (samples / "mobilenet_v2_corstone320.log").read_text()
    parts = part(256, cycles).replace("Ethos_U55_256", "Ethos_U85_256") + part(256, cycles).replace(
        "Ethos_U55_256", "Ethos_U85_256"
    )
    capture = read_capture("x", f"{parts}{counted(2)}\n{run}".encode())
    assert len(capture.runs) == 1 and len(capture.compile) == 2
    assert [f.rule for f in capture.findings].count("npu-cycles-differ") == told


def test_a_recorded_compile_is_read_as_a_person_reads_it() -> None:
    """Our own network, really compiled by ExecuTorch 1.5.1 and its Vela; the warnings of Python above Vela's are left out."""
    log = Path(__file__).resolve().parent / "recordings" / "compiles" / "v15_two_delegates.log"
    capture = read_capture(log.name, log.read_bytes())
    first, second = capture.compile
    assert (first.total_cycles, first.npu_cycles, first.sram_access_cycles, first.macs) == (
        372_862,
        356_094,
        152_696,
        3_833_856,
    )
    assert (second.total_cycles, second.npu_cycles, second.sram_access_cycles, second.macs) == (
        29_072,
        23_916,
        20_884,
        1_188_176,
    )
    (network,) = networks(capture.compile)
    assert (network.first, network.last, network.whole.total_cycles, network.whole.macs) == (1, 2, 401_934, 5_022_032)
    assert (network.whole.delegated_subgraphs, network.whole.non_delegated_nodes) == (2, 8)
    assert network.whole.non_delegated_operators["aten_sort_default"] == 1
    assert network.whole.inference_seconds == pytest.approx(401_934 / 500e6)
    assert [(found.rule, found.severity) for found in capture.findings] == [("fragmented", "warning")]


FAILED = (
    "Traceback (most recent call last):\n"
    '  File "/w/executorch/examples/arm/aot_arm_compiler.py", line 812, in <module>\n'
    "    edge = to_edge_TOSA_delegate(\n"
    '  File "/w/executorch/backends/arm/ethosu/backend.py", line 77, in _compile_tosa_flatbuffer\n'
    "    binary = vela_compile(tosa_flatbuffer, compile_flags)\n"
    "RuntimeError: Non-passthrough operation (Greater) could not run on NPU\n"
)
COMMAND = "$ python3 -m examples.arm.aot_arm_compiler --model_name=mv2 --delegate --quantize\n"


REFUSED = "ERROR: Could not find a version that satisfies the requirement foo (from versions: none)\n"


BY_HAND = part(128, 9_000).replace("summary for out", "summary for keywords_int8")
"""Of a file that somebody gave Vela by its name."""


@pytest.mark.parametrize(
    "log",
    [
        BY_HAND + PARTS + FAILED,
        PARTS + FAILED,
        COMMAND + PARTS + "Killed\n",
        TWO + COMMAND + PARTS + FAILED,
        REFUSED + COMMAND + PARTS + FAILED,
    ],
)
def test_a_compile_that_failed_behind_some_delegates_is_one(log: str) -> None:
    capture = read_capture("x", log.encode())
    failed = list(networks_of(capture))[-1]
    assert failed.failed and len(failed.parts) == 2 and failed.last == len(capture.compile)
    answers = answers_document(capture)[-1]
    said = {five["question"]: five for five in answers["five"]}
    assert (answers["parts"], said["passed"]["answer"]) == (2, "no")
    assert said["speed"]["reason"] == "it did not compile", "the figures of some delegates are not those of the network"
    status = compile_table(jobs_of(capture)).rows[0]
    assert [cell.text for cell in status[-3:]] == ["failed", "ok", "ok"]


@pytest.mark.parametrize(
    "log",
    [
        BY_HAND + FAILED,
        BY_HAND + BY_HAND + COMMAND.replace("$ ", "") + BY_HAND + "Killed\n",
        PARTS + "RuntimeError: Non-passthrough operation (Greater) could not run on NPU\n",
        TWO,
        COMMAND + PARTS + "arm-none-eabi-ld: region `ITCM' overflowed by 1234 bytes\n",
        COMMAND + PARTS + "CMake Error at CMakeLists.txt:5 (project):\n  No CMAKE_C_COMPILER could be found.\n",
        COMMAND + PARTS + "[ 50%] Building CXX object a.cpp.obj\nKilled\n",
        COMMAND + PARTS + FAILED.replace("aot_arm_compiler", "show_pte"),
    ],
)
def test_summaries_that_several_compiles_may_have_made_are_no_failed_one(log: str) -> None:
    assert not any(network.failed for network in networks_of(read_capture("x", log.encode())))
