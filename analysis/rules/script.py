"""What run_fvp.sh says about a run after the simulator ended: its exit status, and verdicts missing from the runner's
lines.
"""

from __future__ import annotations

from ..draft import Evidence
from ..named_tuple import NamedTuple
from ..outcome import Outcome
from ..report import Finding, Run

_STATUS = {
    124: "Give it more time (run_fvp.sh --timeout=SECONDS): the timeout command ended it.",
    126: "Check that the FVP is for this machine, and its mode (chmod +x): a program was found but could not be executed.",
    127: "Run `source examples/arm/arm-scratch/setup_path.sh` (up to 1.0: ethos-u-scratch), check with command -v FVP_Corstone_SSE-320, and for a wrapper "
    "that docker is installed: a program was not found.",
    134: "Start the simulator once by hand with the same command: it aborted.",
    137: "See dmesg, and give the machine or its container more memory: it was killed (SIGKILL), most often for lack of memory.",
    139: "Start the simulator once by hand with the same command: it crashed.",
}
"""What a shell's exit status says."""
_OTHERWISE = "Start the simulator once by hand with the same command, and read what it says last."


class Ended(NamedTuple):
    """The exit status that the script printed, where it is not 0."""

    code: int
    said: str
    advice: str
    line: int


def ended_with(seen: Evidence) -> Ended | None:
    """The status with which the script says that the simulator ended, where that is none of success."""
    told = seen.first("script_status")
    if told is None:
        return None
    code = int(told.values["code"] or 0)
    return Ended(code, told.text, _STATUS.get(code, _OTHERWISE), told.line)


def script_says(run: Run, seen: Evidence, outcome: Outcome | None) -> Finding | None:
    """What the script found wrong, besides what the runner's own lines say."""
    ended = ended_with(seen) if run.status not in ("truncated", "not_started") else None
    told = seen.first("script_bundle_missing", "script_failed")
    lines = tuple(found.line for found in (told, ended) if found is not None)
    if told is not None and told.kind == "script_bundle_missing":
        name = told.values.get("name")
        return Finding(
            "bundle-not-checked", "warning", run.index, f"The log does not say whether the outputs of {name} are right",
            f"run_fvp.sh says: {told.text.rstrip('.')}. It counts that as a failure.",
            "Build the runner with bundled inputs (-DET_BUNDLE_IO=ON; run.sh --bundleio does), and create the program with aot_arm_compiler --bundleio; if "
            "the runner stopped before its outputs, read the lines above for the reason.", lines,
        )  # fmt: skip
    if told is None and ended is None or run.status == "not_started":
        return None
    said = " and ".join([*([told.text] if told is not None else []), *([ended.said] if ended is not None else [])])
    title = "run_fvp.sh says that the run failed" if ended is None else f"The simulation ended with status {ended.code}"
    return Finding(
        "script-status", "warning", run.index, title, f"The log says: {said}.",
        ended.advice if ended is not None else "Go by what the runner printed: if its completion line is there, the script looked at another log.",
        lines,
    )  # fmt: skip
