"""The values of a program's methods and what each instruction is called with: what the runtime lays out when it loads them.

`program/reader.py` measures what a person asks for; this reads what the pools and a selective build depend on.
"""

from __future__ import annotations

from struct import error as StructError

from ..flat.buffer import I8, I32, U32, Buffer, Damaged, TableAt
from ..named_tuple import NamedTuple
from ..program.reader import ProgramError, kernel_names

TENSOR, INT_LIST, STRING = 5, 7, 6
DOUBLE_LIST, BOOL_LIST, TENSOR_LIST, OPTIONAL_TENSOR_LIST = 8, 9, 10, 11
_KERNEL, _DELEGATE = 1, 2
_RANK_LIMIT = 16  # what the loader allows
_ARGUMENT_LIMIT = 4096
_LIST_CODES = {INT_LIST: "q", TENSOR_LIST: "i", OPTIONAL_TENSOR_LIST: "i"}


class ValueAt(NamedTuple):
    """One value; of what is no tensor only `kind` and `items` count."""

    kind: int
    """Number of the type in program.fbs."""
    dtype: int = 0
    rank: int = 0
    dim_order: tuple[int, ...] = ()
    dynamic: bool = False
    external: bool = False
    """A constant that is in another file."""
    items: tuple[int, ...] = ()
    """Of a list: the values that it holds."""


class Call(NamedTuple):
    """One instruction; `operator` is None for what calls no kernel, `arguments` are values."""

    operator: str | None
    arguments: tuple[int, ...]


class MethodCalls(NamedTuple):
    """One method."""

    name: str
    values: tuple[ValueAt, ...]
    inputs: int
    chains: tuple[tuple[Call, ...], ...]
    operators: tuple[str, ...]
    """Names of the kernels that it lists, with their overloads."""
    compile_specs: tuple[int, ...]
    """How many each delegate has."""


def read_calls(data: bytes) -> tuple[MethodCalls, ...]:
    """The methods of a program (not of a bundle).

    Raises:
        ProgramError: it is cut or damaged.
    """
    buffer = Buffer(data)
    try:
        root = buffer.table(U32.unpack_from(data)[0])
        return tuple(_method(buffer, plan) for plan in buffer.tables(root, 1))
    except (Damaged, StructError):
        raise ProgramError("the program is cut or damaged: the arguments of its instructions cannot be read") from None


def _method(buffer: Buffer, plan: TableAt) -> MethodCalls:
    names = kernel_names(buffer, plan)
    places = buffer.places(plan, 2)
    chains = []
    for chain in buffer.tables(plan, 5):
        calls = []
        for entry in buffer.tables(chain, 2):
            kind, arguments = buffer.union(entry, 0)
            if arguments is None or kind not in (_KERNEL, _DELEGATE):
                calls.append(Call(None, ()))
                continue
            number = buffer.number(arguments, 0, I32, 0)
            name = (names[number] if 0 <= number < len(names) else f"operator {number}") if kind == _KERNEL else None
            calls.append(Call(name, buffer.numbers(arguments, 1, "i", _ARGUMENT_LIMIT)))
        chains.append(tuple(calls))
    return MethodCalls(
        buffer.text(plan, 0),
        tuple(_value(buffer, buffer.table(place)) for place in places),
        buffer.count(plan, 3, 4),
        tuple(chains),
        tuple(names),
        tuple(buffer.count(delegate, 2, 4) for delegate in buffer.tables(plan, 7)),
    )


def _value(buffer: Buffer, value: TableAt) -> ValueAt:
    kind, table = buffer.union(value, 0)
    if table is None:
        return ValueAt(kind)
    if kind in _LIST_CODES:
        return ValueAt(kind, items=buffer.numbers(table, 0, _LIST_CODES[kind], 1 << 20))
    if kind != TENSOR:
        return ValueAt(kind)
    extra = buffer.child(table, 9)
    external = extra is not None and buffer.number(extra, 2, I8, 0) == 1 and buffer.child(table, 6) is None
    return ValueAt(
        kind,
        buffer.number(table, 0, I8, 0),
        buffer.count(table, 2, 4),
        buffer.numbers(table, 3, "B", _RANK_LIMIT),
        buffer.number(table, 8, I8, 0) != 0,
        external,
    )
