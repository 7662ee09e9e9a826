"""Removes from untrusted text whatever could steer a terminal or hide. Everything that is shown has passed through
here.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

compiled: Callable[[str], re.Pattern[str]] = cache(re.compile)
"""Compiles a pattern when it is first needed: most captures need few of them, and compiling all would delay every
start.
"""

_ESCAPE = (
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]+[0-~]|[0-Z\\^-~])?"
    r"|\x9b[0-?]*[ -/]*[@-~]|[\x90\x98\x9d-\x9f][^\x07\x9c]*[\x07\x9c]?"
)
_INVISIBLE = (*range(0x00, 0x09), *range(0x0A, 0x20), *range(0x7F, 0xA0), 0xAD, 0x061C, 0xFEFF)
_INVISIBLE += (*range(0x200B, 0x2010), *range(0x2028, 0x202F), *range(0x2060, 0x2070), *range(0xFFF9, 0xFFFC))
_DROP: dict[int, str | None] = {**dict.fromkeys(_INVISIBLE), 0x09: " ", 0xA0: " "}
_DROP.update(dict.fromkeys((*range(0xE0000, 0xE0080), *range(0x180B, 0x1810), *range(0x1BCA0, 0x1BCA4))))
_DROP.update(dict.fromkeys((0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0)))  # they count as printable
_DROP.update(dict.fromkeys((*range(0xFE00, 0xFE10), *range(0x1D173, 0x1D17B))))
_DROP.update(dict.fromkeys(range(0xD800, 0xE000), "\ufffd"))
_DROP.update(dict.fromkeys((*range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000), " "))  # of any width


def clean(text: str) -> str:
    """Remove everything that is not plain text; a tab becomes a space."""
    if text.isascii() and text.isprintable():  # some others have no glyph all the same
        return text
    if not text.isprintable() and ("\x1b" in text or not text.isascii()):  # or nothing in it begins a sequence
        text = compiled(_ESCAPE).sub("", text)
    return text.translate(_DROP)


_ENTITIES = {
    b"amp": b"&", b"lt": b"<", b"gt": b">", b"quot": b'"', b"apos": b"'", b"nbsp": b" ", b"ensp": b" ", b"emsp": b" ", b"thinsp": b" ",
    b"lsqb": b"[", b"rsqb": b"]", b"lbrack": b"[", b"rbrack": b"]", b"lbrace": b"{", b"rbrace": b"}", b"lcub": b"{", b"rcub": b"}",
    b"lowbar": b"_", b"colon": b":", b"vert": b"|", b"ndash": b"-", b"minus": b"-", b"times": b"x", b"hellip": b"...",
    b"lsquo": b"'", b"rsquo": b"'", b"ldquo": b'"', b"rdquo": b'"',
}  # fmt: skip
"""What a web page makes of characters, besides their numbers."""
_ENTITY = rb"&(?:#(\d{1,6})|#[xX]([0-9a-fA-F]{1,5})|([A-Za-z]{2,6}));"


def without_entities(raw: bytes) -> bytes:
    """The line as it was before a web page replaced its characters by entities."""
    return re.sub(_ENTITY, _character, raw)


def _character(entity: re.Match[bytes]) -> bytes:
    decimal, hexadecimal, name = entity.groups()
    if name:
        return _ENTITIES.get(name, entity.group())
    number = int(decimal) if decimal else int(hexadecimal, 16)
    return chr(number).encode("utf-8", "replace") if number >= 0x20 else b" "


_OCTAL = r"#(?:033\[[\d;]{0,12}[A-Za-z]|0[0-3][0-7]|177)"


def without_octal(text: str) -> str:
    """The line without control characters that syslog wrote in octal, and without the terminal sequences they begin."""
    return compiled(_OCTAL).sub(lambda mark: " " if mark[0] == "#011" else "", text).strip()


_SET = {0x2018: "'", 0x2019: "'", 0x201C: '"', 0x201D: '"', 0x2026: "..."}
_SET.update(dict.fromkeys((0x2010, 0x2011, 0x2012, 0x2013, 0x2212), "-"))
_WIDE: dict[int, str] = {wide: chr(wide - 0xFEE0) for wide in range(0xFF01, 0xFF5F)}
_SET_OPTION = r"(?<![^\s\"'`(\[])[\u2013\u2014](?=[A-Za-z][\w-])"
_SET_PRODUCT = r"(?<=\d)\u00d7(?=[\dA-Fa-f])"


_WESTERN = bytes(range(0x80, 0xA0)).decode("cp1252", "ignore")
"""Characters of Windows' code page in place of controls; it leaves five of those."""
_READ_AS_WESTERN = rf"\u00f0[\x80-\u00bf{_WESTERN}]{{3}}|[\u00e2\u00ef][\x80-\u00bf{_WESTERN}]{{2}}"
"""Three or four bytes of UTF-8 that a terminal showed as so many characters: signs and pictures."""


def _as_sent(found: re.Match[str]) -> str:
    sent = b"".join(char.encode("cp1252" if char in _WESTERN else "latin-1") for char in found[0])
    try:
        return sent.decode()
    except UnicodeDecodeError:
        return found[0]


def as_typed(text: str) -> str:
    """The text as a program wrote it, without the typographic marks that a forum or an editor put in, and as UTF-8 if it was read as no such."""
    if text.isascii():
        return text
    if "\u00e2" in text or "\u00f0" in text:
        text = compiled(_READ_AS_WESTERN).sub(_as_sent, text)
    if "\u2013" in text or "\u2014" in text:
        text = compiled(_SET_OPTION).sub("--", text)
    text = compiled(_SET_PRODUCT).sub("x", text).translate(_SET)
    narrow = text.translate(_WIDE)
    return narrow if narrow.isascii() else text  # in a sentence of Chinese such marks are its own


_NOISE = r"(?:\ufffd[^\w\s*\[\ufffd]{0,3}){2,4096}(?=\*{3} |[A-Z]{1,3}[a-z -]|[A-Z]\w{0,15}-[A-Z]|[EWI]: |\[[A-Z])"


def without_noise(body: str) -> str:
    """The line without the garbage that a serial line gives when it is switched on, if words follow the garbage."""
    found = compiled(_NOISE).match(body) if body[:1] == "\ufffd" else None
    return body if found is None else body[found.end() :]


_SHOWN_SIGNS = ("\u240a".encode(), "\u240d".encode(), "\u21b5".encode(), "\u00b6".encode())
"""Signs that editors show for the end of a line."""
SHOWN_ENDS = frozenset(
    (b"^M", b"M$", rb"\n", rb"\r", b"r>", b"n>", b"/>", b"F>", b"R>", b"e>", b"t>", b"s>", b"g>", b"0m", b"9m", b"[m")
)
SHOWN_ENDS |= {sign[-2:] for sign in _SHOWN_SIGNS}
"""The last bytes of lines whose end `without_shown_end` may take off."""


_SHOWN_MARKS = (
    b"<CR><LF>",
    b"<LF>",
    b"<CR>",
    rb"<\r><\r><\n>",
    rb"<\r><\n>",
    rb"<\n>",
    rb"<\r>",
    b"<br>",
    b"<br/>",
    b"<br />",
    b"</code></pre>",
    b"</pre>",
)


_SHOWN_ELEMENTS = rb"(?:\]\]>)?(?:</(?:system-(?:out|err)|failure|error|msg)>)(?:</\w{1,16}>){0,6}\Z"
"""Elements of a file of test results that may stand at the end of an output line."""


_SHOWN_COLOUR = (
    rb"(?:\^\[|\\(?:x1[bB]|033|e|u001[bB])|\xe2\x90\x9b|\xef\xbf\xbd|\xe2\x86\x90)\[(?:\d{1,3}(?:;\d{1,3}){0,5})?m"
    rb"|\[\d{1,3}(?:;\d{1,3}){0,5}m(?!s?\])|\[m\Z"
)
"""What is left of a colour where the escape character is shown as text, or was lost."""


def without_shown_end(raw: bytes) -> bytes:
    """The line without its end, where that stands there once more as text: `^M` of an editor, `\\r\\n` of Python, `<br>`;
    without the mark, or the fence, that ends code of several lines; and without colours, where the end of one is text."""
    if raw.endswith(b"m"):
        if b"\x1b" in raw or re.search(rb"\[(?:[34]?9|0{0,2})m\Z", raw) is None:
            return raw
        return re.sub(_SHOWN_COLOUR, b"", raw)
    if raw.endswith(b"`"):
        fence = raw.endswith(b"```") and raw[-4:-3].strip(b" \t>")  # alone in its line it ends no other
        marks = 3 if fence else 1
        return raw[:-marks].rstrip() if raw.count(b"`") == marks else raw
    if raw.endswith(b">"):
        raw = raw[: next((-len(mark) for mark in _SHOWN_MARKS if raw.endswith(mark)), len(raw))]
        return re.sub(_SHOWN_ELEMENTS, b"", raw) if b"</" in raw else raw
    while raw.endswith(_SHOWN_SIGNS):
        raw = raw[: -len(next(filter(raw.endswith, _SHOWN_SIGNS)))]
    end = len(raw) - raw.endswith(b"^M$")
    if raw.endswith(b"^M", 0, end):
        return raw[: _before(raw, b"^M", end)]
    end = _before(raw, rb"\r", _before(raw, rb"\n", len(raw)))
    if raw[end : end + 1] == b"\\" and b"\\" in raw[:end].rpartition(b" ")[2]:
        return raw  # a path of Windows
    return raw[:end]


def _before(raw: bytes, text: bytes, end: int) -> int:
    """Where what ends there begins to consist of this text alone."""
    while raw.endswith(text, 0, end):
        end -= len(text)
    return end


_INERT = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_:.")


def in_command(text: str | None, otherwise: str = "", beside: str = "") -> str:
    """A text of the log where it is safe inside a command that a reader copies; else `otherwise`.

    Letters, digits and `_:.` mean nothing to a shell, nor does a hyphen that is not in front; `beside` are further
    characters to allow.
    """
    rest = "" if text is None else "".join(c for c in text if c not in beside)
    return text if text and rest[:1] in _INERT and _INERT.issuperset(rest.replace("-", "")) else otherwise
