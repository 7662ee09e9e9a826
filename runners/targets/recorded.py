"""What a run folder keeps of the target that it ran on, so that its figures can be read again without any file of targets."""

from __future__ import annotations

import os

from ...analysis.named_tuple import TYPE_CHECKING
from ..job import InputError
from ..reading.paths import is_run_folder
from ..reading.results import json_object

if TYPE_CHECKING:
    from ..target import Target

KEY = "place"
"""Of the manifest."""


def recorded(target: Target) -> dict[str, object]:
    """For the manifest: name, kind and board, and the clocks with who says so; what is not known is left out."""
    from ...analysis.target_entries.figures import npu_clock

    clock = npu_clock(target.name, target.clock_hz, target.unverified, target.board)
    doubt = " (unverified)" if "clock" in target.unverified else ""
    facts: dict[str, object] = {
        "name": target.name,
        "kind": target.kind,
        "board": target.board,
        "npu_target": target.npu_target,
        "npu_clock_hz": clock.value if clock is not None else None,
        "npu_clock_source": clock.source if clock is not None else None,
        "npu_clock_verified": clock.verified if clock is not None else None,
        "npu_clock_from": f"targets.{target.name}.clock{doubt}" if target.clock_hz is not None else None,
        "cpu_clock_hz": target.cpu_clock_hz,
        "cpu_clock_from": f"targets.{target.name}.cpu_clock" if target.cpu_clock_hz is not None else None,
        "origin": target.origin,
    }
    return {key: value for key, value in facts.items() if value is not None}


def recorded_place(path: str) -> object:
    """What the run folder at this path says of its target; None for anything else, and where it says nothing."""
    if not (os.path.isdir(path) and is_run_folder(path)):
        return None
    try:
        return json_object(os.path.join(path, "manifest.json")).get(KEY)
    except InputError:  # who reads its log tells of it
        return None
