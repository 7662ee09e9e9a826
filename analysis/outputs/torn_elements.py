"""Lines of a dump that are no elements any more, so that the dump is incomplete."""

from __future__ import annotations

from ..cleaning import compiled
from ..draft import RunDraft

_ELEMENTS = frozenset(("output", "output_bool", "zephyr_element", "raw_element"))
_CUT_FLOAT = r"\(float\) (-?(?:\d{1,9}(?:\.\d{0,5})?)?)\Z"
"""A value that lost some of its six decimals."""
_WHOLE_FLOAT = r"-?\d{1,19}\.\d{6}"
_DIGITS = 12
NEAR = 2
"""Most lines between, where another printer broke the line of a figure."""
_ELEMENT_LEFT = r"\[\d{1,9}\](?:\[\d{1,9}\])?(?::| =)|[Oo]\S{0,4}put\[\d|\A\S{0,12}\]: "


def torn_element(draft: RunDraft, line: int, text: str) -> None:
    """Record that elements are missing, where a line without a meaning inside a dump looks like a torn element."""
    if text.lstrip(".").isdecimal() and len(text) < _DIGITS and line - draft.last_line <= NEAR:
        _rest_of_number(draft, line, text)
        return
    if (
        draft.last_event in _ELEMENTS
        and draft.outputs
        and not draft.was_doubled
        and compiled(_ELEMENT_LEFT).search(text) is not None
    ):
        dump = draft.outputs[next(reversed(draft.outputs))]
        draft.torn_at = draft.torn_at if dump.elided else line
        dump.elided = True


def breaks_off(said: str, rest: str) -> bool:
    """Whether a value at the end of one line continues with the figures that stand alone on another."""
    cut = compiled(_CUT_FLOAT).search(said) if rest.lstrip(".").isdecimal() else None
    return cut is not None and compiled(_WHOLE_FLOAT).fullmatch(cut[1] + rest) is not None


def _rest_of_number(draft: RunDraft, line: int, rest: str) -> None:
    """Whether figures alone on a line are the rest of the number above, or above another printer's line."""
    said = draft.newest.message if draft.newest is not None else ""
    if draft.last_event == "temp_capacity" and said[-1:].isdecimal():
        draft.doubt("broken", line, f"{said}\u2026 {rest}")
        draft.set("memory.pools.temp.capacity_bytes", None, line)
    elif draft.last_event == "output" and draft.outputs and breaks_off(said, rest):
        draft.doubt("broken", line, f"{said}\u2026 {rest}")
        dump = draft.outputs[next(reversed(draft.outputs))]
        if 0 < dump.count == len(dump.first):
            dump.first[-1] = float("nan")
