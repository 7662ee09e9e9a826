"""Reads one input from its first byte to its report, in bounded memory: what is finished is handed over on the way.

An input is a log, a stored run, a summary CSV of Vela, or an archive of logs, which gives one reading for each of them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

from ...analysis.line_forms.encodings import wide_encoding
from ...analysis.named_tuple import TYPE_CHECKING
from ...analysis.scan import Scanner
from ...analysis.units import format_many
from ..job import InputError, JobError
from .blocks import PlainFile, Source, blocks, member_of, refusing, sources
from .paths import is_run_folder, log_of
from .settings import WHOLE, Reading, ReadSettings

if TYPE_CHECKING:
    from ...analysis.outcome import Outcome
    from ...analysis.report import CompileSummary
    from .halves import Halves
    from .harvest import Harvest

LARGE_BYTES = 64 << 20
"""Smaller files are not worth a look whether to divide them."""
_SAMPLE_BYTES = 4096
_BINARY_SHARE = 0.30
_GIVE_A_LOG = "give the console output of a run or of a compile"


def readings(
    path: str,
    settings: ReadSettings = WHOLE,
    take: Callable[[Scanner], object] | None = None,
    merge: Callable[[Harvest], object] | None = None,
) -> Iterator[Reading | JobError]:
    """Read an input; `take` is called after every block, to take the rows and JSON lines that are finished.

    `merge` takes the rows of the part that another process has read, if that is wanted.

    An error stands for a member of an archive that is not read; its exit code is 0 where that is only worth a remark.

    Raises:
        InputError: the input cannot be read, or it is empty.
    """
    if path.endswith(".csv") and (table := read_table(path)) is not None:
        yield table
    elif os.path.isdir(path) and is_run_folder(path):
        outcome, summary = _stored(path)
        settings = settings.stored(settings, path) if settings.stored is not None else settings
        yield read_stored(path, outcome, summary, settings, take)
    elif member_of(path)[1] is not None:
        yield read_source(Source(path, blocks(path), []), settings, take)
    else:
        for source in sources(path):
            if isinstance(source, JobError):
                yield source
                continue
            try:
                reading = read_source(source, settings, take, merge=merge)
            except InputError as error:
                if source.name == path or _ends(path, error):
                    raise
                yield error
                continue
            yield reading
            if _ends(path, reading.problem):
                return


def read_table(path: str) -> Reading | None:
    """What a table of Vela's says; None for any other input, and for a log that some program has exported as a table.

    Raises:
        InputError: it cannot be read.
    """
    from .results import is_summary, read_summary  # only here: most inputs are logs

    return Reading(read_summary(path), None) if is_summary(path) else None


def _ends(path: str, error: JobError | None) -> bool:
    """Whether nothing more of an input is read: something is wrong with all of it, and not with one log of an archive."""
    return error is not None and error.message.startswith(f"{path}: ")


def read_stored(
    path: str,
    outcome: Outcome | None,
    summary: CompileSummary | None,
    settings: ReadSettings = WHOLE,
    take: Callable[[Scanner], object] | None = None,
) -> Reading:
    """The console log of a stored run, with what its manifest (`outcome`) and its result (`summary`) know better.

    Raises:
        InputError: there is no log, or it is empty.
    """
    log = log_of(path)
    if not os.path.isfile(log) and outcome is None:
        raise InputError(f"{path}: the run has no console log", "was it stopped before it began?")
    source = Source(path, blocks(log) if os.path.isfile(log) else iter(()), [])
    reading = read_source(source, settings, take, outcome)
    if summary is None:
        return reading
    capture = reading.capture  # the stored figures are exact, where the console is rounded
    first = capture.compile[0].first_line if capture.compile else None
    return reading._replace(capture=capture._replace(compile=(summary._replace(first_line=first),)), problem=None)


def read_source(
    source: Source,
    settings: ReadSettings,
    take: Callable[[Scanner], object] | None = None,
    outcome: Outcome | None = None,
    merge: Callable[[Harvest], object] | None = None,
) -> Reading:
    """Read one log; `outcome` is how the host saw a stored run end, and `merge` takes what another process has read.

    Raises:
        InputError: it cannot be read, or it is empty.
    """
    scanner = Scanner(source.name, full_runs=settings.full_runs, jsonl=settings.jsonl, complete=settings.complete)
    sample, problem = b"", None
    halves = None
    if merge is not None and source.file is not None and source.file.size >= LARGE_BYTES:
        halves = _halves(source, source.file, settings)
    try:
        for block in _blocks_of(source):
            if not sample:
                scanner.look_at(block)
            if len(sample) < _SAMPLE_BYTES:
                sample += block[: _SAMPLE_BYTES - len(sample)]
            scanner.feed(block)
            if take is not None:
                take(scanner)
            found = halves.met(scanner, len(block)) if halves is not None else None
            if found is not None and merge is not None:
                merge(found[0])
                return found[1]
    except InputError as error:
        if not sample:
            raise
        problem = error  # what came before the damage is a log all the same
    finally:
        if halves is not None:
            halves.close()
    if not sample and outcome is None:
        raise InputError(f"{source.name}: is empty", "was the capture stopped before the first byte?")
    scanner.finish(outcome)
    if take is not None:
        take(scanner)
    return _reading(source, scanner, settings, sample, problem)


def _blocks_of(source: Source) -> Iterator[bytes]:
    """What is wrong with reading them is said of the input; what is wrong with printing what came of them is not."""
    with refusing(source.name):
        yield from source.blocks


def _halves(source: Source, file: PlainFile, settings: ReadSettings) -> Halves | None:
    """What lets other processes read parts of a large file; None where there is none."""
    from .spare import spare_cores

    try:
        spare = spare_cores()
    except OSError:
        return None
    if spare is None:
        return None
    from .ahead import read_ahead  # few files are as large
    from .halves import Halves
    from .harvest import Harvest

    def finish(scanner: Scanner) -> Reading:
        scanner.finish()
        return _reading(source, scanner, settings, b"", None)

    return Halves(file, finish, lambda: Harvest(WHOLE._replace(rows=settings.rows), 0), spare, read_ahead)


def _reading(
    source: Source, scanner: Scanner, settings: ReadSettings, sample: bytes, problem: JobError | None
) -> Reading:
    """The reading of what a scanner has read to the end."""
    capture = scanner.capture() if settings.derive is None else settings.derive(scanner.capture())
    if problem is None and not (scanner.run_count or capture.compile or any(f.run is None for f in capture.findings)):
        program = sample[4:8] in (b"ET12", b"BP08")
        hint = "it is a compiled program: `ethosu-tui inspect` says what is in it" if program else _GIVE_A_LOG
        problem = InputError(_nothing_in(source.name, sample, capture.recognised), hint)
    return Reading(capture, problem, tuple(source.notes), scanner.run_count)


def _nothing_in(name: str, sample: bytes, recognised: int) -> str:
    if not sample:
        return f"{name}: nothing recognised: nothing was printed"
    text = sample.decode(wide_encoding(sample, ended=True) or "utf-8", "replace")
    controls = sum(1 for char in text if char < " " and char not in "\t\n\v\f\r\x1b" or char == "\x7f")
    if controls > _BINARY_SHARE * len(text):
        return f"{name}: nothing recognised: it is binary data, not a console log"
    if controls + text.count("\ufffd") > _BINARY_SHARE * len(text):
        return (
            f"{name}: nothing recognised: it is not UTF-8 text, but another encoding, a wrong baud rate or binary data"
        )
    if sample.lstrip()[:2] in (b"[{", b'{"'):
        return f"{name}: nothing recognised: it looks like JSON (`ethosu-tui inspect` reads PMU traces)"
    if recognised:
        could = f"{format_many(recognised, 'line')} could belong to one"
        return f"{name}: nothing recognised: it contains no run and no compile, though {could}"
    return f"{name}: nothing recognised: it has no line from a runner, a simulator or a compiler"


def _stored(path: str) -> tuple[Outcome | None, CompileSummary | None]:
    from ...analysis.compiles.entry import summary_of
    from ..runs.stored import recorded_outcome  # only for stored runs: it costs as much as reading a small log
    from .results import stored_result

    return recorded_outcome(path), summary_of(stored_result(path))
