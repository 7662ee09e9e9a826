"""The Operators tab: cycles of each operator, its share as a bar, and where it comes from."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual.content import Content
from textual.widget import Widget

from ..widgets.said import Said, plain
from ..widgets.share_table import ShareTable
from .table_pane import TablePane


class OperatorsPane(TablePane):
    """Each operator: cycles from the ETDump of a run, or Vela's estimate of a compile."""

    NAME = "operators"
    FIXED = 1
    TABLE = ShareTable
    EMPTY = "no operator data: nothing was delegated, or the compile failed before Vela"

    def below(self) -> Sequence[Widget]:
        return (Said(id="origin"),)

    def fill(self) -> None:
        super().fill()
        self.main.moved = self._say
        row = self.main.row
        self._say(row if row is not None else 0)

    def details_of(self, row: int) -> Sequence[str]:
        return self.view.origins[row] if 0 <= row < len(self.view.origins) else ()

    def _say(self, row: int) -> None:
        """Where the operator under the cursor comes from."""
        lines = self.details_of(row)
        said = self.query_one("#origin", Said)
        fits = len(lines) == said.size.height and all(cell_len(line) <= said.size.width for line in lines)
        said.say(Content("\n").join(Content(plain(line)) for line in lines), layout=not fits)
        said.display = bool(lines)


class TracePane(OperatorsPane):
    """What an FVP's trace of the NPU says of each operator: measured cycles beside Vela's estimate."""

    NAME = "trace"
    EMPTY = "the trace of the NPU is being read"

    def details_of(self, row: int) -> Sequence[str]:
        origins = self.view.trace_origins
        return origins[row] if 0 <= row < len(origins) else ()
