"""Reading what people point at: logs (plain or compressed), folders, globs, standard input, run folders, Vela tables.

Files are read in blocks and go straight into the analysis, so that memory stays bounded; a decompressed stream is cut at a
limit, since an archive of a few kilobytes may hold terabytes.
"""

from __future__ import annotations

import bz2
import glob
import gzip
import json
import lzma
import os
import stat
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, cast

from ..analysis import Capture, CaptureReader, Line
from ..analysis.compile_entry import compile_entry, summary_of
from ..analysis.lines import LineSplitter, clean
from ..analysis.report import CompileSummary
from ..analysis.vela import parse_summary_csv
from .job import InputError

if TYPE_CHECKING:
    from ..analysis.compare import Side
    from ..analysis.outcome import Outcome

BLOCK_BYTES = 1 << 18
DECOMPRESSED_LIMIT_BYTES = 16 << 30
"""More than this from one compressed file is refused: no console log is that long."""

COMPRESSED = (".gz", ".xz", ".bz2", ".zst")
SAMPLE_BYTES = 4096
STORED_LIMIT_BYTES = 64 << 20
RESULT = "result.json"
_BINARY_SHARE = 0.30
_NO_LOGS = frozenset(
    ".a .axf .bin .bpte .c .cc .cpp .css .csv .elf .etdp .h .hex .html .jpg .json .md .npy .npz .o .onnx .pdf .png .pt .pt2"
    " .pte .py .pyc .so .svg .tcss .tflite .toml .tosa .tsv .xml .yaml .yml".split()
)
"""Files of a folder that are passed over: they lie beside logs and are none."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """Something that a report or a comparison can show: a capture, or one compile result."""

    label: str
    path: str
    capture: Capture | None = None
    result: dict[str, Any] | None = None
    summary: CompileSummary | None = None
    log: Path | None = None

    def lines(self) -> list[Line]:
        """The clean lines of the log behind it; empty where there is none."""
        if self.log is None or not self.log.is_file():
            return []
        splitter = LineSplitter()
        lines: list[Line] = []
        for block in blocks(str(self.log)):
            lines += splitter.feed(block)
        return lines + splitter.finish()

    def sides(self) -> list[Side]:
        """The columns that this gives in a comparison: each run of a log, or one compile result.

        Raises:
            InputError: there is nothing to compare, as after a failed compile.
        """
        from ..analysis.compare import Side

        if self.summary is not None:
            size = (self.result or {}).get("pte_bytes")
            return [Side(self.label, self.path, "compile", summary=self.summary, pte_bytes=size)]
        runs = self.capture.runs if self.capture is not None else ()
        if not runs:
            raise InputError(f"{self.path}: holds no run and no compile result", "a failed compile has no figures")
        many = len(runs) > 1
        return [Side(f"{self.label}#{run.index}" if many else self.label, self.path, "run", run=run) for run in runs]


def expand(arguments: list[str]) -> list[str]:
    """Paths, globs and folders to a list of inputs, in a stable order; "-" stands for standard input.

    A run folder counts as one input; any other folder gives the files in it, hidden ones left out.

    Raises:
        InputError: an argument names nothing, or a folder without files.
    """
    found: list[str] = []
    for argument in arguments:
        if argument == "-":
            found.append(argument)
            continue
        path = os.path.expanduser(argument)
        if not os.path.lexists(path) and glob.has_magic(path):
            matches = sorted(glob.glob(path, recursive=True))
            if not matches:
                raise InputError(f"{argument}: no file matches", "check the pattern")
            for match in matches:
                found += _files(match) if os.path.isdir(match) else [match]
        elif os.path.isdir(path):
            inside = _files(path)
            if not inside:
                raise InputError(f"{argument}: the folder holds no logs", "give a folder with logs, or a file")
            found += inside
        else:
            found.append(path)
    return list(dict.fromkeys(found))


def _files(folder: str) -> list[str]:
    if is_run_folder(folder):
        return [folder]
    found: list[str] = []
    for root, folders, files in os.walk(folder):
        runs = sorted(name for name in folders if is_run_folder(os.path.join(root, name)))
        found += (os.path.join(root, name) for name in runs)
        folders[:] = sorted(name for name in folders if name not in runs and not name.startswith("."))
        logs = (
            name for name in files if not name.startswith(".") and os.path.splitext(name)[1].lower() not in _NO_LOGS
        )
        paths = (os.path.join(root, name) for name in sorted(logs))
        found += (path for path in paths if os.path.isfile(path))
    return found


def is_run_folder(path: str) -> bool:
    """True where a stored run lies (a folder with a manifest)."""
    return os.path.isfile(os.path.join(path, "manifest.json"))


def log_of(path: str) -> str:
    """The file to read for this input: a run folder's console log, or the path itself."""
    return os.path.join(path, "console.log") if os.path.isdir(path) and is_run_folder(path) else path


@contextmanager
def _refusing(path: str) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        raise InputError(f"{path}: no such file", "check the path") from None
    except IsADirectoryError:
        raise InputError(f"{path}: is a folder, not a log", "give a file of it") from None
    except PermissionError:
        raise InputError(f"{path}: may not be read by you", "check its permissions (ls -l)") from None
    except (EOFError, lzma.LZMAError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError(f"{path}: the compressed data is damaged ({error})", "copy the file again") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error})", "check the file and its disk") from None


def blocks(path: str) -> Iterator[bytes]:
    """The bytes of a file (decompressed by its ending) or of standard input ("-"), block by block.

    Raises:
        InputError: the file is missing, not a regular file, unreadable or damaged.
    """
    if path == "-":
        if sys.stdin is None:
            raise InputError("-: standard input is closed", "pipe a log into it")
        while block := os.read(sys.stdin.fileno(), BLOCK_BYTES):
            yield block
        return
    with _refusing(path):
        mode = os.stat(path).st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode)):
            kind = "a folder" if stat.S_ISDIR(mode) else "not a regular file"
            raise InputError(f"{path}: is {kind}, not a log", "give a log file")
        with _open(path) as stream:
            total = 0
            while block := stream.read(BLOCK_BYTES):
                total += len(block)
                if total > DECOMPRESSED_LIMIT_BYTES and path.endswith(COMPRESSED):
                    raise InputError(
                        f"{path}: holds over {DECOMPRESSED_LIMIT_BYTES >> 30} GiB", "this is no console log"
                    )
                yield block


def _open(path: str) -> BinaryIO:
    if path.endswith(".gz"):
        return cast(BinaryIO, gzip.open(path, "rb"))
    if path.endswith(".xz"):
        return cast(BinaryIO, lzma.open(path, "rb"))
    if path.endswith(".bz2"):
        return cast(BinaryIO, bz2.open(path, "rb"))
    if path.endswith(".zst"):
        return _open_zstandard(path)
    return open(path, "rb")


def _open_zstandard(path: str) -> BinaryIO:
    try:
        import zstandard
    except ImportError:
        raise InputError(f"{path}: reading .zst needs a library", 'pip install "ethosu-tui[zst]"') from None
    stream: BinaryIO = zstandard.open(path, "rb")
    return stream


class Reading(NamedTuple):
    """One input as analysed; `problem` says why nothing in it was recognised, where that is so."""

    capture: Capture
    problem: str | None


def read(path: str) -> Reading:
    """Analyse one input: a log, a run folder, or a summary CSV of Vela.

    Raises:
        InputError: it cannot be read, or it is empty.
    """
    if path.endswith(".csv"):
        return Reading(_read_summary(path), None)
    log = log_of(path)
    outcome = _recorded_outcome(path) if log != path else None
    if log != path and not os.path.isfile(log) and outcome is None:
        raise InputError(f"{path}: the run has no console log", "was it stopped before it began?")
    reader = CaptureReader(path)
    sample = b""
    for block in blocks(log) if os.path.exists(log) or log == path else ():
        sample = sample or block[:SAMPLE_BYTES]
        reader.feed(block)
    if not sample and outcome is None:
        raise InputError(f"{path}: is empty", "was the capture stopped before the first byte?")
    capture = reader.finish(outcome)
    stored = summary_of(_result_of(Path(path))) if log != path else None
    if stored is not None:  # exact, where the console is rounded
        first = capture.compile[0].first_line if capture.compile else None
        capture = capture._replace(compile=(stored._replace(first_line=first),))
    return Reading(capture, None if capture.runs or capture.compile else _nothing_in(path, sample))


def _recorded_outcome(folder: str) -> Outcome | None:
    from .stored_run import recorded_outcome  # only for stored runs: it costs as much as reading a small log

    return recorded_outcome(folder)


def _read_summary(path: str) -> Capture:
    data = b"".join(blocks(path))
    try:
        summary = parse_summary_csv(data.decode("utf-8", "replace"))
    except ValueError as error:
        raise InputError(f"{path}: {error}", "give Vela's <name>_summary_<config>.csv") from None
    return Capture(path, len(data), data.count(b"\n"), compile=(summary,), recognised=1)


def _nothing_in(path: str, sample: bytes) -> str:
    if not sample:
        return f"{path}: nothing recognised: nothing was printed"
    odd = sum(1 for byte in sample if byte < 9 or 13 < byte < 27 or 27 < byte < 32 or byte >= 0x7F)
    if odd / len(sample) > _BINARY_SHARE:
        return f"{path}: nothing recognised: it is binary data, not a console log"
    return f"{path}: nothing recognised: no line of a runner, a simulator or a compiler is in it"


def load(path: str) -> Loaded:
    """What a report or comparison can show of this path: a stored run or compile, a log, or a Vela summary CSV.

    Raises:
        InputError: unreadable, or nothing in it is recognised.
    """
    path = os.path.expanduser(path)
    if os.path.isdir(path):
        return _load_folder(Path(path))
    capture, problem = read(path)
    if path.endswith(".csv"):
        return Loaded(os.path.basename(path), path, summary=capture.compile[0])
    if problem is not None:
        raise InputError(problem, "give the console output of a run or of a compile")
    label = os.path.basename(path)
    for ending in (*COMPRESSED, ".log", ".txt"):
        label = label.removesuffix(ending)
    estimate = capture.compile[-1] if capture.compile and not capture.runs else None
    return Loaded(label or path, path, capture, summary=estimate, log=Path(path) if path != "-" else None)


def _load_folder(folder: Path) -> Loaded:
    if not is_run_folder(str(folder)):
        raise InputError(f"{folder}: is a folder without a stored run", "give a log file or a run folder")
    log = folder / "console.log"
    label = clean(str(_object(folder / "manifest.json").get("label") or folder.name))
    capture = None
    result = _result_of(folder)
    written = log.is_file() and log.stat().st_size
    if written or _recorded_outcome(str(folder)) is not None:
        capture = read(str(folder)).capture
    if result is None and (capture is None or not (written or capture.runs)):
        raise InputError(f"{folder}: the run has no output yet", "wait for it, or look at its manifest.json")
    return Loaded(label, str(folder), capture, result, summary_of(result), log if log.is_file() else None)


def _result_of(folder: Path) -> dict[str, Any] | None:
    path = folder / RESULT
    if not path.is_file():
        return None
    if path.stat().st_size > STORED_LIMIT_BYTES:
        raise InputError(f"{path}: is damaged (too large)", "the console.log beside it is still readable")
    return compile_entry(_object(path))


def _object(path: Path) -> dict[str, Any]:
    with _refusing(str(path)):
        try:
            value = json.loads(path.read_text("utf-8"))
        except (ValueError, RecursionError):
            raise InputError(f"{path}: is damaged (not JSON)", "the console.log beside it is still readable") from None
    return value if isinstance(value, dict) else {}
