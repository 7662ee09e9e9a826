"""What can be exported from where the user stands, in which forms, and the texts of it; `screens/export.py` asks which."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from ..analysis.export.document import Document, Section, asked
from ..analysis.export.forms import FORMS, written_as
from ..analysis.tables import Table
from ..runners.provenance import made_now
from ..runners.reading.pmu_trace import has_trace
from .widgets.data_table import DataTable
from .widgets.shown import shown_table

if TYPE_CHECKING:
    from ..analysis.design.answers import Answers
    from ..analysis.export.operators import Profile
    from ..runners.reading.inputs import Loaded
    from .full_screen import FullScreen
    from .views import View

TABLE, REPORT, SCREEN, PERFETTO, MODEL_EXPLORER = (
    "this table",
    "whole report",
    "this screen",
    "perfetto",
    "model explorer",
)
_SAID = {
    ".md": "for issues and pull requests",
    ".csv": "raw values, for spreadsheets",
    ".json": "text, value and log line of each cell",
    ".html": "one page with charts, light and dark",
}
_WEB_FONTS = re.compile(r"@font-face\s*\{[^}]*\}")


class Offer(NamedTuple):
    """One thing that can be written: what of, in which form, with which ending."""

    what: str
    form: str
    ending: str
    note: str


class Extra(NamedTuple):
    """One more choice, which only this screen has."""

    offer: Offer
    pieces: Callable[[], Iterator[str]]


class Subject(NamedTuple):
    """What stands under the cursor: `table` as it is shown, the `report` that it is part of, the costs of operators."""

    name: str
    """For names of files."""
    table: Table | None
    report: Callable[[], Document]
    profile: Callable[[], Profile | None] | None = None
    partition: int | None = None
    """Of the operator under the cursor."""
    origin: str = ""
    in_graph: bool = False
    """Whether those costs are of operators that have a place in a TOSA graph."""
    more: tuple[Extra, ...] = ()
    reported: bool | None = None
    """Whether that report says anything; None where it is made at once, so that it can be looked at."""

    def offers(self) -> tuple[Offer, ...]:
        """All that can be written, the likeliest first."""
        found: list[Offer] = []
        if self.table is not None and self.table.rows:
            rows = f"{len(self.table.rows):,} row{'' if len(self.table.rows) == 1 else 's'}, "
            found += (Offer(TABLE, form, ending, rows + _SAID[ending]) for ending, form in FORMS.items())
        found += (one.offer for one in self.more)
        if self.reported if self.reported is not None else bool(self.report().sections):
            endings = (".html", ".md", ".json")
            found += (Offer(REPORT, FORMS[ending], ending, _SAID[ending]) for ending in endings)
        if self.profile is not None:
            found.append(
                Offer(PERFETTO, "operators", ".perfetto.json", "timeline for ui.perfetto.dev; cycles, not time")
            )
        if self.in_graph:
            found.append(
                Offer(MODEL_EXPLORER, "operators", ".model-explorer.json", "cycles on the nodes of the TOSA graph")
            )
        found.append(Offer(SCREEN, "SVG", ".svg", "a picture of what is shown"))
        return tuple(found)

    def proposed(self, offer: Offer) -> str:
        """A name without ending."""
        titled = self.table is not None and self.table.title and offer.what == TABLE
        return f"{self.name}-{self.table.title.lower()}" if titled and self.table is not None else self.name

    def pieces(self, offer: Offer) -> Iterator[str]:
        """The text of it, piece by piece; not for pictures.

        Raises:
            InputError: what it is made of cannot be read again, or says nothing of it.
        """
        if offer.what == TABLE:
            assert self.table is not None
            title = self.table.title or self.name
            alone = Document(title, (Section("", (self.table,)),), self.origin, made_now())
            return written_as(alone, offer.ending)
        if offer.what == REPORT:
            return written_as(self.report()._replace(made=made_now()), offer.ending)
        for one in self.more:
            if one.offer == offer:
                return one.pieces()
        return self._operators(offer)

    def _operators(self, offer: Offer) -> Iterator[str]:
        from ..analysis.export.model_explorer import node_data
        from ..analysis.export.perfetto import perfetto_trace
        from ..runners.job import InputError

        found = self.profile() if self.profile is not None else None
        if found is None:
            raise InputError(f"{self.name} holds no cycles of operators", "export the table instead")
        if offer.what == PERFETTO:
            return perfetto_trace(found)
        if not found.partitions:
            raise InputError(
                f"{self.name} does not say where its operators stand in a TOSA graph", "export the table instead"
            )
        partition = self.partition if self.partition in found.partitions else found.partitions[0]
        return node_data(found, partition)


def subject_of_page(page: FullScreen) -> Subject:
    """The table with the keys, and all tables that the page shows."""
    focused, origin = page.focused, page.ORIGIN or page.command
    table = shown_table(focused) if isinstance(focused, DataTable) else None

    def report() -> Document:
        widgets = [widget for widget in page.query(DataTable) if widget.display and widget.table.rows]
        tables = tuple(shown_table(widget) for widget in widgets)
        return Document(page.HEADING, (Section("", tables),) if tables else (), origin)

    return Subject(page.HEADING.lower(), table, report, origin=origin)


def with_front(subject: Subject, answers: Answers | None) -> Subject:
    """The subject whose report also draws the front of these configurations."""

    def report() -> Document:
        document = subject.report()
        if not document.sections:
            return document
        first, *rest = document.sections
        return document._replace(sections=(first._replace(front=answers), *rest))

    return subject._replace(report=report)


def subject_of_report(page: FullScreen, loaded: Loaded, view: View, run: int) -> Subject:
    """The same of a report, whose tabs are all part of it, whether or not they were opened."""
    subject = subject_of_page(page)
    many = f", run {run + 1} of {view.run_count}" if view.run_count > 1 else ""

    def report() -> Document:
        tables = tuple(view.tables.values())
        section = Section("", tables, view.findings, answers=asked(view.answers))
        return Document(
            f"{view.label}{many}: {view.status}", (section,) if tables or view.findings else (), page.command
        )

    def profile() -> Profile | None:
        from ..runners.reading.operator_profile import profile_of_loaded

        return profile_of_loaded(loaded, run + 1 if view.run is not None and view.run.etdump is not None else None)

    focused = page.focused
    partition = _partition(focused) if isinstance(focused, DataTable) else None
    known = has_trace(loaded.path) or (view.tables.get("operators") is not None and bool(view.tables["operators"].rows))
    in_graph = known and loaded.result is not None
    return subject._replace(
        name=view.label, report=report, profile=profile if known else None, partition=partition, in_graph=in_graph
    )


def _partition(widget: DataTable) -> int | None:
    """That of the row under the cursor, where the table has such a column."""
    names = [column.name for column in widget.table.columns]
    if widget.row is None or "Part" not in names:
        return None
    value = widget.table.rows[widget.row][names.index("Part")].value
    return value if isinstance(value, int) else None


def picture_without_fonts(svg: str) -> str:
    """A picture that fetches nothing: the font is whatever the reader's machine has."""
    return _WEB_FONTS.sub("", svg)
