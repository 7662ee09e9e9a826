"""Why a run failed: all rules in causal order, with those about the run itself (inputs, execution, verdicts, aborts).

The order is that of cause and effect: never started, bad program, memory and parts missing at load, what the NPU
refused, what the runner gave up, faults and limits, results. The first rule that applies is the root cause.
"""

from __future__ import annotations

from ..draft import Evidence, Trouble
from ..error_codes import NO_MEMORY, status_name
from ..outcome import Outcome
from ..release.places import INPUT_REFUSED
from ..report import Finding, Run
from .board_memory import board_memory
from .crash import aborted, kernel_died, sanitizer
from .endings import board_reset, silence, time_limit, truncated
from .evidence import error, saying, unread_tensor
from .fault import fault
from .figures import lost_messages
from .judged_outputs import bundle, test_set
from .kernel_abort import kernel_abort
from .kernel_advice import advice_for
from .kernel_refusals import other_shape, refused
from .kit_platform import platform_not_ready
from .memory import etdump_memory, fast_pool, method_pool, temp_pool
from .middleware import middleware
from .missing_operator import missing_operator
from .npu import arch_mismatch, config_mismatch, delegate_tensors, npu_fault, output_size
from .npu_bits import bus_bit
from .npu_kernel import kernel_driver
from .pool_options import pool_names
from .possible_sizes import impossible_request
from .program import (
    LOAD_HINTS,
    backend_missing,
    bad_program,
    kernel_twice,
    memory_lock,
    vela_stream,
    weights_elsewhere,
)
from .releases import surely_from
from .script import script_says
from .start import false_success, file_missing, image_missing, image_unwritten, not_started, recorder
from .tensorflow import arena_too_small, heap_too_small, linux_delegate, resolver, schema, tensors

_CALL_HINTS = {
    0x21: "Enlarge the application's method pool and its temp pool (the NPU's scratch memory), or build with the runtime's log (ET_LOG_ENABLED), which names "
    "the size: a pool is too small, and nothing says which.",
    0x23: "Build with the runtime's log (ET_LOG_ENABLED) to see which it is: the program or its delegate is damaged, not 16-byte aligned or of another "
    "release, or the NPU is not the one it was compiled for.",
}


def method_load(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """The method could not be loaded, and nothing before it says why."""
    bad = (
        seen.first("method_load_failed", "backend_init_failed")
        or (seen.first("stream_malformed") if "execute_start" not in seen.seen else None)
        or saying(seen, "Loading of method ", "Ethos-U backend registration failed", "Failed parsing tensor ")
    )
    if bad is None:
        return None
    status = bad.values.get("status")
    title = f"Loading the method {bad.values.get('name', '')} failed".replace("  ", " ")
    if bad.text.startswith("Failed parsing tensor "):
        title = "A tensor of the program could not be read"
        status = status or (NO_MEMORY if unread_tensor(seen) is not None else None)
    if bad.kind == "backend_init_failed":
        title = f"The backend {bad.values.get('name')} could not load its part of the program"
    if status == NO_MEMORY:
        title += ": no memory"
    advice = LOAD_HINTS.get(
        -1 if status is None else int(status),
        "Read the backend's own lines before it for the reason. If there are none, check that the .pte is complete and of the runner's release."
        if bad.kind == "backend_init_failed"
        else "Read the line before it, which names the part that could not be loaded.",
    )
    if status == 0x31:
        advice = f"Enlarge the method pool ({pool_names(run, seen, 'method')}): the delegate got no memory."
    if saying(seen, "out of program buffer range 0") is not None:
        advice = "Build both from one release: the program keeps its weights in a segment, which this older runner does not read."
    if status == 0x20 and bad.kind == "backend_init_failed":
        advice = (
            "The backend is linked, and what it looked for as it began is missing: read its own lines before it. Weights in a .ptd file must be given to the "
            "runner beside the .pte, and both must come from one export."
        )
    if status == 0x20 and "backend_missing" in seen.seen:
        advice = "Read the line before it, which names the backend."
    if "method_loaded" in seen.seen:
        advice += ' The "Method loaded" line after it is printed in any case.'
    return error("method-load-failed", run, title, _reported(bad) + _reason(seen, bad), advice, bad.line)


_TYPE_ADVICE = "Give the input in the type that the exported graph takes: float32 if the program begins with a quantise node, int8 if it was exported with int8 inputs."


def inputs(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """Inputs of the wrong size or type."""
    wrong = seen.first("input_mismatch") or saying(seen, "and tensor size (", "Input tensor expects ")
    failed = seen.first("inputs_failed", "job_inputs_failed") or saying(
        seen, "Failed to prepare input", "Failed to set input: error"
    )
    lines = tuple(t.line for t in (wrong, failed) if t is not None)
    if wrong is not None:
        size, wanted = wrong.values.get("size"), wrong.values.get("expected")
        title = (
            f"The input has {size} bytes, and the model takes {wanted}"
            if wanted is not None
            else "The input has the wrong size"
        )
        advice = "Write the input file with the model's type and shape: element size times number of elements"
        if isinstance(size, int) and isinstance(wanted, int) and size and wanted:
            advice += _ratio(size, wanted)
        detail = f"{wrong.text}."
        if run.status == "passed":
            detail += " The runner carried on with whatever was in that input's memory: its outputs are not results."
        return error("input-size-mismatch", run, title, detail, f"{advice}.", *lines)
    bad = saying(
        seen,
        "has unexpected scalar type",
        "input tensor's scalartype does not meet",
        "was expected to have type",
        "Unhandled ScalarType",
        "Unsupported input type",
        "was expected to be a Tensor",
        "multiple tensor inputs",
    )
    if bad is not None and (
        "unexpected scalar type" in bad.text or "to have type" in bad.text or "scalartype" in bad.text
    ):
        return error(
            "input-type", run, "An input has the wrong type for the model", f"{bad.text.rstrip('.')}.", _TYPE_ADVICE, bad.line, *lines,
        )  # fmt: skip
    if bad is not None:
        return error(
            "input-type", run, "The runner cannot fill an input of this data type", f"{bad.text}.",
            "Export the model with float, int or int8 inputs, or with a single tensor input if the runner takes only one.",
            bad.line, *lines,
        )  # fmt: skip
    count = saying(seen, "Wrong number of inputs")
    if count is not None:
        return error(
            "inputs-failed", run, "The runner got more or fewer inputs than the method takes", f"{count.text}.",
            "Give the runner as many input files as the method has inputs, in order "
            f"({'`--inputs=A.bin,B.bin`' if run.runner.kind == 'executor_runner' else 'one -i for each'}).", count.line, *lines,
        )  # fmt: skip
    absent = next((t for t in seen.trouble if t.text.startswith("input ") and t.text.endswith(" is none")), None)
    if absent is not None:
        return error(
            "inputs-failed", run, f"{absent.text.removesuffix(' is none').capitalize()} was never given a value", f"{absent.text}.",
            "The method takes more inputs than the application sets (they are counted from 0): give all of them to forward(), in the order of the "
            "exported example inputs.", absent.line, *lines,
        )  # fmt: skip
    failed = failed or saying(seen, *INPUT_REFUSED)
    if failed is None:
        return None
    shape = next(
        (t for t in seen.trouble if failed.line - 6 < t.line < failed.line and t.text.startswith(_OTHER_SHAPE)), None
    )
    said = str(failed.values.get("said") or "")
    if shape is not None or said.startswith(_OTHER_SHAPE):
        told, *lines_of_it = (said,) if shape is None else (shape.text, shape.line)
        return error(
            "inputs-failed", run, other_shape(told, failed.text), f"{_reported(failed)} It says: {told.rstrip('.')}.",
            "Give the input in the shape of the example inputs that the model was exported with, or export it again with that shape.", failed.line, *lines_of_it,
        )  # fmt: skip
    if said:
        return error(
            "input-type",
            run,
            "An input has the wrong type for the model",
            f"{_reported(failed)} It says: {said.rstrip('.')}.",
            _TYPE_ADVICE,
            *lines,
        )
    if failed.values.get("status") == NO_MEMORY:
        pool = f"Enlarge the pool they are allocated from: {pool_names(run, seen, 'temp' if 'server_mode' in seen.seen else 'method')}."
        of_host = "Check the host's free memory (free -m) and its limits (ulimit -v), and whether the sizes in the program can be right."
        return error(
            "inputs-failed", run, "There is not enough memory for the inputs", _reported(failed),
            of_host if run.runner.kind == "executor_runner" else pool, failed.line,
        )  # fmt: skip
    return error(
        "inputs-failed", run, "The inputs could not be prepared", _reported(failed),
        "Check that the input file has the model's type and size, and that the runner knows the input's type (0x12 is a wrong "
        "size or type).", failed.line,
    )  # fmt: skip


_OTHER_SHAPE = ("Attempted to resize a ", "Attempted to change the tensor rank")
"""What ExecuTorch's tensors say of a shape that is not the planned one."""


def _ratio(size: int, wanted: int) -> str:
    if size * 4 == wanted:
        return "; the file is four times too small, as int8 data for a float input would be"
    if wanted * 4 == size:
        return "; the file is four times too large, as float data for an int8 input would be"
    return ""


def execution(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """The method gave up while it ran."""
    bad = seen.first(
        "npu_timed_out", "invocation_failed", "kernel_failed", "delegate_failed", "execution_failed", "mlek_failed", "mlek_invoke_failed",
        "node_failed", "node_unprepared", "invoke_failed",
    )  # fmt: skip
    bad = bad or saying(seen, "Invoke failed", "Execution of method ", "Instruction execution limit",
                        "execute() == Error::Ok", "Failed to execute: error")  # fmt: skip
    if bad is None:
        return None
    status = seen.first("npu_status")
    lines = [bad.line] if status is None else [status.line, bad.line]
    detail = _reported(bad) if status is None else f"{_reported(bad)} The driver printed {status.text}."
    reason = _reason(seen, bad)
    kernel = seen.first("kernel_failed") or seen.first("node_failed") or seen.first("node_unprepared")
    unprepared = kernel is not None and kernel.kind == "node_unprepared"
    if kernel is not None and bad is kernel and (unprepared or kernel.values.get("name") not in (None, "ethos-u")):
        failed = "could not be prepared" if unprepared else "failed"
        known = refused(reason) if "::" in str(kernel.values["name"]) else None
        failed += f": {known.found}" if known is not None and known.found else ""
        return error(
            "operator-failed", run, f"The operator {kernel.values['name']} {failed}", detail + reason,
            advice_for(str(kernel.values["name"]), reason), *lines,
        )  # fmt: skip
    advice = "Read the lines just before it, which say which operator or driver call failed."
    if seen.trouble[0].line == bad.line and not reason and bad.text.startswith(_OF_METHOD):
        advice = _NOTHING_BEFORE
    if bad.kind == "invocation_failed" and status is None and not reason and seen.trouble[0] is bad:
        advice = _DRIVER_SILENT
    if "pack_forward_failed" in seen.seen and seen.trouble == (bad,):
        detail += " This call loads the program and its method, and runs the method."
        code = int(bad.values.get("status") or 0)
        advice = _CALL_HINTS.get(code, "Build with the runtime's log (ET_LOG_ENABLED) to see where it failed.")
    # others count calls of the NPU, and the server counts the one that failed
    counts = run.runner.kind == "arm_executor_runner" and surely_from(run, (1, 0)) and "server_mode" not in seen.seen
    if run.cycles.inferences and counts:
        detail += (
            f" {run.cycles.inferences} earlier inferences finished."
            if run.cycles.inferences > 1
            else " One earlier inference finished."
        )
    early = bad.kind == "mlek_failed" and run.stage not in ("execute", "report", "complete")
    title = "The application stopped before its inference" if early else "The inference failed"
    return error("execution-failed", run, title, detail + (reason if status is None else ""), advice, *lines)


_OF_METHOD = ("Execution of method ", "In function run_model(), assert failed ", "CALL_DELEGATE ")
"""How an ExecuTorch runner says that an inference failed, or its runtime."""
_NOTHING_BEFORE = (
    "Capture stderr as well, where ExecuTorch's runtime and the NPU's driver print their errors, and build with the runtime's log "
    "(EXECUTORCH_ENABLE_LOGGING=ON): no line before it says which operator or driver call failed."
)
_DRIVER_SILENT = (
    "Capture what the NPU's driver prints on stderr, and if it is silent build it with ETHOSU_LOG_ENABLE=1 and ETHOSU_LOG_SEVERITY=info: its call failed, "
    "and the log does not say why (another NPU, a time-out, a bus error)."
)


def _reason(seen: Evidence, bad: Trouble) -> str:
    """What an operator or the driver said just before it failed: the first of the error lines that stand right above."""
    said = [t.text for t in seen.trouble if _tells(t) and bad.line - 6 < t.line < bad.line]
    said = said or [text for text in (bad.values.get("said"),) if text]
    return f" It says: {said[0].rstrip('.: ')}." if said else ""


def _tells(trouble: Trouble) -> bool:
    plain = trouble.kind == "message" and trouble.level == "E"
    return plain or trouble.kind == "operator_type" or trouble.text.startswith("E: ")


def _reported(bad: Trouble) -> str:
    code = bad.values.get("status")
    if code is None:
        return f"The runner says: {bad.text.rstrip('.')}."
    return f"{bad.text.split(': 0x')[0].split(' with status')[0]}: status {status_name(code)}."


def results_lost(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """The Linux runner could not write what it measured or computed, and gave up only for that."""
    bad = saying(seen, "Failed to open ETDump file", "Failed to save ETDump file", "Failed to open output file")
    if bad is None:
        return _file_left_out(run, seen)
    done = " The model had already run by then." if seen.seen.keys() & {"executed_times", "executed"} else ""
    return error(
        "results-not-written", run, "The runner could not write one of its result files", f"It says: {bad.text.rstrip('.')}.{done}",
        "Check the path of --etdump_path or --output_file as the runner sees it: its folder must exist, be writable, and have room.", bad.line,
    )  # fmt: skip


def _file_left_out(run: Run, seen: Evidence) -> Finding | None:
    """The bare-metal runner with semihosting goes on without the file."""
    bad = saying(seen, "Could not open output file ", "Failed to write whole output file ", "Could not open etdump ")
    if bad is None:
        return None
    return Finding(
        "results-not-written", "warning", run.index, "The runner could not write one of its result files", f"It says: {bad.text.rstrip('.')}.",
        "Check the semihosting folder (semihosting-cwd; run_fvp.sh --semihosting-cwd), which relative paths start from: it must exist, be writable, and "
        "have room.", (bad.line,),
    )  # fmt: skip


def fatal(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """An F line that no rule explains."""
    bad = next((t for t in seen.trouble if t.level == "F" or t.kind == "fvp_critical"), None)
    if bad is None:
        return None
    if bad.kind == "fvp_critical":
        return error("simulator-critical", run, "The simulator reports a critical error", f"{bad.text}.",
                      "Check the simulator's options and the image that it loads.", bad.line)  # fmt: skip
    cause = next((t for t in seen.trouble if t.level == "E" and t.line < bad.line), None)
    before = f" The first error before it: {cause.text}." if cause is not None else ""
    lines = (bad.line, cause.line) if cause is not None else (bad.line,)
    return error("fatal-message", run, "The runner aborted", f"It printed: {bad.text}.{before}",
                  "Read the lines before it for the cause; an F line ends the run.", *lines)  # fmt: skip


def camera(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """An application that waits for pictures of a camera that is not there."""
    bad = seen.first("camera_failed")
    if bad is None:
        return None
    return error(
        "camera-silent", run, "The camera does not answer, so no picture comes to the model", f"{bad.text}; the NPU is not the cause.",
        "Seat its ribbon cable again, check that the firmware was built for this sensor (CIS_SUPPORT_INAPP_MODEL in the application's .mk file), and "
        "switch the power off and on: a reset alone leaves a sensor as it was.", bad.line,
    )  # fmt: skip


def exit_code(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """A simulated application that returned an error."""
    bad = seen.first("exit_code")
    if bad is None:
        return None
    title, detail = f"The application ended with exit code {bad.values['code']}", f"{bad.text}."
    if bad.text.startswith("An inference job"):
        title, detail = bad.text, "A job's status does not say why; 0 is success."
    return error("exit-code", run, title, detail, "Read the lines before it.", bad.line)


_SHAPES = "Give the inputs in the shape of the example inputs that the model was exported with, or export it with dynamic shapes that cover these."


def unexplained(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """A failed run that no rule explains; `findings.py` drops this finding where another rule applied."""
    if run.status != "failed":
        return None
    bad = next((t for t in seen.trouble if t.kind != "message" or t.level != "E"), None) or next(
        iter(seen.trouble), None
    )
    title, advice = "The run failed", "Read the lines around it."
    known = refused(bad.text) if bad is not None else None
    if bad is not None and known is not None and bad.text.startswith(_OTHER_SHAPE):
        title, advice = other_shape(bad.text, "").replace("An input", "An input or a result", 1), _SHAPES
    elif known is not None and known.found and known.advice:
        title, advice = f"An operator was given {known.found}", known.advice
    return error(
        "run-failed", run, title,
        f"The log says: {bad.text.rstrip('.')}." if bad is not None and bad.text else "The log says so but gives no reason.",
        advice, bad.line if bad is not None else run.last_line,
    )  # fmt: skip


_LOST_OPERATOR = "Missing operator: [z"
"""A line whose name the C library lost; `missing-operator` tells what it is about."""


def error_messages(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """`error-messages`: lines that the runner itself calls errors."""
    lost = {t.line for t in seen.all("message_lost")}
    said = (t for t in seen.trouble if t.kind == "message" and t.level == "E" and t.line not in lost)
    errors = [t for t in said if not t.text.startswith(_LOST_OPERATOR)]
    if not errors:
        return None
    return Finding(
        "error-messages", "warning" if run.status == "passed" else "info", run.index,
        f"The runner printed {len(errors)} error message{'s' if len(errors) > 1 else ''}",
        f"The first is: {errors[0].text.rstrip('.')}.", "Read them in the log.", tuple(t.line for t in errors[:20]),
    )  # fmt: skip


FAILURE_RULES = (
    not_started, image_missing, file_missing, recorder, memory_lock, bad_program, kernel_twice, impossible_request, method_pool, fast_pool, board_memory,
    arena_too_small, heap_too_small, schema, linux_delegate, missing_operator, resolver, backend_missing, weights_elsewhere, kernel_died, config_mismatch,
    arch_mismatch, kernel_driver, vela_stream, temp_pool, output_size, delegate_tensors, npu_fault, bus_bit, test_set, inputs, method_load, tensors,
    execution, kernel_abort, bundle, etdump_memory, results_lost, sanitizer, fatal, fault, aborted, exit_code, camera, board_reset, middleware, platform_not_ready, unexplained, lost_messages,
    time_limit, silence, truncated, false_success, script_says, image_unwritten, error_messages,
)  # fmt: skip
"""In causal order; `findings.py` makes the first error the root and the others what follows from it."""
