"""The filter line of a screen: which pane it filters, what is typed there, and what of it is kept for the next time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from textual import on
from textual.events import DescendantFocus, Mount
from textual.widget import Widget
from textual.widgets import Input

from ...analysis.cleaning import clean
from ..full_screen import FullScreen
from ..widgets.chrome import FilterBar, FilterLine
from ..widgets.data_table import DataTable
from ..widgets.row_cursor import RowCursor

if TYPE_CHECKING:
    from ..widgets.log_pane import LogPane


class _Nothing:
    """What an app without a memory remembers."""

    def get(self, name: str) -> None:
        return None

    def put(self, name: str, value: object) -> None:
        pass


_NOTHING = _Nothing()


def _pane(widget: Widget | None) -> DataTable | LogPane | None:
    """The table or log that this is; logs have their own module, which a screen without one does not load."""
    if isinstance(widget, DataTable):
        return widget
    if isinstance(widget, RowCursor):
        from ..widgets.log_pane import LogPane

        return widget if isinstance(widget, LogPane) else None
    return None


class Filtering(FullScreen):
    """A screen with a filter line."""

    REMEMBERED: ClassVar[tuple[str, ...]] = ()
    """Tables of which the filter is remembered: those that show the same things each time."""
    _filtered: DataTable | LogPane | None = None
    _complaint = ""

    def __init__(self) -> None:
        super().__init__()
        self._filters: dict[DataTable | LogPane, str] = {}

    @on(Mount)
    def _recall_filters(self) -> None:
        for name in self.REMEMBERED:
            table, text = self.query_one(f"#{name}", DataTable), self._memory.get(self._filter_name(name))
            if isinstance(text, str) and text:
                self._filters[table] = text
                table.apply_filter(text)

    @property
    def _memory(self) -> Any:
        return getattr(self.app, "memory", None) or _NOTHING

    def _filter_name(self, name: str) -> str:
        return f"filter {type(self).__name__}#{name}"

    def filter_target(self) -> DataTable | LogPane | None:
        """What `/` filters: the focused table or log."""
        return _pane(self.focused)

    def action_filter(self) -> None:
        target = self.filter_target()
        if target is not None:
            self._show_filter(target)
            self.set_focus(self.query_one(FilterBar))
            if isinstance(target, DataTable):
                self.call_after_refresh(target.prepare_filter)

    def _show_filter(self, target: DataTable | LogPane) -> None:
        """The line shows the filter of this pane, which it had before or not."""
        bar = self.query_one(FilterBar)
        self._filtered = target
        with bar.prevent(Input.Changed):
            bar.value = self._filters.get(target, "")
        bar.placeholder = self.filter_hint(target)
        bar.show(True)
        self.query_one(FilterLine).count(target)

    @on(DescendantFocus)
    def _filter_follows(self, event: DescendantFocus) -> None:
        """What the filter line shows belongs to the pane with the focus."""
        bar = self.query_one(FilterBar)
        if event.widget is bar:
            return
        pane = _pane(event.widget)
        if pane is not None and self._filters.get(pane):
            self._show_filter(pane)
        else:
            bar.show(False)

    def drop_filter(self) -> bool:
        """Show all of the pane with the keys again, without filter or search; False where it has none."""
        target = self.filter_target() if self.is_mounted else None
        if target is None or not self._filters.get(target):
            return False
        self._filtered = target
        self._filter_left(False)
        return True

    def filter_hint(self, target: DataTable | LogPane) -> str:
        """What the empty filter line says."""
        if not isinstance(target, DataTable):
            return "filter: text -text level:E,F -level:D file:perf_monitor"
        return "filter: type a text; enter keeps it, escape drops it"

    def filter_changed(self, target: DataTable | LogPane, text: str) -> str:
        """The filter's text changed; gives why nothing is shown or what is not understood, if so."""
        problem = target.apply_filter(text)
        found = bool(target.row_count) or not text or not (isinstance(target, DataTable) or target.settled)
        said = "Nothing contains" if isinstance(target, DataTable) else "No line passes"
        return problem or ("" if found else f"{said} {clean(text)}")

    @on(DataTable.Filtered)
    def _count_filtered(self, event: DataTable.Filtered) -> None:
        event.stop()
        if event.table is self._filtered:
            self.query_one(FilterLine).count(event.table)

    def on_log_pane_filter_dropped(self, event: LogPane.FilterDropped) -> None:
        event.stop()
        self._filters.pop(event.pane, None)
        bar = self.query_one(FilterBar)
        if self._filtered is event.pane and self.focused is not bar:
            bar.show(False)

    @on(Input.Changed, "#filter")
    def _filter_typed(self, event: Input.Changed) -> None:
        event.stop()
        if self._filtered is not None and event.value != self._filters.get(self._filtered, ""):
            self._apply(self._filtered, event.value)

    def _remember(self, target: DataTable | LogPane, text: str) -> None:
        if target.id in self.REMEMBERED:
            self._memory.put(self._filter_name(str(target.id)), text or None)

    def _apply(self, target: DataTable | LogPane, text: str) -> None:
        self._filters[target] = text
        self._remember(target, text)
        self._complaint = self.filter_changed(target, text)
        self.query_one(FilterBar).set_class(bool(self._complaint), "-none")
        self.query_one(FilterLine).count(target)

    def _filter_left(self, kept: bool) -> None:
        """The filter line is left; what was typed counts, whether or not its message has come."""
        bar, target = self.query_one(FilterBar), self._filtered
        if target is None:
            return
        if not kept:
            self._filters.pop(target, None)
            self._remember(target, "")
            self.filter_changed(target, "")
            bar.remove_class("-none")
            bar.show(False)
        elif bar.value != self._filters.get(target, ""):
            self._apply(target, bar.value)
        if kept and bar.value and self._complaint:
            self.notify(clean(self._complaint), severity="warning", markup=False)
        if not bar.value:
            bar.show(False)  # here, in the frame of the focus
        self.set_focus(target)
