"""Which events begin, continue and end a run: the tables by which `decisions.py` decides."""

from __future__ import annotations

OPENERS = frozenset(
    (
        "threads", "semihosting", "reading_model", "model_at", "pte_at", "pte_magic", "pte_size", "model_file", "methods", "backend_ready",
        "runtime_ready", "sketch_started", "model_size", "cmsis_started", "esp_started", "esp_ready", "cm33_started", "rtt_platform",
        "vision_started", "vsi_started", "beken_started", "beken_loaded", "mailbox_pte", "mera_started", "mera_first", "hpx_started", "aen_started",
        "alif_started", "rtt_model", "psoc_started", "psoc_model", "renesas_started", "example_size", "example_started", "mlek_device", "mlek_clock",
        "tflm_start", "npu_asked", "npu_capable", "tflite_device", "pico_started", "axon_started", "nsx_started", "npu_banner", "npu_summary", "pack_model", "bench_arena_size",
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
OF_JOB = frozenset(("job_timeout", "job_cancelled", "job_lost"))
OF_KERNEL = frozenset(("kernel_region", "kernel_firmware", "kernel_message", "kernel_version", "kernel_unsent"))
TRAILERS = frozenset(
    ("exit_code", "exit_this_sim", "time_limit", "fvp_stopped", "fvp_critical", "fvp_warning", "fault_status", "fault_detail", "crash_frame", "emulator_stopped", "server_done", "connection_lost", "port_lost", *OF_KERNEL, *OF_JOB, *_SCRIPT, *_ETDUMP)
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
     "psoc_stopped", "psoc_unfed", "himax_ready", "himax_failed", "himax_unseen", "himax_ticks", "renesas_frame", "impulse_result", "impulse_returned",
     "impulse_failed", "nuvoton_size", "vision_failed", "vsi_ended", "loop_begun", "loop_class", "loop_time", "himax_invoked",
     "himax_invoke_failed", "himax_shape", "himax_step", "himax_unplanned", "himax_unreserved", "himax_input", "himax_results",
     "himax_result", "himax_class",
     "alif_npu", "alif_board", "output_elements", "class_best", "class_named", "class_sure", "tflm_seen", "tflm_class", "tflm_label",
     "tflm_person", "tflm_sure", "tflm_running", "tflm_finished", "alif_stopped", "alif_unrun", "alif_digit", "alif_results", "aen_model",
     "aen_arena", "aen_npu", "aen_input", "aen_ran", "aen_measured", "aen_failed", "beken_took", "beken_unrun", "beken_unheld", "beken_unfit",
     "mailbox_ran", "mailbox_frame", "mailbox_lost", "mailbox_fault", "mailbox_done", "mailbox_count", "mailbox_average", "mera_run",
     "mailbox_stage", "mailbox_class", "mailbox_left", "mera_average", "mera_class", "mera_share", "beken_model", "beken_arena", "beken_used", "beken_time", "beken_found", "beken_person",
     "beken_unset", "mcu_found", "a320_model", "axon_size", "axon_methods", "axon_method", "axon_running", "axon_time", "axon_step", "axon_output", "axon_unfed", "axon_unrun", "axon_done", "nsx_model", "nsx_arena", "nsx_ran", "nsx_unrun",
     "a320_outputs", "a320_complete", "sketch_answer", "sketch_size", "sketch_methods", "sketch_program_failed", "sketch_method_failed", "sketch_input_failed",
     "sketch_execution_failed", "bench_operator_ticks", "bench_total_ticks", "bench_input", "bench_output",
     "bench_table", "bench_total", "bench_target", "output_scalar", "llm_load", "llm_total", "llm_sampled", "llm_begun", "llm_generated")
)  # fmt: skip
"""Texts that other programs print too: they count only where a runner is known to be at work."""

OF_TFLITE = frozenset(
    ("tflite_applied", "tflite_ready", "tflite_count", "tflite_timings", "tflite_invoked", "tflite_average", "tflite_score",
     "tflite_tool_failed", "tflite_build_failed", "tflite_npu_counters")
)  # fmt: skip
"""What TensorFlow Lite's tools print with any delegate, and others too: of a run only where the NPU's delegate has spoken."""
OF_DELEGATE = frozenset(
    ("tflite_device", "tflite_option", "tflite_delegated", "tflite_no_device", "tflite_unresolved", "tflite_plan_failed",
     "tflite_invoke_failed", "tflite_npu_cycles", "npu_asked", "npu_capable")
)  # fmt: skip
"""What only the NPU's delegate for TensorFlow Lite prints."""

PACK_STARTS = frozenset(("npu_banner", "npu_summary", "pack_model", "pack_ready", "mlek_resolver"))
"""What says that an example of a CMSIS pack is at work."""
_PACK_FAILURES = frozenset(
    ("pack_failed", "verdict_failed", "pack_program_failed", "pack_method_missing", "pack_method_failed", "pack_execution_failed",
     "pack_forward_failed", "pack_meta_failed", "pack_outputs_missing", "pack_unprepared", "pack_unfed", "pack_unshown", "sds_failed")
)  # fmt: skip
"""What it prints where something failed: after a model that passed, the next one may."""
OF_PACK = _PACK_FAILURES | frozenset(
    ("pack_named", "pack_program", "pack_display", "pack_frames", "pack_method", "pack_running", "pack_result", "pack_output", "pack_passed",
     "sds_started", "sds_stopped", "sds_played", "sds_ended", "pack_found", "pack_pools", "pack_measured", "pack_classified",
     "pack_class", "pack_confidence", "pack_time", "pack_frame")
)  # fmt: skip
"""What it prints in words that others use too."""

TEST_STARTS = frozenset(("test_started", "test_summary"))
"""What says that the test of all operators is at work, or was."""
OF_TEST = frozenset(
    ("test_passed", "test_reported", "test_failed", "test_summary", "test_memory", "test_method_pool", "test_temp_pool")
)
"""What it prints in words that others use too; its verdict counts by itself where nothing else runs."""

RESETS = frozenset(("board_reset", "rom_reset", "watchdog_reset", "supply_reset"))
"""What firmware says about a reset. A reset ended the run that was going on, if there was one."""

NOT_RUNNER = LAUNCH | TRAILERS | _PARTS | RESETS | {"zephyr_boot"}
"""Events that are not lines of the runner itself."""

ONLY_INSIDE = (
    (_SCRIPT - {"script_done", "script_no_problems", "script_problems", "script_failed", "quoted_problems"})
    | (_ETDUMP - {"etdump_data", "etdump_open", "etdump_heredoc", "etdump_size"})
    | _PARTS
    | _COMMON_WORDS
    | OF_TFLITE
    | (OF_PACK - {"sds_failed"})
    | (OF_TEST - {"test_summary"})
    | {"time_limit", "fault_status", "fault_detail", "crash_frame", "exit_code", "exit_this_sim"}
    | OF_KERNEL
    | {"fvp_stopped", "fvp_critical", "fvp_warning", "emulator_stopped"}
    | OF_JOB
    | RESETS
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
     "bench_total_ticks", "bench_input", "bench_output", "bench_arena", "bench_table", "bench_total", "nsx_ran", "nsx_unrun")
)  # fmt: skip
"""What a runner still prints once it is complete."""

PREPARATIONS = frozenset(("method", "method_pool", "planned_buffer", "method_load_start", "method_loaded"))
"""What comes before execution. After it, such a line belongs to another run whose start was lost."""

FAULTS = frozenset(("hard_fault", "fault_banner"))
"""What the processor, or a handler, says of a fault."""
