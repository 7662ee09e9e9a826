"""Which releases of ExecuTorch, torch, Vela and the TOSA tools belong together, and with which our own route was tried.

The rows hold what each release names itself: the `ethos-u` extra in the metadata of its wheel (1.3 and newer), before
that `backends/arm/requirements-arm-ethos-u.txt` of its tag, and the torch and torchao that its wheel asks for. Vela of
another release compiles too, but makes other programs with other figures (1.4.1 with Vela 5.0.0 instead of 5.1.0 does),
so that is a warning. A torch with which the release cannot be imported is refused.
"""

from __future__ import annotations

import re

from ..named_tuple import NamedTuple
from ..report import Finding


class Toolchain(NamedTuple):
    """The versions that one release of ExecuTorch was made for; None where it names no version that a package index
    has.
    """

    torch: str
    torchao: str | None
    vela: str
    tosa: str | None
    staged: bool
    """Whether our own route goes with it: the functions that it looks at are those of this release."""
    newer_torch_fails: bool = False
    """Whether it was seen that the next torch lacks what this release imports."""
    modules: tuple[tuple[str, str], ...] = ()
    """What it imports and no package index has: the module, and what pip takes for it."""


_CMSIS_NN = "cmsis_nn @ git+https://github.com/ARM-software/CMSIS-NN.git@d933672e7ca97eec70ef43230baee7b20c2a28ae"
"""`backends/cortex_m/requirements-cortex-m.txt` of v1.3.1."""

TOOLCHAINS: dict[str, Toolchain] = {
    "1.0": Toolchain("2.9", "0.14.0", "4.4.1", None, False),
    "1.1": Toolchain("2.10", "0.15.0", "4.5.0", None, False),
    "1.2": Toolchain("2.11", "0.17.0", "5.0.0", None, False),
    "1.3": Toolchain("2.12", "0.17.0", "5.0.0", "2026.2.1", True, True, (("cmsis_nn", _CMSIS_NN),)),
    "1.4": Toolchain("2.13", "0.18.0", "5.1.0", "2026.5.0", True),
    "1.5": Toolchain("2.13", "0.18.0", "5.1.0", "2026.5.0", True),
}
"""By the first two numbers of ExecuTorch's version."""

NEWEST_LINE = 'pip install "executorch[ethos-u]==1.5.1" "torch==2.13.0"'
"""What installs the newest release with all that it needs: its wheel asks for no torch, and a later one than it was made for may not go with it."""

SHARED_ROUTE = "1.3 to 1.5"
"""The releases of the staged route, in words."""

_RELEASE = re.compile(r"(\d+\.\d+)\.\d+(?:\+cpu)?\Z")
_NUMBERS = re.compile(r"\d+(?:\.\d+)*")


class Misfit(NamedTuple):
    """A package whose version is not the one that the installed ExecuTorch was made for."""

    package: str
    found: str
    wanted: str
    fatal: bool
    """ExecuTorch cannot be imported with it."""

    def describe(self, executorch: str) -> str:
        """The misfit as a sentence without the full stop."""
        return f"ExecuTorch {executorch} was made for {self.package} {self.wanted}, and {self.found} is installed"


def toolchain(executorch: str | None) -> Toolchain | None:
    """The toolchain of this version of ExecuTorch; None if it is no release, or not one that we know."""
    release = _RELEASE.match(executorch or "")
    return TOOLCHAINS.get(release[1]) if release else None


def why_not_staged(executorch: str | None) -> str | None:
    """Why our own route cannot be used with this version, even if its files look right; None if it can."""
    known = toolchain(executorch)
    if known is not None and known.staged:
        return None
    if executorch is None or executorch == "unknown":
        return f"the version of ExecuTorch is not known (ours goes with {SHARED_ROUTE})"
    what = "is older than" if known is not None else "is no release of"
    return f"ExecuTorch {executorch} {what} {SHARED_ROUTE}"


def misfits(versions: dict[str, str | None]) -> tuple[Misfit, ...]:
    """The packages that do not belong to the installed ExecuTorch.

    `versions` has a version for each package name; None means that the package is not installed.
    """
    known = toolchain(versions.get("executorch"))
    if known is None:
        return ()
    wanted = {"torch": known.torch, "ethos-u-vela": known.vela, "tosa-tools": known.tosa}
    found = []
    for package, version in wanted.items():
        installed = _NUMBERS.match(versions.get(package) or "")
        if version is None or installed is None or _agrees(installed[0], version):
            continue
        newer = _numbers(installed[0]) > _numbers(version)
        fatal = package == "torch" and (known.newer_torch_fails or not newer)
        found.append(Misfit(package, str(versions[package]), version, fatal))
    return tuple(found)


def pip_words(executorch: str | None) -> tuple[str, ...]:
    """What follows `pip install`, call by call, to get this release of ExecuTorch with all that it needs.

    There is more than one call where pip refuses to install all at once: the packages of 1.3 ask for two versions of
    flatbuffers. For an unknown version the newest known one is taken.
    """
    release = _RELEASE.match(executorch or "")
    known = toolchain(executorch)
    if release is None or known is None or not known.staged:  # of the older ones the wheel has no script
        release = _RELEASE.match(newest := "1.5.1")
        executorch, known = newest, TOOLCHAINS["1.5"]
    assert release is not None
    number = str(executorch).partition("+")[0]
    torch = f'"torch=={known.torch}.0"'
    if release[1] in ("1.4", "1.5"):
        return (f'"executorch[ethos-u]=={number}" {torch}',)
    words = [f'"executorch=={number}" {torch} "torchao=={known.torchao}" "ethos-u-vela=={known.vela}" ml_dtypes==0.5.1']
    if known.tosa is not None:
        words.append(f'--no-deps "tosa-tools=={known.tosa}"')
    words += [f'--no-deps "{requirement}"' for _, requirement in known.modules]
    return tuple(words)


def misfit_findings(versions: dict[str, str | None], pip: str) -> tuple[Finding, ...]:
    """A warning for each package that does not fit; `pip` is the command that calls pip of that interpreter."""
    executorch = str(versions.get("executorch"))
    return tuple(
        Finding(
            "toolchain-mismatch",
            "warning",
            None,
            misfit.describe(executorch),
            "The program and its figures can differ from those that this release of ExecuTorch makes.",
            f'{pip} install --no-deps "{misfit.package}=={misfit.wanted}"',
        )
        for misfit in misfits(versions)
        if not misfit.fatal
    )


def _agrees(installed: str, wanted: str) -> bool:
    """Whether the installed version is the wanted one, as far as that says."""
    return _numbers(installed)[: wanted.count(".") + 1] == _numbers(wanted)


def _numbers(version: str) -> list[int]:
    return [int(number) for number in version.split(".")]
