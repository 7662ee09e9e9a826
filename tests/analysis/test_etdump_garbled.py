"""ETDump blocks with characters that cannot be shown, and with characters lost: no figure stands under a wrong name."""

from __future__ import annotations

import base64
import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.etdump.block import EtdumpBlock
from ethosu_tui.analysis.etdump.names import plausible
from ethosu_tui.analysis.etdump.report import run_etdump
from ethosu_tui.analysis.lines import parse_line
from ethosu_tui.analysis.report import EtdumpEvent
from ethosu_tui.analysis.scan import Scanner

from .etdump_writer import DumpWriter, logged
from .test_etdump_damaged import DUMP, LOG, TEXT

ROWS = b"\n".join(TEXT[i : i + 76] for i in range(0, len(TEXT), 76))


def _events(text: bytes) -> tuple[tuple[EtdumpEvent, ...], str]:
    capture = read_capture("x", LOG.replace(TEXT, text))
    etdump = capture.runs[0].etdump
    said = [f.detail for f in capture.findings if f.rule.startswith("etdump")]
    return etdump.events if etdump is not None else (), "".join(said)


WHOLE = _events(TEXT)[0]


@pytest.mark.parametrize("by", [b"\x01", b"\x1a", b"\x1b", b"\x9b", b"\0", b"\x7f", b"\t", "\u0085".encode()])
@pytest.mark.parametrize("wrapped", [False, True])
def test_what_cannot_be_shown_keeps_its_place(by: bytes, wrapped: bool) -> None:
    """One event is lost and it is said; before, everything behind the character was moved by six bits."""
    text = TEXT[:500] + by + TEXT[500 + len(by) :]
    if wrapped:
        text = b"\n".join(text[i : i + 76] for i in range(0, len(text), 76))
    events, said = _events(text)
    assert set(events) < set(WHOLE) and len(events) == 8
    assert "14 of the 15 events" in said


@pytest.mark.parametrize("colour", [b"\x1b[31m", b"\x1b[0m", b"\x1b]0;title\x07", b"\x1b(B"])
def test_what_a_terminal_is_told_is_no_damage_around_the_text_and_none_of_it_inside(colour: bytes) -> None:
    rows = ROWS.replace(b"\n", colour + b"\n" + colour)
    for text in (rows, ROWS.replace(b"\n", b"\r\n")):
        assert _events(text) == (WHOLE, "")
    line = LOG.splitlines()[LOG[: LOG.index(TEXT)].count(b"\n")]
    assert _events(TEXT)[1] == "" and parse_line(1, colour + line + colour).data == ""
    events, said = _events(TEXT[:600] + colour + TEXT[600:])
    assert events == WHOLE and f"{len(colour)} characters" in said and "stand between the others" in said


@pytest.mark.parametrize(
    ("changes", "most"),
    [
        ([(938, b"8", "é".encode()), (565, b"E", "\u202e".encode())], 0),
        ([(1345, b"2", b"\x1bP"), (323, b"", b"\x07"), (322, b"", b"\x1b]0;")], 1),
        ([(537, b"", b")"), (343, b"y", b"")], 7),
    ],
)
def test_damage_that_left_a_garbled_name(changes: list[tuple[int, bytes, bytes]], most: int) -> None:
    text = TEXT
    for place, was, by in changes:
        assert text[place : place + len(was)] == was
        text = text[:place] + by + text[place + len(was) :]
    events, said = _events(text)
    assert said and set(events) <= set(WHOLE) and len(events) <= most


@settings(max_examples=300, deadline=None)
@given(st.integers(16, len(TEXT) - 4), st.integers(-300, 300), st.booleans())
def test_a_lost_character_that_a_foreign_one_makes_up_for(lost: int, apart: int, twice: bool) -> None:
    text = bytearray(TEXT)
    del text[lost]
    text.insert(min(len(text) - 2, max(16, lost + apart)), ord("?"))
    if twice:
        del text[random.Random(apart).randrange(16, len(text) - 3)]
        text.insert(random.Random(lost).randrange(16, len(text) - 3), ord("?"))
    block = EtdumpBlock(1, "etdump.bin")
    block.held += text
    block.marred, block.complete = [1], True
    found = run_etdump([block])
    assert found is not None and found.notes
    known = {(event.name, event.cycles, event.instruction) for event in WHOLE}
    for event in found.report.events if found.report is not None else ():
        assert (event.name, event.cycles, event.instruction) in known


@pytest.mark.parametrize(
    ("name", "can_be"),
    [
        ("OPERATOR_CALL", True), ("OPERATOR_CAO", False), ("OPERATOR_CALLM", False), ("OXERATOR_CALL", False),
        ("native_call_add.out", True), ("native_call_aten::sym_size.int", True), ("native_call_add.ouu", False),
        ("native_cak", False), ("nauive_call_add.out", False), ("xnative_call_add.out", False),
        ("EthosUBackend::execute()", True), ("Convolution (NHWC, QC8) IGEMM", True), ("Method::exec", False), ("a", False),
        *((f"native_call_{name}", True) for name in (
            "max.dim_max", "min.dim_min", "div.out_mode", "sort.values_stable", "sum.IntList_out", "pow.Tensor_Scalar",
            "aten::_local_scalar_dense", "copy_", "_linalg_svd.U", "cortex_m::quantized_add.out", "my_ops::mul3.other_out",
            "executorch_prim::et_view.default", "max_pool2d_with_indices_backward.grad_input", "empty.memory_format",
        )),
        *((f"native_call_{name}", False) for name in (
            "max.dim_mbx", "max.dim\ufffdmax", "max.dim\x01max", "ma\u00e9.dim_max", "max.dim-max", "max.", "maxdim_max", "3x.out",
        )),
        ("Method::set_input", True), ("Method::step", True), ("Program::load_data", True), ("JF_CALL", True),
        ("Program::lobd_data", False), ("FREE_CALM", False),
    ],
)  # fmt: skip
def test_names_that_can_be(name: str, can_be: bool) -> None:
    assert plausible(name) == can_be


def test_a_sound_event_with_a_rare_name_is_not_taken_for_a_garbled_one() -> None:
    writer = DumpWriter()
    names = ["native_call_a_long_name_to_hit.out", "native_call_max.dim_max", "native_call_div.out_mode"]
    writer.run("Execute", [writer.profile(name, 100 * i, 100 * i + 60, instruction=i) for i, name in enumerate(names)])
    dump = writer.finish(sized=True)
    text, place = base64.b64encode(dump).decode(), dump.index(b"a_long_name") * 4 // 3 + 4
    capture = read_capture("x", logged(dump).replace(text, text[:place] + "?" + text[place + 1 :]).encode())
    (etdump,) = (run.etdump for run in capture.runs)
    assert etdump is not None and [event.name for event in etdump.events] == names[1:]
    (said,) = (f.detail for f in capture.findings if f.rule == "etdump-damaged")
    assert "2 of the 3 events listed need none of it, have a plausible name and are read" in said


BASE64 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def test_a_character_that_became_another_of_base64_shows_no_name_and_no_time_that_cannot_be() -> None:
    """Half of these changes leave nothing that tells; what tells is left out, and it is said."""
    said = 0
    for place in range(16, len(TEXT) - 2, 3):
        text = bytearray(TEXT)
        text[place] = BASE64[(BASE64.index(text[place]) + 32) % 64]  # the highest of its six bits
        block = EtdumpBlock(1, "etdump.bin")
        block.held += text
        block.complete = True
        found = run_etdump([block])
        assert found is not None
        events = found.report.events if found.report is not None else ()
        said += bool(found.notes)
        for event in events:
            assert event.name.isascii() and (event.cycles or 0) <= 1 << 48
    assert said > 250


@pytest.mark.parametrize(
    ("was", "by"),
    [
        (b"quantize_per_tensor.out", b"quan\x01ize_per_tensor.out"),
        (b"quantize_per_tensor.out", b"quan\xc3ize_per_tensor.out"),
        (b"quantize_per_tensor.out", b"quan\x1bcze_per_tensor.out"),
        ((417_054).to_bytes(8, "little"), (417_054 + (1 << 52)).to_bytes(8, "little")),
    ],
)
@pytest.mark.parametrize("complete", [True, False])
def test_what_cannot_be_is_damage_without_a_mark(was: bytes, by: bytes, complete: bool) -> None:
    assert was in DUMP and len(was) == len(by)
    block = EtdumpBlock(1, "etdump.bin")
    block.held += base64.b64encode(DUMP.replace(was, by, 1))
    block.complete = complete
    found = run_etdump([block])
    assert found is not None and found.report is not None and not found.report.complete
    (note,) = found.notes
    assert note.kind == "etdump_damaged" and note.text == "1 of the 15 events listed cannot be read."
    assert set(found.report.events) < set(WHOLE) and len(found.report.events) == len(WHOLE) - 1


def test_a_garbled_name_of_a_block_costs_no_event_and_is_said() -> None:
    events, said = _events(base64.b64encode(DUMP.replace(b"Execute\0", b"Exe\xffute\0", 1)))
    assert [event[:3] for event in events] == [event[:3] for event in WHOLE]
    assert said.startswith("The name of a block of events") and "the 15 events listed can be read" in said


def test_an_event_listed_twice_took_the_place_of_another() -> None:
    assert TEXT[672:673] == b"I"
    events, said = _events(TEXT[:672] + b"s" + TEXT[673:])
    assert set(events) < set(WHOLE) and len(events) == 8 == len(set(events))
    assert said == "1 of the 15 events listed cannot be read."


def test_many_runs_are_read_as_one_is() -> None:
    """What reads runs by their layouts meets the same damage, between runs without any."""
    marred = [TEXT[:500] + by + TEXT[501:] for by in (b"\x01", b"\x1b", b"\0", b"\t", b"?")]
    texts = [marred[i // 7 % 5] if i % 7 == 6 else TEXT for i in range(70)]
    log = b"".join(LOG.replace(TEXT, text) for text in texts)
    scanner = Scanner("x", full_runs=0, jsonl=True)
    for start in range(0, len(log), 50_000):
        scanner.feed(log[start : start + 50_000])
    scanner.finish()
    lines = scanner.json_lines()
    expected = Scanner("x", full_runs=len(texts), jsonl=True)
    expected.feed(log)
    expected.finish()
    assert lines == expected.json_lines() and len(lines) == len(texts)
    complete = [re.search(r'"debug_buffer_bytes": null, "complete": (\w+)', line) for line in lines]
    assert [found is not None and found[1] == "true" for found in complete] == [text is TEXT for text in texts]
