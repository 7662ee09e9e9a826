"""A Zephyr banner: it belongs to the run of the runner that follows, and is none where something else was booted."""

from __future__ import annotations

from .port_logs import lines, only, read

BOOT = "*** Booting Zephyr OS build v4.4.0 ***\n"
RUN = lines(
    "I [executorch:main.cpp] ", "Model PTE at 0x80077000, Size: 3380 bytes", "Running method: forward", "Demo Complete"
)


def test_the_banner_belongs_to_the_run() -> None:
    run = only("noise\n" + BOOT + "\n====\nA demo of something\n" + RUN)
    assert (run.first_line, run.last_line, run.status, run.runner.kind) == (2, 8, "passed", "zephyr")


def test_a_banner_alone_is_no_run() -> None:
    assert read(BOOT + "Hello World! mps3\nE: an error of some application\n").runs == ()


def test_a_boot_after_a_run_is_no_second_one() -> None:
    capture = read(BOOT + RUN + BOOT + "Hello World!\n")
    assert [run.last_line for run in capture.runs] == [4]
    assert [f.rule for f in capture.findings] == [f.rule for f in read(BOOT + RUN).findings]


def test_every_boot_is_a_run() -> None:
    runs = read((BOOT + RUN) * 3).runs
    assert [(run.first_line, run.last_line) for run in runs] == [(1, 4), (5, 8), (9, 12)]
    assert {run.runner.kind for run in runs} == {"zephyr"}
