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
        (("--npu-clock", "fast"), "is no clock"),
        (("--board", "alif"), "alif-e8-hp"),
        (("--target", "ethos-u85"), "ethos-u85-256"),
        (("--macs", "many"), "is no count"),
        (("--beat-bytes", "3"), "is no width"),
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
