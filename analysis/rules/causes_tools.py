"""Programs that a build calls and that are not there, each with where it comes from."""

from __future__ import annotations

from .causes import Failure

MISSING_TOOLS: tuple[Failure, ...] = (
    Failure(
        "vela-missing",
        r"(?<![\w/.-])vela: (?:command )?not found|[`']vela' is not recognized as",
        "Vela is not on PATH",
        "Activate the environment that has it, or install it: pip install ethos-u-vela in the version that this ExecuTorch release pins "
        "(examples/arm/setup.sh does).",
        ("run.sh: line 210: vela: command not found", "'vela' is not recognized as an internal or external command,"),
    ),
    Failure(
        "build-tool-missing",
        r"required program (?P<tool>[\w.+-]{1,80}) not found; install it or add its location to PATH",
        "A program that west needs is missing: {tool}",
        "Install it, and put its folder on PATH; west flash --runner NAME takes another one (west flash --context lists those of the board).",
        ("FATAL ERROR: required program JLinkExe not found; install it or add its location to PATH",),
    ),
    Failure(
        "build-tool-missing",
        r"(?P<tool>cmake|ninja|g?make|gcc|g\+\+|c\+\+|cc|git|west|dtc|curl|wget|buck2|python3?|pip3?|unzip|flatc): "
        r"(?:command )?not found|(?:No such file or directory: |command |Could not find a program )'?(?P<other>cmake|ninja|gcc|g\+\+|make|x86_64-linux-gnu-g(?:cc|\+\+))'|"
        r"[`'](?P<named>cmake|ninja|g?make|gcc|g\+\+|git|west|dtc|python3?|pip3?)' is not recognized as|"
        r"unable to find a build program corresponding to \"(?P<generator>\w{1,20})|CMAKE_MAKE_PROGRAM is not set|"
        r"Unable to locate package (?P<package>\S{1,60})|CMake must be installed to build",
        "A build tool is missing: {tool}{other}{named}{generator}{package}",
        "Install it (Debian and Ubuntu: apt install build-essential cmake ninja-build git python3-dev), and run the step again.",
        (
            "examples/arm/setup.sh: line 88: cmake: command not found",
            "sh: 1: ninja: not found",
            "'cmake' is not recognized as an internal or external command,",
            'CMake Error: CMake was unable to find a build program corresponding to "Ninja".',
            "error: command 'gcc' failed: No such file or directory",
        ),
    ),
)
"""A part of `BUILD_FAILURES`, in its order."""
