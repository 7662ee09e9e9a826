"""Keeps what a numeric check compares with: inputs, what PyTorch makes of them, and what goes into and out of each delegate.

Loaded by `aot/observer.py` by path, in the forked child of one job, where a check was asked for: standard library, torch
and executorch only.  It looks when the script has lowered the program and before anything is done to that; every graph is
interpreted with copies of its buffers, so that the program is the same, byte for byte, with and without a check.  What
cannot be had is told in `samples.json`, and never ends the compile.

`samples.npz` holds, for sample S: `S_eager_K` and `S_quantised_K` (output K of the model), `S_lowered_K` (the same of the
lowered program), and for each call P of a delegate `S_P_in_K` and `S_P_out_K`, in the order of their memory.
"""

from __future__ import annotations

import copy
import hashlib
import json
import os
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

FORMAT = 1


class Unknown(Exception):
    """Something that the check needs cannot be had; the message says what and why."""


def keep_references(
    script: Any,
    job: dict[str, Any],
    tell: Callable[..., None],
    sibling: Callable[[str], Any],
    after: Callable[[Any, str, Callable[[Any, tuple[Any, ...]], None]], None],
) -> None:
    """Follow the script's functions, so that the references of one compile are kept in the folder `job["numeric"]["folder"]`.

    `after(owner, name, then)` lets `then(result, args)` follow each call of that function.
    """
    wanted = job["numeric"]
    layers = sibling("layers") if wanted["layers"] else None
    keeper = Keeper(script, wanted, tell, layers)
    after(script, "get_model_and_inputs_from_name", keeper.model)
    after(script, "load_calibration_samples", keeper.calibration)
    after(script, "to_edge_transform_and_lower", keeper.lowered)
    if "--delegate" in job["argv"]:
        import executorch.backends.arm.ethosu.backend as ethosu

        after(ethosu, "vela_compile", keeper.compiled)
        if layers is not None:
            layers.watch(keeper.nodes)


class Keeper:
    """Collects on the way what is needed, and evaluates it when the program was lowered."""

    def __init__(self, script: Any, wanted: dict[str, Any], tell: Callable[..., None], layers: Any) -> None:
        self._script = script
        self._wanted = wanted
        self._tell = tell
        self._layers = layers
        self._model: Any = None
        self._inputs: Any = None
        self._calibration: list[Any] = []
        self._graphs: dict[str, str] = {}
        """SHA-256 of a TOSA graph by that of the delegate made of it."""
        self.nodes: list[dict[int, tuple[int, str]]] = []
        """For each TOSA graph in the order of compiling, its tensors as `aot/layers` found them."""
        self._order: list[str] = []

    def model(self, found: Any, _: tuple[Any, ...]) -> None:
        """The script loaded the model; a copy, as running it may change its buffers, which the program holds."""
        self._model, self._inputs = found

    def calibration(self, samples: Any, _: tuple[Any, ...]) -> None:
        """The script loaded calibration data."""
        self._calibration = list(samples or ())

    def compiled(self, result: Any, args: tuple[Any, ...]) -> None:
        """Vela made a delegate of a TOSA graph."""
        blob = bytes(getattr(result, "processed_bytes", result))
        digest = hashlib.sha256(blob).hexdigest()
        self._graphs[digest] = hashlib.sha256(args[0]).hexdigest()
        self._order.append(digest)

    def lowered(self, edge: Any, args: tuple[Any, ...]) -> None:
        """The program is lowered: evaluate and write."""
        folder = Path(self._wanted["folder"])
        self._tell("stage", stage="run in PyTorch")
        facts: dict[str, Any] = {"format": FORMAT, "problem": None}
        try:
            import torch

            folder.mkdir(parents=True, exist_ok=True)
            with torch.random.fork_rng(devices=[]), torch.no_grad():
                facts |= self._evaluate(edge.exported_program(), args[0], folder / "samples.npz")
        except Exception as error:
            traceback.print_exc()
            reason = str(error) if isinstance(error, Unknown) else f"{type(error).__name__}: {error}"
            facts["problem"] = reason[:500]
        try:
            folder.mkdir(parents=True, exist_ok=True)
            partial = folder / ".samples.json"
            partial.write_text(json.dumps(facts), encoding="utf-8")
            os.replace(partial, folder / "samples.json")
        except OSError as error:
            print(f"The references of the numeric check could not be written: {error}")

    def _evaluate(self, program: Any, quantised: Any, path: Path) -> dict[str, Any]:
        import numpy

        until = time.monotonic() + self._wanted["seconds"]
        eager = copy.deepcopy(self._model).eval()  # running it may change its buffers, which are the program's
        calls = _calls(program)
        if not calls:
            raise Unknown("nothing was delegated, so there is no TOSA graph to check")
        arrays: dict[str, Any] = {}
        samples: list[dict[str, str]] = []
        skipped: list[str] = []
        asked, used = self._samples(), 0
        for origin, inputs in asked:
            number = len(samples)
            if samples and time.monotonic() > until:
                skipped.append(
                    f"{len(asked) - number} samples: PyTorch took longer than {self._wanted['seconds']:.0f} s"
                )
                break
            made = self._sample(number, inputs, eager, quantised, program, calls)
            size = sum(array.nbytes for array in made.values())
            if used + size > self._wanted["limit_bytes"]:
                if not samples:
                    raise Unknown(
                        f"one sample needs {size:,} bytes, more than the {self._wanted['limit_bytes']:,} kept"
                    )
                skipped.append(f"{len(asked) - number} samples: more than {self._wanted['limit_bytes']:,} bytes")
                break
            used += size
            arrays |= made
            samples.append({"origin": origin})
        with open(path, "wb") as stream:
            numpy.savez(stream, **arrays)
        return {
            "samples": samples,
            "skipped": skipped,
            "calls": [self._described(call) for call in calls],
            "outputs": _outputs(program, calls),
        }

    def _samples(self) -> list[tuple[str, tuple[Any, ...]]]:
        """What to run, with where it is from: the model's own inputs, calibration data, and random ones if asked for."""
        import torch

        found = [("ModelInputs", tuple(self._inputs))]
        found += [(f"calibration {number}", tuple(sample)) for number, sample in enumerate(self._calibration, 1)]
        found = found[: max(1, self._wanted["samples"])]
        generator = torch.Generator().manual_seed(self._wanted["seed"])
        for number in range(1, self._wanted["random"] + 1):
            drawn = tuple(_drawn(value, generator) for value in self._inputs)
            found.append((f"random {number} of seed {self._wanted['seed']}", drawn))
        return found

    def _sample(
        self,
        number: int,
        inputs: tuple[Any, ...],
        eager: Any,
        quantised: Any,
        program: Any,
        calls: list[dict[str, Any]],
    ) -> dict[str, Any]:
        made: dict[str, Any] = {}
        fresh = copy.deepcopy(inputs)
        for name, values in (
            ("eager", _flat(copy.deepcopy(eager)(*fresh))),
            ("quantised", interpret(quantised, copy.deepcopy(inputs))),
            ("lowered", self._lowered_outputs(number, program, inputs, calls, made)),
        ):
            for place, value in enumerate(values):
                if hasattr(value, "detach"):
                    made[f"{number}_{name}_{place}"] = value.detach().contiguous().numpy().copy()
        return made

    def _lowered_outputs(
        self, number: int, program: Any, inputs: tuple[Any, ...], calls: list[dict[str, Any]], made: dict[str, Any]
    ) -> list[Any]:
        """The outputs of the lowered program; what passes its delegates goes to `made`."""
        places = {call["node"]: place for place, call in enumerate(calls)}

        def delegate(node: Any, lowered: Any, values: list[Any]) -> list[Any]:
            place = places[node]
            call = calls[place]
            handle = (
                (lambda name, value: call["layers"].take(number, place, name, value, made)) if call["layers"] else None
            )
            results = interpret(lowered.original_module, tuple(values), watch=handle, every_output=True)
            for kind, tensors, specs in (("in", values, call["inputs"]), ("out", results, call["outputs"])):
                for index, (tensor, spec) in enumerate(zip(tensors, specs, strict=True)):
                    made[f"{number}_{place}_{kind}_{index}"] = _in_memory_order(tensor, spec["dim_order"])
            return results

        for call in calls:
            if self._layers is not None and call["layers"] is None:
                digest = hashlib.sha256(bytes(call["lowered"].processed_bytes)).hexdigest()
                tensors = self.nodes[self._order.index(digest)] if digest in self._order else {}
                call["layers"] = self._layers.Layers(call["lowered"].original_module, tensors)
        return interpret(program, copy.deepcopy(inputs), delegate=delegate)

    def _described(self, call: dict[str, Any]) -> dict[str, Any]:
        blob = hashlib.sha256(bytes(call["lowered"].processed_bytes)).hexdigest()
        if blob not in self._graphs:
            raise Unknown(f"the TOSA graph of delegate {call['name']} was not seen")
        return {
            "name": call["name"],
            "delegate_sha256": blob,
            "tosa_sha256": self._graphs[blob],
            "inputs": call["inputs"],
            "outputs": call["outputs"],
            "layers": call["layers"].described() if call["layers"] else [],
        }


def _calls(program: Any) -> list[dict[str, Any]]:
    """The calls of delegates in the order in which the program makes them."""
    calls = []
    for node in program.graph_module.graph.nodes:
        if node.op == "call_function" and _name(node) == "executorch_call_delegate":
            lowered = getattr(program.graph_module, str(node.args[0].target))
            inner = lowered.original_module
            users = set(inner.graph_signature.user_inputs)
            placeholders = [n for n in inner.graph_module.graph.nodes if n.op == "placeholder" and n.name in users]
            results = [n for n in inner.graph_module.graph.output_node().args[0]]
            call = {"node": node, "name": str(node.args[0].target), "lowered": lowered, "layers": None}
            call["inputs"] = [{**_tensor(n), "used": bool(n.users)} for n in placeholders]
            call["outputs"] = [{**_tensor(n), **_quantisation(n)} for n in results]
            calls.append(call)
    return calls


def _tensor(node: Any) -> dict[str, Any]:
    value = node.meta["val"]
    if not hasattr(value, "dim_order"):
        raise Unknown(f"{node.name} passes the border of a delegate and is no tensor")
    return {
        "name": node.name,
        "dtype": str(value.dtype).removeprefix("torch."),
        "shape": [int(size) for size in value.shape],
        "dim_order": list(value.dim_order()),
    }


def _quantisation(node: Any) -> dict[str, Any]:
    """Scale and zero point of a node that quantises or dequantises by the tensor."""
    if node.op == "call_function" and "quantize_per_tensor" in _name(node):
        scale, zero_point = node.args[1:3]
        if isinstance(scale, float) and isinstance(zero_point, int):
            return {"scale": scale, "zero_point": zero_point}
    return {"scale": None, "zero_point": None}


def _outputs(program: Any, calls: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Where each output of the model comes from: output K of call P, dequantised, or operators on the CPU."""
    places = {call["node"]: place for place, call in enumerate(calls)}
    names = {node.name: node for node in program.graph_module.graph.nodes}
    found = []
    for name in program.graph_signature.user_outputs:
        node = names.get(name)
        from_: dict[str, Any] = {"call": None, "output": None, "scale": None, "zero_point": None}
        facts = dict(from_)
        if node is not None and node.op == "call_function" and "dequantize_per_tensor" in _name(node):
            facts |= _quantisation(node)
            node = node.args[0]
        if node is not None and node.op == "call_function" and _name(node) == "getitem" and node.args[0] in places:
            facts |= {"call": places[node.args[0]], "output": int(node.args[1])}
        else:
            facts = from_
        found.append(facts)
    return found


def _name(node: Any) -> str:
    return str(getattr(node.target, "__name__", node.target))


def _flat(values: Any) -> list[Any]:
    from torch.utils import _pytree

    return list(_pytree.tree_leaves(values))


def _drawn(value: Any, generator: Any) -> Any:
    """A random tensor in the range of the model's own input."""
    import torch

    if not isinstance(value, torch.Tensor) or not value.numel():
        return value
    if value.dtype == torch.bool:
        return torch.rand(value.shape, generator=generator) < 0.5
    low, high = value.min(), value.max()
    if value.is_floating_point():
        return (torch.rand(value.shape, generator=generator) * (high - low) + low).to(value.dtype)
    return torch.randint(int(low), int(high) + 1, value.shape, generator=generator, dtype=value.dtype)


def _in_memory_order(tensor: Any, dim_order: list[int]) -> Any:
    """The values in the order in which a delegate has them in memory."""
    return tensor.detach().permute(dim_order).contiguous().numpy().copy()


def interpret(
    program: Any,
    inputs: tuple[Any, ...],
    delegate: Callable[[Any, Any, list[Any]], list[Any]] | None = None,
    watch: Callable[[str, Any], None] | None = None,
    every_output: bool = False,
) -> list[Any]:
    """The outputs of an exported program, node by node, without touching its state.

    `delegate` computes calls of delegates; `watch` sees the value of every node; `every_output` includes changed buffers.
    """
    import torch
    from torch.export.graph_signature import InputKind, OutputKind

    class Interpreter(torch.fx.Interpreter):
        def run_node(self, n: Any) -> Any:
            if delegate is not None and n.op == "call_function" and _name(n) == "executorch_call_delegate":
                args, _ = self.fetch_args_kwargs_from_env(n)
                return delegate(n, args[0], list(args[1:]))
            value = super().run_node(n)
            if watch is not None:
                watch(n.name, value)
            return value

    given = iter(_flat(inputs))
    values = []
    for spec in program.graph_signature.input_specs:
        if spec.kind == InputKind.USER_INPUT:
            values.append(next(given, None))
            continue
        held = program.state_dict.get(spec.target)
        if held is None:
            held = program.constants.get(spec.target)
        if held is None:
            raise Unknown(f"{spec.target}, which the graph reads, is not in the program")
        changes = spec.kind == InputKind.BUFFER
        values.append(held.detach().clone() if changes and isinstance(held, torch.Tensor) else held)
    results = Interpreter(program.graph_module).run(*values)
    flat = _flat(results)
    if every_output:
        return flat
    specs = program.graph_signature.output_specs
    return [value for value, spec in zip(flat, specs, strict=False) if spec.kind == OutputKind.USER_OUTPUT]
