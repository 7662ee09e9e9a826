"""A program with other delegates in it, byte for byte what ExecuTorch writes when it compiles for that configuration.

Inside an NPU family only the delegates' data and a few of their compile specs differ between configurations, so that the
expensive rest of a compile can be shared.  `Template` takes a program apart once; `with_delegates` makes others of it.  It
refuses, with the reason, whatever it could not give back exactly: a program that it cannot itself put together again, a
compile spec that is not there, data that would be shared or kept elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..flat.buffer import U32, U64, Damaged
from ..flat.relaid import TableThing, TakenApart
from ..named_tuple import NamedTuple
from .reader import HEADER_MAGIC, ProgramError, header_of
from .schema import PROGRAM
from .vela_stream import HEAD, VelaStreamError, read_stream

_SEGMENT_ALIGN = 128
_DELEGATE_ALIGNS = (16, 32, 64, 128, 256, 1024, 4096)


class Replacement(NamedTuple):
    """What to put into one delegate: its data (None: as they are) and the compile specs that change."""

    data: bytes | None
    compile_specs: Mapping[str, bytes]


class _Delegate(NamedTuple):
    reference: int
    """Place of its data's vector (inline), or the number of its segment."""
    inline: bool
    specs: dict[str, int]
    """Place of each compile spec's value, by key."""
    data: bytes


class Template:
    """A program that other delegates can be put into."""

    def __init__(self, data: bytes) -> None:
        """Take a program apart.

        Raises:
            ProgramError: it is damaged, or it was not written as ExecuTorch writes programs.
        """
        if len(data) < 8 or data[4:6] != b"ET":
            raise ProgramError("it is not an ExecuTorch program: the identifier (ET12) is not at byte 4")
        self._data = data
        self._header = header_of(data)
        if (self._header is None) != (data[8:12] != HEADER_MAGIC):
            raise ProgramError("the program's header is damaged")
        for align in _DELEGATE_ALIGNS:
            self._pad = 0 if self._header is None else -(-32 // align) * align
            try:
                self._take_apart({"BackendDelegateInlineData": align})
                for self._by_size in (False, True):
                    if self.with_delegates({}) == data:
                        return
            except (Damaged, KeyError, IndexError):
                continue
            if self._header is None and not self._inline_delegates:
                break
        raise ProgramError(
            "the program cannot be put together again as it is: it is damaged, or another tool or release wrote it"
        )

    def _take_apart(self, aligns: Mapping[str, int]) -> None:
        data, header = self._data, self._header
        if header is not None:
            flat = data[8 + self._pad : header.program_bytes]
            root = U32.unpack_from(data)[0] - self._pad
            if root < 0:
                raise Damaged
            data = U32.pack(root) + data[4:8] + flat
        self._flat = flat_apart = TakenApart(data, PROGRAM, "Program", aligns)
        program = flat_apart.table(flat_apart.root)
        self._segments = flat_apart.children(program, 4)
        self._named = bool(flat_apart.children(program, 7))
        inline = flat_apart.children(program, 3)
        self._inline_delegates = len(inline)
        self._delegates = tuple(
            tuple(self._delegate(flat_apart.table(place), inline) for place in flat_apart.children(plan, 7))
            for plan in map(flat_apart.table, flat_apart.children(program, 1))
        )

    def _segment(self, index: int) -> tuple[int, int]:
        """Where a segment begins behind the first one, and its size."""
        table = self._flat.table(self._segments[index])
        return self._flat.number(table, 0), self._flat.number(table, 1)

    def _segment_bytes(self, index: int) -> bytes:
        assert self._header is not None
        offset, size = self._segment(index)
        start = self._header.segment_base + offset
        if start + size > len(self._data):
            raise Damaged
        return self._data[start : start + size]

    def _delegate(self, table: TableThing, inline: Sequence[int]) -> _Delegate:
        flat = self._flat
        specs: dict[str, int] = {}
        for place in flat.children(table, 2):
            spec = flat.table(place)
            key, value = flat.vector(spec, 0), flat.vector(spec, 1)
            if key is not None and value is not None:
                specs[flat.content(key).decode("utf-8", "replace")] = value.start
        where = flat.child(table, 1)
        reference = flat.table(where) if where is not None else None
        number = 0 if reference is None else flat.number(reference, 1)
        if reference is None or flat.number(reference, 0) == 0:
            vector = flat.vector(flat.table(inline[number]), 0)
            if vector is None:
                raise Damaged
            return _Delegate(vector.start, True, specs, flat.content(vector))
        if self._header is None:
            raise Damaged
        return _Delegate(number, False, specs, self._segment_bytes(number))

    def delegate_data(self, method: int, delegate: int) -> bytes:
        """The data of a delegate."""
        return self._delegates[method][delegate].data

    def with_delegates(self, replacements: Mapping[tuple[int, int], Replacement]) -> bytes:
        """The program with other delegates, by the index of their method and theirs in it.

        Raises:
            ProgramError: a delegate or compile spec is not there, or ExecuTorch would have built this program differently.
        """
        contents: dict[int, bytes] = {}
        segments: dict[int, bytes] = {}
        for (method, index), replacement in replacements.items():
            if not (0 <= method < len(self._delegates) and 0 <= index < len(self._delegates[method])):
                raise ProgramError(f"the program has no delegate {index} in method {method}")
            known = self._delegates[method][index]
            for key, value in replacement.compile_specs.items():
                if key not in known.specs:
                    raise ProgramError(f"delegate {index} has no compile spec {key}: it is of another kind of target")
                contents[known.specs[key]] = value
            if replacement.data is not None:
                self._check_data(known, index, replacement.data)
                target = contents if known.inline else segments
                if target.setdefault(known.reference, replacement.data) != replacement.data:
                    raise ProgramError(
                        f"delegate {index} shares its data with another delegate that would get different data"
                    )
        self._check_sharing(replacements)
        return self._with_segments(contents, segments)

    def _check_data(self, known: _Delegate, index: int, data: bytes) -> None:
        if not data:
            raise ProgramError(f"delegate {index} would be left without data")
        for what in (known.data, data):
            if not what.startswith(HEAD):
                continue
            try:
                stream = read_stream(what, 0, len(what))
            except VelaStreamError as error:
                raise ProgramError(f"delegate {index}: {error}") from None
            if any(block.external for block in stream.blocks):
                raise ProgramError(
                    f"delegate {index} keeps a part of its Vela data in another file, under its own name"
                )

    def _check_sharing(self, replacements: Mapping[tuple[int, int], Replacement]) -> None:
        """Equal data are stored once: which delegates are equal must be the same before and after."""
        before: dict[bytes, list[tuple[int, int]]] = {}
        after: dict[bytes, list[tuple[int, int]]] = {}
        for method, delegates in enumerate(self._delegates):
            for index, known in enumerate(delegates):
                new = replacements.get((method, index))
                data = known.data if new is None or new.data is None else new.data
                before.setdefault(known.data, []).append((method, index))
                after.setdefault(data, []).append((method, index))
        if sorted(before.values()) != sorted(after.values()):
            raise ProgramError("delegates whose data are equal here have different data there, or the other way round")

    def _with_segments(self, contents: Mapping[int, bytes], segments: Mapping[int, bytes]) -> bytes:
        header = self._header
        if header is None:
            return self._flat.put_together(contents, {}, by_size=self._by_size)
        numbers: dict[tuple[int, int], bytes] = {}
        pieces: list[bytes] = []
        end = 0
        for index, place in enumerate(self._segments):
            data = segments[index] if index in segments else self._segment_bytes(index)
            offset = -(-end // _SEGMENT_ALIGN) * _SEGMENT_ALIGN
            pieces += [bytes(offset - end), data]
            for slot, value, old in ((0, offset, self._segment(index)[0]), (1, len(data), self._segment(index)[1])):
                if bool(value) != bool(old):  # a zero is not written, so that the table would have another layout
                    raise ProgramError(f"segment {index} would begin or cease to be empty")
                numbers[place, slot] = U64.pack(value)
            end = offset + len(data)
        flat = self._flat.put_together(contents, numbers, by_size=self._by_size)
        size = len(flat) + self._pad
        base = -(-size // _SEGMENT_ALIGN) * _SEGMENT_ALIGN
        head = HEADER_MAGIC + U32.pack(header.length) + U64.pack(size) + U64.pack(base)
        if header.segment_bytes is not None:
            head += U64.pack(end)
        root = U32.pack(U32.unpack_from(flat)[0] + self._pad)
        return b"".join((root, flat[4:8], head.ljust(self._pad, b"\0"), flat[8:], bytes(base - size), *pieces))
