"""Which stored runs can be held against each other: those whose figures differ for no other reason than what was changed.

Two digests say it, made of what run folders hold.  Equal `series`: the same model by name, on the same target, set up the
same way, so their cycles make a trend.  Equal `files`: the very same files as well, so one takes as long as the other.
"""

from __future__ import annotations

import hashlib
import json
import os
import shlex

from ...analysis.named_tuple import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

ASKED = "asked"
"""In the manifest: the command that was asked for, as typed; what became of it (`argv`) is not known before it starts."""
_DIGITS = 16
_OUTPUT = ("-o", "--output", "--keep-intermediates")
"""Options of a compile that change nothing of its result."""


class Likeness(NamedTuple):
    """Both are empty where nothing can be held against the run."""

    series: str
    files: str


def likeness(kind: str, manifest: Mapping[str, Any], run: Mapping[str, Any] | None) -> Likeness:
    """That of a stored run; `run` is the Run of its report, None before there is one."""
    hashes = manifest.get("hashes")
    digests: Mapping[str, Any] = hashes if isinstance(hashes, dict) else {}
    if kind == "compile":
        command = manifest.get("command")
        if not isinstance(command, str):
            return Likeness("", "")
        words = compile_words(command)
        model = digests.get("model")
        return Likeness(of_compile(command), _digest("compile", words, model) if model else "")
    if kind != "run":
        return Likeness("", "")
    place = manifest.get("series")
    told = [manifest.get(name) for name in ("on", "model", "target", *((ASKED,) if ASKED in manifest else ()))]
    files = _digest("run", told, manifest.get("host"), sorted(map(str, digests.values()))) if digests else ""
    warm_up = isinstance(place, dict) and bool(place.get("warm_up"))
    argv = manifest.get("argv")
    fast = isinstance(argv, list) and any(isinstance(word, str) and word.endswith("=--fast") for word in argv)
    if run is None or told[1] is None or warm_up or fast:  # the fast model of an NPU counts nothing that means anything
        return Likeness("", files)
    names = sorted(os.path.basename(str(path)) for path in digests)
    target, cycles = _part(run, "target"), _part(run, "cycles")
    built = [target.get(name) for name in ("name", "platform", "system_config", "memory_mode")]
    return Likeness(_digest("run", told, names, built, cycles.get("inferences")), files)


def of_compile(command: str) -> str:
    """The `series` of a compile with this command line of one job."""
    return _digest("compile", compile_words(command))


def compile_words(command: str) -> list[str]:
    """The words of a compile's command line that its result depends on."""
    try:
        words = shlex.split(command)
    except ValueError:
        return [command]
    kept: list[str] = []
    skipped = False
    for word in words:
        if skipped and not word.startswith("-"):
            skipped = False
            continue
        skipped = word in _OUTPUT
        if not skipped:
            kept.append(word)
    return kept


def _part(value: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = value.get(name)
    return found if isinstance(found, dict) else {}


def _digest(*facts: Any) -> str:
    return hashlib.sha256(json.dumps(facts, sort_keys=True, default=str).encode()).hexdigest()[:_DIGITS]
