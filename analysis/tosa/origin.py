"""Where a TOSA operator comes from: the module, ATen operator and line of PyTorch that ExecuTorch writes into its location.

ExecuTorch does so with `--enable_debug_mode tosa`: JSON with the stack of Python frames, the modules around the call, and the
graph nodes that it went through.
"""

from __future__ import annotations

import json
from typing import Any

from ..lines import clean
from ..named_tuple import NamedTuple

_OTHERS = ("/site-packages/", "/dist-packages/", "\\site-packages\\")


class Origin(NamedTuple):
    """What is known of an operator's origin; None where the location does not say."""

    module: str | None
    """Path of the module, such as "features.3.conv"."""
    module_class: str | None
    aten: str | None
    source: str | None
    """File and line of the user's model, "model.py:14" with the path that the compiler saw."""
    code: str | None
    """That line."""


def origin_of(location: str | None) -> Origin | None:
    """The origin in a location; None where it holds none."""
    if not location or not location.startswith("{"):
        return None
    try:
        document = json.loads(location)
    except (ValueError, RecursionError):
        return None
    torch = document.get("torch_info") if isinstance(document, dict) else None
    if not isinstance(torch, dict):
        return None
    module, module_class = _module(torch.get("nn_module_stack"))
    source, code = _source(torch.get("stack_trace"))
    return Origin(module, module_class, _aten(torch.get("node_trace")), source, code)


def _text(value: Any) -> str | None:
    return clean(value) or None if isinstance(value, str) else None


def _module(stack: Any) -> tuple[str | None, str | None]:
    if not isinstance(stack, dict) or not stack:
        return None, None
    last = list(stack.values())[-1]
    if not isinstance(last, list) or len(last) != 2:
        return None, None
    return _text(last[0]), _text(last[1])


def _aten(trace: Any) -> str | None:
    """The operator as the model has it: that of the last graph node which is an ATen operator (the trace begins with the
    newest)."""
    found = None
    for node in trace if isinstance(trace, list) else ():
        target = node.get("target") if isinstance(node, dict) else None
        if isinstance(target, str) and target.startswith("aten."):
            found = target
    return _text(found)


def _source(lines: Any) -> tuple[str | None, str | None]:
    """The innermost frame that is no library's: the frames of the model come first, those of passes after them."""
    if not isinstance(lines, list):
        return None, None
    source = code = None
    for index, line in enumerate(lines):
        if not isinstance(line, str):
            continue
        file, quote, rest = line.strip().removeprefix('File "').partition('", line ')
        if not quote or not line.lstrip().startswith('File "') or any(other in file for other in _OTHERS):
            continue
        number = rest.split(",")[0].strip()
        if number.isdigit():
            source = f"{file}:{number}"
            after = lines[index + 1] if index + 1 < len(lines) else None
            code = after.strip() if isinstance(after, str) else None
    return _text(source), _text(code)
