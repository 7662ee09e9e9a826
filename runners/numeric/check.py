"""Checks compiled programs against PyTorch with TOSA's reference model, in a process that needs no torch.

The compile job keeps inputs and references (`aot/numeric.py`); here each program is bound to its TOSA graphs, these run in
`numeric/worker.py`, and jobs that have the same graphs share one result.
"""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from ...analysis.numeric.report import NumericReport, build_report, not_checked, refused
from ...analysis.tosa.outputs import with_outputs
from ...analysis.tosa.reader import TosaBlock, TosaError, read_tosa
from ..digests import file_sha256
from ..job import MissingTool
from . import worker as numeric_worker
from .options import BUDGET_SECONDS, FOLDER, NumericOptions
from .pair import NoGraphs, Partition, WrongPair, bound_partitions

LIMIT_SECONDS = 900.0
"""After this the reference model is ended."""
WORST = 5
_PROBE_SECONDS = 30.0


def find_reference_model(interpreter: str) -> str:
    """The package and version of TOSA's reference model that this Python has.

    Raises:
        MissingTool: it has none; the hint holds the line that installs it.
    """
    argv = [interpreter, str(Path(numeric_worker.__file__)), "--probe"]
    try:
        probe = subprocess.run(
            argv, stdin=subprocess.DEVNULL, capture_output=True, timeout=_PROBE_SECONDS, check=True, text=True
        )
        found = json.loads(probe.stdout)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        raise MissingTool(f"{interpreter} cannot tell whether it has TOSA's reference model ({error})") from error
    missing = [package for package, version in found.items() if version is None]
    if missing:
        raise MissingTool(
            f"--check-numerics needs {' and '.join(missing)}, which {interpreter} lacks",
            f"{interpreter} -m pip install {' '.join(missing)}",
        )
    return f"tosa-tools {found['tosa-tools']}"


class Checker:
    """Checks the programs of one batch, one after the other.  `check` belongs to one thread, `stop` to any."""

    def __init__(self, options: NumericOptions, interpreter: str, reference: str) -> None:
        self._options = options
        self._interpreter = interpreter
        self._reference = reference
        self._done: dict[frozenset[str], tuple[str, NumericReport]] = {}
        """Reports by the TOSA graphs that they are about, with the label of the job."""
        self._references: dict[frozenset[str], Path] = {}
        """Folders with references by the TOSA graphs that they are of."""
        self._problem = "the compile kept no inputs and references to compare with"
        self._process: subprocess.Popen[str] | None = None
        self._stopped = threading.Event()
        self._lock = threading.Lock()

    def stop(self) -> None:
        """End what runs; what is checked from now on is told as stopped."""
        self._stopped.set()
        with self._lock:
            if self._process is not None:
                _kill(self._process)

    def offer(self, folder: Path) -> None:
        """References in this run folder are what was asked for; nothing happens where there are none."""
        try:
            facts = _facts(folder)
            self._references[frozenset(call["tosa_sha256"] for call in facts["calls"])] = folder
        except NoGraphs as reason:
            self._problem = str(reason)
        except (OSError, ValueError, KeyError, TypeError) as error:
            self._problem = f"the references of the compile cannot be read ({type(error).__name__}: {error})"

    def check(
        self, folder: Path, pte: Path, label: str, progress: Callable[[int, int], None] = lambda done, of: None
    ) -> NumericReport:
        """The report of the program `pte`, whose TOSA graphs lie in its run folder.

        The references are those of its graphs that were offered.
        """
        tolerance = self._options.tolerance_lsb
        try:
            partitions = bound_partitions(folder, pte)
            graphs = frozenset(partition.tosa_sha256 for partition in partitions)
            if graphs in self._done:
                other, report = self._done[graphs]
                return report._replace(shared_with=other)
            references = self._references.get(graphs)
            if references is None and self._references:
                raise NoGraphs("the references that were kept are of other TOSA graphs")
            if references is None:
                raise NoGraphs(self._problem)
            report = self._run(references / FOLDER, partitions, progress)
        except WrongPair as reason:
            return refused(str(reason), tolerance, self._reference)
        except NoGraphs as reason:
            return not_checked(str(reason), tolerance, self._reference)
        except (OSError, ValueError, KeyError, TypeError) as error:
            return not_checked(f"{type(error).__name__}: {error}", tolerance, self._reference)
        if report.status != "not-checked":
            self._done[graphs] = label, report
        return report

    def _run(
        self,
        directory: Path,
        partitions: Sequence[Partition],
        progress: Callable[[int, int], None],
    ) -> NumericReport:
        began = time.monotonic()
        facts = _facts(directory.parent)
        by_graph = {partition.tosa_sha256: partition for partition in partitions}
        numbers = [by_graph[call["tosa_sha256"]].number for call in facts["calls"]]
        calls = []
        for call in facts["calls"]:
            described, exposed = _call(call, by_graph[call["tosa_sha256"]])
            if exposed is not None:
                described["graph"] = str(directory / f"partition-{described['partition']}.tosa")
                Path(described["graph"]).write_bytes(exposed)
            calls.append(described)
        request = {
            "samples": str(directory / "samples.npz"),
            "answer": str(directory / "answer.json"),
            "log": str(directory / "reference.log"),
            "count": len(facts["samples"]),
            "calls": calls,
            "outputs": facts["outputs"],
            "worst": WORST,
            "seconds": BUDGET_SECONDS,
        }
        key = self._key(request, sorted(by_graph))
        answer = _answer(directory, key)
        if answer is None:
            (directory / "answer.json").unlink(missing_ok=True)
            (directory / "request.json").write_text(json.dumps(request | {"key": key}), encoding="utf-8")
            problem = self._execute(directory, progress)
            answer = _answer(directory, key) if problem is None else None
            if answer is None:
                reason = problem or "the reference model left no answer"
                return not_checked(reason, self._options.tolerance_lsb, self._reference)
        seconds = time.monotonic() - began
        return build_report(answer, facts, numbers, self._options.tolerance_lsb, self._reference, seconds)

    def _key(self, request: Mapping[str, Any], graphs: Sequence[str]) -> str:
        """The same for the same question to the same reference model."""
        told = [
            {name: value for name, value in request.items() if name not in ("answer", "log")},
            file_sha256(Path(request["samples"])),
            file_sha256(Path(numeric_worker.__file__)),
            [self._interpreter, self._reference, *graphs],
        ]
        return hashlib.sha256(json.dumps(told).encode()).hexdigest()

    def _execute(self, directory: Path, progress: Callable[[int, int], None]) -> str | None:
        """Run the worker to its end; why there is no answer, if there is none."""
        argv = [self._interpreter, str(Path(numeric_worker.__file__)), str(directory / "request.json")]
        log = directory / "reference.log"
        with self._lock:
            if self._stopped.is_set():
                return "it was stopped"
            with log.open("wb") as said:
                process = self._process = subprocess.Popen(
                    argv,
                    stdin=subprocess.PIPE,  # its end tells the worker that we are gone
                    stdout=subprocess.PIPE,
                    stderr=said,
                    text=True,
                    errors="replace",
                    start_new_session=True,
                )
        timer = threading.Timer(LIMIT_SECONDS, _kill, [process])
        timer.start()
        try:
            assert process.stdout is not None
            for line in process.stdout:
                with suppress(ValueError, KeyError, TypeError):
                    told = json.loads(line)
                    progress(int(told["done"]), int(told["of"]))
            code = process.wait()
        finally:
            late = not timer.is_alive()
            timer.cancel()
            _kill(process)
            process.wait()
            for stream in (process.stdin, process.stdout):
                with suppress(OSError):
                    stream.close()  # type: ignore[union-attr]
            with self._lock:
                self._process = None
        if self._stopped.is_set():
            return "it was stopped"
        if late:
            return f"the reference model took longer than {LIMIT_SECONDS:.0f} s"
        if code != 0:
            last = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-1:] or [f"status {code}"]
            how = f"was killed by signal {-code}" if code < 0 else f"failed ({last[0][:300]})"
            return f"the reference model {how}"
        return None


def _answer(directory: Path, key: str) -> dict[str, Any] | None:
    """What the worker answered to this question, if it did."""
    try:
        answer = json.loads((directory / "answer.json").read_bytes())
    except (FileNotFoundError, ValueError):
        return None
    return answer if isinstance(answer, dict) and answer.get("key") == key else None


def _facts(folder: Path) -> dict[str, Any]:
    """What the compile job kept."""
    path = folder / FOLDER / "samples.json"
    try:
        facts: dict[str, Any] = json.loads(path.read_bytes())
    except FileNotFoundError:
        raise NoGraphs("the compile kept no inputs and references to compare with") from None
    if facts.get("problem"):
        raise NoGraphs(str(facts["problem"]))
    return facts


def _call(call: Mapping[str, Any], partition: Partition) -> tuple[dict[str, Any], bytes | None]:
    """One call for the worker, and the graph that also gives out its layers, where there are any."""
    data = partition.tosa.read_bytes()
    try:
        block = read_tosa(data).blocks[0]
        layers = [dict(layer) for layer in call["layers"] if layer["tensor"] in {t.name for t in block.tensors}]
        if len(layers) < len(call["layers"]):
            raise NoGraphs(f"the TOSA graph of partition {partition.number} has not all layers that PyTorch computed")
        exposed = with_outputs(data, [layer["tensor"] for layer in layers]) if layers else None
        results = read_tosa(exposed).blocks[0].outputs if exposed is not None else block.outputs
    except TosaError as error:
        raise NoGraphs(f"the TOSA graph of partition {partition.number} cannot be read: {error}") from error
    if len(block.outputs) != len(call["outputs"]):
        raise WrongPair(f"partition {partition.number} has {len(block.outputs)} outputs, not {len(call['outputs'])}")
    for layer in layers:
        layer["place"] = results.index(layer["tensor"])
    return {
        "partition": partition.number,
        "graph": str(partition.tosa),
        "feeds": _feeds(call, block, partition.number),
        "results": len(results),
        "outputs": call["outputs"],
        "layers": [{k: layer[k] for k in ("place", "scale", "zero_point")} for layer in layers],
    }, exposed


def _feeds(call: Mapping[str, Any], block: TosaBlock, number: int) -> list[tuple[int, tuple[int, ...]]]:
    """Which of the delegate's inputs goes into each of the graph's, and its shape there: by name, else by order."""
    used = [index for index, one in enumerate(call["inputs"]) if one["used"]]
    names = {call["inputs"][index]["name"]: index for index in used}
    order = [names[name] for name in block.inputs if name in names]
    if len(order) != len(block.inputs):
        order = used
    if len(order) != len(block.inputs):
        raise NoGraphs(f"partition {number} takes {len(block.inputs)} inputs, the delegate {len(used)}")
    shapes = {tensor.name: tensor.shape for tensor in block.tensors}
    feeds = []
    for index, name in zip(order, block.inputs, strict=True):
        shape = shapes.get(name)
        if shape is None:
            raise NoGraphs(f"input {name} of partition {number} has no fixed shape")
        feeds.append((index, shape))
    return feeds


def _kill(process: subprocess.Popen[str]) -> None:
    if process.poll() is None:
        with suppress(ProcessLookupError, PermissionError):
            if sys.platform == "win32":
                process.kill()
            else:
                os.killpg(process.pid, signal.SIGKILL)
