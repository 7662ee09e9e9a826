"""What people point at, to a list of inputs in a stable order: files, folders, globs, run folders, standard input.

Links to folders are never followed, so a loop of links ends nowhere; a file that is found twice is read once.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator

from .job import InputError

_COMPRESSED = (".gz", ".xz", ".bz2", ".zst")
_NO_LOGS = frozenset(
    ".a .axf .bin .bpte .c .cc .cfg .cmake .cpp .css .csv .d .dll .elf .etdp .exe .gif .h .hex .hpp .html .ini .ipynb .jpg"
    " .json .ld .lock .map .md .npy .npz .o .onnx .patch .pdf .pkl .png .ps1 .pt .pt2 .pte .py .pyc .rst .sh .so .svg .tcss"
    " .tflite .toml .tosa .tsv .whl .xml .yaml .yml".split()
)
"""Files of a folder or an archive that are passed over: they lie beside logs and are none."""


def expand(arguments: list[str]) -> list[str]:
    """Paths, globs and folders to a list of inputs, in a stable order; "-" stands for standard input.

    A run folder counts as one input; any other folder gives the files in it, hidden ones left out.

    Raises:
        InputError: an argument names nothing, or a folder without files.
    """
    found: list[str] = []
    for argument in arguments:
        path = os.path.expanduser(argument)
        if argument == "-" or os.path.lexists(path) and not os.path.isdir(path):
            found.append(path)
        elif os.path.isdir(path):
            inside = _files(path)
            if not inside:
                raise InputError(f"{argument}: the folder holds no logs", "give a folder with logs, or a file")
            found += inside
        elif any(mark in path for mark in "*?["):
            matches = list(_matches(path))
            if not matches:
                raise InputError(f"{argument}: no file matches", "check the pattern")
            for match in _once(matches):
                found += _files(match) if os.path.isdir(match) else [match]
        else:
            found.append(path)
    return list(dict.fromkeys(found))


def _matches(pattern: str) -> Iterator[str]:
    """What a glob matches; `**` stands for folders of any depth, but goes through no link."""
    import glob

    head, mark, tail = pattern.partition("**")
    if not mark or not head.endswith((os.sep, "")[not head]) or not tail.startswith((os.sep, "")[not tail]):
        yield from (path for path in sorted(glob.glob(pattern)) if not is_stream(path))
        return
    for top in sorted(glob.glob(head)) if head else [os.curdir]:
        for root, folders, _ in os.walk(top):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            base = os.path.normpath(root) if root != os.curdir else ""
            yield from _matches(os.path.join(glob.escape(base), tail.strip(os.sep) or "*"))


def is_stream(path: str) -> bool:
    """True for standard input ("-"), a pipe, socket or device: reading one may wait for ever, and can be done once."""
    if path == "-":
        return True
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _files(folder: str) -> list[str]:
    if is_run_folder(folder):
        return [folder]
    found: list[str] = []
    for root, folders, files in os.walk(folder):
        runs = sorted(name for name in folders if is_run_folder(os.path.join(root, name)))
        found += (os.path.join(root, name) for name in runs)
        folders[:] = sorted(name for name in folders if name not in runs and not name.startswith("."))
        paths = (os.path.join(root, name) for name in sorted(files) if not is_no_log(name))
        found += (path for path in paths if os.path.isfile(path))
    return _once(found)


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


def is_no_log(name: str) -> bool:
    """True for a name that no log has: hidden, or with the ending of something else (compressed or not)."""
    name = os.path.basename(name).lower()
    if name.startswith("."):
        return True
    stem, ending = os.path.splitext(name)
    if ending in _COMPRESSED:
        ending = os.path.splitext(stem)[1]
    return ending in _NO_LOGS


def is_run_folder(path: str) -> bool:
    """True where a stored run lies (a folder with a manifest)."""
    return os.path.isfile(os.path.join(path, "manifest.json"))


def log_of(path: str) -> str:
    """The file to read for this input: a run folder's console log, or the path itself."""
    return os.path.join(path, "console.log") if os.path.isdir(path) and is_run_folder(path) else path
