"""Builds, installations and failing Python programs in a capture: what they say about themselves, gathered for the findings.

Such lines belong to no run.  Here they are only kept (bounded, in the order of the log); `rules.host` explains them at the
end, and is imported only then.
"""

from __future__ import annotations

from ..line_forms.wrapped import NARROWEST
from ..report import Run
from .frames import NOWHERE, RAISED, Place
from .host_line import HostLine, between
from .open_traceback import OpenTraceback
from .unit_tests import FAILED

LINES_LIMIT = 400
"""Error lines that are kept; a build that fails in more places says nothing new in the rest."""
TEXT_LIMIT = 1_000
_MORE = 600
"""Characters of each line that goes on with one."""
_CONTINUATION_LINES = 8
_ROWS = 8
"""Of a terminal, that a line goes over."""
_TRACEBACK_LINES = 400
_OF_TRACEBACK = frozenset(("traceback", "traceback_frame", "python_error"))
SOURCES = (".cpp", ".h")
"""How the names of files end that the runtime says of itself that it is in."""
_SAID = 4
"""Lines of the runtime inside of a Python program that are kept, and so many lines at most before its traceback."""
_SAID_BEFORE = 12
_STOPPED = ("missing EULA acceptance", "] Error: ", "] ERROR: ", "] Warning: FVP setup only supported on Linux")
"""Words by which a step of ExecuTorch's setup scripts says that it was the last."""
_BEGINS = ("[Arm Setup/main] Checking platform ", "[main] Using root dir ")
"""What ExecuTorch's setup script says first, newer releases and older ones."""
_ASKS_FOR, _SETUP_FILE = "Could not find ", "setup_path.sh file, please refer to "
"""How ExecuTorch's run.sh says that the setup was not done, before it does that."""
_TESTS = "backends/arm/test/"
"""What a line of pytest's list of warnings has that is about a test of the Arm backend; before its results the name is taken off."""
_BUILT = ("Linking CXX executable", "Build Finished. 0 errors", " - 0 Error(s), ", " succeeded, 0 failed")
"""What says that something was built to its end: CMake's generators, Eclipse, uVision and CMSIS-Toolbox."""
RETRY = "WARNING: Retrying ("
"""How pip begins a line about a connection that it tries again; what it does next says whether that helped."""
_NO_MATTER = (RETRY, "fatal: not a git repository", "realpath: ")
"""What was of no matter where the work goes on behind it: retries, and what a build only asks for."""
_NO_MODULE = ": No module named "
_OWN_MODULES = tuple(_NO_MODULE + name for name in ("executorch", "examples", "backends", "ethosu", "tosa"))
"""What nobody only asks for: the work needs these modules."""
_FORK_RETRY = "fork: retry: "
_GAVE_UP = "-- Configuring incomplete"
"""A step of CMake's after which nothing goes on."""
_ONCE_MORE = (" retrying in ", " Will retry in ", " saved [")
_FETCHES = ("curl: (", "wget: ", "ERROR ")
"""How what downloads says that it failed, and how it or its script says that it tries again, or has the file."""
_NOT_SAVED = "Error while saving to "
_SAYS_SAVED = 6
"""So many lines may stand between that and the line that says that it was saved."""
_METER = "0123456789 :-.kMGT"
"""What curl's meter is made of: its error comes on the same line, behind it."""
_NOTES = {
    "compile_command": 0, "vela_default": 0, "sram_exceeded": 0, "cpu_operator": 2, "rejected_node": 0, "node_left": 0, "not_evaluated": 0,
}  # fmt: skip
"""What a compile says about itself without failing, to the number of lines that may go on with it."""
_REASON_TOLD = " placing on CPU"
"""How a note ends that has its reason in front of that, as Vela 1 and 2.0 wrote it: nothing goes on with it."""


_OPERATORS_LINES = 24
"""Of the list of operators that nothing was delegated of: enough to tell for what it was compiled."""
_GOES_ON = {
    "CMake Error": _CONTINUATION_LINES, "ERROR: Cannot": _CONTINUATION_LINES, "ERROR: pip's": _CONTINUATION_LINES,
    "Could not find a configuration file": _CONTINUATION_LINES, "terminate called": 1,
    "error csolution: undefined variables": _CONTINUATION_LINES,
    "\u00d7 No solution found": 4,
    "error: No solution found": 4,
    "Model was not delegated": _OPERATORS_LINES,
    "ERROR: Nothing PROVIDES": 1, "ERROR: Nothing RPROVIDES": 1,
    "PackagesNotFoundError": _CONTINUATION_LINES, "LibMambaUnsatisfiableError": 4, "UnsatisfiableError": 4,
}  # fmt: skip
"""How errors begin that say more on the lines under them, to the number of these lines."""
_PARTS = (("CMake Error", "Could not find a configuration file"), ("CMake Error: Could", "Error: @"), ("ERROR: pip's", ", which is not installed."))  # fmt: skip
"""How such an error begins, and words of a line under it that is an error by itself elsewhere."""
_TABLE_LINES = 4_000
_CELLS, _IN_NODE = 4, 3


def _only_asked(line: HostLine) -> bool:
    """Whether this is of no matter where the work goes on behind it."""
    text = line.text[:300]
    asked = _NO_MODULE in text and not any(name in text for name in _OWN_MODULES)  # without these nothing is compiled
    return line.kind == "host_error" and (text.startswith(_NO_MATTER) or asked or _FORK_RETRY in text)


class HostLog:
    """Feed it the events of builds and installations, and the plain lines after them while `open`."""

    def __init__(self) -> None:
        self.lines: list[HostLine] = []
        self.notes: list[HostLine] = []
        """What compiles say that is no error: the command, defaults, operators that stay on the CPU."""
        self.killers: tuple[HostLine, ...] = ()
        """The newest lines that tell who may have killed a command, or that one was."""
        self.turns: list[int] = []
        """Lines behind errors where the next command was given: what fails from there on is not of what failed before."""
        self.open = 0
        """Plain lines that still may belong to the last error."""
        self.steps = 0
        self.first_step = 0
        self.last_step = ""
        self.last_step_at = 0
        self.last_done = self.installed = 0
        """Lines of the newest sign that something succeeded, and that something was set up."""
        self.saved, self.saved_as = 0, ""
        """Line that says where the newest program was written, and the file's name."""
        self.alone: set[int] = set()
        """Lines at which summaries of Vela begin that are of no delegate."""
        self._fetching = ""
        """Name of the file that `wget` asked for last."""
        self._refused = ""
        """Name of the one that it did not get last."""
        self._traceback = OpenTraceback()
        self._last = self.lines
        """Where the newest line was kept."""
        self._below = 0
        """The line under a long error that is kept as its row below, if it means nothing else."""
        self._in_table = 0
        """Place in the partitioner's table of rejected nodes: 1 above its first rule, 2 below one, 3 in a node; 0 outside."""
        self._said: tuple[tuple[int, str], ...] = ()
        """The newest lines of ExecuTorch's runtime that are of no run."""
        self._of_passed = False
        """True where pytest shows what tests printed that passed, under the same headings as others."""

    def feed(self, kind: str, line: int, message: str) -> None:
        """Take a line that is an event of a host."""
        if self._in_table:
            self.open = self._in_table = 0
        if self._traceback.headless and kind not in _OF_TRACEBACK:
            self._traceback.end()
            self._traceback.headless, self.open = False, 0
        if kind in ("build_step", "setup_step", "setup_done") and not message.startswith(_GAVE_UP):
            self._forget_retries(message)
        if kind == "fetch_begun":
            self._fetching = message.rpartition("/")[2].partition("?")[0]
        elif kind == "build_step" or kind == "setup_step" and not any(words in message for words in _STOPPED):
            self._step(line, message)
        elif kind == "killer":
            self.killers = (*self.killers[1 - LINES_LIMIT :], HostLine(kind, line, message[:TEXT_LIMIT]))
        elif kind == "setup_done":
            self.last_done = self.installed = line
        elif kind == "tests_ended":
            said = message.strip(" =")
            if (
                self.steps
                and _TESTS in self.last_step
                and said[:1].isdigit()
                and "failed" not in said.replace("xfailed", "")
                and " error" not in said
            ):
                self._step(line, said)
        elif kind == "tests_shown":
            self._of_passed = "PASSES" in message
        elif self._of_passed and message.startswith("___"):
            self.open = 0
        elif kind == "traceback":
            self._traceback.begin(line, message)
            self.open = _TRACEBACK_LINES
        elif kind == "traceback_frame":
            self._begin_headless(line)
            self.more(line, message)
        elif kind == "python_error":
            self._exception(line, message)
        elif kind == "rejected_table":
            if not self._traceback.line:
                self.open, self._in_table = _TABLE_LINES, 1
        elif kind in _NOTES:
            if len(self.notes) < LINES_LIMIT and not self._traceback.line:
                self.notes.append(HostLine(kind, line, message[:TEXT_LIMIT]))
                self.open, self._last, self._below = (
                    0 if message.endswith(_REASON_TOLD) else _NOTES[kind],
                    self.notes,
                    0,
                )
        elif any(self._within(begin) and words in message for begin, words in _PARTS):
            self.more(line, message)
        else:
            more = next((more for begin, more in _GOES_ON.items() if message.startswith(begin)), 0)
            self._keep(kind, line, message, more)

    def runtime_said(self, line: int, message: str) -> None:
        """Take a line of ExecuTorch's runtime that is of no run: a Python program on the host has the runtime inside."""
        self._said = (*self._said[1 - _SAID :], (line, message[:_MORE]))

    def typed(self, line: int) -> None:
        """The next command was given on this line."""
        if self.lines and (not self.turns or self.turns[-1] <= self.lines[-1].line):
            self.turns.append(line)

    def _step(self, line: int, message: str) -> None:
        """A step of a build or an installation was begun, or is done."""
        if message.startswith(_BEGINS):
            if self.lines and self.lines[-1].text.startswith(_ASKS_FOR) and _SETUP_FILE in self.lines[-1].text:
                self.lines.pop()  # run.sh does the setup itself then
            self.typed(line)
        self.steps += 1
        self.first_step = self.first_step or line
        self.last_step, self.last_step_at = message[:200], line
        if message.startswith("[100%] Built target") or any(words in message for words in _BUILT):
            self.last_done = line
        self.open = self.open if self._traceback.line else 0

    def _begin_headless(self, line: int) -> None:
        """A frame comes: without a traceback, its first line was not captured, or it is a place in a source alone."""
        if not (self.open or self._traceback.line):
            self._traceback.begin_headless(line)
        if self._traceback.headless:
            self.open = _CONTINUATION_LINES

    def _forget_retries(self, message: str) -> None:
        """Work goes on behind a retry: it helped; and a download that is tried again, or came then, has not failed."""
        again = any(words in message for words in _ONCE_MORE) and not self._came_instead(message)
        if again and self.lines and self.lines[-1].text.startswith(_FETCHES):
            self.lines.pop()
        while self.lines and _only_asked(self.lines[-1]):
            self.lines.pop()

    def _came_instead(self, message: str) -> bool:
        """Whether this file was saved under its own name, and the one that was refused has another."""
        return " saved [" in message and self._fetching in message and self._refused not in ("", self._fetching)

    @property
    def tries_again(self) -> bool:
        """Whether the last step is that something failed and is tried again after a while."""
        return any(words in self.last_step for words in _ONCE_MORE[:2])

    def _within(self, begin: str) -> bool:
        """Whether the words of an error that begins so may still come: a line that is an error by itself can be one of them."""
        plain = self.open and not self._traceback.line and self._last is self.lines and self.lines
        return bool(plain) and self.lines[-1].text.startswith(begin)

    def done(self, line: int, *, saved: bool = False, path: str = "") -> None:
        """Something was finished on this line: a program was written (`saved`), a runner printed that it is complete.

        ExecuTorch says that it has saved a program also where it has just said that it could not.
        """
        if saved and self.lines and line - self.lines[-1].line < _SAYS_SAVED:
            _, failed, refused = self.lines[-1].text.partition(_NOT_SAVED)
            if failed and refused.startswith(path):
                return
        if "_cortex-m" in path and self.lines and self.lines[-1].kind == "model_not_delegated":
            named = f"{self.lines[-1].text}\n{path[-200:]}"  # the name of the file has the target
            self.lines[-1] = self.lines[-1]._replace(text=named)
        self.last_done = max(self.last_done, line)
        self.saved, self.saved_as = (line, path) if saved else (self.saved, self.saved_as)

    @property
    def awaits_row(self) -> bool:
        """Whether it is open for nothing but the row below a long line."""
        return self._below > 0

    @property
    def carried(self) -> tuple[object, ...]:
        """What was gathered so far, but for the newest success."""
        return (
            len(self.lines),
            len(self.notes),
            len(self.turns),
            len(self.killers),
            self.steps,
            self.first_step,
            self.last_step,
            self._traceback.line,
            self._traceback.frame,
            self.saved,
            self.installed,
            self._fetching,
            self._refused,
            self._of_passed,
            self._said,
        )

    def more(self, line: int, message: str, indented: bool = False) -> None:
        """Take a line that is no event, while `open`; `indented` says that it begins with a blank."""
        self.open -= 1
        if self._in_table:
            self._row(line, message)
        elif self._traceback.line:
            if self._traceback.ends_with(line, message):
                self._exception(line, message)
        elif message.startswith("```"):
            self.open = 0  # the text that quotes the error goes on
        elif self._below:
            if line == self._below and self.lines:
                self.lines[-1] = self.lines[-1]._replace(below=message[:_MORE])
            self._below = 0
        elif self._last and message:
            last = self._last[-1]
            if len(last.text) < TEXT_LIMIT:
                self._last[-1] = last._replace(
                    text=f"{last.text}{between(last.text, message, indented)}{message[:_MORE]}"
                )

    def raised_elsewhere(self, message: str) -> None:
        """Take an event that belongs to others: an exception that they know ends the traceback that it stands under."""
        if self._traceback.line and message.split(":", 1)[0].endswith(RAISED):
            self._traceback.end()
            self.open = 0

    def _row(self, line: int, message: str) -> None:
        """A line of the table of rejected nodes: a node with its operator and the reason, or more of the reason."""
        cells = [cell.strip() for cell in message.strip().split("\u2502")[1:-1]]
        if len(cells) != _CELLS:
            self._in_table = 2 * (bool(message.strip()) and message.strip()[0] in "\u255e\u251c\u2558\u2514")
            self.open *= bool(self._in_table)
        elif cells[0] and cells[1] and self._in_table < _IN_NODE and len(self.notes) < LINES_LIMIT:
            self._in_table += self._in_table > 1  # a long name goes on in the next row, as a reason does
            self.notes.append(HostLine("rejected_node", line, f"{cells[1]}\n{cells[3]}"[:TEXT_LIMIT]))
        elif self.notes and self.notes[-1].kind == "rejected_node" and len(self.notes[-1].text) < TEXT_LIMIT:
            operator, _, reason = self.notes[-1].text.partition("\n")
            self.notes[-1] = self.notes[-1]._replace(text=f"{operator}{cells[1]}\n{reason} {cells[3]}".rstrip())

    def _exception(self, line: int, message: str) -> None:
        traceback = self._traceback
        kind = "field_error" if traceback.line and traceback.of_field else "python_error"
        traceback.headless = False
        said = tuple(item for item in self._said if item[0] >= (traceback.line or line) - _SAID_BEFORE)
        self._keep(kind, line, message, _CONTINUATION_LINES, traceback.place if kind == "field_error" else NOWHERE)
        if said and self.lines and self.lines[-1].line == line:
            self.lines[-1] = self.lines[-1]._replace(said=said)
        self._said = ()

    def _keep(self, kind: str, line: int, message: str, more: int, place: Place = NOWHERE) -> None:
        at = message.find("curl: (")
        if at > 0 and not message[:at].strip(_METER):
            message = message[at:]
        self._traceback.end()
        if " ERROR 4" in message or message.startswith("ERROR 4"):
            self._refused = self._fetching
        broken = not more and kind == "host_error" and len(message) >= NARROWEST
        self.open, self._last, self._below = 1 if broken else more, self.lines, line + 1 if broken else 0
        if self.lines and self._is_row_of(self.lines[-1], line, message):
            kept = self.lines.pop()
            kind, line, place = kept.kind, kept.line, kept.place
        if len(self.lines) < LINES_LIMIT:
            self.lines.append(HostLine(kind, line, message[:TEXT_LIMIT], place))

    @staticmethod
    def _is_row_of(kept: HostLine, line: int, message: str) -> bool:
        """Whether this line was kept before as it stood, without the rows of a terminal that it goes on in."""
        return NARROWEST <= len(kept.text) < len(message) and message.startswith(kept.text) and line - kept.line < _ROWS

    def passed(self, test: str) -> None:
        """A test that failed has passed when it was run again: that attempt counts."""
        for at, line in enumerate(self.lines):
            if line.kind == "host_error" and line.text.startswith((f"{FAILED}{test} ", f"{FAILED}{test},")):
                self.lines[at] = line._replace(kind="test_again")

    def close(self, lines: int) -> None:
        """The log ends with this many lines: a traceback that still goes on there has lost what was raised."""
        if self.open and self._traceback.is_cut(lines):
            self._keep("traceback_cut", self._traceback.line, "Traceback (most recent call last):", 0)

    def is_silent(self, runs: tuple[Run, ...], compiled: bool) -> bool:
        """Whether there is nothing to explain; `compiled` says that the capture holds a compile summary as well."""
        return not self.lines and not self.notes and (not (self.steps or self.saved) or bool(runs) or compiled)
