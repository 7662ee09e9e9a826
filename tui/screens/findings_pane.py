"""Findings on a screen: as a tab of their own, as a list beside the log, and as signs in the log's gutter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content

from ...analysis.answers.fix import fix_of
from ...analysis.consequence import follows
from ...analysis.lines import Line
from ...analysis.report import Finding
from ...analysis.tables import Cell, Column, Table, Tone
from .. import glyphs
from ..copying import copy
from ..keys_in_force import key_of
from ..navigation import Navigation
from ..views import View
from ..widgets.data_table import DataTable
from ..widgets.said import Said, plain
from .pane import Pane

TONES: dict[str, Tone] = {"error": "bad", "warning": "warn"}
MOST_QUOTED = 300
"""Characters of a quoted line; the log has it all."""
STYLES = {"error": "$text-error bold", "warning": "$text-warning", "info": "$foreground-muted"}


def titled(finding: Finding) -> str:
    """A finding's sign and title."""
    return f"{glyphs.FINDING_SIGNS[finding.severity]} {finding.title}"


def signs_of(findings: Sequence[Finding]) -> dict[int, str]:
    """The sign beside each line that a finding names; where several do, that of the first."""
    signs: dict[int, str] = {}
    for finding in findings:
        for line in finding.lines:
            signs.setdefault(line, glyphs.FINDING_SIGNS[finding.severity])
    return signs


def findings_table(findings: Sequence[Finding]) -> Table:
    """One row for each finding: what, and its first line."""
    rows = []
    for finding in findings:
        line = finding.lines[0] if finding.lines else None
        under = f"  {glyphs.UNDER} " if follows(finding, findings) else ""
        title = Cell(f"{under}{titled(finding)}", tone=TONES.get(finding.severity, ""))
        rows.append((title, Cell(str(line) if line is not None else "-", line, line)))
    return Table("Findings", (Column("What"), Column("Line", "right")), tuple(rows))


class FindingsPane(Pane):
    """What is wrong or worth knowing, root cause first, and what to do."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("Y", "copy_fix", "Copy fix", tooltip="Copy what the advice says to type, or else the whole advice"),
        Binding("J,shift+down", "read(2)", "Read on", key_display="J", tooltip="Scroll the explanation down"),
        Binding("K,shift+up", "read(-2)", "Read back", show=False, key_display="K", tooltip="Scroll it up"),
    ]

    def __init__(self, view: View) -> None:
        super().__init__(view)
        self._quoted: dict[int, str] = {}

    def compose(self) -> ComposeResult:
        yield DataTable(classes="pane", cells=False, sortable=False, empty="no findings")
        with VerticalScroll(id="room", can_focus=False):
            yield Said(id="detail")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "copy_fix":
            return self._chosen is not None and bool(self._chosen.advice)
        if action == "read" and self.is_mounted:
            return self.query_one("#room", VerticalScroll).max_scroll_y > 0
        return super().check_action(action, parameters)

    @property
    def _chosen(self) -> Finding | None:
        row = self.query_one(DataTable).row if self.is_mounted else None
        return self.view.findings[row] if row is not None and row < len(self.view.findings) else None

    def action_copy_fix(self) -> None:
        """What to type, without the words around it where it is known apart."""
        finding = self._chosen
        if finding is not None and isinstance(self.app, Navigation):
            text = plain(fix_of(finding) or finding.advice)
            copy(self.app, text, text)

    def action_read(self, by: int) -> None:
        self.query_one("#room", VerticalScroll).scroll_relative(y=by, animate=False)

    def fill(self) -> None:
        table = self.query_one(DataTable)
        table.table = findings_table(self.view.findings)
        table.border_title = "Findings, the root cause first"
        self._describe(0)

    def show_lines(self, lines: Sequence[Line]) -> None:
        """The log was read: the line that shows a finding stands with it."""
        wanted = {finding.lines[0] for finding in self.view.findings if finding.lines}
        found = [line for line in lines if line.number in wanted]
        self._quoted = {line.number: f"{line.level} {line.message}" if line.file else line.text for line in found}
        self._describe(self.query_one(DataTable).row or 0)

    def line_of(self, row: int) -> int | None:
        """The line that explains the finding in this row."""
        findings = self.view.findings
        return findings[row].lines[0] if row < len(findings) and findings[row].lines else None

    def on_data_table_highlighted(self, event: DataTable.Highlighted) -> None:
        self._describe(event.row)

    def _describe(self, row: int) -> None:
        detail, room = self.query_one("#detail", Said), self.query_one("#room", VerticalScroll)
        findings = self.view.findings
        room.display = bool(findings)
        room.scroll_home(animate=False)
        self.call_after_refresh(self.screen.refresh_bindings)
        if row < len(findings):
            finding = findings[row]
            quoted = self._quoted.get(finding.lines[0], "") if finding.lines else ""
            detail.say(describe(finding, key_of(self, "jump"), quoted))


class FindingsBeside(Vertical):
    """The findings next to the log: moving in the list moves the log, and the list follows the log's cursor."""

    def compose(self) -> ComposeResult:
        table = DataTable(classes="pane", header=False, cells=False, sortable=False, empty="no finding")
        table.border_title = "Findings"
        yield table
        with VerticalScroll(id="told", can_focus=False):
            yield Said()

    def show(self, findings: Sequence[Finding]) -> None:
        """List these, the root cause first."""
        self._findings = tuple(findings)
        self.table.table = findings_table(findings)
        self._tell(0)

    @property
    def table(self) -> DataTable:
        """The list."""
        return self.query_one(DataTable)

    @property
    def chosen(self) -> Finding | None:
        """The finding under the cursor."""
        row = self.table.row
        return self._findings[row] if row is not None and row < len(self._findings) else None

    def follow(self, line: int) -> None:
        """The log's cursor stands on this line: show what is said of it."""
        chosen = self.chosen
        if chosen is not None and line in chosen.lines:
            return
        row = next((i for i, finding in enumerate(self._findings) if line in finding.lines), None)
        if row is not None:
            self.table.select_row(row)

    def on_data_table_highlighted(self, event: DataTable.Highlighted) -> None:
        self._tell(event.row)

    def _tell(self, row: int) -> None:
        told = self._findings[row : row + 1]
        said = self.query_one("#told", VerticalScroll)
        said.set_class(bool(told), "-some")
        said.scroll_home(animate=False)
        if told:
            said.query_one(Said).say(describe(told[0]))


def describe(finding: Finding, key: str = "", quoted: str = "") -> Content:
    """A finding in words: what, the line that shows it, why, what to do, where; `key` goes there."""
    parts = [Content.styled(plain(titled(finding)), STYLES[finding.severity])]
    if quoted:
        parts.append(Content.assemble((f"{finding.lines[0]} | ", "$foreground-muted"), plain(quoted[:MOST_QUOTED])))
    if finding.detail:
        parts.append(Content(plain(finding.detail)))
    if finding.advice:
        parts.append(Content.assemble(("Do: ", "$text-success bold"), plain(finding.advice)))
        fix = fix_of(finding)
        if fix is not None and fix != finding.advice:
            parts.append(Content.assemble(("To type: ", "$text-success bold"), (plain(fix), "bold")))
    if finding.lines:
        shown = ", ".join(str(line) for line in finding.lines[:6])
        where = f"{'line' if len(finding.lines) == 1 else 'lines'} {shown}"
        parts.append(Content.styled(f"{where}; {key} goes there" if key else where, "$foreground-muted"))
    return Content("\n").join(parts)
