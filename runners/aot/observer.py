"""Watches ExecuTorch's ahead-of-time script from inside its process, without changing what it makes.

Loaded by `aot/worker.py` by path, in the forked child of one job, under an interpreter where this package may not be
installed: standard library and executorch only.  Functions of the script are wrapped, never replaced; a wrapper tells
which stage runs, how the partitions went and why nodes were refused, and keeps what the script throws away.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


class Events:
    """What a job says about itself, as JSON lines, each behind the token that shows it to be ours."""

    def __init__(self, descriptor: int, token: str) -> None:
        self._stream = open(descriptor, "wb", buffering=0)
        self._token = token

    def __call__(self, event: str, **facts: Any) -> None:
        text = json.dumps({"event": event, **facts}, default=str)
        view = memoryview(f"{self._token} {text}\n".encode())
        while view:
            view = view[self._stream.write(view) :]


def compile_observed(script: Any, job: dict[str, Any], tell: Events, sibling: Callable[[str], Any]) -> int:
    """Run the script's `main()` with the arguments in `sys.argv` and tell how it went; its exit status.

    `sibling` loads a module that lies beside this one, by name.
    """
    reads = sibling("inputs").Reads((job["tmp"], os.path.dirname(job["pte"])))
    observe = Observer(script, job, tell, sibling)
    try:
        observe.attach()
        if "torch" in sys.modules:
            reads.watch_torch(sys.modules["torch"])
        script.main()
        reads.save(job["inputs"])
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
        if code:
            tell("error", error="SystemExit", message=f"the compiler ended with status {code}", line=None)
        return code
    except BaseException as error:
        traceback.print_exc()
        kind = type(error)
        name = kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"
        message, line = str(error)[:4000], _line_in(job["model"], error)
        if "WithEffects" in message and observe.record.effects:
            operator, source = observe.record.effects
            message = f"{message} (of {operator})"
            line = line or (int(source.rpartition(":")[2]) if source else None)
        tell("error", error=name, message=message, line=line)
        return 1
    finally:
        tell("stages", seconds=observe.seconds)
    return 0


def _line_in(model: str | None, error: BaseException) -> int | None:
    """The last line of the user's own file on the way to the error."""
    if not model:
        return None
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == model]
    lines += [int(n) for n in re.findall(r'File "' + re.escape(model) + r'", line (\d+)', str(error))]
    if isinstance(error, SyntaxError) and error.filename == model:
        lines.append(error.lineno)
    return lines[-1] if lines else None


class Observer:
    """Wraps functions of the script in this process, so that its work is seen and nothing of it changes."""

    def __init__(self, script: Any, job: dict[str, Any], tell: Events, sibling: Callable[[str], Any]) -> None:
        self._script = script
        self._job = job
        self._tell = tell
        self._sibling = sibling
        self._locations = sibling("locations").Locations(job["model"])
        self.record = sibling("delegation").Record(job)
        self._census = sibling("census")
        self._running: list[list[Any]] = []
        self.partitions = 0
        """Partitions that went through Vela."""
        self.seconds: dict[str, float] = {}
        """Seconds by stage, without those of the stages inside it."""

    def attach(self) -> None:
        """Put the wrappers in place; what a release of executorch does not have is left out."""
        import torch.export
        from executorch.exir import EdgeProgramManager

        script = self._script
        if self._job.get("numeric"):
            self._sibling("numeric").keep_references(script, self._job, self._tell, self._sibling, self._after)
        self._sibling("entry").check_samples(script)
        self._wrap(script, "get_model_and_inputs_from_name", "load model")
        self._after(script, "get_model_and_inputs_from_name", self._loaded)
        self._after(script, "load_calibration_samples", self._calibrating)
        self._wrap(torch.export, "export", "export")
        self._wrap(script, "quantize", "quantise")
        self._wrap(script, "convert_pt2e", "quantise")
        self._wrap(script, "prepare_pt2e", "quantise")
        self._wrap(script, "to_edge_transform_and_lower", "partition and lower")
        self._wrap(EdgeProgramManager, "to_executorch", "make the program")
        self._after(script, "get_delegation_info", self._delegation)
        self._after(script, "save_pte_program", self._saved)
        self._wrap(script, "save_pte_program", "save")
        if "--delegate" in self._job["argv"]:
            import executorch.backends.arm.ethosu.backend as ethosu
            from executorch.backends.arm.tosa import backend, partitioner
            from executorch.backends.arm.tosa.backend import TOSABackend

            if self._job["vela_flags"]:
                script.EthosUCompileSpec = self._with_flags(script.EthosUCompileSpec)

            self._wrap(TOSABackend, "_preprocess", "TOSA")
            self._locations.attach(backend)
            ethosu.vela_compile = self._keeping_vela(ethosu.vela_compile)
            self._wrap(ethosu, "vela_compile", "Vela")
            self._after(partitioner.WhyNoPartitionReporter, "report_reject", self._rejected)

    def _wrap(self, owner: Any, name: str, stage: str) -> None:
        original = getattr(owner, name, None)
        if original is None:
            return

        def timed(*args: Any, **options: Any) -> Any:
            self._tell("stage", stage=stage)
            began = time.perf_counter()
            self._running.append([stage, 0.0])
            try:
                return original(*args, **options)
            finally:
                took = time.perf_counter() - began
                _, inside = self._running.pop()
                self.seconds[stage] = round(self.seconds.get(stage, 0.0) + took - inside, 4)
                if self._running:
                    self._running[-1][1] += took

        static = isinstance(owner, type) and isinstance(vars(owner).get(name), staticmethod)
        setattr(owner, name, staticmethod(timed) if static else timed)

    @staticmethod
    def _after(owner: Any, name: str, then: Callable[[Any, tuple[Any, ...]], None]) -> None:
        original = getattr(owner, name, None)
        if original is None:
            return

        def followed(*args: Any, **options: Any) -> Any:
            result = original(*args, **options)
            then(result, args)
            return result

        setattr(owner, name, followed)

    def _loaded(self, made: Any, _: tuple[Any, ...]) -> None:
        if not (isinstance(made, tuple) and len(made) == 2):
            return  # another release's answer
        model, inputs = made
        if hasattr(model, "named_modules") and not isinstance(model, type):
            try:
                self._tell("census", **self._census.census(model))
            except Exception as error:  # a model may do anything in its attributes; its compile is not ours to break
                print(f"The model's parts could not be listed: {type(error).__name__}: {error}")
            self._census.refuse_types(model, inputs, self._job["argv"])

    def _calibrating(self, samples: Any, args: tuple[Any, ...]) -> None:
        validate = getattr(self._script, "_validate_calibration_sample", None)
        if validate is not None:
            self._census.refuse_samples(samples, args[1], validate, args[0])

    def _delegation(self, info: Any, args: tuple[Any, ...]) -> None:
        operators = {name: [b.delegated, b.non_delegated] for name, b in info.delegation_by_operator.items()}
        table = self._script.tabulate(info.get_operator_delegation_dataframe(), headers="keys", tablefmt="fancy_grid")
        text = f"Delegation info:\n{info.get_summary()}\nDelegation table:\n{table}\n"
        Path(self._job["delegation"]).unlink(missing_ok=True)  # it may be another run's file as well
        Path(self._job["delegation"]).write_text(text, encoding="utf-8")
        try:
            if args and hasattr(args[0], "graph"):
                self.record.write(args[0])
        except Exception as error:  # a graph that it does not know: the program is not affected
            self._tell("delegation-detail", error=f"{type(error).__name__}: {error}"[:500])
        self._tell(
            "delegation",
            subgraphs=info.num_delegated_subgraphs,
            delegated=info.num_delegated_nodes,
            non_delegated=info.num_non_delegated_nodes,
            operators=operators,
        )

    def _saved(self, path: Any, args: tuple[Any, ...]) -> None:
        """`save_pte_program` logs a failed write and goes on as if it had worked."""
        expected = len(args[0].buffer)
        written = os.path.getsize(path) if os.path.exists(path) else 0
        if written != expected:
            raise OSError(f"only {written} of {expected} bytes could be written to {path}")

    def _rejected(self, _: Any, args: tuple[Any, ...]) -> None:
        _, node, reason = args
        self.record.rejected(node, reason)
        if node.op == "call_function":
            self._tell("rejected", operator=str(getattr(node.target, "__name__", node.target)), reason=reason)

    def _with_flags(self, original: Callable[..., Any]) -> Callable[..., Any]:
        """Vela's flags that the script has no option for, the way its own API takes them."""

        def compile_spec(*args: Any, extra_flags: Any = None, **options: Any) -> Any:
            return original(*args, extra_flags=[*(extra_flags or ()), *self._job["vela_flags"]], **options)

        return compile_spec

    def _with_config(self, flags: list[str]) -> list[str]:
        """The user's vela.ini at a path without blanks; what the program stores is as the arguments say it."""
        config = self._job["vela_config"]
        if config is None:
            return flags
        copy = os.path.join(self._job["tmp"], "vela.ini")
        shutil.copyfile(config["file"], copy)
        return [f"--config={copy}" if flag == config["flag"] else flag for flag in flags]

    def _keeping_vela(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def vela_compile(tosa_flatbuffer: bytes, args: list[str], *rest: Any, **options: Any) -> Any:
            flags = self._with_config(list(args))  # the original appends to its argument
            result = original(tosa_flatbuffer, list(flags), *rest, **options)
            self.partitions += 1
            kept = Path(self._job["vela"]) / f"partition-{self.partitions}"
            blob = getattr(result, "processed_bytes", result)
            try:
                self._vela_detail(tosa_flatbuffer, flags, kept)
                digests = [hashlib.sha256(data).hexdigest() for data in (blob, tosa_flatbuffer)]
                (kept / "digests.sha256").write_text("\n".join(digests) + "\n")
                self._locations.keep(kept)
            except (Exception, SystemExit) as error:
                reason = f"{type(error).__name__}: {error}"
                self._tell("vela-detail", partition=self.partitions, error=reason[:500])
            return result

        return vela_compile

    def _vela_detail(self, tosa: bytes, flags: list[str], kept: Path) -> None:
        """The same TOSA through Vela again, for the files that the script does not ask for or deletes."""
        from ethosu.vela import vela

        with tempfile.TemporaryDirectory() as scratch:
            source = os.path.join(scratch, "out.tosa")
            output = os.path.join(scratch, "output")
            Path(source).write_bytes(tosa)
            kept.mkdir(parents=True, exist_ok=True)
            with _silenced(kept / "vela.log"):
                vela.main([*flags, "--verbose-performance", "--enable-debug-db", f"--output-dir={output}", source])
            shutil.move(source, kept / "out.tosa")
            for name in os.listdir(output):
                if name.endswith((".csv", ".xml")):
                    shutil.move(os.path.join(output, name), kept / name)


@contextmanager
def _silenced(log: Path) -> Iterator[None]:
    """Send the process's output, that of C++ included, to a file instead of the job's console."""
    sys.stdout.flush()
    sys.stderr.flush()
    saved = os.dup(1), os.dup(2)
    with open(log, "wb") as stream:
        os.dup2(stream.fileno(), 1)
        os.dup2(stream.fileno(), 2)
    try:
        yield
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        for number, descriptor in enumerate(saved, 1):
            os.dup2(descriptor, number)
            os.close(descriptor)
