"""Infineon's machine learning middleware, which gives a number for what it could not do before the first inference."""

from __future__ import annotations

import re

from ..draft import Evidence
from ..outcome import Outcome
from ..report import Finding, Run
from .evidence import error, saying

_SAID = re.compile(r"MTB ML initialization failure: (\d{1,12})\b")
_MODULE = 0x0502
"""Error, and the middleware's own module, in the upper half of its codes."""
_WHAT = {
    1: ("a wrong argument", "Check the arguments of mtb_ml_model_init: the model's struct, and its arena if the application has one."),
    2: (
        "no memory for the model's object, its arena or its interpreter",
        "Enlarge the heap, which holds the arena if none is passed (the linker script's heap size; the arena's size is in the generated model header), or "
        "pass mtb_ml_model_init a static arena.",
    ),
    3: (
        "an unreadable model",
        "Regenerate the model's sources with the converter of the same release, for the inference engine that is built (tflm or tflm_less).",
    ),
    4: (
        "a model data type that the application was not built for",
        "Build with the NN_TYPE that the model has (float, int8x8 or int16x8), or quantize the model for the one that was built.",
    ),
    9: (
        "no NPU",
        "Call mtb_ml_init before mtb_ml_model_init, on the core that has the Ethos-U55 (CM55), and check its return value.",
    ),
}  # fmt: skip


def middleware(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """The model could not be set up; the number gives the kind of problem."""
    bad = saying(seen, "MTB ML initialization failure: ")
    found = _SAID.search(bad.text) if bad is not None else None
    if bad is None or found is None:
        return None
    code = int(found[1])
    what, advice = _WHAT.get(code & 0xFFFF if code >> 16 == _MODULE else 0, (None, "Read the lines around it."))
    why = f"Its code 0x{code:08x} means {what}." if what else f"Its code is 0x{code:08x}."
    title = (
        f"The middleware could not set the model up: {what}" if what else "The middleware could not set the model up"
    )
    return error("middleware-not-ready", run, title, f"{bad.text}. {why}", advice, bad.line)
