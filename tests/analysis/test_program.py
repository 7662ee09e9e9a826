"""Programs that ExecuTorch compiled, read and rewritten without it: what is in them, and byte-identical replacements."""

from __future__ import annotations

import struct

import flatbuffers
import pytest

from ethosu_tui.analysis.meaning.boards import BOARDS, Board, BoardMemory, Sourced
from ethosu_tui.analysis.program.document import differences, program_document
from ethosu_tui.analysis.program.needs import Need, fits_on_boards, needs_of
from ethosu_tui.analysis.program.reader import ProgramError, read_bundle, read_program
from ethosu_tui.analysis.program.report import BundledTensor, Program, Tensor
from ethosu_tui.analysis.program.vela_stream import VelaStreamError, read_stream
from ethosu_tui.analysis.program.writer import Replacement, Template

from ..programs import PROGRAMS, program

PAIRS = (
    ("two_parts_u55_128.pte", "two_parts_u55_32_sram_only.pte"),
    ("two_parts_u55_128_segments.pte", "two_parts_u55_256_segments.pte"),
)
KIB = 1024


def as_in(data: bytes) -> dict[tuple[int, int], Replacement]:
    """All delegates of a program, to be put into another."""
    template = Template(data)
    return {
        (number, delegate.index): Replacement(
            template.delegate_data(number, delegate.index),
            {spec.key: spec.value.encode() for spec in delegate.compile_specs},
        )
        for number, method in enumerate(read_program(data).methods)
        for delegate in method.delegates
    }


def by_region(found: Program) -> dict[str, Need]:
    return {need.region: need for need in needs_of(found)}


def test_two_partitions_are_read_whole() -> None:
    found = read_program(program("two_parts_u55_128.pte"))
    assert (found.identifier, found.header, found.cut, found.announced_bytes) == ("ET12", False, False, None)
    (method,) = found.methods
    assert method.name == "forward"
    kinds = [
        instruction.delegate if instruction.kind == "delegate" else instruction.operator
        for instruction in method.instructions
    ]
    assert kinds == [
        "cortex_m::quantize_per_tensor.out", 0, "cortex_m::dequantize_per_tensor.out", "aten::sort.values",
        "cortex_m::quantize_per_tensor.out", 1, "cortex_m::dequantize_per_tensor.out",
    ]  # fmt: skip
    assert method.operators["cortex_m::quantize_per_tensor.out"] == 2
    (x,), (y,) = method.inputs, method.outputs
    assert isinstance(x, Tensor) and isinstance(y, Tensor)
    assert (x.dtype, x.shape, x.size_bytes, x.buffer, x.offset_bytes) == ("float32", (1, 3, 16, 16), 3072, 1, 0)
    assert (y.dtype, y.shape, y.dynamism) == ("float32", (1, 8), "static")
    first, second = method.delegates
    for delegate in (first, second):
        assert (delegate.id, delegate.location, delegate.problem) == ("EthosUBackend", "inline", None)
        assert delegate.build is not None and delegate.build[:3] == (
            "ethos-u55-128", "Ethos_U55_High_End_Embedded", "Shared_Sram",
        )  # fmt: skip
    assert first.vela is not None and second.vela is not None
    names = [block.name for block in first.vela.blocks]
    assert names == [
        "vela_bin_stream",
        "cmd_data",
        "weight_data",
        "scratch_size",
        "inputs",
        "outputs",
        "vela_end_stream",
    ]
    assert first.vela.inputs[0].shape == (1, 1, 1, 3, 16, 16) and first.vela.inputs[0].size_bytes == 768
    assert first.vela.outputs[0].size_bytes == second.vela.inputs[0].size_bytes == 2048
    assert first.vela.scratch_bytes is not None and first.vela.scratch_bytes >= 2048 + 768
    assert method.planned_buffers_bytes and sum(method.planned_buffers_bytes) > 0


def test_segments_hold_what_is_inline_elsewhere() -> None:
    inline, outside = (read_program(program(f"two_parts_u55_128{end}.pte")) for end in ("", "_segments"))
    assert outside.header and outside.announced_bytes == outside.bytes
    assert [d.location for d in outside.delegates] == ["segment", "segment"]
    assert [s.holds for s in outside.segments if s.size_bytes] == ["delegate", "delegate"]
    assert [d.vela for d in outside.delegates] == [d.vela for d in inline.delegates]
    data = program("two_parts_u55_128_segments.pte")
    cut = read_program(data[: len(data) - 100])
    assert cut.cut and cut.delegates[0].vela is not None
    assert cut.delegates[1].vela is None and "not whole" in (cut.delegates[1].problem or "")
    assert any("cut" in check.reason for fit in fits_on_boards(cut) for check in fit.checks)


def test_a_bundle_gives_its_cases_and_its_program() -> None:
    bundle, found = read_bundle(program("adds_u55_128.bpte"))
    assert bundle.identifier == "BP08" and bundle.program_bytes == found.bytes
    (suite,) = bundle.suites
    assert suite.method == "forward"
    tensor = BundledTensor("float32", (1, 4, 4, 2), 128)
    assert suite.cases[0].inputs == (tensor, tensor)
    assert all(case.expected_outputs == (tensor,) for case in suite.cases)
    assert found.delegates[0].build is not None and found.delegates[0].build.target == "ethos-u55-128"


def test_a_float_program_says_that_it_has_no_npu_part() -> None:
    found = read_program(program("adds_float.pte"))
    assert found.delegates == () and found.methods[0].operators == {"aten::add.out": 1}
    assert set(by_region(found)) == {"program", "planned_buffers"}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_is_put_together_as_it_was(name: str) -> None:
    assert Template(program(name)).with_delegates({}) == program(name)


@pytest.mark.parametrize("pair", [*PAIRS, *(pair[::-1] for pair in PAIRS)])
def test_other_delegates_give_what_executorch_writes_for_them(pair: tuple[str, str]) -> None:
    one, other = map(program, pair)
    assert Template(one).with_delegates(as_in(other)) == other


@pytest.mark.parametrize("name", ["two_parts_u55_128.pte", "two_parts_u55_128_segments.pte"])
def test_data_of_any_length_come_back(name: str) -> None:
    template = Template(program(name))
    for size in (1, 15, 16, 17, 4097):
        data = bytes(range(1, 256)) * 17
        changed = template.with_delegates({(0, 1): Replacement(data[:size], {"target": b"x" * (size % 7 + 1)})})
        again = Template(changed)
        assert again.delegate_data(0, 1) == data[:size] and again.delegate_data(0, 0) == template.delegate_data(0, 0)
        found = read_program(changed)
        assert found.delegates[1].build is not None and found.delegates[1].build.target == "x" * (size % 7 + 1)
        assert found.methods[0].instructions == read_program(program(name)).methods[0].instructions
        assert again.with_delegates(as_in(program(name))) == program(name)


def test_what_could_not_be_exact_is_refused() -> None:
    template = Template(program("two_parts_u55_128.pte"))
    first = template.delegate_data(0, 0)
    refused = {
        "no compile spec": {(0, 0): Replacement(None, {"nope": b"1"})},
        "no delegate 2": {(0, 2): Replacement(first, {})},
        "without data": {(0, 0): Replacement(b"", {})},
        "equal": {(0, 1): Replacement(first, {})},
        "cut off": {(0, 0): Replacement(first[:-32], {})},
        "another file": {(0, 0): Replacement(first[:52] + b"\1" + first[53:], {})},
    }
    for reason, replacements in refused.items():
        with pytest.raises(ProgramError, match=reason):
            template.with_delegates(replacements)
    with pytest.raises(ProgramError, match="another tool"):
        Template(program("two_parts_u55_128.pte")[:-16])
    with pytest.raises(ProgramError, match="not an ExecuTorch program"):
        Template(program("adds_u55_128.bpte"))


def test_needs_follow_the_memory_mode() -> None:
    shared = by_region(read_program(program("two_parts_u55_128.pte")))
    assert (shared["scratch"].memory, shared["weights"].memory) == ("SRAM", "external") and "fast_scratch" not in shared
    only = by_region(read_program(program("two_parts_u55_32_sram_only.pte")))
    assert (only["scratch"].memory, only["weights"].memory) == ("SRAM", "SRAM")
    dedicated = by_region(read_program(program("adds_u85_512_dedicated.pte")))
    assert (dedicated["scratch"].memory, dedicated["fast_scratch"].memory) == ("external", "SRAM")
    assert dedicated["fast_scratch"].bytes == 512 * KIB
    found = read_program(program("two_parts_u55_128.pte"))
    sizes = [delegate.vela.scratch_bytes or 0 for delegate in found.delegates if delegate.vela is not None]
    assert shared["scratch"].bytes == max(sizes) and shared["program"].bytes == found.bytes


def _board(trust: str = "vendor", platform: str = "board", **sizes: int) -> Board:
    memories = tuple(BoardMemory(name, Sourced(size, "a test", trust)) for name, size in sizes.items())  # type: ignore[arg-type]
    return Board("one", "One", platform, "ethos-u55", 128, None, "Cortex-M55", None, memories)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("board", "fit", "reason"),
    [
        (_board(sram=64 * KIB, flash=64 * KIB), "fits", "scratch: 4.8 KiB, sram: 64.0 KiB"),
        (_board(sram=3 * KIB, flash=64 * KIB), "does not fit", "sram: 3.0 KiB"),
        (_board(sram=3 * KIB, ocram=3 * KIB, flash=64 * KIB), "cannot tell", "all together: 6.0 KiB"),
        (_board("unverified", sram=64 * KIB, flash=64 * KIB), "cannot tell", "unverified"),
        (_board(sram=64 * KIB), "fits", "program and all it needs"),
        (_board(sram=40 * KIB), "cannot tell", "name no memory for it"),
        (_board(sram=40 * KIB, flash=KIB), "cannot tell", "external memory is not in the board data"),
        (_board(platform="fvp", sram=40 * KIB, ddr=5 * KIB), "does not fit", "ddr: 5.0 KiB"),
        (_board(flash=64 * KIB), "cannot tell", "scratch"),
    ],
)
def test_verdicts_stand_on_the_board_data(board: Board, fit: str, reason: str) -> None:
    found = read_program(program("two_parts_u55_128.pte"))
    (verdict,) = fits_on_boards(found, (board,))
    assert verdict.fit == fit
    assert any(reason in text for text in verdict.reasons), verdict.reasons


def test_another_npu_never_fits() -> None:
    verdicts = {fit.board: fit for fit in fits_on_boards(read_program(program("two_parts_u55_128.pte")))}
    assert set(verdicts) == set(BOARDS)
    assert verdicts["corstone-300-u55"].fit == verdicts["alif-e7-he"].fit == "fits"
    for board in ("alif-e7-hp", "corstone-300-u65", "alif-e8-u85", "himax-we2"):
        assert verdicts[board].fit == "does not fit"
        assert "ethos-u55-128" in verdicts[board].reasons[0] and "the board has" in verdicts[board].reasons[0]


def test_differences_name_what_differs_and_nothing_else() -> None:
    documents = []
    for name in PAIRS[0]:
        found = read_program(program(name))
        documents.append(program_document(found, None, needs_of(found), fits_on_boards(found)))
    assert differences(documents[0], documents[0]) == []
    changed = {row.path: (row.first, row.second) for row in differences(*documents)}
    build = "methods[forward].delegates[0].build"
    assert changed[f"{build}.target"] == ("ethos-u55-128", "ethos-u55-32")
    assert changed[f"{build}.flags[--memory-mode]"] == ("Shared_Sram", "Sram_Only")
    assert changed["boards[alif-e7-he].fit"] == ("fits", "does not fit")
    assert not [path for path in changed if "inputs" in path or "instructions" in path or "start_byte" in path]


def _stream(**blocks: bytes) -> bytes:
    found = b""
    for name, data in {"vela_bin_stream": b"", **blocks, "vela_end_stream": b""}.items():
        found += struct.pack("<16sIB11x", name.encode(), len(data), 0) + data + bytes(-len(data) % 16)
    return found


def test_vela_streams_that_lie_are_refused() -> None:
    scratch = struct.pack("<I", 4096)
    stream = read_stream(data := _stream(cmd_data=b"abc", scratch_size=scratch), 0, len(data))
    assert (stream.command_bytes, stream.weight_bytes, stream.scratch_bytes) == (3, None, 4096)
    for broken, reason in (
        (_stream(inputs=struct.pack("<i", 3)), "as many tensors"),
        (_stream(inputs=struct.pack("<i", -1)), "as many tensors"),
        (data[:40], "cut off"),
        (data[:90], "announces|cut off"),
        (b"nothing of the sort", "vela_bin_stream"),
        (_stream(**{f"b{number}": b"" for number in range(300)}), "256 blocks"),
    ):
        with pytest.raises(VelaStreamError, match=reason):
            read_stream(broken, 0, len(broken))


def test_many_names_for_one_thing_cost_no_more_than_their_size() -> None:
    """Thousands of methods that are all the same large one: refused, not read thousands of times."""

    def hostile(count: int) -> bytes:
        b = flatbuffers.Builder(1024)
        b.StartObject(2)
        value = b.EndObject()

        def same(place: int) -> int:
            b.StartVector(4, count, 4)
            for _ in range(count):
                b.PrependUOffsetTRelative(place)
            return b.EndVector()

        values = same(value)
        b.StartVector(4, count, 4)
        for _ in range(count):
            b.PrependInt32(0)
        inputs = b.EndVector()
        b.StartObject(10)
        b.PrependUOffsetTRelativeSlot(2, values, 0)
        b.PrependUOffsetTRelativeSlot(3, inputs, 0)
        plans = same(b.EndObject())
        b.StartObject(8)
        b.PrependUOffsetTRelativeSlot(1, plans, 0)
        b.Finish(b.EndObject(), b"ET12")
        return bytes(b.Output())

    assert len(read_program(hostile(40)).methods) == 40  # as such it can be read, while it is small
    with pytest.raises(ProgramError, match="cannot be read"):
        read_program(hostile(3000))
