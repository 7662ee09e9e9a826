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
        Unfit: this cannot be done exactly; the message says why.
    """
    base = job["base"]
    try:
        return _derived(script, Path(base["pte"]).read_bytes(), [Path(kept) for kept in base["partitions"]], base)
    except (Unfit, SystemExit):
        raise
    except (AttributeError, ImportError, KeyError, IndexError, TypeError, ValueError, OSError) as error:
        raise Unfit(f"{type(error).__name__}: {error}"[:300]) from error


def _derived(script: Any, made: bytes, partitions: list[Path], base: dict[str, Any]) -> bytes:
    from executorch.backends.arm.ethosu import backend
    from executorch.exir._serialize._program import deserialize_pte_binary, serialize_pte_binary

    file = deserialize_pte_binary(made)
    if bytes(serialize_pte_binary(file)) != made:
        raise Unfit("this release of ExecuTorch does not write a program again as it was")
    spec, ours = _compile_spec(script, sys.argv[1:])
    _, theirs = _compile_spec(script, base["argv"])
    changed = {key for key in ours.keys() | theirs.keys() if ours.get(key) != theirs.get(key)}
    if not changed <= CONFIGURED:
        raise Unfit(f"the configurations differ in {', '.join(sorted(changed - CONFIGURED))}")
    program = getattr(file, "program", file)
    delegates = [delegate for plan in program.execution_plan for delegate in plan.delegates if delegate.id in BACKENDS]
    places = _places(program, delegates, partitions)
    blobs = [
        _blob(backend.EthosUBackend._compile_tosa_flatbuffer((kept / "out.tosa").read_bytes(), spec))
        for kept in partitions
    ]
    for delegate, place in zip(delegates, places, strict=True):
        program.backend_delegate_data[delegate.processed.index].data = blobs[place]
        for stored in delegate.compile_specs:
            if stored.key in changed:
                if bytes(stored.value) != theirs[stored.key]:
                    raise Unfit(f"the compile spec {stored.key} of the first program is not as expected")
                stored.value = ours[stored.key]
        if not changed <= {stored.key for stored in delegate.compile_specs}:
            raise Unfit("the first program does not name its configuration")
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


def _places(program: Any, delegates: list[Any], partitions: list[Path]) -> list[int]:
    """Which of the partitions, in the order in which they were compiled, each delegate was made of."""
    digests = [(kept / "delegate.sha256").read_text().strip() for kept in partitions]
    if len(delegates) != len(digests) or not digests:
        raise Unfit(f"{len(delegates)} delegates were made of {len(digests)} partitions")
    return [
        digests.index(hashlib.sha256(program.backend_delegate_data[delegate.processed.index].data).hexdigest())
        for delegate in delegates
    ]


def _blob(result: Any) -> bytes:
    """The delegate's bytes; older releases give nothing else."""
    if getattr(result, "external_blocks", ()):
        raise Unfit("Vela's blocks are stored outside of the delegate")
    return bytes(getattr(result, "processed_bytes", result))


def save(program: bytes, path: str) -> None:
    """Write the program where the script would have.

    Raises:
        OSError: it could not be written.
    """
    with open(path, "wb") as stream:
        stream.write(program)
    if os.path.getsize(path) != len(program):
        raise OSError(f"only {os.path.getsize(path)} of {len(program)} bytes could be written to {path}")
