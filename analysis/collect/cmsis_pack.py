"""What the examples of Arm's CMSIS packs say: sizes, outputs on one line, classes with a confidence, and their verdict."""

from __future__ import annotations

from collections.abc import Callable

from ..cleaning import compiled
from ..draft import RunDraft
from ..report import Stage
from .load import on_model_size
from .monitor import on_inference_time
from .npu_facts import on_npu_arch
from .predictions import add_prediction, from_the_first
from .results import fails, on_bundle_result, passed, says_passed
from .tensors import only_output

MOST_METHODS = 256
"""Methods of a program whose planned bytes are kept."""
MOST_TESTS = 10_000
"""Operators under test that are kept; Arm's firmware has some two hundred."""
_FLOAT = r"(?a:[+-]?(?:\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|nan|inf))"
"""What printf writes; `float` takes more, and a damaged line has it."""
_OF_LOAD = frozenset((0x14, 0x20, 0x30, 0x31))
"""Statuses that only the loading of a method gives."""


class PackRun:
    """What an example of a pack has said before the lines that need it."""

    def __init__(self) -> None:
        self.planned_bytes: dict[str, int] = {}
        """By method; a program may have several."""
        self.label: str | None = None
        """The class whose confidence stands on the next line."""
        self.tests: set[tuple[str, str]] = set()
        """Operators whose test has begun, with their folders."""


on_pack_model = on_pack_program = on_model_size


def on_npu_summary(draft: RunDraft, line: int, arch: str, macs: int) -> None:
    on_npu_arch(draft, line, arch)


def on_pack_method(draft: RunDraft, line: int, name: str, size: int) -> None:
    """All methods are loaded side by side, from one pool; a line that came twice is one method."""
    planned_bytes = draft.state(PackRun).planned_bytes
    if name in planned_bytes or len(planned_bytes) < MOST_METHODS:
        planned_bytes[name] = size
    draft.set("memory.planned_bytes", sum(planned_bytes.values()), line)


def on_pack_output(draft: RunDraft, line: int, count: int, values: str) -> None:
    known = only_output(draft, line)
    texts = values.split()
    if len(texts) < count:
        texts = texts[:-1]  # the line was cut, maybe in the middle of a value
    for index, text in enumerate(texts):
        if compiled(_FLOAT).fullmatch(text) is None:
            break
        known.add(index, float(text) if len(text) < 64 else None, "float")
    known.elided = known.count < count
    known.count = max(known.count, count)


on_pack_passed = says_passed
on_pack_found = says_passed  # what it looks at never ends
on_sds_played = says_passed  # a recording came to its end
on_pack_measured = says_passed  # a method after twenty inferences; there are several, none of which is the model


def on_verdict_failed(draft: RunDraft, line: int) -> None:
    """The verdict alone: a pack's example prints no more, of the runner's own words the first are lost."""
    draft.fail("said_failed" if "arm_executor_runner.cpp" in draft.files else "pack_failed", line, "Test_result: FAIL")


def on_smoke_verdict(draft: RunDraft, line: int, said: str) -> None:
    """Its inputs and what it expects come from a bundled program with one set of tests; what else it says is a word that was cut."""
    if said.startswith("PASS"):
        on_bundle_result(draft, line, 0, "PASS")
        passed(draft)
    elif said.startswith("FAIL"):
        draft.reach("report")
        draft.fail("pack_failed", line, f"ET_COMPONENT_SMOKE: {said}")


def on_pack_frames(draft: RunDraft, line: int) -> None:
    """With a display it draws for ever; without, a verdict follows."""
    if "pack_display" in draft.seen:
        passed(draft)


def _failure(kind: str, stage: Stage, said: str) -> Callable[..., None]:
    def take(draft: RunDraft, line: int, status: int) -> None:
        draft.reach(stage)
        draft.fail(kind, line, f"{said} (err={status})", "", {"status": status})

    return take


on_pack_program_failed = _failure("program_load_failed", "load", "Program::load failed")
on_pack_method_missing = _failure("method_meta_failed", "load", "a method was not found in the program")
on_pack_method_failed = _failure("method_load_failed", "plan", "load_method failed")
on_pack_execution_failed = _failure("execution_failed", "execute", "execute failed")


_not_loaded = _failure("method_load_failed", "plan", "forward failed")
_not_run = _failure("execution_failed", "execute", "forward failed")


def on_pack_forward_failed(draft: RunDraft, line: int, status: int) -> None:
    """One call that loads the program and its method, and runs it."""
    (_not_loaded if status in _OF_LOAD else _not_run)(draft, line, status)


on_pack_unprepared = fails("method_load_failed", "upscale preparation failed", "plan")
on_pack_unfed = fails("inputs_failed", "upscale input failed", "inputs")
on_pack_meta_failed = fails("method_meta_failed", "method_meta failed", "load")
on_pack_outputs_missing = fails("outputs_failed", "forward returned no outputs", "report")


def on_sds_ended(draft: RunDraft, line: int) -> None:
    """All recordings were played back; one at least was, and what fails aborts the application."""
    if "sds_stopped" in draft.seen:
        passed(draft)


def on_pack_classified(draft: RunDraft, line: int) -> None:
    """One comes with each frame: the newest counts."""
    from_the_first(draft)
    draft.state(PackRun).label = None


def on_pack_class(draft: RunDraft, line: int, label: str) -> None:
    draft.state(PackRun).label = label.strip() or None


def on_pack_confidence(draft: RunDraft, line: int, percent: float | None) -> None:
    label = draft.state(PackRun).label
    if label is not None and percent is not None and not draft.predictions:
        add_prediction(draft, line, None, label, round(percent / 100, 6))


on_pack_time = on_inference_time


def on_test_started(draft: RunDraft, line: int, name: str, place: str) -> None:
    if len(tests := draft.state(PackRun).tests) < MOST_TESTS:
        tests.add((name, place))


def on_test_reported(draft: RunDraft, line: int, name: str, said: str) -> None:
    """It ran, and what it gave is not what was expected; the build for the NPU counts that as passed."""
    draft.doubt("test_reported", line, f"{name}: {said.removesuffix(', reported')}")


def on_test_summary(draft: RunDraft, line: int, passed: int, total: int, result: str) -> None:
    """The verdict over all operators; one that failed before it decides as well, and the numbers before the word do."""
    if result == "PASS" and passed == total > 0:
        says_passed(draft, line)
    elif passed < total or total == 0 or not "PASS".startswith(result):  # a word that was cut says nothing
        draft.reach("report")
        text = f"Test_result: SUMMARY {passed}/{total} {result}"
        draft.fail("test_failed", line, text, "", {"passed": passed, "total": total})
