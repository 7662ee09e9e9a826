"""Shell and loader errors: whether a simulator, a build tool or something else could not be started.

"command not found" is a run that never began when it is about an FVP, and a missing build tool when it is about CMake.
"""

from __future__ import annotations

from ..cleaning import compiled
from ..collect.own_fault import note_own_fault
from ..dividing.at_work import by_tool, of_linux
from ..dividing.decisions import gave_up, launching, printed_all, running
from ..draft import RunDraft
from ..last_words import ends_in_error
from ..line import Line
from ..named_tuple import NamedTuple
from ..outputs.torn_elements import torn_element
from ..patterns import HOST_EVENTS, Event
from .interrupted import MADE, note_interruption
from .other_cores import of_another
from .prompts import ENVIRONMENT, is_end, is_prompt_of_user
from .prose import is_prose, is_remark

_OF_TOOL = ("npu_tool_failed", "npu_tool_unrun")
"""How tools fail that ask the kernel for the NPU, in words that others use too."""
JUDGED = HOST_EVENTS | {
    "launch_failed",
    "launch_maybe",
    "simulator_crashed",
    "board_unreached",
    "board_reached",
    *_OF_TOOL,
}
"""Events of the host, whose meaning depends on what the line names."""

_SPOKEN_OF = frozenset(("host_error", "launch_failed", "launch_maybe", "board_unreached", "aot_error"))
"""Those that are looked for in the middle of a line, where a sentence may quote them."""
_TARGETS = ("FVP", "VHT", "Corstone", "docker", "Docker", "qemu", "executor_runner", ".elf", ".axf", "Fast Models")
BUILD_TOOLS = r"cmake|ninja|g?make|gcc|g\+\+|c\+\+|cc|git|west|dtc|curl|wget|buck2|python(?:3(?:\.\d{1,2})?)?|pip(?:3(?:\.\d{1,2})?)?|unzip|flatc"
_TOOLS = (
    rf"(?<![\w.-])(?:{BUILD_TOOLS}|clang\S{{0,4}}|arm-none-eabi-\S{{1,12}}|arm-zephyr-eabi-\S{{1,12}}|vela|tar|armclang|tosa_reference_model|"
    r"aot_arm_compiler\S{0,8})(?![\w-])"
)
_OF_SCRIPTS = (
    r"(?:(?:[^\s:'\"`(\[]{0,200}/)?-?(?:ba|da|z|k)?sh|[^\s:'\"`(\[]{1,200}\.sh): (?:line \d{1,6}: |\d{1,6}: )?(?:\[\[: not found|source: not found|"
    r"\S{1,200}(?:\.(?:sh|py|bash)|/bin/activate(?:\.\w{1,8})?): (?:No such file or directory|not found|Permission denied|command not found)\Z)|"
    r"(?![^\n]{0,300}(?:FVP|VHT|Corstone|executor_runner|\.elf|\.axf|docker|qemu|/dev/))(?:\S{0,200}/)?(?:ba|da|z)?sh: (?:line \d{1,6}: |\d{1,6}: )?"
    r"[^\s:]{0,200}/[^\s:]{1,200}: Permission denied\Z|"
    r"tar: [^:\n]{1,300}: Cannot open: No such file|"
    r"(?:\S{0,100}/)?env: ['`\u2018](?!FVP|VHT|docker)[\w.+-]{1,60}['\u2019]: No such file|[^\n:'\"`]{1,200}: (?:(?:line )?\d{1,6}: )?sudo: (?:command )?not found|"
    r"(?![^\n]{0,300}(?:FVP|VHT|Corstone|executor_runner|\.elf|\.axf|docker|qemu))(?:\S{0,200}sh: )?(?:line \d{1,6}: )?[^\s:]{1,200}: "
    r"(?:cannot execute binary file|Bad CPU type in executable|/[^\s:]{1,200}: bad interpreter: No such file)|"
    r"realpath: (?=[^\n]{0,300}(?:\.b?pte: |executor))(?![^\n]{0,300}\.(?:elf|axf): )"
)
"""A shell says that a script is not there or may not be started, or that it is not the shell that a script is written for."""
_OF_FILES = (
    r"(?:(?:ba|da|z)?sh: )?(?:line \d{1,6}: )?(?:ls|cp|mv|rm|cat|cd|chmod|chown|ln|stat|head|tail|touch|mkdir|rmdir|du|find|grep|sed|md5sum|sha\d{1,3}sum|"
    r"file|strip|rsync|scp|install|unzip|gzip|xz|realpath): "
)
"""A tool that only handles files speaks of one: nothing was to be started."""
_NO_COMMAND = r"(?:\S{0,200}: )?(?:line \d{1,6}: |\d{1,6}: )?(?P<name>[\w.+:-]{1,80}): command not found\Z"
"""A shell knows no command of that name."""
_NO_PROGRAM = (
    r"(?:/\S{0,200}/)?(?:da|a)?sh: (?:line )?\d{1,6}: [\w.+-]{1,80}: not found\Z|"
    r"(?:[^'\n]{0,80}(?:: |[^\s']))?'[^'\s]{1,80}' is not recognized as an internal or external command,?\Z|"
    r"[^'\n]{0,80}: The term '[^'\s]{1,80}' is not recognized as (?:the|a) name of a cmdlet, "
)
"""The same in the words of the shell that make and Ninja start their commands with, and of those of Windows."""
_LOADER = ": cannot execute: required file not found"
"""What a shell says where a script's interpreter or a program's loader is missing, as of a program for another machine."""
_NOT_THERE = (": not found", "No such file", "is not recognized as")
_COMPILER = r"\b[CL]\d{4}E\b|armclang|armlink|armcc"
"""Arm's compilers need a licence as well; a refusal of theirs fails a build, not a run."""
_LICENCE_TALK = (
    "checkout", "check out", "check failed!", "checked out", "denied", "server", "feature", "activat", "armlm", "flex", "simulat", "no valid", "seat", "another user",
)  # fmt: skip

_OF_THE_DRIVER = ((" not aligned to 16 bytes", "driver_alignment"), ("ERROR: ethosu_init failed", "driver_failed"))
"""What the NPU's driver, or the application that starts it, prints like a tool of the host."""

LICENCE_WORDS = (
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
    return ("license" in low or "licence" in low) and any(word in low for word in LICENCE_WORDS)


_KILLED = r"(?:.{0,120}: line \d{1,6}: +\d{1,9} |\[\d{1,4}\][+-]? {1,3})?Killed\b"
_CORE = " (core dumped)"
"""How a shell's words for a crash end where it does not show the command."""
_COMPILE_CRASHED = r": line \d{1,6}: +\d{1,9} [A-Z][a-z]{2,15} ?(?:fault|error|instruction)? +(?:\(core dumped\) +)?\S{0,100}?(?:python[\d.]{0,6}|vela) "
"""A shell's words for a crash of what compiles, by the first word of its command."""
_CRASHED = (
    r"(?:.{0,120}: line \d{1,6}: +\d{1,9} |zsh: )(?:[Ss]egmentation fault|[Aa]bort(?:ed)?|"
    r"[Ii]llegal (?:hardware )?instruction|[Bb]us error|[Ff]loating point exception|Trace/breakpoint trap|trace trap|[Kk]illed)"
    r" *(?:\(core dumped\) +)?(?=\S)"
)
"""A shell's words for the end of a command that it names."""
_ENDED_BY_SIGNAL = (
    r"g?make(?:\[\d{1,3}\])?: \*\*\* \[[^\]]{1,200}\] "
    r"(?:Error 13[245679]\b|(?:Segmentation fault|Aborted|Bus error|Illegal instruction|Floating point exception|Killed)\b)|"
    r"subprocess\.CalledProcessError: Command [^\n]{0,400}(?:executor_runner|FVP_|qemu-system)[^\n]{0,1200} died with <Signals\.SIG(?:SEGV|ABRT|BUS|ILL|FPE|KILL)\b"
)
"""Make's and Python's words for the end of a command by a signal: a run that is still going on was that command."""
_MADE_RUN = r"g?make(?:\[\d{1,3}\])?: \*\*\* \[(?:[^\]]{1,160}[:/ ])?[\w.-]{0,40}(?:run|test|sim|fvp|qemu|demo|check|bench)[\w.-]{0,40}(?<!\.o|\.a)(?<!\.obj|\.elf|\.axf)\] Error \d"
"""Make's words for the end of a command that runs something: behind a run that failed they say so once more."""
_WRAPPER = (
    r"timeout|stdbuf|sudo|env|nohup|nice|ionice|chrt|taskset|numactl|time|exec|unbuffer|setsid|xvfb-run|catchsegv|eatmydata|"
    r"(?:SIG)?(?:KILL|TERM|INT|HUP)|!|"
    r"-[\w=.-]{1,40}|\d{1,9}(?:[.,-]\d{1,9}){0,9}[smhd]?|0x[0-9a-f]{1,16}|\w{1,40}=\S{0,400}"
)
_WITH_VALUE = frozenset(("-u", "-g", "-o", "-e"))
"""Options of wrappers behind which a name stands: a user, a group, a variable, a way of buffering."""
_SHELL = r"(?:\S{0,200}/)?(?:ba|da|z)?sh|(?:\S{0,200}/)?python[\d.]{0,6}"
"""What runs a script, whose own name then tells."""
_RUNS = (*_TARGETS, "label_image", "benchmark_model", "inference_runner")
_CALLED = r"(?:\A|[#$%>&;] |\s(?=\./))\s{0,4}[\w./~-]{0,200}executor_runner(?:\s+-|\s*\Z)"
"""A command line of the Linux runner, most often behind a prompt."""
_RUNNER = r"(?:\A|[\s/])executor_runner(?:\s+-|\s*\Z)"
"""The Linux runner in a command that a shell shows."""
_CRLF = ("$'\\r'", "\\r'", "\\r\u2019", "^M: ")
"""How shells and env name the carriage return at the end of a script's line: nothing of a simulator."""
_BARE = ("Bad CPU type in executable", "xec format error", "rosetta error: ", "tee: ")
"""What is said of a launch without the name of what was started."""


class Around(NamedTuple):
    """What stands around a line of the host."""

    running: bool
    """A runner is in the middle of its run."""
    launching: bool
    """A simulator was started, and no line of a runner has come."""
    before: str
    """The last line that meant nothing."""
    failed: bool
    """A run failed just above."""
    source: str = ""
    """Whose lines those of the open run are, where a tool says so in front of each."""
    of_linux: bool = False
    """The run that failed had asked the kernel for the NPU."""
    by_tool: bool = False
    """A tool that asks the kernel for the NPU is at work, and this may be of it."""
    apart: bool | None = False
    """The kernel speaks of another core, or of another time than that of the run; None where it may be any core."""
    typed: bool = False
    """A shell was given its next command below the run."""


def around(event: Event, line: Line, draft: RunDraft | None, before: str, source: str) -> Around:
    """What stands around the event: the open run, the last line that meant nothing, and whose lines those of the run are."""
    others = event.kind == "simulator_crashed" and printed_all(draft, before)
    at_work = running(draft) and not others
    linux = of_linux(draft)
    apart = linux and event.kind == "board_unreached" and of_another(draft, line, before)
    failed, tool = gave_up(draft), by_tool(draft, event.kind)
    typed = draft is not None and draft.interruption.next_command > draft.last_line
    return Around(at_work, launching(draft), before, failed, source, linux, tool, apart, typed)


def judge(event: Event, message: str, around: Around) -> Event | None:
    """The event that the line really is, or None."""
    kind = event.kind
    if kind in _SPOKEN_OF and is_prose(message):
        return None
    if kind == "python_error" and "Corstone simulation failed. Problems: " in message:
        return _as(event, "quoted_problems")
    if message.startswith(("zsh:", "fish:")) and kind in ("launch_failed", "launch_maybe", "simulator_crashed"):
        from .zsh import as_others

        message = as_others(message)
    if kind == "simulator_crashed":
        return _crash(event, message, around)
    if kind in ("own_finding", "own_words"):
        return event
    if kind == "killer" and compiled(_KILLED).match(message):
        event, kind = _as(event, "host_error"), "host_error"  # the shell names the command that had a limit
    if kind == "killer" and (around.running or around.launching or around.failed):
        return None  # of the runner
    if kind == "board_unreached":
        if around.of_linux and around.failed and "remoteproc" in message:
            told = event._replace(kind="kernel_firmware", values={"any_core": 1} if around.apart is None else {})
            return None if around.apart else told  # dmesg tells why that run got no NPU
        return None if around.running else event._replace(kind="launch_failed", values={"board": 1})
    if kind == "board_reached":
        return event if around.launching else None
    if kind in _OF_TOOL:
        return event if around.running and around.by_tool else _of_host(_as(event, "host_error"), message, around)
    return _of_host(event, message, around) if kind in HOST_EVENTS else _of_shell(event, message, around)


def _as(event: Event, kind: str) -> Event:
    """The event as another, of which no more is known than its line."""
    return event._replace(kind=kind, values={})


def _crash(event: Event, message: str, around: Around) -> Event | None:
    """Something crashed or was killed: the simulator, a tool that compiles, or a program of somebody else's."""
    busy = around.running or around.launching or around.failed
    if "pid" in event.values and not any(name in str(event.values["name"]) for name in _TARGETS):
        return None if busy else _as(event, "killer")  # the kernel killed another program
    if around.source and not str(event.values.get("whose") or around.source).endswith(around.source):
        return None  # another container ended
    called = not around.launching and compiled(_CALLED).search(around.before) is not None
    crashed = compiled(_CRASHED).match(message)
    if around.running:
        return event if crashed is None or _runs_it(message[crashed.end() :]) else None
    if crashed is not None and not (called or around.launching or around.failed):
        called = compiled(_RUNNER).search(message, crashed.end()) is not None and _runs_it(message[crashed.end() :])
    if not (around.launching or called):
        of_host = message.startswith("Error: ") or message.endswith(_CORE) or compiled(_COMPILE_CRASHED).search(message)
        if not busy and message.startswith("##[error]") and message.endswith(" 137."):
            return _as(event, "killer")
        return _as(event, "host_error") if of_host else None
    return event._replace(kind="launch_failed", values={"called": 1} if called or "caught" in event.values else {})


def _of_host(event: Event, message: str, around: Around) -> Event | None:
    """A message of a tool on the host, behind which the simulator's end, the NPU's driver or a refused launch may stand."""
    running, launching, failed = around.running, around.launching, around.failed
    if running and compiled(_ENDED_BY_SIGNAL).match(message):
        return _as(event, "simulator_crashed")
    if running and not around.typed and compiled(MADE).match(message):
        return None  # it tells who ended the run
    if event.kind == "host_error":
        if failed and compiled(_MADE_RUN).match(message):
            return None
        killed = compiled(_KILLED).match(message)
        if killed is not None:
            command = message[killed.end() :].strip()
            if (running or launching) and _runs_it(command):
                return _as(event, "simulator_crashed" if running else "launch_failed")
            if running or (command and not compiled(_TOOLS).search(command)):
                return None  # another program
        kind = next((kind for words, kind in _OF_THE_DRIVER if words in message), "")
        if kind and (running or kind == "driver_failed"):
            return _as(event, kind)
    if (running or launching) and message.startswith("terminate called after"):
        return _as(event, "exception_uncaught") if running else None  # how it ended comes after it
    return _as(event, "launch_failed") if _refuses(event, message, around) else event


def _refuses(event: Event, message: str, around: Around) -> bool:
    """Whether a launch was refused, by the words of a simulator, of its container or of the loader."""
    if around.launching and _says_no(message):
        return True
    of_licence = event.kind == "host_error" and not around.running and refused_licence(message)
    if of_licence and (around.launching or _of_server(message)) and not compiled(_COMPILER).search(message):
        return True
    if around.running:
        return False
    if message.startswith("Error: (E"):  # Fast Models number their errors
        return True
    return _names_its_part(message) or (_LOADER in message and any(name in message for name in _TARGETS))


def _of_shell(event: Event, message: str, around: Around) -> Event | None:
    """A shell or a loader could not start something: the simulator, a tool, or a program of which nothing is known."""
    if any(words in message for words in _CRLF) or (not around.running and compiled(_OF_SCRIPTS).match(message)):
        return _as(event, "host_error")
    if event.kind == "launch_maybe" and ".elf" not in message and compiled(_OF_FILES).match(message):
        return None
    if any(name in message for name in _TARGETS):
        return event if event.kind == "launch_failed" else _launch(event, message, around.running)
    if event.kind == "launch_failed" or any(words in message for words in _NOT_THERE):
        if message.startswith("-- "):
            return None  # a status of CMake, of something that may be there or not
        if compiled(_TOOLS).search(message):
            return _as(event, "host_error")
    unknown = _NO_COMMAND if event.kind == "launch_failed" else _NO_PROGRAM
    if not around.launching and compiled(unknown).match(message) is not None:
        return _as(event, "host_error")
    if event.kind == "launch_failed":
        return event
    refused = refused_licence(message) and (around.launching or _of_server(message))
    refused = refused or (around.launching and any(words in message for words in (*_BARE, "Address already")))
    return _launch(event, message, around.running) if refused else None


def _runs_it(command: str) -> bool:
    """Whether this is what ran the program, by the command that a shell shows: by its first word that is no wrapper.

    Names in its arguments tell nothing, but for the script of an interpreter: others read the log or take the program apart.
    """
    words: list[str] = []
    before = ""
    for word in command.split():
        if (words or before not in _WITH_VALUE) and not compiled(_WRAPPER).fullmatch(word):
            words.append(word)
        before = word
    if len(words) > 1 and compiled(_SHELL).fullmatch(words[0]):
        words = [words[1].rpartition("/")[2]]
    name = words[0].lower().strip("({;'\"") if words else ""  # a bracket alone: a shell of its own
    return not name or "$" in name or name.startswith("./") or any(target.lower() in name for target in _RUNS)


def _says_no(message: str) -> bool:
    """Whether a simulator, or its container, speaks so of a launch that it does not go on with; programs print errors too."""
    if message.rstrip('"').endswith("exec format error"):
        return True
    said = message.startswith(("Error: ", "ERROR: "))
    return said and ("arameter" in message or message.startswith(("FVP_", "VHT_"), len("Error: ")))


_ITS_PARTS = ("FVP_MPS", "FVP_Corstone", "FVP_Base", "VHT_MPS", "VHT_Corstone", "mps3_board.", "mps4_board.", "ethosu.")
"""Names of the simulators, and what the parts of theirs are called that have parameters."""


def _names_its_part(message: str) -> bool:
    """Whether a simulator refuses a parameter, by the names that only it knows, where its launch is not in the log."""
    said = "arameter" in message and message.startswith(("Error: ", "ERROR: "))
    return said and any(name in message for name in _ITS_PARTS)


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
    "warning", "error", "xterm", "display", "server", "port ", "licen", "fast models", "timing adapter", "@", "$",
)  # fmt: skip
"""Words of lines between a simulator's and its program's, by it and by what shows its windows, and of a shell's prompt."""


_OF_FAULT = frozenset(("own_fault", "fault_banner"))


_BOARD = rf"{ENVIRONMENT}[\w.-]{{1,32}}@imx93[\w-]{{0,40}}[: ]"
"""A prompt on an i.MX 93, whose systems have its name unless somebody gave them another."""


def note_text(draft: RunDraft, number: int, text: str, partial: bool = False) -> None:
    """A line of text without a meaning of ours: what ran before a runner started, or goes on behind an error message.

    One that is `partial` may be the beginning of any line, a runner's too.
    """
    if not draft.started:
        if not partial:
            _note_stranger(draft, number, text)
        return
    torn_element(draft, number, text)
    if "@imx93" in text[:80] and "target.prompts" in draft.lines and compiled(_BOARD).match(text) is not None:
        draft.seen.setdefault("board_prompt", number)
    note_interruption(draft, number, text)
    if draft.failed and "executor_runner" in text and compiled(_CALLED).search(text) is not None:
        draft.closed = True  # what comes next is of the program that is started here
    may_fault = "ault" in text or "AULT" in text or "tack" in text or not draft.seen.keys().isdisjoint(_OF_FAULT)
    if may_fault and note_own_fault(draft, number, text):
        draft.last_line = number
    elif text and draft.ended_at <= draft.last_line and ends_in_error(draft):
        if is_end(text) or is_remark(text):
            draft.ended_at = number
        elif number != draft.last_line + 1 or not text[:1].islower():  # else it is the rest of the message above it
            draft.gone_on = number


def _note_stranger(draft: RunDraft, number: int, message: str) -> None:
    """A simulator ran, and this line of its console is neither its own nor a runner's: where the first of them stands."""
    if draft.closed or "time_limit" in draft.seen or "stranger" in draft.seen or draft.ended_at:
        return
    if "fvp_npu" not in draft.seen:
        low = message.lower()
        if "fvp_terminal" not in draft.seen or any(word in low for word in _OF_ITS_HOST):
            return
    if is_remark(message) or is_prompt_of_user(message):
        draft.ended_at = number  # what comes behind a prompt is not the simulator's
    elif not is_end(message) and any(map(str.isalpha, message[:40])) and not message.startswith(_ABOUT_THE_SIMULATOR):
        draft.seen["stranger"] = number
