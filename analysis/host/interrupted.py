"""Who ended a program of Linux, or what make had started, before it was through: the keys that a terminal shows, and what shells, ssh and services say of signals."""

from __future__ import annotations

import re

from ..cleaning import compiled
from ..dividing.at_work import of_linux_runner
from ..draft import RunDraft
from .prompts import is_typed

_ECHO = r"(?:\^\[\[?[A-D]?|\^[A-BD-Z])*\^[C\\]"
"""What a terminal shows of a key that ends a program, and of others that were pressed before it."""
_RUNNER = r"\s.{0,200}\bexecutor_runner\b"
_BY_INTERRUPT = (
    rf"Quit(?: \(core dumped\))?\Z|Killed by signal [23]\.|KeyboardInterrupt\Z|.{{0,80}}\b(?:[Ii]nterrupt|Quit|quit){_RUNNER}|"
    r"(?:.{0,80}\W)?exit(?:ed)?(?: with)? (?:status|code):? 130\b|Script done\b.{0,80}COMMAND_EXIT_CODE=\"130\""
)
_BY_SIGNAL = rf"Terminated\Z|Hangup\Z|Killed by signal 15?\.|.{{0,80}}\b(?:[Tt]erminated|[Hh]angup){_RUNNER}"
MADE = r"(?:\^[C\\])*g?make(?:\[\d{1,3}\])?: \*\*\* \[[^\]]{1,200}(?<!\.[oad])(?<!\.obj|\.elf|\.axf|\.lib|\.bin|\.hex)\] (?:(Interrupt|Error 130)|(Terminated|Hangup|Error 129|Error 143))\b"
"""Make's words for the end of a command by a key or a signal: a run that goes on was that command, where it makes no file of a build."""
_SIGNS = ("$ ", "# ", "% ", ">")
"""One of them ends a prompt."""
_BEGINNINGS = ("Quit", "Killed by signal ", "KeyboardInterrupt", "Script done", "Terminated", "Hangup")
_WORDS = ("executor_runner", "exit")
"""Every such line begins so, or holds one of these: asked for each line that means nothing."""


def _may_tell(text: str) -> bool:
    return text.startswith(_BEGINNINGS) or any(word in text for word in _WORDS)


def interruption(text: str) -> str:
    """Who ended a program that a shell or ssh ran, in words, where this line proves that somebody did; else nothing."""
    key = compiled(_ECHO).match(text) if text[:1] == "^" else None
    if key is not None:
        return "someone pressed Ctrl+C" if key[0][-1] == "C" else "someone pressed Ctrl+\\"
    if (made := compiled(MADE).match(text)) is not None:
        return f"{'someone interrupted it' if made[1] else 'a signal ended it'} ({text.strip()[:80]})"
    if not _may_tell(text):
        return ""
    for words, who in ((_BY_INTERRUPT, "someone interrupted it"), (_BY_SIGNAL, "a signal ended it")):
        if compiled(words).match(text) is not None:
            return f"{who} ({text.strip()[:80]})"
    return ""


def may_be_interruption(text: str) -> bool:
    """Whether a line may tell so with other numbers in it."""
    return text[:1] == "^" or _may_tell(text) and bool(interruption(compiled(r"\b\d{1,3}\b").sub(_other_number, text)))


def _other_number(found: re.Match[str]) -> str:
    return {1: "2", 2: "15", 3: "130"}[len(found[0])]


_LOADING = ("load", "plan", "inputs")
_IN_INFERENCE = ("inputs_ready", "iteration")
"""What the runner says before an inference and after one: what ends it then, or while it loads, is told, however far below."""


def note_interruption(draft: RunDraft, number: int, text: str) -> None:
    """A line without a meaning below a run: where that stands in its inferences, or still loads, it may tell who ended it."""
    if draft.interruption.line or draft.completed or draft.failed:
        return
    by_make = "make" in text and not draft.closed and compiled(MADE).match(text) is not None
    if not by_make and not of_linux_runner(draft):
        if any(sign in text for sign in _SIGNS) and is_typed(text):
            draft.interruption.next_command = number
        return
    if not by_make and draft.last_event not in _IN_INFERENCE and draft.stage not in _LOADING:
        return
    if draft.interruption.next_command > draft.last_line and "executor_runner" not in text:
        return  # it was the next command that somebody ended
    who = interruption(text)
    if who:
        draft.interruption.line = number
        draft.doubt("interrupted", number, who)
    elif is_typed(text):
        draft.interruption.next_command = number
