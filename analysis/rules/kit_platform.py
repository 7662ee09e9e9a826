"""Why the evaluation kit's platform, which is set up before the model, was not ready."""

from __future__ import annotations

import re

from ..draft import Evidence
from ..outcome import Outcome
from ..report import Finding, Run
from .evidence import error

_WHAT = (
    (
        r"ERROR - CPU mismatch!",
        "The application was built for another processor",
        "Build for the subsystem that the FVP simulates or the board is loaded with (-DTARGET_SUBSYSTEM=sse-300 for a Cortex-M55, sse-310, sse-315 or "
        "sse-320 for a Cortex-M85), or start the FVP or load the FPGA image that matches the build.",
    ),
    (
        r"ERROR - TA_\S{1,24} initialisation failed",
        "The NPU's timing adapter could not be set up",
        "Build with -DETHOS_U_NPU_TIMING_ADAPTER_ENABLED=OFF if this FVP, FPGA image or chip has none; otherwise check the adapters' base addresses for "
        "this subsystem.",
    ),
    (
        r"ERROR - Failed to set power profiles!",
        "The Secure Enclave rejected the power profiles that the application requests",
        "Update the Secure Enclave's firmware to the release of the kit's services library (SETOOLS: updateSystemPackage), and check that the device "
        "configuration in MRAM is for this chip. Without the profiles the NPU has no power.",
    ),
)  # fmt: skip
"""How the kit begins its words, what they mean, and what to do."""


def platform_not_ready(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """What the kit said before it gave up, where nothing else was said about a failure."""
    if run.stage != "start" or run.runner.kind != "mlek":
        return None
    for words, title, advice in _WHAT:
        bad = next((trouble for trouble in seen.trouble if re.match(words, trouble.text) is not None), None)
        if bad is not None:
            return error("platform-not-ready", run, title, f"The log says: {bad.text.rstrip('.')}.", advice, bad.line)
    return None
