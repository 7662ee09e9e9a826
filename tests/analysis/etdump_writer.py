"""ETDumps for tests, written with the `flatbuffers` package: a writer that shares nothing with our reader."""

from __future__ import annotations

import base64
from collections.abc import Sequence

import flatbuffers


class DumpWriter:
    """Builds a dump event by event; everything is kept until `finish()`, which may be called more than once."""

    def __init__(self, version: int = 0) -> None:
        self.version = version
        self._runs: list[tuple[str, list[tuple[str, dict]], Sequence[str], int]] = []

    def profile(
        self, name: str | None, start: int, end: int, *, chain: int = 0, instruction: int = -1,
        delegate_id: int | str | None = None, metadata: bytes = b"",
    ) -> tuple[str, dict]:  # fmt: skip
        return "profile", {k: v for k, v in locals().items() if k != "self"}

    def allocation(self, allocator: int, size: int) -> tuple[str, dict]:
        return "allocation", {"allocator": allocator, "size": size}

    def tensor(self, dtype: int, sizes: list[int], strides: list[int], offset: int) -> dict:
        return {"dtype": dtype, "sizes": sizes, "strides": strides, "offset": offset}

    def debug(
        self, name: str | None, *, instruction: int = -1, value: float | bool | None = None,
        tensors: Sequence[dict] = (), many: bool = False, output: bool = False,
    ) -> tuple[str, dict]:  # fmt: skip
        return "debug", {k: v for k, v in locals().items() if k != "self"}

    def run(
        self, name: str, events: Sequence[tuple[str, dict]], allocators: Sequence[str] = (), bundled_input: int = -1
    ) -> None:
        self._runs.append((name, list(events), allocators, bundled_input))

    def finish(self, *, sized: bool = False) -> bytes:
        b = flatbuffers.Builder(1024)
        places = [self._run(b, *run) for run in self._runs]
        runs = self._offsets(b, places)
        b.StartObject(2)
        b.PrependUint32Slot(0, self.version, 0)
        b.PrependUOffsetTRelativeSlot(1, runs, 0)
        root = b.EndObject()
        if sized:
            b.FinishSizePrefixed(root, b"ED00")
        else:
            b.Finish(root, b"ED00")
        return bytes(b.Output())

    def _offsets(self, b: flatbuffers.Builder, places: Sequence[int]) -> int:
        b.StartVector(4, len(places), 4)
        for place in reversed(places):
            b.PrependUOffsetTRelative(place)
        return b.EndVector()

    def _longs(self, b: flatbuffers.Builder, values: Sequence[int]) -> int:
        b.StartVector(8, len(values), 8)
        for value in reversed(values):
            b.PrependInt64(value)
        return b.EndVector()

    def _run(self, b: flatbuffers.Builder, name: str, events: list, allocators: Sequence[str], bundled: int) -> int:
        events_at = self._offsets(b, [self._event(b, kind, fields) for kind, fields in events])
        named = []
        for allocator in allocators:
            text = b.CreateString(allocator)
            b.StartObject(1)
            b.PrependUOffsetTRelativeSlot(0, text, 0)
            named.append(b.EndObject())
        allocators_at = self._offsets(b, named) if named else 0
        name_at = b.CreateString(name)
        b.StartObject(4)
        b.PrependUOffsetTRelativeSlot(0, name_at, 0)
        b.PrependInt32Slot(1, bundled, -1)
        b.PrependUOffsetTRelativeSlot(2, allocators_at, 0)
        b.PrependUOffsetTRelativeSlot(3, events_at, 0)
        return b.EndObject()

    def _event(self, b: flatbuffers.Builder, kind: str, fields: dict) -> int:
        place = getattr(self, f"_{kind}")(b, **fields)
        b.StartObject(3)
        b.PrependUOffsetTRelativeSlot(("profile", "allocation", "debug").index(kind), place, 0)
        return b.EndObject()

    def _profile(
        self, b: flatbuffers.Builder, name: str | None, start: int, end: int, chain: int, instruction: int,
        delegate_id: int | str | None, metadata: bytes,
    ) -> int:  # fmt: skip
        name_at = b.CreateString(name) if name is not None else 0
        text_at = b.CreateString(delegate_id) if isinstance(delegate_id, str) else 0
        metadata_at = b.CreateByteVector(metadata) if metadata else 0
        b.StartObject(8)
        b.PrependUOffsetTRelativeSlot(0, name_at, 0)
        b.PrependInt32Slot(1, chain, 0)
        b.PrependInt32Slot(2, instruction, -1)
        b.PrependInt32Slot(3, delegate_id if isinstance(delegate_id, int) else -1, -1)
        b.PrependUOffsetTRelativeSlot(4, text_at, 0)
        b.PrependUOffsetTRelativeSlot(5, metadata_at, 0)
        b.PrependUint64Slot(6, start, 0)
        b.PrependUint64Slot(7, end, 0)
        return b.EndObject()

    def _allocation(self, b: flatbuffers.Builder, allocator: int, size: int) -> int:
        b.StartObject(2)
        b.PrependInt32Slot(0, allocator, 0)
        b.PrependUint64Slot(1, size, 0)
        return b.EndObject()

    def _tensor(self, b: flatbuffers.Builder, dtype: int, sizes: list[int], strides: list[int], offset: int) -> int:
        sizes_at, strides_at = self._longs(b, sizes), self._longs(b, strides)
        b.StartObject(4)
        b.PrependInt8Slot(0, dtype, 0)
        b.PrependUOffsetTRelativeSlot(1, sizes_at, 0)
        b.PrependUOffsetTRelativeSlot(2, strides_at, 0)
        b.PrependInt64Slot(3, offset, 0)
        return b.EndObject()

    def _debug(
        self, b: flatbuffers.Builder, name: str | None, instruction: int, value: float | bool | None,
        tensors: Sequence[dict], many: bool, output: bool,
    ) -> int:  # fmt: skip
        fields: dict[int, int] = {}
        places = [self._tensor(b, **tensor) for tensor in tensors]
        if many:
            listed = self._offsets(b, places)
            b.StartObject(1)
            b.PrependUOffsetTRelativeSlot(0, listed, 0)
            fields[2] = b.EndObject()
        elif places:
            fields[1] = places[0]
        if isinstance(value, bool):
            fields[6] = self._bool(b, value)
        elif isinstance(value, float):
            b.StartObject(1)
            b.PrependFloat64Slot(0, value, 0.0)
            fields[5] = b.EndObject()
        elif value is not None:
            b.StartObject(1)
            b.PrependInt64Slot(0, value, 0)
            fields[3] = b.EndObject()
        if output:
            fields[7] = self._bool(b, True)
        name_at = b.CreateString(name) if name is not None else 0
        b.StartObject(8)
        for slot, place in fields.items():
            b.PrependUOffsetTRelativeSlot(slot, place, 0)
        entry = b.EndObject()
        b.StartObject(6)
        b.PrependInt32Slot(1, instruction, -1)
        b.PrependUOffsetTRelativeSlot(2, entry, 0)
        b.PrependUOffsetTRelativeSlot(5, name_at, 0)
        return b.EndObject()

    def _bool(self, b: flatbuffers.Builder, value: bool) -> int:
        b.StartObject(1)
        b.PrependBoolSlot(0, value, False)
        return b.EndObject()


def logged(dump: bytes, era: str = "1.0", *, debug_buffer: bytes | None = None, before: str = "") -> str:
    """A run's console as the runner of this release prints it, with the dump in it."""
    text = base64.b64encode(dump).decode()
    lines = [
        "I [executorch:arm_executor_runner.cpp:500 main()] Model buffer loaded, has 1 methods",
        "I [executorch:arm_executor_runner.cpp:501 main()] Running method forward",
        "I [executorch:arm_executor_runner.cpp:502 main()] Setting up ETDump",
        *([before] if before else []),
    ]
    command = "python3 -m devtools.inspector.inspector_cli --etdump_path etdump.bin  --source_time_scale cycles --target_time_scale cycles"
    if era in ("0.6", "0.7"):
        text = text.rstrip("=")
        lines.append("I [executorch:arm_executor_runner.cpp:762] Writing etdump.bin [base64]")
        if era == "0.6":
            lines += ["#---", 'base64 -i -d <<<"\\', text, '" >etdump.bin', command, "#---"]
        else:
            lines += ["#---", f'echo "{text}" | base64 -d >etdump.bin', command, "#---"]
    else:
        lines += [
            f"I [executorch:arm_executor_runner.cpp:969 write_etdump()] [base64] buffer size: {len(text)}",
            "#[RUN THIS]",
        ]
        if debug_buffer is not None:
            buffer = base64.b64encode(debug_buffer).decode()
            lines += ["# Writing debug_buffer.bin [base64]", f'echo "{buffer}" | base64 -d >debug_buffer.bin']
        lines += ["# Writing etdump.bin [base64]", f'echo "{text}" | base64 -d >etdump.bin']
        lines += ["# Generate cpu cycle table with:", command, "#[END]"]
    lines.append("I [executorch:arm_executor_runner.cpp:503 main()] Program complete, exiting.")
    return "\n".join(lines) + "\n"
