"""Files to another machine and back, over a link: their size and digest are compared, and nothing that the other side
says decides where they land here."""

from __future__ import annotations

import os
import stat
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import BinaryIO, NamedTuple

from ..artefacts import sha256
from ..job import InputError, Progress
from ..runs.folder import printable
from ..storage import storage_error
from .errors import last_line
from .link import Link, Trouble, told
from .script import GIVE_FILE, LIST_FILES, TAKE_FILE

FETCHED = "fetched"
FETCH_LIMIT_BYTES = 1 << 30
"""Of all files of a run together."""
FETCH_LIMIT_FILES = 1000


class Sent(NamedTuple):
    """A file of this machine and its path over there."""

    path: str
    remote: str


def send(link: Link, file: Sent) -> Generator[Progress, None, None]:
    """Copy a file.

    Raises:
        Trouble: it did not arrive as it is here.
        InputError: it cannot be read here.
    """
    stage = f"sending {printable(os.path.basename(file.path))}"
    try:
        descriptor = os.open(file.path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError as error:
        raise InputError(f"cannot read {file.path} ({error.strerror or error})", "check the path") from error
    try:
        facts = os.fstat(descriptor)
        mode = "700" if facts.st_mode & stat.S_IXUSR else "600"
        yield Progress(stage, 0, facts.st_size)
        digest = sha256(file.path)
        call = link.call(TAKE_FILE, file.remote, mode, stdin=descriptor, limit_seconds=None)
        # ssh reads from our descriptor, whose position thus tells how far it is.
        done = yield from told(call, lambda: Progress(stage, os.lseek(descriptor, 0, os.SEEK_CUR), facts.st_size))
        link.finish(done, stage)
    finally:
        os.close(descriptor)
    arrived = done.out.split()
    if not arrived or arrived[0] != b"%d" % facts.st_size:
        got = arrived[0].decode("ascii", "replace") if arrived else "none"
        raise Trouble(f"{stage} to {link.host} failed: {got} of {facts.st_size} bytes arrived")
    if len(arrived) > 1 and arrived[1] != digest.encode():
        raise Trouble(f"{stage} to {link.host} failed: its SHA-256 is another one there; is the memory sound?")
    yield Progress(stage, facts.st_size, facts.st_size)


class Fetched(NamedTuple):
    """What was brought back, as paths below `FETCHED`, and what could not be, in words."""

    names: tuple[str, ...]
    problems: tuple[str, ...]


def fetch(link: Link, folder: str, patterns: Sequence[str], run: Path) -> Generator[Progress, None, Fetched]:
    """Bring files that match the patterns, as seen from `folder` over there, below `run`/fetched.

    Problems of single files are in the result; they do not change how the run ended.

    Raises:
        JobError: they cannot be written here.
    """
    names: list[str] = []
    problems: list[str] = []
    looking = Progress(f"looking for {printable(' '.join(patterns))} on {link.host}")
    yield looking
    listed = bytearray()

    def keep(data: bytes) -> None:
        if len(listed) < FETCH_LIMIT_FILES * 1024:
            listed.extend(data)

    done = yield from told(link.call(LIST_FILES, folder, *patterns, take=keep), lambda: looking)
    if done.code != 0:
        return Fetched((), (f"the files on {link.host} cannot be listed: {last_line(done.said)}",))
    found: dict[bytes, bytes] = {}
    for record in bytes(listed).split(b"/\0")[:-1]:
        size, _, name = record.partition(b"/")
        found[name] = size.strip()
    if not found:
        problems.append(f"nothing on {link.host} matches {printable(' '.join(patterns))}")
    left = FETCH_LIMIT_BYTES
    for number, (raw, size) in enumerate(found.items()):
        shown = printable(raw.decode("utf-8", "replace"))
        place = local_name(raw)
        if number >= FETCH_LIMIT_FILES or left <= 0:
            limit = f"{FETCH_LIMIT_FILES} files" if left > 0 else f"{FETCH_LIMIT_BYTES} bytes"
            problems.append(f"more than {limit} match; the others stayed there")
            break
        if place is None:
            problems.append(f"{shown} would leave the run folder; it stayed there")
            continue
        target = run / FETCHED / place
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            stream = open(target, "xb")
        except (FileExistsError, NotADirectoryError):
            problems.append(f"{shown} has the name of another one here; it stayed there")
            continue
        except OSError as error:
            raise storage_error(error, target) from error
        with stream:
            problem = yield from _receive(link, folder, raw, _Sink(stream, left, target), size)
        left -= target.stat().st_size
        names.append(str(place))
        if problem:
            problems.append(f"{shown} {problem}")
    return Fetched(tuple(names), tuple(problems))


def _receive(link: Link, folder: str, raw: bytes, sink: _Sink, size: bytes) -> Generator[Progress, None, str]:
    total = int(size) if size.isdigit() and len(size) < 16 else None
    stage = f"fetching {printable(raw.decode('utf-8', 'replace'))}"
    yield Progress(stage, 0, total)
    call = link.call(GIVE_FILE, folder, os.fsdecode(raw), limit_seconds=None, take=sink)
    try:
        done = yield from told(call, lambda: Progress(stage, sink.bytes, total))
    except _Enough:
        return f"is cut: {FETCH_LIMIT_BYTES} bytes are brought back at most"
    return "" if done.code == 0 else f"is incomplete: {last_line(done.said)}"


def local_name(raw: bytes) -> Path | None:
    """Where a file of this name goes, below the folder of fetched files; None for one that would leave it."""
    parts = [part for part in raw.split(b"/") if part not in (b"", b".")]
    if not parts or b".." in parts or any(len(part) > 255 for part in parts) or len(raw) > 2000:
        return None
    text = [os.fsdecode(part) for part in parts]
    return Path(*("".join(c if c.isprintable() or "\udc80" <= c <= "\udcff" else "_" for c in part) for part in text))


class _Enough(Exception):
    """More came than is taken."""


class _Sink:
    """Writes what comes, up to a limit."""

    def __init__(self, stream: BinaryIO, limit: int, path: Path) -> None:
        self._stream, self._limit, self._path = stream, limit, path
        self.bytes = 0

    def __call__(self, data: bytes) -> None:
        room = self._limit - self.bytes
        try:
            self._stream.write(data[:room])
        except OSError as error:
            raise storage_error(error, self._path) from error
        self.bytes += len(data[:room])
        if len(data) > room:
            raise _Enough
