"""Rows of the tables that explain failures of compiles, builds and installations: words to look for, and what to say."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from ..cleaning import in_command

TITLE_LIMIT = 220
ANY_PART = "any"
TEXT_LIMIT = 8_000
"""Characters of a message in which a pattern is looked for."""


BORDER = (
    "Update ExecuTorch and compile again: a view or permute at the end of the delegate pulled the dequantise node "
    "in with it, so the NPU writes int8 into a float tensor (pytorch/executorch#19364, seen in attention models). "
    "Until then keep that last view_copy or permute_copy out of the delegate, and do not use a runner that copies "
    "the bytes anyway: its outputs are wrong."
)
"""For an output in which the NPU and the program differ, told by the compile and by the runner."""
PINNED_TOOLS = (
    "Install the ethos-u-vela and tosa-tools that match the installed ExecuTorch: pip install "
    '"executorch[ethos-u]" on top of a wheel of 1.3 or later, which is left as it is, or examples/arm/setup.sh '
    "--i-agree-to-the-contained-eula in the source tree of that release."
)
"""For Vela and TOSA's tools of another release, or of none: the extra of the wheel pins both, and before 1.3 there is none."""
NUMPY_OTHER = (
    "Reinstall the package that the traceback names to match the installed NumPy: `pip install --force-reinstall "
    "--no-cache-dir --no-deps NAME`. ExecuTorch has needed NumPy 2 since 0.5, so going back to 1 breaks it; a "
    "separate environment for ExecuTorch avoids the conflict."
)


_OPERATOR = r"<EdgeOpOverload: ([\w.:]{1,120})>: schema = [^\n]{1,600}?\) -> (?:\((?:[^()\n]|\([\w!]{1,4}\)){0,200}\)|\w{1,40}(?:\([\w!]{1,4}\))?(?:\[\])?)"
"""How an operator of the edge dialect prints itself; its name is what a row looks for."""


class Failure(NamedTuple):
    """One kind of failure; `title` and `advice` may use the pattern's named groups."""

    rule: str
    pattern: str
    title: str
    advice: str
    samples: tuple[str, ...]
    rank: int = 0
    """0 for a cause, 1 for the step that failed of it, 2 for a part of that step, 3 for a tool that only says that something failed."""
    raised_in: tuple[str, ...] = ()
    """For words that other programs have too: parts of a compile (`host.frames`) that raise it, `ANY_PART` for any of this field."""


class Explained(NamedTuple):
    """A failure with the values from this log."""

    failure: Failure
    title: str
    advice: str


_COMPILED: dict[str, re.Pattern[str]] = {}
_AS_STRING = re.compile(r": (['\"])Error: |\bethosu\.(?:vela|regor)\.[\w.]{1,60}: (['\"])")
"""How Vela shows its errors: as Python shows a string."""


def explain_text(table: Iterable[Failure], text: str) -> Explained | None:
    """The first row of the table whose pattern is in the text, with its values; None where none is."""
    text = text[:TEXT_LIMIT]
    for failure in table:
        pattern = _COMPILED.get(failure.pattern)
        if pattern is None:
            pattern = _COMPILED[failure.pattern] = re.compile(failure.pattern, re.DOTALL)
        match = pattern.search(text)
        if match is None:
            continue
        shown = _AS_STRING.search(text)
        quote = shown[shown.lastindex or 0] if shown is not None else ""
        groups = {
            name: " ".join((value or "").split()).rstrip(quote or ".").rstrip(".")
            for name, value in match.groupdict().items()
        }
        typed = {name: _typed(name, value) for name, value in groups.items()}
        return Explained(failure, short(_filled(failure.title, groups)), short(_filled(failure.advice, typed), 600))
    if "<EdgeOpOverload: " in text:
        return explain_text(table, re.sub(_OPERATOR, r"\1", text).replace("<EdgeOpOverload: ", "<"))
    return None


_NOT_TYPED = frozenset(("fixes", "line"))
"""Values of advice that are no word of a command: Python of PyTorch's, and a whole command whose pattern says what may be in it."""
_BESIDE = "/+=,@%"
"""What a path, an option or an address has beside letters, and a shell takes as it is."""


def _typed(name: str, value: str) -> str:
    """A value where a reader may copy it into a shell: itself, or what stands there in capitals."""
    if not value or name in _NOT_TYPED:
        return value
    plain = value.removeprefix("-") if name == "option" else value
    return value if in_command(plain, "", _BESIDE) and plain[0] != "=" else name.upper()


def _filled(template: str, groups: dict[str, str]) -> str:
    """The template with its values; punctuation around a value that the line did not have goes with it."""
    text = template.format(**groups).replace(" ()", "")
    while "  " in text:
        text = text.replace("  ", " ")
    return text.removesuffix(", and here is ").rstrip(" :,")


def short(text: str, limit: int = TITLE_LIMIT) -> str:
    """The text without anything unprintable, cut to what fits in a title."""
    printable = "".join(c if c.isprintable() else " " for c in text)
    return printable if len(printable) <= limit else printable[: limit - 3] + "..."


def quoted(text: str, limit: int = 300) -> str:
    """The end of a sentence that quotes a log: the dots of a text that was cut, or a full stop."""
    said = short(text, limit).rstrip()
    return said if said.endswith(("...", "\u2026")) else f"{said.rstrip('.')}."
