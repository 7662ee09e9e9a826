"""What the user says beside a log is held against what the log holds: the same answer wherever a name stands, and no silence."""

from __future__ import annotations

from typing import Any

import pytest

from ethosu_tui.analysis import Capture, read_capture
from ethosu_tui.analysis.answers.of_capture import answers_in, named_run
from ethosu_tui.analysis.fit.of_run import boards_with_npu
from ethosu_tui.analysis.meaning.assumptions import Assumptions, of_place
from ethosu_tui.analysis.meaning.derive import derive
from ethosu_tui.analysis.report import Finding

from .perf_log import GOOD, U55, U85, render, values

BUILT = "Build Arm Baremetal executor_runner for {} with m.pte using {} {}  to 'out'"
SUMMARY = b"""Network summary for out
Accelerator configuration               Ethos_U85_1024
System configuration             Ethos_U85_SYS_DRAM_Mid
Memory mode                            Dedicated_Sram
"""
FIGURES: dict[str, Any] = {
    **GOOD,
    "cycles.inferences": 1,
    "cycles.delegations": 1,
    "pmu.npu_cycles": 4_114_227,
    "pmu.counters.0": 463_085,
    "pmu.counters.1": 40_950,
    "pmu.counters.2": 1_836_882,
    "pmu.counters.3": 19_045,
    "pmu.counters.4": 841,
    "pmu.counters.5": 3_900_000,
    "pmu.counters.6": 1_900_000,
}


def released(capture: Capture, version: str | None, **target: Any) -> Capture:
    """The capture with the release, and what else is given of the target, that a longer log would show."""
    run = capture.runs[0]
    run = run._replace(
        runner=run.runner._replace(executorch_version=version), target=run.target._replace(**target)
    )  # fmt: skip
    return capture._replace(runs=(run,))


def u85(banner: str | None = None, **changes: Any) -> Capture:
    return read_capture("x", render({**FIGURES, **changes}, U85, before=banner or ""))


def u55(version: str | None = "1.0.0..1.4.1", **changes: Any) -> Capture:
    return released(read_capture("x", render({**GOOD, **changes}, U55)), version)


def told(capture: Capture) -> dict[str, Finding]:
    return {f.rule: f for f in capture.findings if f.severity == "warning"}


def fit(capture: Capture, given: Assumptions) -> str:
    (found,) = answers_in(derive(capture, given), given)
    return next(answer.sentence for answer in found.answers if answer.key == "fit")


# -- a board that is named is no proof of hardware -----------------------------------------------------------------


def test_a_board_that_was_named_makes_no_time_of_cycles_that_the_report_calls_simulated() -> None:
    given = Assumptions(board="alif-e7-hp", cpu_clock_hz=400e6)
    capture = derive(u55(), given)
    assert not [name for name in values(capture) if name.startswith("cpu_s")]
    assert "bound-cpu" not in {f.rule for f in capture.findings}
    assert "npu_seconds_per_inference" in values(capture), "the NPU's clock is that of the board that was asked for"
    real = derive(released(u55(), "1.4.0", platform="board"), given)
    assert values(real)["cpu_share_percent"] == 70 and "bound-cpu" in {f.rule for f in real.findings}


@pytest.mark.parametrize("kind", ["serial", "ssh", "command", "fvp"])
def test_a_run_on_a_target_that_is_a_board_was_on_hardware(kind: str) -> None:
    place = {
        "name": "bench",
        "kind": kind,
        "board": "alif-e7-hp",
        "cpu_clock_hz": 400e6,
        "cpu_clock_from": "targets.bench.cpu_clock",
    }
    capture = derive(u55(), of_place(place))
    hardware = kind in ("serial", "ssh")
    assert capture.runs[0].target.platform == ("board" if hardware else None)
    assert bool([name for name in values(capture) if name.startswith("cpu_s")]) == hardware
    assert ("fvp-ratio-not-time" in {f.rule for f in capture.findings}) != hardware
    simulated = derive(released(u55(), None, platform="fvp"), of_place(place))
    assert simulated.runs[0].target.platform == "fvp"


# -- which NPU it is, wherever that is said ------------------------------------------------------------------------


def _named(where: str) -> tuple[Capture, Assumptions]:
    if where == "log":
        return u85(BUILT.format("ethos-u85-1024", "Ethos_U85_SYS_DRAM_Mid", "Dedicated_Sram")), Assumptions()
    if where == "summary":
        return read_capture("x", SUMMARY + render(FIGURES, U85)), Assumptions()
    return u85(), Assumptions(target="ethos-u85-1024")


@pytest.mark.parametrize("where", ["log", "summary", "option"])
def test_other_macs_never_fit_wherever_the_npu_is_named(where: str) -> None:
    capture, given = _named(where)
    alone = capture.runs[0]
    summary = capture.compile[0] if capture.compile else None
    assert [board.name for board in boards_with_npu(named_run(alone, summary, given))] == ["mps4-u85"]
    assert "alif-e8-u85" not in fit(capture, given)
    asked = given._replace(board="alif-e8-u85")
    assert fit(capture, asked).startswith(
        "on alif-e8-u85, no: it was compiled for ethos-u85-1024, the board has ethos-u85-256"
    )
    derived = derive(capture, asked)
    assert "ethos-u85-1024" in told(derived)["board-not-of-this-run"].detail
    clock = derived.runs[0].derived.get("npu_clock")
    assert clock is None or not clock.sources[0].startswith("boards."), (
        "nor has the board's clock anything to do with it"
    )


def test_the_right_macs_still_fit() -> None:
    given = Assumptions(board="alif-e8-u85", target="ethos-u85-256")
    assert "board-not-of-this-run" not in told(derive(u85(), given))
    assert not fit(u85(), given).startswith("on alif-e8-u85, no")


# -- counters that another NPU has ---------------------------------------------------------------------------------


@pytest.mark.parametrize("version", ["1.0.0..1.4.1", "0.5.0..0.7.0", "main"])
def test_a_target_that_does_not_have_the_events_of_the_log_is_refused(version: str) -> None:
    for given, rule in (
        (Assumptions(target="ethos-u85-256"), "target-not-of-this-run"),
        (Assumptions(board="alif-e8-u85"), "board-not-of-this-run"),
        (Assumptions(system_config="Ethos_U85_SYS_DRAM_Mid"), "system-config-not-of-this-run"),
    ):
        capture = derive(u55(version), given)
        finding = told(capture)[rule]
        assert "AXI0_RD_DATA_BEAT_RECEIVED" in finding.detail and "not used" in finding.detail and finding.lines
        derived = capture.runs[0].derived
        assert not [name for name in derived if name.endswith("bytes_per_inference") or name == "npu_clock"]
        (bound,) = (f for f in capture.findings if f.rule.startswith("bound-"))
        assert "SRAM_RD_DATA_BEAT" not in bound.advice and "ethos-u85" not in bound.advice
    assert fit(u55(version), Assumptions(board="alif-e8-u85")).startswith(
        "on alif-e8-u85, no: its counters are those of"
    )


def test_targets_that_have_them_and_releases_that_list_them_for_all_are_let_be() -> None:
    for target in ("ethos-u55-128", "ethos-u65-256"):
        assert "target-not-of-this-run" not in told(derive(u55(), Assumptions(target=target)))
    for version in ("0.4.0", "0.4.0..0.5.0", None):
        capture = derive(u55(version), Assumptions(target="ethos-u85-256"))
        assert "target-not-of-this-run" not in told(capture)
        assert not [name for name in values(capture) if name.startswith("axi")], "what they counted is not known there"


def test_of_a_refused_target_nothing_else_follows() -> None:
    """A system config of the NPU that it was is not refused because of the target that it was not."""
    given = Assumptions(target="ethos-u85-256", system_config="Ethos_U55_High_End_Embedded")
    assert set(told(derive(u55(), given))) >= {"target-not-of-this-run"}
    assert "system-config-not-of-this-run" not in told(derive(u55(), given))


# -- MACs that the array cannot have done --------------------------------------------------------------------------


def test_more_macs_than_the_array_did_while_it_worked_are_not_used() -> None:
    most = 3_900_000 * 256
    for macs, refused in ((most, False), (round(most * 1.01), False), (round(most * 1.04), True)):
        capture = derive(u85(), Assumptions(target="ethos-u85-256", model_macs=macs))
        assert ("macs-not-of-this-run" in told(capture)) == refused
        assert ("mac_utilisation_percent" in values(capture)) != refused
    finding = told(capture)["macs-not-of-this-run"]
    assert "104 %" in finding.detail and "MAC_ACTIVE" in finding.detail and finding.lines
    assert not {"array_efficiency_percent", "npu_ops_per_second", "attained_macs_per_cycle"} & values(capture).keys()


# -- memory modes that the traffic refutes -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "refuted"), [("Sram_Only", True), ("Shared_Sram", False), ("Dedicated_Sram_384KB", False)]
)
def test_a_memory_mode_that_the_traffic_refutes_is_said_and_not_used(mode: str, refuted: bool) -> None:
    given = Assumptions(target="ethos-u65-256", memory_mode=mode, model_macs=100_000)
    capture = derive(u55(), given)
    found = told(capture)
    assert ("memory-mode-mismatch" in found) == refuted
    if refuted:
        finding = found["memory-mode-mismatch"]
        assert mode in finding.title and "not used" in finding.detail and finding.lines
    assert ("arithmetic_intensity_at_most_macs_per_byte" in values(capture)) != refuted


def test_an_option_that_says_what_the_banner_says_is_not_told_twice() -> None:
    banner = BUILT.format("ethos-u55-128", "Ethos_U55_High_End_Embedded", "Sram_Only")
    capture = derive(read_capture("x", render(GOOD, U55, before=banner)), Assumptions(memory_mode="Sram_Only"))
    assert [f.rule for f in capture.findings].count("memory-mode-mismatch") == 1


def test_a_banner_says_what_the_runner_was_built_for_and_not_the_model() -> None:
    banner = BUILT.format("ethos-u55-128", "Ethos_U55_High_End_Embedded", "Sram_Only")
    finding = told(derive(read_capture("x", render(GOOD, U55, before=banner))))["memory-mode-mismatch"]
    assert "the runner was built for Sram_Only" in finding.title and "compiled for" not in finding.title
    assert 1 in finding.lines
    summary = SUMMARY.replace(b"Ethos_U85_1024", b"Ethos_U55_128").replace(b"Dedicated_Sram", b"Sram_Only")
    finding = told(derive(read_capture("x", summary + render(GOOD, U55))))["memory-mode-mismatch"]
    assert "the model was compiled for Sram_Only" in finding.title


# -- ports ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("config", "sram", "ext"),
    [
        ("Ethos_U85_SYS_Flash_Low", 2, 1), ("Ethos_U85_SYS_Flash_High", 2, 1), ("Ethos_U85_SYS_DRAM_Low", 2, 1),
        ("Ethos_U85_SYS_DRAM_Mid", 2, 1), ("Ethos_U85_SYS_DRAM_High", 4, 2), ("Ethos_U85_SRAM_MRAM", 2, 1),
        ("Ethos_U85_SRAM_Only", 2, 2), ("Ethos_U85_SYS_DRAM_Mid_1024", 2, 2),
    ],
)  # fmt: skip
def test_ports_of_a_u85_are_those_of_its_system_config(config: str, sram: int, ext: int) -> None:
    got = values(derive(u85(**{"pmu.counters.2": 40_000}), Assumptions(system_config=config)))
    for path, beats, ports in (("sram_read", 463_085, sram), ("ext_read", 40_000, ext), ("ext_write", 19_045, ext)):
        assert got[f"{path}_port_use_percent"] == pytest.approx(100 * beats / 4_114_227 / ports, rel=1e-4)
