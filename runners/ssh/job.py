"""One run on another machine over SSH: files there, the command, its output as it comes, files back, and nothing left.

Each step is told before it begins and fails with a sentence of its own.  A run whose connection drops is lost: its command
is ended over there (see `ssh/script.py`), and what came before is kept.
"""

from __future__ import annotations

import contextlib
import secrets
import shlex
import signal
import tempfile
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from ..job import Chunk, Exit, JobEvent, Progress, Started
from ..placeholders import fill
from ..process import Limits, ProcessJob
from ..runs.folder import RunFolder, printable
from .errors import explain, last_line
from .files import Sent, fetch, send
from .link import Link, Own, Trouble, result, told
from .script import CLEAN_UP, MAKE_FOLDER, run_script

TIME_LIMIT_SECONDS = 600.0
DEFAULT_COMMAND = ("executor_runner", "--model_path", "{artefact}")
REMOTE_ROOT = "/tmp"
_REMOTE_MARGIN_SECONDS = 30.0
"""What the other side waits beyond our time limit before it ends the command itself."""
GRACE_SECONDS = 2.0
"""What the command over there gets between SIGTERM and SIGKILL."""
_STOP_SECONDS = 4.0
"""What it may take beyond that to say that it has ended, before our end of it is killed."""
_CLEAN_UP_SECONDS = 13.0
"""Beyond the grace, too."""
_SAID_BYTES = 1 << 16


@dataclass(frozen=True, slots=True)
class SshRun:
    """What is to be run over there."""

    host: str
    words: tuple[str, ...]
    """The command, with placeholders."""
    values: Mapping[str, str | None]
    """What placeholders stand for, but for those of files that are sent."""
    files: Mapping[str, str]
    """Files to send: path here to name there."""
    named: Mapping[str, str]
    """Placeholders of files that are sent, as `artefact`: path here."""
    remote_root: str = REMOTE_ROOT
    cwd: str | None = None
    """Where the command runs; None is the folder with the files."""
    fetch: tuple[str, ...] = ()
    limits: Limits = Limits()
    grace_seconds: float = GRACE_SECONDS


class SshJob:
    """One run on another machine; it can run once."""

    def __init__(self, request: SshRun, label: str) -> None:
        self.label = label
        self.request = request
        self.ended: Callable[[], bool] = lambda: False
        self._link = Link(request.host)
        self._mark = f"ethosu-tui-{secrets.token_hex(8)}"
        self._root = str(PurePosixPath(request.remote_root) / self._mark)
        """Made by us, with a name that nobody can know before."""
        self._work = f"{self._root}/work"
        self._folder: RunFolder | None = None
        self._made = False
        sent = {path: f"{self._work}/{name}" for path, name in request.files.items()}
        values = {**request.values, **{name: sent[path] for name, path in request.named.items()}, "folder": self._work}
        self.command = tuple(fill(request.words, values))
        self._sent = tuple(Sent(path, there) for path, there in sent.items())
        self._problems: list[str] = []

    def keep_in(self, folder: RunFolder) -> None:
        """Where fetched files go; to be called before the run."""
        self._folder = folder

    def stop(self) -> None:
        """End the run from any thread, and the command over there with it."""
        self._link.stop()

    def run(self) -> Iterator[JobEvent]:
        """Yield `Started`, the steps, the command's output, and one `Exit`."""
        began = time.monotonic()
        yield Started(("ssh", self.request.host, *self.command), self.request.cwd)
        end = Exit(None, "stopped", 0.0, "stopped before it was started")
        try:
            try:
                if not self._link.stopped:
                    end = yield from self._steps(began)
            except Trouble as trouble:
                end = Exit(None, trouble.reason, 0.0, trouble.text)
            if self._made:
                yield Progress(f"cleaning up on {self.request.host}")
        finally:  # also when nobody listens any more
            self._clean_up()
            self._link.close()
        text = "; ".join(part for part in (end.text, *self._problems) if part)
        yield end._replace(seconds=time.monotonic() - began, text=text)

    def _steps(self, began: float) -> Generator[JobEvent, None, Exit]:
        host, link = self.request.host, self._link
        yield Progress(f"connecting to {host}")
        link.open()
        yield from self._make_folder()
        for file in self._sent:
            yield from send(link, file)
        yield Progress(f"running on {host}")
        end = yield from self._carry(began)
        if self.request.fetch and end.reason in ("ended", "marker", "timeout", "silence"):
            yield from self._fetch()
        return end

    def _make_folder(self) -> Generator[JobEvent, None, None]:
        host, seconds = self.request.host, self.request.limits.time_seconds
        limit = None if seconds is None else seconds + _REMOTE_MARGIN_SECONDS
        cwd, grace = self.request.cwd or self._work, self.request.grace_seconds
        script = run_script(self._root, cwd, self.command, self._mark, limit, grace)
        making = Progress(f"making a folder on {host}")
        yield making
        with tempfile.TemporaryFile() as stream:
            stream.write(script.encode("utf-8", "surrogateescape"))
            stream.flush()
            stream.seek(0)
            self._made = True
            done = yield from told(self._link.call(MAKE_FOLDER, self._root, stdin=stream.fileno()), lambda: making)
        if done.code == 255 and done.reason == "ended":
            raise Trouble(explain(host, done.said))
        self._link.finish(done, f"making the folder {self._root}")

    def _carry(self, began: float) -> Generator[JobEvent, None, Exit]:
        link = self._link
        argv = link.argv(f"exec sh {shlex.quote(f'{self._root}/run.sh')}")
        limits = replace(self.request.limits, term_grace_seconds=self.request.grace_seconds + _STOP_SECONDS)
        job = ProcessJob(argv, limits=limits, ended=lambda: self.ended(), stdin=True, apart=True)
        before = time.monotonic() - began
        said, own = _Said(self._mark), Own()
        end = Exit(None, "lost", 0.0)
        with link.running(job), contextlib.closing(job.run()) as events:  # type: ignore[type-var]
            for event in events:
                if isinstance(event, Chunk):
                    if event.stream == "err":
                        said.feed(event.data)
                    else:
                        yield event._replace(data=own.part(event.data), at=event.at + before)
                elif isinstance(event, Exit):
                    end = event
        if end.reason != "ended":
            text = end.text if end.reason != "not_started" else f"{end.text}; is OpenSSH installed?"
            return end._replace(code=None, text=text)
        return self._ending(said)

    def _ending(self, said: _Said) -> Exit:
        host, name = self.request.host, printable(self.command[0])
        if "absent" in said.told:
            return Exit(
                127, "not_started", 0.0, f"{host} has no command {name}; give its whole path, or send it with --send"
            )
        if "no-folder" in said.told:
            return Exit(
                None, "not_started", 0.0, f"{host} has no folder {printable(self.request.cwd or '')}; check --cwd"
            )
        code = said.status
        if code is None:
            why = last_line(said.text)
            return Exit(
                None, "lost", 0.0, f"the connection to {host} was lost" + (f" ({printable(why)})" if why else "")
            )
        return Exit(code, "ended", 0.0, "" if code == 0 else f"exit status {code} on {host}{_signal(code)}")

    def _fetch(self) -> Generator[JobEvent, None, None]:
        assert self._folder is not None
        fetched = yield from fetch(self._link, self.request.cwd or self._work, self.request.fetch, self._folder.path)
        self._problems += fetched.problems
        for problem in fetched.problems:
            yield Progress(problem)
        self._folder.update(fetched=list(fetched.names))

    def _clean_up(self) -> None:
        """End what is left of the command and remove the folder over there; not being able to is told, not raised."""
        if not self._made:
            return
        self._made = False
        patience = self.request.grace_seconds + _CLEAN_UP_SECONDS
        call = self._link.call(CLEAN_UP, self._root, limit_seconds=patience, stoppable=False)
        done = result(call)
        if done.code != 0:
            self._problems.append(f"{self._root} may still be on {self.request.host}")


class _Said:
    """The stderr of the script over there: lines with our mark, and whatever ssh says itself."""

    def __init__(self, mark: str) -> None:
        self._mark = mark + " "
        self._bytes = b""

    def feed(self, data: bytes) -> None:
        self._bytes = (self._bytes + data)[-_SAID_BYTES:]

    @property
    def _lines(self) -> list[str]:
        return self._bytes.decode("utf-8", "replace").splitlines()

    @property
    def told(self) -> list[str]:
        """What the script told."""
        return [line.removeprefix(self._mark) for line in self._lines if line.startswith(self._mark)]

    @property
    def text(self) -> str:
        """The other lines."""
        return "\n".join(line for line in self._lines if not line.startswith(self._mark))

    @property
    def status(self) -> int | None:
        """The exit status of the command, where it ended."""
        for line in self.told:
            word, _, number = line.partition(" ")
            if word == "status" and number.isdigit():
                return int(number)
        return None


def _signal(code: int) -> str:
    """Which signal a shell would mean by this status."""
    try:
        return f" (as by {signal.Signals(code - 128).name})" if code > 128 else ""
    except ValueError:
        return ""
