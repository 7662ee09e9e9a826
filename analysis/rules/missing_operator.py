"""Kernels that a program needs and its runner does not have, with the line that puts them there."""

from __future__ import annotations

from ..cleaning import in_command
from ..draft import LOST_NAME, Evidence
from ..error_codes import OPERATOR_MISSING
from ..outcome import Outcome
from ..report import Finding, Run
from .evidence import error, nameless
from .kernels import OPTIMIZED
from .releases import surely_before, surely_from

_LIBRARIES = {
    "cortex_m": "cortex_m:: operators come from the cortex_m_ops library",
    "quantized_decomposed": "quantized_decomposed:: operators come from quantized_ops_lib",
}
_PORTABLE_ONLY = ("arm_executor_runner", "zephyr")
_OF_NUVOTON = (
    "Nuvoton's sample registers kernels by hand: copy {them} from RegisterCodegenUnboxedKernelsEverything.cpp (in the BSP, "
    "ThirdParty/executorch/_prebuilt/kernels/portable or .../quantized) into the sample's RegisterNativeKernels.cpp, and build it again"
)
_WITHOUT_PROGRAM = ", where no .pte is built in,"
"""With one, the runner's CMake takes its operators and leaves the list aside."""
_LISTED = ("aten", "dim_order_ops", "executorch_prim")
"""Namespaces whose kernels are chosen by the lists of a build."""


def missing_operator(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """Kernels that are not in the runner, with the line that puts them there."""
    missing = seen.all("operator_missing")
    told = {t.values["name"] for t in missing}
    unknown = [t for t in seen.all("kernel_missing") if t.values["name"] not in told]
    if unknown:  # they name what a line below has lost
        missing = [t for t in missing if t.values["name"] != LOST_NAME]
    missing = [*missing, *unknown]
    if not missing:
        return _unnamed_operator(run, seen)
    names = list(dict.fromkeys(str(t.values["name"]) for t in missing))
    listed = ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")
    title = f"The runner has no kernel for {names[0] if len(names) == 1 else f'{len(names)} operators'}"
    optimized = [name for name in names if name in OPTIMIZED]
    typed = [name for name in names if in_command(name) and _in_lists(run, name) and name not in optimized]
    select = ",".join(typed[:8])
    advice = _from_the_program(run)
    them = typed[0] if len(typed) == 1 < len(names) else "it" if len(names) == 1 else "them"
    named = f'-DEXECUTORCH_SELECT_OPS_LIST="{select}"'
    if _names_operators_only(run, seen):
        advice = (
            f"Rebuild the runner and add {them} to its operator list{f': {named}{_by_script(run)}' if select else ''}"
        )
    elif select:
        advice += f", or{_WITHOUT_PROGRAM if run.runner.kind == 'arm_executor_runner' else ''} add {them} to its operator list: {named}"
    if optimized:
        there = _of_the_optimized(run, optimized)
        advice = there if len(optimized) == len(names) else f"{advice}; {there[0].lower()}{there[1:]}"
    if not all(in_command(name) for name in names):
        advice += "; a damaged name, which a shell would misread, is left out here"
    homes = [text for name, text in _LIBRARIES.items() if any(n.startswith(f"{name}::") for n in names)]
    if homes:
        advice += f"; {'; '.join(homes)}, linked with --whole-archive"
    elif len(optimized) < len(names):
        advice += "; a library that is linked but registers nothing needs --whole-archive"
    if "nuvoton_size" in seen.seen and not optimized:
        advice = _OF_NUVOTON.format(them="its entry" if len(names) == 1 else "their entries")
    detail = f"Not linked into the runner: {listed}."
    told_in = [t.line for t in missing[:20]]
    for counted in seen.all("operators_missing")[:1]:
        count = counted.values.get("count")
        if isinstance(count, int) and len(names) < count < 1_000_000:
            detail += f" {count} instructions of the program lack their kernel."
            told_in.append(counted.line)
    if "kernel_dtype" in seen.seen:
        detail += (
            " Its argument types are listed below it: a build that selects by type may have left out just this one."
        )
    return error("missing-operator", run, title, detail, f"{advice}.", *told_in)


def _of_the_optimized(run: Run, names: list[str]) -> str:
    """What helps where no portable kernel exists; to_edge decomposes a linear layer unless it is told to keep it."""
    them = ", ".join(names)
    lowered = []
    if "aten::linear.out" in names:
        lowered.append(
            "lower it again so that a delegate takes aten.linear, or without it in preserve_ops, so that it becomes mm or addmm"
        )
    if len(names) > len(lowered):
        lowered.append("compute the Fourier transform outside of the model")
    how = ", and ".join(lowered)
    if run.runner.kind in _PORTABLE_ONLY:
        return f"No portable kernel exists for {them}, and this runner is built of portable ones: {how}"
    return (
        f"Only the optimized kernels have {them}: build ExecuTorch with -DEXECUTORCH_BUILD_KERNELS_OPTIMIZED=ON and link optimized_native_cpu_ops_lib "
        f"in place of portable_ops_lib; for a microcontroller, {how}"
    )


def _from_the_program(run: Run) -> str:
    """How a runner is built for what a program needs: CMake of the bare-metal one itself sets that variable to its program."""
    if surely_before(run, (1, 0)):
        return "Rebuild the runner with all operators of the program"
    how = "EXECUTORCH_SELECT_OPS_MODEL"
    how += ", which build_executor_runner.sh --pte=FILE sets" if run.runner.kind == "arm_executor_runner" else ""
    return f"Rebuild the runner from exactly this .pte so that its operator list covers it ({how})"


def _in_lists(run: Run, name: str) -> bool:
    """Whether a build's list of operators can bring this kernel: up to 1.4 the bare-metal runner makes of it a library of portable ones alone."""
    space = name.partition("::")[0]
    return (
        space in _LISTED
        or (space in _LIBRARIES and not surely_before(run, (1, 5)))
        or run.runner.kind != "arm_executor_runner"
    )


def _names_operators_only(run: Run, seen: Evidence) -> bool:
    """True for runners that cannot take their operators from a program: those before 1.0, and those that read it when they run."""
    return run.runner.kind == "arm_executor_runner" and (surely_before(run, (1, 0)) or "semihosting" in seen.seen)


def _by_script(run: Run) -> str:
    """How the scripts of the release are told the operators."""
    if surely_before(run, (1, 0)):
        return " (run.sh --portable_kernels=...)" if surely_from(run, (0, 5)) else ""
    return " (build_executor_runner.sh --select_ops_list=...; for the tests in setup_testing.sh)"


def _unnamed_operator(run: Run, seen: Evidence) -> Finding | None:
    bad = seen.first("operators_missing")
    if bad is None:
        bad = next((t for t in seen.all("method_load_failed") if t.values.get("status") == OPERATOR_MISSING), None)
    bad = bad or nameless(seen, "resolve_operator", "get_op_function_from_registry")
    if bad is None:
        return None
    return error(
        "missing-operator", run, "The runner lacks kernels that the program needs",
        f"It says: {bad.text}." if bad.kind != "message_lost" else f"The function {bad.text} returned an error; the C library lost the operator's name.",
        "Rebuild the runner with every operator of the program in EXECUTORCH_SELECT_OPS_LIST." if _names_operators_only(run, seen) else f"{_from_the_program(run)}.",
        bad.line,
    )  # fmt: skip
