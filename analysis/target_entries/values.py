"""Readers of single values of a target's entry: each gives the value as it is kept, or says what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from ..meaning.assumptions import parse_hz
from ..units import is_number, parse_bytes
from .problem import one_of, quoted

PLACEHOLDERS = ("artefact", "elf", "address", "target", "port", "host")
"""What `{...}` in the words of a command stands for."""
MEMORIES = (
    "sram", "socmem", "npu_sram", "ocram", "itcm", "dtcm", "tcm", "bram", "brom", "mram", "flash", "qspi", "rram", "ddr",
)  # fmt: skip
"""As boards name theirs; external RAM of any kind is `ddr`."""
_TEXT_LIMIT = 4096
_WORDS_LIMIT = 256
_MOST_BYTES = 1 << 50
_SCHEMES = ("socket", "rfc2217", "spy", "loop", "hwgrep", "alt", "cp2110")
_MARKS = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")


class Wrong(ValueError):
    """A value that cannot be taken: what is wrong, and what to do."""

    def __init__(self, text: str, advice: str) -> None:
        super().__init__(text)
        self.text, self.advice = text, advice


def text(value: object) -> str:
    """Any text that can be an argument or a path."""
    if not isinstance(value, str):
        raise Wrong(f"{quoted(value)} is not a text", 'write it in quotes, as in "text"')
    if not value.strip():
        raise Wrong("is empty", "give a value, or leave the key out")
    if "\0" in value or len(value) > _TEXT_LIMIT:
        raise Wrong(f"{quoted(value)} is too long or contains a NUL", f"give at most {_TEXT_LIMIT} characters")
    return value


def choice(known: Iterable[str]) -> Callable[[object], str]:
    """One of these words, in any case."""
    names = tuple(known)

    def read(value: object) -> str:
        given = text(value)
        word = next((name for name in names if name.lower() == given.strip().lower()), None)
        if word is None:
            raise Wrong(f"{quoted(given)} is not known", one_of(given, names))
        return word

    return read


def boolean(value: object) -> bool:
    """`true` or `false`."""
    if not isinstance(value, bool):
        raise Wrong(f"{quoted(value)} is neither true nor false", "write true or false, without quotes")
    return value


def whole(least: int, most: int) -> Callable[[object], int]:
    """A whole number within limits."""

    def read(value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            raise Wrong(f"{quoted(value)} is not a whole number", "write it without quotes, as in 115200")
        if not least <= value <= most:
            raise Wrong(f"{quoted(value)} is out of range", f"give {least} to {most}")
        return value

    return read


def seconds(value: object) -> float:
    """A time above 0."""
    if not is_number(value) or not 0 < value < 1e9:
        raise Wrong(f"{quoted(value)} is not a time", "give a number of seconds above 0, without quotes")
    return float(value)


def clock(value: object) -> float:
    """ "400MHz", or hertz as a number."""
    if isinstance(value, str) or is_number(value):
        try:
            return parse_hz(value if isinstance(value, str) else repr(value))
        except ValueError:
            pass
    raise Wrong(f"{quoted(value)} is not a clock frequency", 'write "400MHz", "1GHz" or hertz, from 1 kHz to 10 GHz')


def address(value: object) -> str:
    """0x70000000, or the same as a text."""
    number = value
    if isinstance(value, str):
        try:
            number = int(value, 0)
        except ValueError:
            number = None
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < 1 << 32:
        raise Wrong(f"{quoted(value)} is not a 32-bit address", "write it like 0x70000000")
    return f"{number:#010x}"


def sizes(value: object) -> tuple[tuple[str, int], ...]:
    """Memories with their sizes: `{ sram = "4MiB", ddr = 67108864 }`."""
    if not isinstance(value, dict):
        raise Wrong(f"{quoted(value)} names no memories", 'write { sram = "4MiB", flash = "2MiB" }')
    found = []
    for name, given in value.items():
        if name not in MEMORIES:
            raise Wrong(f"{quoted(name)} is not a memory", f"{one_of(name, MEMORIES)} (external RAM is ddr)")
        size = parse_bytes(given) if isinstance(given, str) else given
        if not isinstance(size, int) or isinstance(size, bool) or not 0 < size <= _MOST_BYTES:
            raise Wrong(f"{name} = {quoted(given)} is not a size", 'write "512KiB", "4MiB" or a number of bytes')
        found.append((name, size))
    return tuple(found)


def texts(value: object) -> tuple[str, ...]:
    """One text, or a list of them."""
    if isinstance(value, list):
        if len(value) > _WORDS_LIMIT:
            raise Wrong(f"has {len(value)} entries", f"give at most {_WORDS_LIMIT}")
        return tuple(text(one) for one in value)
    return (text(value),)


def words(value: object) -> tuple[str, ...]:
    """A command as a list of its words; a text would need a shell, which is never used."""
    if not isinstance(value, list):
        raise Wrong(f"{quoted(value)} is not a list of words", 'write a command as ["program", "argument", ...]')
    if not 0 < len(value) <= _WORDS_LIMIT:
        raise Wrong(f"has {len(value)} words", f"give 1 to {_WORDS_LIMIT}")
    found: list[str] = []
    for word in value:
        if word == "" and found:
            found.append(word)  # an empty argument is one; an empty program is not
            continue
        found.append(_filled(text(word)))
    return tuple(found)


def _filled(word: str) -> str:
    for mark in _MARKS.finditer(word):
        name = mark.group(1)
        if name is None and len(mark.group()) == 1:
            raise Wrong(f"a single {mark.group()} in {quoted(word)}", "write {{ or }} for a brace")
        if name is not None and name not in PLACEHOLDERS:
            braced = [f"{{{known}}}" for known in PLACEHOLDERS]
            raise Wrong(
                f"{quoted(mark.group())} stands for nothing", f"{one_of(mark.group(), braced)}; {{{{ is a brace"
            )
    return word


def reset(value: object) -> tuple[str, ...]:
    """A command, or `dtr` or `rts` for a line of the port itself."""
    return (value,) if value in ("dtr", "rts") else words(value)


def url(value: object) -> str:
    """A device, or what pyserial takes in its place."""
    given = text(value)
    scheme, sign, _ = given.partition("://")
    if sign and scheme.lower() not in _SCHEMES:
        raise Wrong(f"{quoted(given)} is not a serial port", f"use a device as /dev/ttyACM0, or {_offered()}")
    return given


def _offered() -> str:
    return ", ".join(f"{scheme}://" for scheme in _SCHEMES[:3])


def host(value: object) -> str:
    """As OpenSSH takes it; what begins with a dash would be an option of it."""
    given = text(value)
    if given.startswith("-") or any(c.isspace() or not c.isprintable() for c in given):
        raise Wrong(f"{quoted(given)} is not a host", "give user@host, or a name of your ~/.ssh/config")
    return given
