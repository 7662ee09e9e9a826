"""Lines of a dump that are no elements any more: what is left of the dump is not all of it."""

from __future__ import annotations

from .cleaning import compiled
from .draft import RunDraft

_ELEMENTS = frozenset(("output", "output_bool", "zephyr_element", "raw_element"))
_ELEMENT_LEFT = r"\[\d{1,9}\](?:\[\d{1,9}\])?(?::| =)|[Oo]\S{0,4}put\[\d|\A\S{0,12}\]: "


def torn_element(draft: RunDraft, line: int, text: str) -> None:
    """A line that means nothing stands in a dump: where it looks like an element that was torn, one or more are missing."""
    if (
        draft.last_event in _ELEMENTS
        and draft.outputs
        and not draft.was_doubled
        and compiled(_ELEMENT_LEFT).search(text) is not None
    ):
        dump = draft.outputs[next(reversed(draft.outputs))]
        draft.torn_at = draft.torn_at if dump.elided else line
        dump.elided = True
