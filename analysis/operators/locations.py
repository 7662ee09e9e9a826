"""What was written down of a TOSA graph's origin while it was made (`locations.json`), as data that can be trusted to be shown."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from ..lines import clean
from .report import Place

VERSION = 1
MODEL = "(model)"
"""Module path of what the model's own forward computes."""
_MOST = 1_000_000
_LONGEST = 1024


class Locations(NamedTuple):
    """Places by the operator's index in the block; operators that nothing is known of are not in it."""

    operators: tuple[str, ...]
    """All operators of the block, constants included."""
    places: dict[int, Place]


def parse_locations(text: str) -> Locations:
    """Read the file.

    Raises:
        ValueError: it is none, or of a graph with several blocks, where an index does not name one operator.
    """
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError("its origins are no JSON") from None
    blocks = document.get("blocks") if isinstance(document, dict) else None
    if not isinstance(blocks, list) or document.get("version") != VERSION:
        raise ValueError("its origins are of another version")
    if len(blocks) != 1 or not isinstance(blocks[0], dict):
        raise ValueError("its graph has several blocks, so the origins of its operators cannot be told apart")
    names, nodes = blocks[0].get("operators"), blocks[0].get("nodes")
    if not isinstance(names, list) or not isinstance(nodes, list) or len(names) > _MOST:
        raise ValueError("its origins are damaged")
    places: dict[int, Place] = {}
    for node in nodes:
        first, end = (node.get("first"), node.get("end")) if isinstance(node, dict) else (None, None)
        if isinstance(first, int) and isinstance(end, int) and 0 <= first < end <= len(names):
            place = _place(node)
            for index in range(max(first, 0), end):
                places.setdefault(index, place)
    return Locations(tuple(_text(name) or "" for name in names), places)


def _place(node: dict[str, Any]) -> Place:
    torch = node.get("torch")
    names = [name for item in torch[:16] if (name := _text(item))] if isinstance(torch, list) else []
    module, source = _text(node.get("module")), _text(node.get("source"))
    kind = "inferred" if node.get("inferred") else "library" if node.get("library") else "model"
    return Place(
        torch=" + ".join(names) or None,
        module=MODEL if node.get("module") == "" else module,
        module_class=_text(node.get("module_class")),
        source=source,
        function=_text(node.get("function")),
        code=_text(node.get("code")),
        file=_text(node.get("file")),
        source_kind=kind if source else None,
    )


def _text(value: object) -> str | None:
    return clean(value[:_LONGEST]) or None if isinstance(value, str) else None
