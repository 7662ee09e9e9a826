"""Logs inside .zip and .tar archives, each an input of its own, read where they are: nothing is ever written to disk.

A member is only a name and a stream of bytes, so names with `../`, absolute names and links lead nowhere.  What is
compressed inside an archive is unpacked once; an archive inside an archive is not opened.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from typing import IO, TYPE_CHECKING, NamedTuple

from ..job import InputError, JobError
from .compression import BLOCK_BYTES, Budget, Readable, TooMuch, compression_of, damaged, decompressed
from .no_logs import is_no_log, steps_of_jobs
from .tar_stream import RECORD_BYTES, is_tar, tar_members

if TYPE_CHECKING:
    import zipfile

SEPARATOR = "!"
"""Between an archive and the name of a member: `lab.zip!board1/uart.log`."""
_DIRECTORY_LIMIT_BYTES = 16 << 20
"""The library holds every entry, in about ten times the bytes of a short one."""
_END_BYTES = (1 << 16) + 22
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_TAR_ENDINGS = (".tar", ".tar.gz", ".tgz", ".tar.xz", ".tar.bz2", ".tar.zst")
HEAD_BYTES = RECORD_BYTES


class Member(NamedTuple):
    """One log of an archive; its blocks are to be read before the next member is asked for."""

    name: str
    blocks: Iterator[bytes]


def is_zip(head: bytes) -> bool:
    """True where data that begins so is a zip archive."""
    return head.startswith(_ZIP)


def is_archive(head: bytes) -> bool:
    """True where data that begins so is an archive."""
    return is_zip(head) or is_tar(head)


def may_hold_several(path: str) -> bool:
    """Whether this file is an archive of more than one file, as far as a look at its ends and its name tells."""
    with suppress(OSError, ValueError):
        if not stat.S_ISREG(os.stat(path).st_mode):  # to open a pipe is to wait for somebody who writes
            return False
        if path.endswith(_TAR_ENDINGS):
            return True
        with open(path, "rb") as file:
            return _holds_several(file)
    return False


def _holds_several(file: IO[bytes]) -> bool:
    return is_zip(file.read(RECORD_BYTES)) and _directory(file).entries > 1


class _Directory(NamedTuple):
    """What the end of a zip archive says of its directory; nothing where no end is found."""

    entries: int
    size_bytes: int
    archive_bytes: int


def _directory(file: IO[bytes]) -> _Directory:
    end = file.seek(0, os.SEEK_END)
    file.seek(max(0, end - _END_BYTES))
    tail = file.read(_END_BYTES)
    at = tail.rfind(b"PK\x05\x06")
    if at < 0:
        return _Directory(0, 0, end)
    size = int.from_bytes(tail[at + 12 : at + 16], "little")
    wide = tail.rfind(b"PK\x06\x06", 0, at)
    if wide >= 0:
        size = max(int.from_bytes(tail[wide + 40 : wide + 48], "little"), 0 if size == 0xFFFFFFFF else size)
    return _Directory(int.from_bytes(tail[at + 10 : at + 12], "little"), size, end)


class Pushed:
    """A stream with some bytes put back in front."""

    def __init__(self, head: bytes, rest: Iterator[bytes]) -> None:
        self._head = head
        self._rest = rest

    @classmethod
    def of(cls, blocks: Iterator[bytes], count: int = HEAD_BYTES) -> Pushed:
        """Look at the first bytes, as many as there are up to `count`."""
        head = b""
        while len(head) < count and (block := next(blocks, b"")):
            head += block
        return cls(head, blocks)

    @property
    def head(self) -> bytes:
        """What comes next, as far as it is here."""
        return self._head

    def read(self, most: int) -> bytes:
        """The next bytes."""
        if not self._head:
            self._head = next(self._rest, b"")
        data, self._head = self._head[:most], self._head[most:]
        return data

    def blocks(self) -> Iterator[bytes]:
        """All that is left."""
        while data := self.read(BLOCK_BYTES):
            yield data


def zip_logs(name: str, file: IO[bytes], budget: Budget, *, every: bool = False) -> Iterator[Member | JobError]:
    """The logs of a zip archive; an error stands for a member that is not read, and says why.

    What stands in another one as well is not told again, but where `every` one is asked for.

    Raises:
        InputError: the archive itself cannot be read.
    """
    import zipfile

    budget.taken = _check_directory(name, file)
    try:
        archive = zipfile.ZipFile(file)
    except OSError:
        raise
    except Exception as error:  # the library indexes and unpacks what it has not checked
        raise InputError(f"{name}: the archive is damaged ({error})", "pack or copy it again") from None
    with archive:
        again = frozenset() if every else steps_of_jobs(info.filename for info in archive.infolist())
        for info in archive.infolist():
            label = f"{name}{SEPARATOR}{info.filename}"
            if not info.filename or info.filename.endswith("/") or is_no_log(info.filename) or info.filename in again:
                continue
            if (info.external_attr >> 28) & 0xF not in (0, 8):
                yield _passed_over(label, "a link or a device")
                continue
            yield from _log(label, _zip_blocks(label, archive, info, budget), budget)


def _zip_blocks(label: str, archive: zipfile.ZipFile, info: zipfile.ZipInfo, budget: Budget) -> Iterator[bytes]:
    try:
        with archive.open(info) as stream:
            while block := stream.read(BLOCK_BYTES):
                budget.give(block)
                yield block
    except RuntimeError as error:  # this is what the library says of encrypted members and of methods it lacks
        reason = "is encrypted" if "password" in str(error) else f"cannot be unpacked ({error})"
        raise InputError(f"{label}: {reason}", "unpack the archive, and give the folder") from None
    except InputError:
        raise
    except OSError as error:
        if error.errno is not None:
            raise
        raise damaged(label, error) from None
    except Exception as error:  # zlib's, lzma's, struct's, and those of a library that trusts sizes
        raise damaged(label, error) from None


def _check_directory(name: str, file: IO[bytes]) -> int:
    """The size of the archive.  Its directory is read whole by the library; one that is too large is not given to it."""
    directory = _directory(file)
    if directory.size_bytes > _DIRECTORY_LIMIT_BYTES:
        raise InputError(f"{name}: its directory takes over {_DIRECTORY_LIMIT_BYTES >> 20} MiB", "unpack it first")
    file.seek(0)
    return directory.archive_bytes


def tar_logs(name: str, source: Readable, budget: Budget) -> Iterator[Member | JobError]:
    """The logs of a tar archive, as it streams by; an error stands for a member that is not read, and says why.

    Raises:
        InputError: the archive is damaged or ends in the middle.
    """
    for entry in tar_members(name, source):
        label = f"{name}{SEPARATOR}{entry.name}"
        if is_no_log(entry.name):
            continue
        if entry.what is not None:
            yield _passed_over(label, entry.what)
            continue
        yield from _log(label, entry.blocks, budget)


def _log(label: str, blocks: Iterator[bytes], budget: Budget) -> Iterator[Member | JobError]:
    """One member, unpacked once where it is compressed; archives inside archives are refused."""
    try:
        stream = Pushed.of(blocks)
        kind = compression_of(stream.head)
        if kind is not None:
            inner = Budget(label)
            stream = Pushed.of(decompressed(label, stream, kind, inner))
            if compression_of(stream.head) is not None:
                raise InputError(f"{label}: is compressed twice", "unpack it first")
        if is_archive(stream.head):
            raise InputError(f"{label}: is an archive inside an archive", "unpack the outer one, and give the folder")
    except TooMuch as error:
        if error.message.startswith(f"{label}: "):
            yield error
            return
        raise
    except InputError as error:
        yield error
        return
    rest = stream.blocks()
    yield Member(label, _counted(rest, budget) if kind is not None else rest)


def _counted(blocks: Iterator[bytes], budget: Budget) -> Iterator[bytes]:
    for block in blocks:
        budget.give(block)
        yield block


def _passed_over(label: str, what: str) -> JobError:
    """A remark, and no failure: a link leads to what is an input itself, or to nothing of ours."""
    return JobError(f"{label}: is {what} inside the archive", "it is skipped", exit_code=0)
