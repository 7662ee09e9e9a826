"""Notes which files a compile reads, so that a later one can tell whether anything it depends on has changed.

Loaded by `aot/worker.py` by path, in the forked child of one job: standard library only.  Python reports every file that it
opens and every directory that it lists; what belongs to installed packages, to the system or to the job itself is left out
(versions stand for installed packages).  Environment variables count that Python code asks for.  Files that native code
opens by itself are not seen: where torch does so it is asked for the name, and where another package is known to, or a
program is started, nothing can be told.
"""

from __future__ import annotations

import hashlib
import json
import os
import site
import stat
import sys
import sysconfig
import time
from collections.abc import Iterable
from importlib import util
from typing import Any

LIMIT = 4096
"""More files than that are not worth comparing."""
_WRITES = os.O_WRONLY | os.O_RDWR
_PROGRAMS = frozenset(("subprocess.Popen", "os.system", "os.posix_spawn", "os.exec", "os.fork", "os.forkpty"))
_EVENTS = frozenset(("open", "os.listdir", "os.scandir", "socket.connect", "import", "ctypes.dlopen")) | _PROGRAMS
_READERS = ("safetensors", "h5py", "cv2", "pyarrow", "tables", "netCDF4", "lmdb", "torchcodec", "soundfile")
"""Packages whose own native code opens files by their names."""
_HERE = os.path.dirname(os.path.abspath(__file__))


class Reads:
    """What this process reads from now on."""

    def __init__(self, own: Iterable[str]) -> None:
        self._files: set[str] = set()
        self._not_sought: set[str] = set()
        """Of the files those that say nothing where they are not there."""
        self._directories: set[str] = set()
        self.why_not: str | None = None
        """Why files alone do not tell what the compile depends on."""
        installed = {sys.prefix, sys.base_prefix, sys.exec_prefix, *sysconfig.get_paths().values()}
        installed |= {*site.getsitepackages(), site.getusersitepackages()}
        places = ["/proc", "/sys", "/dev", "/etc", "/usr", "/lib", "/lib64", *installed, *own]
        self._left_out = tuple({place.rstrip("/") + "/" for p in places for place in (p, os.path.realpath(p)) if p})
        self._variables: dict[str, str | None] = {}
        self._watching = True
        self._began = time.time_ns()
        self._watch_environment()
        heard = self._heard

        def hook(event: str, args: tuple[Any, ...], wanted: frozenset[str] = _EVENTS) -> None:
            if event in wanted:  # one in some thousands: the others must cost as little as can be
                heard(event, args)

        sys.addaudithook(hook)

    def _heard(self, event: str, args: tuple[Any, ...]) -> None:
        if not self._watching:
            return
        try:
            self._note(event, args)
        except (OSError, ValueError, TypeError):  # whoever opens something must not fail because we listen
            self.why_not = "not all that it read could be noted"

    def _note(self, event: str, args: tuple[Any, ...]) -> None:
        if event == "open":
            path, mode, flags = args
            reads = not (flags & _WRITES) if mode is None else mode[:1] == "r" and "+" not in mode
            if reads and isinstance(path, (str, bytes)):
                self._add(self._files, path, LIMIT * 16)
                if mode is None or path[:1] in (
                    "<",
                    b"<",
                ):  # a name in some other directory, or of a text that is no file
                    self._not_sought.add(os.path.abspath(os.fsdecode(path)))
        elif event in ("os.listdir", "os.scandir"):
            if isinstance(args[0], (str, bytes)):
                self._add(self._directories, args[0], LIMIT)
        elif event == "socket.connect":
            self.why_not = "it opened a network connection"
        elif event == "import":
            if (package := str(args[0]).partition(".")[0]) in _READERS:
                self.why_not = f"{package} opens files unseen"
        elif event == "ctypes.dlopen":
            if isinstance(args[0], (str, bytes)) and os.path.isfile(args[0]):
                self._files.add(os.path.abspath(os.fsdecode(args[0])))
        elif event in _PROGRAMS:
            self.why_not = "it started a program"

    def _add(self, names: set[str], path: str | bytes, most: int) -> None:
        if len(names) < most:
            names.add(os.path.abspath(os.fsdecode(path)))
        else:
            self.why_not = f"it read more than {most} files or directories"

    def _watch_environment(self) -> None:
        """Note the variables that are asked for, with their values, unless this process has set them itself.

        The caller's own TORCH... are part of the entry's name; here torch may have set them when it was imported.
        """
        noted, own = self._variables, {"TMPDIR"}

        class Environment(os._Environ):  # type: ignore[type-arg]
            def __getitem__(self, name: Any) -> Any:
                if name not in own and name not in noted and isinstance(name, str) and not name.startswith("TORCH"):
                    try:
                        noted[name] = _value(os._Environ.__getitem__(self, name))
                    except KeyError:
                        noted[name] = None
                return os._Environ.__getitem__(self, name)

            def __setitem__(self, name: Any, value: Any) -> None:
                own.add(name)
                os._Environ.__setitem__(self, name, value)

            def __delitem__(self, name: Any) -> None:
                own.add(name)
                os._Environ.__delitem__(self, name)

        os.environ.__class__ = Environment

    def watch_torch(self, torch: Any) -> None:
        """Note the files that torch's native code opens by their names."""

        def note(source: Any) -> None:
            if isinstance(source, (str, bytes, os.PathLike)):
                self._heard("open", (os.fspath(source), "r", 0))

        native = getattr(torch, "_C", None)
        reader: Any = getattr(native, "PyTorchFileReader", None)
        if reader is not None:

            class Reader(reader):
                def __init__(self, source: Any, *args: Any) -> None:
                    note(source)
                    super().__init__(source, *args)

            native.PyTorchFileReader = Reader  # type: ignore[union-attr]
        for owner, name, place in ((native, "import_ir_module", 1), (torch, "from_file", 0)):
            original = getattr(owner, name, None)
            if original is None:
                continue

            def noting(*args: Any, original: Any = original, place: int = place, **options: Any) -> Any:
                note(args[place] if len(args) > place else options.get("filename"))
                return original(*args, **options)

            setattr(owner, name, noting)

    def save(self, path: str) -> None:
        """Write a JSON object: `files` and `directories` with their stamp and digest by path (null: a file that was looked for
        and is not there), `environment` with the digest of each variable's value (null: it was not set), and `why_not`."""
        self._watching = False
        files: dict[str, Any] = {}
        for name in sorted(self._files):
            name = _source(name)
            if name.startswith(self._left_out) or name in files or os.path.dirname(name) == _HERE:
                continue
            found = described(name)
            if found is None and (name in self._not_sought or os.path.lexists(name)):
                continue
            files[name] = found
            if found is not None and max(found[2:4]) >= self._began:
                self.why_not = f"{name} was changed meanwhile"
        imported = {
            os.path.abspath(entry or ".") for entry in sys.path
        }  # importing lists these; so do outputs change them
        directories = {
            name: listed(name)
            for name in sorted(self._directories)
            if not f"{name}/".startswith(self._left_out)
            and name not in imported
            and (os.path.isdir(name) or not os.path.lexists(name))
        }
        if len(files) > LIMIT:
            self.why_not = f"it read {len(files)} files"
            files = {}
        with open(path, "w", encoding="utf-8") as stream:
            json.dump(
                {
                    "files": files,
                    "directories": directories,
                    "environment": self._variables,
                    "why_not": self.why_not,
                },
                stream,
            )


def variable(name: str) -> str | None:
    """The digest of an environment variable's value; None where it is not set."""
    value = os.environ.get(name)
    return None if value is None else _value(value)


def _value(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def described(path: str) -> list[Any] | None:
    """Inode, bytes, times of modification and change (ns) and the digest of a regular file; None where there is none."""
    try:
        with open(path, "rb") as stream:
            found = os.fstat(stream.fileno())
            if not stat.S_ISREG(found.st_mode):
                return None
            digest = hashlib.sha256()
            for block in iter(lambda: stream.read(1 << 20), b""):
                digest.update(block)
    except OSError:
        return None
    return [found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns, digest.hexdigest()]


def listed(path: str) -> str:
    """The digest of the names in a directory; empty where it cannot be read."""
    try:
        names = sorted(os.listdir(path))
    except OSError:
        return ""
    return hashlib.sha256("\0".join(names).encode("utf-8", "surrogateescape")).hexdigest()


def _source(path: str) -> str:
    """The source of a compiled module: that is what people change."""
    if path.endswith(".pyc"):
        try:
            return util.source_from_cache(path)
        except ValueError:
            return path
    return path
