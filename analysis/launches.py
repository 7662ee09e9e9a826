"""Shell and loader errors: whether a simulator, a build tool or something else could not be started.

"command not found" is a run that never began when it is about an FVP, and a missing build tool when it is about CMake.
"""

from __future__ import annotations

import re

from .draft import RunDraft
from .last_words import ends_in_error
from .patterns import HOST_EVENTS, Event

JUDGED = HOST_EVENTS | {"launch_failed", "launch_maybe", "simulator_crashed", "board_unreached", "board_reached"}
"""Events of the host, whose meaning depends on what the line names."""

_TARGETS = ("FVP", "VHT", "Corstone", "docker", "Docker", "qemu", "executor_runner", ".elf", ".axf", "Fast Models")
_TOOLS = re.compile(
    r"(?<![\w.-])(?:cmake|ninja|g?make|gcc|g\+\+|cc|c\+\+|clang\S{0,4}|arm-none-eabi-\S{1,12}|arm-zephyr-eabi-\S{1,12}|python3?|pip3?|"
    r"git|west|dtc|flatc|vela|curl|wget|buck2|unzip|tar|armclang|tosa_reference_model|aot_arm_compiler\S{0,8})(?![\w-])"
)
_NOT_THERE = (": not found", "No such file", "is not recognized as")
_COMPILER = re.compile(r"\b[CL]\d{4}E\b|armclang|armlink|armcc")
"""Arm's compilers need a licence as well; a refusal of theirs fails a build, not a run."""
_LICENCE_TALK = (
    "checkout",
    "check out",
    "checked out",
    "denied",
    "server",
    "feature",
    "activat",
    "armlm",
    "flex",
    "simulat",
    "no valid",
    "seat",
)


_OF_THE_DRIVER = ((" not aligned to 16 bytes", "driver_alignment"), ("ERROR: ethosu_init failed", "driver_failed"))
"""What the NPU's driver, or the application that starts it, prints like a tool of the host."""

_LICENCE_WORDS = (
    "denied",
    "fail",
    "not found",
    "checkout",
    "check out",
    "unavailable",
    "expired",
    "invalid",
    "se error",
    "ce error",
)


def refused_licence(text: str) -> bool:
    """Whether a line tells of a licence that was not given; tools spell and phrase it in many ways."""
    low = text.lower()
    return ("license" in low or "licence" in low) and any(word in low for word in _LICENCE_WORDS)


_KILLED = re.compile(r"(?:.{0,120}: line \d{1,6}: +\d{1,9} )?Killed\b")
_CALLED = re.compile(r"(?:\A|[#$%>&;] |\s(?=\./))\s{0,4}[\w./~-]{0,200}executor_runner(?:\s+-|\s*\Z)")
"""A command line of the Linux runner, most often behind a prompt."""
_BARE = ("Bad CPU type in executable", "xec format error", "rosetta error: ", "tee: ")
"""What is said of a launch without the name of what was started."""


def judge(event: Event, message: str, running: bool, launching: bool = False, before: str = "") -> Event | None:
    """The event that the line really is, or None; `running` says that a runner is in the middle of its run, `launching`
    that a simulator was started and no line of a runner has come; `before` is the last line that meant nothing."""
    if event.kind == "python_error" and "Corstone simulation failed. Problems: " in message:
        return event._replace(kind="quoted_problems", values={})
    if event.kind == "simulator_crashed":
        if "pid" in event.values and not any(name in str(event.values["name"]) for name in _TARGETS):
            return None  # the kernel killed another program
        called = not launching and _CALLED.search(before) is not None
        if running or not (launching or called):
            return event if running else None
        return event._replace(kind="launch_failed", values={"called": 1} if called else {})
    if event.kind == "host_error" and (running or launching) and _killed_it(message):
        return event._replace(kind="simulator_crashed" if running else "launch_failed", values={})
    if event.kind == "board_unreached":
        return None if running else event._replace(kind="launch_failed", values={})
    if event.kind == "board_reached":
        return event if launching else None
    if event.kind == "host_error":
        kind = next((kind for words, kind in _OF_THE_DRIVER if words in message), "")
        if kind and (running or kind == "driver_failed"):
            return event._replace(kind=kind, values={})
    if event.kind in HOST_EVENTS:
        refused = event.kind == "host_error" and not running and refused_licence(message)
        refused = refused and (launching or _of_server(message)) and not _COMPILER.search(message)
        refused = refused or (message.startswith("Error: (E") and not running)  # Fast Models number their errors
        refused = refused or (launching and _says_no(message))
        return event._replace(kind="launch_failed", values={}) if refused else event
    if any(name in message for name in _TARGETS):
        return event if event.kind == "launch_failed" else _launch(event, message, running)
    if event.kind == "launch_failed" or any(words in message for words in _NOT_THERE):
        if message.startswith("-- "):
            return None  # a status of CMake, of something that may be there or not
        if _TOOLS.search(message):
            return event._replace(kind="host_error", values={})
    if event.kind == "launch_failed":
        return event
    refused = (
        refused_licence(message) and (launching or _of_server(message)) or launching and "Address already" in message
    ) or (launching and any(words in message for words in _BARE))
    return _launch(event, message, running) if refused else None


def _killed_it(message: str) -> bool:
    """Whether a shell says that what ran the program was killed: it names what it was, or nothing."""
    killed = _KILLED.match(message)
    command = message[killed.end() :].strip().lower() if killed is not None else None
    return command is not None and (not command or any(name.lower() in command for name in _TARGETS))


def _says_no(message: str) -> bool:
    """Whether a simulator speaks so of a launch that it does not go on with; programs print errors too."""
    said = message.startswith(("Error: ", "ERROR: "))
    return said and ("arameter" in message or message.startswith(("FVP_", "VHT_"), len("Error: ")))


def _launch(event: Event, message: str, running: bool) -> Event | None:
    if running or ("icense" in message or "icence" in message) and not refused_licence(message):
        return None
    return event._replace(kind="launch_failed")


def _of_server(message: str) -> bool:
    """Whether a line speaks of a licence as a simulator does; the word alone stands in every source tree."""
    low = message.lower()
    return any(word in low for word in _LICENCE_TALK)


_ABOUT_THE_SIMULATOR = (
    "(C) ", "ALL RIGHTS", "xterm", "Xt error", "[", "WARNING", "Warning", "Info", "telnet", "---", "Trying", "Connected", "Escape ",
)  # fmt: skip


_OF_ITS_HOST = (
    "warning",
    "error",
    "xterm",
    "display",
    "server",
    "port ",
    "licen",
    "fast models",
    "timing adapter",
    "@",
    "$",
)
"""Words of lines between a simulator's and its program's, by it and by what shows its windows, and of a shell's prompt."""


def note_text(draft: RunDraft, number: int, text: str) -> None:
    """A line of text without a meaning of ours: what ran before a runner started, or goes on behind an error message."""
    if not draft.started:
        _note_stranger(draft, number, text)
    elif text and ends_in_error(draft):
        draft.gone_on = number


def _note_stranger(draft: RunDraft, number: int, message: str) -> None:
    """A simulator ran, and this line of its console is neither its own nor a runner's: where the first of them stands."""
    if "time_limit" in draft.seen or "stranger" in draft.seen:
        return
    if "fvp_npu" not in draft.seen:
        low = message.lower()
        if "fvp_terminal" not in draft.seen or any(word in low for word in _OF_ITS_HOST):
            return
    if any(map(str.isalpha, message[:40])) and not message.startswith(_ABOUT_THE_SIMULATOR):
        draft.seen["stranger"] = number
