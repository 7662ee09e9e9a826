"""A mistake of our own ends in one sentence on the user's terminal, and in a file with all that its author wants to know."""

from __future__ import annotations

import contextlib
import io
import os
import platform
import shlex
import sys
import tempfile
import time
import traceback
from collections.abc import Sequence
from pathlib import Path

from ...analysis.lines import clean
from ...runners.job import shortened

_KEPT = 10


def of_a_thread(renderables: Sequence[object]) -> RuntimeError:
    """What Textual tells of a failure in a thread of its own, as an error."""
    from rich.console import Console

    console = Console(file=io.StringIO(), width=200, color_system=None)
    for one in renderables:
        console.print(one)
    told = console.file.getvalue()  # type: ignore[attr-defined]
    last = next((line for line in reversed(told.splitlines()) if line.strip()), "no more is known")
    error = RuntimeError(f"a thread of Textual failed: {last.strip()}")
    error.__cause__ = RuntimeError(told)
    return error


def keep_mishap(error: BaseException, where: str) -> str:
    """Write the whole story to a file; the sentence that says so."""
    about = shortened(clean(" ".join(f"{type(error).__name__}: {error}".split())))[:200]
    path = _written(_story(error, where))
    kept = f"the details are in {path}" if path is not None else "the details could not be written anywhere"
    return (
        f"ethosu-tui: stopped by a bug in {where} ({about}); {kept}. "
        "Please report it as a bug; runs go on, `ethosu-tui runs` shows them."
    )


def _story(error: BaseException, where: str) -> str:
    from importlib.metadata import version

    facts = {
        "version": version("ethosu-tui"),
        "when": time.strftime("%Y-%m-%d %H:%M:%S %z"),
        "command": shlex.join(sys.argv),
        "in": where,
        "python": f"{platform.python_version()} on {platform.platform()}",
        "textual": version("textual"),
        "terminal": " ".join(f"{name}={os.environ.get(name, '')}" for name in ("TERM", "COLORTERM", "TMUX", "LANG")),
    }
    told = "".join(traceback.format_exception(type(error), error, error.__traceback__))
    return "\n".join(f"{name}: {value}" for name, value in facts.items()) + f"\n\n{told}"


def _written(story: str) -> Path | None:
    name = f"mishap-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.log"
    for folder in _folders():
        with contextlib.suppress(OSError, ValueError):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            path = folder / name
            with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", errors="replace") as file:
                file.write(story)
            for old in sorted(folder.glob("mishap-*.log"))[:-_KEPT]:
                old.unlink()
            return path
    return None


def _folders() -> list[Path]:
    from platformdirs import user_log_path

    found = []
    with contextlib.suppress(RuntimeError, OSError):  # no home
        found.append(user_log_path("ethosu-tui"))
    return [*found, Path(tempfile.gettempdir())]
