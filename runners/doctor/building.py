"""What builds and simulates: FVPs, the ExecuTorch checkout, toolchains."""

from __future__ import annotations

import os
import re
import shlex

from ..job import MissingTool
from ..simulator import CHECKOUT_VARIABLE, FVP_TARGETS, checkouts, find_fvp, fvp_name, install_hint, scratch_directories
from .tool import Tool, ask

BUILD_TOOLS = (
    ("arm-none-eabi-gcc", "building a bare-metal runner", "examples/arm/setup.sh (or apt install gcc-arm-none-eabi)"),
    ("cmake", "building a runner", "pip install cmake (or apt install cmake)"),
    ("ninja", "building a runner, installing tosa-tools", "pip install ninja (or apt install ninja-build)"),
    ("git", "ExecuTorch from source", "apt install git"),
    ("g++", "installing tosa-tools from source", "apt install g++"),
)


def fvp(name: str) -> Tool:
    """One of the FVPs, and its version."""
    targets = [target for target in FVP_TARGETS if fvp_name(target) == name]
    what = f"run --on fvp ({targets[0].rpartition('-')[0]})"
    try:
        found = find_fvp(targets[0])
    except MissingTool as error:
        return Tool(name, False, error.message.removeprefix(name).strip(), what, error.hint)
    said = ask([str(found.path), "--version"], found.environment())
    number = re.search(r"\[(\d+\.\d+[\w.]*)", said or "")
    if number is None:
        reason = "does not answer" if said is None else "is there"
        return Tool(name, said is not None, f"{found.path} {reason}", what, "" if said is not None else install_hint())
    return Tool(name, True, f"{number[1]}, {found.path}", what)


def checkout() -> Tool:
    """The ExecuTorch checkout, and whether it was set up."""
    what = "building a runner, installing FVPs"
    found = checkouts()
    if not found:
        install = "git clone https://github.com/pytorch/executorch"
        detail = f"none here, above, in the home, or in {CHECKOUT_VARIABLE}"
        return Tool("ExecuTorch checkout", False, detail, what, install)
    for directory in scratch_directories():
        script = directory / "setup_path.sh"
        if script.is_file():
            line = "" if _sourced(str(directory)) else f"source {shlex.quote(str(script))}"
            detail = f"{found[0]}, tools in {directory}" + (" (not on PATH)" if line else "")
            return Tool("ExecuTorch checkout", True, detail, what, line)
    return Tool(
        "ExecuTorch checkout", True, f"{found[0]}, not set up (no setup_path.sh)", what, "examples/arm/setup.sh"
    )


def _sourced(directory: str) -> bool:
    """Whether a folder of these tools is on PATH."""
    return any(place.startswith(directory) for place in os.environ.get("PATH", "").split(os.pathsep))
