"""Where a program of a terminal has ended: prompts of shells, what was typed there, and last words of what captured it."""

from __future__ import annotations

from ..cleaning import compiled

ENVIRONMENT = r"(?:\([\w .-]{1,40}\) )?"
_HOST = r"[\w.-]{1,40}@[\w.-]{1,60}[: ]\S{0,80} ?"
_BARE_SHELL = r"(?:ba|da|z)?sh-[\d.]{1,6}"
_USER = rf"{ENVIRONMENT}{_HOST}[$#%]"
"""The prompt of a shell that names a user and a host."""
_ENDED = (
    rf"\S{{0,80}}[$#%>] ?\Z|{_USER} |"
    r"\^C|##\[error\]|end: \d|FAILED |PASSED\Z|"
    r"(?:.{0,80}\W)?exit(?:ed)?(?: with)? (?:status|code)\b|`{3,}\Z|</\w{1,10}>|Disconnected\Z|Terminating\.\.\.\Z|Thanks for using picocom|"
    r"Script done\b|section_end:|\.\Z|logout\Z|\[(?:exited|screen is terminating)\]|real +\d|={3,} .{0,80} ={3,}\Z|"
    r"[-*~#=]{3,60} ?(?:.{0,40}\W)?(?i:end|log|capture|closed)(?:\W.{0,40})? ?[-*~#=]{3,}\Z|make(?:\[\d{1,3}\])?: (?:Leaving directory|\*\*\*) "
)
"""A prompt, Ctrl-C, the last words of terminal programs and of `time`, a fence, and what CI services and tests print where a
program has ended."""


def is_end(text: str) -> bool:
    """Whether a program has ended above this line, by what terminal programs, shells and services print then."""
    return compiled(_ENDED).match(text) is not None


def is_prompt_of_user(text: str) -> bool:
    """Whether a shell's prompt that names user and host stands here, perhaps with what was typed."""
    return compiled(rf"{_USER}(?: |\Z)").match(text) is not None


_PROMPT = rf"{ENVIRONMENT}(?:{_HOST}|{_BARE_SHELL}|\S{{0,60}}[:~]\S{{0,60}}|)[$#>%] ?\Z"


def is_prompt(text: str) -> bool:
    """Whether this is a shell's prompt: behind it no line end comes before somebody types."""
    return compiled(_PROMPT).match(text) is not None


_TYPED = rf"(?:{_USER} ?|{ENVIRONMENT}(?:{_BARE_SHELL})?\$ |(?:PS )?[A-Z]:\\[^>\n]{{0,120}}(?<![-= ])> ?)[\w./~]"


def is_typed(text: str) -> bool:
    """Whether somebody gave a shell its next command here."""
    return compiled(_TYPED).match(text) is not None
