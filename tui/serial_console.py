"""The raw console of a board, from the dashboard: the dashboard steps aside, and `ethosu-tui console` has the terminal.

A board that wants keys gets all of them that way, and what it prints is not drawn over anything of ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..analysis.lines import clean
from ..runners.foreground import take_over
from ..runners.job import JobError
from ..runners.own_python import own_python
from .messages import Problem
from .outside import can_step_aside
from .screens.dialogs import AskScreen, Choice

if TYPE_CHECKING:
    from .navigation import Navigation


async def open_console(app: Navigation) -> None:
    """Ask for a port or a target, and give the terminal to its console until the user leaves it."""
    if not can_step_aside(app):
        return
    port = await app.push_screen_wait(
        AskScreen(
            "Console of which board? Ctrl-] there leaves it",
            hint="a port, socket://HOST:PORT, or the name of a target",
            choices=_choices(),
            free=True,
        )
    )
    if not port:
        return
    with app.suspend():
        try:
            code = take_over(own_python(".tui.child", "console", "--", port))
        except OSError as error:
            code, reason = None, str(error.strerror or error)
        if code not in (0, None):
            input("Enter goes back to the dashboard ")  # what went wrong stands above
    if code is None:
        app.post_message(Problem("the console cannot be started", reason))
    app.refresh(layout=True)


def _choices() -> list[Choice]:
    from ..runners.serial.ports import list_ports
    from ..runners.targets.catalogue import Catalogue

    found = [Choice(port.by_id or port.device, clean(port.description or "serial port")) for port in list_ports()]
    try:
        catalogue = Catalogue()
        targets = [catalogue.target(name) for name, layer in catalogue.names() if layer != "shipped"]
    except JobError:  # what is wrong with a file is for `targets check`
        targets = []
    return [*(Choice(t.name, clean(t.url or "")) for t in targets if t.kind == "serial"), *found]
