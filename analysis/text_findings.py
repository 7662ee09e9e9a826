"""Findings about the text of a capture: what a port, a terminal, a page or a tool made of it, whatever it says."""

from __future__ import annotations

from collections.abc import Iterator

from .named_tuple import TYPE_CHECKING

if TYPE_CHECKING:
    from .report import Capture, Finding
    from .splitter import LineSplitter


def text_findings(splitter: LineSplitter, whole: Capture, same_number: int, *, live: bool) -> Iterator[Finding]:
    """What is to be said of the text of `whole`, the capture with all of its runs.

    `same_number` counts the lines with a meaning that have the number of the one before; `live` is a capture whose end
    the host saw. Few captures have such trouble, so the rules are imported where they are needed.
    """
    if live or splitter.undecodable:
        from .rules.port import port_findings

        yield from port_findings(whole.runs, whole.lines, splitter.undecodable, whole.recognised, live=live)
    if splitter.wrapped.cut_at and whole.runs:
        from .rules.port import cut_lines

        yield cut_lines(splitter.wrapped.cut_at)
    same = min(same_number, splitter.divided) if splitter.wide is None else 0
    if same * 2 > max(2, whole.recognised):
        from .rules.port import one_number

        yield one_number()
    if left_out := getattr(splitter.wide, "left_out", 0):  # few captures are in a page
        from .rules.port import strings_left_out

        yield strings_left_out(left_out)
