"""Tells which runner printed a log, by its source files and its words."""

from __future__ import annotations

from ..dividing.boundaries import ZEPHYR_WORDS
from ..draft import RunDraft

NXP_EVENTS = ("mcu_time", "mcu_model_at", "mcu_model_size", "mcu_method_pool")
_OTHER_EVENTS = {"a320_model", "allocator_start", "neutron_started", "model_size", "esp_heap", "esp_ready", "esp_report",
                 "psoc_started", "psoc_model", "psoc_cpu", "himax_step", "himax_unplanned", "himax_unreserved", "pico_started", "axon_started", "renesas_started", "renesas_failed", *NXP_EVENTS}  # fmt: skip
"""Events that only applications print which are neither the Arm runner nor the Linux one."""
_ZEPHYR_EVENTS = ZEPHYR_WORDS | {"zephyr_boot"}
_LLM = frozenset(("llm_tokens", "llm_begun", "llm_generated"))
"""What runners of language models print about a text."""
_ZEPHYR_FATAL = ">>> ZEPHYR FATAL ERROR "
_ARM_EVENTS = (
    "pte_magic",
    "model_at",
    "pte_at",
    "method_pool",
    "inferences_finished",
    "model_run",
    "inferences",
    "delegations",
    "method",
)


def _died_in_zephyr(draft: RunDraft) -> bool:
    """Whether Zephyr itself reported the fault, which may be all that a log holds."""
    return "fault_banner" in draft.seen and any(_ZEPHYR_FATAL in trouble.text for trouble in draft.trouble)


def _of_zephyr_sample(draft: RunDraft) -> bool:
    """Whether the Zephyr sample printed a log without its banner and its own words; it has no PMU monitor."""
    if "arm_executor_runner.cpp" not in draft.files or "arm_perf_monitor.cpp" in draft.files:
        return False
    from .zephyr_sample import of_zephyr_sample  # only captures of this file need the tables

    return of_zephyr_sample(draft.places)


def kind_of(draft: RunDraft) -> str:
    """The kind of runner, as in `report.Runner.kind`."""
    files, seen = draft.files, draft.seen
    zephyr = _ZEPHYR_EVENTS & seen.keys() and "a320_model" not in seen
    if zephyr or draft.get("runner.os") == "zephyr" or _died_in_zephyr(draft):
        return "zephyr"
    if _of_zephyr_sample(draft):
        return "zephyr"
    if {"arm_executor_runner.cpp", "arm_perf_monitor.cpp"} & files or (
        "runner.cpp" in files and _LLM.isdisjoint(seen) and seen.keys() - {"threads"}
    ):
        return "arm_executor_runner"  # other programs have a runner.cpp, which says nothing of this one's
    if "executor_runner.cpp" in files or "host" in files:
        return "executor_runner"
    if {"kit_boot", "kit_terminating"} & seen.keys() or any(kind.startswith("mlek_") for kind in seen):
        return "mlek"
    if not files and not _OTHER_EVENTS & seen.keys() and any(kind in seen for kind in _ARM_EVENTS):
        return "arm_executor_runner"
    return "other"
