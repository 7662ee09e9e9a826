"""What TensorFlow Lite Micro applications lack before their first inference: room in the arena, or kernels."""

from __future__ import annotations

from ..draft import Evidence, Trouble
from ..outcome import Outcome
from ..report import Finding, Run
from ..units import format_bytes
from .evidence import error
from .npu_driver import OF_HEAP, another_worked


def arena_too_small(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """The interpreter asked its tensor arena for more than was left."""
    bad = seen.first("arena_failed")
    if bad is None:
        return _arena_short(run, seen)
    requested, available = int(bad.values.get("requested") or 0), int(bad.values.get("available") or 0)
    if requested <= available:
        return error(
            "arena-too-small", run, "The tensor arena is too small", f"The log says: {bad.text}.",
            "Enlarge the arena; the numbers in this line are inconsistent, so it is not known by how much.", bad.line,
        )  # fmt: skip
    if requested >= _NEGATIVE:
        return error(
            "arena-size-impossible", run, f"The interpreter asked its tensor arena for an impossible size: {requested - (_NEGATIVE << 1)} bytes",
            f"The log says: {bad.text.rstrip('.')}. As a 32-bit number that is negative: a sum of sizes overflowed.",
            "Give the model fixed shapes (a batch of 1, no dimension that is None) and convert it again, and use a newer TensorFlow Lite Micro: no arena is "
            "large enough. If the file was copied over a link or a card, compare its bytes with the original.", bad.line,
        )  # fmt: skip
    return error(
        "arena-too-small", run, f"The tensor arena is too small: {format_bytes(requested)} did not fit",
        f"{requested} bytes were requested and {available} were left: {requested - available} bytes are missing so far.",
        f"Enlarge the arena by at least {requested - available} bytes (later requests need more): {_ARENA}", bad.line,
    )  # fmt: skip


_NEGATIVE = 1 << 31
"""From here on a size that a target of 32 bits prints is a negative number."""
_ARENA = (
    '-D<use_case>_ACTIVATION_BUF_SZ=BYTES in the evaluation kit, kTensorArenaSize or similar in other applications; Vela\'s "Total SRAM used" says what '
    "the NPU's part takes."
)


def _arena_short(run: Run, seen: Evidence) -> Finding | None:
    """Only what it was for is said, not what was left."""
    bad = seen.first("arena_short", "arena_needs", "arena_untold")
    if bad is None:
        return None
    needed = bad.values.get("needed")
    title = "The tensor arena is too small" + (f": {format_bytes(int(needed))} did not fit" if needed else "")
    return error(
        "arena-too-small",
        run,
        title,
        f"The log says: {bad.text.rstrip('.')}.",
        f"Enlarge the arena: {_ARENA}",
        bad.line,
    )


def heap_too_small(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """The C library had no memory left for what the application itself asked for."""
    bad = seen.first("heap_failed")
    driver = next((t for t in seen.all("driver_failed") if OF_HEAP.search(t.text)), None)
    if bad is None and driver is not None and not another_worked(run, seen, driver):
        return error(
            "heap-too-small", run, "The heap is too small for the NPU's driver", f"The log says: {driver.text.rstrip('.')}.",
            "Check that there is a heap at all (HEAP_SIZE or similar in the linker script, _sbrk), since the driver needs only a few bytes, that static "
            "constructors do not use it up, and with an RTOS that its own heap is large enough (Zephyr: CONFIG_HEAP_MEM_POOL_SIZE, FreeRTOS: "
            "configTOTAL_HEAP_SIZE).", driver.line,
        )  # fmt: skip
    if bad is None:
        return None
    size = bad.values.get("size")
    title = "The heap is too small" + (f": {format_bytes(int(size))} did not fit" if size else "")
    where = "in the linker script or the scatter file (HEAP_SIZE or similar)"
    if "et_pal_allocate" in bad.text:
        where = "that the port's et_pal_allocate() hands out (an array in its source code)"
    return error(
        "heap-too-small", run, title, f"The log says: {bad.text.rstrip('.')}.",
        f"Enlarge the heap {where}: it is neither the tensor arena nor an ExecuTorch pool, which are elsewhere.", bad.line,
    )  # fmt: skip


def linux_delegate(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """TensorFlow Lite under Linux could not hand the model to the NPU."""
    bad = seen.first("tflite_no_device")
    if bad is not None:
        return error(
            "npu-device-not-opened", run, "The NPU's device could not be opened", f"The log says: {bad.text.rstrip('.!')}.",
            "Check that /dev/ethosu0 exists and that this user may open it (only root may until a udev rule allows others), that the driver's firmware is "
            "in /lib/firmware, and what dmesg says about remoteproc.", bad.line,
        )  # fmt: skip
    bad = seen.first("npu_tool_failed")
    if bad is not None and "path" in bad.values:
        return error(
            "input-file-missing", run, f"The tool could not open {bad.values['path']}", f"The log says: {bad.text}.",
            "Check the path (--network, --ifm, --ofm; a relative one is resolved from the folder the tool was started in), and that this user may use it.", bad.line,
        )  # fmt: skip
    if bad is not None:
        return error(
            "npu-device-refused", run, "The kernel driver rejected the tool's request to the NPU", f"The log says: {bad.text}.",
            "Run dmesg | grep -i -e ethosu -e remoteproc -e cma for the driver's reason: most often a model that Vela did not compile for this NPU, no "
            "memory left for its buffers, or a kernel, firmware and tool of different BSP releases.", bad.line,
        )  # fmt: skip
    bad = seen.first("tflite_unresolved")
    if bad is not None:
        return error(
            "missing-operator", run, "TensorFlow Lite has no kernel for ethos-u: no delegate claimed the NPU's operator",
            "Vela compiled the model, so everything the NPU runs is one operator that only the delegate knows.",
            "Load the delegate (--external_delegate_path=/usr/lib/libethosu_delegate.so, load_delegate() in Python); if it was loaded, the lines above say "
            "why it was not applied: most often /dev/ethosu0 cannot be opened. On a PC, which has no such NPU, run the .tflite from before Vela.", bad.line,
        )  # fmt: skip
    bad = next((t for t in seen.all("tflite_plan_failed") if "Unsupported vela compiled model" in t.text), None)
    if bad is not None:
        return error(
            "delegate-model-mixed", run, "The NPU's delegate got Vela's operators mixed with others, which it does not accept",
            f"The log says: {bad.text.rstrip('.!')}. It runs a part of the model that is only Vela's, or compiles one that Vela has not processed.",
            "Give it the .tflite from before Vela (it compiles that itself), or a model in which Vela left the CPU nothing that the delegate would also "
            "take: Vela's --show-cpu-operations names those operators.", bad.line,
        )  # fmt: skip
    bad = seen.first("tflite_invoke_failed", "npu_tool_unrun", "tflite_plan_failed", "tflite_build_failed")
    if bad is None and seen.seen.keys() & {"npu_asked", "npu_capable"} and seen.first("driver_timed_out") is None:
        bad = seen.first("invoke_failed")
    if bad is None:
        return None
    if "compiled by vela" in bad.text or "non vela model" in bad.text:
        return error(
            "model-not-compiled", run, "The model has nothing in it for the NPU: Vela has not compiled it", f"The log says: {bad.text.rstrip('.!')}.",
            "Compile it first (vela MODEL.tflite --accelerator-config ethos-u65-256 on i.MX93), and give the tool the resulting *_vela.tflite.",
            bad.line,
        )  # fmt: skip
    if "Neutron" in bad.text:
        return error(
            "execution-failed", run, "The inference failed", f"The log says: {bad.text.rstrip('.!')}. It is NXP's Neutron NPU that failed, not an Ethos-U.",
            "Convert the model with the neutron-converter of this image's release: its driver, its firmware in /lib/firmware and the converted model must "
            "match. dmesg shows what the NPU's driver says.", bad.line,
        )  # fmt: skip
    return error(
        "execution-failed", run, "The inference failed", f"The log says: {bad.text.rstrip('.!')}.",
        "Run dmesg to see what the NPU's driver and firmware say; check that the model was compiled for this NPU (ethos-u65-256 on i.MX93), by a Vela that "
        "matches the firmware.", bad.line,
    )  # fmt: skip


_NO_NAME = "d"
"""What ports whose printf knows no `% d` print of it, where the name should stand."""


_AGAIN = "Failed to get registration"
"""The second line of each operator; some releases read another field of the model for its name, which is ADD in most."""


def _says_again(before: Trouble, trouble: Trouble) -> bool:
    return trouble.text.startswith(_AGAIN) and not before.text.startswith(_AGAIN)


def resolver(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """The model has an operator that the application did not register."""
    full = seen.first("resolver_full")
    if full is not None:
        return error(
            "resolver-full", run, f"The op resolver has no room for {full.values.get('name')}", f"The log says: {full.text.rstrip('.')}.",
            f"Give MicroMutableOpResolver<{full.values.get('size')}> a larger number: it counts every operator added, AddEthosU() included.", full.line,
        )  # fmt: skip
    bad = seen.all("resolver_missing")
    if not bad:
        return None
    first = [t for before, t in zip((None, *bad), bad, strict=False) if before is None or not _says_again(before, t)]
    names = list(dict.fromkeys(name for t in first if (name := str(t.values.get("name") or "")) != _NO_NAME))
    named = ", ".join(names[:8]) or "an operator whose name is not printed"
    advice = (
        "Register it with the op resolver (MicroMutableOpResolver: its Add function, and a size that counts it), or compile the model with Vela so that "
        "the NPU takes it."
    )
    if "CUSTOM" in names or "ethos-u" in names:
        advice = "Call AddEthosU() on the op resolver, and build with the Ethos-U kernel: the NPU's operator is a custom one."
    return error(
        "missing-operator", run, f"The application has no kernel for {named}",
        f"Its op resolver does not know: {named}.", advice, *(t.line for t in bad[:8]),
    )  # fmt: skip


def tensors(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """The interpreter could not set the model up, and none of its operators says why."""
    bad = seen.first("tensor_dynamic")
    if bad is not None:
        return error(
            "dynamic-tensor", run, f"The operator {bad.values.get('name')} has a tensor whose shape is known only at run time",
            f"The log says: {bad.text}.",
            "Convert the model with fixed shapes (a batch of 1, no None in the input's shape), and compile it with Vela again: TensorFlow Lite Micro "
            "supports no dynamic shapes.", bad.line,
        )  # fmt: skip
    bad = seen.first("tensors_failed", "tensors_reason")
    if bad is None or seen.first("node_failed", "node_unprepared") is not None:
        return None
    if "before finishing" in bad.text:
        return error(
            "tensors-not-allocated", run, "The model's tensors were allocated again before the first allocation finished", f"The log says: {bad.text.rstrip('.')}.",
            "Look further up for why the first allocation failed, as it usually did (often too small a tensor arena). An interpreter whose "
            "AllocateTensors() failed cannot be used again: create a new one.", bad.line,
        )  # fmt: skip
    return error(
        "tensors-not-allocated", run, "The model's tensors could not be allocated", f"The log says: {bad.text.rstrip('!.')}.",
        "Read the lines before it for the reason: too small a tensor arena, an operator that is not registered, or a model that is not a TensorFlow Lite "
        "file of this version.", bad.line,
    )  # fmt: skip


def schema(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """There is no model at the expected place, or one of an incompatible TensorFlow."""
    bad = seen.first("model_schema")
    if bad is None:
        return None
    found, supported = bad.values.get("found"), bad.values.get("supported")
    return error(
        "model-schema", run, "The memory does not hold a TensorFlow Lite model that this application can read",
        f"The schema version there is {found}, and version {supported} is supported.",
        "Flash the .tflite file (as Vela wrote it) at the address that the application reads, 16-byte aligned, and check that its region is mapped before "
        "it is read: versions other than 3 hardly exist, so most likely there is no model at that address.", bad.line,
    )  # fmt: skip
