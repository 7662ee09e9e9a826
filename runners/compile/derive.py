"""Makes programs for further configurations out of one that ExecuTorch's script has made for the same NPU family.

Of a compile, only Vela's run depends on the configuration; export, quantisation and the TOSA graphs do not.  So the TOSA
graphs of the first program go through Vela again (`vela/worker.py`), and its delegates with their compile specs are put
in place of those in the program.  The bytes are those that the script would have written; where any of this is not
certain, nothing is made and the script runs as usual.  Neither torch nor executorch is imported.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ...analysis.program.reader import ProgramError, read_program
from ...analysis.program.report import Delegate
from ...analysis.program.writer import Replacement, Template
from ..vela import VELA
from .operators import partition_directories
from .points import CompilePoint
from .result import DELEGATION, PTE, Told

BACKENDS = ("EthosUBackend", "ArmBackend")
"""What releases of ExecuTorch have called the delegate."""
_FLAGS = "compile_flags"
_TARGET = "target"
_FOR_ALL = ("out.tosa", "locations.json")
"""What a partition's directory holds that does not depend on the configuration."""
_OF_THE_MODEL = (DELEGATION, "delegation.json")
"""The same of a run folder."""
_DIGESTS = "digests.sha256"
_KEPT = (*_FOR_ALL, _DIGESTS)

Signature = tuple[tuple[str, int, int, int], ...]
"""Path, inode, bytes and time of change (ns) of each file; -1 where there is none."""


class Unfit(Exception):
    """It is not certain that the script would make the same program; the message says why."""


class Base(NamedTuple):
    """A finished job that others are made of."""

    point: CompilePoint
    folder: Path
    sha256: str | None
    told: Told
    """What the compiler said about it, as far as that holds for all."""
    inputs: Signature
    """The files that it was made of, as they were when it began."""

    @property
    def label(self) -> str:
        """The name of its configuration."""
        return self.point.label


class _Graph(NamedTuple):
    """The TOSA graph of one partition."""

    directory: Path
    tosa: str
    """Its digest."""
    delegate: str
    """The digest of what Vela made of it for the first configuration."""


class Derivation:
    """The first program of a family, taken apart."""

    def __init__(self, base: Base) -> None:
        """Read it.

        Raises:
            Unfit: nothing can be made of it exactly.
        """
        self.base = base
        self._identity: tuple[tuple[object, ...], str] | None = None
        """The last one, with the stamps of the files that it was made of."""
        try:
            made = (base.folder / PTE).read_bytes()
            if hashlib.sha256(made).hexdigest() != base.sha256:
                raise Unfit("the first program was changed meanwhile")
            self._template = Template(made)
            methods = read_program(made).methods
            self.graphs = _graphs(base.folder / VELA)
        except (OSError, ProgramError, ValueError) as error:
            raise Unfit(str(error)) from error
        self._shared = {name: _content(base.folder / name) for name in shared_files(base.folder)}
        self._flags: dict[tuple[int, int], str] = {}
        self._places: dict[tuple[int, int], int] = {}
        digests = [graph.delegate for graph in self.graphs]
        for method, found in enumerate(methods):
            for delegate in found.delegates:
                if delegate.id in BACKENDS:
                    key = method, delegate.index
                    self._flags[key] = _stored_flags(delegate, base.point)
                    stored = hashlib.sha256(self._template.delegate_data(*key)).hexdigest()
                    if stored not in digests:
                        raise Unfit("a delegate is not what Vela made of any TOSA graph that was kept")
                    self._places[key] = digests.index(stored)
        if not self._places:
            raise Unfit("nothing was delegated")
        if set(self._places.values()) != set(map(digests.index, digests)):
            raise Unfit(f"{len(self._places)} delegates were made of {len(digests)} partitions")
        if len(set(self._flags.values())) > 1:
            raise Unfit("the delegates were made with different flags")

    @property
    def identity(self) -> str:
        """The same for what the same programs and the same reports are made of: lines of the model's source count."""
        files = [self.base.folder / name for name in _OF_THE_MODEL]
        files += [graph.directory / _FOR_ALL[1] for graph in self.graphs]
        stamps = tuple(map(_stamp, files))
        if self._identity is None or stamps != self._identity[0]:
            told = self.base.told
            said = json.dumps([told.delegation, told.rejected, told.census], sort_keys=True, default=str)
            texts = [str(self.base.sha256), *(graph.tosa for graph in self.graphs), said, *map(_content, files)]
            self._identity = stamps, hashlib.sha256("\n".join(texts).encode()).hexdigest()
        return self._identity[1]

    def flags(self, point: CompilePoint) -> list[str]:
        """Vela's flags for a configuration, as ExecuTorch's compile spec holds them."""
        return _configured(next(iter(self._flags.values())), self.base.point, point)

    def request(self, point: CompilePoint, folder: Path, scratch: str) -> dict[str, Any]:
        """What the Vela worker is asked to do for a job in this run folder."""
        return {
            "flags": self.flags(point),
            "scratch": scratch,
            "partitions": [
                {
                    "tosa": str(graph.directory / "out.tosa"),
                    "sha256": graph.tosa,
                    "out": str(folder / VELA / graph.directory.name),
                }
                for graph in self.graphs
            ],
        }

    def program(self, point: CompilePoint, folder: Path, digests: Sequence[str]) -> bytes:
        """The program, from what the Vela worker left in the run folder; what all configurations share is copied there.

        Raises:
            Unfit: ExecuTorch would have put it together in another way.
            OSError: the folder cannot be read or written.
        """
        blobs = []
        for graph, digest in zip(self.graphs, digests, strict=True):
            directory = folder / VELA / graph.directory.name
            kept = directory / "delegate.bin"
            blobs.append(kept.read_bytes())
            if hashlib.sha256(blobs[-1]).hexdigest() != digest:
                raise Unfit("what Vela made was changed meanwhile")
            kept.unlink()
            for name in _FOR_ALL:
                self._share(self._place(graph, name), folder)
            (directory / _DIGESTS).write_text(f"{digest}\n{graph.tosa}\n")
        specs = {_FLAGS: " ".join(self.flags(point)).encode(), _TARGET: point.target.encode()}
        try:
            return self._template.with_delegates(
                {key: Replacement(blobs[place], specs) for key, place in self._places.items()}
            )
        except ProgramError as error:
            raise Unfit(str(error)) from error

    def share(self, folder: Path, inputs: Signature) -> None:
        """Copy what was said of the first job and holds for all; `inputs` are the model's files as they are now.

        Raises:
            Unfit: they, or what was kept, are not as they were.
            OSError: the folder cannot be written.
        """
        if inputs != self.base.inputs:
            raise Unfit("the model's files were changed meanwhile")
        for name in _OF_THE_MODEL:
            self._share(name, folder)

    def _place(self, graph: _Graph, name: str) -> str:
        return str(graph.directory.relative_to(self.base.folder) / name)

    def _share(self, name: str, folder: Path) -> None:
        """The same file in another folder, without its bytes a second time where the file system can do that."""
        expected = self._shared.get(name)
        if expected is None:
            return
        source, destination = self.base.folder / name, folder / name
        try:
            os.link(source, destination)
        except FileNotFoundError:
            raise Unfit("what the first job left was removed meanwhile") from None
        except (OSError, NotImplementedError):
            shutil.copyfile(source, destination)
        graph = name.endswith(_FOR_ALL[0])  # it is compared where Vela reads it
        if not graph and _content(destination) != expected:
            raise Unfit("what the first job left was changed meanwhile")


def _stamp(path: Path) -> tuple[int, int, int, int] | None:
    """Changes with whatever is written to a file; None where there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def _content(path: Path) -> str:
    """The digest of a file; empty where there is none."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""


def take_back(folder: Path, scratch: str) -> None:
    """Remove what was made and shared for a job that goes the whole way after all."""
    for left in (folder / VELA, Path(scratch)):
        shutil.rmtree(left, ignore_errors=True)
    for name in _OF_THE_MODEL:
        (folder / name).unlink(missing_ok=True)


def shared_files(folder: Path) -> list[str]:
    """What jobs that are made of the one in this run folder take from it besides its program: paths below it, sorted.

    Raises:
        OSError: it cannot be read.
    """
    names = [
        *_OF_THE_MODEL,
        *(f"{VELA}/{p.name}/{name}" for p in partition_directories(folder / VELA) for name in _KEPT),
    ]
    return sorted(name for name in names if (folder / name).is_file())


def _graphs(directory: Path) -> list[_Graph]:
    """The TOSA graphs in the order in which they were compiled."""
    graphs = []
    for partition in partition_directories(directory):
        delegate, tosa = (partition / _DIGESTS).read_text().split()
        if hashlib.sha256((partition / "out.tosa").read_bytes()).hexdigest() != tosa:
            raise Unfit("a TOSA graph of the first program was changed meanwhile")
        graphs.append(_Graph(partition, tosa, delegate))
    return graphs


def _stored_flags(delegate: Delegate, point: CompilePoint) -> str:
    """The flags that the program says its delegate was compiled with."""
    specs = {spec.key: spec for spec in delegate.compile_specs}
    flags, target = specs.get(_FLAGS), specs.get(_TARGET)
    if flags is None or target is None or target.value != point.target or flags.size_bytes != len(flags.value):
        raise Unfit("the first program does not name its configuration as expected")
    _configured(flags.value, point, point)
    return flags.value


def _configured(stored: str, was: CompilePoint, point: CompilePoint) -> list[str]:
    """The flags of one configuration made those of another; further ones stand where the API puts extra flags.

    Raises:
        Unfit: they are not what we know of them.
    """
    flags = stored.split(" ")
    for extra in was.vela_flags:
        if flags.count(extra) != 1:
            raise Unfit("the first program does not name its flags as expected")
        flags.remove(extra)
    for name in ("target", "system_config", "memory_mode"):
        option = {"target": "--accelerator-config"}.get(name, "--" + name.replace("_", "-"))
        places = [place for place, flag in enumerate(flags) if flag.partition("=")[0] == option]
        if len(places) != 1 or flags[places[0]] != f"{option}={getattr(was, name)}":
            raise Unfit("the first program does not name its configuration as expected")
        flags[places[0]] = f"{option}={getattr(point, name)}"
    first = next(place for place, flag in enumerate(flags) if flag.startswith("--accelerator-config="))
    return [*flags[:first], *point.vela_flags, *flags[first:]]
