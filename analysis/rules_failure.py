"""Why a run failed: rules in causal order, each with the fix in the user's own numbers."""

from __future__ import annotations

from .draft import Evidence
from .outcome import Outcome
from .report import Finding, Run
from .rules_memory import fast_pool, method_pool, temp_pool
from .verdict import error

_STATUS = {
    0x01: "Internal", 0x02: "InvalidState", 0x03: "EndOfMethod", 0x10: "NotSupported", 0x11: "NotImplemented",
    0x12: "InvalidArgument", 0x13: "InvalidType", 0x14: "OperatorMissing", 0x20: "NotFound",
    0x21: "MemoryAllocationFailed", 0x22: "AccessFailed", 0x23: "InvalidProgram", 0x24: "InvalidExternalData",
    0x25: "OutOfResources", 0x30: "DelegateInvalidCompatibility", 0x31: "DelegateMemoryAllocationFailed",
    0x32: "DelegateInvalidHandle",
}  # fmt: skip
_NO_MEMORY = 0x21


def status_name(code: int | None) -> str:
    """An ExecuTorch status as people know it: "0x21 (MemoryAllocationFailed)"."""
    if code is None:
        return "an unknown status"
    return f"0x{code:02x} ({_STATUS[code]})" if code in _STATUS else f"0x{code:02x}"


def not_started(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    if run.status != "not_started":
        return None
    launch = seen.first("launch_failed")
    why = f"The launch failed: {launch.text}." if launch else "A launch is visible, but no line of a runner follows."
    said = seen.first("console")
    if said is not None:
        why = f"Nothing of a runner was printed; the last line is: {said.text}."
    elif launch is None and outcome is not None:
        why = "Nothing of a runner was printed."
    if outcome is not None and outcome.text:
        why = f"{why} The host says: {outcome.text}."
    advice = "Check that the simulator is built for this machine and on PATH, and start it by hand once."
    if "script_no_problems" in seen.seen:
        why += ' The script\'s own "No problems found!" proves nothing, since it only looks for known error lines.'
    return error(
        "never-started", run, "The runner never started", why, advice, launch.line if launch else run.first_line
    )


def file_missing(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    bad = seen.first("file_open_failed")
    if bad is None:
        return None
    path, errno = bad.values.get("path"), bad.values.get("errno")
    why = "it does not exist" if errno == 2 else f"errno {errno}"
    return error(
        "input-file-missing", run, f"The runner could not open {path}", f"Semihosting could not read the file: {why}.",
        "Give the path as seen from the semihosting folder (semihosting-cwd), and check the file name.", bad.line,
    )  # fmt: skip


def bad_program(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    magic = seen.first("identifier_mismatch")
    load = seen.first("program_load_failed")
    if magic is None and load is None:
        return None
    first = magic or load
    assert first is not None
    at = f" at {run.model.address}" if run.model.address else ""
    detail = f"Loading the program{at} failed"
    if load is not None:
        detail += f" with status {status_name(load.values.get('status'))}"
    if magic is not None:
        detail += (
            f"; its identifier is '{magic.values.get('found')}' where '{magic.values.get('expected')}' was expected"
        )
    return error(
        "program-load-failed", run, "The memory does not hold a program that this runner can load", f"{detail}.",
        "Check the address at which the .pte was placed, its 16-byte alignment and size, and that .pte and runner come "
        "from the same ExecuTorch release (a .bpte needs a runner with BundleIO).", first.line, (load or first).line,
    )  # fmt: skip


def missing_operator(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    missing = seen.all("operator_missing") or seen.all("kernel_missing")
    if not missing:
        return None
    names = list(dict.fromkeys(str(t.values["name"]) for t in missing))
    listed = ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")
    advice = "Rebuild the runner from this very .pte so that its operator list covers it, or add the operators to the "
    advice += "select list (--portable_kernels)"
    if any(name.startswith(("cortex_m::", "quantized_decomposed::")) for name in names):
        advice += (
            "; cortex_m:: and quantized_decomposed:: operators come from their own libraries, which must be linked"
        )
    return error(
        "missing-operator", run, f"The runner has no kernel for {names[0] if len(names) == 1 else f'{len(names)} operators'}",
        f"Not linked into the runner: {listed}.", f"{advice}.", *(t.line for t in missing[:20]),
    )  # fmt: skip


def backend_missing(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    bad = seen.first("backend_missing")
    if bad is None:
        return None
    name = bad.values["name"]
    return error(
        "backend-not-registered", run, f"The runner does not contain the backend {name}",
        "The program has a delegate for it, and this runner was built (or linked) without it.",
        "Link the backend library with --whole-archive, build the runner for an Ethos-U target, or run a program "
        "without delegates here.", bad.line,
    )  # fmt: skip


def config_mismatch(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    bad = seen.first("config_mismatch")
    if bad is None:
        return None
    what, npu, model = str(bad.values["what"]), int(bad.values["npu"]), int(bad.values["model"])
    if what == "macs_per_cc" and 0 <= npu < 16 and 0 <= model < 16:
        detail = f"The NPU has {1 << npu} MACs per cycle and the model was compiled for {1 << model}."
    else:
        detail = f"{what} is {npu} on the NPU and {model} in the model."
    return error(
        "npu-config-mismatch", run, "The model was compiled for another NPU configuration", detail,
        "Use the same --target for the compile, the runner build and the FVP (ethosu.num_macs).", bad.line,
    )  # fmt: skip


def method_load(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    bad = seen.first("method_load_failed", "backend_init_failed", "stream_malformed", "inputs_failed")
    if bad is None:
        return None
    if bad.kind == "inputs_failed":
        title = "The inputs could not be prepared"
        wrong = seen.first("input_mismatch")
        if wrong is not None:
            size, wanted = wrong.values["size"], wrong.values["expected"]
            return error(
                "input-size-mismatch",
                run,
                f"The input has {size} bytes where the model takes {wanted}",
                f"{wrong.text}.",
                "Write the input file with the model's type and shape: element size times number of elements.",
                wrong.line,
                bad.line,
            )
        advice = "Check that the input file has the model's type and size, and that the runner knows the input's type."
    else:
        title = f"Loading the method {bad.values.get('name', '')} failed".replace("  ", " ")
        if bad.values.get("status") == _NO_MEMORY:
            title += ": no memory"
        advice = "The line before names the part that could not be loaded."
        if "method_loaded" in seen.seen:
            advice += ' The "Method loaded" line after it is printed in any case.'
    code = bad.values.get("status")
    detail = f"The runner reports status {status_name(code)}." if code is not None else f"The runner says: {bad.text}."
    rule = "inputs-failed" if bad.kind == "inputs_failed" else "method-load-failed"
    return error(rule, run, title, detail, advice, bad.line)


def execution(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    bad = seen.first(
        "npu_timed_out", "invocation_failed", "kernel_failed", "delegate_failed", "execution_failed", "mlek_failed"
    )
    if bad is None:
        return None
    code = bad.values.get("status")
    detail = f"{bad.text}." if code is None else f"{bad.text.split(': 0x')[0]}: status {status_name(code)}."
    status = seen.first("npu_status")
    lines = [bad.line]
    if status is not None:
        lines.insert(0, status.line)
        detail += f" The driver printed {status.text}."
    return error(
        "execution-failed", run, "The inference failed", detail,
        "The lines just before say which operator or driver call gave up.", *lines,
    )  # fmt: skip


def bundle(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    bad = seen.first("bundle_fail", "bundle_verify_failed", "model_run")
    if bad is None:
        return None
    result = run.bundleio
    if bad.kind == "model_run" and result is None:
        return error("model-run-0", run, "The runner reports Model run: 0", "The run ended without success.",
                      "Look at the lines before it.", bad.line)  # fmt: skip
    figures = []
    if result is not None and result.max_absolute_error is not None:
        figures.append(f"the largest absolute error is {result.max_absolute_error:g}")
    if result is not None and result.rtol is not None and result.atol is not None:
        figures.append(f"the tolerances are rtol {result.rtol:g} and atol {result.atol:g}")
    detail = "The outputs differ from the reference data of the bundled program"
    return error(
        "bundleio-fail", run, "BundleIO: the outputs do not match the reference",
        f"{detail}{': ' + ', '.join(figures) if figures else ''}.",
        "Compare with the quantised model on the host; if the error is only a few steps, widen ET_ATOL and ET_RTOL.",
        bad.line,
    )  # fmt: skip


def fault(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    bad = seen.first("hard_fault", "fault_banner")
    if bad is None:
        return None
    registers = seen.first("fault_status")
    detail = f"The CPU faulted: {bad.text}."
    if registers is not None:
        detail += f" {registers.text}."
    advice = "Look up the pc in the ELF (addr2line); an empty .got or a stack that is too small are the usual causes."
    if run.stage == "start" and not run.model.pte_bytes:
        advice = "It happened before the program was read: check the address that the runner was given for the .pte."
    lines = [bad.line] + ([registers.line] if registers else [])
    return error("hard-fault", run, "Hard fault on the target", detail, advice, *lines)


def aborted(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    if run.status != "failed" or outcome is None or outcome.reason != "ended" or (outcome.code or 0) >= 0:
        return None
    return error(
        "emulator-aborted",
        run,
        f"The simulator was ended by signal {-(outcome.code or 0)}",
        outcome.text or "It ended by a signal before the runner was through.",
        "Start it once by hand with the same command; a crash of the simulator itself is for its vendor.",
        run.last_line,
    )


def fatal(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    bad = next((t for t in seen.trouble if t.level == "F" or t.kind == "fvp_critical"), None)
    if bad is None:
        return None
    return error("fatal-message", run, "The runner aborted", f"It printed: {bad.text}.",
                  "An F line ends the run; the lines before it say what led there.", bad.line)  # fmt: skip


def exit_code(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    bad = seen.first("exit_code")
    if bad is None:
        return None
    return error("exit-code", run, f"The application ended with exit code {bad.values['code']}", f"{bad.text}.",
                  "Look at the lines before it.", bad.line)  # fmt: skip


def unexplained(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    if run.status != "failed":
        return None
    bad = next((t for t in seen.trouble if t.kind != "message" or t.level != "E"), None)
    return error(
        "run-failed",
        run,
        "The run failed",
        f"The log says: {bad.text}." if bad is not None and bad.text else "The log says so without giving a reason.",
        "Look at the lines around it.",
        bad.line if bad is not None else run.last_line,
    )


def time_limit(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    if run.status != "timeout":
        return None
    bad = seen.first("time_limit")
    why = (
        f"{bad.text}"
        if bad
        else f"The host stopped it: {outcome.text}"
        if outcome and outcome.text
        else "The host stopped it"
    )
    return error(
        "time-limit", run, f"The time limit ended the run at stage {run.stage}", f"{why.rstrip('.')}.",
        "Give it more time (--timeout; the limit counts host seconds, and a CNN takes 10 to 20 minutes on an FVP), or "
        "find out why the NPU never answers if the log stands still after the start of execution.",
        bad.line if bad else run.last_line,
    )  # fmt: skip


def silence(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    if run.status != "hung":
        return None
    return error(
        "hung", run, f"The log stands still after stage {run.stage}",
        "Execution began, nothing came after it, and nothing says why.",
        "Check that the NPU's interrupt is wired and its power is on, and that the target has an NPU of the compiled "
        "kind; on an FVP it may also just be slow.", run.last_line,
    )  # fmt: skip


def truncated(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    if run.status != "truncated":
        return None
    return error(
        "truncated-log", run, f"The log ends at stage {run.stage}, before the run does",
        "There is no completion line, so this run did not pass as far as the log tells.",
        "Capture the whole console up to \"Program complete, exiting.\".", run.last_line,
    )  # fmt: skip


FAILURE_RULES = (
    not_started, file_missing, bad_program, method_pool, fast_pool, temp_pool, missing_operator, backend_missing, config_mismatch,
    method_load, execution, bundle, fault, aborted, fatal, exit_code, unexplained, time_limit, silence, truncated,
)  # fmt: skip
