"""How a run ended in the runner's own words: completion, exit codes, and the comparison with bundled reference data."""

from __future__ import annotations

from collections.abc import Callable

from ..draft import RunDraft


def on_model_run(draft: RunDraft, line: int, ok: int) -> None:
    if ok == 0:
        draft.fail("model_run", line, "Model run: 0")


def on_exit_code(draft: RunDraft, line: int, code: int) -> None:
    if code:
        draft.fail("exit_code", line, f"Application exit code: {code}", "", {"code": code})
    elif not draft.failed:
        draft.completed = True
        draft.reach("complete")
    draft.closed = True


def on_bundle_result(draft: RunDraft, line: int, testset: int, result: str) -> None:
    if result != "PASS" and "PASS".startswith(result):
        return  # cut in the middle of the word
    if "FAIL".startswith(result):
        result = "FAIL"
    if draft.bundle.get("result") != "FAIL":  # one failing testset decides, whatever comes after it
        draft.bundle.update(testset=testset, result=result)
        draft.lines["bundleio.result"] = line
    if result != "PASS":
        draft.fail("bundle_fail", line, f"TEST: BundleIO index[{testset}] Test_result: {result}")


def on_bundle_mismatch(draft: RunDraft, line: int, rtol: float, atol: float) -> None:
    draft.bundle.update(rtol=rtol, atol=atol)


def _statistic(name: str) -> Callable[..., None]:
    def take(draft: RunDraft, line: int, value: float | None) -> None:
        draft.bundle[name] = value
        draft.mark(f"bundleio.{name}", line)

    return take


on_mean_absolute_error = _statistic("mean_absolute_error")
on_max_absolute_error = _statistic("max_absolute_error")
on_mean_relative_error = _statistic("mean_relative_error")
on_max_relative_error = _statistic("max_relative_error")


def on_program_complete(draft: RunDraft, line: int) -> None:
    draft.completed = True


def on_demo_complete(draft: RunDraft, line: int) -> None:
    draft.completed = True
    if not draft.failed:  # the evaluation kit says its last words after a failure too
        draft.refused = None
        draft.reach("complete")


def on_executed(draft: RunDraft, line: int) -> None:
    if "mask_shape" in draft.seen and not draft.failed:
        draft.completed = True  # MobileSAM prints it last
        draft.reach("complete")


def on_tflm_sent(draft: RunDraft, line: int) -> None:
    draft.jobs += 1
    draft.completed = False


def on_tflm_answer(draft: RunDraft, line: int, status: int) -> None:
    draft.jobs -= 1
    if status:
        draft.fail("exit_code", line, f"An inference job ended with status {status}", "", {"code": status})
    elif draft.jobs == 0 and not draft.failed:
        draft.completed = True  # every job that was sent has been answered


def on_tflm_status(draft: RunDraft, line: int, status: str) -> None:
    if status == "success":
        draft.completed = True
        draft.reach("complete")
    else:
        draft.fail("invoke_failed", line, f"Inference status: {status}")


def on_tflm_done(draft: RunDraft, line: int) -> None:
    if not draft.failed:
        draft.completed = True
        draft.reach("complete")


def on_step_done(draft: RunDraft, line: int) -> None:
    if not draft.failed and draft.seen.keys() & {"step_running", "execute_start"}:
        draft.completed = True  # what it prints after this is the class that it found
        draft.reach("complete")


def on_esp_complete(draft: RunDraft, line: int) -> None:
    if "model_run" in draft.seen:
        draft.completed = True
        draft.reach("complete")


def on_neutron_complete(draft: RunDraft, line: int) -> None:
    if "allocator_start" in draft.seen or "neutron_started" in draft.seen:
        draft.completed = True
        draft.reach("complete")


def on_mlek_ended(draft: RunDraft, line: int, how: str) -> None:
    if how.startswith("success"):
        draft.completed = True
        draft.reach("complete")
    else:
        draft.fail("mlek_failed", line, f"Main loop terminated {how}")
