"""The options for what a log does not print, through the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest


def ethosu(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "ethosu_tui.tui", *arguments], capture_output=True, text=True, timeout=120
    )


@pytest.fixture
def log(samples: Path) -> str:
    return str(samples / "mobilenet_v2_corstone320.log")


def run_of(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    assert done.stderr == ""
    run: dict[str, Any] = json.loads(done.stdout)["captures"][0]["runs"][0]
    return run


def test_without_a_clock_there_is_no_time(log: str) -> None:
    derived = run_of(ethosu("analyze", "--json", log))["derived"]
    assert "npu_clock" not in derived
    assert derived["ext0_read_bytes_per_inference"]["value"] == 359_921 * 16
    assert all(set(entry) == {"value", "unit", "from"} for entry in derived.values())


def test_a_clock_and_macs_make_time_and_utilisation(log: str) -> None:
    options = ("--npu-clock", "500MHz", "--target", "ethos-u85-128", "--macs", "300836992")
    derived = run_of(ethosu("analyze", "--json", *options, log))["derived"]
    assert derived["npu_seconds_per_inference"]["value"] == pytest.approx(5_920_305 / 500e6, rel=1e-5)
    assert derived["mac_utilisation_percent"]["value"] == pytest.approx(39.7, abs=0.05)
    assert "assumptions.npu_clock_hz" in derived["npu_seconds_per_inference"]["from"]
    streamed = json.loads(ethosu("analyze", "--jsonl", *options, log).stdout)
    assert streamed["derived"] == derived


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--npu-clock", "fast"), "is not a clock"),
        (("--board", "alif"), "alif-e8-hp"),
        (("--target", "ethos-u85"), "ethos-u85-256"),
        (("--macs", "many"), "is not a count"),
        (("--beat-bytes", "3"), "is not the width"),
    ],
)
def test_what_makes_no_sense_is_refused(log: str, options: tuple[str, str], said: str) -> None:
    for command in (("analyze", log), ("compare", log, log)):
        done = ethosu(*command, *options)
        assert done.returncode == 2
        assert said in done.stderr
        assert "Traceback" not in done.stderr
        assert done.stdout == ""


def test_compare_takes_them_too(log: str) -> None:
    done = ethosu("compare", "--json", "--npu-clock", "1GHz", log, log)
    metrics = {metric["name"]: metric for metric in json.loads(done.stdout)["metrics"]}
    assert metrics["derived.npu_seconds_per_inference"]["values"] == [pytest.approx(0.0059203, rel=1e-4)] * 2


def test_what_contradicts_the_log_is_told(log: str) -> None:
    def rules(*options: str) -> dict[str, str]:
        done = ethosu("analyze", "--json", *options, log)
        findings = json.loads(done.stdout)["captures"][0]["findings"]
        return {f["rule"]: f["detail"] for f in findings if f["rule"].endswith("-not-of-this-run")}

    assert "not used" in rules("--target", "ethos-u55-128")["target-not-of-this-run"]
    derived = run_of(ethosu("analyze", "--json", "--system-config", "Ethos_U55_High_End_Embedded", log))["derived"]
    assert "npu_clock" not in derived
    told = rules("--system-config", "Ethos_U55_High_End_Embedded")
    assert "ethos-u55" in told["system-config-not-of-this-run"] and len(told) == 1
    assert rules("--target", "ethos-u85-128", "--system-config", "Ethos_U85_SYS_DRAM_Mid") == {}


VELA = """Network summary for out
Accelerator configuration               Ethos_U85_{macs}
System configuration             {config}
Memory mode                      {mode}
Accelerator clock                        {mhz} MHz

Neural network macs                              {work} MACs/batch
"""


def _vela(macs: int = 128, config: str = "Ethos_U85_SYS_DRAM_Mid", mode: str = "Sram_Only", mhz: int = 1000) -> bytes:
    return VELA.format(macs=macs, config=config, mode=mode, mhz=mhz, work=300_836_992).encode()


def _jsonl(*arguments: str) -> tuple[list[dict[str, Any]], str]:
    done = ethosu("analyze", "--jsonl", *arguments)
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr


def test_a_stream_derives_from_the_compiles_in_the_capture_too(log: str, tmp_path: Path) -> None:
    """Each run by the compile before it, whether it is read by its layout or not."""
    run = Path(log).read_bytes().rstrip(b"\n") + b"\n"
    path = tmp_path / "night.log"
    other = _vela(config="Ethos_U85_SYS_DRAM_Low", mhz=500)
    path.write_bytes(run * 30 + _vela() + run * 40 + other + run * 40)
    streamed, said = _jsonl(str(path))
    whole = json.loads(ethosu("analyze", "--json", str(path)).stdout)["captures"][0]
    assert said == "" and len(streamed) == 110
    assert [one["derived"] for one in streamed[30:]] == [one["derived"] for one in whole["runs"][30:]]
    clocks = [one["derived"].get("npu_clock", {}).get("value") for one in streamed]
    assert clocks == [None] * 30 + [1e9] * 40 + [5e8] * 40
    assert streamed[31]["derived"]["mac_utilisation_percent"]["from"][0] == "compile.macs"


@pytest.mark.parametrize("form", [("--jsonl",), ("--format", "csv"), ("--format", "markdown"), ()])
def test_options_that_contradict_runs_are_told_once_where_findings_are_not_printed(
    tmp_path: Path, log: str, form: tuple[str, ...]
) -> None:
    path = tmp_path / "night.log"
    path.write_bytes((Path(log).read_bytes().rstrip(b"\n") + b"\n") * 40)
    options = (
        "--board",
        "alif-e8-hp",
        "--system-config",
        "RTSS_HE_SRAM_MRAM",
        "--macs",
        "300.8G",
        "--target",
        "ethos-u85-128",
    )
    told = ethosu("analyze", *form, *options, str(path)).stderr.splitlines()
    assert [line.partition(": ")[2][:40] for line in told if "runs: " in line] != []
    text = "\n".join(told)
    assert text.count("40 of 40 runs") == 3
    others = [line.partition(" what ")[0] for line in told if "40 of 40 runs" not in line]
    assert others == (
        [f"ethosu-tui: {form[1]} has only"] if "--format" in form else []
    )  # it has no column for derived figures
    assert "--macs 300800000000" in text
    assert "alif-e8-hp" in text and "RTSS_HE_SRAM_MRAM" in text
    assert "alif-e8-hp" not in ethosu("analyze", *form, "--target", "ethos-u85-128", str(path)).stderr


def test_a_memory_mode_that_the_capture_contradicts_is_not_used(log: str, tmp_path: Path) -> None:
    path = tmp_path / "one.log"
    path.write_bytes(_vela() + Path(log).read_bytes())
    done = ethosu("analyze", "--json", "--memory-mode", "Dedicated_Sram", str(path))
    capture = json.loads(done.stdout)["captures"][0]
    (finding,) = [f for f in capture["findings"] if f["rule"] == "memory-mode-not-of-this-run"]
    assert finding["severity"] == "warning" and finding["lines"] == [1] and "Sram_Only" in finding["detail"]
    _, said = _jsonl("--memory-mode", "Dedicated_Sram", str(path))
    assert said.count("Dedicated_Sram") == 1
    same = ethosu("analyze", "--json", "--memory-mode", "Sram_Only", str(path)).stdout
    assert "memory-mode-not-of-this-run" not in same


def test_what_counters_contradict_is_told_beside_a_stream(samples: Path) -> None:
    """A row of a run holds no counters, so that this is not known from all rows at the end."""
    path = str(samples / "mnist_q.log")
    options = ("--target", "ethos-u85-256", "--board", "alif-e8-u85", "--macs", "10")
    capture = json.loads(ethosu("analyze", "--json", *options, path).stdout)["captures"][0]
    rules = {f["rule"] for f in capture["findings"] if f["rule"].endswith("-not-of-this-run")}
    runs, said = _jsonl(*options, path)
    assert [one["derived"] for one in runs] == [one["derived"] for one in capture["runs"]]
    assert rules == {"board-not-of-this-run", "target-not-of-this-run"}
    assert [line.count("AXI0_RD_DATA_BEAT_RECEIVED") for line in said.splitlines()] == [1, 1]
