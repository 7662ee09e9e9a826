"""Runs that do not come to their end: limits, silence, and captures that stop before the run does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..collect.results import RUNNERS_OWN
from ..draft import Evidence
from ..last_words import WAITS, complaint
from ..outcome import Outcome
from ..report import Finding, Run
from .evidence import error
from .releases import simulator_parameter, surely_before
from .script import ended_with

JOB_LOST = "The container that ran the job was lost"
JOB_LOST_ADVICE = (
    "Run the job again; if it stops at the same place, check the host's memory and why its container was ended."
)

_CUT_SHORT = (
    (
        ("exit_this_sim", "fvp_stopped"), "The program ended at stage {} and does not say how",
        "The simulation was stopped, but there is no completion line before it, so this run did not pass as far as the log tells.",
        'Capture the whole console of the runner; any other program should print "Application exit code: 0." at its end.',
    ),
    (
        ("connection_lost",), "The connection was lost at stage {}",
        "What the target printed after that is not in this log, which says neither that the run passed nor that it failed.",
        "Record the console on the machine the board is connected to (tio --log, or tmux), and read it from there.",
    ),
    (
        ("port_lost",), "The serial port went away at stage {}",
        "What the target printed after that is not in this log, which says neither that the run passed nor that it failed.",
        "Check cable, hub and power, and whether the board resets (its port is then created again): the board lost its USB connection. A terminal that "
        "reopens the port itself (tio) loses less; no second program may read the same port.",
    ),
    (
        ("job_lost",), "The CI job was stopped by its host at stage {}",
        f"{JOB_LOST}, which says neither that the run passed nor that it failed.", JOB_LOST_ADVICE,
    ),
    (
        ("job_cancelled",), "The CI job was stopped at stage {}",
        "Someone or something cancelled the job, which says neither that the run passed nor that it failed.",
        "Run the job again; jobs of the same branch stop each other if the workflow has a concurrency group.",
    ),
)  # fmt: skip
"""What a log says of who ended it before the run did: the events, what happened (at which stage), what that means, what to do.
The first that was seen counts."""


def time_limit(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """The limit of the simulator or the host ended the run."""
    if run.status != "timeout":
        return None
    bad = seen.first("time_limit")
    job = seen.first("job_timeout") if bad is None else None
    emulator = seen.first("emulator_stopped")
    by_command = job is not None and job.text.endswith(("exit code 124.", "124"))
    if by_command and emulator is not None and "command" not in emulator.values:
        job = None  # QEMU says itself what stopped it, and the shell only adds the status
    npu = " The program has a delegate: if it hangs however long you wait, the NPU's interrupt does not arrive."
    npu = npu if "delegate_init" in seen.seen and run.stage == "execute" else ""
    if emulator is not None and "command" in emulator.values and bad is None and job is None:
        return error(
            "time-limit", run, f"The timeout command ended the run at stage {run.stage}", f"{emulator.text}.",
            "Give it more time (timeout counts seconds), or fewer inferences (--num_executions=N). A program with a delegate that hangs however long it "
            "gets is waiting for an NPU that is missing or does not answer.", emulator.line,
        )  # fmt: skip
    if emulator is not None and bad is None and job is None:
        return error(
            "time-limit", run, f"The timeout command stopped QEMU at stage {run.stage}", f"{emulator.text}.",
            "Give it more time; no QEMU machine has an NPU, so a program with a delegate waits there for ever.", emulator.line,
        )  # fmt: skip
    if job is not None and by_command:
        return error(
            "time-limit", run, f"The timeout command ended the run at stage {run.stage}", f"{job.text.rstrip('.')}, which is its status.",
            f"Give it more time (timeout counts seconds), or use a smaller model or fewer inferences.{npu}", job.line,
        )  # fmt: skip
    if job is not None:
        return error(
            "time-limit", run, f"The CI job's time limit ended the run at stage {run.stage}", f"{job.text.rstrip('.')}.",
            "Give the simulator a shorter limit than the job's (run_fvp.sh --timeout=SECONDS), so that the log shows what the program did until then; a CNN "
            "takes 10 to 20 minutes on an FVP, and one that hangs for hours is waiting for the NPU's interrupt.",
            job.line,
        )  # fmt: skip
    why = f"The host stopped it: {outcome.text}" if outcome and outcome.text else "The host stopped it"
    if bad is not None:
        why = bad.text
        given = seen.first("time_given") if "CPU time" in why else None
        if given is not None:
            why = f"{why.rstrip('.')}. The script gave the simulator {given.values['seconds']} seconds"
    more = f"{_limit_option(run, seen, why)}), or {_fast_option(run)} for a run without cycles"
    if bad is None and outcome is not None and outcome.of_any_program:
        more = "--timeout), or find out why nothing more came"
    return error(
        "time-limit", run, f"The time limit ended the run at stage {run.stage}", f"{why.rstrip('.')}.",
        f"Give it more time ({more}.{npu}",
        *((bad.line,) if bad else ()), run.last_line,
    )  # fmt: skip


def _by_its_script(run: Run) -> bool:
    """Whether ExecuTorch's run_fvp.sh may have started this: it knows no other firmware."""
    return run.runner.kind in ("arm_executor_runner", "other")


def _limit_option(run: Run, seen: Evidence, why: str) -> str:
    """What gives the simulator more time, and what that counts; scripts before 0.6 have no option for it."""
    if "Simulated" in why:
        return "--simlimit SECONDS of the simulator, which counts simulated seconds"
    if "Cycle" in why:
        return "--cyclelimit CYCLES of the simulator, which counts cycles"
    option = "run_fvp.sh --timeout=SECONDS" if _by_its_script(run) else "--timelimit SECONDS of the simulator"
    if "semihosting" in seen.seen and "fvp_command" not in seen.seen:
        option = "--timelimit SECONDS of the simulator, in ExecuTorch's own tests the timeout of backends/arm/test/runner_utils.py"
    elif "time_limit" in seen.seen and surely_before(run, (0, 6)):
        option = "--timelimit SECONDS in run_fvp of examples/arm/run.sh, which has no option for it in this release"
    return f"{option}; the limit counts host seconds, and a CNN takes 10 to 20 minutes on an FVP"


def _fast_option(run: Run) -> str:
    """What makes the NPU's model fast: run_fvp.sh knows the word since 1.4, the simulator always did."""
    if _by_its_script(run) and not surely_before(run, (1, 4)):
        return "--fast"
    return f"--fast in the simulator's {simulator_parameter(run.target.npu, 'ethosu.extra_args')}"


_OF_NPU = frozenset(
    (
        "delegate_init",
        "delegate_execute",
        "delegate_data",
        "tensor_permuted",
        "driver_step",
        "driver_init",
        "npu_config",
        "fvp_npu",
        "fvp_macs",
    )
)
"""What tells of a part of the program that is the NPU's, or of a target that has one."""
_WITHOUT_NPU = frozenset(("esp_started", "esp_ready", "esp_heap", "pico_started", "axon_started", "sketch_started"))
"""Programs for chips that have none, or none of this family."""
_SILENT = (
    "If the program has no NPU part, stop the CPU in a debugger and check the pc, the stack size, and whether the sections .got and .init_array reached the "
    "RAM: it most likely faulted, and its fault handler prints nothing. With an NPU part: "
)


def _who(seen: Evidence) -> str:
    """Who ended the program, as the log shows it."""
    return next((told.text for told in seen.odd if told.kind == "interrupted"), "someone interrupted it")


def _looked_at(run: Run) -> str:
    """What to look at where a run seems to stand still."""
    if run.runner.kind == "executor_runner":
        return "see whether it waits for the NPU: ls -l /dev/ethosu0; dmesg | tail"
    if run.target.platform in ("fvp", None) and _by_its_script(run):
        return f"wait longer: an FVP takes 10 to 20 minutes for a CNN, and less with {_fast_option(run)}"
    return "stop it in a debugger, and see where it stands"


def silence(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """Execution began, and nothing followed."""
    if run.status != "hung":
        return None
    at_end = seen.seen.get("npu_at_end", 0)
    if at_end > max(seen.seen.get("execute_start", 0), seen.seen.get("driver_step", 0)):
        return error(
            "hung", run, f"The log stops after stage {run.stage}, when the NPU had finished",
            "The NPU reached the end of its commands, and the program prints nothing after that; nothing says why.",
            "Capture for longer, in case it was still working; otherwise check that ethosu_irq_handler gives the semaphore that the program waits for "
            "(ethosu_semaphore_give), and that its next message can be written (a full trace buffer, a blocked UART).", at_end, run.last_line,
        )  # fmt: skip
    if seen.last_event == "iteration":
        return error(
            "hung", run, "The log ends between two inferences",
            "The runner counted its iterations up to the last line, so each inference returned; nothing says why no more follow.",
            "If nobody ended it (Ctrl+C, timeout, a closed terminal), check whether the kernel did (dmesg | tail), and whether it is always the same "
            "inference that does not return; the option num_executions sets how many there are.", run.last_line,
        )  # fmt: skip
    if "interrupted" in seen.seen and seen.last_event in WAITS:
        who = _who(seen)
        ended = "a signal ended it" if who.startswith("a signal") else "someone interrupted it"
        return error(
            "hung", run, f"The runner hung in its inference until {ended}",
            f"Its inputs were ready, no line of the runner follows, and the log shows that {who}.",
            "If the program has a part for the NPU, check that the kernel's driver and its firmware are running (ls -l /dev/ethosu0; dmesg | grep -i "
            "-e ethosu -e remoteproc): the runner waits for their answer. Otherwise let it run on: portable kernels may take minutes for a CNN.", run.last_line,
        )  # fmt: skip
    detail = "Execution began, nothing follows, and nothing says why."
    if "fvp_stopped" in seen.seen:
        detail = "Execution began, and nothing followed until someone stopped the simulator."
    if "delegate_init" in seen.seen:
        detail += " The program has a delegate, so the CPU most likely waits for the NPU."
    if not _WITHOUT_NPU.isdisjoint(seen.seen) and _OF_NPU.isdisjoint(seen.seen) and run.target.npu is None:
        computes = "no NPU: its CPU computes everything"
        if "axon_started" in seen.seen:
            computes = "no Ethos-U: its CPU computes, and its AXON NPU where the build has it"
        return error(
            "hung", run, f"The log stops after stage {run.stage}", f"{detail} This chip has {computes}.",
            "Capture for longer: portable kernels may take minutes for a CNN, and a task watchdog message in the meantime need not be fatal. If nothing "
            "comes, stop the CPU in a debugger, and check the pc and the stack size.", run.last_line,
        )  # fmt: skip
    npu = not _OF_NPU.isdisjoint(seen.seen) or run.target.npu is not None or run.runner.kind != "arm_executor_runner"
    if not npu:
        detail += " Nothing in it concerns an NPU."
    wired = "that the NPU's interrupt is wired (vector table in RAM, ethosu_irq_handler)"
    if npu and "fvp_stopped" in seen.seen:
        advice = f"Let it run on first: an FVP takes 10 to 20 minutes for a CNN, and less with {_fast_option(run)} (its cycles then mean nothing). "
        advice += (
            f"If still nothing comes, check {wired} and that the target has the NPU that the program was compiled for."
        )
    else:
        advice = f"{'Check' if npu else f'{_SILENT}check'} {wired} and its power is on, and that the target has the NPU that the program was compiled for"
        advice += (
            "."
            if run.target.platform == "board"
            else "; on an FVP it may also just be slow (a CNN takes 10 to 20 minutes)."
        )
    return error("hung", run, f"The log stops after stage {run.stage}", detail, advice, run.last_line)


_RESET_BY = {
    "watchdog": (
        "The watchdog reset the board at stage {}",
        "Nothing fed the watchdog within its time-out. The program was still working, or waiting for the NPU.",
        "Feed the watchdog while the model runs (from a timer interrupt or its own task), give it more time, or switch it off for a test; if an NPU "
        "inference never ends, check that the NPU's interrupt arrives (ethosu_irq_handler in the vector table).",
    ),
    "supply": (
        "The board's supply voltage collapsed at stage {}",
        "The voltage fell below what the chip needs, and it reset itself; a busy NPU draws more current than a waiting CPU.",
        "Use a supply, cable or port that delivers more current, with nothing else on it; lower the clock to see whether it helps.",
    ),
    "lockup": (
        "The core locked up at stage {}, and the board was reset",
        "A fault happened inside a fault handler, so nothing of it was printed.",
        "Enlarge the stack first, and print the registers in HardFault_Handler without printf; a debugger that halts at the vector shows the first fault.",
    ),
}  # fmt: skip
"""By what a board is reset of itself: the title, what that means, what to do."""


def board_reset(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """The board was reset before the run was over, and its firmware says by what."""
    told = seen.first("reset_told")
    if told is None or run.status not in ("failed", "truncated"):
        return None
    said = f"The log says of the reset: {told.text or 'no cause'}. "
    if told.values["by"]:
        title, means, advice = _RESET_BY[told.values["by"]]
        return error("board-reset", run, title.format(run.stage), said + means, advice, told.line)
    if run.status == "failed":
        return None  # of something else, and then somebody reset it
    return error(
        "board-reset", run, f"The board was reset at stage {run.stage}", f"{said}The run had not finished, and nothing says why it stopped.",
        "If nobody reset it (button, supply or debugger), check what its firmware does after an error.", told.line,
    )  # fmt: skip


_PROFILE = frozenset(("mlek_cycles", "mlek_beats", "mlek_active", "mlek_idle", "mlek_cpu", "mlek_time"))
"""What the evaluation kit prints last of an inference."""


_VALUES = frozenset(("output", "output_bool", "output_lost", "input", "input_bool"))
"""What a runner prints for other programs to read: it stands there without the log, too."""


_RESET = "If another run begins right after it, the target was reset."
_LOOP_RUNS, _BOOT_LINES = 3, 16
"""Runs in a row that end alike and are called a loop; lines that a boot may print between two of them."""


def in_a_loop(findings: list[Finding], runs: Sequence[Run]) -> list[Finding]:
    """The same findings; where several runs end alike, each directly after the one before, each says so.

    Excerpts of reports, as a filter leaves them, do not count.
    """
    reports = {run.index for run in runs if run.stage == "report"}
    cut = (f for f in findings if f.rule == "truncated-log" and _RESET in f.detail)
    titles = {f.run: f.title for f in cut if f.run not in reports}
    rows: dict[int | None, int] = {}
    before: Run | None = None
    for run in runs:
        alike = run.index in titles and before is not None and titles.get(before.index) == titles[run.index]
        follows = before is not None and run.first_line - before.last_line <= _BOOT_LINES
        rows[run.index] = rows[before.index] if before is not None and alike and follows else run.index
        before = run
    sizes = Counter(rows.values())

    def told(finding: Finding) -> Finding:
        size = sizes[rows.get(finding.run, 0)] if finding.run in titles and finding.rule == "truncated-log" else 0
        if size < _LOOP_RUNS:
            return finding
        loop = f"{size} runs in a row end like this, each right after the one before: if this is one complete capture, the target is in a reset loop."
        return finding._replace(detail=finding.detail.replace(_RESET, loop))

    return list(map(told, findings))


_DRIVER_STARTS = frozenset(("driver_init", "driver_based", "npu_of_chip", "driver_reset"))


def _of_another_sample(run: Run, seen: Evidence) -> bool:
    """Whether an application on Zephyr is not the port of arm_executor_runner, which alone ends as that does."""
    return run.runner.kind == "zephyr" and ("backend_ready" in seen.seen or RUNNERS_OWN.isdisjoint(seen.seen))


def _is_only_a_driver(run: Run, seen: Evidence) -> bool:
    """Whether nothing but the driver's start was read, and no line of the runtime stands below it."""
    return bool(seen.seen) and seen.seen.keys() <= _DRIVER_STARTS and run.last_line == max(seen.seen.values())


def truncated(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """What was captured of it ends before the run does: the log, or the target was reset."""
    if run.status != "truncated" or seen.last_event in ("board_reset", "rom_reset"):
        return None
    status = ended_with(seen)
    if status is not None:
        return error(
            "truncated-log", run, f"The simulation ended with status {status.code} at stage {run.stage}, before the run did",
            f"The log says: {status.said}; there is no completion line of the runner, so this run did not pass as far as the log tells.",
            status.advice, status.line,
        )  # fmt: skip
    for kinds, happened, means, advice in _CUT_SHORT:
        line = next((seen.seen[kind] for kind in kinds if seen.seen.get(kind)), None)
        if line is not None:
            return error("truncated-log", run, happened.format(run.stage), means, advice, line)
    if seen.seen.keys() == {"tensor_text"}:
        return error(
            "truncated-log", run, "The log has only executor_runner's outputs, and does not say how the run ended",
            "It prints them after the execution, which therefore finished; there is no other line.",
            "Build the runner with -DEXECUTORCH_ENABLE_LOGGING=ON (a Release build logs nothing), and capture its errors too (2>&1); echo $? shows how it "
            "ended.",
            run.first_line,
        )  # fmt: skip
    if seen.seen.get("interrupted", 0) > run.last_line:
        who = _who(seen)
        return error(
            "truncated-log", run, f"The run was interrupted at stage {run.stage}, before it was through",
            f"The log shows that {who}. There is no completion line, so this run did not pass.",
            f"Let it run to its end. If it was ended because nothing more came, {_looked_at(run)}.",
            run.last_line,
        )  # fmt: skip
    if _is_only_a_driver(run, seen):
        return error(
            "truncated-log", run, "The log has only the start of the NPU's driver, and no inference",
            f"No known line of an application follows: firmware that waits for jobs prints nothing more until one comes. {_RESET}",
            "If this is firmware beside Linux, run an inference there and read its trace again (/sys/kernel/debug/remoteproc/remoteproc0/trace0); otherwise "
            "capture the whole console; for a reset, check the board's power, watchdog and debugger.", run.last_line,
        )  # fmt: skip
    last = complaint(seen.trouble, run.last_line)
    detail = f"Its last line is an error message: {last.text}. " if last is not None else ""
    detail += "There is no completion line, so this run did not pass as far as the log tells."
    if run.runner.kind == "executor_runner":  # a process of Linux: no board is reset between two
        advice = 'Capture the whole console to its outputs ("Output 0: ..."), its errors too (2>&1); if it ended silently, see how (echo $?; dmesg | tail).'
    else:
        of_application = run.runner.kind in ("mlek", "other") or _of_another_sample(run, seen)
        end = (
            "up to the line where its program says it is done"
            if of_application
            else 'up to "Program complete, exiting."'
        )
        detail += f" {_RESET}"
        if run.outputs and run.runner.kind == "other" and seen.seen.keys() <= _VALUES:
            detail += " Only output values are here: a runner built without its log (EXECUTORCH_ENABLE_LOGGING=OFF) prints nothing else, not even its end."
        advice = f"Capture the whole console {end}; for a reset, check the board's power, watchdog and debugger."
    if run.runner.kind == "mlek" and seen.last_event == "mlek_arena_used":
        advice = (
            "If the console stopped there, check that the NPU's interrupt reaches the CPU, that it has power, and that it is the NPU the model was compiled "
            "for (on an FVP it may just be slow): the kit's inference_runner prints nothing between its list of operators and the end of the inference. "
            "Otherwise capture it to the end."
        )
    title = f"The run's output ends at stage {run.stage}, before the run is over"
    if seen.last_event in _PROFILE and run.runner.kind == "mlek":
        title = f"The log ends at stage {run.stage}, after the profile of an inference"
        detail = (
            "The kit prints a profile only after a finished inference, so the figures hold. How the application ended, and whether more inferences came and "
            "passed, is not in the log."
        )
        advice = 'For a verdict capture the console up to "Main loop terminated successfully.", or to the next menu.'
    return error("truncated-log", run, title, detail, advice, run.last_line)
