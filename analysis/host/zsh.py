"""What zsh and fish say of commands, in the order of words that other shells have: they name the command last."""

from __future__ import annotations

import re

_WORDS = {
    "command not found": "command not found",
    "no such file or directory": "No such file or directory",
    "permission denied": "Permission denied",
    "bad CPU type in executable": "Bad CPU type in executable",
    "exec format error": "cannot execute binary file: Exec format error",
}
_SAID = re.compile(rf"\Azsh(?::\d{{1,6}})?: (?P<what>{'|'.join(_WORDS)}): (?P<name>\S{{1,300}})\s*\Z")
_ENDED = re.compile(
    r"\Azsh(?::\d{1,6})?: (?P<how>killed|terminated|segmentation fault|abort|bus error|illegal hardware instruction) +(?:\(core dumped\) +)?(?P<command>\S.*)",
    re.DOTALL,
)
_FISH = "fish: Unknown command: "
_ENDINGS = {"abort": "Aborted", "illegal hardware instruction": "Illegal instruction"}


def as_others(message: str) -> str:
    """The message as bash has it, or as it is."""
    said = _SAID.match(message)
    if said is not None:
        return f"zsh: {said['name']}: {_WORDS[said['what']]}"
    if message.startswith(_FISH):
        return f"fish: {message[len(_FISH) :].strip()}: command not found"
    ended = _ENDED.match(message)
    if ended is None:
        return message
    how = _ENDINGS.get(ended["how"], ended["how"].capitalize())
    return f"zsh: line 1: 1 {how}    {ended['command']}"
