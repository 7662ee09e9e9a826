"""The values of dumped outputs, from the lines of one run."""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Iterable

from ..collect.tensors import DTYPES, elements_of, float_of_bits
from ..lines import Line
from ..named_tuple import TYPE_CHECKING, NamedTuple
from ..patterns import TABLE, Event
from ..report import Run
from .torn_elements import NEAR, breaks_off

if TYPE_CHECKING:
    from typing import Any

MOST_VALUES = 4_000_000
"""Of all outputs together; a dump of more is read so far."""
_MOST_OUTPUTS = 4096
_ELEMENT = re.compile(r"Output\[(\d{1,4})\]\[(\d{1,9})\]: ?(?:\((\w+)\) )?(\S+)")
_OTHERS = ("Output", "output[", "[", "OutputX")
_FIGURES = frozenset(".0123456789")
_EVENTS = frozenset(
    (
        "output",
        "output_bool",
        "tensor_text",
        "pack_output",
        "zephyr_output",
        "zephyr_element",
        "raw_output",
        "raw_element",
        "raw_byte",
        "label_score",
    )
)


class OutputValues(NamedTuple):
    """One output: the values that the log has, with their places in the tensor."""

    index: int  # type: ignore[assignment]
    dtype: str | None
    count: int  # type: ignore[assignment]
    """Elements of the tensor, as far as the log tells."""
    places: array[int]
    values: array[float]
    """NaN where the log says so, or where its C library could not print the value."""
    dumps: int
    """How often it was dumped; the values are those of the last time."""
    cut: bool
    """True where there were more values than are kept."""

    @property
    def whole(self) -> bool:
        """Whether all elements are there."""
        return len(self.values) >= self.count and not self.cut


class _Values:
    __slots__ = ("count", "cut", "dtype", "dumps", "places", "values")

    def __init__(self) -> None:
        self.dtype: str | None = None
        self.count = 0
        self.places: array[int] = array("q")
        self.values: array[float] = array("d")
        self.dumps = 0
        self.cut = False

    def begin(self) -> None:
        self.dumps += 1
        self.count, self.cut = 0, False
        self.places, self.values = array("q"), array("d")

    def add(self, place: int, value: float | None, dtype: str | None, room: bool) -> None:
        if not self.dumps or (self.places and place <= self.places[-1]):
            self.begin()
        self.count = max(self.count, place + 1)
        self.dtype = dtype or self.dtype
        if room:
            self.places.append(place)
            self.values.append(math.nan if value is None else value)
        else:
            self.cut = True


def read_outputs(lines: Iterable[Line], run: Run) -> tuple[OutputValues, ...]:
    """The outputs of this run; `lines` are those of its capture, or of a part that holds it."""
    dumps = _Dumps()
    for line in lines:
        if line.number > run.last_line:
            break
        if line.number >= run.first_line:
            dumps.feed(line)
    return tuple(
        OutputValues(index, one.dtype, one.count, one.places, one.values, one.dumps, one.cut)
        for index, one in sorted(dumps.outputs.items())
    )


class _Dumps:
    """The outputs of a run while its lines go by."""

    def __init__(self) -> None:
        self.outputs: dict[int, _Values] = {}
        self._kept = 0
        """Values of all outputs."""
        self._current = 0
        """The output that was named last: lines of single elements may name the place only."""
        self._last: tuple[int, int, str] = (0, 0, "")
        """The output, line and message of the last element: its value may go on below."""
        self._below: tuple[int, int] | None = None
        """The output whose values stand on the lines that come, and the place of the next one."""

    def feed(self, line: Line) -> None:
        """Take a line, of whatever kind."""
        message = line.message
        if self._below is not None and message:
            self._below = self._row(*self._below, message)
            return
        if not message.startswith(_OTHERS):
            if message[:1] in _FIGURES and line.number - self._last[1] <= NEAR and breaks_off(self._last[2], message):
                self._drop(self._last[0])
            return
        found = _ELEMENT.fullmatch(message.rstrip())
        if found is not None and found[4] not in ("true", "false"):
            self._take(int(found[1]), int(found[2]), _number(found[4]), found[3])
            self._last = int(found[1]), line.number, message
            return
        event = TABLE.match(message, line.number)
        if event is not None and event.kind in _EVENTS:
            self._note(event, message)

    def _note(self, event: Event, message: str) -> None:
        kind = event.kind
        values: dict[str, Any] = event.values
        if kind in ("zephyr_output", "raw_output"):
            output = self._begin(values["tensor"])
            if output is not None:
                dtype = values["dtype"]
                output.dtype = DTYPES.get(dtype) if isinstance(dtype, int) else str(dtype).lower()
                output.count = max(0, values["count"])
        elif kind in ("zephyr_element", "raw_element", "raw_byte", "label_score"):
            self._element(kind, values)
        elif kind == "output_bool":
            self._take(values["tensor"], values["index"], float(values["value"] == "true"), "bool")
        elif kind == "tensor_text":
            output = self._begin(values["tensor"])
            if output is not None:
                self._text(self._current, values["values"])
                output.count = max(output.count, elements_of(values["sizes"]) or 0)
                self._below = (self._current, 0) if message.rstrip().endswith(", [") else None
        elif kind == "pack_output":
            output = self.outputs.setdefault(0, _Values())
            output.begin()
            self._text(0, ",".join(values["values"].split()))
            output.dtype, output.count = "float", max(output.count, values["count"])
        else:
            self._take(values["tensor"], values["index"], values["value"], values.get("dtype"))

    def _begin(self, tensor: int) -> _Values | None:
        """An output is dumped, perhaps once more; None where there are too many."""
        self._current = tensor
        if not 0 <= tensor < _MOST_OUTPUTS:
            return None
        output = self.outputs.setdefault(tensor, _Values())
        output.begin()
        return output

    def _take(self, tensor: int, place: int, value: float | None, dtype: str | None) -> None:
        if not 0 <= tensor < _MOST_OUTPUTS or place < 0:
            return
        known = self.outputs.setdefault(tensor, _Values())
        before = len(known.values)
        known.add(place, value, dtype, self._kept < MOST_VALUES)
        self._kept += len(known.values) - before

    def _drop(self, tensor: int) -> None:
        """Half of the value that came last is no value."""
        known = self.outputs.get(tensor)
        if known is not None and known.values and not known.cut:
            known.places.pop()
            known.values.pop()
            self._kept -= 1
        self._last = 0, 0, ""

    def _element(self, kind: str, values: dict[str, Any]) -> None:
        """A line that names the place only; its tensor was named before."""
        output = self.outputs.get(self._current)
        if output is None:
            return
        count, dtype = output.count, output.dtype
        value = values["score" if kind == "label_score" else "value"]
        if kind == "raw_byte":
            try:
                value = int(value, 16)
            except ValueError:
                return
        elif kind == "raw_element" and values["kind"] == "float":
            if not -1 << 31 <= value < 1 << 32:
                return
            value = float_of_bits(value)
        self._take(self._current, values["index"], value, dtype)
        output.count = max(count, output.count)

    def _text(self, tensor: int, text: str) -> None:
        """A whole tensor on a line."""
        for place, part in enumerate(text.split(",")):
            number = _number(part.strip())
            if number is None:
                return
            self._take(tensor, place, number, None)

    def _row(self, tensor: int, place: int, message: str) -> tuple[int, int] | None:
        """A line of ten values under the sizes of a tensor; None where they end or some are left out."""
        for part in message.rstrip().rstrip(",").split(","):
            number = _number(part.strip())
            if number is None:
                return None
            self._take(tensor, place, number, None)
            place += 1
        return tensor, place


def _number(text: str) -> float | None:
    try:
        return float(text) if len(text) < 64 and "_" not in text else None
    except ValueError:
        return None
