"""Which ExecuTorch releases a runner can be, where an option that helps is missing from some, or has two names."""

from __future__ import annotations

from ..report import Run


def surely_from(run: Run, first: tuple[int, int]) -> bool:
    """True where the runner is known to be of this release or a later one."""
    told = _releases(run)
    return told is not None and told[0] >= first


def surely_before(run: Run, first: tuple[int, int]) -> bool:
    """True where the runner is known to be of an earlier release."""
    told = _releases(run)
    return told is not None and told[1] < first


def may_lose_outputs(run: Run) -> bool:
    """Whether this may be the runner of 1.0, which lost outputs; 1.1 has the fix."""
    return not (surely_before(run, (1, 0)) or surely_from(run, (1, 1)))


def simulator_parameter(npu: str | None, name: str) -> str:
    """The whole name of a parameter of the NPU ("ethosu...") or the CPU ("cpu0..."): Corstone-320, with its U85, has both further down."""
    return f"mps4_board.subsystem.{name}" if npu == "ethos-u85" else name


_MAIN = (99, 0)
"""The state of development, which is later than every release."""


def _releases(run: Run) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """The earliest and the latest release that the log leaves open ("1.0.0/1.0.1", "1.4.0..main"); None without any."""
    told = run.runner.executorch_version
    if not told:
        return None
    numbers = [number for name in told.replace("..", "/").split("/") for number in _numbers(name)]
    return (min(numbers), max(numbers)) if numbers else None


def _numbers(name: str) -> tuple[tuple[int, int], ...]:
    """The release of this name; for a state between two ("1.1-dev"), both."""
    if name == "main":
        return (_MAIN,)
    major, _, rest = name.removesuffix("-dev").partition(".")
    minor = rest.partition(".")[0]
    if not (major.isdecimal() and minor.isdecimal()):
        return ()
    number = (int(major), int(minor))
    if not name.endswith("-dev"):
        return (number,)
    return ((number[0], number[1] - 1) if number[1] else (number[0] - 1, 9), number)
