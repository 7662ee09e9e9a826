"""Whatever stands in an ETDump block gives events or one sentence, whole or in pieces."""

from __future__ import annotations

import base64
import itertools
import re
import struct
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from ethosu_tui.analysis.etdump.decode import decode
from ethosu_tui.analysis.etdump.reader import AllocationEvent, DebugEvent, EtdumpError, ProfileEvent
from ethosu_tui.analysis.etdump.tables import inspector_rows, inspector_table
from ethosu_tui.analysis.etdump.text import decode_base64, decode_held

mutations = st.lists(st.tuples(st.integers(0, 1239), st.integers(0, 255)), min_size=1, max_size=12)


@settings(max_examples=300, deadline=None)
@given(changes=mutations, size=st.integers(0, 1240))
def test_damaged_dumps_decode_or_refuse(changes: list[tuple[int, int]], size: int) -> None:
    data = bytearray(REAL)
    for place, value in changes:
        data[place] = value
    _decodes_or_refuses(bytes(data))
    _decodes_or_refuses(bytes(data[:size]))


@settings(max_examples=200, deadline=None)
@given(data=st.binary(max_size=400), sized=st.booleans())
def test_any_bytes_decode_or_refuse(data: bytes, sized: bool) -> None:
    _decodes_or_refuses(data[:4] + b"ED00" + data[4:])
    _decodes_or_refuses(struct.pack("<I", len(data) + sized) + data[:4] + b"ED00" + data[4:])


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet=st.sampled_from('AZaz09+/= \r\n"\\|<>[]:.TZ-é\x00'), max_size=200))
def test_any_text_decodes(text: str) -> None:
    data, junk = decode_base64(text)
    assert len(data) <= len(text) and junk <= len(text)


def _decodes_or_refuses(data: bytes) -> None:
    try:
        found = decode(data)
    except EtdumpError as error:
        assert "\n" not in str(error)
        return
    assert sum(len(run.events) for run in found.runs) <= len(data) // 8
    for name in itertools.chain((run.name for run in found.runs), (e.name for e in _named(found))):
        assert "\x1b" not in name
    inspector_rows(found)
    inspector_table(found)


def _named(found: object) -> list[ProfileEvent | DebugEvent]:
    runs = found.runs  # type: ignore[attr-defined]
    return [e for run in runs for e in run.events if not isinstance(e, AllocationEvent)]


REAL = base64.b64decode(
    re.search(  # type: ignore[union-attr]
        rb'echo "([^"]+)"', (Path(__file__).resolve().parents[2] / "sample_logs" / "etd_plain.log").read_bytes()
    )[1]
)


@settings(max_examples=150, deadline=None)
@given(data=st.binary(max_size=300), cuts=st.lists(st.integers(0, 400), max_size=6), padded=st.booleans())
def test_pieces_decode_as_the_whole(data: bytes, cuts: list[int], padded: bool) -> None:
    text = base64.b64encode(data).decode()
    text = text if padded else text.rstrip("=")
    places = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    pieces = [text[a:b] for a, b in itertools.pairwise(places)]
    assert decode_held("".join(pieces).encode()) == (data, 0) == decode_base64("\n".join(pieces))
    stamped = [f"[12:00:01] {piece}" if piece else "" for piece in pieces]
    assert decode_base64("\n".join(stamped)) == (data, 0)


def test_a_long_block_is_decoded_in_slices() -> None:
    data = bytes(range(256)) * 20_000
    text = base64.b64encode(data).decode()
    assert decode_held(text.encode()) == (data, 0)
    assert decode_held(text[:-5].encode()).data == data[:-3][: len(text[:-5]) * 3 // 4]
