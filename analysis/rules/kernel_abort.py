"""A kernel that ended the program itself: an operator did not accept what it was given, and asserts instead of returning an error."""

from __future__ import annotations

from ..cleaning import compiled
from ..collect.kernel_files import KERNEL_OF_OPERATOR, of_kernel
from ..draft import Evidence, Trouble
from ..outcome import Outcome
from ..program.reader import DTYPES
from ..report import Finding, Run
from .evidence import error
from .kernel_advice import REFUSED_ADVICE
from .kernel_refusals import refused

_OF_TENSORS = r"(?:tensor_impl|tensor_util|scalar_type_util|scalar)\.(?:cpp|h)"
"""Sources of ExecuTorch that assert for a kernel, and for the loader as well."""
_TYPED = r"(?i)dtype|scalar_?type"
_NUMBER = r"(?<![\w.-])(\d{1,2})(?![\w.])"
_NEAR = 6
"""So many lines above a kernel's own check stand those of what it called."""
_TYPE_ADVICE = (
    "Quantise the whole model, check that operator in the exported graph, and give the input in the type that the graph takes: the kernel got a tensor of a "
    "type it does not accept. What is left to the CPU must be int8 throughout, or float between a dequantise and a quantise node."
)


def kernel_abort(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """`operator-failed` where the assert itself stands in a kernel's source."""
    bad = next((t for t in seen.all("assert_failed") if _in_kernel(run, t)), None)
    checked = _checked_last(run, seen) if bad is None else None
    bad, did = (bad, "aborted the run") if checked is None else (checked, "rejected its arguments")
    if bad is None:
        return None
    operator = compiled(KERNEL_OF_OPERATOR).fullmatch(str(bad.values.get("file")))
    title = f"The kernel {operator[1]} {did}" if operator else f"A kernel {did}"
    above = None
    known = refused(bad.text)
    if known is None and checked is not None and not said_itself(bad.text):
        above = next((t for t in seen.trouble if bad.line - _NEAR < t.line < bad.line and refused(t.text)), None)
        known = refused(above.text) if above is not None else None
    title += f": {known.found}" if known is not None and known.found else ""
    typed = compiled(_TYPED).search(bad.text) is not None
    said = str(bad.values.get("text") or "")
    numbers = dict.fromkeys(int(number) for number in compiled(_NUMBER).findall(said)) if typed else {}
    names = [f"{number} is {DTYPES[number][0]}" for number in numbers if number in DTYPES]
    types = f" Of the types, {', '.join(names)}." if names else ""
    advice = (known.advice if known is not None else "") or (_TYPE_ADVICE if typed else REFUSED_ADVICE)
    reason = f" Above it: {above.text.rstrip('.: ')}." if above is not None else ""
    lines = (bad.line,) if above is None else (bad.line, above.line)
    return error("operator-failed", run, title, f"{bad.text.rstrip('.: ')}.{reason}{types}", advice, *lines)


def said_itself(check: str) -> bool:
    """Whether a check has words behind its condition."""
    return bool(check.partition("): ")[2].strip())


def _checked_last(run: Run, seen: Evidence) -> Trouble | None:
    """The check of a kernel that is the last word of a failed run: what it gave back is no longer in this log."""
    last = seen.trouble[-1] if seen.trouble and run.status == "failed" else None
    return last if last is not None and last.kind in ("message", "kernel_checked") and last.values.get("file") else None


def _in_kernel(run: Run, trouble: Trouble) -> bool:
    """Whether a kernel's own source asserted, or one that asserts for it while it runs."""
    file = trouble.values.get("file")
    of_tensors = file is not None and compiled(_OF_TENSORS).fullmatch(file) is not None
    return of_kernel(file) or (of_tensors and run.stage == "execute")
