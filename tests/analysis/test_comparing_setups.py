"""What differs in the setups, before any figure: only what is known is compared."""

from __future__ import annotations

from ethosu_tui.analysis.comparing.comparison import compare
from ethosu_tui.analysis.comparing.names import distinct_labels, short_labels, short_texts
from ethosu_tui.analysis.comparing.setups import facts_of, setups
from ethosu_tui.analysis.comparing.sides import Side
from ethosu_tui.analysis.comparing.tables import sheet
from ethosu_tui.analysis.meaning.figure_names import short_name
from ethosu_tui.analysis.report import CompileSummary, Cycles, Model, Run, Runner, Target
from ethosu_tui.analysis.tables import set_apart
from ethosu_tui.analysis.tables.text import render


def compiled(target: str, mode: str, clock: float, **facts: str) -> Side:
    summary = CompileSummary(
        accelerator=target, memory_mode=mode, core_clock_hz=clock, total_cycles=10, sram_used_bytes=5
    )
    return Side(f"net {target}", f"{target}-folder", "compile", summary=summary, facts=facts)


def ran(release: str | None, *, pte_bytes: int | None = None, status: str = "passed") -> Side:
    run = Run(
        1, 1, 2, status, "complete", runner=Runner("arm_executor_runner", release), target=Target(npu="ethos-u85"),  # type: ignore[arg-type]
        cycles=Cycles(inferences=1), model=Model(pte_bytes=pte_bytes),
    )  # fmt: skip
    return Side("log", "log", "run", run=run)


def state(sides: list[Side]) -> dict[str, str]:
    return {one.name: one.state for one in setups(sides).settings}


def test_targets_macs_and_clocks_differ_before_any_figure() -> None:
    sides = [
        compiled("ethos-u55-128", "Shared_Sram", 5e8, executorch="1.5.1"),
        compiled("ethos-u85-256", "Shared_Sram", 1e9, executorch="1.5.1"),
    ]
    found = setups(sides)
    assert [one.name for one in found.of("differs")] == ["target", "MACs", "NPU clock"]
    assert found.lines() == (
        "Differs: target (ethos-u55-128 / ethos-u85-256); MACs (128 / 256); NPU clock (500 MHz / 1000 MHz)",
        "Same: memory mode Shared_Sram, ExecuTorch 1.5.1",
    )
    assert found.brief(40) == "Differs: target, MACs, NPU clock"
    assert found.brief(26) == "Differs: target, MACs, +1"
    rows = sheet(compare(sides)).table.rows
    assert [row[0].text for row in rows[:5]] == ["Setup", "target", "MACs", "NPU clock", "Cycles and time"]
    assert [row[0].text for row in rows[-3:]] == ["Same or unknown", "memory mode", "ExecuTorch"]
    told = compare(sides).to_dict()["setup"]
    assert told[0] == {"name": "target", "values": ["ethos-u55-128", "ethos-u85-256"], "state": "differs"}


def test_what_one_does_not_tell_is_neither_the_same_nor_different() -> None:
    known = state([compiled("ethos-u55-128", "Shared_Sram", 5e8, vela="5.1.0"), compiled("ethos-u55-128", "", 5e8)])
    assert known["Vela"] == "unknown"
    assert state([ran(None), ran("1.2.0")])["ExecuTorch"] == "unknown"


def test_a_range_of_releases_differs_from_none_of_them() -> None:
    assert state([ran("1.4.0..main"), ran("1.5.1")])["ExecuTorch"] == "unknown"
    assert state([ran("1.0.0/1.0.1"), ran("1.0.0/1.0.1")])["ExecuTorch"] == "same"
    assert state([ran("0.6.0"), ran("1.5.1")])["ExecuTorch"] == "differs"


def test_programs_of_another_size_are_others_and_a_failed_run_is_named() -> None:
    found = state([ran("main", pte_bytes=100), ran("main", pte_bytes=200, status="failed")])
    assert found["program size"] == "differs" and found["status"] == "differs"
    assert "program size" not in state([ran("main", pte_bytes=100), ran("main", pte_bytes=100)])
    assert setups([ran("main"), ran("main")]).lines()[0] == "Differs: nothing that is known of the setups"


def test_facts_of_a_folder_are_texts_that_may_be_shown() -> None:
    facts = facts_of(
        {
            "model": "net\x1b[31m.py", "artefact": "/a/net.pte", "hashes": {"/a/net.pte": "0123456789abcdef"},
            "versions": {"executorch": "1.5.1", "ethos-u-vela": 5}, "place": {"name": "lab", "npu_clock_hz": 4e8},
        },
        {"arena_cache_bytes": 393216, "optimise": "Size"},
    )  # fmt: skip
    assert facts == {
        "model": "net.py", "program": "0123456789ab", "place": "lab", "clock": "400 MHz", "executorch": "1.5.1",
        "arena": "384.0 KiB", "optimise": "Size",
    }  # fmt: skip
    assert facts_of({"versions": 3, "hashes": [], "place": "x", "artefact": 1}) == {}


def test_labels_are_reduced_to_where_they_differ() -> None:
    assert short_labels(["mnist ethos-u55-128", "mnist ethos-u85-256"]) == ["ethos-u55-128", "ethos-u85-256"]
    assert short_labels(["mnist ethos-u55-128", "mnist ethos-u85-256"], long=0) == ["u55-128", "u85-256"]
    assert short_labels(["n ethos-u65-256", "n ethos-u65-512"], long=0) == ["u65-256", "u65-512"], "no bare figures"
    configs = [
        "n ethos-u55-32 Ethos_U55_High_End_Embedded Shared_Sram",
        "n ethos-u55-32 Ethos_U55_Deep_Embedded Shared_Sram",
    ]
    assert short_labels(configs) == ["High_End", "Deep"]
    same = short_labels(["a x3", "a x3"], ["/r/20260101-101112-a", "/r/20260101-101500-a"])
    assert same == ["10:11:12", "10:15:00"]
    assert short_labels(["run", "run"], ["s/one.log", "s/two.log"]) == ["one.log", "two.log"]
    folders = ["lab/b1/uart.log", "lab/b2/uart.log", "lab/b2/uart.log"]
    assert distinct_labels(["uart", "uart#1", "uart#2"], folders) == ["b1/uart", "b2/uart#1", "b2/uart#2"]
    assert distinct_labels(["uart x3", "uart x9"], ["/a/b/uart.log", "/c/b/uart.log"]) == ["a/b/uart x3", "c/b/uart x9"]
    assert distinct_labels(["uart#1", "uart#2"], folders[1:]) == ["uart#1", "uart#2"]
    assert distinct_labels(["uart"] * 3, ["a/uart.log", "a/uart.txt", "b/uart.log"]) == [
        "uart a/uart.log", "uart a/uart.txt", "uart b/uart.log",
    ]  # fmt: skip
    assert distinct_labels(["uart", "uart"], ["uart.log", "a/uart.log"]) == ["uart", "a/uart"]
    assert distinct_labels(["v1.2", "v1.2"], ["a/v1.2.log", "b/v1.2.log"]) == ["a/v1.2", "b/v1.2"]
    assert distinct_labels(["run#1", "run#2"], ["run#1.log", "run#2.log"]) == ["run#1", "run#2"], "their own names"
    assert short_labels(["uart", "uart"], folders[:2]) == ["b1/uart", "b2/uart"]
    assert len(set(short_labels(["same"] * 12))) == 12
    assert short_labels(["same", "same"], ["s/same.log", "s/same.log"]) == ["same #1", "same #2"]
    long = short_labels(["a" * 40 + "1" + "b" * 40, "a" * 40 + "2" + "b" * 40])
    assert all(len(label) <= 23 for label in long) and len(set(long)) == 2
    assert short_labels(["", "x"]) == ["", "x"]
    assert short_texts(["Dedicated_Sram_384KB", "Sram_Only"], 13) == ["Dedicated_Sr…", "Sram_Only"]
    assert short_name("derived.axi0_read_bytes_per_inference") == "AXI0 read each"
    assert short_name("derived.axi0_read_bytes_per_second") == "AXI0 read per second"
    assert short_name("derived.npu_seconds_per_inference") == "NPU time each"
    assert short_name("derived.first_seconds_per_inference") == "first time each"


def test_marks_stand_in_a_place_of_their_own() -> None:
    assert [set_apart(text, 3) for text in ("5", "5 n/c", "5 ~", "735.0 KiB *", "")] == [
        "5    ", "5 n/c", "5 ~  ", "735.0 KiB *  ", "",
    ]  # fmt: skip
    slow, fast = (compiled(name, "Shared_Sram", 5e8) for name in ("ethos-u55-128", "ethos-u55-256"))
    assert fast.summary is not None
    fast = fast._replace(summary=fast.summary._replace(total_cycles=7))
    lines = render(sheet(compare([slow, fast]), labels=["a", "b"]).table).splitlines()
    cycles = next(line for line in lines if line.startswith("compile.total_cycles"))
    size = next(line for line in lines if line.startswith("compile.sram_used_bytes"))
    assert cycles.endswith("7 (0.70x) *") and size.endswith("5 B (1.00x)")
    assert cycles.index("(0.70x)") == size.index("(1.00x)"), "figures are aligned whatever stands behind them"
