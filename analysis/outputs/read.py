"""The values of dumped outputs, from the lines of one run."""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Iterable

from ..collect.tensors import DTYPES, elements_of, float_of_bits
from ..lines import Line
from ..named_tuple import TYPE_CHECKING, NamedTuple
from ..patterns import TABLE
from ..report import Run

if TYPE_CHECKING:
    from typing import Any

MOST_VALUES = 4_000_000
"""Of all outputs together; a dump of more is read so far."""
_MOST_OUTPUTS = 4096
_ELEMENT = re.compile(r"Output\[(\d{1,4})\]\[(\d{1,9})\]: ?(?:\((\w+)\) )?(\S+)")
_OTHERS = ("Output", "output[", "[", "OutputX")
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
    outputs: dict[int, _Values] = {}
    current = 0
    kept = 0
    below: tuple[int, int] | None = None
    """The tensor whose values stand on the lines that come, and the place of the next one."""

    def take(tensor: int, place: int, value: float | None, dtype: str | None) -> None:
        nonlocal kept
        if not 0 <= tensor < _MOST_OUTPUTS or place < 0:
            return
        known = outputs.setdefault(tensor, _Values())
        before = len(known.values)
        known.add(place, value, dtype, kept < MOST_VALUES)
        kept += len(known.values) - before

    for line in lines:
        if line.number < run.first_line:
            continue
        if line.number > run.last_line:
            break
        message = line.message
        if below is not None and message:
            below = _more(take, below, message)
            continue
        if not message.startswith(_OTHERS):
            continue
        found = _ELEMENT.fullmatch(message.rstrip())
        if found is not None:
            take(int(found[1]), int(found[2]), _number(found[4]), found[3])
            continue
        event = TABLE.match(message, line.number)
        if event is None or event.kind not in _EVENTS:
            continue
        values: dict[str, Any] = event.values
        if event.kind in ("zephyr_output", "raw_output"):
            current = values["tensor"]
            if 0 <= current < _MOST_OUTPUTS:
                output = outputs.setdefault(current, _Values())
                output.begin()
                dtype = values["dtype"]
                output.dtype = DTYPES.get(dtype) if isinstance(dtype, int) else str(dtype).lower()
                output.count = max(0, values["count"])
        elif event.kind in ("zephyr_element", "raw_element", "raw_byte", "label_score"):
            _element(take, outputs.get(current), current, event.kind, values)
        elif event.kind == "output_bool":
            take(values["tensor"], values["index"], float(values["value"] == "true"), "bool")
        elif event.kind == "tensor_text":
            current = values["tensor"]
            if 0 <= current < _MOST_OUTPUTS:
                output = outputs.setdefault(current, _Values())
                output.begin()
                _text(take, values)
                output.count = max(output.count, elements_of(values["sizes"]) or 0)
                below = (current, 0) if message.rstrip().endswith(", [") else None
        elif event.kind == "pack_output":
            outputs.setdefault(0, _Values()).begin()
            _text(take, {"tensor": 0, "values": ",".join(values["values"].split())})
            outputs[0].dtype, outputs[0].count = "float", max(outputs[0].count, values["count"])
        else:
            take(values["tensor"], values["index"], values["value"], values.get("dtype"))
    return tuple(
        OutputValues(index, one.dtype, one.count, one.places, one.values, one.dumps, one.cut)
        for index, one in sorted(outputs.items())
    )


def _element(take: Any, output: _Values | None, tensor: int, kind: str, values: dict[str, Any]) -> None:
    """A line that names the place only; its tensor was named before."""
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
    take(tensor, values["index"], value, dtype)
    output.count = max(count, output.count)


def _text(take: Any, values: dict[str, Any]) -> None:
    """A whole tensor on a line."""
    for place, part in enumerate(values["values"].split(",")):
        number = _number(part.strip())
        if number is None:
            return
        take(values["tensor"], place, number, None)


def _more(take: Any, below: tuple[int, int], message: str) -> tuple[int, int] | None:
    """A line of ten values under the sizes of a tensor; None where they end or some are left out."""
    tensor, place = below
    for part in message.rstrip().rstrip(",").split(","):
        number = _number(part.strip())
        if number is None:
            return None
        take(tensor, place, number, None)
        place += 1
    return tensor, place


def _number(text: str) -> float | None:
    try:
        return float(text) if len(text) < 64 and "_" not in text else None
    except ValueError:
        return None
