"""The types of the values in templates: how the text of each is found, and what is made of it.

Apart from the tables of patterns, because a type says what a text may look like, and a template where it stands.
"""

from __future__ import annotations

import re
from collections.abc import Callable

Value = int | float | str | None


def _number(text: str) -> float | None:
    value = float(text)
    return value if -1e308 < value < 1e308 else None


def _element(text: str) -> float | None:
    return _number(text) if text.lstrip("-") != "inf" else float(text)


VALUE_TYPES: dict[str, tuple[str, Callable[[str], Value]]] = {
    "int": (r"-?\d{1,20}", int),
    "large": (r"\d{5,9}", str),  # the bytes of a program: what a test counts is less
    "commas": (r"\d{1,3}(?:,\d{3}){1,6}|\d{1,20}", lambda text: int(text.replace(",", ""))),
    "shape": (r"[\dx, ]{1,120}", str),
    "float": (r"-?(?:\d{1,40}(?:\.\d{0,40})?(?:[eE][+-]?\d{1,3})?|nan|inf)", _number),
    "element": (
        r"-?(?:\d{1,40}(?:\.\d{0,40})?(?:[eE][+-]?\d{1,3})?|nan|inf)",
        _element,
    ),  # of a tensor, where inf is a value
    "status": (r"(?:0x){0,2}:?[0-9a-fA-F]{1,16}", lambda text: int(text.replace(":", "").rsplit("x", 1)[-1], 16)),
    "code": (r"0x[0-9a-fA-F]{1,2}(?![0-9a-fA-F])", lambda text: int(text, 16)),  # a status of ExecuTorch as %x prints it: those of others have more digits
    "word": (r"[^\s,]+", str),
    "pointer": (r"(?:0x)?[0-9a-fA-F]{1,16}", str),
    "address": (r"(?<=\s)(?:(?:0x){1,2}[0-9a-fA-F]{1,16}|[0-9a-fA-F]{6,16})(?!\w)", str),
    "name": (r"[\w.:\-]+", str),
    "flag": (r"true|false", str),
    "qualified": (r"\w[\w.]{0,80}::[\w.:]{1,120}", str),
    "first": (r"(?<![\w.:\-])[\w.:\-]+(?=\s)", str),  # a whole name, for rows that begin with one anywhere
    "callee": (
        r"(?:operator\(\)|\(anonymous namespace\)|[^(\n])+(?=\()",
        str,
    ),  # a function of C++ before its arguments
    "tag": (r"\A(?:\[[\w .-]{1,40}\]){1,3}", str),
    "raised": (r"\A[A-Z]\w{1,80}(?=\s)", str),  # an exception, as IPython names it in front
    "caller": (r"\A\w[\w.-]{0,60}(?=:)", str),
    "torn": (r"\A\w{1,24}", str),  # what another task had printed of its own line before this one
    "label": (r"\A(?:[\w-]{1,32} ){0,6}", str),
    "place": (r"ethosu_\w{1,40}\.c:\d{1,6}:", str),  # in the NPU's driver
    "meter": (r"\A(?:[\d :.kMGT-]{0,200}[\d-]:(?:\d\d|--)[\d :.kMGT-]{0,60})?", str),  # curl's, where its error comes on the same line
    "shell": (
        r"\A(?![+#/*>-]{1,3} |\d{1,6}:)(?:[A-Za-z]:)?[^\s:'\"`]{1,200}: (?:(?:line )?\d{1,6}: )?(?:[^\s:'\"`]{1,200}: )?",
        str,
    ),  # what stands before a shell's words
    "script": (
        r"\A(?![+#/*>-]{1,3} )(?:[A-Za-z]:)?[^\n:'\"`]{1,200}: (?:line )?\d{1,6}:",
        str,
    ),  # the same with a line's number
    "python": (r"\A(?![+#/*>-]{1,3} )(?:(?:[A-Za-z]:)?[^\n:'\"`]{0,200}[/\\])?python[\w.]{0,12}:", str),
    "linker": (r"\A(?:[A-Za-z]:)?[^\s:'\"`]{0,200}\bld(?:\.\w{1,5})?:", str),
    "logged": (
        r"\A(?:\[[^\]\n]{1,120}\] ?|[A-Z]{1,8}:[\w.]{0,60}: ?|[A-Z]{1,8} +)?",
        str,
    ),  # a level, by a logger of Python
    "backend": (r"[A-Za-z]\w{0,39}Backend(?!\w)", str),
    "port": (
        r"/dev/(?:tty(?:ACM|USB|AMA|LP|mxc|S)\d{1,3}|(?:tty|cu)\.usb[\w-]{1,60}|serial/by-id/[\w.+:-]{1,120})(?<![.:])|COM\d{1,3}",
        str,
    ),  # of a cable: a pseudo-terminal may be an emulator's
    "chip": (r"[A-Z][A-Z-]{0,15}\d[\w-]{1,40}", str),  # as probes call them; what else computes has names such as cuda:0
    "printed": (r"-?\d{1,9}\.\d{6}(?!\d)", _number),  # as %f does: a list that somebody wrote has no such figures
    "mounted": (r"/(?:spiffs|littlefs|fatfs|sdcard)/[^\s()]{1,200}", str),  # a file where ESP-IDF mounts its partitions: any program cannot open a file
    "position": (r"\S{1,400}:\d{1,9}:\d{1,9}", str),
    "symbol": (
        r"(?!\s{0,4}[`'\"\u2018][^`'\"\u2019\n]{1,400}['\"\u2019][.,]? [a-z]{1,20},? [a-z])",
        str,
    ),  # before what a linker names last, behind which only somebody's sentence goes on
    "bracket": (r"\]", str),
    "end": (r"\Z", str),  # for rows that match anywhere
    "fvp": (r"3\d\d(?:_Ethos-U\d\d)?(?!.*\.num_macs=)(?=\s+(?:-\w|\\\s*\Z|\S{1,255}\.(?:axf|elf)\b))", str),
    "operator": (r"(?<![\w.-])[A-Z][A-Z0-9_]{1,63}", str),
    "counter": (r"\A(?:NPU\s{1,4})?ETHOSU_PMU_[A-Z0-9_]{1,63}(?=\s)", str),  # in a table's first column
    "counted": (r"(?:ACTIVE|IDLE|TOTAL)(?=\s)", str),  # cycles of the NPU, in the same place
    "base64": (
        r"[A-Za-z0-9+/=.]*(?:(?<=[A-Za-z0-9+/=]{16})[^\s.A-Za-z0-9+/=\"]+(?:[A-Za-z0-9+/=.]+[^\s.A-Za-z0-9+/=\"]+)*[A-Za-z0-9+/=.]*)?",
        str,
    ),  # with damage in it, once it has begun; no character is in both classes, or a long line takes the square of its length
    "unfinished": (
        "|".join(" failed with status 0x"[:length] for length in range(22, 1, -1)),
        str,
    ),  # what is left of these words where a screen or a page broke the line
    "closing": ("|".join(re.escape(" | base64 -d >"[:length]) for length in range(14, -1, -1)), str),  # what is left of a shell's words behind a block that a log ends in
    "failed": (
        r"(?=\S{9,13}\s)\S{0,8}(?:Test_|esult)\S{0,8}\s+(?:F\S?IL|FA\SL|\SAIL|FAI\S?|FAL|AIL)(?!\w)",
        str,
    ),  # one damage a word
    "scrap": (r"\S{0,16}?", str),
    "ended": (r"", str),  # printed as characters, of which the first is a zero that ends the line
    "text": (r".*?", str),
    "rest": (r".*", str),
    "clipped": (r"(?:(?!\):).)*", str),  # a condition whose end was cut off, with its bracket
}  # fmt: skip
SOURCES = {name: regex for name, (regex, _) in VALUE_TYPES.items()}
"""The expressions alone."""
