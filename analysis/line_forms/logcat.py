"""Lines that ExecuTorch wrote to the log of an Android device, in the forms that its tools show them."""

from __future__ import annotations

from collections.abc import Callable

from ..cleaning import compiled

_LOGCAT_TAGS = ("ExecuTorch", "ETLOG", "LLAMA", "System.err")
"""Of the runtime, and of what an application does with an exception that it caught."""
_LOGCAT = (
    r"(?:(?:\d{4}-)?\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}(?: [+-]\d{4})?:? +)?(?:"
    r"\d{1,7} +\d{1,7} +(?P<thread>[VDIWEF]) (?:ExecuTorch|ETLOG|LLAMA|System\.err) *: "  # threadtime
    r"|(?:\d{1,7}-\d{1,7}/\S{1,120} )?(?P<brief>[VDIWEFA])/(?:ExecuTorch|ETLOG|LLAMA|System\.err) *(?:\( *\d{1,7}\))?: "  # time, brief
    r"|\d{1,7}-\d{1,7} +(?:ExecuTorch|ETLOG|LLAMA|System\.err) +\S{1,120} +(?P<studio>[VDIWEFA]) +"  # Android Studio
    r")"
)


def of_logcat(body: str, is_error: Callable[[str], bool]) -> tuple[str, str]:
    """The level and the message of a line that ExecuTorch wrote to the log of an Android device; two empty texts if none.

    `is_error` tells errors by their words. The runtime hands over the message alone: what names a file and a line on a console is not in this log.
    """
    if not any(tag in body[:200] for tag in _LOGCAT_TAGS):
        return "", ""
    found = compiled(_LOGCAT).match(body)
    if found is None:
        return "", ""
    level = found["thread"] or found["brief"] or found["studio"]
    if "System.err" in found.group():  # which is anyone's, and no word on how the runtime's run went
        level = "I"
    said = body[found.end() :].strip()
    if level == "I" and "ETLOG" in body[: found.end()]:
        level = _meant(said, is_error)
    return {"V": "D", "W": "I", "A": "F"}.get(level, level), said


def _meant(said: str, is_error: Callable[[str], bool]) -> str:
    """The level that a message of the first releases has: they write all of them to a device's log as information."""
    if said.startswith("In function ") and ", assert failed" in said:
        return "F"
    return "E" if is_error(said) else "I"
