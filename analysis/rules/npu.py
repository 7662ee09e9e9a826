"""What the NPU and its driver refused. The driver's line is the root cause; the runner's error above it follows from
it.
"""

from __future__ import annotations

import re

from ..cleaning import in_command
from ..collect.monitor import PRODUCTS
from ..draft import Evidence, Trouble
from ..outcome import Outcome
from ..report import Finding, Run
from .causes import BORDER
from .evidence import all_saying, error, saying
from .npu_driver import another_worked, without_status
from .releases import simulator_parameter, surely_before

_STATUS_BITS = (
    (2, "bus error"), (4, "command stream parse error"), (7, "weight decoder fault"), (8, "ECC fault"), (9, "branch fault"),
)  # fmt: skip
_MISMATCH = re.compile(
    r"npu\.(\w{1,40})\s?=\s?(\d{1,9})\W{1,3}(?:optimizer|cmd_stream|model)\.\w{1,40}\s?=\s?(\d{1,9})"
)


def config_mismatch(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """The program was compiled for another NPU than the one that ran it."""
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
        return _macs(run, pairs["macs_per_cc"], pairs.get("shram_size"), lines)
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


def _macs(run: Run, logs: tuple[int, int], shram: tuple[int, int] | None, lines: list[int]) -> Finding:
    npu, model = (1 << log if 0 <= log < 16 else log for log in logs)
    family = in_command(run.target.npu, "ethos-uNN")
    flag = simulator_parameter(family, "ethosu.num_macs")
    compiled = f"Compile with --target={family}-{npu}"
    vela = f", or with Vela's --accelerator-config={family}-{npu}"
    sure = run.runner.kind not in ("mlek", "other")  # that the program is ExecuTorch's
    if run.target.platform == "board":
        advice = (
            f"{compiled}{vela}: a chip's NPU cannot be changed. If a chip has two, each core has its own "
            "(Alif's E3 and E7: 256 MACs on the HP core, 128 on the HE core): check that model and program are for the same one."
        )
    else:
        advice = (
            f"{compiled}{'' if sure else vela}; or keep the model and start the FVP with -C {flag}={model}"
            + ("" if family == "ethos-u85" else " (Corstone-320: -C mps4_board.subsystem.ethosu.num_macs)")
            + (
                ". The runner build has its own --target: all three must agree."
                if sure
                else ". On a chip only the model can be changed."
            )
        )
    beside = (
        f" Its SHRAM matches that: {shram[0]} KiB, against {shram[1]} KiB in the model." if shram is not None else ""
    )
    return error(
        "npu-config-mismatch", run, f"The model was compiled for {model} MACs per cycle, and the NPU has {npu}",
        f"The NPU has {npu} MACs per cycle and the model was compiled for {model} (the driver prints log2: {logs[0]} and {logs[1]}).{beside}",
        advice, *lines,
    )  # fmt: skip


def _product(run: Run, products: tuple[int, int], lines: list[int]) -> Finding:
    npu, model = (PRODUCTS.get(product, f"product {product}") for product in products)
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
    if bad is not None and another_worked(run, seen, bad):
        return Finding(
            "npu-driver-product", "info", run.index, "One NPU was left out: the driver is for another one",
            f"{bad.text}. Another NPU came up after it.",
            "Nothing, if the model is for the NPU that works; to silence this, disable the other one in the devicetree.", (bad.line,),
        )  # fmt: skip
    if bad is not None:
        return error(
            "npu-driver-product", run, "The NPU driver in the runner is for another NPU", f"{bad.text}.",
            "Rebuild the runner and its core driver with the right --target (ETHOSU_TARGET_NPU_CONFIG=ethos-uNN-MACS).", bad.line,
        )  # fmt: skip
    return None


def npu_fault(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """The NPU stopped with an error: its status register says which."""
    said = seen.first("npu_status") or seen.first("npu_interrupted") or saying(seen, "NPU status=0x")
    status = _register(said)
    if said is None or status is None:
        return without_status(run, seen)
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
                "If the program was compiled for Dedicated_Sram, give ethosu_init the address and size of a fast memory (SRAM that the NPU can reach), or "
                "compile for Shared_Sram or Sram_Only. Otherwise: "
            )
        if "Error IRQ - " in said.text:
            return error(
                "npu-bus-error", run, "NPU bus error: the NPU could not reach a memory that the program uses", detail,
                "Check the NPU's node in the device tree (reserved memory, dma-ranges, SRAM), from which Linux gives it memory, its power domain and "
                "clocks, and that the program's memory mode and fast memory fit the SRAM given to the driver.", *lines,
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
            "Check where the .pte is placed, that the data cache is cleaned before the NPU starts, and that it was compiled for this NPU: the stream is "
            "damaged, overwritten, or the NPU sees other bytes there.", *lines,
        )  # fmt: skip
    if bits:
        return error(
            "npu-fault", run, f"The NPU stopped with a {bits[0][1]}", detail,
            "Compile with the Vela of the same release, and check that weights and stream are intact in memory.", *lines,
        )  # fmt: skip
    title = "The NPU stopped before the end of its command stream"
    if status >> 5 & 1:
        title = "The NPU reached the end of its command stream, but the driver reports an error"
    found = without_status(run, seen)
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


_EXPANDED = re.compile(r"output (\d{1,6}) expansion factor (\d{1,9}) with element size (\d{1,6}) not supported")


def output_size(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """An output that the NPU writes with fewer bytes than the program's tensor has."""
    bad = saying(seen, " expansion factor ")
    found = _EXPANDED.search(bad.text) if bad is not None else None
    if bad is None or found is None:
        return None
    index, factor, size = found.groups()
    return error(
        "output-size-differs", run, f"Output {index} of the NPU is {factor} times smaller than the tensor it is written to",
        f"{bad.text.rstrip('.')}. The NPU writes {size}-byte elements: quantised values, where the program expects another type.",
        BORDER, bad.line,
    )  # fmt: skip


def delegate_tensors(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """Inputs and outputs that do not have the type or shape that the delegate was compiled for."""
    bad = saying(seen, "expected Integer (4 byte)", "No matching input copy routine")
    if bad is not None:
        return error(
            "delegate-input-type", run, "The delegate got a tensor of a type that it does not accept", f"{bad.text}.",
            f"Feed the type that the graph has at this boundary: int8 with quantised inputs{'' if surely_before(run, (0, 5)) else ' (QuantizeInputs)'}; "
            "otherwise keep the quantise node in the graph.", bad.line,
        )  # fmt: skip
    bad = saying(seen, "Input tensor sizes do not match", "Total output tensor sizes do not match", "Program expects ",
                 "input/output don't agree", "permuted input don't agree", "mismatched shape", "non-contiguous dim_order")  # fmt: skip
    more = saying(seen, "Program expects ")
    if more is None and bad is not None:
        more = next((t for t in seen.trouble if t.line == bad.line + 1 and t.text.startswith("dimension ")), None)
    if bad is not None:
        said = f"{bad.text}; {more.text}" if more is not None and more is not bad else bad.text
        return error(
            "delegate-shape", run, "A tensor does not have the shape that the delegate was compiled for", f"{said}.",
            "Feed the shape and memory format (channels first or last) that the model was exported with, and use one release on both sides.",
            bad.line, *((more.line,) if more is not None else ()),
        )  # fmt: skip
    bad = saying(seen, "Ethos-U output ", "Ethos-U padded copy", "copy plan", "runtime buffers (", "Missing output buffer",
                 "Missing input buffer", "missing output metadata")  # fmt: skip
    if bad is not None:
        why = saying(seen, "Element size mismatch: ", "Byte size mismatch: ")
        said = f"{bad.text}. {why.text}" if why is not None else bad.text
        return error(
            "delegate-layout", run, "The delegate's outputs do not have the layout that the program declares", f"{said}.",
            "Compile and build from the same ExecuTorch release.", bad.line, *((why.line,) if why is not None else ()),
        )  # fmt: skip
    return None
