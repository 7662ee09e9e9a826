"""The user's editor and pager in place of the dashboard: the log at a line in one, the report as text in the other."""

from __future__ import annotations

import os
import signal
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ..analysis.lines import clean
from ..runners.editor import editor_argv, pager_argv
from ..runners.foreground import ended_badly, take_over
from ..runners.job import JobError
from .messages import Problem

if TYPE_CHECKING:
    from textual.widget import Widget

    from .exports import Subject
    from .navigation import Navigation

COPY_LIMIT_BYTES = 1 << 30
_PRINTS_ONLY = ("cat", "tee", "bat", "batcat")


def can_step_aside(app: Navigation) -> bool:
    """Whether there is a terminal to give to another program; says so where there is none."""
    if app._driver is not None and app._driver.can_suspend:
        return True
    app.notify("A page in a browser has no terminal to give to another program.", severity="warning", markup=False)
    return False


def edit_log(app: Navigation, path: str, line: int | None) -> None:
    """Open the log in the editor, at the line; one that is compressed or in an archive as a copy."""
    if not can_step_aside(app):
        return
    try:
        if _is_plain(path):
            _run(app, editor_argv(path, line, os.environ))
            return
        with tempfile.TemporaryDirectory(prefix="ethosu-tui-") as folder:
            copied = _unpacked(path, Path(folder))
            _run(app, editor_argv(str(copied), line, os.environ))
    except JobError as error:
        app.post_message(Problem(error.message, error.hint))
    except OSError as error:
        app.post_message(Problem(f"{path} cannot be opened in the editor", error.strerror or str(error)))


def text_of(focused: Widget | None, subject: Callable[[], Subject]) -> Iterator[str]:
    """What a pager shows of a page: the lines of the log with the keys that pass its filter, or all that it would export."""
    from ..analysis.tables.text import render
    from .widgets.log_pane import LogPane

    if isinstance(focused, LogPane):
        for position in range(focused.row_count):
            line = focused._at(position)
            yield line.text
        return
    document = subject().report()
    yield document.title
    for section in document.sections:
        for finding in section.findings:
            yield from ("", f"{finding.severity}: {finding.title}", f"    {finding.detail}", f"    -> {finding.advice}")
        for table in section.tables:
            if table.rows:
                yield from ("", *render(table).split("\n"))


def page_text(app: Navigation, lines: Iterable[str]) -> None:
    """Show a text in the pager, without anything in it that a terminal would obey."""
    if not can_step_aside(app):
        return
    try:
        argv = pager_argv(os.environ)
        with tempfile.TemporaryFile() as file:
            for line in lines:
                file.write(f"{clean(line)}\n".encode("utf-8", "replace"))
            file.seek(0)
            environment = {"LESS": "-S", **os.environ}
            with app.suspend():
                code = take_over(argv, stdin=file, env=environment)
                if os.path.basename(argv[0]) in _PRINTS_ONLY:
                    input("Enter goes back to the dashboard ")
            _tell(app, argv, code)
    except JobError as error:
        app.post_message(Problem(error.message, error.hint))
    except (OSError, EOFError) as error:
        app.post_message(Problem("the pager cannot be started", str(error)))
    app.refresh(layout=True)


def _run(app: Navigation, argv: list[str]) -> None:
    with app.suspend():
        code = take_over(argv)
    app.refresh(layout=True)
    _tell(app, argv, code)


def _tell(app: Navigation, argv: list[str], code: int) -> None:
    """What it said of its failure is on the screen that has gone."""
    problem = ended_badly(os.path.basename(argv[0]), code)
    if problem is not None and code != -signal.SIGPIPE:
        app.notify(clean(problem), severity="warning", markup=False)


def _is_plain(path: str) -> bool:
    """Whether it is a file that editors can read as it is."""
    from ..runners.reading.compression import compression_of

    if not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        return compression_of(file.read(16)) is None


def _unpacked(path: str, folder: Path) -> Path:
    """A copy of what is read there.

    Raises:
        JobError: it cannot be read, or is too large to be copied.
    """
    from ..runners.job import InputError
    from ..runners.reading.blocks import blocks
    from ..runners.saved_file import file_name

    target = folder / file_name(os.path.basename(path), ".log")
    size = 0
    with open(target, "wb") as file:
        for block in blocks(path):
            size += len(block)
            if size > COPY_LIMIT_BYTES:
                raise InputError(
                    f"{path} is over {COPY_LIMIT_BYTES >> 30} GiB unpacked", "unpack it, and open that file"
                )
            file.write(block)
    return target
