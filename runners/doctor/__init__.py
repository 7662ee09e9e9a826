"""What this machine has of the tools around Ethos-U work, and the exact line that gets what is missing.

Looking is all that is done here: nothing is installed, no licence is accepted, and a tool that hangs is given up on.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..simulator import FVP_NAMES
from . import boards, building, compilers, here
from .tool import Tool, program

__all__ = ["Tool", "check_tools"]


def check_tools(python: str | None = None, *, verify: bool = False) -> Iterator[Tool]:
    """Look at everything, one after the other; the first few are instant, an FVP takes a second to say its version.

    `verify` also imports what the compiler needs, which takes as long as a compile takes to start.
    """
    yield here.ourselves()
    yield here.workspace()
    yield here.memory()
    yield here.terminal()
    yield from compilers.compilers(python)
    if verify:
        yield from compilers.imports(python)
    for name in FVP_NAMES:
        yield building.fvp(name)
    yield building.checkout()
    for name, what, install in building.BUILD_TOOLS:
        yield program(name, what, install)
    yield program("tmux", "keeping the dashboard open when a connection drops", "apt install tmux", "-V")
    yield program("ssh", "boards over SSH", "apt install openssh-client", "-V")
    yield here.lasting_processes()
    yield boards.pyserial()
    yield boards.serial_rights()
