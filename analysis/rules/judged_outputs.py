"""Verdicts on outputs that an application gives itself: a bundled program's reference data, expected values, tests of its own."""

from __future__ import annotations

import re

from ..draft import Evidence, Trouble
from ..error_codes import status_name
from ..outcome import Outcome
from ..report import BundleIO, Finding, Run
from .evidence import error, saying
from .program import LOAD_HINTS
from .releases import may_lose_outputs

_OF_TEST = {
    "load": "Check that the operator's program is complete and of the runtime's release: it could not be loaded.",
    "load_method": "Link the kernels and the backend that it needs, and give the method pool enough: its method could not be loaded, and the runtime's log "
    "(ET_LOG_ENABLED) tells which it was.",
    "execute": "Read what the NPU, its driver or the kernel says before it, or build with the runtime's log (ET_LOG_ENABLED): it stopped while running, so no "
    "output was compared.",
    "exported": "Export the operators' programs and build the firmware from one release: the program does not contain what the test asks for.",
    "": "Run the model on the host with the same input, and check what the application compares its outputs with.",
}
"""What to do where an application's own test failed, by what it says in brackets."""
_OF_RELEASE = "the runner's release (1.0 lost outputs, 1.1 has the fix)"


def bundle(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """Outputs that are not the reference's."""
    unlike = saying(seen, "function shall have same strides")
    if unlike is not None:
        return error("bundleio-fail", run, "BundleIO: the outputs could not be compared with a reference",
                     "The reference has a different memory format from the output, and the runtime does not compare across formats.",
                     "Create the bundle with outputs in the program's own memory format: if the model is exported in channels_last, call "
                     ".contiguous(memory_format=torch.channels_last) on the expected outputs too; if not, on neither.", unlike.line)  # fmt: skip
    bad = seen.first("bundle_fail", "bundle_verify_failed", "model_run", "outputs_differ", "job_outputs_differ", "pack_failed", "test_failed",
                     "said_failed", "script_bundle_failed") or seen.first("bundle_mismatch")  # fmt: skip
    if bad is None:
        return None
    if bad.kind in ("pack_failed", "test_failed"):
        return _own_test(run, bad)
    if bad.kind in ("outputs_differ", "job_outputs_differ"):
        return error("outputs-not-expected", run, "The outputs differ from those that the application expects", f"The log says: {bad.text}.",
                      "Run the model on the host with the same input: if it gives these outputs too, the expected values belong to another model; otherwise "
                      "check the input and the data cache (clean before the NPU runs, invalidate after).", bad.line)  # fmt: skip
    if bad.kind == "model_run" and run.bundleio is None:
        return error("model-run-0", run, "The runner reports Model run: 0", "The run ended without success.",
                      "Read the lines before it.", bad.line)  # fmt: skip
    differs = saying(seen, _MISMATCH)
    return _not_compared(run, seen, bad) or _reference(run, bad, *((differs.line,) if differs is not None else ()))


_NOTHING_TO_COMPARE = "create the bundle from exactly this program, with expected outputs for its first test set (MethodTestCase(inputs=..., expected_outputs=...))"
_UNCOMPARED = {
    "No bundled expected outputs": f"The bundle has only inputs: {_NOTHING_TO_COMPARE}.",
    "testset_idx ": f"The bundle has no test set of that number: {_NOTHING_TO_COMPARE}.",
    "in given bundled program": f"The bundle is for another method: {_NOTHING_TO_COMPARE}.",
    "Tensor size mismatch": "Create the bundle from exactly this program, with outputs computed for the same inputs: reference and output differ in shape.",
    r"^Data type -?\d{1,3} not supported": "Have the model return tensors, the only outputs that can be compared, and create the bundle from it again.",
}
"""Patterns of what the runtime says where it cannot compare an output with a reference, and what to do then."""
_MISMATCH = "data mismatched the expected one"
_CANNOT = (0x10, 0x12)
"""NotSupported and InvalidArgument: how the comparison ends that did not take place. One that did ends with NotFound."""


def _not_compared(run: Run, seen: Evidence, bad: Trouble) -> Finding | None:
    """The runner says FAIL, and "don't match", also where there was nothing that it could compare with."""
    result = run.bundleio
    if bad.kind not in ("bundle_fail", "bundle_verify_failed", "bundle_mismatch") or (
        result is not None and result.max_absolute_error is not None
    ):
        return None
    verified = seen.first("bundle_verify_failed")
    status = verified.values.get("status") if verified is not None else None
    if saying(seen, _MISMATCH) is not None or (status is not None and status not in _CANNOT):
        return None  # it did take place
    told = ((t, said) for t in seen.trouble if t.level == "E" for said in _UNCOMPARED if re.search(said, t.text))
    why, words = next(told, (None, ""))
    if why is None and status not in _CANNOT:
        return None
    said = (
        f"the runner says: {why.text.rstrip('.')}"
        if why is not None
        else f"the comparison ended with status {status_name(status)}"
    )
    advice = _UNCOMPARED.get(words) or f"The bundle most likely has no reference for them: {_NOTHING_TO_COMPARE}."
    lines = [t.line for t in (why, bad, verified) if t is not None]
    return error("bundleio-fail", run, "BundleIO: the outputs could not be compared with a reference",
                 f"{said[0].upper()}{said[1:]}. Whether they are right is unknown.", advice, *lines)  # fmt: skip


_OF_SET = {
    False: "Give example_runner one of these as --testset_idx (executor_runner takes set 0 alone)",
    True: "Set testset_idx in arm_executor_runner.cpp to one of these",
}
"""What chooses the set: an option, or a constant of the bare-metal runner."""
_NO_SET = re.compile(r"testset_idx (\d{1,20}) is out of range \[0, (\d{1,20})\]")


def test_set(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """Inputs were asked for that the bundled program does not hold; it counts the sets where it should name the last."""
    bad = saying(seen, "testset_idx ")
    found = _NO_SET.search(bad.text) if bad is not None else None
    if bad is None or found is None or seen.seen.keys() & {"executed", "executed_times"}:
        return None
    sets = int(found[2])
    there = f"0 to {sets - 1}" if sets > 1 else "0 alone" if sets else "none"
    return error("test-set-missing", run, f"The bundled program has no test set {found[1]}", f"The runner says: {bad.text.rstrip('.')}. Sets are numbered from 0: there is {there}.",
                 f"{_OF_SET[run.runner.kind == 'arm_executor_runner']}, or put more test cases into the bundle (MethodTestSuite(test_cases=[...])).", bad.line)  # fmt: skip


def _own_test(run: Run, bad: Trouble) -> Finding:
    """An application's own test, by what it says in brackets."""
    if bad.values.get("total") == 0 and bad.kind == "test_failed":
        return error("test-result-fail", run, "The all-operator test tested nothing", f"The log says: {bad.text}. No models were embedded.",
                      "Export the models, embed them into the firmware and build it again, and check the export's output.", bad.line)  # fmt: skip
    code = re.search(r" FAIL \(Program::load err=(\d{1,3})\)$", bad.text)
    status = f" That is status {status_name(int(code[1]))}." if code is not None else ""
    advice = LOAD_HINTS.get(int(code[1]), _OF_TEST["load"]) if code is not None else _advice_of_test(bad.text)
    said = f"The log says: {bad.text}.{status}"
    return error("test-result-fail", run, "The application says that its own test failed", said, advice, bad.line)


def _reference(run: Run, bad: Trouble, *also: int) -> Finding:
    """The reference data of a bundled program, and how far the outputs are from it."""
    result = run.bundleio
    largest = result.max_absolute_error if result is not None else None
    figures = []
    if largest is not None:
        figures.append(f"the largest absolute error is {largest:g}")
    if result is not None and result.rtol is not None and result.atol is not None:
        figures.append(f"the tolerances are rtol {result.rtol:g} and atol {result.atol:g}")
    detail = "The outputs differ from the reference data of the bundled program"
    advice = "Compare with the quantised model on the host"
    types = {output.dtype.lower() for output in run.outputs if output.dtype}
    if largest is not None and types and "float" not in types:
        advice += f"; the error figures mean nothing here: the runner computes them as if the outputs ({', '.join(sorted(types))}) were float32"
    elif largest == 0 and result is not None and _rounded(result):
        advice += (
            f"; the difference is below the digits that are printed, which is rounding: {_tolerance(run, '1e-05')}"
        )
    elif largest == 0:
        advice += "; an error of 0 with a mismatch means that the figures miss what differs: NaN, or an output that is not float32"
    elif largest is not None and result is not None and result.atol and largest <= 10 * result.atol:
        advice += f"; if a few quantisation steps are acceptable, {_tolerance(run, _two_digits(largest))}"
    elif largest is not None:
        advice += f"; an error this far outside the tolerance is not rounding: check the inputs{_cache(run)}{_of_release(run, ', and')}"
    else:
        if bad.kind in ("said_failed", "script_bundle_failed"):
            detail += f" (the log says: {bad.text})"
            advice += (
                "; the runner prints the largest error above its FAIL: a few quantisation steps may be allowed "
                f"({_TOLERANCE[run.runner.kind == 'executor_runner']})"
            )
        else:
            advice += "; the log does not say how far apart they are: a few quantisation steps may be rounding"
        advice += f", more points to the inputs{_cache(run)}{_of_release(run, ', or')}"
    said = f"{detail}{': ' + ', '.join(figures) if figures else ''}."
    return error(
        "bundleio-fail", run, "BundleIO: the outputs do not match the reference", said, f"{advice}.", bad.line, *also
    )


def _rounded(result: BundleIO) -> bool:
    """Whether no value can be missing in figures of 0: what is not a number makes the mean none, and leaves the largest alone."""
    return result.atol is not None and result.atol <= _LAST_DIGIT and result.mean_absolute_error is not None


_LAST_DIGIT = 1e-6
"""What the last digit of an error or a tolerance in the log stands for."""
_TOLERANCE = {False: "-DET_ATOL", True: "--bundleio_atol"}
"""What sets the tolerance: a definition of the bare-metal runner's build, an option of the Linux runner."""


def _tolerance(run: Run, value: str) -> str:
    """How the tolerance is set to this value."""
    if run.runner.kind == "executor_runner":
        return f"start the runner with {_TOLERANCE[True]}={value}"
    return f"build the runner with {_TOLERANCE[False]}={value}"


def _cache(run: Run) -> str:
    """Under Linux the kernel's driver keeps the cache."""
    return (
        ""
        if run.runner.kind == "executor_runner"
        else " and the data cache (clean before the NPU runs, invalidate after)"
    )


def _of_release(run: Run, joined: str) -> str:
    """The one release whose runner lost outputs, where this may be it."""
    return f"{joined} {_OF_RELEASE}" if may_lose_outputs(run) else ""


def _advice_of_test(text: str) -> str:
    told = text.rpartition(" FAIL (")
    step = told[2].removesuffix(")") if told[1] else ""
    if step.endswith(" method") or step.startswith(("missing embedded ", "method_meta")):
        step = "exported"
    return _OF_TEST.get(step, _OF_TEST[""])


def _two_digits(value: float) -> str:
    """The next larger number of two digits, so that a tolerance of it lets the value pass."""
    return f"{value * 1.05:.2g}"
