"""Makes a program for another configuration out of one that ExecuTorch's script has made for the same NPU family.

Of a compile, only Vela's run depends on the configuration; export, quantisation and the TOSA graphs do not.  So the TOSA
graphs of the first program go through Vela again, and its delegates with their compile specs are put in place of those in
the program, which ExecuTorch's own serialiser writes: the bytes are those that the script would have written.  Where any
of this is not certain, nothing is made and the script runs as usual.

Loaded by `aot_worker.py` by path, in the forked child of one job: standard library and executorch only.
"""

from __future__ import annotations

import hashlib
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

BACKENDS = ("EthosUBackend", "ArmBackend")
"""What releases of ExecuTorch have called the delegate."""
CONFIGURED = frozenset(("target", "compile_flags"))
"""Compile specs that belong to the configuration."""


class Unfit(Exception):
    """It is not certain that the script would make the same program."""


def derive(script: Any, job: dict[str, Any]) -> bytes:
    """The program for the arguments in `sys.argv`, made of that of `job["base"]`.

    Raises:
        Unfit: this cannot be done exactly, or fails; the message says why.  What the script would say is its to say.
    """
    try:
        return _derived(script, job["base"])
    except Unfit:
        raise
    except (Exception, SystemExit) as error:
        raise Unfit(f"{type(error).__name__}: {error}"[:300]) from error


def _derived(script: Any, base: dict[str, Any]) -> bytes:
    from executorch.backends.arm.ethosu import backend
    from executorch.exir._serialize._program import deserialize_pte_binary, serialize_pte_binary

    made = Path(base["pte"]).read_bytes()
    if hashlib.sha256(made).hexdigest() != base["sha256"]:
        raise Unfit("the first program was changed meanwhile")
    file = deserialize_pte_binary(made)
    if bytes(serialize_pte_binary(file)) != made:
        raise Unfit("this release of ExecuTorch does not write a program again as it was")
    _, ours = _compile_spec(script, sys.argv[1:])
    _, theirs = _compile_spec(script, base["argv"])
    changed = {key for key in ours.keys() | theirs.keys() if ours.get(key) != theirs.get(key)}
    if not changed <= CONFIGURED:
        raise Unfit(f"the configurations differ in {', '.join(sorted(changed - CONFIGURED))}")
    program = getattr(file, "program", file)
    delegates = [delegate for plan in program.execution_plan for delegate in plan.delegates if delegate.id in BACKENDS]
    for delegate in delegates:
        stored = {one.key: bytes(one.value) for one in delegate.compile_specs}
        if any(stored.get(key) != theirs[key] for key in CONFIGURED):
            raise Unfit("the first program does not name its configuration as expected")
    graphs, digests = _partitions([Path(kept) for kept in base["partitions"]])
    places = _places(program, delegates, digests)
    blobs = []
    for graph in graphs:
        spec, _ = _compile_spec(script, sys.argv[1:])  # afresh: Vela's call appends to the flags in it
        blobs.append(_blob(backend.EthosUBackend._compile_tosa_flatbuffer(graph, spec)))
    for delegate, place in zip(delegates, places, strict=True):
        program.backend_delegate_data[delegate.processed.index].data = blobs[place]
        for one in delegate.compile_specs:
            if one.key in CONFIGURED:
                one.value = ours[one.key]
    return bytes(serialize_pte_binary(file))


def _compile_spec(script: Any, argv: list[str]) -> tuple[Any, dict[str, bytes]]:
    """What the script makes of its arguments for the delegate, as it is and as it is stored."""
    typed = sys.argv
    sys.argv = [typed[0], *argv]
    try:
        spec = script._get_compile_spec(script._get_args())
    finally:
        sys.argv = typed
    spec._get_pass_pipeline_config()
    return spec, {stored.key: bytes(stored.value) for stored in spec._to_list()}


def _partitions(kept: list[Path]) -> tuple[list[bytes], list[str]]:
    """The TOSA graphs in the order in which they were compiled, and the digests of what Vela made of each."""
    graphs, digests = [], []
    for partition in kept:
        delegate, tosa = (partition / "digests.sha256").read_text().split()
        graph = (partition / "out.tosa").read_bytes()
        if hashlib.sha256(graph).hexdigest() != tosa:
            raise Unfit("a TOSA graph of the first program was changed meanwhile")
        graphs.append(graph)
        digests.append(delegate)
    return graphs, digests


def _places(program: Any, delegates: list[Any], digests: list[str]) -> list[int]:
    """Which of the partitions each delegate was made of."""
    stored = [
        hashlib.sha256(program.backend_delegate_data[delegate.processed.index].data).hexdigest()
        for delegate in delegates
    ]
    if not stored:
        raise Unfit("nothing was delegated")
    if set(stored) != set(digests) or len(stored) > len(digests):
        raise Unfit(f"{len(stored)} delegates were made of {len(digests)} partitions")
    return [digests.index(digest) for digest in stored]


def _blob(result: Any) -> bytes:
    """The delegate's bytes; older releases give nothing else."""
    if getattr(result, "external_blocks", ()):
        raise Unfit("Vela's blocks are stored outside of the delegate")
    return bytes(getattr(result, "processed_bytes", result))


def save(program: bytes, path: str) -> None:
    """Write the program where the script would have.

    Raises:
        OSError: it could not be written; nothing of it is left.
    """
    try:
        with open(path, "wb") as stream:
            stream.write(program)
        if os.path.getsize(path) != len(program):
            raise OSError(f"only {os.path.getsize(path)} of {len(program)} bytes could be written to {path}")
    except OSError:
        with suppress(OSError):
            os.unlink(path)
        raise
