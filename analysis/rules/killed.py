"""Who killed a command: a time limit, a CI service or a person where the log says so; otherwise most often Linux, out
of memory.
"""

from __future__ import annotations

import re

from ..host.host_line import HostLine
from ..host.host_log import HostLog
from .causes import Explained, Failure, short

_NEAR = 24
"""Lines between a command that was killed and what tells who did it."""
KILLED = re.compile(
    r"\A(?:.{0,120}: line \d{1,6}: +\d{1,9} |\[\d{1,4}\][+-]? {1,3})?Killed\b(?! (?:signal|\())|exit code: -9\b|died with <Signals\.SIGKILL"
)
"""Words that say no more than that a process got the signal 9."""
_BY_KERNEL = "Killed process "
_TOLD = "timeout: sending signal "
_CANCELLED = re.compile(r"(?i:cancel)|ABORTED|shutdown signal|lost communication")
_LIMIT = re.compile(
    r"(?<![\w.-])timeout (?=[^\n|;&]{0,80}(?:(?:-s ?|--signal[= ])(?:SIG)?(?:KILL|9)\b|-k|--kill-after))(?P<what>(?:-\S{1,40} |[\dA-Z.]{1,10}[smhd]? ){1,6})"
)
"""A command that gets the signal 9 when its time is over."""
_TYPED = re.compile(r"(?:\A[$%>+]|\S[$#%>]|~ [$#%]|sudo) (?:p?kill|killall) -")
_NUMBER = re.compile(r"\A.{0,120}: line \d{1,6}: +(\d{1,9}) Killed")
_STATUS = re.compile(r"exit code 137\.\Z")

_MORE_TIME = "Give it more time (a compile of a large model takes minutes, and longer where jobs share a machine), and look above it for the step that stood still."


def _row(rule: str, title: str, advice: str) -> Explained:
    return Explained(Failure(rule, "", title, advice, (), 1), title, advice)


def killed_by(said: HostLine, log: HostLog, lines: list[HostLine]) -> Explained | None:
    """Who killed what this line says was killed; None where the log does not tell, or where the kernel names memory."""
    if KILLED.search(said.text) is None:
        return None
    near = [killer for killer in log.killers if abs(killer.line - said.line) <= _NEAR]
    if any(_BY_KERNEL in killer.text for killer in near) or any("oom" in line.text for line in lines):
        return None
    behind = [line for line in lines if line.kind == "job_timeout" and abs(line.line - said.line) <= _NEAR]
    if behind or any(killer.text.startswith(_TOLD) for killer in near):
        said_so = behind[0].text if behind else next(k.text for k in near if k.text.startswith(_TOLD))
        return _row("time-limit", short(f"A limit of time killed a command: {said_so.rstrip('.')}"), _MORE_TIME)
    if any(
        killer.line < said.line and _TYPED.search(killer.text) and _may_mean(killer.text, said.text) for killer in near
    ):
        return _row(
            "killed-by-hand",
            "Somebody killed a command (kill -9)",
            "Start it again, and let it come to its end: this says nothing about the model.",
        )
    if any(killer.line > said.line and _CANCELLED.search(killer.text) for killer in near):
        return _row(
            "job-stopped", "The CI job was cancelled, and its command was killed",
            "Run the job again; jobs of the same branch stop each other where the workflow has a concurrency group.",
        )  # fmt: skip
    above = [
        line
        for line in (*log.notes, *log.killers)
        if line.line <= said.line and line.kind in ("compile_command", "killer")
    ]
    newest = max(above, key=lambda line: line.line, default=None)
    if newest is None or newest.line < log.last_done < said.line:
        return None  # what had a limit came to its end
    limit = _LIMIT.search(newest.text)
    if limit is None:
        return None
    return _row(
        "time-limit", short(f"A command was killed: by its limit of time (timeout {limit['what'].strip()}), or for want of memory"),
        f"See whether it ran that long: then the limit did it. {_MORE_TIME} Else dmesg (Out of memory: Killed process) says how much memory it took.",
    )  # fmt: skip


def _may_mean(typed: str, said: str) -> bool:
    """Whether what was typed may have killed the process that the shell tells of: where both have a number, it is the same."""
    number = _NUMBER.search(said)
    given = re.findall(r" (\d{2,9})\b", typed)
    return number is None or not given or number[1] in given


def status_alone(log: HostLog) -> tuple[int, str]:
    """The line with the exit status of a killed command or cancelled job after a compile, and how it ended."""
    commands = [note for note in log.notes if note.kind == "compile_command"]
    ended = not commands or log.last_done > commands[-1].line
    for killer in () if ended else log.killers:
        if killer.line > commands[-1].line:
            if _STATUS.search(killer.text):
                limit = "by its limit of time (timeout) or " if _LIMIT.search(commands[-1].text) else "most often "
                return killer.line, f"it was killed (status 137), {limit}for want of memory"
            if killer.text.startswith(_TOLD):
                return killer.line, "its limit of time (timeout) ended it"
            if _CANCELLED.search(killer.text):
                return killer.line, "its CI job was cancelled"
    return 0, ""
