"""What people point at, to a list of inputs in a stable order: files, folders, globs, run folders, standard input.

Links to folders are never followed, so a loop of links ends nowhere; a file that is found twice is read once, and so is
one that lies beside what it was packed from.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator

from ..job import InputError
from .no_logs import is_no_log, steps_of_jobs


def expand(arguments: list[str], unread: Callable[[InputError], object] | None = None) -> list[str]:
    """Paths, globs and folders to a list of inputs, in a stable order; "-" stands for standard input.

    A run folder counts as one input; any other folder gives the files in it, hidden ones left out.  `unread` is told of
    folders that cannot be listed; without it, the first of them is an error.

    Raises:
        InputError: an argument names nothing, or a folder without files.
    """
    found: list[str] = []
    for argument in arguments:
        path = os.path.expanduser(argument)
        refused = _Refused(unread)
        if argument == "-" or os.path.lexists(path) and not os.path.isdir(path):
            found.append(path)
        elif os.path.isdir(path):
            inside = _files(path, refused)
            if not inside and not refused.count:
                raise InputError(f"{argument}: the folder holds no logs", "give a folder that contains logs, or a file")
            found += inside
        elif not _is_member(path) and any(mark in path for mark in "*?["):
            matches = list(_matches(path, refused))
            if not matches and not refused.count:
                raise InputError(f"{argument}: no file matches", "check the pattern")
            for match in _once(matches):
                found += _files(match, refused) if os.path.isdir(match) else [match]
        else:
            found.append(path)
    return list(dict.fromkeys(found))


class _Refused:
    """Folders that the system does not let us list, each told once."""

    def __init__(self, unread: Callable[[InputError], object] | None) -> None:
        self._unread = unread
        self._told: set[str] = set()

    @property
    def count(self) -> int:
        return len(self._told)

    def __call__(self, error: OSError) -> None:
        from .blocks import refusing

        name = str(error.filename).rstrip(os.sep) or os.sep
        if name in self._told:
            return
        self._told.add(name)
        try:
            with refusing(name):
                raise error
        except InputError as sentence:
            if self._unread is None:
                raise
            self._unread(sentence)


def _is_member(path: str) -> bool:
    if "!" not in path:
        return False
    from .blocks import member_of

    return member_of(path)[1] is not None


def _matches(pattern: str, refused: _Refused) -> Iterator[str]:
    """What a glob matches; `**` stands for folders of any depth, but goes through no link."""
    import glob

    head, mark, tail = pattern.partition("**")
    if not mark or not head.endswith((os.sep, "")[not head]) or not tail.startswith((os.sep, "")[not tail]):
        for folder in {os.path.dirname(pattern), *glob.glob(os.path.dirname(pattern))}:
            _list(folder or os.curdir, refused)  # what matches nothing because nobody may look is told
        yield from (path for path in sorted(glob.glob(pattern)) if not is_stream(path))
        return
    for top in sorted(glob.glob(head)) if head else [os.curdir]:
        for root, folders, _ in os.walk(top, onerror=refused):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            base = os.path.normpath(root) if root != os.curdir else ""
            yield from _matches(os.path.join(glob.escape(base), tail.strip(os.sep) or "*"), refused)


def _list(folder: str, refused: _Refused) -> None:
    """Look into a folder only to hear whether that is allowed."""
    try:
        os.scandir(folder).close()
    except PermissionError as error:
        refused(error)
    except OSError:  # no folder at all, or none that is there
        return


def is_stream(path: str) -> bool:
    """True for standard input ("-"), a pipe, socket or device: reading one may wait for ever, and can be done once."""
    if path == "-":
        return True
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def place_of(path: str) -> object:
    """The same for two names of one file."""
    try:
        facts = os.stat(path)
    except (OSError, ValueError):
        return path
    return (facts.st_dev, facts.st_ino) if facts.st_ino else path


def states_of(paths: Iterable[str]) -> dict[str, tuple[int, int, int] | None]:
    """What changes when the files behind these paths do: their number on the disk, size and time; None for one that is not there."""
    return {path: _state(path) for path in map(os.path.expanduser, paths)}


def _state(path: str) -> tuple[int, int, int] | None:
    if _is_member(path) and not os.path.lexists(path):
        path = path.partition("!")[0]
    try:
        facts = os.stat(log_of(path))
    except (OSError, ValueError):
        return None
    return facts.st_ino, facts.st_size, facts.st_mtime_ns


def _files(folder: str, refused: _Refused) -> list[str]:
    if is_run_folder(folder):
        return [folder]
    found: list[str] = []
    for root, folders, files in os.walk(folder, onerror=refused):
        runs = sorted(name for name in folders if is_run_folder(os.path.join(root, name)))
        found += (os.path.join(root, name) for name in runs)
        folders[:] = sorted(name for name in folders if name not in runs and not name.startswith("."))
        paths = (os.path.join(root, name) for name in sorted(files) if not is_no_log(name))
        found += (path for path in paths if _may_be_a_log(path))
    again = steps_of_jobs(found)
    return _unpacked_once(_once([path for path in found if path not in again]))


def _may_be_a_log(path: str) -> bool:
    """A regular file, or what cannot be told: reading it says why."""
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except PermissionError:
        return True
    except (OSError, ValueError):
        return False


def _once(paths: list[str]) -> list[str]:
    """Without links to what is in the list itself (as `latest.log` beside the log that it names)."""
    seen: set[tuple[int, int]] = set()
    links = []
    for path in paths:
        try:
            facts = os.lstat(path)
        except OSError:
            continue
        if stat.S_ISLNK(facts.st_mode):
            links.append(path)
        else:
            seen.add((facts.st_dev, facts.st_ino))
    double = set()
    for path in links:
        try:
            facts = os.stat(path)
        except OSError:  # a loop, or a link to nothing: reading it says so
            continue
        place = (facts.st_dev, facts.st_ino)
        if place in seen:
            double.add(path)
        seen.add(place)
    return [path for path in paths if path not in double]


def _unpacked_once(paths: list[str]) -> list[str]:
    """Without a file that gzip packed, where what it was made of was kept beside it."""
    there = frozenset(paths)
    return [path for path in paths if not (path.endswith(".gz") and path.removesuffix(".gz") in there and _holds(path))]


def _holds(packed: str) -> bool:
    """Whether this file of gzip has the length and the checksum of what stands beside it without the ending."""
    import zlib

    try:
        with open(packed, "rb") as file:
            file.seek(-8, os.SEEK_END)
            end = file.read(8)
        plain = packed.removesuffix(".gz")
        if os.stat(plain).st_size & 0xFFFFFFFF != int.from_bytes(end[4:], "little"):
            return False
        sum_so_far = 0
        with open(plain, "rb") as file:
            while block := file.read(1 << 20):
                sum_so_far = zlib.crc32(block, sum_so_far)
    except OSError:  # reading it says why
        return False
    return sum_so_far == int.from_bytes(end[:4], "little")


def is_run_folder(path: str) -> bool:
    """True where a stored run lies (a folder with a manifest)."""
    return os.path.isfile(os.path.join(path, "manifest.json"))


def log_of(path: str) -> str:
    """The file to read for this input: a run folder's console log, or the path itself."""
    return os.path.join(path, "console.log") if os.path.isdir(path) and is_run_folder(path) else path
