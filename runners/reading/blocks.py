"""The bytes of an input, block by block: a file, a pipe, standard input, or the members of an archive.

Everything goes straight into the analysis, so that memory stays bounded.  How data is packed is told by its first bytes;
an ending that lies does no harm.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from ...analysis.named_tuple import TYPE_CHECKING, NamedTuple
from ..job import InputError, JobError
from .compression import BLOCK_BYTES, ENDINGS, MAGIC_BYTES, Budget, compression_of, decompressed, refuse_unread

if TYPE_CHECKING:
    from typing import IO

_TAR_BYTES = 512
PLAIN_BYTES = 1 << 19
"""A plain file is read in larger blocks than one that must be decompressed: up to multiples of this, by all who read it."""
_KEPT_BYTES = 8 << 20


class PlainFile(NamedTuple):
    """An open file that is read as it is, and as many bytes of it as count."""

    descriptor: int
    size: int


class Source(NamedTuple):
    """One log: what reports call it, its bytes, and remarks about them (complete once the blocks are read)."""

    name: str
    blocks: Iterator[bytes]
    notes: list[str]
    file: PlainFile | None = None
    """Where the bytes are those of a file, from its beginning on."""


@contextmanager
def refusing(path: str) -> Iterator[None]:
    """Turn what the system says of a file into a sentence."""
    try:
        yield
    except FileNotFoundError:
        raise InputError(f"{path}: no such file", "check the path") from None
    except IsADirectoryError:
        raise InputError(f"{path}: is a folder, not a log", "give a file in it") from None
    except PermissionError:
        raise InputError(f"{path}: you have no permission to read it", "check its permissions (ls -l)") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error})", "check the file and its disk") from None
    except ValueError as error:  # a name with a NUL in it
        raise InputError(f"{path}: cannot be read ({error})", "check the path") from None


def blocks(path: str) -> Iterator[bytes]:
    """The bytes of one log: a file (decompressed where it is compressed), `archive!member`, or standard input ("-").

    Raises:
        InputError: it is missing, not a file, unreadable or damaged, or an archive of several logs.
    """
    archive, member = member_of(path)
    for source in sources(archive, every=member is not None):
        if isinstance(source, JobError):
            if member is not None and source.message.startswith(f"{path}: "):
                raise InputError(source.message, source.hint)
        elif source.name in (path, archive):
            yield from source.blocks
            return
        elif member is None:  # the only log of an archive stands for it
            names = members(archive)
            if len(names) > 1:
                raise InputError(f"{path}: is an archive of {len(names)} logs", f"name one of them, as {names[0]}")
            yield from source.blocks
            return
    if member is not None:
        raise InputError(
            f"{path}: there is no such log in the archive", "run `ethosu-tui analyze` on the archive to list its logs"
        )
    raise InputError(f"{path}: none of the archive's logs can be read", "run `ethosu-tui analyze` on it to see why")


def members(path: str) -> list[str]:
    """The names under which the logs of an archive can be read; of anything else, its own.

    Raises:
        InputError: it cannot be read, or is an archive without logs.
    """
    if path == "-" or not os.path.isfile(path):
        return [path]
    names = [source.name for source in sources(path) if isinstance(source, Source)]
    if not names:
        raise InputError(f"{path}: none of the archive's logs can be read", "run `ethosu-tui analyze` on it to see why")
    return names


def member_of(path: str) -> tuple[str, str | None]:
    """An address `archive!member` to its parts; anything that is there under its whole name is no such address."""
    at = path.find("!")
    while at > 0 and not os.path.lexists(path):
        if os.path.isfile(path[:at]):
            return path[:at], path[at + 1 :]
        at = path.find("!", at + 1)
    return path, None


def sources(path: str, *, every: bool = False) -> Iterator[Source | JobError]:
    """The logs of an input, one after the other: one for a file, each member for an archive; errors for what is passed over.

    Of an archive with the log of a job and with those of its steps, the steps are told only where `every` log is asked for.

    A source is to be read before the next one is asked for.

    Raises:
        InputError: the input is missing, not a file, unreadable or damaged.
    """
    with refusing(path), _opened(path) as file:
        head = _head(path, file)
        refuse_unread(path, head)
        kind = compression_of(head)
        budget = Budget(path)
        notes: list[str] = []
        stream: Iterator[bytes]
        if kind is not None:
            stream = decompressed(path, _Prefixed(head, file), kind, budget)
            head = next(stream, b"")
            if compression_of(head) is not None:
                raise InputError(f"{path}: is compressed twice", "unpack it first")
        else:
            if path.endswith(ENDINGS) and any(byte < 9 for byte in head):
                raise InputError(f"{path}: the compressed data is damaged (its first bytes are wrong)", "copy it again")
            stream = _plain(path, file, head, notes)
        if head.startswith(b"PK") or b"\0" in head[:_TAR_BYTES]:
            from .archives import Pushed, is_zip, tar_logs, zip_logs
            from .tar_stream import is_tar

            pushed = Pushed(head, stream) if kind is not None else Pushed(b"", stream)
            if is_zip(head) and kind is not None:
                raise InputError(f"{path}: is an archive inside compressed data", "unpack it first")
            if is_zip(head) and not file.seekable():
                raise InputError(f"{path}: a zip archive cannot be read from a pipe", "give the file")
            if is_zip(head) or is_tar(head):
                found = False
                logs = zip_logs(path, file, budget, every=every) if is_zip(head) else tar_logs(path, pushed, budget)
                for log in logs:
                    found = True
                    yield log if isinstance(log, JobError) else Source(log.name, log.blocks, [])
                if not found:
                    raise InputError(
                        f"{path}: the archive contains no logs", "give an archive that contains logs, or a file"
                    )
                return
        if kind is not None:
            yield Source(path, _behind(head, stream), notes)
            return
        facts = os.fstat(file.fileno())
        plain = PlainFile(file.fileno(), facts.st_size) if stat.S_ISREG(facts.st_mode) and path != "-" else None
        yield Source(path, stream, notes, plain)


def _behind(head: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    if head:
        yield head
    yield from rest


@contextmanager
def _opened(path: str) -> Iterator[IO[bytes]]:
    if path == "-":
        if sys.stdin is None:
            raise InputError("-: standard input is closed", "pipe a log into it")
        with open(sys.stdin.fileno(), "rb", buffering=0, closefd=False) as file:
            yield file
        return
    mode = os.stat(path).st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode)):
        kind = "a folder, not a log" if stat.S_ISDIR(mode) else "not a regular file, but a device or a socket"
        raise InputError(f"{path}: is {kind}", "give a log file")
    opened: str | int = path
    if stat.S_ISFIFO(mode):
        from .named_pipes import open_pipe  # only here: few inputs are pipes

        opened = open_pipe(path)
    with open(opened, "rb", buffering=0) as file:
        yield file


def _head(path: str, file: IO[bytes]) -> bytes:
    """The first bytes: enough to tell how they are packed, without keeping a pipe of text waiting for more."""
    head = b""
    enough = MAGIC_BYTES
    while len(head) < enough and (more := file.read(_TAR_BYTES - len(head))):
        head += more
        if b"\0" in head or path.endswith(".tar"):
            enough = _TAR_BYTES
    return head


class _Prefixed:
    """A file whose first bytes were read already."""

    def __init__(self, head: bytes, file: IO[bytes]) -> None:
        self._head = head
        self._file = file

    def read(self, most: int) -> bytes:
        data, self._head = self._head[:most], self._head[most:]
        return data or self._file.read(most)


def _plain(path: str, file: IO[bytes], head: bytes, notes: list[str]) -> Iterator[bytes]:
    """A file up to the size that it had when it was opened: one that grows faster than it is read must end too."""
    facts = os.fstat(file.fileno())
    size = facts.st_size if stat.S_ISREG(facts.st_mode) else 0  # what lies under /proc says 0 as well
    if not size and head:
        yield head
        head = b""
    if size > _KEPT_BYTES:
        bytes(_KEPT_BYTES)  # never touched: a C library that has freed one so large keeps the pages of smaller ones
    position = 0
    while not size or position < size:
        most = min(PLAIN_BYTES, size - position) if size else BLOCK_BYTES
        block = head + file.read(max(1, most - len(head)))
        if not block:
            break
        head = b""
        position += len(block)
        yield block
    if size:
        after = os.fstat(file.fileno())
        if position < size:
            notes.append(f"{path}: became shorter while it was read (only {position:,} of {size:,} bytes were left)")
        elif after.st_size > size:
            notes.append(
                f"{path}: grew while it was read; anything after {size:,} bytes is not included (use --follow)"
            )
        elif after.st_mtime_ns != facts.st_mtime_ns:
            notes.append(f"{path}: was written to while it was read, so old and new lines may be mixed; read it again")


def read_whole(path: str, limit: int, what: str) -> bytes:
    """The content of a file (decompressed), refused where it is larger than `what` can be.

    Raises:
        InputError: it cannot be read, or is too large.
    """
    pieces: list[bytes] = []
    total = 0
    for block in blocks(os.path.expanduser(path)):
        total += len(block)
        if total > limit:
            raise InputError(f"{path}: is over {limit >> 20} MiB, too large for {what}", "give another file")
        pieces.append(block)
    return b"".join(pieces)
