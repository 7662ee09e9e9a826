"""The table of all format strings of ExecuTorch's runners, and how a format becomes the line that a target prints."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

RELEASES = ("v0.1.0", "v0.2.0", "v0.2.1", "v0.3.0", "v0.4.0", "v0.5.0", "v0.6.0", "v0.7.0", "v1.0.0", "v1.0.1", "v1.1.0",
            "v1.2.0", "v1.3.0", "v1.3.1", "v1.4.0", "v1.4.1", "main")  # fmt: skip

_SPEC = re.compile(
    r"%%|%(?P<flags>[-+ 0#]*)(?P<width>\d*)(?:\.(?P<precision>\d+))?"
    r"(?:\{(?P<macro>\w+)\}|(?P<length>hh|h|ll|l|z|j|t)?(?P<type>[diuxXfcsp]))"
)
_MACROS = {"PRIx32": "x", "PRIu32": "u", "PRIu64": "U", "PRId64": "D", "PRId8": "d", "PRIi32": "d",
           "ET_PRIsize_t": "u", "ET_PRIssize_t": "d"}  # fmt: skip
_ESCAPES = (("\\n", "\n"), ('\\"', '"'), ("\\x04", "\x04"), ("\\04", "\x04"), ("\\t", "\t"), ("\\\\", "\\"))

CHECKS = ("ET_CHECK_MSG", "ET_DCHECK_MSG")
"""Macros whose failure prints an F line and aborts."""
RETURNS = ("ET_CHECK_OR_RETURN_ERROR", "ET_CHECK_OK_OR_RETURN_ERROR")
"""Macros whose failure prints an E line."""


class Row(NamedTuple):
    group: str
    macro: str
    level: str
    versions: tuple[str, ...]
    format: str

    @property
    def letter(self) -> str:
        """The level that the log shows for it; "" for a plain printf."""
        if self.macro in CHECKS:
            return "F"
        if self.macro in RETURNS:
            return "E"
        return self.level[:1]


class Argument(NamedTuple):
    """One printed argument: its conversion, and its value as a number where it is one."""

    type: str
    text: str
    value: float | int | str


def rows(table: Path) -> list[Row]:
    with table.open(encoding="utf-8", newline="") as file:
        found = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [
            Row(r["group"], r["macro"], r["level"], _releases(r["versions"]), r["format"])
            for r in found
            if r["group"] != "group"
        ]


def _releases(text: str) -> tuple[str, ...]:
    names: list[str] = []
    for part in text.split(","):
        first, _, last = part.strip().partition("..")
        names += RELEASES[RELEASES.index(first) : RELEASES.index(last or first) + 1]
    return tuple(names)


def unescaped(text: str) -> str:
    for escape, character in _ESCAPES:
        text = text.replace(escape, character)
    return text


NUMBERS = {
    "small": (3, 4, 5, 6, 7, 8),
    "zero": (0,) * 6,
    "large": (2_147_483_641, 2_147_483_642, 2_147_483_643, 2_147_483_644, 2_147_483_645, 2_147_483_646),
    "huge": (123_456_789_011, 123_456_789_012, 123_456_789_013, 123_456_789_014, 123_456_789_015, 123_456_789_016),
    "negative": (-9, -10, -11, -12, -13, -14),
}
"""Values by the name of their set; "huge" is for 64 bits, "negative" for signed conversions."""
_WIDE = ("U", "D", "llu", "lld")
_POOL = {"small": (3, 8, 5, 37), "zero": (0, 0, 0, 0), "large": (1_000_000_000, 2_000_000_000, 1_000_000_000, 50)}
"""used, capacity, free and percent must fit together, or the report rightly refuses them."""


def render(row: Row, numbers: str, words: tuple[str, ...] = ("forward",)) -> tuple[str, list[Argument]] | None:
    """The message that this row prints with one set of values; None where a conversion cannot print such a value."""
    text = unescaped(row.format).replace("0x%x{PRIx32}", "0x%xPRIx32")
    values = list(_POOL.get(numbers, ()) if "%lu / %lu" in text or "%zu / %zu" in text else NUMBERS[numbers])
    strings = list(words)
    arguments: list[Argument] = []
    impossible = not values

    def one(match: re.Match[str]) -> str:
        nonlocal impossible
        if match.group() == "%%":
            return "%"
        kind = _MACROS.get(match["macro"] or "", None) or f"{match['length'] or ''}{match['type']}"
        if kind.endswith("s"):
            word = strings.pop(0) if len(strings) > 1 else strings[0]
            word = word[: int(match["precision"])] if match["precision"] else word
            arguments.append(Argument("s", word, word))
            return word
        if kind == "c":
            arguments.append(Argument("c", "E", "E"))
            return "E"
        if kind == "p":
            arguments.append(Argument("p", "0x70000000", "0x70000000"))
            return "0x70000000"
        value = values.pop(0) if values else 1
        signed = kind.lower().endswith(("d", "i", "f"))
        if (value < 0 and not signed) or (abs(value) > 1 << 32 and not (kind in _WIDE or kind.endswith("f"))):
            impossible = True
        if kind.endswith("f"):
            shown = f"{value + 0.25:.{int(match['precision'] or 6)}f}"
            arguments.append(Argument("f", shown, float(shown)))
        elif kind.lower().endswith("x"):
            shown = f"{value:0{int(match['width'] or 0)}x}"
            arguments.append(Argument("x", shown, value))
        else:
            shown = (" " if " " in match["flags"] else "") + str(value)
            arguments.append(Argument("d", shown, value))
        return shown

    message = _SPEC.sub(one, text)
    return None if impossible else (message, arguments)


PREFIXES = (
    ("v0.1.0", "v0.3.0", "{level} executorch:runner.cpp:64] {text}"),
    ("v0.4.0", "v0.6.0", "{level} [executorch:arm_executor_runner.cpp:64] {text}"),
    ("v0.7.0", "v1.1.0", "{level} [executorch:arm_executor_runner.cpp:64 main()] {text}"),
    ("v1.2.0", "main", "{level} [executorch:arm_executor_runner.cpp:64 run_model()] {text}"),
)
"""What the Arm runner puts before a message, by release."""
_LINUX = "{level} 00:00:01.000123 executorch:executor_runner.cpp:64] {text}"
_ZEPHYR = ("{level} [executorch:main.cpp] {text}", "{level} [executorch:main.cpp:64 main()] {text}")
_PORTS = ("{level} [arm_executor_runner.cpp:64] {text}",)


def printed(row: Row, message: str) -> Iterator[str]:
    """The message as the console shows it, with every prefix of the releases and ports that print it, and with none."""
    if not row.level and row.macro not in (*CHECKS, *RETURNS):
        yield message
        return
    letter = row.letter
    text = f"In function f(), assert failed (ok): {message}" if row.macro in CHECKS else message
    if row.group == "linux_executor_runner":
        yield _LINUX.format(level=letter, text=text)
        return
    if row.group.startswith("zephyr"):
        forms: tuple[str, ...] = _ZEPHYR
    else:
        forms = tuple(
            form
            for first, last, form in PREFIXES
            if set(row.versions) & set(RELEASES[RELEASES.index(first) : RELEASES.index(last) + 1])
        )
        forms += _PORTS
    for form in forms:
        yield form.format(level=letter, text=text)
    if letter not in "EF":
        yield text
