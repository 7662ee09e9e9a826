"""Finds what an event does to its run: the function `on_<event>` of one of the modules beside this one.

Programs of single makers, and lists of classes, have modules of their own. Most captures hold none of their lines, so
such a module is imported when the first of its events comes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module

from . import etdump, load, monitor, npu_facts, operator_lines, results, tensors

Handler = Callable[..., None]

_USUAL: dict[str, Handler] = {
    name[3:]: function
    for module in (load, monitor, npu_facts, operator_lines, tensors, results, etdump)
    for name, function in vars(module).items()
    if name.startswith("on_")
}
_OF_SOME = {
    "alif_dual": "dual",
    "applications": "aen alif axon bench hpx impulse llm mailbox mcu mera mlek_duration nsx renesas",
    "cmsis_pack": "npu_summary pack sds smoke test_reported test_started test_summary verdict",
    "himax": "himax",
    "predictions": (
        "class_best class_named class_sure class_score label_score mlek_class mlek_heard mlek_label mlek_result mlek_score prediction predictions_start "
        "tflm_class tflm_label tflm_person tflm_seen tflm_sure word_heard"
    ),
    "psoc_edge": "psoc",
    "rt_thread": "rtt",
    "tflite_linux": "npu_macs_log npu_product tflite tflm_counters tflm_cycles",
    "vision": "beken loop vision vsi",
    "zephyr_loader": "input_tensor job_size_differs loader pico sketch",
}
"""Modules that few captures need, with their events: whole names, or the first words of such."""
_MODULES = {event: module for module, events in _OF_SOME.items() for event in events.split()}


@cache
def handler_of(kind: str) -> Handler | None:
    """What this event does; None where its figures and its stage are all that it tells."""
    usual = _USUAL.get(kind)
    if usual is not None:
        return usual
    module = _MODULES.get(kind) or _MODULES.get(kind.partition("_")[0])
    return getattr(import_module(f".{module}", __package__), f"on_{kind}", None) if module is not None else None
