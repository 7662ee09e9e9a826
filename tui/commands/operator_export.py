"""`--perfetto` and `--model-explorer`: the operators of a compile, a profile or a trace as a file for those programs."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from typing import TYPE_CHECKING

from ...runners.artefacts import NotKnown, identify
from ...runners.job import InputError, UsageError
from ...runners.reading.paths import log_of
from ...runners.saved_file import place_for, save_pieces
from .saying import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...analysis.export.operators import Profile

ADAPTER = "tosa_adapter_model_explorer"
"""Arm's extension that makes Model Explorer read TOSA graphs; node data are for the nodes that it makes."""


def export_operators(path: str, options: argparse.Namespace) -> int:
    """Write what is asked for; the exit code.

    Raises:
        InputError: nothing is known of its operators, or it cannot be read.
        UsageError: a file cannot be there, or the partition is none of it.
        JobError: a file cannot be written.
    """
    wanted = [(kind, file) for kind in ("perfetto", "model_explorer") if (file := getattr(options, kind)) is not None]
    names = {"perfetto": "operators.perfetto.json", "model_explorer": "operators.model-explorer.json"}
    targets = [
        (kind, None if file == "-" else place_for(file, names[kind], force=options.force, inputs=[path]))
        for kind, file in wanted
    ]
    if len({target for _, target in targets}) < len(targets):
        raise UsageError(f"{targets[0][1] or 'standard output'} cannot hold both", "name two files")
    profile = profile_of(path, options)
    for kind, target in targets:
        pieces = _perfetto(profile) if kind == "perfetto" else _node_data(profile, options.partition)
        if target is None:
            sys.stdout.writelines(pieces)
            continue
        size = save_pieces(target, pieces, replace=options.force)
        say(f"ethosu-tui: saved {len(profile.costs)} operators ({profile.evidence}), {size:,} bytes, to {target}")
        if kind == "model_explorer":
            graph = shlex.quote(_graph(path, options.partition or profile.partitions[0]))
            shown = f"model-explorer {graph} --extensions {ADAPTER} --node_data_paths {shlex.quote(str(target))}"
            say(f"ethosu-tui: to see it (pip install ai-edge-model-explorer {ADAPTER.replace('_', '-')}): {shown}")
    return 0


def _graph(path: str, partition: int) -> str:
    """The TOSA graph of a stored compile; a placeholder for other inputs, which do not say where it is."""
    file = os.path.join(os.path.expanduser(path), "vela", f"partition-{partition}", "out.tosa")
    return file if os.path.exists(file) else "GRAPH.tosa"


def profile_of(path: str, options: argparse.Namespace) -> Profile:
    """What the operators of this input cost.

    Raises:
        InputError: nothing is known of them, or it cannot be read.
    """
    path = os.path.expanduser(path)
    found = _of_folder(path) if os.path.isdir(path) else _of_file(path, options)
    if found is None:
        raise InputError(
            f"{path}: has no operator cycles",
            "give a stored compile, an ETDump or a log with one, an FVP's PMU trace, or Vela's per-layer CSV or debug XML",
        )
    return found


def _of_folder(path: str) -> Profile | None:
    from ...runners.reading.inputs import load
    from ...runners.reading.operator_profile import profile_of_loaded

    return profile_of_loaded(load(path))


def _of_file(path: str, options: argparse.Namespace) -> Profile | None:
    from ...analysis.export import operators as of

    title = os.path.basename(path)
    try:
        artefact = identify(path)
    except (NotKnown, InputError):  # a log, one in an archive, or a pipe
        return _of_log(path, getattr(options, "run", None))
    if artefact.kind == "etdump":
        from ...analysis.etdump.decode import decode
        from ...analysis.etdump.reader import EtdumpError
        from ...runners.reading.blocks import read_whole
        from ..inspected import DUMP_LIMIT_BYTES

        try:
            dump = decode(read_whole(path, DUMP_LIMIT_BYTES, "an ETDump"))
        except EtdumpError as error:
            raise InputError(f"{path}: {error}", "give the file that the runner wrote") from None
        return of.profile_of_etdump(title, dump, getattr(options, "unit", None) or "ticks")
    if artefact.kind == "vela-per-layer":
        from ...analysis.compiles.vela import parse_per_layer_csv

        try:
            with open(path, encoding="utf-8", errors="replace") as stream:
                return of.profile_of_layers(title, parse_per_layer_csv(stream.read()))
        except ValueError as error:
            raise InputError(f"{path}: {error}", "give Vela's <name>_per-layer.csv") from error
    if artefact.kind == "vela-debug":
        from .inspect_profile import debug_database

        return of.profile_of_database(title, debug_database(path))
    if artefact.kind == "pmu-trace":
        from .inspect_profile import measured_trace

        return of.profile_of_trace(title, *measured_trace(path, getattr(options, "debug_db", None)))
    return None


def _of_log(path: str, run: int | None) -> Profile | None:
    from ...runners.reading.inputs import load
    from ...runners.reading.operator_profile import profile_of_loaded

    return profile_of_loaded(load(log_of(path)), run)


def _perfetto(profile: Profile) -> Iterator[str]:
    from ...analysis.export.perfetto import perfetto_trace

    return perfetto_trace(profile)


def _node_data(profile: Profile, partition: int | None) -> Iterator[str]:
    from ...analysis.export.model_explorer import node_data

    if not profile.partitions:
        raise InputError(
            f"{profile.title}: does not say where its operators are in a TOSA graph",
            "give a stored compile, or Vela's debug XML (alone, or with a PMU trace)",
        )
    if partition is None and len(profile.partitions) > 1:
        numbers = ", ".join(map(str, profile.partitions))
        raise UsageError(
            f"{profile.title} has partitions {numbers}, each with its own graph", "choose one: --partition 1"
        )
    if partition is not None and partition not in profile.partitions:
        raise UsageError(
            f"{profile.title} has no partition {partition}", f"it has {', '.join(map(str, profile.partitions))}"
        )
    return node_data(profile, partition if partition is not None else profile.partitions[0])
