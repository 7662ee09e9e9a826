"""Decides whether words that several applications print belong to the application at work in the open run."""

from __future__ import annotations

from ..line_forms.wrapped import MOST_ROWS
from ..named_tuple import TYPE_CHECKING

if TYPE_CHECKING:
    from ..draft import RunDraft
    from ..lines import Line

_APPLICATIONS = (
    (
        ("psoc_size", "psoc_arena", "psoc_frames", "psoc_accurate", "psoc_inaccurate", "psoc_done", "psoc_failed", "psoc_stopped",
         "psoc_unfed"),
        ("psoc_started", "psoc_model", "psoc_cpu", "psoc_npu"),
    ),
    (
        ("himax_ready", "himax_shape", "himax_input", "himax_results", "himax_result", "himax_class", "himax_ticks", "himax_invoked",
         "himax_invoke_failed", "himax_failed", "himax_unseen"),
        ("himax_device", "himax_step"),
    ),
    (("renesas_frame",), ("renesas_started",)),
    (
        ("sketch_size", "sketch_methods", "sketch_answer", "sketch_program_failed", "sketch_method_failed", "sketch_input_failed",
         "sketch_execution_failed"),
        ("sketch_started",),
    ),
    (("pico_methods", "pico_method", "pico_planned", "pico_program_failed", "pico_meta_failed", "pico_method_failed"), ("pico_started", "pico_loading")),
    (("axon_size", "axon_methods", "axon_method", "axon_running", "axon_time", "axon_step", "axon_output", "axon_unfed", "axon_unrun", "axon_done"),
     ("axon_started",)),
    (("nsx_model", "nsx_arena", "nsx_ran", "nsx_unrun"), ("nsx_started",)),
    (("tflm_seen", "tflm_counters"), ("tflm_start", "npu_asked", "npu_capable")),
    (("tflm_class", "tflm_label", "tflm_person", "tflm_sure"), ("tflm_received", "tflm_running")),
    (("alif_npu", "alif_board", "alif_unrun", "alif_digit", "alif_results"), ("runtime_ready", "model_size", "alif_started")),
    (
        ("output_elements", "class_best", "class_named"),
        ("runtime_ready", "model_size", "backend_ready", "pte_at", "pte_size", "methods", "alif_started"),
    ),
    (("class_sure",), ("class_best",)),
    (("alif_stopped",), ("runtime_ready", "model_size", "alif_started", "vision_started", "npu_banner", "npu_summary")),
    (("aen_model", "aen_arena", "aen_npu", "aen_input", "aen_ran", "aen_measured", "aen_failed"), ("aen_started",)),
    (
        ("mailbox_stage", "mailbox_class", "mailbox_left", "mailbox_ran", "mailbox_frame", "mailbox_lost", "mailbox_fault", "mailbox_done",
         "mailbox_count", "mailbox_average"),
        ("mailbox_pte",),
    ),
    (("mera_run", "mera_average", "mera_class", "mera_share"), ("mera_started", "mera_first")),
    (("rtt_changed",), ("rtt_turn",)),
    (("mcu_found",), ("mcu_time",)),
    (("beken_person", "beken_unset"), ("beken_started",)),
    (("loop_class", "loop_time"), ("loop_begun",)),
    (("kit_samples", "kit_active", "kit_idle", "kit_cpu", "kit_total_time"), ("mlek_profile",)),
    (("kit_failed",), ("task_ready", "mlek_arena_used", "mlek_class", "mlek_box", "mlek_label")),
    (("kit_refused",), ("tensors_failed", "mlek_arena_used")),
    (("npu_product",), ("tflm_start", "npu_asked", "npu_capable")),
    (("npu_tool_failed",), ("npu_asked", "npu_capable")),
    (("npu_tool_unrun",), ("npu_asked", "npu_capable", "tflite_device", "tflite_option", "tflite_delegated")),
    (("npu_driver", "task_driver"), ("npu_arch_1", "npu_arch_2")),
    (("bench_input", "bench_output", "bench_table", "bench_total", "bench_target", "bench_total_ticks"), ("bench_arena_size", "bench_ticks")),
    (("job_size_differs", "job_inputs_failed", "job_outputs_differ"), ("tflm_start", "npu_asked", "tflm_sent", "tflm_received", "tflm_running")),
)  # fmt: skip
"""Pairs: words of a vendor's application that others print too, and the lines that only it prints."""
_TOLD_BY = {word: frozenset(own) for words, own in _APPLICATIONS for word in words}

_OF_IMPULSE = frozenset(("impulse_result", "impulse_returned", "impulse_failed"))
_NPU_TOLD = frozenset(
    ("himax_device", "renesas_started", "npu_banner", "npu_summary", "mlek_device", "npu_named", "impulse_npu")
)
"""Lines by which an application says that it has an Ethos-U; Edge Impulse's classifier runs on any chip."""

_OF_TEXT = frozenset(("llm_begun", "llm_generated"))
_BESIDE_TEXT = frozenset(("", "threads", "delegate_of_os", "launch_command", "time_limit", "script_done"))
"""What stands in the log of a language model's runner beside its own words; one that also says anything of a board's runner is no such log."""

_WHOLE = frozenset(("psoc_started", "psoc_model", "renesas_started"))
"""Beginnings of whole programs, which never continue in the words of a runner."""
_NOT_EXECUTORCH = frozenset(
    ("arena_short", "arena_needs", "arena_untold", "resolver_full", "tensor_dynamic", "tensors_reason", "tensors_failed", "node_unprepared", "renesas_failed",
     "rtt_turn", "rtt_summary", "mlek_class", "mlek_box")
)  # fmt: skip
"""Why TensorFlow's interpreter could not set a model up, and what applications say that print no prefixes of ExecuTorch."""
_BESIDE_NO_PREFIX = frozenset(("pico_started", "tflm_status"))
"""What applications say in words of any program: of theirs where they have said more, or where ExecuTorch has printed nothing."""
_OF_KIT = frozenset(
    (
        "mlek_model",
        "mlek_size",
        "kit_rate",
        "kit_live",
        "kit_system",
        "kit_terminating",
        "kit_heap_full",
        "kit_step_failed",
        "kit_gave_up",
    )
)
"""What the evaluation kit says after a mark that any logger may print."""
_RUNNERS = frozenset(("arm_executor_runner.cpp", "executor_runner.cpp"))
"""Runners that say of the method that it failed, by its name: another program beside them made the call."""
_OF_LOOP = frozenset(("predictions_start", "loader_size_differs", "loader_execution_failed", "execution_failed"))
"""What an application that runs for ever says about each inference."""


_FAMILIES = ("mlek", "tflm", "dual", "renesas", "himax", "vision", "beken", "loop", "bench", "nsx")
"""How the events of applications begin that go on behind what was done: with another inference, with a verdict."""


def of_others(draft: RunDraft, kind: str) -> bool:
    """Whether these words belong to another program, because the application that prints them is not at work in this
    run.
    """
    told_by = _TOLD_BY.get(kind)
    if told_by is not None:
        return told_by.isdisjoint(draft.seen)
    if kind in _BESIDE_NO_PREFIX:
        family = kind.partition("_")[0]
        begun = draft.completed or draft.closed or any(known.partition("_")[0] == family for known in draft.seen)
        return bool(draft.files) and not begun
    if kind == "loader_execution_failed":
        return not draft.files.isdisjoint(_RUNNERS)
    if kind in _OF_TEXT:
        return any(known not in _BESIDE_TEXT and not known.startswith("llm_") for known in draft.seen)
    if kind in _OF_IMPULSE:
        another = draft.completed and "impulse_result" not in draft.seen
        return another or _NPU_TOLD.isdisjoint(draft.seen) or bool(draft.files) or of_kit(draft, 1)
    if kind in _NOT_EXECUTORCH:
        return bool(draft.files) and not (of_kit(draft) or draft.completed or draft.closed)
    if kind == "kit_system" and "task_arch" in draft.seen:
        return False  # Nuvoton's board layer without the kit's marks: it has just told of its NPU
    return kind in _OF_KIT and not of_kit(draft) and (kind != "kit_terminating" or bool(draft.files))


def judged(draft: RunDraft, kind: str) -> bool:
    """Whether a common verdict is about the open run: a runner's outputs, or a TensorFlow Lite Micro test that told its
    arena.
    """
    if kind == "verdict_failed":
        return "arm_executor_runner.cpp" in draft.files
    return kind in ("pack_passed", "pack_failed") and "bench_arena" in draft.seen and not draft.files


def tests_anew(draft: RunDraft, kind: str) -> bool:
    """Whether another TensorFlow Lite Micro test begins; the open one already has its verdict."""
    return kind in ("bench_ticks", "bench_arena") and not draft.seen.keys().isdisjoint(("pack_passed", "pack_failed"))


_ESP_BEGINS = frozenset(("esp_started", "esp_ready", "esp_psram"))


def still_begins(draft: RunDraft, kind: str) -> bool:
    """Whether an opener belongs to the open run, which is still starting.

    The ESP32's platform layer says that it is ready whenever kernels are registered, and its runner says where the
    program lies only after loading it and preparing its inputs.
    """
    if draft.completed or draft.closed or draft.failed or kind in draft.seen.keys() - {"esp_ready"}:
        return False
    if kind == "pte_magic":
        return "esp_executor_runner.cpp" in draft.files and draft.stage in ("load", "plan", "inputs")
    return kind in _ESP_BEGINS and draft.seen.keys() <= _ESP_BEGINS


def leaves(draft: RunDraft, kind: str) -> bool:
    """Whether an opener cannot belong to this run, because a whole program began it; that one may still ask the NPU
    what it is.
    """
    return kind not in _WHOLE and not _WHOLE.isdisjoint(draft.seen) and kind != "npu_banner"


def of_kit(draft: RunDraft, beside: int = 0) -> bool:
    """Whether the evaluation kit is at work: it has printed more than `beside` kinds of lines that only it prints."""
    return sum(kind.startswith("mlek_") for kind in draft.seen) > beside


def goes_on(draft: RunDraft, kind: str) -> bool:
    """Whether a complete run may still print this, because it never ends or because the line is of the same
    application.
    """
    if kind in _OF_LOOP:
        return "loop_begun" in draft.seen
    family, _, _ = kind.partition("_")
    return family not in _FAMILIES or any(known.startswith(f"{family}_") for known in draft.seen)


_PICTURES = frozenset(("mlek_result", "mlek_class", "mlek_box", "mlek_found"))


def without_end(draft: RunDraft) -> bool:
    """Whether a kit demonstration that never ends, on an Alif board, has heard or seen something."""
    if "kit_live" in draft.seen:
        return "mlek_label" in draft.seen
    return "kit_board" in draft.seen and bool(draft.blocks.finished) and not _PICTURES.isdisjoint(draft.seen)


_OF_LINUX = frozenset(("EthosUBackend_Cortex_A.cpp", "EthosUBackend_LinuxDriver.cpp", "EthosUBackend_IMX.cpp"))


def of_linux(draft: RunDraft | None) -> bool:
    """Whether the run reaches the NPU through the kernel's driver; the kernel then loads any firmware."""
    return draft is not None and not _OF_LINUX.isdisjoint(draft.files)


def of_linux_runner(draft: RunDraft) -> bool:
    """Whether ExecuTorch's runner for Linux is at work."""
    return "executor_runner.cpp" in draft.files


def by_tool(draft: RunDraft | None, kind: str) -> bool:
    """Whether a tool that asks the kernel for the NPU is at work and prints its failures in these words."""
    return draft is not None and not draft.seen.keys().isdisjoint(_TOLD_BY.get(kind, ()))


_OF_ANY = frozenset(("pico_started", "axon_started", "nsx_started", "impulse_npu", "mera_first"))
"""What any program may say as it begins, or one that goes on to wait for a command."""


def begins_with(draft: RunDraft, kind: str) -> bool:
    """Whether this event was the first of the run and came only once, in one line (or the rows of one)."""
    return next(iter(draft.seen), "") == kind and draft.seen[kind] - draft.first_line < MOST_ROWS


_RELEASE = frozenset(("fvp_version", "fvp_stopped"))
_RELEASE_LINES = 4
"""A simulator that is asked for its release names it, its owner and his rights, and stops behind an empty line: one that runs a program
has a terminal, or lines of that program, before it stops."""


def said_alone(draft: RunDraft | None) -> bool:
    """Whether a run consists of one sentence that any program may print, or of a simulator's answer to `--version`."""
    if draft is None or len(draft.seen) > len(_RELEASE):
        return False
    if draft.seen.keys() == _RELEASE:
        return draft.seen["fvp_stopped"] - draft.seen["fvp_version"] <= _RELEASE_LINES
    return len(draft.seen) == 1 and not _OF_ANY.isdisjoint(draft.seen)


_LOADERS = frozenset(("file_data_loader.cpp", "mmap_data_loader.cpp", "program.cpp"))
"""Where a program is read from its file."""
_MAINS = ("executor_runner.cpp", "bundled_program.cpp")
_AT_START = (
    "Failed to open input file", "Unknown --print_output mode", "Loading inputs from input file", "Loading tensor data from .ptd",
    "Unrecognized bundled program flatbuffer",
)  # fmt: skip
"""What runners for Linux say of their options and files before they read the program."""


def loads_anew(draft: RunDraft, line: Line) -> bool:
    """Whether another program started here and could not read its file, after the open run had executed its own.

    The Linux runner prints nothing before it reads its file, and nothing when it is done.
    """
    if (
        line.level not in ("E", "I")
        or line.file is None
        or draft.seen.keys().isdisjoint(("executed", "executed_times"))
    ):
        return False
    started = line.file in _MAINS and line.message.startswith(_AT_START)
    started = started or (line.level == "E" and line.file in _LOADERS)
    return started and draft.stage in ("report", "complete")
