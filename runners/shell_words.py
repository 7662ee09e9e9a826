"""Command lines that people copy: each word stays what it is, and holds nothing that a terminal obeys when it is pasted.

A name of a file may hold any byte; quoted as it is, an escape in it ends the terminal's bracketed paste, and a line end in it
runs what stands before.  Such words are written as `$'...'`, which bash, zsh and ksh read.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable

from ..analysis.cleaning import clean


def command_line(words: Iterable[str]) -> str:
    """The words, quoted for a shell; printable whatever they are."""
    return " ".join(_quoted(word) for word in words)


def _quoted(word: str) -> str:
    if clean(word) == word:
        return shlex.quote(word)
    return "$'" + "".join(_inside(character) for character in word) + "'"


def _inside(character: str) -> str:
    if character in "'\\":
        return f"\\{character}"
    if clean(character) == character:
        return character
    return "".join(f"\\x{byte:02x}" for byte in _bytes(character))


def _bytes(character: str) -> bytes:
    try:
        return os.fsencode(character)
    except UnicodeEncodeError:  # half a character, which no file system gave us
        return character.encode("utf-8", "replace")
