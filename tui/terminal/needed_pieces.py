"""Of a screen only those pieces are drawn that changed and that can be seen.

Textual has every widget draw all its lines as soon as one in the screen changed, those too that others cover, and then throws
away what nobody asked for.  A key changes a row, a frame and the key line; what lies between and behind them is left alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from textual._compositor import ChopsUpdate, Compositor
from textual.app import App
from textual.geometry import Region

from . import internals

if TYPE_CHECKING:
    from textual.screen import Screen
    from textual.strip import Strip


class NeededPieces(Compositor):
    """Draws what Textual's draws, with less work."""

    def render_partial_update(self) -> ChopsUpdate | None:
        """What is to be sent of the parts that have changed, None where none has."""
        changed = {region for one in self._dirty_regions if (region := one.intersection(self.size.region))}
        self._dirty_regions.clear()
        if not changed:
            return None
        spans = list(self._regions_to_spans(changed))
        return ChopsUpdate(self._pieces(spans), spans, [cuts[1:] for cuts in self.cuts])

    def _pieces(self, spans: Sequence[tuple[int, int, int]]) -> Sequence[Mapping[int, Strip | None]]:
        """For each line of the screen its pieces by column, None where nothing is to be drawn."""
        cuts = self.cuts
        pieces: list[dict[int, Strip | None]] = [dict.fromkeys(line[:-1]) for line in cuts]
        missing: dict[int, set[int]] = {}
        """By line: the columns where a piece begins that is still to be drawn."""
        for y, left, right in spans:
            starts = cuts[y]
            wanted = missing.setdefault(y, set())
            wanted.update(x for x, end in pairwise(starts) if x < right and end > left)
        for widget, (region, clip) in self.visible_widgets.items():  # what lies in front comes first
            if not missing:
                break
            x, y, width, height = region.intersection(clip)
            lines = [
                line
                for line in range(y, y + height)
                if line in missing and any(x <= column < x + width for column in missing[line])
            ]
            if not lines:
                continue
            first, last = lines[0], lines[-1]
            strips = widget.render_lines(Region(x - region.x, first - region.y, width, last - first + 1))
            for line in lines:
                wanted, strip = missing[line], strips[line - first]
                starts = [cut for cut in cuts[line] if x <= cut <= x + width]
                seen = [(start, end) for start, end in pairwise(starts) if start in wanted]
                if len(seen) == 1 and seen[0][1] - x <= strip.cell_length:  # the rest is covered by a scrollbar
                    start, end = seen[0]
                    pieces[line][start] = strip.crop(start - x, end - x)
                    wanted.discard(start)
                else:
                    parts = strip.divide([cut - x for cut in starts[1:]])
                    for start, part in zip(starts, parts, strict=False):
                        if start in wanted:
                            pieces[line][start] = part
                            wanted.discard(start)
                if not wanted:
                    del missing[line]
        return pieces


class DrawsNeeded(App[None]):
    """An app that leaves alone what is behind a screen that nothing can be seen through."""

    @property
    def _background_screens(self) -> list[Screen[object]]:
        """Textual takes the screen below the one in front for visible, and draws that one whole when something moves below."""
        covered = internals.ARE_KNOWN and self._screen_stack and self._screen_stack[-1].styles.background.a == 1
        return [] if covered else super()._background_screens
