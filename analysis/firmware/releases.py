"""What the pools and their options are called in each release of ExecuTorch, and what its runners put into them.

Read in the sources of each release (`examples/arm/executor_runner`, `zephyr/`): names and behaviour changed between them.
Before 0.7 the scratch memory was part of the program and its pool had another name; such programs are not made any more.
"""

from __future__ import annotations

from ..named_tuple import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Literal

    Inputs = Literal["copies", "pointers", "values"]

METHOD = "ET_ARM_BAREMETAL_METHOD_ALLOCATOR_POOL_SIZE"
SCRATCH = "ET_ARM_BAREMETAL_SCRATCH_TEMP_ALLOCATOR_POOL_SIZE"
FAST_SCRATCH = "ET_ARM_BAREMETAL_FAST_SCRATCH_TEMP_ALLOCATOR_POOL_SIZE"
PLANNED_FAST = "ET_ARM_BAREMETAL_PLANNED_FAST_MEMORY_SIZE"
SELECT_OPS = "EXECUTORCH_SELECT_OPS_LIST"
ZEPHYR_METHOD = "CONFIG_EXECUTORCH_METHOD_ALLOCATOR_POOL_SIZE"
ZEPHYR_TEMP = "CONFIG_EXECUTORCH_TEMP_ALLOCATOR_POOL_SIZE"


class Release(NamedTuple):
    """One or more releases that agree."""

    name: str
    scratch_settable: bool
    """Whether its CMakeLists.txt leaves the scratch pools alone where they are given; else it sets them itself."""
    planned_fast: bool
    """Whether planned buffer 3 has a pool of its own."""
    inputs: Inputs
    """What the bare-metal runner takes of the method pool for each input: a copy of it, a pointer, or an EValue."""
    structures: bool
    """Whether its runtime lays a method out as `structures.py` counts."""
    temp_kernels: tuple[str, ...]
    """Beginnings of the names of kernels that take memory from the temp pool while they run (portable, quantized and
    cortex-m ones; no others do)."""
    zephyr: str | None
    """Where its Zephyr samples are."""


_TOPK = ("aten::topk",)
_CONVOLUTIONS = (*_TOPK, "cortex_m::quantized_conv2d", "cortex_m::quantized_depthwise_conv2d")
_MORE = (*_CONVOLUTIONS, "cortex_m::quantized_transpose_conv2d", "cortex_m::quantized_batch_matmul")

RELEASES: tuple[Release, ...] = (
    Release("0.7", False, False, "copies", False, _TOPK, None),
    Release("1.0", False, False, "pointers", False, _TOPK, None),
    Release("1.1", False, False, "values", True, _CONVOLUTIONS, "examples/arm/zephyr"),
    Release("1.2", True, False, "values", True, _MORE, "zephyr/samples/hello-executorch"),
    Release("1.3", True, False, "values", True, _MORE, "zephyr/samples"),
    Release("1.4", True, False, "values", True, _TOPK, "zephyr/samples"),
    Release("1.5", True, True, "values", True, _TOPK, "zephyr/samples"),
)
NEWEST = RELEASES[-1]
RUNNER_FAST_SCRATCH_BYTES = 0x60000
"""What the upstream runner gives where the memory mode names no size."""


def release_named(text: str) -> Release | None:
    """ "1.4", "1.4.1" or "v1.4.0" -> 1.4; None where it is none that is known here."""
    parts = text.strip().removeprefix("v").split(".")
    name = ".".join(parts[:2])
    return next((release for release in RELEASES if release.name == name), None)
