"""Programs that cannot be loaded: bad bytes, a stream that is not Vela's, backends that are not linked, weights elsewhere."""

from __future__ import annotations

import re

from ..cleaning import in_command
from ..draft import Evidence, Trouble
from ..error_codes import status_name
from ..outcome import Outcome
from ..report import Finding, Run
from .evidence import all_saying, error, nameless, saying
from .releases import surely_before, surely_from

_TOO_SHORT = "File size is too small. Expected file size from extended header is "
_DAMAGED = (
    _TOO_SHORT,
    "Program data size ",
    "Program validation failed",
    "Root table offset ",
    "Extended header may be corrupt",
    "data may be truncated or corrupt",
    "must be aligned to",
    "Program has no methods",
    "No segments in program",
    "Segment index ",
    "mutable data segment",
    "mutable_data_segments_index ",
)
_OF_FILE = "Failed to parse model file"
"""What the Linux runner says, which reads its program from a file."""
_IN_FILE = "Check the file (ls -l FILE; head -c 8 FILE | xxd: a program has ET12 in bytes 5 to 8): it must be the .pte itself, complete, and of the runner's release."
_TOO_OLD = ("constant_buffer path", "Attribute tensor not at the expected location")
_STREAM = (
    "vela_bin_stream", "Vela bin ptr not aligned", "End of vela bin not aligned", "Expected vela binary to end",
    "Invalid block name or malformed binary", "error, invalid binary layout", "missing vela_end_stream",
    "Binary needs to be 16 byte", "Footer expected to be 16 byte", "Program expected to be multiple of 16",
)  # fmt: skip
_BORDER = re.compile(r"Program data (?:0x)*([0-9A-Fa-f]{1,16}) must be aligned to (?:(\d{1,4})\b|zu)")
"""What the runtime says of a program in the wrong place; pointers carry one 0x or two, and a small C library prints the letters zu."""
_ALIGNMENT = 16
"""Bytes that suit every release, where the log lost the number."""
LOAD_HINTS = {
    0x10: "Build both from one release: the program uses a feature that this runner does not support.",
    0x12: "Check the method's name and that .pte and runner come from one release: an argument was rejected.",
    0x20: "Link what the program needs, most often its backend: EthosUBackend with --whole-archive.",
    0x23: "Check the program's location, 16-byte alignment and release: it or its delegate is damaged or misaligned.",
    0x30: "Build .pte and runner from one release: the delegate was compiled for another backend version.",
    0x31: "Enlarge the method pool (-DET_ARM_BAREMETAL_METHOD_ALLOCATOR_POOL_SIZE): the delegate got no memory.",
}
"""What a status means where a program or its method is loaded, by its code."""


def bad_program(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """The memory holds no program: wrong magic, wrong place, wrong release, torn file."""
    magic = seen.first("identifier_mismatch") or saying(seen, "Program identifier '")
    load = seen.first("program_load_failed") or saying(
        seen, "Program loading failed @", "get_program_data() from bundle", "Program::load failed", _OF_FILE
    )
    unread = load or saying(seen, "Failed to load data for backend ")
    short = saying(seen, " > size_ ", " > file_size_ ") if unread is not None else None
    torn = saying(seen, *_DAMAGED) or short
    method = saying(seen, "No method named '", "Failed to get method_meta for", "Failed to get method metadata",
                    "method_meta failed", "method_meta('", "not found in the program")  # fmt: skip
    old = saying(seen, *_TOO_OLD)
    first = magic or torn or old or method or load
    if first is None:
        return _unbundled(run, seen) or _nameless_program(run, seen)
    of_file = (load is not None and _OF_FILE in load.text) or (short is not None and short.text.startswith("File "))
    placed = first.level or run.model.address or run.target.platform
    of_file = of_file or (
        load is None and not placed and run.runner.version_evidence is not None
    )  # Python: a place alone
    at = f" at {run.model.address}" if run.model.address else ""
    detail = f"Loading the program{at} failed"
    if load is not None and load.values.get("status") is not None:
        detail += f" with status {status_name(load.values['status'])}"
    found = str(magic.values.get("found") or "") if magic is not None else ""
    if magic is not None:
        detail += f"; its identifier is '{found}' where '{magic.values.get('expected') or 'ET12'}' was expected"
    elif first is not load:
        detail += f"; the runner says: {first.text}"
    unread_file = saying(seen, ": failed to read ") if first is load else None
    if unread_file is not None and unread_file.text.startswith("Reading from "):
        return _unread_file(run, unread_file, load)
    lines = [t.line for t in (first, unread if first is short else load) if t is not None]
    advice = (
        _IN_FILE
        if of_file
        else (
            "Check the address where the .pte was placed, its 16-byte alignment (__attribute__((aligned(16)))) and size, and that .pte and runner come from "
            "the same ExecuTorch release."
        )
    )
    if first is torn and (border := _BORDER.search(torn.text)) is not None:
        wanted = border[2] or str(_ALIGNMENT)
        title = f"The program is not aligned to {wanted} bytes" if border[2] else "The program is not aligned in memory"
        return error(
            "program-load-failed", run, title, f"{detail}.",
            f"Place it {wanted}-byte aligned: __attribute__((aligned({wanted}))) on the array, or an address that is a multiple of {wanted} (0x{border[1]} "
            "is not).", *lines,
        )  # fmt: skip
    title = f"The {'file' if of_file else 'memory'} does not hold a program that this runner can load"
    if first is short or (first is torn and torn.text.startswith(_TOO_SHORT)):
        title = f"The {'file' if of_file else 'program'} is incomplete: it ends before the part that is read"
        advice = f"{advice} The file is empty or was cut off."
    if first is method:
        return error("method-missing", run, "The program has no method with the name that the runner asks for",
                     f"The runner says: {first.text}.", "Export the method under that name (the usual one is forward), or "
                     "run another one.", *lines)  # fmt: skip
    if first is old:
        return error("program-too-old", run, "The program was exported by a release too old for this runner",
                     f"The runner says: {first.text}.", "Export the .pte again with the release that the runner was built from. A truncated file looks the same: compare its size (ls -l) "
                         "with the exported one.", *lines)  # fmt: skip
    if found.startswith("BP") or (magic is not None and str(run.model.magic).startswith("BP")):
        title = "The program is a bundled one (.bpte), and this runner takes plain ones"
        advice = "Build the runner with --bundleio, or give it the .pte: this is a bundled program (.bpte)."
        if run.runner.kind == "zephyr" or surely_before(run, (0, 6)):
            advice = "Give it the .pte: no build of this runner takes a bundled program (.bpte)."
    elif found.startswith("ET") or found.startswith("eh"):
        if magic is not None and found[2:].isdecimal():
            title = (
                f"The program has the format {found}, and this runner reads {magic.values.get('expected') or 'ET12'}"
            )
        advice = "Build program and runner from the same release: they come from different ones."
    elif magic is not None:
        advice += " The bytes there are not a program at all: "
        advice += "the wrong file, or a damaged one." if of_file else "wrong address, misaligned array or wrong file."
        if not found.strip(" .\ufffd") and any(odd.kind == "program_size" for odd in seen.odd):
            where = in_command(run.model.address, "ADDRESS")
            advice += (
                f" The program is not in the ELF, so load it there yourself: flash it, or give it to the FVP: run_fvp.sh --data=FILE.pte@{where} (--data "
                f"FILE.pte@{where} of the FVP itself)."
            )
    return error(
        "program-load-failed",
        run,
        title,
        f"{detail}.",
        advice,
        *lines,
    )


def _unread_file(run: Run, bad: Trouble, load: Trouble | None) -> Finding:
    """The file could be opened, but not read: a folder, or storage that does not answer."""
    why = bad.text.rpartition(": ")[2].rstrip(".")
    advice = (
        "Give the .pte itself: this path is a folder (ls -ld PATH)."
        if why == "Is a directory"
        else "Copy the file to other storage and compare sizes (ls -l FILE); dmesg shows a card or mount that does not respond."
    )
    lines = [t.line for t in (bad, load) if t is not None]
    title = (
        "The path of the program is a folder, not a file"
        if why == "Is a directory"
        else f"The runner could not read its program: {why}"
    )
    return error("program-load-failed", run, title, f"The runner says: {bad.text.rstrip('.')}.", advice, *lines)


def memory_lock(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """Linux did not let the runner keep the program's pages in memory, so it got none of them."""
    bad = next((t for t in all_saying(seen, "): mlock(") if t.text.startswith("File ")), None)
    if bad is None:
        return None
    return error(
        "memory-not-locked", run, "The system does not allow the runner to lock the program's pages in memory", f"The runner says: {bad.text.rstrip('.')}.",
        "Raise the limit (ulimit -l shows it; docker run --ulimit memlock=-1, LimitMEMLOCK= of a systemd service), or load the file without a lock: "
        "FileDataLoader, or MmapDataLoader with MlockConfig::UseMlockIgnoreErrors.", bad.line,
    )  # fmt: skip


def _unbundled(run: Run, seen: Evidence) -> Finding | None:
    """A runner that takes bundled programs only was given something else."""
    bad = saying(seen, "Unrecognized bundled program flatbuffer identifier")
    if bad is None:
        return None
    plain = "identifier 'ET" in bad.text
    return error(
        "program-load-failed", run,
        "The file is a program without bundled inputs, and this runner needs them" if plain else "The file is not a bundled program",
        f"The runner says: {bad.text.rstrip('.')}.",
        "Export a bundled program (executorch.devtools: BundledProgram and serialize_from_bundled_program_to_flatbuffer; aot_arm_compiler "
        "--bundleio) and give it that .bpte, or run the .pte with executor_runner.", bad.line,
    )  # fmt: skip


def _nameless_program(run: Run, seen: Evidence) -> Finding | None:
    bad = nameless(seen, "load")
    if bad is None:
        return None
    return error(
        "program-load-failed", run, "The memory does not hold a program that this runner can load",
        "The function load returned an error, whose message the C library lost.",
        "Check the address where the .pte was placed, its alignment and size, and that it is of the runner's release.", bad.line,
    )  # fmt: skip


def vela_stream(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """The delegate's bytes are not a stream of Vela's, or lie crooked in memory."""
    bad = saying(seen, *_STREAM)
    if bad is None:
        return None
    address = bad.text.rpartition(": ")[2].rstrip(".")  # some C libraries print it without 0x
    try:
        past = int(address, 16) % 16
    except ValueError:
        past = None
    if "not aligned" in bad.text and past is not None:
        where = f"{address} is {past} bytes past a 16-byte boundary" if past else f"{address} was printed"
        return error(
            "vela-stream-misaligned", run, "The program is not aligned to 16 bytes, which the NPU requires",
            f"{where}: {bad.text}.", "Place the .pte 16-byte aligned: __attribute__((aligned(16))) on the array, or an address "
            "that is a multiple of 16.", bad.line,
        )  # fmt: skip
    return error(
        "vela-stream-malformed", run, "The delegate's data is not a command stream that this runner can read",
        f"The runner says: {bad.text}.", "Compile and build from the same ExecuTorch release (newer .pte files keep blocks of the delegate outside it), and check that the .pte is "
            "complete and 16-byte aligned in memory.", bad.line,
    )  # fmt: skip


def backend_missing(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """A delegate whose backend is not in the runner, or not alive."""
    bad = seen.first("backend_missing")
    if bad is None:
        bad = saying(seen, "Ethos-U backend registration failed") or nameless(seen, "Init")
    if bad is None:
        return None
    name = str(bad.values.get("name") or "EthosUBackend")
    if "not available" in bad.text:
        return error(
            "backend-not-available", run, f"The backend {name} is linked but reports that it is not available here", f"{bad.text}.",
            "Check that the device it needs is present (for the Cortex-A backend the kernel driver and /dev/ethosu0).", bad.line,
        )  # fmt: skip
    function = f"{'' if surely_before(run, (1, 0)) else 'executorch_'}target_link_options_shared_lib"
    advice = f"Link the backend library with --whole-archive ({function}), build the runner for an "
    advice += "Ethos-U target, or run a program without delegates here."
    if run.runner.kind == "executor_runner" and name == "EthosUBackend":
        advice = (
            "On the Linux of a target with this NPU, build executor_runner with -DEXECUTORCH_BUILD_ARM_ETHOSU_LINUX=ON (1.2 and later). If there is no such "
            "NPU, as on a PC, run a program without delegates."
        )
    if run.runner.kind == "zephyr" and name == "EthosUBackend":
        advice = (
            "Put CONFIG_ETHOS_U=y (and the NPU's size, such as CONFIG_ETHOS_U55_128=y) into the board's .conf or prj.conf: without it Zephyr builds "
            "ExecuTorch without this backend. If that Zephyr calls them CONFIG_ARM_ETHOS_U and so on (Alif's does), use those, and for ExecuTorch up to "
            "1.4, which looks only for ETHOS_U, add a config ETHOS_U with default y to the application's Kconfig. Or run a program without delegates here."
        )
    if name in ("XnnpackBackend", "VulkanBackend", "QnnBackend", "CoreMLBackend"):
        advice = (
            "Export the program with the Ethos-U partitioner, or without delegates: it was exported for another device."
        )
    detail = "The program has a delegate for it, but this runner was built (or linked) without it."
    renamed = _renamed_backend(run, name)
    if renamed:
        detail, advice = (
            renamed,
            "Compile the program with the runner's release, or build the runner from the program's.",
        )
    return error(
        "backend-not-registered", run, f"The runner does not contain the backend {name}", detail, advice, bad.line,
    )  # fmt: skip


_KEY = re.compile(r" with fqn: (.{1,200}?)\. The ")


def weights_elsewhere(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """The program was exported without its weights, and the runner was not given the .ptd file that holds them."""
    bad = saying(seen, "external_data_map is null", "named_data_map is null")
    if bad is None:
        return None
    key = _KEY.search(bad.text)
    first = f" The first one missing is {key[1]}." if key is not None else ""
    inside = "export the program with its weights inside (ExecutorchBackendConfig without external_constants)."
    advice = f"Give the application the .ptd file together with the .pte, or {inside}"
    if run.runner.kind == "executor_runner":
        advice = f"Give the .ptd file to the runner (--data_path=FILE.ptd, since 1.1), or {inside}"
    elif run.runner.kind == "arm_executor_runner":
        advice = f"arm_executor_runner takes no .ptd: {inside}"
    return error(
        "weights-not-given", run, "The program's weights are in a separate file (.ptd), which the runner does not have",
        f"It says: {bad.text.rstrip('.')}.{first}", advice, bad.line,
    )  # fmt: skip


def _renamed_backend(run: Run, name: str) -> str:
    """Why a runner does not know the Ethos-U backend by the name that a program of another release has for it; "" where it may."""
    if name == "EthosUBackend" and surely_before(run, (0, 6)):
        return "The program is from ExecuTorch 0.6 or later; in this runner's release the backend is called ArmBackend."
    if name == "ArmBackend" and surely_from(run, (0, 6)):
        return "The program is from ExecuTorch 0.5 or earlier; since 0.6 the backend is called EthosUBackend."
    return ""


def kernel_twice(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """Kernel registration that failed at start-up: two libraries with one kernel, or too many kernels."""
    bad = saying(seen, "Re-registering ")
    if bad is not None:
        name = bad.text.split("Re-registering ", 1)[1].split(",", 1)[0][:100]
        return error(
            "kernel-registered-twice", run, f"Two libraries register the kernel {name}", f"The runner says: {bad.text}.",
            "Link only one of the libraries that contain it (portable, optimized or a selected build).",
            *(t.line for t in all_saying(seen, "Re-registering ")[:20]),
        )  # fmt: skip
    bad = saying(seen, "number of kernels to be registered is larger than the limit")
    if bad is not None:
        return error(
            "too-many-kernels", run, "More kernels are linked than the runner has room for", f"The runner says: {bad.text}.",
            "Raise MAX_KERNEL_NUM, or link fewer operators.", bad.line,
        )  # fmt: skip
    return None
