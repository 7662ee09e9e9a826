"""Packed files, and what the reader of inputs gives of them."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from ethosu_tui.runners.job import InputError, JobError
from ethosu_tui.runners.reading.blocks import blocks, sources

PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "xz": lzma.compress,
    "bz2": bz2.compress,
    "zst": zstandard.compress,
}
ARCHIVES = ["a.zip", "a.tar", "a.tar.gz", "a.tgz", "a.tar.xz", "a.tar.bz2", "a.tar.zst"]


def contents(path: Path) -> dict[str, bytes | str]:
    """What each log of an input holds, and why others are not read, by name."""
    found: dict[str, bytes | str] = {}
    for source in sources(str(path)):
        if isinstance(source, JobError):
            name, _, why = source.message.partition(": ")
            found[name.removeprefix(f"{path}!")] = why
        else:
            found[source.name.removeprefix(f"{path}!")] = b"".join(source.blocks)
    return found


def refused(path: Path | str) -> str:
    """The sentence with which a file is refused."""
    with pytest.raises(InputError) as caught:
        for _ in blocks(str(path)):
            pass
    assert caught.value.hint
    return caught.value.message
