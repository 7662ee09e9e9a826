"""An ExecuTorch program from its bytes: methods, tensors, delegates and segments, without ExecuTorch or torch.

It walks the FlatBuffer (identifier "ET12") by the schema of ExecuTorch 0.2 to 1.5, of which each release only added
fields.  A file may be cut, garbled or made to hurt: any bytes give a report or one `ProgramError`, in time and memory that
grow with their number only.  Constants and delegates are measured where they stand, never copied.
"""

from __future__ import annotations

from struct import Struct
from struct import error as StructError

from ..flat.buffer import I8, I32, U32, U64, Buffer, Damaged, TableAt
from ..named_tuple import NamedTuple
from .build import build_of
from .report import (
    Bundle,
    BundledCase,
    BundledSuite,
    BundledTensor,
    CompileSpec,
    Delegate,
    Instruction,
    Method,
    NamedData,
    Program,
    Segment,
    Tensor,
    Value,
)  # fmt: skip
from .vela_stream import HEAD, VelaStreamError, read_stream

HEADER_MAGIC = b"eh00"
_HEADER = Struct("<IQQ")  # its length, size of the program, where the first segment begins
_SPEC_LIMIT_BYTES = 65536
_RANK_LIMIT = 64

DTYPES: dict[int, tuple[str, int]] = {
    0: ("uint8", 8), 1: ("int8", 8), 2: ("int16", 16), 3: ("int32", 32), 4: ("int64", 64), 5: ("float16", 16),
    6: ("float32", 32), 7: ("float64", 64), 8: ("complex32", 32), 9: ("complex64", 64), 10: ("complex128", 128),
    11: ("bool", 8), 12: ("qint8", 8), 13: ("quint8", 8), 14: ("qint32", 32), 15: ("bfloat16", 16),
    16: ("quint4x2", 4), 17: ("quint2x4", 2), 22: ("bits16", 16), 23: ("float8_e5m2", 8), 24: ("float8_e4m3fn", 8),
    25: ("float8_e5m2fnuz", 8), 26: ("float8_e4m3fnuz", 8), 27: ("uint16", 16), 28: ("uint32", 32), 29: ("uint64", 64),
}  # fmt: skip
"""Name and bits of an element, by ExecuTorch's ScalarType."""

_KINDS = {
    1: "null", 2: "int", 3: "bool", 4: "double", 5: "tensor", 6: "string", 7: "int list", 8: "double list", 9: "bool list",
    10: "tensor list", 11: "optional tensor list",
}  # fmt: skip
_TENSOR = 5
_INSTRUCTIONS = {1: "kernel", 2: "delegate", 3: "move", 4: "jump", 5: "free"}
_DYNAMISM = ("static", "bounded", "unbounded")


class ProgramError(ValueError):
    """The bytes are no program, or cannot be read; the message is one sentence."""


class Header(NamedTuple):
    """The extended header, which programs with segments have behind their identifier."""

    length: int
    program_bytes: int
    segment_base: int
    segment_bytes: int | None
    """None in files of releases that did not write it."""


def header_of(data: bytes) -> Header | None:
    """The extended header, or None."""
    if data[8:12] != HEADER_MAGIC or len(data) < 32:
        return None
    length, program, base = _HEADER.unpack_from(data, 12)
    if length < 24:
        return None
    segments = U64.unpack_from(data, 32)[0] if length >= 32 and len(data) >= 40 else None
    return Header(length, program, base, segments)


def read_program(data: bytes) -> Program:
    """The program in these bytes.

    Raises:
        ProgramError: it is none, or its FlatBuffer is cut or damaged.
    """
    if len(data) < 8 or data[4:6] != b"ET" or not data[6:8].isdigit():
        raise ProgramError("it is not an ExecuTorch program: the identifier (ET12) is not at byte 4")
    return _Reader(data).program()


def read_bundle(data: bytes) -> tuple[Bundle, Program]:
    """A bundled program with its test cases, and the program in it.

    Raises:
        ProgramError: it is none, or it is cut or damaged.
    """
    if len(data) < 8 or data[4:6] != b"BP" or not data[6:8].isdigit():
        raise ProgramError("it is not a bundled program: the identifier (BP08) is not at byte 4")
    buffer = Buffer(data)
    try:
        root = buffer.table(U32.unpack_from(data)[0])
        start, end = buffer.blob(root, 2)
        suites = tuple(_suite(buffer, suite) for suite in buffer.tables(root, 1))
        bundle = Bundle(
            data[4:8].decode("ascii"), buffer.number(root, 0, U32, 0), len(data), start, end - start, suites
        )
    except (Damaged, StructError):
        raise ProgramError("the bundled program is cut or damaged: its test cases cannot be read") from None
    return bundle, read_program(data[start:end])


def _suite(buffer: Buffer, suite: TableAt) -> BundledSuite:
    cases = []
    for case in buffer.tables(suite, 1):
        inputs, outputs = (tuple(_bundled(buffer, value) for value in buffer.tables(case, field)) for field in (0, 1))
        cases.append(BundledCase(inputs, outputs))
    return BundledSuite(buffer.text(suite, 0), tuple(cases))


def _bundled(buffer: Buffer, value: TableAt) -> BundledTensor | str:
    kind, table = buffer.union(value, 0)
    if kind != 1 or table is None:
        return {2: "int", 3: "bool", 4: "double"}.get(kind, "none")
    dtype = DTYPES.get(buffer.number(table, 0, I8, 0), ("unknown", 0))[0]
    return BundledTensor(dtype, buffer.numbers(table, 1, "i", _RANK_LIMIT), buffer.count(table, 2, 1))


def kernel_names(buffer: Buffer, plan: TableAt) -> list[str]:
    """The kernels that a method's instructions count, with their overloads."""
    named = ((buffer.text(operator, 0), buffer.text(operator, 1)) for operator in buffer.tables(plan, 6))
    return [f"{name}.{overload}" if overload else name for name, overload in named]


class _Reader(Buffer):
    """The schema: which field of which table means what."""

    def __init__(self, data: bytes) -> None:
        super().__init__(data)
        self._where = "its root"

    def program(self) -> Program:
        try:
            return self._program()
        except (Damaged, StructError):
            raise ProgramError(f"the program is cut or damaged: {self._where} cannot be read") from None

    def _program(self) -> Program:
        header = header_of(self.data)
        announced = None
        if header is not None:
            announced = max(header.program_bytes, header.segment_base + (header.segment_bytes or 0))
        root = self.table(U32.unpack_from(self.data)[0])
        self._where = "the list of segments"
        segments = [(self.number(s, 0, U64, 0), self.number(s, 1, U64, 0)) for s in self.tables(root, 4)]
        self._base = header.segment_base if header is not None else 0
        holds: dict[int, str] = {}
        self._where = "the list of constants"
        constants = self.count(root, 2, 4)
        constants_bytes = 0
        for table in self.tables(root, 2):
            start, end = self.blob(table, 0)
            constants_bytes += end - start
        subsegment = self.child(root, 5)
        if subsegment is not None and self.count(subsegment, 1, 8):
            index = self.number(subsegment, 0, U32, 0)
            constants = self.count(subsegment, 1, 8)
            constants_bytes = segments[index][1] if index < len(segments) else 0
            holds[index] = "constants"
        for table in self.tables(root, 6):
            holds[self.number(table, 0, U32, 0)] = "mutable data"
        self._where = "the list of named data"
        named = tuple(NamedData(self.text(n, 0), self.number(n, 1, U32, 0)) for n in self.tables(root, 7))
        for entry in named:
            holds.setdefault(entry.segment, "named data")
        self._segments = segments
        self._where = "the list of delegates"
        self._inline = self.places(root, 3)
        self._where = "the list of methods"
        methods = tuple(self._method(plan) for plan in self.tables(root, 1))
        for method in methods:
            for delegate in method.delegates:
                if delegate.segment is not None:
                    holds.setdefault(delegate.segment, "delegate")
        return Program(
            self.data[4:8].decode("ascii"),
            self.number(root, 0, U32, 0),
            len(self.data),
            announced,
            header is not None,
            header.segment_base if header is not None else None,
            tuple(Segment(offset, size, holds.get(i, "unknown")) for i, (offset, size) in enumerate(segments)),
            constants,
            constants_bytes,
            named,
            methods,
        )

    def _method(self, plan: TableAt) -> Method:
        self._where = "the name of a method"
        name = self.text(plan, 0)
        self._where = f"method {name}"
        values = self.places(plan, 2)
        inputs, outputs = (
            tuple(self._value(values, index) for index in self.numbers(plan, field, "i", len(values)))
            for field in (3, 4)
        )
        names = kernel_names(self, plan)
        delegates = tuple(self._delegate(index, table) for index, table in enumerate(self.tables(plan, 7)))
        self._where = f"the instructions of method {name}"
        instructions: list[Instruction] = []
        calls: dict[str, int] = {}
        for chain, table in enumerate(self.tables(plan, 5)):
            for index, entry in enumerate(self.tables(table, 2)):
                instruction = self._instruction(chain, index, entry, names)
                instructions.append(instruction)
                if instruction.operator is not None:
                    calls[instruction.operator] = calls.get(instruction.operator, 0) + 1
        planned = self.numbers(plan, 8, "q", 65536)[1:]  # the first entry stands for "none" and is always 0
        return Method(name, inputs, outputs, len(values), tuple(instructions), calls, delegates, planned)

    def _instruction(self, chain: int, index: int, entry: TableAt, names: list[str]) -> Instruction:
        kind, arguments = self.union(entry, 0)
        operator = delegate = None
        if arguments is not None and kind == 1:
            number = self.number(arguments, 0, I32, 0)
            operator = names[number] if 0 <= number < len(names) else f"operator {number}"
        elif arguments is not None and kind == 2:
            delegate = self.number(arguments, 0, I32, 0)
        return Instruction(chain, index, _INSTRUCTIONS.get(kind, f"kind {kind}"), operator, delegate)

    def _value(self, values: list[int], index: int) -> Tensor | Value:
        if not 0 <= index < len(values):
            raise Damaged
        kind, table = self.union(self.table(values[index]), 0)
        if kind != _TENSOR or table is None:
            return Value(index, _KINDS.get(kind, f"kind {kind}"))
        name, bits = DTYPES.get(number := self.number(table, 0, I8, 0), (f"type {number}", 0))
        shape = self.numbers(table, 2, "i", _RANK_LIMIT)
        elements = 1
        for length in shape:
            elements *= length
        plan = self.child(table, 6)
        extra = self.child(table, 9)
        dynamism = self.number(table, 8, I8, 0)
        return Tensor(
            index,
            name,
            shape,
            self.numbers(table, 3, "B", _RANK_LIMIT),
            _DYNAMISM[dynamism] if dynamism in (1, 2) else "static",  # type: ignore[arg-type]
            (elements * bits + 7) // 8 if bits and elements >= 0 else None,
            None if plan is None else self.number(plan, 0, U32, 0),
            None if plan is None else self.number(plan, 1, U32, 0) + (self.number(plan, 2, U32, 0) << 32),
            self.number(table, 5, U32, 0) or None,
            (self.text(extra, 1) or None) if extra is not None else None,
        )

    def _delegate(self, index: int, table: TableAt) -> Delegate:
        self._where = f"delegate {index}"
        name = self.text(table, 0)
        specs = []
        for spec in self.tables(table, 2):
            value = self.raw(spec, 1, _SPEC_LIMIT_BYTES)
            specs.append(CompileSpec(self.text(spec, 0), _shown(value), self.count(spec, 1, 1)))
        reference = self.child(table, 1)
        inline = reference is None or self.number(reference, 0, I8, 0) == 0
        number = 0 if reference is None else self.number(reference, 1, U32, 0)
        problem: str | None = None
        start = end = 0
        if inline:
            if number >= len(self._inline):
                raise Damaged
            start, end = self.blob(self.table(self._inline[number]), 0)
            size = end - start
        else:
            if number >= len(self._segments):
                raise Damaged
            offset, size = self._segments[number]
            start = self._base + offset
            if start + size > self._size:
                problem = f"segment {number}, which holds its data, is not whole"
                end = start
            else:
                start, end = self.counted(start, start + size)
        stream = None
        if problem is None and (self.data.startswith(HEAD, start, end) or name == "EthosUBackend"):
            try:
                self.spend(64)
                stream = read_stream(self.data, start, end)
                self.spend(16 * (len(stream.inputs) + len(stream.outputs)) + 8 * len(stream.blocks))
            except VelaStreamError as error:
                problem = str(error)
        return Delegate(
            index, name, "inline" if inline else "segment", None if inline else number, start, size, tuple(specs),
            build_of(specs), stream, problem,
        )  # fmt: skip


def _shown(value: bytes) -> str:
    try:
        text = value.decode("utf-8")
    except UnicodeDecodeError:
        return value.hex()
    return text if text.isprintable() else value.hex()
