"""What the NPU's driver in the Linux kernel prints about a run that did not pass: it knows more than the runner."""

from __future__ import annotations

from ..draft import Evidence, Trouble
from ..outcome import Outcome
from ..report import Finding, Run
from .causes import short
from .evidence import error

_BOTH = "Install kernel and firmware (/lib/firmware/ethosu_firmware) of one BSP release, and restart the board."
_SAID_LIMIT = 150
"""Characters of what the firmware says, in a title."""


_OF_FIRMWARE = (
    (
        "kernel_version", "npu-firmware-version", "The NPU's firmware and the kernel's driver are of different releases", "{text}", _BOTH,
    ),
    (
        "kernel_firmware", "npu-firmware-missing", "The kernel could not start the NPU's firmware", "The console says: {text}.",
        "Check that /lib/firmware/ethosu_firmware exists and that nothing else runs on the firmware's core, neither other firmware (cat "
        "/sys/class/remoteproc/remoteproc*/state; echo stop > .../state) nor one that U-Boot started.",
    ),
    (
        "kernel_message", "npu-firmware-refused", "The NPU's firmware refused the inference: {what}", "The console says: {text}.",
        f"Compile the program for this NPU (ethos-u65-256 on the i.MX 93) with the Vela of the BSP. {_BOTH}",
    ),
    (
        "kernel_unsent", "npu-firmware-missing", "The kernel could not hand the inference to the NPU's firmware", "The console says: {text}.",
        "Stop and start its core (/sys/class/remoteproc/remoteproc*/state), and read its trace (/sys/kernel/debug/remoteproc/remoteproc0/trace0): the "
        "firmware has most likely stopped.",
    ),
)  # fmt: skip
"""Where firmware runs the NPU: event, rule, title, detail and advice; tried from the top."""


def kernel_driver(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """The kernel, or the firmware behind it, refused the inference."""
    if run.status == "passed":
        return None
    bad = seen.first("kernel_region")
    if bad is not None:
        return _too_small(run, bad)
    for kind, rule, title, detail, advice in _OF_FIRMWARE:
        told = seen.all(kind)
        if told:
            bad = min(told, key=lambda one: "any_core" in one.values)  # the NPU's own before one of any core
            if "any_core" in bad.values:
                return _any_core(run, bad)
            what = short(str(bad.values.get("what") or "").rstrip('"'), _SAID_LIMIT)
            return error(rule, run, title.format(what=what), detail.format(text=bad.text.strip()), advice, bad.line)
    return None


def _any_core(run: Run, bad: Trouble) -> Finding:
    """A core got no firmware: one of a chip that may have several."""
    return error(
        "npu-firmware-missing", run, "The run failed, and the kernel could not start a core, which may be the NPU's",
        f"The console says: {bad.text.strip()}. Nothing tells which core that is.",
        "See whose core it is (cat /sys/class/remoteproc/remoteproc*/name). If it runs the NPU's firmware, check that /lib/firmware/ethosu_firmware "
        "exists and that nothing else runs on that core (cat /sys/class/remoteproc/remoteproc*/state).", bad.line,
    )  # fmt: skip


def _too_small(run: Run, bad: Trouble) -> Finding:
    """A memory of the NPU ends before its command stream does."""
    needed, size = bad.values.get("needed"), bad.values.get("size")
    if bad.values.get("what") == "SRAM":
        return error(
            "npu-sram-too-small", run, "The program needs more SRAM than the kernel gives the NPU",
            f"It needs {needed} bytes, and the kernel has {size}.",
            f"Compile it with an arena cache of at most {size} bytes (arena_cache_size in vela.ini, or a Dedicated_Sram mode with such a size), or give "
            "the NPU a larger sram region in the device tree.", bad.line,
        )  # fmt: skip
    return error(
        "npu-buffer-too-small", run, "A buffer given to the NPU is smaller than what its command stream accesses",
        f"The stream accesses {needed} bytes, and the buffer has {size}.",
        "Compile and build from one ExecuTorch release: the program and the runner's backend disagree about the delegate's memory.", bad.line,
    )  # fmt: skip
