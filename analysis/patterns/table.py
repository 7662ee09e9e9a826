"""How a row of the pattern table is written, compiled and found.

A template reads like the printf format it stands for: ``method_allocator_used: {used:int} / {capacity:int}``.  Runs of
blanks match any number of blanks; ``{name:type}`` is a value; ``{?...?}`` may be absent; ``{:rest}`` is text that does
not matter.  A template always covers the whole message, so that a torn line matches nothing rather than something else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from ..cleaning import compiled
from ..line_forms.other_languages import MARKS, in_english, in_other_letters
from ..named_tuple import NamedTuple
from .literals import Literals, word_of
from .plain import LONGEST, LostError, Piece, pieces_of, walk_template
from .value_types import SOURCES, VALUE_TYPES, Value

MESSAGE_LIMIT = 2048
"""Longer messages match nothing: runners cut theirs at 255 bytes, and a pattern must not be made to search for ever."""
LONG = ('echo "', "OutputX ", "Output 0: tensor(", "Output: ")
"""What may be longer: an ETDump block and a whole tensor on one line."""
_WIDEST = 16
_GAPS = re.compile(rf"\s{{{_WIDEST + 1},}}")
"""Blanks between words: so many are enough, where a text may begin and end at each of them."""
_REMARK = (
    r" (?:<-{1,8}|<={1,8}|<<{1,8}|[\u2190\u21d0]|(?://|#)(?=[^!-~]))[^<>]{1,200}\Z"
    r"|[(\uff08][^()]{0,80}[^\x00-\x7f()\uff08\uff09][^()\uff08\uff09]{0,80}[)\uff09]\Z"
)
"""What somebody wrote behind a line to explain it: an arrow or a mark of comments; in brackets, words of another writing."""
_LONGEST_REMARK = 210
"""Its mark included: what is further from the end begins none."""
_GROUP = r",\d{3}(?!\d)"
_GROUPED = r"(?<![\d,.\w\[(-])[1-9]\d{0,2}(?:,\d{3}){1,6}(?![\d,\w\])])"
"""A number in groups of three digits, which no printer of ours writes; a shape or a list in brackets is none."""
_AS_DECIMAL = r"(?<![\d,])\d{1,3},\d{3}(?![\d,.])"
"""What may be a fraction as well, as half of Europe writes it."""
_GAP = r"\s{16}"
"""Blanks that no such line has: templates allow any number at many places, each of which would be tried with each blank."""


def _without_remark(message: str) -> str:
    """The message itself where there is none."""
    remark = compiled(_REMARK).search(message, max(0, len(message) - _LONGEST_REMARK))
    if remark is None or message.count('"', 0, remark.start()) % 2:  # what stands in a string is a part of it
        return message
    return message[: remark.start()].rstrip()


class Event(NamedTuple):
    """What a line said: the kind of event, its values by name, and the line number it came from."""

    kind: str
    line: int
    values: dict[str, Value]


class Pattern(NamedTuple):
    """One kind of line: the event it becomes, its template, real samples, and the releases that print it."""

    event: str
    template: str
    samples: tuple[str, ...] = ()
    since: str = ""
    anywhere: bool = False
    """The template may match in the middle of a message (host tools that put paths before their text)."""


WALKS = 8
"""Times that a row is asked before it gets a regex."""
_PIECE = re.compile(r"\{\?|\?\}|\{(\w*):(\w+)\}|(\s+)|([^\s{?]+|.)")
_HEAD = re.compile(r"[A-Za-z_#+*\[]+")
_MOST_KEPT, _KEPT_LENGTH = 4096, 512
"""How many messages without a meaning a table remembers, and how long they may be."""
ZEROS = str.maketrans("123456789", "0" * 9)
"""Makes each digit a 0."""


def head(message: str) -> str:
    """The literal word by which rows are selected; "0" for messages that begin with a number."""
    match = _HEAD.match(message)
    if match is not None:
        return match.group()
    return "0" if message[:1].isdigit() else message[:1]


def translate(template: str) -> tuple[str, dict[str, Callable[[str], Value]]]:
    """Turn a template into a regex and the converters of its named values."""
    regex: list[str] = []
    converters: dict[str, Callable[[str], Value]] = {}
    for match in _PIECE.finditer(template):
        name, kind, blanks, literal = match.groups()
        if kind is not None:
            pattern, convert = VALUE_TYPES[kind]
            if kind == "rest" and not regex:
                regex.append(r"\A")  # it is not tried again at each character
            regex.append(f"(?P<{name}>{pattern})" if name else f"(?:{pattern})")
            if name:
                converters[name] = convert
        elif blanks is not None:
            regex.append(r"\s*")
        elif literal is not None:
            regex.append(re.escape(literal))
        else:
            regex.append("(?:" if match.group() == "{?" else ")?")
    return "".join(regex), converters


def _packed(text: str) -> str:
    """Without blanks, and every number as 0: what two lines have in common that differ in numbers only."""
    return re.sub(r"\d+", "0", "".join(text.split()))


class _Row:
    """A pattern with what was made of it so far; most rows of a table are never asked, so they begin with nothing."""

    word = ""
    """What each message that it matches holds, once it was asked."""
    _regex: re.Pattern[str] | None = None
    _asked = 0
    _loose = False
    _pieces: tuple[Piece, ...] | None = None
    _converters: tuple[tuple[str, Callable[[str], Value]], ...] = ()
    _spans: re.Pattern[str] | None = None
    _values: tuple[tuple[str, str], ...] = ()

    def __init__(self, pattern: Pattern) -> None:
        self.pattern = pattern

    def match(self, message: str) -> dict[str, Value] | None:
        if not self.word:
            self.word = word_of(self.pattern.template)
        if self.word not in message:
            return None
        if self._regex is None:
            self._asked += 1
            if self._asked < WALKS and len(message) <= LONGEST and not self.pattern.anywhere:
                try:
                    return self._walk(message)
                except LostError:
                    pass
            regex, converters = translate(self.pattern.template)
            self._loose = ":text}" in self.pattern.template
            self._converters = tuple(converters.items())
            self._regex = re.compile(regex if self.pattern.anywhere else regex + r"\s*\Z")
        if self._loose and len(message) > _WIDEST:
            message = _GAPS.sub(" " * _WIDEST, message)
        found = self._regex.search(message) if self.pattern.anywhere else self._regex.match(message)
        if found is None:
            return None
        pairs = zip(self._converters, found.groups(), strict=True)
        return {name: None if text is None else convert(text) for (name, convert), text in pairs}

    def _walk(self, message: str) -> dict[str, Value] | None:
        if self._pieces is None:
            self._pieces = pieces_of(self.pattern.template, _PIECE)
        texts = walk_template(self._pieces, message, SOURCES)
        if texts is None:
            return None
        converters = {name: VALUE_TYPES[kind][1] for what, kind, name in self._pieces if what == "value" and name}
        return {name: None if text is None else converters[name](text) for name, text in texts.items()}

    def spans(self, message: str) -> list[tuple[str, str, int, int]]:
        """Name, type, start and end of each value of a message that matches, those without a name included."""
        if self._spans is None:
            regex: list[str] = []
            values: list[tuple[str, str]] = []
            for piece in _PIECE.finditer(self.pattern.template):
                name, kind, *_ = piece.groups()
                if kind is not None:
                    values.append((name, kind))
                    regex.append(f"({VALUE_TYPES[kind][0]})")
                else:
                    regex.append(translate(piece.group())[0])
            self._spans = re.compile("".join(regex) + ("" if self.pattern.anywhere else r"\s*\Z"))
            self._values = tuple(values)
        found = self._spans.search(message) if self.pattern.anywhere else self._spans.match(message)
        if found is None:
            return []
        spans = (found.span(group) for group in range(1, len(self._values) + 1))
        return [(*value, *span) for value, span in zip(self._values, spans, strict=True) if span[0] >= 0]


_NO_ROWS: list[_Row] = []
_IN_OTHER_WORDS = _Row(Pattern("", "\0", ()))
"""Stands for the words of other languages among those that may be anywhere; it matches nothing."""


class PatternTable:
    """Finds the row that a message matches; the first row in table order wins."""

    def __init__(self, patterns: Iterable[Pattern]) -> None:
        self._rows: dict[str, list[_Row]] = {}
        self._unsorted: dict[str, list[Pattern]] = {}
        """Patterns by their first character until a message begins with it: a log has few of them."""
        self._anywhere: list[tuple[str, _Row]] = []
        self._literals: Literals | None = None
        self._zeroed: Literals | None = None
        """Their literals, and the same with a 0 for each digit, once they were needed."""
        for pattern in patterns:
            template = pattern.template
            if pattern.anywhere:
                parts = (part.split("{", 1)[0].strip() for part in template.split("}"))
                self._anywhere.append((next(filter(None, parts)), _Row(pattern)))
            else:
                first = "0" if template[0] == "{" or template[0].isdigit() else template[0]
                self._unsorted.setdefault(first, []).append(pattern)
        self._anywhere += [(mark, _IN_OTHER_WORDS) for mark in MARKS]  # last, to be told from the last of those found

        self._unknown: set[str] = set()
        """Newest messages that match nothing: where lines stand in a frame, both splitter and reader ask for each."""

    def _rows_of(self, message: str) -> list[_Row]:
        """The rows that begin with the literal word of this message."""
        word = head(message)
        if word[:1] in self._unsorted:
            for pattern in self._unsorted.pop(word[:1]):
                literal = pattern.template.split("{", 1)[0]
                self._rows.setdefault(head(literal) if literal else "0", []).append(_Row(pattern))
        return self._rows.get(word, _NO_ROWS)

    def match(self, message: str, line: int) -> Event | None:
        """The event of this message, or None where no row matches."""
        if message in self._unknown:
            return None
        event = self._event(message, line)
        if event is None and len(message) < _KEPT_LENGTH:
            if len(self._unknown) >= _MOST_KEPT:
                self._unknown.clear()
            self._unknown.add(message)
        return event

    def _event(self, message: str, line: int) -> Event | None:
        if len(message) > MESSAGE_LIMIT:
            if message.startswith('{"type":') and '"INVOKE",' in message[:40]:
                message = message[: MESSAGE_LIMIT // 2] + message[-MESSAGE_LIMIT // 2 :]  # a picture is in it
            elif not message.startswith(LONG) or re.search(_GAP, message):
                return None
        for row in self._rows_of(message):
            values = row.match(message) if row.word in message else None
            if values is not None:
                return Event(row.pattern.event, line, values)
        with_literal = self._with_literal(message) if len(message) <= MESSAGE_LIMIT else _NO_ROWS
        for row in with_literal:
            values = row.match(message)
            if values is not None:
                return Event(row.pattern.event, line, values)
        text = message
        if (
            " //" in message
            or " #" in message
            or " <-" in message
            or " <=" in message
            or " <<" in message
            or not message.isascii()
        ):
            text = _without_remark(message)
        if "," in text and compiled(_GROUP).search(text) is not None:
            return self._grouped(text, line)
        event = self._alone(text, line) if text is not message else None
        if event is not None or not (with_literal[-1:] == [_IN_OTHER_WORDS] or in_other_letters(message)):
            return event
        english = in_english(message)
        return None if english == message else self.match(english, line)

    def _alone(self, text: str, line: int) -> Event | None:
        """The event of a text that makes a whole line of those that begin with a word of their own."""
        for row in self._rows_of(text):
            values = row.match(text)
            if values is not None:
                return Event(row.pattern.event, line, values)
        return None

    def _grouped(self, text: str, line: int) -> Event | None:
        """The event of a text without the commas in its numbers; what may be a fraction is none of these."""
        event = self._alone(compiled(_GROUPED).sub(lambda number: number.group().replace(",", ""), text), line)
        fraction = (
            event is not None and float in map(type, event.values.values()) and compiled(_AS_DECIMAL).search(text)
        )
        return None if fraction else event

    def _with_literal(self, message: str) -> list[_Row]:
        """The rows that may match anywhere in this message, in table order."""
        if self._literals is None:
            self._literals = Literals(literal for literal, _ in self._anywhere)
        return [self._anywhere[place][1] for place in self._literals.places(message)]

    def spans(self, message: str) -> list[tuple[str, str, int, int]]:
        """Name, type, start and end of each value in a message that some row matches."""
        candidates = [*self._rows_of(message), *self._with_literal(message)]
        return next((row.spans(message) for row in candidates if row.match(message) is not None), [])

    def foreign(self, message: str) -> bool:
        """True where no row could match, whatever numbers were in the message."""
        if not message.isascii() or head(message) == "0":
            return False
        packed = _packed(message)
        if any(packed.startswith(_packed(row.pattern.template.split("{", 1)[0])) for row in self._rows_of(message)):
            return False
        if self._zeroed is None:
            self._zeroed = Literals(literal.translate(ZEROS) for literal, _ in self._anywhere)
        return not self._zeroed.places(message.translate(ZEROS))

    def matches(self, message: str) -> list[str]:
        """Templates of all rows that match; a self-check for tests, where exactly one is right."""
        for first in list(self._unsorted):
            self._rows_of(first)
        rows = [row for rows in self._rows.values() for row in rows] + [row for _, row in self._anywhere]
        return [row.pattern.template for row in rows if row.match(message) is not None]
