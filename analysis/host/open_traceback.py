"""A traceback while its lines come: where it began, what it is about, and which line is the exception that ends it."""

from __future__ import annotations

from .frames import HEAD, NO_FAILURES, NOWHERE, RAISED, after_frame, after_shown

_FRAME_LINES = 4
"""What may stand below the first line of the last frame: the code, the marks below it, a piece of a line, an empty one."""
_FIELD = ("executorch", "aot_arm", "vela", "tosa", "torch", "ethos", "zephyr")
"""Words by which a traceback is known to be of this field."""


class OpenTraceback:
    """The traceback that is being read, if there is one: then `line` is not 0."""

    __slots__ = ("_code", "_shown", "frame", "headless", "line", "of_field", "place")

    def __init__(self) -> None:
        self.line = 0
        """Where it began."""
        self.frame = 0
        """Line of its newest frame."""
        self.of_field = False
        """True once a word of this field was seen in it."""
        self.headless = False
        """True where it is known by its frames alone: nothing else is kept back for it."""
        self.place = NOWHERE
        """Where it has come to."""
        self._code = 0
        """Line of the newest frame's code, where its file is there to show it."""
        self._shown = False
        """True in a traceback of IPython, which shows rows of the source around each frame."""

    def begin(self, line: int, message: str) -> None:
        """Its first line has come."""
        self.line, self.of_field, self.headless = line, False, False
        self.place, self._shown = NOWHERE, not message.startswith(HEAD)

    def begin_headless(self, line: int) -> None:
        """A frame has come without a first line above it."""
        self.line, self.of_field, self.headless, self.place = line, False, True, NOWHERE

    def end(self) -> None:
        """What comes next is no part of it."""
        self.line = self.frame = 0

    def ends_with(self, line: int, message: str) -> bool:
        """Take a line of it; True where this is the exception, and the traceback is over."""
        if message.startswith('File "'):
            self.frame, self._code = line, line + (not message.startswith('File "<'))
            self.place = after_frame(self.place, message)
        elif line == self._code:
            self.place = self.place._replace(code=message[:120])
        elif self._shown and (shown := after_shown(self.place, message)) is not None:
            self.frame, self.place = line, shown
        if not self.of_field:
            low = message.lower()
            self.of_field = any(word in low for word in _FIELD)
        name = message.split(":", 1)[0]
        if len(name) >= 120 or not name.replace(".", "").isidentifier():
            return False
        named = name.rpartition(".")[2][:1].isupper() and not 'File "'.startswith(message)
        if name.endswith(RAISED) or (named and self._is_raised(line, name, message)):
            return True
        if named and (line != self._code or name in NO_FAILURES):
            self.frame = 0
        return False

    def _is_raised(self, line: int, name: str, message: str) -> bool:
        """Whether this ends a traceback of the field, though the name does not say that it is an exception: BadZipFile, StopIteration.

        It stands right behind the last frame, whose code may be a name, or begin with one that has a type; and SystemExit is no failure.
        """
        behind = line - self.frame if self.of_field and self.frame else 0
        return name not in NO_FAILURES and line != self._code and (name == message) < behind <= _FRAME_LINES

    def is_cut(self, lines: int) -> bool:
        """Whether a traceback of this field lost what was raised, because the log ends with this many lines."""
        last = 0 < self.frame >= lines - _FRAME_LINES
        return last and bool(self.line) and self.of_field and not self.headless
