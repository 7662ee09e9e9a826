"""What an Ethos-U delegate was compiled for, from the compile specs that ExecuTorch leaves in the program."""

from __future__ import annotations

from collections.abc import Sequence

from .report import Build, CompileSpec

_FLAGS = {"--accelerator-config": 0, "--system-config": 1, "--memory-mode": 2}


def build_of(specs: Sequence[CompileSpec]) -> Build | None:
    """Target, system config and memory mode; None where these are not the specs of an Ethos-U delegate."""
    values = {spec.key: spec.value for spec in specs}
    if "compile_flags" not in values:
        return None
    flags = tuple(values["compile_flags"].split())
    found: list[str | None] = [None, None, None]
    for position, flag in enumerate(flags):
        name, equals, value = flag.partition("=")
        place = _FLAGS.get(name)
        if place is not None:
            follows = flags[position + 1] if position + 1 < len(flags) else None
            found[place] = value if equals else follows
    return Build(values.get("target") or found[0], found[1], found[2], values.get("tosa_spec"), flags)
