"""What the NPU and its driver refused: the driver's line is the root cause, the error above it in the runner follows."""

from __future__ import annotations

import re

from ..draft import Evidence, Trouble
from ..outcome import Outcome
from ..report import Finding, Run
from ..verdict import all_saying, error, in_command, saying
from .causes import BORDER

_PRODUCTS = {0: "ethos-u55", 1: "ethos-u65", 2: "ethos-u85"}
_STATUS_BITS = (
    (2, "bus error"), (4, "command stream parse error"), (7, "weight decoder fault"), (8, "ECC fault"), (9, "branch fault"),
)  # fmt: skip
_MISMATCH = re.compile(
    r"npu\.(\w{1,40})\s?=\s?(\d{1,9})\W{1,3}(?:optimizer|cmd_stream|model)\.\w{1,40}\s?=\s?(\d{1,9})"
)


def config_mismatch(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """The program was compiled for another NPU than the one that runs it."""
    said = all_saying(seen, "NPU config mismatch")
    if not said:
        return None
    pairs: dict[str, tuple[int, int]] = {}
    for trouble in said:
        found = _MISMATCH.search(trouble.text)
        if found is not None:
            pairs.setdefault(found[1], (int(found[2]), int(found[3])))
    lines = [t.line for t in said[:10]]
    if "product" in pairs:
        return _product(run, pairs["product"], lines)
    if not pairs:
        return error(
            "npu-config-mismatch", run, "The model was compiled for another NPU configuration",
            f"The driver says so, but the numbers are lost (two streams share the UART): {said[0].text}.",
            "Use the same --target for the compile, the runner build and the FVP (-C ethosu.num_macs=N; Corstone-320: "
            "-C mps4_board.subsystem.ethosu.num_macs=N).", *lines,
        )  # fmt: skip
    if "macs_per_cc" in pairs:
        return _macs(run, pairs["macs_per_cc"], lines)
    what, (npu, model) = next(iter(pairs.items()))
    advice = "Use the same --target for the compile, the runner build and the FVP."
    if what == "shram_size":
        detail = f"The NPU has {npu} KiB of SHRAM and the model was compiled for {model} KiB."
    elif what == "cmd_stream_version":
        detail = f"The NPU reads command streams of version {npu} and the model has version {model}."
        advice = "Build the runner with the core driver of the ExecuTorch release that compiled the model."
    else:
        detail = f"{what} is {npu} on the NPU and {model} in the model."
    return error(
        "npu-config-mismatch", run, "The model was compiled for another NPU configuration", detail, advice, *lines
    )


def _macs(run: Run, logs: tuple[int, int], lines: list[int]) -> Finding:
    npu, model = (1 << log if 0 <= log < 16 else log for log in logs)
    family = in_command(run.target.npu, "ethos-uNN")
    flag = "mps4_board.subsystem.ethosu.num_macs" if family == "ethos-u85" else "ethosu.num_macs"
    return error(
        "npu-config-mismatch", run, f"The model was compiled for {model} MACs per cycle, and the NPU has {npu}",
        f"The NPU has {npu} MACs per cycle and the model was compiled for {model} (the driver prints log2: {logs[0]} and {logs[1]}).",
        f"Compile with --target={family}-{npu}; or keep the model and start the FVP with -C {flag}={model}"
        + ("" if family == "ethos-u85" else " (Corstone-320: -C mps4_board.subsystem.ethosu.num_macs)")
        + ". A runner build has its own --target: all three must agree.", *lines,
    )  # fmt: skip


def _product(run: Run, products: tuple[int, int], lines: list[int]) -> Finding:
    npu, model = (_PRODUCTS.get(product, f"product {product}") for product in products)
    return error(
        "npu-product-mismatch", run, f"The model was compiled for {model}, and the NPU is an {npu}",
        f"The NPU is an {npu} and the model was compiled for {model}.",
        f"Compile with a --target of the {npu} family (for example {npu}-{run.target.macs or 256}), or run on an {model}.", *lines,
    )  # fmt: skip


def arch_mismatch(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """The architecture version of the stream is not the NPU's, or the driver is for another product."""
    bad = saying(seen, "NPU arch mismatch")
    if bad is not None:
        npu, model = bad.values.get("npu"), bad.values.get("model")
        detail = f"The NPU's architecture is {npu} and the model's {model}." if npu and model else f"{bad.text}."
        return error(
            "npu-arch-mismatch", run, "The model was compiled for another NPU architecture", detail,
            "Use the same --target for the compile, the runner build and the FVP; a U55 stream does not run on a U65 or U85.",
            bad.line,
        )  # fmt: skip
    bad = saying(
        seen, "Driver has not been compiled for this product", "Failed to parse product config from command stream"
    )
    if bad is not None and _another_worked(run, seen, bad):
        return Finding(
            "npu-driver-product", "info", run.index, "One NPU was left out: the driver is for another one",
            f"{bad.text}. Another NPU came up after it.",
            "Nothing, where the model is for the NPU that works; to silence it, disable the other one in the devicetree.", (bad.line,),
        )  # fmt: skip
    if bad is not None:
        return error(
            "npu-driver-product", run, "The NPU driver in the runner is for another NPU", f"{bad.text}.",
            "Rebuild the runner and its core driver with the right --target (ETHOSU_TARGET_NPU_CONFIG=ethos-uNN-MACS).", bad.line,
        )  # fmt: skip
    return None


_REFUSED = ("driver_product", "driver_failed", "driver_reset")


def _another_worked(run: Run, seen: Evidence, bad: Trouble) -> bool:
    """True where another NPU came up after this, or did its work: chips have several, and a driver is for one kind."""
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


def npu_fault(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """The NPU stopped with an error: its status register says which."""
    said = seen.first("npu_status") or seen.first("npu_interrupted") or saying(seen, "NPU status=0x")
    status = _register(said)
    if said is None or status is None:
        return _without_status(run, seen)
    bits = [(bit, name) for bit, name in _STATUS_BITS if status >> bit & 1]
    lines = [said.line, *(t.line for t in all_saying(seen, "Ethos-U invocation failed", "error(s) occured")[:3])]
    what = ", ".join(f"{name} (bit {bit})" for bit, name in bits) or "no error bit is set"
    detail = f"The NPU's status is 0x{status:08x}: {what}"
    if status >> 2 & 1:
        detail += f", on interface {status >> 11 & 1}, channel {status >> 12 & 15}"
        detail += f", at qread {said.values['qread']}." if said.values.get("qread") is not None else "."
        nowhere = seen.first("npu_region")
        fast = ""
        if nowhere is not None:  # so it is with programs that need none, too
            lines.append(nowhere.line)
            detail += f" The runner gave it no fast memory: {nowhere.text}."
            fast = (
                "Where the program was compiled for Dedicated_Sram, give ethosu_init the address and size of a fast memory (SRAM that the NPU "
                "can reach), or compile for Shared_Sram or Sram_Only. Otherwise: "
            )
        if "Error IRQ - " in said.text:
            return error(
                "npu-bus-error", run, "NPU bus error: the NPU could not reach a memory that the program uses", detail,
                "Linux gives the NPU its memory: check the NPU's node in the device tree (reserved memory, dma-ranges, SRAM), its power domain "
                "and clocks, and that the program's memory mode and fast memory fit the SRAM that the driver was given.", *lines,
            )  # fmt: skip
        return error(
            "npu-bus-error", run, "NPU bus error: the NPU could not reach a memory that the program uses", detail,
            f"{fast}Put the tensor arena (scratch) into SRAM or DDR that the NPU can reach, never into TCM; copy the model out of "
            "flash that is not mapped for it; check the region settings (ethosu_config_select, AXI port per region) and that "
            "TrustZone (MPC, SAU) lets the NPU in.", *lines,
        )  # fmt: skip
    detail += "."
    if status >> 4 & 1:
        return error(
            "npu-stream-error", run, "The NPU could not read its command stream", detail,
            "The stream is damaged, was overwritten or lies where the NPU reads other bytes: check where the .pte is placed, "
            "that the data cache is cleaned before the NPU starts, and that it was compiled for this NPU.", *lines,
        )  # fmt: skip
    if bits:
        return error(
            "npu-fault", run, f"The NPU stopped with a {bits[0][1]}", detail,
            "Compile with the Vela of the same release, and check that weights and stream are whole in memory.", *lines,
        )  # fmt: skip
    title = "The NPU stopped before the end of its command stream"
    if status >> 5 & 1:
        title = "The NPU came to the end of its command stream, and the driver reports an error all the same"
    found = _without_status(run, seen)
    if found is not None and found.severity == "error":
        return found
    return error(
        "npu-stopped", run, title, detail,
        "Check the NPU's interrupt, its power and clock, and that the program was compiled for it.", *lines,
    )  # fmt: skip


def _register(said: Trouble | None) -> int | None:
    if said is None:
        return None
    value = said.values.get("status")
    if isinstance(value, int):
        return value
    found = re.search(r"status=0x([0-9a-fA-F]{1,8})", said.text)
    return int(found[1], 16) if found else None


def _without_status(run: Run, seen: Evidence) -> Finding | None:
    bad = seen.first("npu_timed_out", "driver_timed_out") or saying(
        seen, "NPU inference timed out", "inference timed out after"
    )
    if bad is not None:
        where = (
            "See what the kernel says of it (dmesg), that its interrupt of the device tree is counted in /proc/interrupts, that "
            "the firmware of its core runs where it has one"
            if run.runner.kind == "executor_runner"
            else "Check that its interrupt reaches the CPU (NVIC_SetVector on a vector table in RAM, ethosu_irq_handler)"
        )
        return error(
            "npu-timeout", run, "The NPU did not answer in time", f"{bad.text}.",
            f"{where}, and that it has power and clock; a large model on a slow clock may only need a longer limit.", bad.line,
        )  # fmt: skip
    bad = seen.first("driver_stopped")
    if bad is not None:
        qread, end = bad.values.get("qread"), bad.values.get("end")
        return error(
            "npu-stopped", run, "The NPU stopped before the end of its command stream",
            f"It had read {qread} of {end} bytes when its interrupt came." if end else f"{bad.text}.",
            "It most likely met an error: check that tensor arena, weights and command stream lie where the NPU can reach them "
            "(not in TCM), that the data cache is cleaned, and that the model was compiled for this NPU; a newer driver prints its "
            "status register.", bad.line,
        )  # fmt: skip
    bad = seen.first("rtt_irq_failed")
    if bad is not None:
        return error(
            "npu-interrupt", run, "The NPU's interrupt could not be set up", f"{bad.text}.",
            "Check its number and its priority (RT_AI_EXECUTORCH_ETHOSU_IRQ_PRIORITY), and that no other driver has taken it; the NPU itself was not "
            "asked yet.", bad.line,
        )  # fmt: skip
    bad = seen.first("driver_failed", "driver_reset") or saying(
        seen, "Soft reset timed out", "Failed to initialize NPU", "nitialise Ethos-U device"
    )
    left_out: Finding | None = None
    if bad is not None and _another_worked(run, seen, bad):
        if not any(t.line < bad.line <= t.line + 2 for t in seen.all("driver_product")):  # else that has been told
            left_out = Finding(
                "npu-not-responding", "info", run.index, "One NPU did not come up, and another one did", f"{bad.text}.",
                "Nothing, where the model is for the NPU that works; else check base address, power and clock of the other one.",
                (bad.line,),
            )  # fmt: skip
        bad = None
    if bad is not None:
        return error(
            "npu-not-responding", run,
            "The NPU could not be switched on" if "enable NPU" in bad.text else "The NPU does not answer at its address", f"{bad.text.rstrip('.')}.",
            "Check its base address, power and clock (on i.MX93 the Linux driver must be bound first), and that this board or FVP "
            "has an NPU.", bad.line,
        )  # fmt: skip
    bad = saying(seen, "Fast memory area too small")
    if bad is not None:
        size, needed = bad.values.get("size"), bad.values.get("needed")
        asked = f"={needed}" if needed else " to what the line names"
        return error(
            "npu-fast-memory-too-small", run, "The NPU's fast memory is smaller than the program needs",
            f"It has {size} bytes and the program needs {needed}." if needed else f"{bad.text}.",
            f"Build the runner with -DET_ARM_BAREMETAL_FAST_SCRATCH_TEMP_ALLOCATOR_POOL_SIZE{asked} or more, or compile with a "
            "smaller Dedicated_Sram mode.", bad.line,
        )  # fmt: skip
    bad = seen.first("driver_alignment", "driver_payload") or saying(seen, "not aligned to 16 bytes")
    if bad is not None:
        return error(
            "vela-stream-misaligned" if "aligned" in bad.text else "vela-stream-malformed", run,
            "The driver refused the command stream", f"{bad.text}.",
            "Place the .pte and the tensor arena 16-byte aligned, and use a Vela and a driver of the same release.", bad.line,
        )  # fmt: skip
    bad = seen.first("driver_state")
    if bad is not None:
        return error(
            "npu-driver-state", run, "The NPU driver was called out of turn", f"{bad.text}.",
            "Each ethosu_invoke_async() needs its ethosu_wait() before the next one on the same driver: with several threads reserve a driver for "
            "each, and after an inference that failed or timed out wait for it, or reset the NPU, before the next.", bad.line,
        )  # fmt: skip
    bad = saying(seen, "scratch buffer is missing")
    if bad is not None:
        return error(
            "npu-scratch-missing", run, "The delegate was started without its scratch buffer", f"{bad.text}.",
            "The backend allocates it only where its platform says so: in a port of one's own needs_scratch_allocation() must return true on a "
            "Cortex-M; else build EthosUBackend.cpp and its platform file from one checkout, in an empty folder.", bad.line,
        )  # fmt: skip
    bad = saying(seen, "ethosu_reserve_driver", "No NPU driver handle available", "No NPU driver handle registered", "Failed to reserve Ethos-U driver",
                 "Linux backend missing platform state", "Linux driver invocation failed", "Linux driver setup failed", "i.MX driver failed", "i.MX backend missing platform state")  # fmt: skip
    if bad is not None:
        return error(
            "npu-driver-missing", run, "The runner got no NPU driver", f"{bad.text}.",
            "Call ethosu_init before the program is loaded, for every NPU; on Linux check that the kernel driver is loaded and "
            "/dev/ethosu0 may be opened.", bad.line,
        )  # fmt: skip
    bad = saying(seen, "requires vela_model block")
    if bad is not None:
        return error(
            "vela-stream-malformed", run, "The program was compiled without what this backend needs", f"{bad.text.rstrip('.')}.",
            "The backend for the driver of the i.MX 93's BSP takes Vela's whole model: compile the program with the arm_vela.py of the tree that the runner "
            "was built from.", bad.line,
        )  # fmt: skip
    bad = saying(seen, "Ethos-U inference failed", "Ethos-U inference poll failed", "Ethos-U network info: ", "Ethos-U inference: errno",
                 "Ethos-U inference status: errno")  # fmt: skip
    if bad is not None:
        return error(
            "npu-inference-failed", run, "The kernel driver reports that the inference failed", f"{bad.text}.",
            "See dmesg for the driver's reason; it often is memory that the NPU cannot reach, or a program for another NPU.",
            bad.line,
        )  # fmt: skip
    return left_out


_EXPANDED = re.compile(r"output (\d{1,6}) expansion factor (\d{1,9}) with element size (\d{1,6}) not supported")


def output_size(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """An output that the NPU writes in fewer bytes than the tensor of the program has."""
    bad = saying(seen, " expansion factor ")
    found = _EXPANDED.search(bad.text) if bad is not None else None
    if bad is None or found is None:
        return None
    index, factor, size = found.groups()
    return error(
        "output-size-differs", run, f"Output {index} of the NPU is {factor} times smaller than the tensor that it is for",
        f"{bad.text.rstrip('.')}. The NPU writes elements of {size} bytes: it gives quantised values where the program expects others.",
        BORDER, bad.line,
    )  # fmt: skip


def delegate_tensors(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """Inputs and outputs that do not have the type or shape that the delegate was compiled for."""
    bad = saying(seen, "expected Integer (4 byte)", "No matching input copy routine")
    if bad is not None:
        return error(
            "delegate-input-type", run, "The delegate got a tensor of a type that it does not take", f"{bad.text}.",
            "Feed the type that the graph has at this border: with quantised inputs int8 (QuantizeInputs), otherwise keep the "
            "quantise node in the graph.", bad.line,
        )  # fmt: skip
    bad = saying(seen, "Input tensor sizes do not match", "Total output tensor sizes do not match", "Program expects ",
                 "input/output don't agree", "permuted input don't agree", "mismatched shape", "non-contiguous dim_order")  # fmt: skip
    more = saying(seen, "Program expects ")
    if bad is not None:
        said = f"{bad.text}; {more.text}" if more is not None and more is not bad else bad.text
        return error(
            "delegate-shape", run, "A tensor does not have the shape that the delegate was compiled for", f"{said}.",
            "Feed the shape and memory format (channels first or last) that the model was exported with; both sides from one release.",
            bad.line, *((more.line,) if more is not None else ()),
        )  # fmt: skip
    bad = saying(seen, "Ethos-U output ", "Ethos-U padded copy", "copy plan", "runtime buffers (", "Missing output buffer",
                 "Missing input buffer", "missing output metadata")  # fmt: skip
    if bad is not None:
        why = saying(seen, "Element size mismatch: ", "Byte size mismatch: ")
        said = f"{bad.text}. {why.text}" if why is not None else bad.text
        return error(
            "delegate-layout", run, "The delegate's outputs do not have the layout that the program promises", f"{said}.",
            "Compile and build from the same ExecuTorch release.", bad.line, *((why.line,) if why is not None else ()),
        )  # fmt: skip
    return None
