"""Which events begin, continue and end a run: the tables and questions that `runs.py` decides by."""

from __future__ import annotations

from ..carriers.console_file import launched_anew, shown_behind
from ..last_words import ends_in_error
from ..line import SEVERE
from ..named_tuple import TYPE_CHECKING
from .at_work import begins_with, goes_on, judged, leaves, loads_anew, of_others, said_alone, still_begins, tests_anew

if TYPE_CHECKING:
    from ..draft import RunDraft
    from ..lines import Line
    from ..patterns import Event

OPENERS = frozenset(
    (
        "threads", "semihosting", "reading_model", "model_at", "pte_at", "pte_magic", "pte_size", "model_file", "methods", "backend_ready",
        "runtime_ready", "sketch_started", "model_size", "cmsis_started", "esp_started", "esp_ready", "cm33_started", "rtt_platform",
        "vision_started", "vsi_started", "beken_started", "beken_loaded", "mailbox_pte", "mera_started", "hpx_started", "aen_started",
        "alif_started", "rtt_model", "psoc_started", "psoc_model", "renesas_started", "example_size", "example_started", "mlek_device", "mlek_clock",
        "tflm_start", "npu_asked", "npu_capable", "tflite_device", "pico_started", "npu_banner", "npu_summary", "pack_model", "bench_arena_size",
    )
)  # fmt: skip
"""Events that only the start of a run prints."""

LAUNCH = frozenset(("fvp_config", "fvp_terminal", "fvp_npu", "fvp_version", "fvp_command", "debugger_started", "launch_failed"))  # fmt: skip
"""Events by which a host starts a target."""

BEFORE_BOOT = LAUNCH | {"stranger", "driver_init", "driver_based", "npu_of_chip", "driver_failed", "driver_product", "driver_reset", "npu_named"}  # fmt: skip
"""What may stand before Zephyr's banner and belongs to the same start: drivers print first."""

ZEPHYR_WORDS = frozenset(("input_room", "planned_total", "backend_ready", "input_image", "zephyr_outputs"))
"""What only the samples for Zephyr print."""

HINTS = frozenset(
    ("runner_build", "program_file", "aot_command", "e2e_flow", "pte_place", "fvp_macs", "fvp_called", "kernel_npu", "machine_model", "emulator_called", "serial_port", "serial_left",
     "kit_memory_mode", "board_called", "impulse_chip")
)  # fmt: skip
"""What scripts say about the run that they prepare. These facts wait for the run and begin none themselves."""

_SCRIPT = frozenset(
    ("script_done", "script_no_problems", "script_problems", "script_check", "script_search", "script_bundle",
     "script_bundle_missing", "script_failed", "said_failed", "damaged_fail", "torn_fail", "glued_fail", "quoted_problems", "fvp_note",
     "image_write_failed")
)  # fmt: skip
_ETDUMP = frozenset(
    ("etdump_open", "etdump_heredoc", "etdump_close", "etdump_writing", "etdump_file", "etdump_fence", "etdump_command",
     "etdump_size", "etdump_data", "etdump_cut", "etdump_script", "etdump_end")
)  # fmt: skip
_OF_JOB = frozenset(("job_timeout", "job_cancelled", "job_lost"))
_OF_KERNEL = frozenset(("kernel_region", "kernel_firmware", "kernel_message", "kernel_version", "kernel_unsent"))
TRAILERS = frozenset(
    ("exit_code", "exit_this_sim", "time_limit", "fvp_stopped", "fvp_critical", "fvp_warning", "fault_status", "fault_detail", "crash_frame", "emulator_stopped", "server_done", "connection_lost", "port_lost", *_OF_KERNEL, *_OF_JOB, *_SCRIPT, *_ETDUMP)
)  # fmt: skip
"""What may follow the end of a run and still belongs to it."""

CLOSING = frozenset(("exit_this_sim", "fvp_stopped", "emulator_stopped", "script_done"))

_PARTS = frozenset(
    ("elided", "zephyr_element", "label_score", "raw_element", "raw_byte", "raw_elided", "dump_skipped", "kernel_dtype")
)
_COMMON_WORDS = frozenset(
    ("vad_frame", "vad_segments", "vad_dump", "program_loading", "program_loaded", "input_loaded", "output_saved", "neutron_started", "neutron_complete",
     "esp_complete", "port_failed", "sanitizer", "allocator_start", "esp_report", "esp_heap", "demo_complete", "demo_named", "demo_model_size", "mlek_time",
     "kit_time", "kit_live", "kit_platform", "tflm_done", "tflm_arena_size", "tflm_counters", "tflm_cycles", "rtt_passed", "rtt_refused", "rtt_released",
     "rtt_changed", "kit_heap_full", "kit_step_failed", "kit_gave_up", "example_running", "example_unfit", "job_size_differs",
     "job_inputs_failed", "job_outputs_differ",
     "kit_asks", "kit_core", "kit_terminating", "kit_samples", "kit_failed", "kit_refused", "kit_active", "kit_idle", "kit_cpu", "kit_total_time", "tflm_status",
     "driver_done", "step_running", "step_done", "step_timed", "loading_from", "mlek_menu", "tflm_waiting", "bundle_verified",
     "task_macs", "task_arch", "task_driver", "npu_driver", "npu_tool_failed", "npu_tool_unrun", "task_ready", "outputs_differ", "loader_program_failed", "loader_meta_failed", "loader_method_failed",
     "loader_size_differs", "loader_input_failed", "loader_execution_failed", "pico_running", "pico_time", "pico_predicted", "pico_results", "pico_methods", "pico_method", "pico_planned",
     "pico_failed", "pico_program_failed", "pico_meta_failed", "pico_method_failed", "psoc_size", "psoc_arena", "psoc_frames", "psoc_accurate", "psoc_inaccurate", "psoc_done", "psoc_failed",
     "psoc_stopped", "psoc_unfed", "himax_ready", "himax_failed", "himax_ticks", "renesas_frame", "impulse_result", "impulse_returned",
     "impulse_failed", "nuvoton_size", "vision_failed", "vsi_ended", "loop_begun", "loop_class", "loop_time", "himax_invoked",
     "himax_invoke_failed", "himax_shape", "himax_step", "himax_unplanned", "himax_unreserved", "himax_input", "himax_results",
     "himax_result", "himax_class",
     "alif_npu", "alif_board", "output_elements", "class_best", "class_named", "class_sure", "tflm_seen", "tflm_class", "tflm_label",
     "tflm_person", "tflm_sure", "tflm_running", "tflm_finished", "alif_stopped", "alif_unrun", "alif_digit", "alif_results", "aen_model",
     "aen_arena", "aen_npu", "aen_input", "aen_ran", "aen_measured", "aen_failed", "beken_took", "beken_unrun", "beken_unheld", "beken_unfit",
     "mailbox_ran", "mailbox_frame", "mailbox_lost", "mailbox_fault", "mailbox_done", "mailbox_count", "mailbox_average", "mera_run",
     "mailbox_stage", "mailbox_class", "mailbox_left", "mera_average", "mera_class", "mera_share", "beken_model", "beken_arena", "beken_used", "beken_time", "beken_found", "beken_person",
     "beken_unset", "mcu_found", "a320_model",
     "a320_outputs", "a320_complete", "sketch_answer", "sketch_size", "sketch_methods", "sketch_program_failed", "sketch_method_failed", "sketch_input_failed",
     "sketch_execution_failed", "bench_operator_ticks", "bench_total_ticks", "bench_input", "bench_output",
     "bench_table", "bench_total", "bench_target", "output_scalar", "llm_load", "llm_total", "llm_sampled", "llm_begun", "llm_generated")
)  # fmt: skip
"""Texts that other programs print too: they count only where a runner is known to be at work."""

_OF_TFLITE = frozenset(
    ("tflite_applied", "tflite_ready", "tflite_count", "tflite_timings", "tflite_invoked", "tflite_average", "tflite_score",
     "tflite_tool_failed", "tflite_build_failed", "tflite_npu_counters")
)  # fmt: skip
"""What TensorFlow Lite's tools print with any delegate, and others too: of a run only where the NPU's delegate has spoken."""
_OF_DELEGATE = frozenset(
    ("tflite_device", "tflite_option", "tflite_delegated", "tflite_no_device", "tflite_unresolved", "tflite_plan_failed",
     "tflite_invoke_failed", "tflite_npu_cycles", "npu_asked", "npu_capable")
)  # fmt: skip
"""What only the NPU's delegate for TensorFlow Lite prints."""

_PACK_STARTS = frozenset(("npu_banner", "npu_summary", "pack_model", "pack_ready", "mlek_resolver"))
"""What says that an example of a CMSIS pack is at work."""
_PACK_FAILURES = frozenset(
    ("pack_failed", "verdict_failed", "pack_program_failed", "pack_method_missing", "pack_method_failed", "pack_execution_failed",
     "pack_forward_failed", "pack_meta_failed", "pack_outputs_missing", "pack_unprepared", "pack_unfed", "pack_unshown", "sds_failed")
)  # fmt: skip
"""What it prints where something failed: after a model that passed, the next one may."""
_OF_PACK = _PACK_FAILURES | frozenset(
    ("pack_named", "pack_program", "pack_display", "pack_frames", "pack_method", "pack_running", "pack_result", "pack_output", "pack_passed",
     "sds_started", "sds_stopped", "sds_played", "sds_ended", "pack_found", "pack_pools", "pack_measured", "pack_classified",
     "pack_class", "pack_confidence", "pack_time", "pack_frame")
)  # fmt: skip
"""What it prints in words that others use too."""

_TEST_STARTS = frozenset(("test_started", "test_summary"))
"""What says that the test of all operators is at work, or was."""
_OF_TEST = frozenset(
    ("test_passed", "test_reported", "test_failed", "test_summary", "test_memory", "test_method_pool", "test_temp_pool")
)
"""What it prints in words that others use too; its verdict counts by itself where nothing else runs."""

_MOST_BEFORE_END = 24
"""The most lines between the last line of a run and the line of the CI service that stopped it."""

_RESETS = frozenset(("board_reset", "rom_reset", "watchdog_reset", "supply_reset"))
"""What firmware says about a reset. A reset ended the run that was going on, if there was one."""

NOT_RUNNER = LAUNCH | TRAILERS | _PARTS | _RESETS | {"zephyr_boot"}
"""Events that are not lines of the runner itself."""

ONLY_INSIDE = (
    (_SCRIPT - {"script_done", "script_no_problems", "script_problems", "script_failed", "quoted_problems"})
    | (_ETDUMP - {"etdump_data", "etdump_open", "etdump_heredoc", "etdump_size"})
    | _PARTS
    | _COMMON_WORDS
    | _OF_TFLITE
    | (_OF_PACK - {"sds_failed"})
    | (_OF_TEST - {"test_summary"})
    | {"time_limit", "fault_status", "fault_detail", "crash_frame", "exit_code", "exit_this_sim"}
    | _OF_KERNEL
    | {"fvp_stopped", "fvp_critical", "fvp_warning", "emulator_stopped"}
    | _OF_JOB
    | _RESETS
    | {
        "connection_lost",
        "port_lost",
        "kernel_died",
        "exception_uncaught",
        "npu_product",
        "npu_macs_log",
        "pack_ready",
        "mlek_recognised",
        "mlek_model",
        "mlek_size",
    }
    | {"arena_short", "arena_needs", "resolver_full", "tensor_dynamic", "tensors_reason", "kit_rate", "kit_system"}
)
"""Events that mean nothing by themselves: outside a run they are passed over."""

AFTER = _PACK_FAILURES | frozenset(
    ("program_complete", "a320_complete", "sketch_answer", "sketch_program_failed", "sketch_method_failed", "sketch_input_failed", "sketch_execution_failed", "demo_complete", "demo_named", "vad_dump", "inference_time", "demo_model_size",
     "demo_input", "demo_output", "output_elements", "class_best", "class_named", "class_sure", "tflm_seen", "tflm_class", "tflm_label",
     "tflm_person", "tflm_sure", "class_score", "mask_figure", "mask_data", "executed", "mlek_ended", "tflm_sent", "tflm_received",
     "tflm_running", "tflm_arena", "tflm_finished", "tflm_answer", "tflm_runtime", "tflm_counters", "tflm_cycles", "tflm_done", "esp_complete",
     "neutron_complete", "mlek_method_memory", "pack_frames", "pack_found", "word_heard", "sds_started", "sds_stopped", "sds_played",
     "vision_frame", "vision_failed", "alif_digit", "alif_unrun", "beken_time", "beken_found", "beken_took", "beken_unrun", "beken_unheld",
     "beken_unfit", "beken_unset", "beken_person", "mcu_time", "mcu_found", "mailbox_count", "mailbox_average", "mailbox_class", "mailbox_left", "mera_class", "mera_share", "dual_live", "dual_time", "dual_result", "dual_failed",
     "inputs_failed", "mlek_temp_memory", "psoc_done", "himax_failed", "himax_ticks", "renesas_frame", "renesas_failed", "renesas_time", "renesas_npu_time", "impulse_result",
     "impulse_returned", "impulse_failed", "tflite_score", "outputs_differ", "test_memory", "kit_terminating", "himax_input", "himax_results",
     "himax_result", "himax_class", "himax_invoked", "himax_answered", "himax_invoke_failed", "loop_begun", "loop_class", "loop_time", "predictions_start",
     "loader_size_differs", "loader_execution_failed", "execution_failed", "bench_loop", "bench_ticks", "bench_operator_ticks",
     "bench_total_ticks", "bench_input", "bench_output", "bench_arena", "bench_table", "bench_total")
)  # fmt: skip
"""What a runner still prints once it is complete."""


FAULTS = frozenset(("hard_fault", "fault_banner"))
_MOST_BEFORE_FAULT = 3
"""Lines from the last one of a run to a fault in what its application does after it."""
_ELEMENTS = frozenset(("output", "output_bool"))
"""The values of outputs, one a line."""


def may_follow(draft: RunDraft, event: Event) -> bool:
    """Whether this event still belongs to a complete run: its last output, a failure of one that never ends, or a fault
    soon after the end, while the application frees its memory and has not said that it exits.
    """
    if event.kind in FAULTS:
        ended = draft.seen.keys() & {"exit_code", "semihosting"} or "program_complete" not in draft.seen
        return not ended and event.line - draft.last_line <= _MOST_BEFORE_FAULT
    if event.kind in _ELEMENTS and not draft.closed and (draft.last_event in _ELEMENTS or not draft.outputs):
        return True  # a page that shows a log in parts: first the run, then what it gave; some examples print it so
    behind_end = event.kind == "executed" and "program_complete" in draft.seen
    return event.kind in AFTER and not behind_end and goes_on(draft, event.kind)


REPEATED = frozenset(("reading_model", "rtt_platform"))
"""Openers that one run may print twice."""
SAID_AGAIN = frozenset(("", "operator_missing", "launch_failed", "esp_ready"))
"""Openers that may stand twice without being doubled: launches are tried again, kernels registered by library."""
_STEPS = {
    "pte_at": frozenset(("pte_magic", "pte_size", "methods", "method")),
    "pte_magic": frozenset(("pte_at", "pte_size", "methods", "method")),
    "pte_size": frozenset(("methods", "method")),
    "methods": frozenset(("method",)),
}
"""Steps by which a runner starts, and what none of them comes behind in one run."""

PREPARATIONS = frozenset(("method", "method_pool", "planned_buffer", "method_load_start", "method_loaded"))
"""What comes before execution. After it, such a line belongs to another run whose start was lost."""


FOUND = ("F", "E", "[critical]", "Hard fault.", "Info: Simulation is stopping. Reason: CPU time has been exceeded.")
"""How lines begin that ExecuTorch's scripts and tests search for in a simulator's log, and print again."""


SEARCHES = ("script_search", "quoted_problems")
"""What a script or test prints above the lines that it found in the log above."""


def found_again(draft: RunDraft | None, event: Event | None, line: Line) -> bool:
    """Whether a script or test repeats this line of the run above; it belongs to that run and says nothing new."""
    if draft is None or draft.last_event not in SEARCHES or not draft.started:
        return False
    if event is not None and (event.kind in LAUNCH or event.kind == "script_problems"):
        return False
    if line.level not in SEVERE if line.level else not line.message.startswith(FOUND):
        return False
    draft.last_line = line.number
    return True


def listens(draft: RunDraft | None) -> bool:
    """True for a run that a line without a meaning may change: it has not started, or it goes on in such lines."""
    if draft is None:
        return False
    goes_on = draft.etdump.open or draft.open_tensor or draft.doubled
    goes_on = goes_on or (ends_in_error(draft) and max(draft.gone_on, draft.ended_at) <= draft.last_line)
    return bool(goes_on) or not draft.started or draft.last_event in (*SEARCHES, "inputs_ready", "iteration")


def of_other_tools(draft: RunDraft, event: Event) -> bool:
    """Whether this event does not belong to the open run, because another program printed it: one without an NPU, one
    whose application is not at work here, a backtrace without a crash, a kernel after the last output, the end of a CI
    job that went on with something else, or a reset that ended no run.
    """
    if event.kind in _OF_PACK:
        return _PACK_STARTS.isdisjoint(draft.seen) and not (running(draft) and judged(draft, event.kind))
    if event.kind == "crash_frame":
        return not draft.failed
    if event.kind == "kernel_died" or event.kind in _OF_KERNEL:
        return printed_all(draft)
    if event.kind in _OF_TEST:
        told = event.kind == "test_summary" and (not draft.started or draft.completed or draft.closed)
        return _TEST_STARTS.isdisjoint(draft.seen) and not told
    if event.kind == "bundle_verified":
        return "example_runner.cpp" not in draft.files
    if of_others(draft, event.kind):
        return True
    if event.kind in _RESETS:
        begins = draft.stage == "start" and event.kind != "rom_reset"  # the ROM speaks first, firmware later
        if not running(draft) or begins or not _OF_JOB.isdisjoint(draft.seen):
            return True
        from .resets import tells_cause  # only here: few logs tell of a reset

        around = [str(event.values[side]) for side in ("before", "what")] if event.kind == "board_reset" else []
        return bool(around) and not tells_cause(*around)
    if event.kind in _OF_JOB:
        return event.line - draft.last_line > _MOST_BEFORE_END
    return event.kind in _OF_TFLITE and _OF_DELEGATE.isdisjoint(draft.seen)


def measures_again(draft: RunDraft, event: Event) -> bool:
    """True where another tool measures after a complete run, as `label_image` does once; not for a repeated line."""
    if event.kind == "tflite_invoked":
        return bool(draft.predictions)
    ms = event.values.get("ms")
    seconds = round(ms / 1000, 12) if isinstance(ms, float) else None
    return event.kind == "tflite_average" and seconds != draft.get("times.inference_seconds")


def asks_again(draft: RunDraft) -> bool:
    """True where an evaluation kit application offers its menu, waits for a key after a profile, or tells its rate."""
    kit = any(kind.startswith("mlek_") and kind != "mlek_menu" for kind in draft.seen)
    waits = "kit_asks" in draft.seen and draft.last_event == "mlek_cycles" and draft.get("pmu.npu_cycles") is not None
    return kit and (draft.last_event == "mlek_menu" or waits or "kit_rate" in draft.seen)


def quoted(draft: RunDraft | None) -> bool:
    """True for what a test quotes of a run before it shows that run's whole log."""
    return draft is not None and begins_with(draft, "quoted_problems")


def running(draft: RunDraft | None) -> bool:
    """True in the middle of a run, where no line is a launch; kernel and shell may still tell of a crash."""
    over = (
        draft is None or draft.closed or draft.completed or (draft.failed and draft.last_event != "simulator_crashed")
    )
    return draft is not None and draft.started and not over


_OF_DEBUGGERS = ("[Thread ", "[New Thread ", "[Inferior ", "====")


def printed_all(draft: RunDraft | None, before: str = "-") -> bool:
    """True where a runner that does not say when it is through has printed all its outputs, and text of others stands behind them:
    what crashes then is another program.
    """
    if (
        draft is None
        or not before
        or before.startswith(_OF_DEBUGGERS)
        or draft.failed
        or draft.seen.keys().isdisjoint(("executed", "executed_times"))
    ):
        return False
    return draft.announced_outputs is not None and len(draft.outputs) >= draft.announced_outputs


def slower_console(draft: RunDraft | None) -> bool:
    """Whether Zephyr's banner comes after everything that its application printed, because its console is slower."""
    if draft is None or not draft.completed or draft.closed:
        return False
    return "zephyr_boot" not in draft.seen and not ZEPHYR_WORDS.isdisjoint(draft.seen)


def gave_up(draft: RunDraft | None) -> bool:
    """True after a run that failed: what a shell then says about a crash is how that run ended."""
    return draft is not None and draft.started and draft.failed


def launching(draft: RunDraft | None) -> bool:
    """True after a launch and before the first line of a runner."""
    return draft is not None and not draft.started and not idle(draft)


def unreached(draft: RunDraft | None) -> bool:
    """True where only a board could not be reached: not a run of its own, because another try may follow."""
    return draft is not None and not draft.started and draft.seen.keys() == {"launch_failed"}


def idle(draft: RunDraft | None) -> bool:
    """True where only a Zephyr banner or a common sentence was seen: any application may have printed it."""
    booted = draft is not None and not draft.started and "zephyr_boot" in draft.seen and LAUNCH.isdisjoint(draft.seen)
    return booted or said_alone(draft)


def restarts(draft: RunDraft, event: Event) -> bool:
    """Whether this event begins a new run instead of continuing the open one."""
    kind = event.kind
    if kind in _TEST_STARTS:
        return _tests_again(draft, event)
    if launched_anew(draft, kind) or tests_anew(draft, kind):
        return True
    if still_begins(draft, kind):
        return False
    if draft.last_event in _RESETS and kind in draft.seen and kind not in _RESETS and kind != draft.before_reset:
        return True  # what stood further above comes again; a run that goes on was not reset
    if kind not in OPENERS or not draft.started:
        return kind in OPENERS and draft.closed and not shown_behind(draft, event)
    if (
        kind in ("npu_banner", "npu_summary")
        and draft.files
        and draft.stage not in ("execute", "report", "complete")
        and not (draft.closed or draft.failed)
    ):
        known = draft.get("target.macs")  # a runner of ExecuTorch asks the NPU for it when its backend begins: its own
        return known is not None and event.values.get("macs", known) != known
    if draft.completed or draft.closed or draft.stage not in ("start", "load"):
        return True
    if (
        leaves(draft, kind)
        or (draft.failed and kind != "methods")
        or (draft.refused == "execute" and len(draft.seen) > 1)
    ):
        return True  # what failed before its program was there does not go on to load it
    if kind in _STEPS and not _STEPS[kind].isdisjoint(draft.seen):
        return True
    return kind in draft.seen and kind not in REPEATED


_REGISTERED = ("Successfully registered all kernels from ", "Re-registering ")
"""What is printed before `main` begins: by a debug build once for each library, by any where two libraries register one kernel."""


def registers_anew(draft: RunDraft, line: Line) -> bool:
    """Whether another program begins at this line, after the open run has loaded its own."""
    begun = draft.completed or draft.failed or draft.stage not in ("start", "load")
    begun = begun and not (draft.overlap.shared and draft.ends == draft.completed)
    return loads_anew(draft, line) or (begun and line.message.startswith(_REGISTERED))


def _tests_again(draft: RunDraft, event: Event) -> bool:
    """Whether the test of all operators begins anew: on another core, after a reset, or after a different run."""
    if "test_summary" in draft.seen:
        return True
    if "test_started" in draft.seen:
        return (event.values.get("name"), event.values.get("place")) in draft.tests
    return draft.started and draft.stage not in ("start", "load")
