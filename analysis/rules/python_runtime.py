"""What ExecuTorch's runtime in a Python program prints before it fails; Python's exception has only a status code."""

from __future__ import annotations

import re

from ..host.host_line import HostLine
from ..report import Finding
from .causes import Failure, quoted, short
from .kernel_refusals import other_shape, refused

METHOD_UNKNOWN = Failure(
    "method-missing",
    r"\AKeyError: '(?P<name>[^'\n]{1,100})'",
    "The program has no method {name}",
    "Ask for one of the methods that program.method_names lists (usually forward), or export the model under that name.",
    ("KeyError: 'main'",),
)
"""Of a dictionary in executorch.runtime alone: any other has keys of its own."""
_OF_RUNTIME = frozenset(("program-inputs", "program-not-loaded", "program-file-missing"))
"""The rules of what Python says of the runtime."""
_NOT_TAKEN = "Error resizing tensor at input "
_SHORT = re.compile(r"from extended header is (\d{1,20}), actual file size from data loader is (\d{1,20})")
_INPUTS = "Give tensors of the shapes and types that it was exported with (ethosu-tui inspect FILE.pte lists them), contiguous and on the CPU."
_WHOLE = "Copy or export the file again, and compare sizes (ls -l FILE): it must be the .pte itself, complete, not a Git LFS pointer."


def with_runtime(finding: Finding, line: HostLine) -> Finding:
    """The finding with what the runtime said before it, where that is the reason."""
    if not line.said or finding.rule not in _OF_RUNTIME:
        return finding
    title, advice = _reason([text for _, text in line.said])
    said = "; ".join(short(text, 200).rstrip(". ") for _, text in line.said)
    return finding._replace(
        title=title or finding.title,
        detail=f"{finding.detail} Before it, ExecuTorch's runtime said: {quoted(said, 500)}",
        advice=advice or finding.advice,
        lines=(*(at for at, _ in line.said), *finding.lines),
    )


def _reason(said: list[str]) -> tuple[str, str]:
    """Title and advice, or empty ones where the words are quoted alone."""
    failed = next((text for text in said if text.startswith(_NOT_TAKEN)), "")
    shape = next((text for text in said if refused(text) is not None), "")
    if failed and shape:
        return other_shape(shape, failed), _INPUTS
    for text in said:
        cut = _SHORT.search(text)
        if cut is not None:
            return f"The program is cut off: it has only {cut[2]} of its {cut[1]} bytes", _WHOLE
    return "", ""
