"""What a batch finds out before anything slow, and the jobs that are made of it: their folders, arguments and cache keys."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from pathlib import Path

from . import compile_cache
from .aot_inputs import described
from .aot_process import scratch_directory
from .compile_cache import INPUTS
from .compile_check import check_outputs, resolve_model, working_directory
from .compile_derive import Derivation
from .compile_job import CompileJob
from .compile_plan import (
    AOT_MODULE,
    CompileOptions,
    aot_arguments,
    check_extra,
    equivalent_command,
    model_label,
    output_paths,
    stages,
)
from .compile_points import CompilePoint
from .compile_result import DELEGATION, PTE, VELA, sha256
from .compile_sharing import signature
from .folder import RunFolder
from .interpreters import Interpreter, find_interpreter


class Setup:
    """A batch that can work: the interpreter, the model and the places to write to are there."""

    def __init__(self, options: CompileOptions, points: Sequence[CompilePoint], root: Path) -> None:
        """Refuse what cannot work.

        Raises:
            UsageError, InputError, MissingTool, JobError: see `compile_check`.
        """
        check_extra(options.extra)
        self.options = options
        self.points = points
        self.root = root
        self.batch = secrets.token_hex(4)
        self._cwd = working_directory()
        self.interpreter: Interpreter = find_interpreter(options.interpreter)
        self._model, self.file = resolve_model(options.model, self.interpreter, options.extra)
        self.outputs = output_paths(options, points)
        keep = options.keep_intermediates
        check_outputs(root, self.outputs, keep if isinstance(keep, str) else None)
        self._digest: str | None = None

    @property
    def digest(self) -> str | None:
        """The SHA-256 of the model's file, if it is one."""
        if self._digest is None and self.file:
            self._digest = sha256(Path(self.file))
        return self._digest

    def family_key(self, family: str) -> str:
        """The cache's name for the first job of a family."""
        point = CompilePoint("none")
        return compile_cache.key(
            what="base",
            family=family,
            model=self._model,
            cwd=self._cwd,
            arguments=aot_arguments(self.options, point, self._model, Path("-"), None),
            options=[self.options.delegate, self.options.quantize],
            interpreter=[self.interpreter.path, self.interpreter.executorch, self.interpreter.record()],
        )

    def derived_key(self, derivation: Derivation, point: CompilePoint) -> str:
        """The cache's name for a job that is made of another one."""
        return compile_cache.key(
            what="derived",
            of=derivation.identity,
            flags=derivation.flags(point),
            files=[described(path) for path, *_ in signature(self.options, None)],
            options=[self.options.delegate, self.options.quantize],
            interpreter=[self.interpreter.path, self.interpreter.record()],
        )

    def job(self, index: int) -> CompileJob:
        """A new job with its run folder.

        Raises:
            JobError: nothing can be written there.
        """
        point = self.points[index]
        facts: dict[str, object] = {
            "cwd": self._cwd,
            "model": self.options.model,
            "target": point.target,
            "system_config": point.system_config,
            "memory_mode": point.memory_mode,
            "versions": self.interpreter.record(),
            "hashes": {"model": self.digest},
            "batch": self.batch,
            "command": equivalent_command(self.options, [point]),
        }
        scratch = scratch_directory()
        label = f"{model_label(self.options.model)} {point.label}"
        folder = RunFolder.create(self.root, "compile", label, **facts)
        dump, dumped = self._intermediates(point, folder, scratch)
        arguments = aot_arguments(self.options, point, self._model, folder.path / PTE, dump)
        inputs = signature(self.options, self.file)
        passed = stages(self.options, point)
        job = CompileJob(index, point, folder, folder.console(), scratch, tuple(arguments), passed, dumped, inputs)
        folder.update(argv=[self.interpreter.path, "-m", AOT_MODULE, *arguments], artefact=str(folder.path / PTE))
        job.spec = {
            "job": index,
            "argv": arguments,
            "model": self.file,
            "tmp": scratch,
            "token": job.told.lines.token,
            "vela": str(folder.path / VELA),
            "delegation": str(folder.path / DELEGATION),
            "pte": str(folder.path / PTE),
            "inputs": str(folder.path / INPUTS),
            "vela_flags": list(point.vela_flags) if self.options.delegate else [],
        }
        return job

    def _intermediates(
        self, point: CompilePoint, folder: RunFolder, scratch: str
    ) -> tuple[Path | None, tuple[Path, Path] | None]:
        """Where the script shall dump to, and the move that follows where that place has blanks in its path."""
        keep = self.options.keep_intermediates
        if not keep:
            return None, None
        wanted = folder.path / "intermediates"
        if isinstance(keep, str):
            wanted = Path(keep).expanduser().absolute()
            if len(self.points) > 1:
                wanted = wanted / point.label.replace(" ", "-")
        if any(c.isspace() for c in str(wanted)):
            return Path(scratch) / "intermediates", (Path(scratch) / "intermediates", wanted)
        return wanted, None
