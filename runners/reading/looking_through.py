"""What runs, outliers and trends there are among many runs, found by a process of our own: a thread would hold the keys of a screen."""

from __future__ import annotations

import pickle
import sys
from contextlib import suppress

from ...analysis.named_tuple import TYPE_CHECKING
from ...analysis.post_mortem.summary import post_mortem
from ..own_python import own_python

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...analysis.rows.store import RunStore
    from ...analysis.tables import Table

FEW = 10_000
"""Up to so many runs are looked through sooner than a process starts."""


def look_through(rows: RunStore) -> Sequence[Table]:
    """The tables of kinds, outliers and trends; call it in a thread."""
    if rows.count > FEW:
        import subprocess

        child = own_python(__name__.removeprefix(__name__.partition(".")[0]))
        with suppress(OSError, EOFError, pickle.UnpicklingError):  # no process to be had, or it was killed: look here
            with subprocess.Popen(
                child,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            ) as process:
                assert process.stdin is not None and process.stdout is not None
                with process.stdin as pipe:
                    pickle.dump(rows, pipe, 5)
                found: Sequence[Table] = pickle.load(process.stdout)
                return found
    return _tables(rows)


def _tables(rows: RunStore) -> Sequence[Table]:
    _, _, *tables = post_mortem(rows)
    return tables


def main() -> None:
    """What the process does."""
    rows: RunStore = pickle.load(sys.stdin.buffer)
    pickle.dump(_tables(rows), sys.stdout.buffer)
    sys.stdout.buffer.flush()
