"""One answer, and how five of them are printed."""

from __future__ import annotations

from collections.abc import Sequence

from ..cleaning import clean
from ..named_tuple import TYPE_CHECKING, NamedTuple
from ..tables.text import wrapped

if TYPE_CHECKING:
    from typing import Any, Literal, TypeAlias

    from ..tables import Tone

    Key: TypeAlias = Literal["passed", "speed", "fit", "limit", "advice"]

QUESTIONS: dict[str, str] = {
    "passed": "Did it pass?",
    "speed": "How fast?",
    "fit": "Does it fit?",
    "limit": "What limits it?",
    "advice": "What to do?",
}
"""In the order in which they are answered."""

UNKNOWN = "cannot be told"


class Answer(NamedTuple):
    """`answer` in a few words, `reason` why; where it is not `known`, the reason is what is missing."""

    key: Key
    answer: str
    reason: str
    known: bool = True
    tone: Tone = ""
    lines: tuple[int, ...] = ()
    """Of the log, where the answer comes from."""
    asked: str = ""
    """In place of the usual words of the question."""

    @property
    def question(self) -> str:
        """As it is asked."""
        return self.asked or QUESTIONS[self.key]

    @property
    def sentence(self) -> str:
        """Answer and reason."""
        if not self.reason:
            return self.answer
        return f"{self.answer}, because {self.reason}" if not self.known else f"{self.answer}: {self.reason}"


def unknown(key: Key, why: str) -> Answer:
    """An answer that cannot be given."""
    return Answer(key, UNKNOWN, why, known=False, tone="dim")


def wrapped_lines(answers: Sequence[Answer], columns: int | None = None) -> list[str]:
    """The questions in one column and the answers in the next, wrapped where so many columns are too few."""
    room = max((len(answer.question) for answer in answers), default=0) + 2
    lines: list[str] = []
    for answer in answers:
        text = clean(answer.sentence)
        parts = wrapped(text, columns, room)
        lines += (f"{answer.question if not i else '':<{room}}{part}".rstrip() for i, part in enumerate(parts))
    return lines


def document_of(answers: Sequence[Answer]) -> list[dict[str, Any]]:
    """As JSON types."""
    return [
        {
            "question": answer.key,
            "answer": answer.answer if answer.known else None,
            "reason": answer.reason,
            "lines": list(answer.lines),
        }
        for answer in answers
    ]


def first_sentence(text: str) -> str:
    """Up to the first full stop that ends a sentence, without it."""
    end = text.find(". ")
    return (text[:end] if end >= 0 else text).rstrip(".")


def with_room(names: Sequence[str], boards: int) -> str:
    """How many of the known boards are known to have room; of the others that may not be known."""
    if not boards:
        return "no known board has this NPU"
    if boards == 1:
        has = f"surely has room ({names[0]})" if names else "is not known to have room"
        return f"the one known board with this NPU {has}"
    if not names:
        return f"of {boards} known boards with this NPU, none is known to have room"
    return f"of {boards} known boards with this NPU, {len(names)} surely {'has' if len(names) == 1 else 'have'} room ({', '.join(names)})"
