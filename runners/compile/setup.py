"""What a batch finds out before anything slow, and the jobs that are made of it: their folders, arguments and cache keys."""

from __future__ import annotations

import os
import secrets
from collections.abc import Sequence
from pathlib import Path

from ..aot.inputs import described
from ..aot.process import scratch_directory
from ..aot.warm_process import PREFIXES
from ..digests import file_sha256
from ..interpreters import Interpreter, find_interpreter
from ..runs.folder import RunFolder
from ..vela import VELA
from . import cache as compile_cache
from .cache import INPUTS
from .calibration import check_data
from .check import check_outputs, working_directory
from .derive import Derivation
from .extra import check_extra, check_passed_on
from .job import CompileJob
from .model_assignments import check_assignments
from .model_source import find_model
from .plan import CompileOptions, aot_arguments, equivalent_command, model_label, output_paths, quantises, stages
from .points import CompilePoint
from .result import DELEGATION, PTE
from .script_process import check_config, check_script
from .sharing import signature


class Setup:
    """A batch that can work: the interpreter, the model and the places to write to are there."""

    def __init__(self, options: CompileOptions, points: Sequence[CompilePoint], root: Path) -> None:
        """Refuse what cannot work.

        Raises:
            UsageError, InputError, MissingTool, JobError: see `compile/check`.
        """
        check_extra(options.extra)
        self.options = options
        self.points = points
        self.root = root
        self.batch = secrets.token_hex(4)
        self._cwd = working_directory()
        self.interpreter: Interpreter = find_interpreter(options.interpreter, options.executorch)
        check_script(self.interpreter, options.extra, points)
        self._source = find_model(options.model, self.interpreter, options.extra)
        self.file = self._source.file
        check_passed_on(options)
        if self.file and self._source.loader is None:
            check_assignments(self.file, inputs_given=any("--model_input" in given for given in options.extra))
        check_data(options)
        check_config(options.vela_config, self.interpreter)
        self.outputs = output_paths(options, points)
        keep = options.keep_intermediates
        check_outputs(root, self.outputs, keep if isinstance(keep, str) else None)
        self._digest: str | None = None
        self._interpreter_identity = self.interpreter.identity
        self._versions = self.interpreter.record()  # looked up once: it reads a package's metadata

    @property
    def written(self) -> bool:
        """Whether ExecuTorch's script gets the model through a file that is written for each job."""
        return self._source.loader is not None

    @property
    def digest(self) -> str | None:
        """The SHA-256 of the model's file, if it is one."""
        if self._digest is None and self.file:
            self._digest = file_sha256(Path(self.file))
        return self._digest

    @property
    def _vela_config(self) -> list[str] | None:
        config = self.options.vela_config
        return None if config is None else [config.argument, config.sha256]

    def family_key(self, family: str) -> str:
        """The cache's name for the first job of a family."""
        point = CompilePoint("none")
        return compile_cache.key(
            what="base",
            family=family,
            model=self._source.identity,
            cwd=self._cwd,
            numeric=self.options.numeric.request(Path()) if self.options.numeric else None,
            arguments=aot_arguments(self.options, point, self._source.script_name, Path("-"), None),
            options=[self.options.delegate, self.options.quantize, self.options.calibration, self._vela_config],
            interpreter=[self._interpreter_identity, self.interpreter.executorch, self._versions],
            environment={name: value for name, value in os.environ.items() if name.startswith(PREFIXES)},
        )

    def derived_key(self, derivation: Derivation, point: CompilePoint) -> str:
        """The cache's name for a job that is made of another one."""
        return compile_cache.key(
            what="derived",
            of=derivation.identity,
            model=self._source.identity,
            flags=derivation.flags(point),
            files=[described(path) for path, *_ in signature(self.options, None)],
            options=[self.options.delegate, self.options.quantize, self._vela_config],
            interpreter=[self._interpreter_identity, self._versions],
        )

    def job(self, index: int, durable: bool = True) -> CompileJob:
        """A new job with its run folder; `durable` is whether it would be dear to lose.

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
            "versions": self._versions,
            "hashes": {"model": self.digest},
            "batch": self.batch,
            "command": equivalent_command(self.options, [point]),
        }
        scratch = scratch_directory()
        label = f"{model_label(self.options.model)} {point.label}"
        folder = RunFolder.create(self.root, "compile", label, durable, **facts)
        dump, dumped = self._intermediates(point, folder, scratch)
        samples = Path(scratch) / "calibration" if self._source.samples and quantises(self.options, point) else None
        model = self._source.given_to_script(folder.path, model_label(self.options.model), samples)
        arguments = aot_arguments(self.options, point, model, folder.path / PTE, dump, samples)
        inputs = signature(self.options, self.file)
        passed = stages(self.options, point)
        job = CompileJob(index, point, folder, folder.console(), scratch, tuple(arguments), passed, dumped, inputs)
        folder.update(argv=[*self.interpreter.command, *arguments], artefact=str(folder.path / PTE))
        job.told.notes += self.interpreter.findings
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
            "numeric": self.options.numeric.request(folder.path) if self.options.numeric else None,
            "vela_config": self.options.vela_config and self.options.vela_config.for_job(folder.path),
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
            wanted = Path(os.path.expanduser(keep)).absolute()
            if len(self.points) > 1:
                wanted = wanted / point.label.replace(" ", "-")
        if any(c.isspace() for c in str(wanted)):
            return Path(scratch) / "intermediates", (Path(scratch) / "intermediates", wanted)
        return wanted, None
