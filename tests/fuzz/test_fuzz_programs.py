"""Programs, bundles, Vela streams and TOSA graphs of any bytes: a report that can be shown, or the readers' own error."""

from __future__ import annotations

import json

import flatbuffers
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from ethosu_tui.analysis.program.document import program_document
from ethosu_tui.analysis.program.needs import fits_on_boards, needs_of
from ethosu_tui.analysis.program.reader import ProgramError, read_bundle, read_program
from ethosu_tui.analysis.program.report import Bundle, Program
from ethosu_tui.analysis.program.tables import program_tables
from ethosu_tui.analysis.program.vela_stream import VelaStreamError, read_stream
from ethosu_tui.analysis.program.writer import Template
from ethosu_tui.analysis.tables.text import render
from ethosu_tui.analysis.tosa.reader import TosaError, read_tosa
from ethosu_tui.analysis.tosa.tables import tosa_document, tosa_tables

from ..programs import program
from .properties import assert_plain, strings

SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]
NAMES = (
    "adds_u85_512_dedicated.pte", "two_parts_u55_128_segments.pte", "adds_float.pte", "adds_u55_128.bpte", "two_parts.tosa",
)  # fmt: skip


def check_program(found: Program, bundle: Bundle | None = None) -> None:
    needs, fits = needs_of(found), fits_on_boards(found)
    for table in program_tables(found, bundle, needs, fits):
        render(table, 80)
    for text in strings(json.loads(json.dumps(program_document(found, bundle, needs, fits), allow_nan=False))):
        assert_plain(text)


def check(data: bytes) -> None:
    """Each reader, whatever the bytes claim to be."""
    try:
        check_program(read_program(data))
    except ProgramError as error:
        assert_plain(str(error))
    try:
        bundle, found = read_bundle(data)
        check_program(found, bundle)
    except ProgramError as error:
        assert_plain(str(error))
    try:
        template = Template(data)
    except ProgramError as error:
        assert_plain(str(error))
    else:
        assert template.with_delegates({}) == data
    try:
        graph = read_tosa(data)
        for table in tosa_tables(graph):
            render(table, 80)
        for text in strings(json.loads(json.dumps(tosa_document(graph), allow_nan=False))):
            assert_plain(text)
    except TosaError as error:
        assert_plain(str(error))
    try:
        read_stream(data, 0, len(data))
    except VelaStreamError as error:
        assert_plain(str(error))


@settings(max_examples=150, deadline=None, suppress_health_check=SLOW)
@given(st.sampled_from([b"ET12", b"BP08", b"TOSA", b"vela"]), st.binary(max_size=400), st.integers(0, 64))
@example(b"ET12", b"\xff" * 50, 8)
def test_any_bytes_behind_an_identifier(identifier: bytes, data: bytes, root: int) -> None:
    check(root.to_bytes(4, "little") + identifier + data)
    check(b"vela_bin_stream\0" + data)


@settings(max_examples=200, deadline=None, suppress_health_check=SLOW)
@given(st.data())
def test_a_damaged_file_gives_a_report_or_one_error(data: st.DataObject) -> None:
    damaged = bytearray(program(data.draw(st.sampled_from(NAMES))))
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(damaged) - 1))
        what = data.draw(st.sampled_from(["byte", "word", "end", "lose", "double"]))
        if what == "byte":
            damaged[at] = data.draw(st.integers(0, 255))
        elif what == "word":
            word = data.draw(
                st.sampled_from([0, 1, 4, 8, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, len(damaged), len(damaged) - at])
            )
            damaged[at : at + 4] = word.to_bytes(4, "little")
        elif what == "end" and at > 16:
            del damaged[at:]
        elif what == "lose":
            del damaged[at : at + data.draw(st.integers(1, 64))]
        else:
            damaged[at:at] = damaged[at : at + data.draw(st.integers(1, 64))]
        if not damaged:
            return
    check(bytes(damaged))


@pytest.mark.parametrize("name", NAMES)
def test_every_place_of_a_file_may_be_where_it_ends(name: str) -> None:
    data = program(name)
    for size in range(0, len(data), max(1, len(data) // 150)):
        check(data[:size])


def test_lists_of_lists_of_one_thing_end_with_the_budget() -> None:
    """A graph whose regions, blocks and operators are each one table that is listed many times."""

    def hostile(count: int) -> bytes:
        b = flatbuffers.Builder(1024)
        b.StartObject(6)
        place = b.EndObject()  # an operator
        for slots in (6, 2, 3):
            b.StartVector(4, count, 4)
            for _ in range(count):
                b.PrependUOffsetTRelative(place)
            listed = b.EndVector()
            b.StartObject(4)
            version = b.EndObject()
            b.StartObject(slots)
            b.PrependUOffsetTRelativeSlot(1, listed, 0)
            if slots == 3:
                b.PrependUOffsetTRelativeSlot(0, version, 0)
            place = b.EndObject()
        b.Finish(place, b"TOSA")
        return bytes(b.Output())

    assert len(read_tosa(hostile(4)).blocks) == 16
    with pytest.raises(TosaError, match="cannot be read"):
        read_tosa(hostile(1000))
