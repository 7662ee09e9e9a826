"""Runs TOSA graphs through TOSA's reference model and compares with what PyTorch gave: a script that needs no torch.

Started by path under the interpreter that has `tosa_reference_model` (of tosa-tools) and numpy, where this package may not
be installed.  `--probe` tells what is there; else the argument names a JSON file with the request (`numeric/check.py` writes
it), and the answer goes to the file that it names.  The reference model talks on the process's output: that goes to a log.
One sample after the other, so memory does not grow with their number.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from importlib import metadata, util
from typing import Any

MODULES = {"tosa_reference_model": "tosa-tools", "numpy": "numpy"}


def main(arguments: list[str]) -> int:
    """`--probe`, or the path of a request; 0 when the answer was written."""
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or ".") != here]
    if arguments == ["--probe"]:
        print(json.dumps({package: _version(module, package) for module, package in MODULES.items()}))
        return 0
    with open(arguments[0], encoding="utf-8") as stream:
        request = json.load(stream)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    talk = os.fdopen(os.dup(1), "w", encoding="utf-8")
    log = os.open(request["log"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.dup2(log, 1)
    os.dup2(log, 2)
    answer = _answer(request, talk) | {"key": request["key"]}
    partial = request["answer"] + ".partial"
    with open(partial, "w", encoding="utf-8") as stream:
        json.dump(answer, stream, allow_nan=False)
    os.replace(partial, request["answer"])
    return 0


def _end_with_parent() -> None:
    """Nobody writes to our input: its end is that of our parent."""
    while os.read(0, 1):
        pass
    os._exit(3)


def _version(module: str, package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "unknown" if util.find_spec(module) else None


def _answer(request: dict[str, Any], talk: Any) -> dict[str, Any]:
    """Run all samples, or as many as there is time for.

    A sample's result for a model output is compared where a delegate makes it; else what PyTorch's lowered program gave is,
    which holds only if all delegates are exact.
    """
    import numpy
    import tosa_reference_model as model

    calls = request["calls"]
    graphs = [_read(call["graph"]) for call in calls]
    tallies = [[Tally(spec, request["worst"]) for spec in call["outputs"]] for call in calls]
    layers = [[Tally(spec, 1) for spec in call["layers"]] for call in calls]
    finals = [(Final(), Final()) for _ in request["outputs"]]
    until = time.monotonic() + request["seconds"]
    done = 0
    with numpy.load(request["samples"], allow_pickle=False) as kept:
        for sample in range(request["count"]):
            if done and time.monotonic() > until:
                break
            results = []
            for place, call in enumerate(calls):
                inputs = [kept[f"{sample}_{place}_in_{i}"].reshape(shape) for i, shape in call["feeds"]]
                values, status = model.run(graphs[place], inputs, verbosity="NONE", tosa_level="NONE")
                if status != model.GraphStatus.TOSA_VALID:
                    return {"problem": f"the reference model says {status.name} of partition {call['partition']}"}
                if len(values) != call["results"]:
                    return {
                        "problem": f"the reference model gave {len(values)} outputs of partition {call['partition']}"
                    }
                results.append(values)
                for index, tally in enumerate(tallies[place]):
                    tally.add(sample, values[index], kept[f"{sample}_{place}_out_{index}"])
                for index, tally in enumerate(layers[place]):
                    value = values[call["layers"][index]["place"]]
                    tally.add(sample, value, kept[f"{sample}_{place}_layer_{index}"], either=True)
            for index, (spec, against) in enumerate(zip(request["outputs"], finals, strict=True)):
                value = _final(spec, calls, results, kept, sample, index)
                for final, name in zip(against, ("quantised", "eager"), strict=True):
                    if value is not None and f"{sample}_{name}_{index}" in kept:
                        final.add(value, kept[f"{sample}_{name}_{index}"])
            done += 1
            print(json.dumps({"done": done, "of": request["count"]}), file=talk, flush=True)
    return {
        "problem": None,
        "done": done,
        "calls": [[tally.told() for tally in of_call] for of_call in tallies],
        "layers": [[tally.told() for tally in of_call] for of_call in layers],
        "outputs": [{"quantised": quantised.told(), "eager": eager.told()} for quantised, eager in finals],
    }


def _read(path: str) -> bytes:
    with open(path, "rb") as stream:
        return stream.read()


def _final(spec: Any, calls: Any, results: Any, kept: Any, sample: int, index: int) -> Any:
    """An output of the model as the TOSA graph makes it, in the model's own shape and in float where it is dequantised."""
    import numpy

    if spec["call"] is None:
        name = f"{sample}_lowered_{index}"
        return kept[name] if name in kept else None
    described = calls[spec["call"]]["outputs"][spec["output"]]
    value = numpy.asarray(results[spec["call"]][spec["output"]])
    order = described["dim_order"]
    value = value.reshape([described["shape"][axis] for axis in order])
    value = value.transpose([order.index(axis) for axis in range(len(order))])
    if spec["scale"] is not None:
        value = (value.astype(numpy.float32) - numpy.float32(spec["zero_point"])) * numpy.float32(spec["scale"])
    return value


class Tally:
    """Differences of one tensor over all samples: in steps of an integer (LSB), and by its scale in float."""

    def __init__(self, spec: dict[str, Any], worst: int) -> None:
        self._scale = spec.get("scale")
        self._keep = worst
        self._values = self._differing = 0
        self._largest = self._sum = 0.0
        self._integer = True
        self._problem: str | None = None
        self._worst: list[tuple[float, int, tuple[int, ...], float, float]] = []

    def add(self, sample: int, got: Any, expected: Any, either: bool = False) -> None:
        """One sample; with `either`, the axis of channels may stand last in one of the two."""
        import numpy

        got = numpy.asarray(got)
        if got.size != expected.size:
            self._problem = f"{got.size:,} values instead of {expected.size:,}"
            return
        if either and expected.ndim in (4, 5) and got.shape != expected.shape:
            got = numpy.moveaxis(got, -1, 1)
        elif either and expected.ndim in (4, 5):
            moved = numpy.moveaxis(got, -1, 1).reshape(-1)
            flat = expected.reshape(-1)
            if (moved != flat).sum() < (got.reshape(-1) != flat).sum():
                got = moved
        got = got.reshape(expected.shape)
        self._integer = self._integer and expected.dtype.kind in "iub"
        kind = numpy.int64 if expected.dtype.kind in "iub" else numpy.float64
        off = numpy.abs(got.astype(kind) - expected.astype(kind)).reshape(-1)
        if kind is numpy.float64:  # where PyTorch gives NaN and so does the graph, nothing differs
            same = (got.reshape(-1) == expected.reshape(-1)) | (numpy.isnan(got) & numpy.isnan(expected)).reshape(-1)
            off = numpy.where(same, 0.0, numpy.where(numpy.isfinite(off), off, numpy.finfo(numpy.float64).max))
        self._values += off.size
        differing = int(numpy.count_nonzero(off))
        self._differing += differing
        self._sum += float(off.sum())
        if not differing:
            return
        self._largest = max(self._largest, float(off.max()))
        many = min(self._keep, differing)
        for place in numpy.argpartition(off, -many)[-many:]:
            index = tuple(int(axis) for axis in numpy.unravel_index(place, expected.shape))
            pair = float(expected.reshape(-1)[place]), float(got.reshape(-1)[place])
            self._worst.append((float(off[place]), sample, index, *pair))
        self._worst = sorted(self._worst, key=lambda one: (-one[0], one[1], one[2]))[: self._keep]

    def told(self) -> dict[str, Any]:
        """The figures; those in float are None where an integer has no scale."""
        mean = self._sum / self._values if self._values else None
        known = self._values > 0
        steps = (self._largest, mean) if self._integer and known else (None, None)
        if not self._integer:
            scaled = (self._largest if known else None, mean)
        elif self._scale is not None and known:
            scaled = (self._largest * self._scale, (mean or 0.0) * self._scale)
        else:
            scaled = (None, None)
        worst = [
            {"sample": sample, "index": list(index), "expected": _plain(expected), "got": _plain(got)}
            for _, sample, index, expected, got in self._worst
        ]
        return {
            "problem": self._problem,
            "values": self._values,
            "differing": self._differing,
            "max_lsb": steps[0],
            "mean_lsb": steps[1],
            "max_error": _plain(scaled[0]),
            "mean_error": _plain(scaled[1]),
            "worst": worst,
        }


class Final:
    """Differences of one output of the model, and whether its largest value stands at the same place."""

    def __init__(self) -> None:
        self._values = 0
        self._largest = self._sum = self._magnitude = 0.0
        self._rows = self._agree = self._not_finite = 0

    def add(self, got: Any, expected: Any) -> None:
        """One sample: the first axis counts samples of a batch where there are several axes."""
        import numpy

        if got.size != expected.size or not got.size:
            return
        got = got.reshape(expected.shape).astype(numpy.float64)
        expected = expected.astype(numpy.float64)
        finite = numpy.isfinite(got) & numpy.isfinite(expected)
        self._not_finite += int(finite.size - numpy.count_nonzero(finite))
        off = numpy.abs(got - expected)[finite]
        if off.size:
            self._values += off.size
            self._largest = max(self._largest, float(off.max()))
            self._magnitude = max(self._magnitude, float(numpy.abs(expected[finite]).max()))
            self._sum += float(off.sum())
        rows = (expected.shape[0], -1) if expected.ndim > 1 else (1, -1)
        a, b = got.reshape(rows), expected.reshape(rows)
        if b.shape[1] > 1 and finite.all():
            self._rows += b.shape[0]
            self._agree += int((a.argmax(1) == b.argmax(1)).sum())

    def told(self) -> dict[str, Any] | None:
        """The figures; None where nothing was compared."""
        if not self._values:
            return None
        return {
            "values": self._values,
            "not_finite": self._not_finite,
            "max_error": self._largest,
            "mean_error": self._sum / self._values,
            "largest_value": self._magnitude,
            "argmax_rows": self._rows,
            "argmax_agree": self._agree,
        }


def _plain(value: float | None) -> float | str | None:
    """JSON has no number for what is not finite."""
    if value is None or value - value == 0:
        return value
    return str(value)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
