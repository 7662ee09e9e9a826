"""Pool sizes and the operator list as text to paste: for CMake (`cmake -C FILE`, or `include`) and for Zephyr's Kconfig."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .c_text import in_comment
from .hand_over import HandOver
from .operators import select_list
from .pools import Pool
from .releases import (
    FAST_SCRATCH,
    METHOD,
    PLANNED_FAST,
    RUNNER_FAST_SCRATCH_BYTES,
    SCRATCH,
    SELECT_OPS,
    ZEPHYR_METHOD,
    ZEPHYR_TEMP,
    Release,
)

CMAKE_NAMES = {"method": METHOD, "scratch": SCRATCH, "fast_scratch": FAST_SCRATCH, "planned_fast": PLANNED_FAST}
KCONFIG_NAMES = {"method": ZEPHYR_METHOD, "scratch": ZEPHYR_TEMP}

_CERTAINTY = {
    "exact": "from the file",
    "at least": "at least this",
    "estimate": "an estimate, with its parts:",
    "not known": "not known",
}


def cmake_definitions(found: HandOver, release: Release) -> str:
    """Settings of the bare-metal runner's CMake project."""
    lines = [*_title(found, "the bare-metal runner", release)]
    for pool in found.pools(release):
        lines += _terms(pool)
        name = CMAKE_NAMES[pool.name]
        if pool.bytes is None:
            lines.append(f"# {name} is left to you.")
            continue
        text = f'set({name} {pool.bytes} CACHE STRING "" FORCE)'
        if pool.name in ("scratch", "fast_scratch") and not release.scratch_settable:
            lines.append(
                f"# Release {release.name} sets this one itself: change the line in examples/arm/executor_runner/CMakeLists.txt."
            )
            lines.append(f"# {text}")
        else:
            lines.append(text)
    operators = select_list(found.kernels)
    lines += ["", "# Kernels that the program calls on the CPU:" if operators else "# It calls no kernel on the CPU."]
    lines.append(f'set({SELECT_OPS} "{operators}" CACHE STRING "" FORCE)')
    return "\n".join(lines) + "\n"


def kconfig_definitions(found: HandOver, release: Release) -> str | None:
    """Lines for prj.conf of the Zephyr samples; None for releases without them."""
    if release.zephyr is None:
        return None
    lines = [*_title(found, f"the samples in {release.zephyr}", release)]
    for pool in found.pools(release, "zephyr"):
        lines += _terms(pool)
        name = KCONFIG_NAMES.get(pool.name)
        if name is not None:
            lines.append(f"# {name} is left to you." if pool.bytes is None else f"{name}={pool.bytes}")
            continue
        size = RUNNER_FAST_SCRATCH_BYTES if pool.bytes is None else pool.bytes
        told = "for example" if pool.bytes is None else "that is"
        lines += [
            "# No Kconfig symbol sets it (the samples take 0x600); in the CMakeLists.txt of the application, "
            + told
            + ":",
            f"#   target_compile_definitions(app PRIVATE {CMAKE_NAMES[pool.name]}={size})",
        ]
    return "\n".join(lines) + "\n"


def _title(found: HandOver, what: str, release: Release) -> Iterator[str]:
    yield f"# Pool sizes for {in_comment(found.file)} (SHA-256 {found.sha256[:16]}...)"
    yield f"# in {what} of ExecuTorch {release.name}. Written by `ethosu-tui firmware`."


def _terms(pool: Pool) -> Sequence[str]:
    lines = ["", f"# {pool.name} pool: {_CERTAINTY[pool.certainty]}"]
    for term in pool.terms:
        size = "not known" if term.bytes is None else f"{term.bytes} B"
        lines.append(f"#   {in_comment(term.what)}: {size} ({term.source})")
    if pool.note:
        lines.append(f"#   ({in_comment(pool.note)})")
    return lines
