"""What programs that watch a console say of it: they quote what they have read, which was printed once and not again."""

from __future__ import annotations

from ..cleaning import compiled

_QUOTES = (
    r"(?:E +)?(?:buffer|before|after) (?:\(last \d{1,7} chars\))?: (?:b?['\"]|<)"  # pexpect
    r"|expect\d{0,3}: does \""  # Expect that was told to show what it compares
    r"|expect\d{0,3}: set expect_out\("
    r"|.{0,80}[\u2190\u26a0] \w{1,60}\.\w{1,60}\(.{0,200}\) (?:result=|\[|exception=)"  # a step of labgrid
    r"|.{0,80}\bRead \d{1,7} bytes: b['\"]"  # its driver
    r"|escaped msg: '|inputname: .{1,80} rawmsg: '"  # rsyslog that writes all that it knows of a message
    r"|(?:<msg [^>]{1,160}>)?(?:Return: |Arguments: \[ )[b'\"]|window\.output\["  # Robot Framework, and the page that it makes
)
_LOOKED_INTO = (
    r"(?:E +)?(?:[\w.]{1,80}\.)?AssertionError: [^\n]{1,400}? (?:unexpectedly found in|not found in|!=) b?['\"]"
)
"""An assertion of unittest, behind which all that it looked into stands in one line."""
_EXPLAINED = r"(?:[-*+]|\d{1,3}[.)])\s{1,4}(?:\*\*)?`[^`]{1,400}`(?:\*\*)?\s?(?:[:\u2013\u2014-]|means|says)\s?(?=\S)"
"""An item of a page that names what a reader may meet, and says what it is."""
_ITEMS = frozenset("-*+0123456789")
"""What such an item begins with."""


def without_quotes(row: str) -> str:
    """The row up to what it quotes."""
    quote = compiled(_QUOTES).match(row)
    return row if quote is None else quote.group()


def is_quoted(message: str, at: int) -> bool:
    """Whether what begins `at` this place of a line was said before, in a line of its own."""
    if message[0] == "|" and "`" in message[:at] and message.rstrip()[-1:] == "|":
        return True  # a table of a report has one error of each of many runs
    if message[0] in _ITEMS and "`" in message[:at] and compiled(_EXPLAINED).match(message) is not None:
        return True
    if "\\n" in message[at:] and compiled(_LOOKED_INTO).match(message[:at]) is not None:
        return True
    return compiled(_QUOTES).match(message[:at]) is not None
