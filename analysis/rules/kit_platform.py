"""The evaluation kit's platform, which is made ready before anything of a model is: why it was not."""

from __future__ import annotations

import re

from ..draft import Evidence
from ..outcome import Outcome
from ..report import Finding, Run
from ..verdict import error

_WHAT = (
    (
        r"ERROR - CPU mismatch!",
        "The application was built for another processor than this one",
        "Build for the subsystem that is simulated or that the board was given (-DTARGET_SUBSYSTEM=sse-300 for a Cortex-M55, sse-310, sse-315 or sse-320 for a "
        "Cortex-M85), or start the FVP or load the FPGA image that goes with the build.",
    ),
    (
        r"ERROR - TA_\S{1,24} initialisation failed",
        "The NPU's timing adapter could not be set up",
        "Where this FVP, FPGA image or chip has none, build with -DETHOS_U_NPU_TIMING_ADAPTER_ENABLED=OFF; else check the adapters' base addresses of this subsystem.",
    ),
    (
        r"ERROR - Failed to set power profiles!",
        "The Secure Enclave did not take the power profiles that the application asks for",
        "Without them the NPU has no power. Update the Secure Enclave's firmware to the release that the kit's services library is of "
        "(SETOOLS: updateSystemPackage), and check that the device configuration in MRAM is of this chip.",
    ),
)  # fmt: skip
"""How the kit begins its words, what they mean, and what to do."""


def platform_not_ready(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """What the kit said before it gave up, where nothing else was said of a failure."""
    if run.stage != "start" or run.runner.kind != "mlek":
        return None
    for words, title, advice in _WHAT:
        bad = next((trouble for trouble in seen.trouble if re.match(words, trouble.text) is not None), None)
        if bad is not None:
            return error("platform-not-ready", run, title, f"The log says: {bad.text.rstrip('.')}.", advice, bad.line)
    return None
