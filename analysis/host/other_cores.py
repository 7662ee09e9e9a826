"""Whether the kernel speaks of another core than the one that runs the NPU's firmware, or of another time than the run that failed."""

from __future__ import annotations

from ..cleaning import compiled
from ..draft import RunDraft
from ..line import Line

_CORE = r"remoteproc remoteproc\d{1,3}: "
_NAMED = r"remoteproc remoteproc\d{1,3}: (?:powering up|Booting fw image|Direct firmware load for|can't start rproc) ([^\s,:]{1,80})"
"""How the kernel names a core or its firmware."""
_OF_NPU = ("ethos", "imx")
"""What the names of the core and of the firmware of such an NPU hold."""
_STAMP = r"\[ {0,5}(\d{1,7}\.\d{3,6})\]"
_MOST_SECONDS = 60.0
"""Between a run that asks for firmware and the word that it could not be started; the kernel waits some seconds for it."""


class NamedCores(dict[str, bool]):
    """Beginnings of the kernel's lines about a named core, and whether it is the one that runs the NPU's firmware."""


def of_another(draft: RunDraft | None, line: Line, before: str) -> bool | None:
    """Whether this line about a core is no reason for the failure of the run above; None where nothing tells which core it is.

    `before` is the last line without a meaning.
    """
    core = compiled(_CORE).match(line.message)
    if draft is None or core is None:
        return False
    named = compiled(_NAMED).match(line.message)
    if named is None and before.startswith(core[0]):
        named = compiled(_NAMED).match(before)
    cores = draft.state(NamedCores)
    if named is not None:
        cores[core[0]] = any(part in named[1].lower() for part in _OF_NPU)
    later = _later(draft, line)
    if later or not cores.get(core[0], True):
        return True
    return False if core[0] in cores or later is False else None


def _later(draft: RunDraft, line: Line) -> bool | None:
    """Whether the kernel's stamps of both lines are far apart; None where one of them has none."""
    stamps = [compiled(_STAMP).match(one.text) for one in (draft.newest, line) if one is not None]
    seconds = [float(stamp[1]) for stamp in stamps if stamp is not None]
    return abs(seconds[1] - seconds[0]) > _MOST_SECONDS if len(seconds) == 2 else None
