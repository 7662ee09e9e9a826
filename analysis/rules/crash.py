"""What crashed or was killed: the program, its simulator, or Linux under it; and where, if a debugger tells.

A shell only says that a program crashed. A debugger or a memory checker knows the function, so the finding names the
place instead of advising to start one.
"""

from __future__ import annotations

import re

from ..draft import Evidence, Trouble
from ..outcome import Outcome
from ..report import Finding, Run
from .causes import short
from .causes_launch import CRASHED
from .evidence import error

_BY_NUMBER = {4: "SIGILL", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE", 11: "SIGSEGV"}
_NAMED = re.compile(r"SIG(?:SEGV|ABRT|BUS|ILL|FPE)|EXC_[A-Z_]{3,20}|AddressSanitizer: (?P<found>[\w-]{3,40})")
_NUMBERED = re.compile(r"signal (?P<signal>4|6|7|8|11)\Z|(?:code|Error) (?P<status>13[24569])\b")
_KILLED = re.compile(r"Killed|SIGKILL|(?:Error|code) 137\b")
_WINDOWS = {
    "0xC0000005": "access violation",
    "0xC0000409": "abort or overrun stack",
    "0xC000001D": "illegal instruction",
}
_NO_MEMORY = re.compile(r"\bbad_alloc\b|length_error")
_FILE = re.compile(r"[^\s/(]{1,120}:\d{1,7}")
_OWN = re.compile(r"executorch::|(?<!std::)torch::|ethos")
_SCOPES = re.compile(r"\A(?:[\w~<>]{1,60}::)*(?=[\w~<>]{1,60}::[\w~<>]{1,60}\Z)")
_NAME_LIMIT = 100
"""Characters of a function's name, or of what a kernel says, in a title; templates of C++ have longer ones."""
_ANOTHER_MODEL = (
    "Try another model: a damaged or truncated file crashes a program that does not verify what it reads. If that one runs, export the first one again; "
    "otherwise"
)
_RAN_BEFORE = (
    "Check whether it crashes at the same inference again, and whether memory runs out (free -m): earlier inferences finished, so the program's file is "
    "intact;"
)
_ENDED_ITSELF = ("SIGABRT", "EXC_CRASH")
_WRONG_CPU = ("SIGILL", "EXC_BAD_INSTRUCTION")


def aborted(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """A simulator or emulator that crashed."""
    bad = seen.first("simulator_crashed")
    if bad is not None and _KILLED.search(bad.text):
        return _killed(run, seen, bad)
    if (thrown := seen.first("exception_uncaught")) is not None:
        return uncaught(run, thrown)
    if bad is not None and (said := _said_before(seen, bad)) is not None:
        return error(
            "program-aborted", run, f"The program gave up at stage {run.stage}: {said.text.rstrip('.: ')}",
            f"That is its last message; right after it the console says: {bad.text}.",
            "Fix what the message names. If that is not enough, gdb --args with the same command (then run and bt) shows which call it came from.",
            said.line, bad.line,
        )  # fmt: skip
    if bad is not None and "caught" in bad.values:
        return caught(run, seen, bad)
    if bad is not None and run.runner.kind == "executor_runner":
        advice = _RAN_BEFORE if 0 < seen.seen.get("iteration", 0) < bad.line else _ANOTHER_MODEL
        return error(
            "runner-crashed", run, f"The program crashed at stage {run.stage}", f"The console says: {bad.text.strip().rstrip('.')}.",
            f"{advice} start it under gdb (gdb --args with the same command, then run and bt).", bad.line,
        )  # fmt: skip
    if bad is not None:
        return error("emulator-aborted", run, f"The process that ran the program crashed at stage {run.stage}", f"The console says: {bad.text}.",
                      CRASHED, bad.line)  # fmt: skip
    if run.status != "failed" or outcome is None or outcome.reason != "ended" or (outcome.code or 0) >= 0:
        return None
    return error(
        "emulator-aborted", run, f"The simulator was ended by signal {-(outcome.code or 0)}",
        outcome.text or "It was ended by a signal before the runner finished.",
        "Start it once by hand with the same command; report a crash of the simulator itself to its vendor.", run.last_line,
    )  # fmt: skip


def sanitizer(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """What a checker built into the program found before it ended the program by a trap."""
    bad = seen.first("sanitizer")
    if bad is None:
        return None
    address, what = bad.values.get("address"), str(bad.values.get("what") or "")
    if address is None:
        place = str(bad.values.get("where") or "an unknown place")
        return error(
            "sanitizer-report", run, f"The program was stopped at stage {run.stage}: {short(what, _NAME_LIMIT)}", f"The undefined behaviour is at {place}.",
            "Look at that source line, whose computation or access is undefined; a program that is not aligned to 16 bytes is one cause.", bad.line,
        )  # fmt: skip
    access = "wrote" if str(bad.values.get("access")).startswith("store") else "read"
    return error(
        "sanitizer-report", run, f"The program was stopped at stage {run.stage}: it {access} {bad.values.get('size')} bytes at {address} outside its own memory",
        f"The address sanitizer says: {bad.values.get('reason')}, in the memory {bad.values.get('region')}.",
        "Look up the lr of the fault below it in the ELF (arm-none-eabi-addr2line -fCe): it is near the access. Poisoned means memory that no allocator has "
        "handed out: a tensor or buffer is smaller than its use.", bad.line,
    )  # fmt: skip


def _said_before(seen: Evidence, bad: Trouble) -> Trouble | None:
    """The error right above an abort of a program that runs on the host itself: with it the program ended itself."""
    if "Aborted" not in bad.text or not _SIMULATED.isdisjoint(seen.seen):
        return None
    near = [t for t in seen.trouble if t.level in ("E", "F") and bad.line - 3 <= t.line < bad.line]
    return near[-1] if near else None


_SIMULATED = frozenset(("fvp_terminal", "fvp_npu", "fvp_version", "fvp_config", "fvp_command", "emulator_called"))
"""What says that a simulator runs the program, and may have crashed itself."""


def _killed(run: Run, seen: Evidence, bad: Trouble) -> Finding:
    """SIGKILL: the kernel says why, the shell only that."""
    lines = [t.line for t in seen.all("simulator_crashed")]
    name = bad.values.get("name")
    title = f"The process that ran the program was killed at stage {run.stage}, most likely out of memory"
    if name:
        title = f"The kernel killed {name} for lack of memory at stage {run.stage}"
    return error(
        "runner-killed", run, title, f"The console says: {bad.text.strip()}.",
        "Check free memory (free -m; dmesg | grep -i 'killed process' confirms the kernel's kill), stop other programs, add swap (fallocate -l 512M "
        "/swapfile; mkswap /swapfile; swapon /swapfile), or use a smaller model or input; in a container raise its limit (docker run --memory).", *lines,
    )  # fmt: skip


def caught(run: Run, seen: Evidence, bad: Trouble) -> Finding:
    """The finding for a line in which a debugger says what it caught."""
    what = _what(bad)
    frame = innermost(seen, bad.line)
    where = f" in {frame_name(frame)}" if frame is not None else ""
    return error(
        "runner-crashed", run, f"The program crashed at stage {run.stage}: {what}{where}",
        f"The console says: {bad.text.strip().rstrip('.')}.{place_of(frame)}", _advice(what, frame), bad.line,
        *([frame.line] if frame is not None else []),
    )  # fmt: skip


def uncaught(run: Run, bad: Trouble) -> Finding:
    """The finding for a C++ exception that nothing in the program caught."""
    what = bad.text.strip().rstrip(".")
    if _NO_MEMORY.search(what):
        return error(
            "program-aborted", run, f"The program ran out of memory at stage {run.stage}", f"The console says: {what}.",
            "Check free memory (free -m) and its limits (ulimit -v; docker run --memory), or use a smaller model or input; a damaged program requests "
            "absurd sizes, so try another .pte too.", bad.line,
        )  # fmt: skip
    return error(
        "program-aborted", run, f"The program stopped at stage {run.stage} with an uncaught exception", f"The console says: {what}.",
        "Fix what it names: an input, a file or an option. If that is not enough, gdb --args with the same command (then catch throw, run and bt) shows "
        "which call it came from.", bad.line,
    )  # fmt: skip


def kernel_died(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """Linux itself crashed under the run."""
    bad = seen.first("kernel_died")
    if bad is None:
        return None
    return error(
        "kernel-crashed", run, f"Linux itself crashed at stage {run.stage}: {short(str(bad.values.get('what') or '').strip(), _NAME_LIMIT)}",
        f"The console says: {bad.text.strip()}.",
        "Boot a kernel, device tree and firmware of one BSP release, and check the memory that the device tree reserves for the NPU. Functions with ethosu "
        "in the call trace below it point to the NPU's driver, others to its memory or another driver.", bad.line,
    )  # fmt: skip


def innermost(seen: Evidence, line: int) -> Trouble | None:
    """ExecuTorch's own frame nearest to the crash; without one, the first frame with a place in source code."""
    frames = [t for t in seen.all("crash_frame") if t.line > line and not frame_name(t).endswith("_Handler")]
    own = (frame for frame in frames if _OWN.search(frame.text))
    return next(own, frames[0] if frames else None)


def frame_name(frame: Trouble) -> str:
    """A function without the namespaces around its class."""
    return short(_SCOPES.sub("", str(frame.values["function"]).strip()), _NAME_LIMIT)


def place_of(frame: Trouble | None) -> str:
    """A sentence that names the place of a frame; "" where it has none."""
    if frame is None:
        return ""
    file = _FILE.search(str(frame.values["place"]))
    return f" It happened in {frame_name(frame)}" + (f" ({file.group()})." if file is not None else ".")


def _what(bad: Trouble) -> str:
    named = _NAMED.search(bad.text)
    if named is not None:
        return f"AddressSanitizer found a {named['found']}" if named["found"] else named.group()
    number = _NUMBERED.search(bad.text)
    if number is not None:
        return _BY_NUMBER[int(number["signal"] or int(number["status"]) - 128)]
    return next(
        (name for status, name in _WINDOWS.items() if status in bad.text), short(str(bad.values["caught"]), _NAME_LIMIT)
    )


def _advice(what: str, frame: Trouble | None) -> str:
    look = "gdb --args with the same command (then run and bt) shows which call it came from"
    if frame is not None and "depth" in frame.values:
        look = f"look at frame {frame.values['depth']} of the backtrace (in a debugger: frame {frame.values['depth']}, then its variables)"
    elif frame is not None:
        look = "look at that place"
    if what in _ENDED_ITSELF:
        return f"Read the message before that for what it did not accept: it aborted itself. If there is none, {look}."
    if what in _WRONG_CPU:
        return (
            "Build it for this core (without -march=native, and without features that the core lacks): it was built for another CPU, or a compiler-inserted "
            f"check trapped; {look}."
        )
    return f"{_ANOTHER_MODEL} {look}."
