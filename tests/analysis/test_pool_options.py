"""Where the size of a pool is set: by release, by port, by the scripts that build the runner."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis.capture import read_capture
from ethosu_tui.analysis.draft import Evidence
from ethosu_tui.analysis.report import Run, Runner
from ethosu_tui.analysis.rules.pool_options import pool_names, pool_option, use_line


@pytest.mark.parametrize(
    ("release", "told"), [("0.4", False), ("0.5", False), ("0.6", True), ("1.4", True), (None, True)]
)
def test_who_builds_with_the_scripts_learns_where_the_option_goes(release: str | None, told: bool) -> None:
    run = Run(1, 1, 9, "failed", "load", runner=Runner("arm_executor_runner", release))
    assert ("--extra_build_flags" in pool_option(run, Evidence((), (), {}, ""), "method", 8192)) == told
    linux = run._replace(runner=Runner("executor_runner", release))
    assert "--extra_build_flags" not in pool_option(linux, Evidence((), (), {}, ""), "method", 8192)


@pytest.mark.parametrize(("size", "words"), [(4096, "in 0.5 20967424"), (40_000_000, "")])
def test_an_overflow_is_counted_off_the_pool_of_each_release(size: int, words: str) -> None:
    log = f"ld: region `DDR' overflowed by {size} bytes\n"
    (found,) = read_capture("x", log.encode()).findings
    assert "60 MiB since 0.6" in found.advice and "--extra_build_flags" in found.advice
    assert words in found.advice and bool(words) == ("in 0.5" in found.advice)


@pytest.mark.parametrize(
    ("seen", "named"),
    [
        ({"himax_shape": 2}, "method_allocation_pool_size in the application's source"),
        ({"runtime_ready": 1}, "the method pool in the application's source"),
        ({"alif_started": 1}, "the method pool in the application's source"),
        ({}, "-DET_ARM_BAREMETAL_METHOD_ALLOCATOR_POOL_SIZE"),
    ],
)
def test_pools_of_an_application_are_in_its_source(seen: dict[str, int], named: str) -> None:
    run, evidence = Run(1, 1, 9, "failed", "plan"), Evidence((), (), seen, "")
    assert named in pool_names(run, evidence, "method")
    assert ("source" in named) == (
        "application's source" in pool_option(run, evidence, "temp", 8192)
        or "program's pool" in pool_option(run, evidence, "temp", 8192)
    )
    assert bool(use_line(run, evidence)) == (not seen), "its own words say nothing of what is used"
    unknown = pool_names(run, evidence._replace(seen={}), "method")
    assert unknown.endswith("in Zephyr, an array in an application of your own")
    zephyr = run._replace(runner=Runner("zephyr", None))
    assert "prj.conf" in pool_option(zephyr, evidence._replace(seen={"runtime_ready": 1}), "method", 8192)
