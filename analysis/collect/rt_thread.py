"""Lines of the RT-Thread port: its NPU and allocators, its status, the bits of its outputs, and the verdict at the end.

The port prints no completion line. Its verdict ends a passed run only after the runtime reported success itself.
"""

from __future__ import annotations

from ..draft import RunDraft
from ..draft_parts import TensorDraft
from ..trust.memory import IMPOSSIBLE_BYTES
from .monitor import set_milliseconds
from .npu_facts import npu_at
from .predictions import on_class_best
from .results import fails
from .tensors import DTYPES, MOST_TENSORS, float_of_bits, new_output, on_output

_ELEMENT_BYTES = {0: 1, 1: 1, 3: 4, 6: 4, 11: 1}


def on_rtt_platform(draft: RunDraft, line: int, address: str) -> None:
    npu_at(draft, line, address)


def on_rtt_input(draft: RunDraft, line: int, tensor: int, dtype: int, size: int) -> None:
    """It tells the size of an input that it filled, and prints none of its elements."""
    width = _ELEMENT_BYTES.get(dtype)
    if width is None or not 0 < size < IMPOSSIBLE_BYTES or size % width or not 0 <= tensor < MOST_TENSORS:
        return
    known = draft.inputs[tensor] = TensorDraft()
    known.dtype, known.count, known.elided = DTYPES[dtype], size // width, True
    draft.mark(f"inputs.{tensor}", line)


def on_rtt_execute(draft: RunDraft, line: int, outputs: int) -> None:
    draft.announced_outputs = outputs


class Call:
    """The call of the model that goes on."""

    began_ms: int | None = None


def on_rtt_call(draft: RunDraft, line: int, ms: int) -> None:
    draft.state(Call).began_ms = ms


def on_rtt_called(draft: RunDraft, line: int, ms: int, status: int) -> None:
    """Its ticks are milliseconds (`rt_tick_get_millisecond()`)."""
    on_rtt_status(draft, line, status)
    began_ms = draft.state(Call).began_ms
    if not status and began_ms is not None and ms >= began_ms:
        set_milliseconds(draft, "times.inference_seconds", line, ms - began_ms)


def on_rtt_status(draft: RunDraft, line: int, status: int) -> None:
    if status:
        draft.fail("execution_failed", line, f"Execution failed: {status:#x}", "", {"status": status})
    else:
        draft.reach("report")


def on_rtt_output(draft: RunDraft, line: int, tensor: int, dtype: int, count: int) -> None:
    """Elements follow, perhaps not all; the tensor is whole once the last one was seen."""
    if count >= 0:
        known = new_output(draft, line, tensor)
        known.dtype = DTYPES.get(dtype)
        known.count, known.elided = count, count > 0


on_rtt_top = on_class_best


def on_rtt_element(draft: RunDraft, line: int, tensor: int, index: int, bits: str) -> None:
    if int(bits, 16) >= 1 << 32:
        return
    value = float_of_bits(int(bits, 16))
    known = draft.outputs.get(tensor)
    if known is None or index >= known.count or not known.elided:
        on_output(draft, line, tensor, index, "float", value)
        return
    known.keep(index, value)
    known.elided = index + 1 < known.count


def on_rtt_passed(draft: RunDraft, line: int, ms: int | None = None) -> None:
    if draft.seen.keys() & {"rtt_called", "rtt_status"} and not draft.failed:
        set_milliseconds(draft, "times.inference_seconds", line, ms)
        draft.complete()


def on_rtt_turn(draft: RunDraft, line: int, status: int, ms: int) -> None:
    """One inference of many, about which the port prints nothing else; the status is the port's own, not ExecuTorch's."""
    if status:
        draft.fail("port_failed", line, f"A turn of the loop ended with status {status}")
    else:
        set_milliseconds(draft, "times.inference_seconds", line, ms)
        draft.reach("report")


on_rtt_changed = fails("port_failed", "The best class of the same input changed from one turn of the loop to the next")


def on_rtt_summary(draft: RunDraft, line: int, count: int, passes: int, fails: int, ms: int) -> None:
    if fails or passes != count or not count:
        draft.fail("port_failed", line, f"{passes} of {count} turns of the loop passed")
    elif not draft.failed:
        set_milliseconds(draft, "times.inference_seconds", line, ms)
        draft.reach("complete")
    draft.completed = True


def on_rtt_refused(draft: RunDraft, line: int) -> None:
    if any(kind.startswith("rtt_") for kind in draft.seen):
        draft.fail("port_failed", line, "inference FAIL")
