"""What the runtime takes of the method allocator's pool when it loads a method, counted for a core with 32-bit pointers.

No file says it.  It follows from what `Method::init` of ExecuTorch 1.1 to 1.5 allocates, one after another, each at the
alignment of its type, and equals what the upstream runner printed on a Cortex-M55 (`method_allocator_loaded`).  Other
compilers, other ports and other releases may differ, so that it stays an estimate.
"""

from __future__ import annotations

from .calls import (
    BOOL_LIST,
    DOUBLE_LIST,
    INT_LIST,
    OPTIONAL_TENSOR_LIST,
    STRING,
    TENSOR,
    TENSOR_LIST,
    MethodCalls,
    ValueAt,
)

POINTER = 4
EVALUE = 16, 8  # bytes, alignment
_TENSOR_IMPL = 32, 4
_ARRAY_REF = 8, 4
_BOXED_LIST = 12, 4
_NAMED_DATA = 40, 8
_BACKEND_DELEGATE = 40, 8
_COMPILE_SPEC = 12, 4
_CHAIN = 16, 4
_ARGUMENTS = 8, 4
_TENSOR_META_BYTES = 12
_DIM_LIMIT = 16
"""kTensorDimensionLimit: what the loader allows for each argument's dim order when it looks for room."""


def loaded_bytes(method: MethodCalls, start: int = 0) -> int:
    """Bytes from this place of the pool on (it follows the planned buffers)."""
    at = start

    def take(kind: tuple[int, int], count: int = 1) -> None:
        nonlocal at
        size, alignment = kind
        at = -(-at // alignment) * alignment + size * count

    take(EVALUE, len(method.values))
    if method.inputs:
        take((1, 1), method.inputs)
    external = sum(value.external for value in method.values)
    if external:
        take(_NAMED_DATA, external)
    for value in method.values:
        for kind, count in _of_value(value):
            take(kind, count)
    take(_BACKEND_DELEGATE, len(method.compile_specs))
    for specs in method.compile_specs:
        take(_COMPILE_SPEC, specs)
    take(_CHAIN, len(method.chains))
    for chain in method.chains:
        take((POINTER, POINTER), len(chain))
        take(_ARGUMENTS, len(chain))
        for call in chain:
            take((POINTER, POINTER), len(call.arguments))
    return at - start


def _of_value(value: ValueAt) -> tuple[tuple[tuple[int, int], int], ...]:
    pointer, long = (POINTER, POINTER), (8, 8)
    if value.kind == TENSOR:
        sizes = (((4, 4), value.rank), ((1, 1), value.rank)) if value.dynamic else ()
        return (*sizes, ((4, 4), value.rank), (_TENSOR_IMPL, 1))
    count = len(value.items)
    if value.kind == INT_LIST:
        return (pointer, count), (long, count), (_BOXED_LIST, 1)
    if value.kind == TENSOR_LIST:
        return (pointer, count), (pointer, count), (_BOXED_LIST, 1)
    if value.kind == OPTIONAL_TENSOR_LIST:
        return ((8, 4), count), (pointer, count), (_BOXED_LIST, 1)
    if value.kind in (STRING, DOUBLE_LIST, BOOL_LIST):
        return ((_ARRAY_REF, 1),)
    return ()


def resolving_bytes(method: MethodCalls) -> int:
    """Room that the temp pool must have while kernels are looked up, for this not to come from the method pool."""
    most = max(
        (len(call.arguments) for chain in method.chains for call in chain if call.operator is not None), default=0
    )
    return most * (_TENSOR_META_BYTES + _DIM_LIMIT)
