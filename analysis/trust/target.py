"""Checks the NPU that the lines of a run name: sizes that no NPU has, and two NPUs that cannot both be it, are taken
out.
"""

from __future__ import annotations

from .settled import Settled

_SIZES = frozenset((32, 64, 128, 256, 512, 1024, 2048))
"""MACs per cycle of all existing Ethos-U."""
_FIRST = frozenset(("ethos-u55", "ethos-u65"))
"""NPUs of architecture 1."""


def check_target(s: Settled) -> None:
    """Check the size by itself, then the family by all figures that tell it."""
    macs = s.get("target.macs")
    if macs is not None and macs not in _SIZES:
        s.doubt("impossible", "target.macs", f"{macs} MACs per cycle")
        s.drop("target.macs")
    told = _families(s)
    if len(told) > 1:
        s.doubt("npu_differs", max(told.values(), key=lambda path: s.lines.get(path, 0)), " and ".join(sorted(told)))
        s.drop("target.name", "target.npu", "target.macs")


def _families(s: Settled) -> dict[str, str]:
    """Each family that is named, with the path that names it; an architecture counts where it contradicts a family."""
    seen, found = s.draft.seen, {}
    listed = s.lines.get("target.npu") == seen.get("counter_names")
    for path in ("target.name", "target.npu"):
        family = str(s.get(path) or "")
        family = family.rpartition("-")[0] if path == "target.name" else family
        if family.startswith("ethos-u") and not (listed and path == "target.npu"):
            found[family] = path
    of_second = "npu_arch_2" in seen
    if of_second != ("npu_arch_1" in seen) and found and (found.keys() <= _FIRST) == of_second:
        found[f"architecture {1 + of_second}"] = "target.npu"
    return found
