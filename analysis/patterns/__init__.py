"""The pattern table: every line that we understand is one row, with samples that a test holds it to.

Rows live in one module per printer (runner, performance monitor, backend and driver, simulator and host scripts,
Zephyr and other ports, ExecuTorch's AOT flow and Vela).  `match()` finds the row for a message: rows are selected by
the literal word that their template starts with, and a template becomes a regex only when it is first needed.
"""

from __future__ import annotations

from .alif import ALIF
from .alif_dual import ALIF_DUAL
from .applications import APPLICATIONS
from .axon import AXON
from .backend import BACKEND
from .boards import BOARDS
from .build import BUILD
from .cmsis_pack import CMSIS_PACK
from .compiler import COMPILER
from .crashes import CRASHES
from .debuggers import DEBUGGERS
from .driver import DRIVER
from .driver_steps import DRIVER_STEPS
from .esp import ESP
from .examples import EXAMPLES
from .faults import FAULTS
from .files import FILES
from .himax import HIMAX
from .kit_executorch import KIT_EXECUTORCH
from .llm import LLM
from .mlek import MLEK
from .monitor import MONITOR
from .npu_kernel import NPU_KERNEL
from .nuttx import NUTTX
from .panics import PANICS
from .pico import PICO
from .ports import PORTS
from .psoc_edge import PSOC_EDGE
from .rt_thread import RT_THREAD
from .runner import RUNNER
from .setup import LAUNCH, SETUP
from .simulator import SIMULATOR
from .table import Event, Pattern, PatternTable
from .tflite_linux import TFLITE_LINUX
from .tflm import TFLM
from .tflm_allocation import TFLM_ALLOCATION
from .tflm_benchmark import TFLM_BENCHMARK
from .tflm_jobs import TFLM_JOBS
from .vendor_tools import VENDOR_TOOLS
from .vision import VISION
from .zephyr_loader import ZEPHYR_LOADER

PATTERNS: tuple[Pattern, ...] = (
    *RUNNER,
    *MONITOR,
    *FILES,
    *BACKEND,
    *DRIVER,
    *DRIVER_STEPS,
    *NPU_KERNEL,
    *FAULTS,
    *PANICS,
    *SIMULATOR,
    *DEBUGGERS,
    *CRASHES,
    *BOARDS,
    *VENDOR_TOOLS,
    *PORTS,
    *CMSIS_PACK,
    *MLEK,
    *KIT_EXECUTORCH,
    *ESP,
    *EXAMPLES,
    *PICO,
    *AXON,
    *PSOC_EDGE,
    *HIMAX,
    *APPLICATIONS,
    *RT_THREAD,
    *NUTTX,
    *ALIF,
    *ALIF_DUAL,
    *VISION,
    *ZEPHYR_LOADER,
    *TFLM,
    *TFLM_ALLOCATION,
    *TFLM_BENCHMARK,
    *TFLM_JOBS,
    *TFLITE_LINUX,
    *LLM,
    *COMPILER,
    *BUILD,
    *SETUP,
    *LAUNCH,
)

TABLE = PatternTable(PATTERNS)

COMPILE_EVENTS = frozenset(pattern.event for pattern in COMPILER)
"""Events that are about a compile, not about a run."""

HOST_EVENTS = frozenset(pattern.event for pattern in (*BUILD, *SETUP))
"""Events of builds, installations and failing Python programs, which belong to no run either."""

__all__ = ["COMPILE_EVENTS", "HOST_EVENTS", "PATTERNS", "TABLE", "Event", "Pattern", "PatternTable"]
