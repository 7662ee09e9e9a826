"""Small files that only save time: in the user's cache folder, read only where nobody else can have written them."""

from __future__ import annotations

import contextlib
import os
import stat
import zlib
from pathlib import Path

from .storage import open_file, replace_file

_SUM_BYTES = 4


def kept(name: str, limit_bytes: int) -> bytes | None:
    """What was kept under this name; None where there is nothing, or what may be from somebody else or is damaged."""
    folder = _folder()
    if folder is None:
        return None
    try:
        with open_file(folder / name) as stream:
            if not (_is_mine(os.fstat(stream.fileno())) and _is_mine(os.stat(folder))):
                return None
            data = stream.read(_SUM_BYTES + limit_bytes + 1)
    except OSError:
        return None
    said, data = data[:_SUM_BYTES], data[_SUM_BYTES:]
    return data if len(data) <= limit_bytes and said == _sum(data) else None


def keep(name: str, data: bytes) -> None:
    """Put it there, if that can be done."""
    folder = _folder()
    if folder is not None:
        with contextlib.suppress(OSError):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            replace_file(folder / name, _sum(data) + data, durable=False)


def _sum(data: bytes) -> bytes:
    """It tells damage: one bit of a style that is another would be drawn, or break each start."""
    return zlib.crc32(data).to_bytes(_SUM_BYTES, "little")


def _folder() -> Path | None:
    from platformdirs import user_cache_path

    try:
        return user_cache_path("ethosu-tui").absolute()
    except (RuntimeError, OSError):
        return None


def _is_mine(facts: os.stat_result) -> bool:
    return facts.st_uid == os.getuid() and not facts.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
