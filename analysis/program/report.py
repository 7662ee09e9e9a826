"""What an ExecuTorch program holds, as data: methods, tensors, delegates, segments, and the Vela stream of an Ethos-U.

`None` means that the file does not say.  Sizes are bytes; `offset_bytes` counts from the start of what holds the thing.
"""

from __future__ import annotations

from ..named_tuple import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Literal


class Tensor(NamedTuple):
    """A tensor value of a method."""

    value: int
    """Index among the values of its method."""
    dtype: str
    shape: tuple[int, ...]
    dim_order: tuple[int, ...]
    dynamism: Literal["static", "bounded", "unbounded"]
    size_bytes: int | None
    buffer: int | None
    """The planned buffer that it lives in, as numbered in the program (from 1); None where it is planned into none."""
    offset_bytes: int | None
    """Where in that buffer."""
    constant: int | None
    """Number of its data among the constants; None where it has none."""
    name: str | None
    """Its fully qualified name, where the program keeps it (data of its own file, mutable state)."""


class Value(NamedTuple):
    """An input or output that is no tensor."""

    value: int
    kind: str


class Instruction(NamedTuple):
    """One step: `kind` is kernel, delegate, move, jump or free; `operator` names the kernel, `delegate` is an index."""

    chain: int
    index: int  # type: ignore[assignment]
    kind: str
    operator: str | None
    delegate: int | None


class CompileSpec(NamedTuple):
    """An option that was given to the delegate's compiler; text is cut after 64 KiB, bytes that are no text are hex."""

    key: str
    value: str
    size_bytes: int


class Build(NamedTuple):
    """What an Ethos-U delegate was compiled for, from its compile specs."""

    target: str | None
    system_config: str | None
    memory_mode: str | None
    tosa: str | None
    flags: tuple[str, ...]


class VelaBlock(NamedTuple):
    """One block of a Vela stream; `external` ones hold only the name of data that are in another file."""

    name: str
    offset_bytes: int
    size_bytes: int
    external: bool


class VelaTensor(NamedTuple):
    """An input or output of the command stream, in Vela's six dimensions."""

    shape: tuple[int, ...]
    element_bytes: int
    offset_bytes: int
    """Where in its region; inputs and outputs lie in the scratch memory."""
    region: int
    size_bytes: int


class VelaStream(NamedTuple):
    """What Vela made for the NPU."""

    blocks: tuple[VelaBlock, ...]
    command_bytes: int | None
    weight_bytes: int | None
    """None also where the weights are in another file."""
    scratch_bytes: int | None
    inputs: tuple[VelaTensor, ...]
    outputs: tuple[VelaTensor, ...]


class Delegate(NamedTuple):
    """A part of the graph that a backend runs."""

    index: int  # type: ignore[assignment]
    id: str
    location: Literal["inline", "segment"]
    segment: int | None
    start_byte: int
    """Where its data begin in the program (of a bundle: in the program inside)."""
    size_bytes: int
    compile_specs: tuple[CompileSpec, ...]
    build: Build | None
    vela: VelaStream | None
    problem: str | None
    """Why the data of an Ethos-U delegate cannot be read."""


class Method(NamedTuple):
    """One method (an "execution plan")."""

    name: str
    inputs: tuple[Tensor | Value, ...]
    outputs: tuple[Tensor | Value, ...]
    values: int
    instructions: tuple[Instruction, ...]
    operators: dict[str, int]
    """Kernels by name, with the number of calls."""
    delegates: tuple[Delegate, ...]
    planned_buffers_bytes: tuple[int, ...]
    """Memory that the program plans for activations, buffer by buffer; the first is that with number 1."""


class Segment(NamedTuple):
    """Data behind the FlatBuffer; `offset_bytes` counts from the first segment."""

    offset_bytes: int
    size_bytes: int
    holds: str


class NamedData(NamedTuple):
    """Data that delegates ask for by name."""

    key: str
    segment: int


class Program(NamedTuple):
    """A program."""

    identifier: str
    version: int
    bytes: int
    announced_bytes: int | None
    """Size that the header gives; None without a header."""
    header: bool
    segment_base_bytes: int | None
    segments: tuple[Segment, ...]
    constants: int
    constants_bytes: int
    named_data: tuple[NamedData, ...]
    methods: tuple[Method, ...]

    @property
    def cut(self) -> bool:
        """True where less is there than the header announces."""
        return self.announced_bytes is not None and self.bytes < self.announced_bytes

    @property
    def delegates(self) -> tuple[Delegate, ...]:
        """Those of all methods."""
        return tuple(delegate for method in self.methods for delegate in method.delegates)


class BundledTensor(NamedTuple):
    """A reference input or output of a bundled program."""

    dtype: str
    shape: tuple[int, ...]
    size_bytes: int


class BundledCase(NamedTuple):
    """Inputs with the outputs that they must give; scalars are named by their kind."""

    inputs: tuple[BundledTensor | str, ...]
    expected_outputs: tuple[BundledTensor | str, ...]


class BundledSuite(NamedTuple):
    """The test cases of one method."""

    method: str
    cases: tuple[BundledCase, ...]


class Bundle(NamedTuple):
    """A bundled program; the program itself begins at `program_start_byte`."""

    identifier: str
    version: int
    bytes: int
    program_start_byte: int
    program_bytes: int
    suites: tuple[BundledSuite, ...]
