"""Graphs that Vela has compiled before: found by the graph's place and content, the configuration and the Vela at hand."""

from __future__ import annotations

import os
import secrets
import time
from dataclasses import replace
from pathlib import Path

from ..aot.warm_process import PREFIXES
from ..interpreters import Interpreter
from .cache import CompileCache, key
from .job import copy_whole
from .plan import CompileOptions
from .points import CompilePoint
from .result import CompileResult


class KnownGraph:
    """The cache, as a batch of one graph sees it; `made` is where a run folder has what Vela made of it."""

    def __init__(
        self, options: CompileOptions, digest: str, interpreter: Interpreter, root: Path, made: str, enabled: bool
    ) -> None:
        self._cache = CompileCache(root, enabled)
        self._made = made
        config = options.vela_config
        self._facts = {
            "what": "vela",
            "model": [os.path.abspath(os.path.expanduser(options.model)), digest],
            "options": [options.debug, config and [config.argument, config.sha256]],
            "interpreter": [interpreter.identity, interpreter.record()],
            "environment": {name: value for name, value in os.environ.items() if name.startswith(PREFIXES)},
        }

    def result(self, point: CompilePoint, destination: Path | None) -> CompileResult | None:
        """A job that was done before, delivered to where it is wanted; None where it must be done."""
        began = time.monotonic()
        found = self._cache.result(self._key(point), self._made)
        if found is None or found.point != point:
            return None
        artefact = found.folder / self._made
        if destination is not None:
            try:
                copy_whole(artefact, destination, secrets.token_hex(4))
            except OSError:
                return None  # the job is done again, and says why it cannot be delivered
        seconds = round(time.monotonic() - began, 4)
        return replace(found, artefact=str(destination or artefact), cached=True, seconds=seconds)

    def keep(self, result: CompileResult) -> None:
        """Remember a job that went well."""
        self._cache.keep_result(self._key(result.point), result, self._made)

    def _key(self, point: CompilePoint) -> str:
        return key(**self._facts, point=[point.target, point.system_config, point.memory_mode, *point.vela_flags])
