"""Whether the name of an event can be one, where a dump came with damage: no figure is shown under a name that is none.

A lost character moves what stands behind it by six bits, and a foreign one further on puts it right again, so that the text
is as long as it should be.  Names between the two are garbled, and tell that.
"""

from __future__ import annotations

import re

RUNTIME = (
    "OPERATOR_CALL", "DELEGATE_CALL", "Method::init", "Method::execute", "Program::load_method", "native_call_",
)  # fmt: skip
"""What the runtime calls its events; the last one is the beginning of many names."""
_KERNEL = re.compile(
    r"native_call_(?:[a-z]\w*::)?\w+\.(?:(?:\w+_)?out|default|[Tt]ensor|Scalar|int|float|bool|str|dim|self|values)"
)
_CALL = "_call"
"""What the names of runtime and kernels have in common."""
_PRINTABLE = re.compile(rb"[ -~]*")


def printable(raw: bytes) -> bool:
    """True for bytes that all are printable ASCII, as those of all names are."""
    return _PRINTABLE.fullmatch(raw) is not None


def plausible(name: str) -> bool:
    """True for what the runtime calls its events, for kernels by what they all look like, and for what is like neither."""
    if name in RUNTIME[:-1] or _KERNEL.fullmatch(name):
        return True
    return len(name) > 2 and _CALL not in name.lower() and not any(_alike(name, known) for known in RUNTIME)


def _alike(name: str, known: str) -> bool:
    """True where half of a name is the beginning, or the end, of a known one."""
    return 2 * max(_common(name, known), _common(name[::-1], known[::-1])) >= len(known) or known in name


def _common(a: str, b: str) -> int:
    """How many characters both begin with."""
    return next((place for place, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
