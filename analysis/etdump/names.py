"""Whether the name of an event can be one, where a dump came with damage: no figure is shown under a name that is none.

A lost character moves what stands behind it by six bits, and a foreign one further on puts it right again, so that the text
is as long as it should be.  Names between the two are garbled, and tell that.
"""

from __future__ import annotations

import re

RUNTIME = (
    "OPERATOR_CALL", "DELEGATE_CALL", "JF_CALL", "MOVE_CALL", "FREE_CALL", "Method::init", "Method::execute", "Method::step",
    "Method::set_input", "Method::set_inputs", "Method::get_outputs", "Program::load", "Program::load_data",
    "Program::check_header", "Program::verify_internal_consistency", "Program::load_method", "Program::LoadSegment",
    "Program::load_subsegment_into", "native_call_",
)  # fmt: skip
"""What the runtime calls its events; the last one is the beginning of many names."""
_WORDS = frozenset(
    (
        "a all alpha array atol b beta bin bins ccol center col comp correction crow ct data decimals default deprecated "
        "device dim dims dtype dx eigenvalues eigvals float format from fullcoverage generator grad idx indexing indices "
        "input int IntList intlist ints inverse KN L layout List low lr m mask max memory min mode msg n no ntonly offset or "
        "ord Other other out output OutScalar OutTensor p padding per periodic plain Q qparams quantized rcond reduce result "
        "row rtol Scalar scalar ScalarAndTensor scalararray scalarint ScalarList ScalarOpt ScalarOther scalarrayarray "
        "scalarrayint ScalarSelf sections Self self Sequence sign size sizes source sparse src stable start stats step "
        "Storage storage str Tensor tensor tensorarray tensorarrayint TensorList tensors to tol two U unary using value "
        "values vec X x"
    ).split()
)
"""What the names of overloads are made of: those of PyTorch's operators, of ExecuTorch's portable kernels and of its backends."""
_KERNEL = re.compile(
    r"native_call_(?:[a-z]\w*::[a-z_]\w*|[a-z_]\w*_|(?:[a-z]\w*::)?[A-Za-z_]\w*\.(?P<overload>\w+))", re.ASCII
)
"""Of kernels with an overload, with a namespace, or that write into their first tensor ("copy_")."""
_CALL = "_call"
"""What the names of runtime and kernels have in common."""
_PRINTABLE = re.compile(rb"[ -~]*")


def printable(raw: bytes) -> bool:
    """True for bytes that all are printable ASCII, as those of all names are."""
    return _PRINTABLE.fullmatch(raw) is not None


def plausible(name: str) -> bool:
    """True for what the runtime calls its events, for kernels by what they all look like, and for what is like neither."""
    if name in RUNTIME[:-1]:
        return True
    kernel = _KERNEL.fullmatch(name)
    if kernel is not None:
        overload = kernel["overload"]
        return not overload or f"_{overload}".endswith("_out") or _WORDS.issuperset(overload.rstrip("_").split("_"))
    return len(name) > 2 and _CALL not in name.lower() and not any(_alike(name, known) for known in RUNTIME)


def _alike(name: str, known: str) -> bool:
    """True where half of a name is the beginning, or the end, of a known one."""
    return 2 * max(_common(name, known), _common(name[::-1], known[::-1])) >= len(known) or known in name


def _common(a: str, b: str) -> int:
    """How many characters both begin with."""
    return next((place for place, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
