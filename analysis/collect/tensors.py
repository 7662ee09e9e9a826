"""Tensors that a run dumps, in every port's form."""

from __future__ import annotations

from ..draft import RunDraft
from ..draft_parts import FIRST_VALUES, OpenTensor, TensorDraft
from ..trust.copies import shorter

DTYPES = {0: "byte", 1: "char", 3: "int", 6: "float", 11: "bool"}
"""ExecuTorch's scalar types by number."""
MOST_TENSORS = 4096
"""Inputs or outputs that are kept; more of them mean damage."""


def on_outputs(draft: RunDraft, line: int, count: int) -> None:
    draft.outputs.clear()
    draft.announced_outputs = count
    draft.lines["outputs"] = line


on_a320_outputs = on_outputs


def _element(
    draft: RunDraft, tensors: dict[int, TensorDraft], path: str, line: int, tensor: int, index: int, dtype: str | None,
    value: float | None,
) -> None:  # fmt: skip
    if not 0 <= tensor < MOST_TENSORS or index < 0:
        return
    known = tensors.get(tensor)
    if known is None:
        known = tensors[tensor] = TensorDraft()
        draft.mark(f"{path}.{tensor}", line)
    if value is not None and dtype in ("int", "char") and not endless(value) and value == int(value):
        value = int(value)
    if draft.of_row and index == known.count - 1:
        known.first[index:] = [float("nan") if value is None else value] * (index < len(known.first))
        return
    if draft.was_doubled and index == known.count - 1 < len(known.first):
        broken = shorter(known.first[index], value)
        if broken == "first":
            known.first[index] = float("nan") if value is None else value
        if broken is not None:
            return  # the second copy of the line, where one of them was cut
    known.add(index, value, dtype)


def endless(value: float) -> bool:
    """Whether this is an infinite or undefined float; the scanner's traced figures are never asked."""
    return type(value) is float and value - value != 0


def new_output(draft: RunDraft, line: int, tensor: int) -> TensorDraft:
    """Begin output `tensor`, whose elements follow without its number; beyond `MOST_TENSORS` it is not recorded."""
    known = TensorDraft()
    if tensor in draft.outputs or (tensor >= 0 and len(draft.outputs) < MOST_TENSORS):
        draft.outputs.pop(tensor, None)
        draft.outputs[tensor] = known
        draft.mark(f"outputs.{tensor}", line)
    return known


def only_output(draft: RunDraft, line: int) -> TensorDraft:
    """The output of an application that has only one."""
    known = draft.outputs[0] = TensorDraft()
    draft.mark("outputs.0", line)
    return known


def on_output(draft: RunDraft, line: int, tensor: int, index: int, dtype: str | None, value: float | None) -> None:
    _element(draft, draft.outputs, "outputs", line, tensor, index, dtype, value)


EXAMPLES = frozenset(("example_runner.cpp", "sdk_example_runner.cpp"))
"""Source files of the developer tools' example runner, which takes bundled programs."""
ENDS_IN_VALUES = EXAMPLES | {"size_test.cpp"}
"""Programs whose last lines are output values; `size_test` is the smallest that executes a program."""
VALUES_ALONE = ENDS_IN_VALUES | {"executor_runner.cpp"}


_LAST_WORDS = ("Failed to parse model file", "Extra commandline args: ")
"""Errors after which such a runner ends without an abort."""


def gives_up(draft: RunDraft, level: str, text: str) -> bool:
    """Whether a runner on a host's own system ends with this line, so that what follows is another start."""
    return not VALUES_ALONE.isdisjoint(draft.files) and (level == "F" or text.startswith(_LAST_WORDS))


def bare_value(draft: RunDraft, line: int, text: str) -> None:
    """Take one value of an output, for runners that print one value a line, all outputs in turn.

    Those are the Linux runner before 0.1, `example_runner` and `size_test`.
    """
    try:
        value = float(text) if len(text) < 64 and text.isascii() and "_" not in text else None
    except ValueError:
        value = None
    if value is None or draft.announced_outputs is not None:
        return
    known = draft.outputs.get(0)
    _element(draft, draft.outputs, "outputs", line, 0, known.count if known is not None else 0, "float", value)
    draft.reach("report")
    draft.last_event = "bare_value"
    if "bare_value" not in draft.seen:
        draft.doubt("bare_values", line, text)
    draft.seen["bare_value"] = line


def on_output_lost(draft: RunDraft, line: int, tensor: int, index: int) -> None:
    """newlib-nano without `-u _printf_float` prints no digits at all."""
    _element(draft, draft.outputs, "outputs", line, tensor, index, "float", None)
    if "output_lost" not in draft.seen:
        draft.note("counter_shifted", line, f"Output[{tensor}][{index}]: (float)")


def on_input(draft: RunDraft, line: int, tensor: int, index: int, dtype: str | None, value: float | None) -> None:
    _element(draft, draft.inputs, "inputs", line, tensor, index, dtype, value)


def on_output_bool(draft: RunDraft, line: int, tensor: int, index: int, value: str) -> None:
    _element(draft, draft.outputs, "outputs", line, tensor, index, "bool", float(value == "true"))


def on_input_bool(draft: RunDraft, line: int, tensor: int, index: int, value: str) -> None:
    _element(draft, draft.inputs, "inputs", line, tensor, index, "bool", float(value == "true"))


def on_elided(draft: RunDraft, line: int) -> None:
    if draft.outputs:
        draft.outputs[max(draft.outputs)].elided = True


def on_tensor_text(draft: RunDraft, line: int, tensor: int, sizes: str, values: str, closed: str | None) -> None:
    """A tensor with its sizes; more than ten values follow on the next lines."""
    known, count = new_output(draft, line, tensor), elements_of(sizes)
    texts = [part.strip() for part in values.split(",")]
    short = closed is None and count is not None and len(texts) <= count and "..." not in texts
    rest = texts.pop() if short else ""  # the line was cut here, or goes on below: in the middle of this value or not
    for index, text in enumerate(texts):
        if text == "...":
            known.elided = True
            break
        try:
            known.add(index, float(text), None)
        except ValueError:
            break
    if count is not None and count > known.count:
        if short and known.count == len(texts):
            draft.open_tensor = OpenTensor(known, rest)
        known.count, known.elided = count, True


_OF_VALUES = frozenset("0123456789.+-einfa")
_LONGEST_VALUE = 64


def continue_tensor(draft: RunDraft, line: int, text: str) -> bool:
    """Take a line of values of the open tensor; False where it is none, and the tensor is over."""
    opened, draft.open_tensor = draft.open_tensor, None
    if opened is None:
        return False
    known, rest, opened.rest = opened.tensor, opened.rest, ""
    text = text.strip()
    closed = text.endswith(("]", "])"))
    if closed or text != "...,":
        values = [] if text[:1] == "]" else text.rstrip("])").split(",")
        if rest:  # no comma stood behind it: the bracket does, or a screen was too narrow for all of it
            values[:1] = [rest + "".join(values[:1])]
        if values and not closed:
            opened.rest = values.pop().strip()
            if len(opened.rest) >= _LONGEST_VALUE or not _OF_VALUES.issuperset(opened.rest):
                return False
        try:
            known.first += [
                float(value) for value in values[: FIRST_VALUES - len(known.first)] if len(value) < _LONGEST_VALUE
            ]
        except ValueError:
            return False
        opened.values += len(values)
    if closed:
        known.elided = known.elided and opened.values != known.count
    else:
        draft.open_tensor = opened
    draft.last_line = line
    return True


def elements_of(sizes: str) -> int | None:
    """How many elements a tensor has whose sizes are printed as "1, 256" or "(len=2)[1, 256]"; None for other text."""
    count = 1
    for text in sizes.rpartition("[")[2].split(",")[:16]:
        if not (text.strip().isdecimal() and len(text) < 12):
            return None
        count *= int(text)
    return count if count < 1 << 48 else None


def on_raw_output(draft: RunDraft, line: int, tensor: int, dtype: int, count: int, size: int) -> None:
    known = new_output(draft, line, tensor)
    known.count = known.told = max(count, 0)
    known.dtype = DTYPES.get(dtype)


def on_raw_element(draft: RunDraft, line: int, index: int, value: int, kind: str) -> None:
    if draft.outputs and -1 << 31 <= value < 1 << 32:
        newest = draft.outputs[next(reversed(draft.outputs))]
        newest.keep(index, float_of_bits(value) if kind == "float" else value)


def float_of_bits(value: int) -> float:
    """The float with these bits, which the C library printed as a signed or unsigned integer."""
    import struct  # only here: few runners print the bits

    number: float = struct.unpack("<f", struct.pack("<I", value & 0xFFFFFFFF))[0]
    return number


def on_zephyr_output(draft: RunDraft, line: int, tensor: int, dtype: str, count: int) -> None:
    known = new_output(draft, line, tensor)
    known.dtype, known.told = dtype.lower(), max(count, 0)


def on_zephyr_element(draft: RunDraft, line: int, index: int, value: float | None) -> None:
    if not draft.outputs:
        return
    known = draft.outputs[next(reversed(draft.outputs))]
    of_whole = known.dtype not in (None, "float", "half", "double")
    if value is not None and of_whole and not endless(value) and value == int(value):
        value = int(value)
    begins = known.count and not index and not known.first  # the header has told the count
    if begins or (index < known.count and known.first):
        known.keep(index, value)
    else:
        known.add(index, value, None)


def on_raw_byte(draft: RunDraft, line: int, index: int, value: str) -> None:
    try:
        on_zephyr_element(draft, line, index, int(value, 16))
    except ValueError:
        return


def on_raw_elided(draft: RunDraft, line: int, count: int) -> None:
    on_elided(draft, line)


def on_dump_skipped(draft: RunDraft, line: int, dtype: str) -> None:
    on_elided(draft, line)


def on_output_tensor(draft: RunDraft, line: int, dtype: str, count: int) -> None:
    if count >= 0:
        known = only_output(draft, line)
        known.count, known.dtype, known.elided = count, dtype.lower(), True


def on_output_elements(draft: RunDraft, line: int, count: int) -> None:
    if count >= 0:
        known = only_output(draft, line)
        known.count, known.elided = count, True


def on_mask_shape(draft: RunDraft, line: int, height: int, width: int) -> None:
    on_output_tensor(draft, line, "float", height * width)
