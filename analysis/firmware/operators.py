"""The kernels that a build must have for a program: as a list for CMake, and as the selected_operators.yaml of gen_oplist.

The keys say with which element types and dim orders each kernel is called, as ExecuTorch's own gen_oplist writes them, for
builds that leave out the variants of other types.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..named_tuple import NamedTuple
from ..program.reader import ProgramError
from .c_text import is_operator
from .calls import OPTIONAL_TENSOR_LIST, TENSOR, TENSOR_LIST, Call, MethodCalls, ValueAt

_KEYS_LIMIT_BYTES = 16 << 20


class Kernel(NamedTuple):
    """One kernel."""

    operator: str
    calls: int
    keys: tuple[str, ...]
    """Kernel keys of format v1, one for each set of types that it is called with; none for one that is only listed."""


def kernels_of(methods: Sequence[MethodCalls]) -> tuple[Kernel, ...]:
    """Those of all methods by name.

    Raises:
        ProgramError: the calls of some kernel differ more than those of any program.
    """
    size = 0
    calls: dict[str, int] = {name: 0 for method in methods for name in method.operators}
    keys: dict[str, set[str]] = {}
    for method in methods:
        for chain in method.chains:
            for call in chain:
                if call.operator is not None:
                    calls[call.operator] = calls.get(call.operator, 0) + 1
                    key = _key(method.values, call)
                    known = keys.setdefault(call.operator, set())
                    if key not in known:
                        known.add(key)
                        size += len(key)
                    if size > _KEYS_LIMIT_BYTES:
                        raise ProgramError(f"kernel {call.operator} is called in more ways than any program does")
    return tuple(Kernel(name, calls[name], tuple(sorted(keys.get(name, ())))) for name in sorted(calls))


def _key(values: Sequence[ValueAt], call: Call) -> str:
    parts = []
    for argument in call.arguments:
        tensor = _tensor(values, argument)
        if tensor is not None:
            parts.append(f"{tensor.dtype};{','.join(map(str, tensor.dim_order))}")
    # gen_oplist cuts the last character off, which is the bar behind the last tensor and the slash where there is none
    return f"v1/{'|'.join(parts)}" if parts else "v1"


def _tensor(values: Sequence[ValueAt], index: int) -> ValueAt | None:
    if not 0 <= index < len(values):
        return None
    value = values[index]
    if value.kind == TENSOR:
        return value
    if value.kind not in (TENSOR_LIST, OPTIONAL_TENSOR_LIST):
        return None
    held = (values[item] for item in value.items if 0 <= item < len(values))
    return next((item for item in held if item.kind == TENSOR), None)


def unusable(kernels: Iterable[Kernel]) -> tuple[str, ...]:
    """Names that are no names of operators, which no list may hold."""
    return tuple(kernel.operator for kernel in kernels if not is_operator(kernel.operator))


def select_list(kernels: Iterable[Kernel]) -> str:
    """The value of EXECUTORCH_SELECT_OPS_LIST: names with commas between them."""
    return ",".join(kernel.operator for kernel in kernels if is_operator(kernel.operator))


def operators_yaml(kernels: Sequence[Kernel], source: str) -> str:
    """The selected_operators.yaml that gen_oplist would write for the program; `source` is plain text for debug_info."""
    usable = [kernel for kernel in kernels if is_operator(kernel.operator)]
    lines = ["build_features: []", "custom_classes: []"]
    with_keys = [kernel for kernel in usable if kernel.keys]
    lines.append("et_kernel_metadata:" if with_keys else "et_kernel_metadata: {}")
    for kernel in with_keys:
        lines += [f"  {kernel.operator}:", *(f"  - {key}" for key in kernel.keys)]
    lines += ["include_all_non_op_selectives: false", "include_all_operators: false", "kernel_metadata: {}"]
    lines.append("operators:" if usable else "operators: {}")
    for kernel in usable:
        lines += [
            f"  {kernel.operator}:",
            "    debug_info:",
            f"    - '{source}'",
            "    include_all_overloads: false",
            "    is_root_operator: true",
            "    is_used_for_training: true",
        ]
    return "\n".join(lines) + "\n"
