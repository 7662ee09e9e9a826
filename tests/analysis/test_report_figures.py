"""What the tabs of a report show beyond the log's own figures: meaning of events, shares, roofline, spread, values of outputs."""

from __future__ import annotations

import math
from array import array
from pathlib import Path

import pytest

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.lines import Line
from ethosu_tui.analysis.meaning.assumptions import Assumptions
from ethosu_tui.analysis.meaning.counters import counters_table, unknown_uses, uses_of
from ethosu_tui.analysis.meaning.derive import derive
from ethosu_tui.analysis.meaning.events import meaning_of
from ethosu_tui.analysis.meaning.inferences import series_of, spread_table
from ethosu_tui.analysis.meaning.pmu_events import EVENTS
from ethosu_tui.analysis.meaning.roofline import roofline_of
from ethosu_tui.analysis.outputs.read import OutputValues, read_outputs
from ethosu_tui.analysis.outputs.shown import histogram, output_tables, stats_table, top
from ethosu_tui.analysis.report import Derived, Run
from ethosu_tui.analysis.splitter import LineSplitter

from .perf_log import U85, render
from .test_blocks_repaired import _block, _runtime, _server
from .test_derive import BUILT, WAV2LETTER, WAV2LETTER_MACS

BANNER = BUILT.format("ethos-u85-1024", "Ethos_U85_SYS_DRAM_Mid", "Dedicated_Sram_384KB")
GIVEN = Assumptions(model_macs=WAV2LETTER_MACS)


def wav2letter(given: Assumptions = GIVEN, banner: str = BANNER) -> Run:
    return derive(read_capture("x", render(WAV2LETTER, U85, before=banner)), given).runs[0]


def lines_of(data: bytes) -> list[Line]:
    splitter = LineSplitter()
    return [*splitter.feed(data), *splitter.finish()]


def test_every_event_of_every_npu_has_a_meaning() -> None:
    names = {name for events in EVENTS.values() for name in events}
    assert len(names) > 150
    assert [name for name in sorted(names) if meaning_of(f"ETHOSU_PMU_{name}") is None] == []
    assert meaning_of("ETHOSU_PMU_SOMETHING_NEW") is None and meaning_of(None) is None


def test_counters_have_bytes_use_bandwidth_and_words() -> None:
    table = counters_table(wav2letter())
    names = [column.name for column in table.columns]
    row = dict(zip(names, table.rows[3], strict=True))
    assert row["Event"].text == "EXT_RD_DATA_BEAT_RECEIVED" and row["Counts"].text == "external memory: beats read"
    assert row["Per inference"].value == 1_836_882 * 16 and row["Bandwidth"].value == pytest.approx(7.14e9, rel=1e-2)
    assert "1000 MHz" in table.note


def test_without_a_clock_there_is_no_bandwidth_and_it_is_said_why(samples: Path) -> None:
    name = "mobilenet_v2_corstone320.log"
    run = derive(read_capture(name, (samples / name).read_bytes())).runs[0]
    table = counters_table(run)
    assert "Bandwidth" not in [column.name for column in table.columns] and "No bandwidth" in table.note
    assert "MACs of the model" in unknown_uses(run)


def test_shares_are_those_that_were_derived() -> None:
    uses = {use.name: round(use.percent, 1) for use in uses_of(wav2letter())}
    assert uses["MACs used"] == 82.9 and uses["MAC array busy"] == 94.8
    assert unknown_uses(wav2letter()) == ""
    assert "MACs used" not in {use.name for use in uses_of(wav2letter(Assumptions()))}


def test_the_roofline_of_wav2letter() -> None:
    found = roofline_of(wav2letter())
    assert not isinstance(found, str)
    outside, sram = found.memories
    assert outside.slope is not None and sram.slope is not None
    assert math.exp(outside.point[0]) == pytest.approx(WAV2LETTER_MACS / ((1_836_882 + 19_045) * 16), rel=1e-4)
    assert math.exp(outside.point[1]) == pytest.approx(848.5, rel=1e-3) and math.exp(found.compute) == pytest.approx(
        1024
    )
    assert math.exp(outside.slope[1][0]) == pytest.approx(1024 / 12, rel=1e-3), "the ridge: 12 bytes a cycle"
    assert math.exp(sram.point[0]) == pytest.approx(WAV2LETTER_MACS / ((463_085 + 40_950) * 16), rel=1e-4)
    assert math.exp(sram.slope[1][0]) == pytest.approx(1024 / 32, rel=1e-3), "two ports of 16 bytes"
    for memory in found.memories:
        assert found.low[0] < memory.point[0] < found.high[0] and found.low[1] < memory.point[1] < found.compute
    assert [line.count("not the limit") for line in found.words] == [0, 1, 1]


@pytest.mark.parametrize(
    ("given", "banner", "said"),
    [
        (Assumptions(), BANNER, "MACs of the model"),
        (GIVEN, "Ethos-U backend registered successfully", "size of the NPU"),
    ],
)
def test_no_roofline_without_its_figures(given: Assumptions, banner: str, said: str) -> None:
    found = roofline_of(wav2letter(given, banner))
    assert isinstance(found, str) and said in found


def test_a_memory_whose_peak_is_not_known_has_no_roof() -> None:
    banner = "Ethos-U backend registered successfully"
    found = roofline_of(wav2letter(Assumptions(model_macs=WAV2LETTER_MACS, target="ethos-u85-1024"), banner))
    assert not isinstance(found, str) and all(memory.slope is None for memory in found.memories)
    assert all("peak is not known" in line for line in found.words[1:]) and len(found.words) == 3


def _entry(value: float, unit: str = "MACs/byte") -> Derived:
    return Derived(value, unit, ())


def test_a_memory_that_was_not_counted_says_so_and_an_estimate_is_called_one() -> None:
    run = wav2letter()
    without = {name: one for name, one in run.derived.items() if not name.startswith("sram_")}
    found = roofline_of(run._replace(derived=without))
    assert not isinstance(found, str) and [memory.name for memory in found.memories] == ["external memory"]
    assert found.words[-1] == "SRAM: reads and writes of the SRAM port were not both counted."
    estimated = {**without, "estimated_sram_roof_macs_per_cycle": _entry(900, "MACs/cycle")}
    said = roofline_of(run._replace(derived=estimated))
    assert not isinstance(said, str) and "Vela estimates that it allows 900 MACs a cycle" in said.words[-1]
    inside = {name: one for name, one in run.derived.items() if not name.startswith(("arithmetic", "external"))}
    alone = roofline_of(run._replace(derived=inside))
    assert not isinstance(alone, str) and [memory.name for memory in alone.memories] == ["SRAM"]
    assert alone.words[-1].startswith("External memory: no external traffic was counted")
    neither = {name: one for name, one in inside.items() if not name.startswith("sram_")}
    assert "There is no roofline: no external traffic" in str(roofline_of(run._replace(derived=neither)))


def test_a_peak_that_the_run_exceeds_is_not_that_of_its_memory() -> None:
    run = wav2letter()
    found = roofline_of(run._replace(derived={**run.derived, "sram_peak_bytes_per_cycle": _entry(0.1, "bytes/cycle")}))
    assert not isinstance(found, str)
    assert [memory.slope is None for memory in found.memories] == [False, True] and "another memory" in found.words[2]


def test_what_the_counters_tell_of_the_sram_names_its_sources() -> None:
    run = wav2letter(Assumptions(model_macs=1))
    assert "estimated_sram_roof_macs_per_cycle" not in run.derived, "no summary of Vela is in the capture"
    assert run.derived["sram_intensity_macs_per_byte"].sources[0] == "assumptions.model_macs"


def test_inferences_of_a_server_spread() -> None:
    run, _ = _server(*(_block(_runtime(1_000_000), npu=280_000 + n * 1000) for n in range(5)))
    npu, cpu = series_of(run)
    assert npu.values == tuple(280_000 + n * 1000 for n in range(5)) and not npu.simulated and cpu.simulated
    row = spread_table(run).rows[0]
    assert [cell.value for cell in row[2:5]] == [280_000, 282_000, 284_000]
    assert row[4].line == npu.lines[4], "the slowest leads to its block"


def test_one_block_has_no_spread() -> None:
    run, _ = _server(_block(_runtime(1_000_000)))
    assert series_of(run) == () and spread_table(run).rows == ()


def test_inferences_of_two_models_have_no_spread() -> None:
    """They are of one run, and nothing that one of them took says anything of the other."""
    block = "INFO - Profile for Inference:\nINFO - NPU ACTIVE cycles: {0}\nINFO - NPU TOTAL cycles: {0}\n"
    kit = "INFO - Ethos-U55 device initialised\nINFO - Running inference on audio clip 0 => a.wav\n"
    two = f"{kit}{block.format(5120)}INFO - Keyword spotted\n{block.format(900_000)}"
    run = read_capture("x", two.encode()).runs[0]
    assert len(run.blocks) == 2 and series_of(run) == () and spread_table(run).rows == ()


def read(data: bytes) -> tuple[Run, tuple[OutputValues, ...]]:
    run = read_capture("x", data).runs[0]
    return run, read_outputs(lines_of(data), run)


def test_values_of_every_sample_agree_with_the_report(samples: Path) -> None:
    compared = 0
    for log in sorted(samples.glob("*.log")):
        run, outputs = read(log.read_bytes())
        known = {output.index: output for output in outputs}
        for tensor in run.outputs:
            output = known[tensor.index]
            assert (output.count, output.dtype) == (tensor.count, tensor.dtype), log.name
            assert output.values[: len(tensor.first)] == pytest.approx(array("d", tensor.first)), log.name
            assert output.whole != tensor.elided, log.name
            compared += 1
    assert compared >= 7


def test_a_cut_dump_says_what_is_missing_and_keeps_places(samples: Path) -> None:
    data = (samples / "mobilenet_v2_corstone320.log").read_bytes()
    run, (output,) = read(data)
    assert list(output.places) == [0, 1, 2, 996, 997, 998, 999] and output.count == 1000
    assert top(output)[0] == (999, pytest.approx(1.576387))
    stats, largest, bins = output_tables((output,), run)
    assert "7 of 1,000 values: the runner left the others out" in stats.note
    assert largest.rows[0][1].text == "[999]" and sum(int(row[1].value or 0) for row in bins.rows) == 7


def _dump(values: list[object], start: str = "I [executorch:arm_executor_runner.cpp:900 main()] ") -> bytes:
    lines = ["Model buffer loaded, has 1 methods", "1 outputs:"]
    lines += [f"Output[0][{place}]: (float) {value}" for place, value in enumerate(values)]
    lines += ["Program complete, exiting."]
    return "".join(f"{start}{line}\n" for line in lines).encode()


def test_what_is_no_number_is_counted_and_in_no_histogram() -> None:
    run, (output,) = read(_dump([1.5, "nan", -2.25, "inf", 0]))
    row = dict(
        zip([c.name for c in stats_table((output,), run).columns], stats_table((output,), run).rows[0], strict=True)
    )
    assert (row["Not numbers"].value, row["Zeros"].value, row["Min"].value, row["Max"].value) == (2, 1, -2.25, 1.5)
    assert sum(one.count for one in histogram(output.values)) == 3
    assert [place for place, _ in top(output)] == [3, 0, 4, 2], "an infinity is the largest, NaN is none"


def test_a_server_shows_the_values_of_its_last_dump() -> None:
    one, two = _dump([1, 2]), _dump([3, 4])
    data = one.replace(b"Program complete, exiting.", b"Model run: 1") + two[two.index(b"\n") + 1 :]
    _, (output,) = read(data)
    assert list(output.values) == [3, 4] and output.dumps == 2


@pytest.mark.parametrize(
    ("values", "bins"),
    [
        ([], []),
        ([math.nan], []),
        ([2.0, 2.0, 5.0], [(2, 2, 2), (5, 5, 1)]),
        ([0.5, 0.5], [(0.5, 0.5, 2)]),
        ([-1e308, 1e308], None),
    ],
)
def test_bins(values: list[float], bins: list[tuple[float, float, int]] | None) -> None:
    found = histogram(values)
    if bins is None:
        assert sum(one.count for one in found) == len(values)
    else:
        assert [tuple(one) for one in found] == bins


def test_bins_hold_every_value_once() -> None:
    values = [math.sin(i) * 3 for i in range(1000)]
    found = histogram(values)
    assert len(found) == 12 and sum(one.count for one in found) == 1000
    for one in found[:-1]:
        assert one.count == sum(one.low <= value < one.high for value in values)
