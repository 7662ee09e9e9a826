"""What the NPU's driver says about an inference that it did not do, without a status register."""

from __future__ import annotations

import re

from ..draft import Evidence, Trouble
from ..named_tuple import NamedTuple
from ..report import Finding, Run
from .evidence import error, saying
from .pool_options import fast_scratch


class _Said(NamedTuple):
    """One thing that it says, by its events or else by words of the line; {interrupt} and {fast} are filled in from the run."""

    events: tuple[str, ...]
    words: tuple[str, ...]
    rule: str
    title: str
    advice: str


_STREAM = "Place the .pte and the tensor arena 16-byte aligned, and use a Vela and a driver of the same release."
_FIRST = (
    _Said(
        ("npu_timed_out", "driver_timed_out"), ("NPU inference timed out", "inference timed out after"),
        "npu-timeout", "The NPU did not answer in time",
        "{interrupt}, and that it has power and clock; a large model on a slow clock may only need a longer limit.",
    ),
    _Said(
        ("driver_stopped",), (), "npu-stopped", "The NPU stopped before the end of its command stream",
        "Check that tensor arena, weights and command stream are where the NPU can reach them (not in TCM), that the data cache is cleaned, and that the "
        "model was compiled for this NPU: it most likely hit an error. A newer driver prints its status register.",
    ),
    _Said(
        ("rtt_irq_failed",), (), "npu-interrupt", "The NPU's interrupt could not be set up",
        "Check its number and its priority (RT_AI_EXECUTORCH_ETHOSU_IRQ_PRIORITY), and that no other driver has taken it; the NPU itself was not accessed yet.",
    ),
)  # fmt: skip
"""Tried from the top."""
_THEN = (
    _Said(
        (), ("Fast memory area too small",), "npu-fast-memory-too-small", "The NPU's fast memory is smaller than the program needs",
        "{fast} or more, or compile with a smaller Dedicated_Sram mode.",
    ),
    _Said(
        ("driver_alignment",), ("not aligned to 16 bytes",), "vela-stream-misaligned", "The driver refused the command stream", _STREAM,
    ),
    _Said(("driver_payload",), (), "vela-stream-malformed", "The driver refused the command stream", _STREAM),
    _Said(
        ("driver_state",), (), "npu-driver-state", "The NPU driver was called in the wrong order",
        "Call ethosu_wait() after each ethosu_invoke_async() before the next one on the same driver: with several threads reserve a driver for each, and "
        "after an inference that failed or timed out wait for it, or reset the NPU, before the next.",
    ),
    _Said(
        (), ("scratch buffer is missing",), "npu-scratch-missing", "The delegate was started without its scratch buffer",
        "In your own port make needs_scratch_allocation() return true on a Cortex-M, since the backend allocates it only if its platform says so; otherwise "
        "build EthosUBackend.cpp and its platform file from one checkout, in an empty folder.",
    ),
    _Said(
        (), ("Unsupported kernel driver version", "IOCTL cmd=DRIVER_VERSION_GET failed"), "npu-driver-version",
        "The NPU driver in the kernel and the runner's driver library are of different releases",
        "Build both from one release of Arm's ethos-u-linux-driver-stack: install its kernel module on the board, or build the runner with the stack that "
        "the module came from (-DETHOSU_LINUX_DRIVER_GIT_TAG=TAG or -DETHOSU_LINUX_DRIVER_SOURCE_DIR=FOLDER); modinfo ethosu names the module's version.",
    ),
    _Said(
        (), ("BUFFERS_CREATE failed: Cannot allocate memory", "BUFFER_CREATE failed: Cannot allocate memory"), "npu-memory-missing",
        "The kernel had no memory left for the NPU's buffers",
        "Enlarge the region that the device tree reserves for the NPU, or CMA if there is none (cma=SIZE on the kernel's command line; dmesg | grep -i -e "
        "cma -e ethosu and grep Cma /proc/meminfo show it), stop other programs that use the NPU, or compile the program for a smaller arena.",
    ),
    _Said(  # the device is open by then
        (),
        ("Linux driver invocation failed: IOCTL", "Linux driver invocation failed: Failed to mmap", "Linux driver invocation failed: Failed to wait",
         "Linux driver setup failed: IOCTL"),
        "npu-inference-failed", "The kernel driver rejected the runner's request",
        "See dmesg for the driver's reason; the driver library must have the same version as the kernel module, and the NPU must be able to reach the memory.",
    ),
    _Said(
        (), ("ethosu_reserve_driver_ex failed",), "npu-driver-missing", "The runner got no NPU driver",
        "Call ethosu_init before the program is loaded, for every NPU. A driver for several NPUs selects by the product and MACs in the command stream: "
        "compile the program with the --target of an NPU that is present.",
    ),
    _Said(
        (),
        ("Linux backend missing platform state", "Linux driver invocation failed", "Linux driver setup failed", "i.MX driver failed",
         "i.MX backend missing platform state"),
        "npu-driver-missing", "The runner got no NPU driver",
        "Check that /dev/ethosu0 exists and that this user may open it (ls -l /dev/ethosu0). If it is missing, load the kernel driver (modprobe ethosu) and "
        "see what dmesg says about it.",
    ),
    _Said(
        (),
        ("ethosu_reserve_driver", "No NPU driver handle available", "No NPU driver handle registered", "Failed to reserve Ethos-U driver"),
        "npu-driver-missing", "The runner got no NPU driver",
        "Call ethosu_init before the program is loaded, for every NPU.",
    ),
    _Said(
        (), ("requires vela_model block",), "vela-stream-malformed", "The program was compiled without what this backend needs",
        "Compile the program with the arm_vela.py of the tree that the runner was built from: the backend for the i.MX 93 BSP's driver takes Vela's "
        "complete model.",
    ),
    _Said(
        (),
        ("Ethos-U inference failed", "Ethos-U inference poll failed", "Ethos-U network info: ", "Ethos-U inference: errno",
         "Ethos-U inference status: errno"),
        "npu-inference-failed", "The kernel driver reports that the inference failed",
        "See dmesg for the driver's reason; often it is memory that the NPU cannot reach, or a program for another NPU.",
    ),
)  # fmt: skip
"""Tried from the top, behind whether the NPU answers at all."""
_ALONE = (
    _Said(
        ("driver_error",),
        (),
        "npu-inference-failed",
        "The NPU stopped with an error during the inference",
        "Capture what the driver prints next to this line, its status register (NPU status=0x...; a newer driver prints it if this one does not): bit 2 is a "
        "memory that the NPU cannot reach (tensor arena, weights or command stream in TCM or in flash that is not mapped for it), bit 4 a command stream that "
        "it cannot read (damaged, or compiled for another NPU).",
    ),
)
"""For a log that has nothing else about it."""


def without_status(run: Run, seen: Evidence) -> Finding | None:
    """What the driver says went wrong; only a remark, where one of several NPUs did not come up."""
    found = _told(_FIRST, run, seen)
    if found is not None:
        return found
    silent = _silent(run, seen)
    if silent is not None and silent.severity == "error":
        return silent
    alone = all(bad.kind in ("driver_error", "message") for bad in seen.trouble)
    return _told(_THEN, run, seen) or silent or (_told(_ALONE, run, seen) if alone else None)


def _told(rows: tuple[_Said, ...], run: Run, seen: Evidence) -> Finding | None:
    """The first of these that the run has."""
    for row in rows:
        bad = (seen.first(*row.events) if row.events else None) or (saying(seen, *row.words) if row.words else None)
        if bad is not None:
            needed = bad.values.get("needed")
            fast = fast_scratch(run, f"={needed}" if needed else " to what the line names")
            advice = row.advice.format(interrupt=_where_interrupts_go(run, seen), fast=f"{fast[0].upper()}{fast[1:]}")
            return error(row.rule, run, row.title, _detail(bad), advice, bad.line)
    return None


def _detail(bad: Trouble) -> str:
    """What the line says, in figures where it gives some."""
    values = bad.values
    if bad.kind == "driver_stopped" and values.get("end"):
        return f"It had read {values.get('qread')} of {values['end']} bytes when its interrupt came."
    if "Fast memory area too small" in bad.text and values.get("needed"):
        return f"It has {values.get('size')} bytes and the program needs {values['needed']}."
    return f"{bad.text.rstrip('.')}."


def _where_interrupts_go(run: Run, seen: Evidence) -> str:
    """What to look at where the NPU's interrupt may not arrive: under Linux the kernel has it."""
    if run.runner.kind == "executor_runner" or seen.seen.keys() & {"npu_asked", "npu_capable"}:
        return (
            "Check what the kernel says about it (dmesg), that its device-tree interrupt is counted in /proc/interrupts, that its core's firmware runs if "
            "it has one"
        )
    return "Check that its interrupt reaches the CPU (NVIC_SetVector on a vector table in RAM, ethosu_irq_handler)"


OF_HEAP = re.compile(r"Failed to (?:create (?:global )?driver (?:mutex|semaphore)|allocate memory for Ethos-U device)")
"""What the driver says where it got no memory for its own structures, which tells nothing of the NPU."""


def _silent(run: Run, seen: Evidence) -> Finding | None:
    """An NPU that does not answer; that is no error where another one does."""
    bad = seen.first("driver_failed", "driver_reset") or saying(
        seen, "Soft reset timed out", "Failed to initialize NPU", "nitialise Ethos-U device"
    )
    if bad is None or any(t.line < bad.line <= t.line + 2 for t in seen.all("driver_product")):
        return None  # the driver for another product has been told
    another = another_worked(run, seen, bad)
    if OF_HEAP.search(bad.text) and not another:
        return None  # the heap has been told
    if not another:
        title, beside = "The NPU does not answer at its address", ""
        if "enable NPU" in bad.text:
            title = "The NPU could not be switched on"
        elif "security state" in bad.text:
            title = "No NPU accepted the security state and privilege level that the driver requested"
            beside = (
                " A working NPU also rejects what this core may not set: non-secure code must pass secure_enable=0 to ethosu_init and needs the NPU opened "
                "to it."
            )
        return error(
            "npu-not-responding", run, title, _detail(bad),
            "Check its base address, power and clock (on i.MX93 the Linux driver must be bound first), and that this board or FVP "
            f"has an NPU.{beside}", bad.line,
        )  # fmt: skip
    return Finding(
        "npu-not-responding", "info", run.index, "One NPU did not come up, but another one did", _detail(bad),
        f"Nothing, if the model is for the NPU that works; otherwise {_of_the_other(bad)}.",
        (bad.line,),
    )  # fmt: skip


def _of_the_other(bad: Trouble) -> str:
    """What to do for an NPU that did not come up, where another one did."""
    return "enlarge the heap" if OF_HEAP.search(bad.text) else "check base address, power and clock of the other one"


_REFUSED = ("driver_product", "driver_failed", "driver_reset")


def another_worked(run: Run, seen: Evidence, bad: Trouble) -> bool:
    """True where another NPU came up later, or did its work: chips have several, and a driver is for one kind."""
    came_up = seen.seen.get("driver_init", 0)
    if seen.seen.get("driver_done", 0) > bad.line or (run.status == "passed" and came_up > bad.line):
        return True
    refusals = seen.all(*_REFUSED)
    if bad not in refusals:
        return False
    if bad.kind != "driver_product":
        return came_up > refusals[-1].line
    if any(t.line > bad.line for t in seen.all("npu_status")):
        return True
    # one that is tried again is refused again, and the next one may be refused as well
    tried = any(t.kind == "driver_product" and t.line > came_up or 0 < t.line - came_up <= 2 for t in refusals)
    cause = run.status != "failed" or any(
        t.kind not in _REFUSED and (t.kind != "message" or t.line > came_up) for t in seen.trouble
    )
    return came_up > bad.line and not tried and cause
