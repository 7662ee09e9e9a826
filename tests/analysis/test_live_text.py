"""Console text that is shown as it comes: the same however the bytes are cut, and nothing in it steers a terminal."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ethosu_tui.analysis.watching.live_text import LiveText

PIECES = (b"\x1b[1;32m", b"\x1b]0;title\x07", b"\x1b[2J", b"\x1b", b"[", b"a", b"\xc3\xa9", b"\xff", b"\n", b"\r", b"\b",
          b"\x9b31m", b"\x1bP1$x\x1b\\", b"\x00", b"\x07", b"\xe2\x80\xae", b" ", b"\x1b(B", b"m")  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=30))
def test_nothing_steers_the_terminal_however_the_bytes_are_cut(pieces: list[bytes]) -> None:
    data = b"".join(pieces)
    whole = LiveText().feed(data)
    live = LiveText()
    single = "".join(live.feed(bytes([byte])) for byte in data)
    assert single == whole
    assert all(character.isprintable() or character in "\n\r\b" for character in whole)


def test_an_escape_that_never_ends_is_dropped_in_bounded_memory() -> None:
    live = LiveText()
    shown = "".join(live.feed(b"\x1b]" + b"x" * 3000) for _ in range(50))
    assert len(live._open) <= 8192 and "\x1b" not in shown


def test_a_prompt_shows_at_once() -> None:
    assert LiveText().feed(b"\x1b[1mlogin: ") == "login: "
