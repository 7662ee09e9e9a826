"""Text for a terminal that cannot show all characters: each becomes another of the same width, so that nothing moves.

It is done to what is written, after everything was drawn, so it holds for borders, scrollbars, plots and text of logs alike.
"""

from __future__ import annotations

import unicodedata
from functools import cache

from rich.cells import cell_len

from .abilities import Glyphs

_ALIKE = {
    "●": "*", "◐": "@", "‖": "=", "○": "o", "✗": "x", "✓": "+", "›": ">", "‹": "<", "◆": "#", "…": ">", "▲": "^", "▼": "v", "▶": ">",
    "◀": "<", "■": "#", "□": "o", "·": ".", "•": "*", "×": "x", "±": "~", "≈": "~", "≤": "<", "≥": ">", "−": "-", "–": "-",
    "—": "-", "‘": "'", "’": "'", "“": '"', "”": '"', "→": ">", "←": "<", "↑": "^", "↓": "v", "↵": "#", "⏎": "#", "µ": "u",
    "μ": "u", "°": "o", "²": "2", "³": "3", "∙": ".", "◼": "#", "◻": "o", "☐": "o", "☑": "x", "✔": "+", "✘": "x", "⭘": "o",
    "⬤": "*", "▸": ">", "▾": "v", "▴": "^", "◂": "<", "∞": "8", "σ": "s", "Δ": "d", "δ": "d", "█": "#", "▓": "=", "▒": "-",
    "░": ":", "▀": '"', "▄": "_", "▌": "=", "▐": "|", "▁": "_", "▂": "_", "▃": "-", "▅": "=", "▆": "=", "▇": "#", "▔": "-",
    "▏": "-", "▎": "-", "▍": "-", "▋": "=", "▊": "=", "▉": "#", "▕": "|", "⇥": ">", "⌫": "<", "␛": "^", "␣": "_",
    "⇧": "^", "⇄": "=", "↔": "-", "⟳": "o", "↻": "o", "↺": "o", "★": "*", "☆": "*", "⚠": "!", "⏸": "=", "⏵": ">",
}  # fmt: skip
_OF_CONSOLES = {"▏": "│", "▎": "│", "▍": "▌", "▋": "▌", "▊": "█", "▉": "█"}
"""In their place where halves of a cell can be shown, and no eighths."""
_CONSOLE_ARROWS = frozenset("↑↓→←▲▼")
"""In the fonts of consoles too, though the codec takes them for control characters."""


class Transcription(dict[int, str]):
    """For `str.translate`: what stands for each character; each is thought about once."""

    def __init__(self, glyphs: Glyphs) -> None:
        super().__init__({code: chr(code) for code in range(128)})
        self._glyphs = glyphs

    def __missing__(self, code: int) -> str:
        character = chr(code)
        if self._glyphs == "cp437":
            character = _OF_CONSOLES.get(character, character)
        kept = self._glyphs == "cp437" and (character in _CONSOLE_ARROWS or _in_cp437(character))
        self[code] = character if kept else plain(character)
        return self[code]


@cache
def transcription(glyphs: Glyphs) -> Transcription | None:
    """The table for a terminal; None for one that shows everything."""
    return None if glyphs == "unicode" else Transcription(glyphs)


def plain(character: str) -> str:
    """ASCII of the same width in cells: one that looks alike, the letter below an accent, or question marks."""
    alike = _ALIKE.get(character) or _of_block(ord(character))
    if alike is not None:
        return alike
    width = cell_len(character)
    letters = "".join(c for c in unicodedata.normalize("NFKD", character) if " " <= c < "\x7f")
    return letters if letters and len(letters) == width else "?" * width


def _of_block(code: int) -> str | None:
    if 0x2500 <= code <= 0x257F:
        return _of_box(unicodedata.name(chr(code)))
    if 0x2800 <= code <= 0x28FF:
        return " ..::**##"[(code - 0x2800).bit_count()] if code > 0x2800 else " "
    if 0x2580 <= code <= 0x259F or 0x1FB00 <= code <= 0x1FBAF:  # quarters and sixths of plots
        return "#"
    return None


def _of_box(name: str) -> str:
    words = set(name.replace("BOX DRAWINGS ", "").split())
    across = bool(words & {"HORIZONTAL", "LEFT", "RIGHT"})
    along = bool(words & {"VERTICAL", "UP", "DOWN"})
    if "DIAGONAL" in words:
        return "/" if "RIGHT TO LOWER LEFT" in name else "\\"
    return "+" if across and along else "|" if along else "-"


def _in_cp437(character: str) -> bool:
    try:
        character.encode("cp437")
    except UnicodeEncodeError:
        return False
    return True
