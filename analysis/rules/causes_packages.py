"""Why pip installs nothing, or breaks what is there: packages that conflict, do not exist, or cannot be built.

The rows stand at two places of `causes_build`: what names a reason before what only says that a wheel was not built.
"""

from __future__ import annotations

from ..compiles.toolchains import NEWEST_LINE
from .causes import Failure

_TOSA_TOOLS = (
    "Read further up in its output for the reason. tosa-tools compiles its reference model and needs cmake, ninja, a C++ compiler and 2 GB of memory per job (add swap, "
    "or CMAKE_BUILD_PARALLEL_LEVEL=1)."
)
_WHEEL = "Read further up in its output for the reason; if that is cut off, build the package alone to see all of it: pip install -v --no-cache-dir NAME."
_VENV = (
    f"Give ExecuTorch its own environment (python3 -m venv env && source env/bin/activate) with a single release and nothing else: {NEWEST_LINE}; point ethosu-tui at it "
    "with --python."
)

PACKAGE_FAILURES: tuple[Failure, ...] = (
    Failure(
        "dependency-conflict",
        r"(?<!\S)(?P<package>\S{1,60} \S{1,40}) (?:requires|has requirement) (?P<wanted>[^,\n]{1,80}), but you(?:'ll)? have (?P<has>[^\n]{1,80}?)"
        r"(?: which is incompatible|\.\s{0,8}\Z)",
        "Python packages conflict: {package} needs {wanted}, and {has} is installed",
        _VENV,
        (
            "ERROR: tosa-tools 2026.5.0 has requirement numpy<2.2, but you have numpy 2.3.1 which is incompatible.",
            "tosa-tools 2026.5.0 has requirement numpy<2.2, but you have numpy 2.3.1.",
        ),
    ),
    Failure(
        "dependency-conflict",
        r"^(?:ERROR: )?(?P<package>[\w.+-]{1,60} [\w.+-]{1,40}) requires (?P<wanted>[^,\n]{1,80}), which is not installed",
        "A Python package lacks a dependency: {package} needs {wanted}, which is not installed",
        _VENV,
        ("torchao 0.17.0 requires numpy, which is not installed.",),
        1,
    ),
    Failure(
        "dependency-conflict",
        r"\A(?=(.*?The conflict is caused by:))\1\s{1,9}(?P<one>(?:The user requested|\S{1,80} \S{1,40} depends on) [^\n]{1,120}?)\s{1,9}"
        r"(?=\S{1,80} \S{1,40} depends on |The user requested )(?:[^\n]{0,900} )?"
        r"(?P<last>\S{1,80} \S{1,40} depends on (?:(?! depends on )[^\n]){1,120}?)(?=\s{1,9}To fix|\s{0,9}\Z)",
        "Python packages conflict: {one}, and {last}",
        f"If only ExecuTorch's own scripts asked for these, its commit lies between two releases of them: use a release, or a newer commit. {_VENV}",
        ("ERROR: Cannot install a==2.0 and b==1.0 because these package versions have conflicting dependencies. The conflict is caused by: "
         "The user requested a==2.0 c 3.0 depends on a b 1.0 depends on a==1.9 To fix this you could try to:",),
    ),
    Failure(
        "dependency-conflict",
        r"Cannot install (?P<what>[^\n]{1,160}) because these package versions have conflicting dependencies",
        "Python packages conflict: {what}",
        _VENV,
        ("ERROR: Cannot install -r a.txt and torch==2.9 because these package versions have conflicting dependencies.",),
    ),
    Failure(
        "dependency-conflict",
        r"ResolutionImpossible|pip's dependency resolver does not currently take into account",
        "Python packages conflict",
        _VENV,
        ("ERROR: ResolutionImpossible: for help visit https://pip.pypa.io/",),
        1,
    ),
    Failure(
        "package-not-found",
        r"No matching distribution found for (?P<name>\S{1,100})|Could not find a version that satisfies the requirement (?P<other>\S{1,100})",
        "No package {name}{other} exists for this Python and machine",
        "Check the Python version (ExecuTorch supports 3.10 to 3.12, since 1.1 also 3.13, since 1.4 also 3.14) and the architecture; nightly builds are removed after "
        "some weeks, so a source tree must be recent or a release. If it says (from versions: none), the index itself may be unreadable: pip index versions NAME -v.",
        ("ERROR: No matching distribution found for torch==2.9.0.dev20250906",),
    ),
    Failure(
        "externally-managed",
        r"externally-managed-environment",
        "pip refuses to install into the system's Python",
        "Create an environment first: python3 -m venv env && source env/bin/activate.",
        ("error: externally-managed-environment",),
    ),
)  # fmt: skip

WHEEL_FAILURES: tuple[Failure, ...] = (
    Failure(
        "wheel-build-failed",
        r"(?:Failed (?:building wheel for|to build)|Could not build wheels for) (?P<name>tosa[-_]tools)",
        "pip could not build {name}",
        _TOSA_TOOLS,
        ("ERROR: Failed building wheel for tosa-tools", "Failed to build tosa-tools"),
        1,
    ),
    Failure(
        "wheel-build-failed",
        r"Failed (?:building wheel for|to build) (?P<name>(?!installable)[\w.-]{1,80})|Could not build wheels for (?P<other>[\w.-]{1,80})",
        "pip could not build {name}{other}",
        _WHEEL,
        ("ERROR: Failed building wheel for torchao", "Failed to build executorch"),
        1,
    ),
    Failure(
        "wheel-build-failed",
        r"RuntimeError: Failed building (?P<part>[\w.-]{1,60})",
        "pip could not build a package: its component {part} failed",
        _TOSA_TOOLS,
        ("RuntimeError: Failed building reference_model.",),
        2,
    ),
)  # fmt: skip
