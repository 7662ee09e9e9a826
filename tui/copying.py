"""Copying: sent to the terminal's clipboard, which never says whether it took it, so the same text is in a file as well."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ..analysis.lines import clean
from ..runners.clipboard import LIMIT_BYTES, keep_copy, takes_osc52, to_tmux
from .keys_in_force import key_of

if TYPE_CHECKING:
    from textual.widget import Widget

    from .navigation import Navigation


MOST_ROWS = 5000


def copy(app: Navigation, text: str, what: str) -> None:
    """Copy this text, called `what`, and say where it went."""
    text = "\n".join(clean(line) for line in text.split("\n"))  # whoever pastes it has a terminal again
    size = len(text.encode("utf-8", "replace"))
    kept = keep_copy(app.surroundings.root, text)
    sent = False
    if to_tmux(text, os.environ):
        went = "It is tmux's newest buffer (prefix ] pastes it), which tmux hands to its terminal."
    elif size > LIMIT_BYTES:
        went = f"{size:,} bytes are more than a terminal's clipboard takes ({LIMIT_BYTES:,})."
    elif not takes_osc52(os.environ):
        went = "This terminal has no clipboard for programs."
    else:
        app.copy_to_clipboard(text)
        sent = True
        went = "Sent to the terminal's clipboard."
    if kept is not None:
        went += f" {'If it did not arrive, it' if sent else 'The text'} is in {kept}"
    elif not sent:
        went += " No file could be written for it either."
    app.notify(clean(went), title=clean(f"Copied: {what}"), timeout=8, markup=False)


def copy_shown(app: Navigation, focused: Widget | None) -> None:
    """Copy the log's line under the cursor, or the table with the keys, as it is shown, in columns."""
    from ..analysis.tables.text import render
    from .widgets.data_table import DataTable
    from .widgets.log_pane import LogPane
    from .widgets.shown import shown_table

    if isinstance(focused, LogPane) and focused.current is not None:
        copy(app, focused.current.text, f"line {focused.current.number}")
    elif isinstance(focused, DataTable) and focused.row_count:
        if focused.row_count > MOST_ROWS:
            writes = key_of(focused, "export")
            app.notify(
                f"{focused.row_count:,} rows are too many to copy; {writes} writes them to a file.", markup=False
            )
            return
        table = shown_table(focused)
        rows = len(table.rows)
        copy(app, render(table), f"{table.title or 'table'}, {rows} row{'' if rows == 1 else 's'}")
