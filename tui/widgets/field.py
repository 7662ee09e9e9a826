"""A line to type into, as all screens have it: nothing blinks, since each blink is bytes over a slow link, and what is pasted
holds nothing that a terminal would obey when it is shown."""

from __future__ import annotations

from textual import events
from textual.widgets import Input

from ...analysis.cleaning import clean


class Field(Input):
    """Textual's line, at rest while nobody types."""

    def on_mount(self) -> None:
        self.cursor_blink = False

    def _on_paste(self, event: events.Paste) -> None:
        event.prevent_default()
        event.stop()
        lines = event.text.splitlines()
        if lines:
            self.replace(clean(lines[0]), *sorted(self.selection))
