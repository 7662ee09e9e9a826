"""What a loader of programs under Zephyr says of its failures, one step each with a status in decimal; and a sample's inputs."""

from __future__ import annotations

from collections.abc import Callable

from ..draft import RunDraft
from ..draft_parts import TensorDraft
from ..error_codes import status_name
from ..report import Stage
from .tensors import MOST_TENSORS


def _failure(kind: str, stage: Stage, what: str) -> Callable[..., None]:
    def take(draft: RunDraft, line: int, status: int) -> None:
        if not draft.failed:  # the application says once more that what it called failed
            draft.reach(stage)
            draft.fail(kind, line, f"{what}: {status_name(status)}", "", {"status": status})

    return take


on_loader_program_failed = _failure("program_load_failed", "load", "Failed to load program")
on_loader_meta_failed = _failure("method_meta_failed", "load", "Failed to get method metadata")
on_loader_method_failed = _failure("method_load_failed", "plan", "Failed to load method")
on_loader_input_failed = _failure("inputs_failed", "inputs", "Failed to set input tensor")
on_pico_program_failed = on_loader_program_failed
on_pico_meta_failed = on_loader_meta_failed
on_pico_method_failed = on_loader_method_failed
on_loader_execution_failed = _failure("execution_failed", "execute", "Method execution failed")
on_sketch_program_failed = _failure("program_load_failed", "load", "Program::load failed")
on_sketch_method_failed = _failure("method_load_failed", "plan", "load_method failed")
on_sketch_input_failed = _failure("inputs_failed", "inputs", "set_input failed")
on_sketch_execution_failed = _failure("execution_failed", "execute", "execute failed")


def on_loader_size_differs(draft: RunDraft, line: int, expected: int, size: int) -> None:
    values = {"expected": expected, "size": size}
    draft.fail("input_mismatch", line, f"An input has {size} bytes instead of {expected}", "", values)


on_job_size_differs = on_loader_size_differs


def on_input_tensor(draft: RunDraft, line: int, dtype: str, count: int, size: int) -> None:
    """Printed for each input after its memory, which the sample took from the method allocator; no element follows."""
    taken = draft.get("memory.input_bytes")
    draft.set("memory.input_bytes", draft.total("memory.input_bytes", taken, size), line)
    tensor = max(len(draft.inputs) - draft.of_row, 0)
    if tensor < MOST_TENSORS and count >= 0:
        known = draft.inputs[tensor] = TensorDraft()
        known.count, known.dtype, known.elided = count, dtype.lower(), True
        draft.mark(f"inputs.{tensor}", line)
