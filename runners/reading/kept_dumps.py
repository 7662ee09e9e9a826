"""What a log carries for other tools goes into files of the run folder: the ETDump and its debug buffer."""

from __future__ import annotations

from pathlib import Path

from ...analysis.carriers.beginning import look_ahead, new_splitter
from ...analysis.etdump.reader import HEAD_BYTES, announced_size
from ...analysis.etdump.report import Blocks
from ...analysis.etdump_finder import DumpFinder, Found
from ..job import JobError
from ..storage import replace_file, storage_error
from .blocks import blocks

ETDUMP = "etdump.etdp"
DEBUG_BUFFER = "debug_buffer.bin"


def dumps_in(log: str, run: int | None = None) -> Blocks | None:
    """The decoded blocks of a run of a log, from 1, or of the first that has any; None where there are none.

    Raises:
        InputError: the log cannot be read.
    """
    found = found_in(log, run)
    return found.blocks if found is not None else None


def found_in(log: str, run: int | None = None, *, buffer: bool = False) -> Found | None:
    """The same with the run that they are of; where a debug buffer is wanted, of the first run that has one, if any has.

    Raises:
        InputError: the log cannot be read.
    """
    finder, splitter = DumpFinder(run, buffer=buffer), new_splitter()
    for block in blocks(log):
        if not splitter.bytes:
            look_ahead(splitter, block)
        finder.feed(splitter.feed(block))
        if finder.done:
            break
    else:
        finder.feed(splitter.finish())
    return finder.found()


def keep_dumps(console: Path) -> tuple[Path, ...]:
    """Write what is in the first run of a stored console that has it, beside the console; the files written.

    A block that was cut off is kept as far as it came, a damaged one up to its damage: the report says what is missing.

    Raises:
        JobError: the console cannot be read or a file cannot be written.
    """
    found = dumps_in(str(console))
    if found is None:
        return ()
    whole = announced_size(found.sound) if len(found.sound) >= HEAD_BYTES else None
    written = []
    for name, data in ((ETDUMP, found.sound[:whole]), (DEBUG_BUFFER, found.debug_buffer)):
        path = console.with_name(name)
        if not data or path.exists():
            continue
        try:
            replace_file(path, data)
        except OSError as error:
            raise storage_error(error, path) from error
        written.append(path)
    return tuple(written)


def try_to_keep_dumps(console: Path) -> None:
    """The same after a run: what cannot be kept is in the console all the same."""
    try:
        keep_dumps(console)
    except JobError:
        return
