"""Errors of the host that a terminal broke into two rows tell their cause as whole ones do."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture


@pytest.mark.parametrize("at", [72, 76, 83, 88, 100])
def test_a_line_that_a_terminal_broke_tells_its_cause(at: int) -> None:
    said = "fatal: unable to access 'https://git.lab.example/npu/kernels.git/': server certificate verification failed. CAfile: none"
    broken = f"Cloning into 'kernels'...\n{said[:at]}\n{said[at:]}\n"
    (finding,) = read_capture("x", broken.encode()).findings
    assert (finding.rule, finding.lines) == ("download-failed", (2,))
    assert finding.title == "A download failed: the server's certificate could not be verified"
    assert "verification" in finding.detail


@pytest.mark.parametrize(
    "below", ["Trying the next server", "\nserver certificate verification failed", "the next one is asked"]
)
def test_what_stands_under_a_line_is_not_its_rest(below: str) -> None:
    said = "fatal: unable to access 'https://git.lab.example/npu/kernels.git/': The requested URL returned error: 503"
    (finding,) = read_capture("x", f"{said}\n{below}\n".encode()).findings
    assert finding.title == "git could not fetch from git.lab.example: The requested URL returned error: 503"
