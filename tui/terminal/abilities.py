"""What the terminal can show, from what the environment says of it; nothing is asked of the terminal itself.

An answer would come over a slow link, or never, and stand between the first keys.  COLORTERM does not pass through ssh, so
names of terminals count too; what no rule knows is looked up in terminfo.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

Colours = Literal["none", "standard", "256", "truecolor"]
Glyphs = Literal["unicode", "cp437", "ascii"]
GLYPHS = ("auto", "unicode", "ascii")

_TRUECOLOR_TERMS = ("direct", "kitty", "alacritty", "ghostty", "wezterm", "foot", "contour", "truecolor")
_TRUECOLOR_PROGRAMS = ("iTerm.app", "vscode", "WezTerm", "ghostty", "Hyper", "rio", "WarpTerminal")
_MONOCHROME = ("vt", "dumb", "unknown", "xterm-mono", "wy", "tvi")
_PLAIN = ("linux", "vt", "ansi", "cons25", "sun", "wsvt", "pcvt", "cygwin", "wy", "tvi", "hurd", "mach")
"""Begin the names of consoles and old terminals, which print parts of sequences that they do not know."""
_STANDARD = ("linux", "xterm", "screen", "tmux", "rxvt", "ansi", "cygwin", "putty", "konsole", "gnome", "st", "eterm")


class Abilities(NamedTuple):
    """One terminal."""

    colours: Colours = "truecolor"
    glyphs: Glyphs = "unicode"
    plain: bool = False
    """It knows the sequences of the VT220 and no newer ones: no second screen, no reports of modes or keys."""
    light: bool = False
    """It says that its background is light."""


def abilities(environment: Mapping[str, str], encoding: str = "utf-8") -> Abilities:
    """What this environment says; `encoding` is that of the stream the screens are written to."""
    term = environment.get("TERM", "").lower()
    return Abilities(
        _colours(environment, term),
        _glyphs(environment, term, encoding),
        term.startswith(_PLAIN),
        environment.get("COLORFGBG", "").rpartition(";")[2] in ("7", "15"),
    )


def _colours(environment: Mapping[str, str], term: str) -> Colours:
    if environment.get("NO_COLOR") or term.startswith(_MONOCHROME) or term.endswith("-m"):
        return "none"
    if _passes_truecolor(environment, term):
        return "truecolor"
    if "256color" in term:
        return "256"
    return "standard" if not term or term.startswith(_STANDARD) else _of_terminfo(term)


def _passes_truecolor(environment: Mapping[str, str], term: str) -> bool:
    if term.startswith(_PLAIN):
        return False
    if term.startswith("screen") and environment.get("STY"):  # GNU screen hands on what the terminal around it said
        return False
    if environment.get("COLORTERM", "").lower() in ("truecolor", "24bit"):
        return True
    return (
        any(name in term for name in _TRUECOLOR_TERMS)
        or environment.get("TERM_PROGRAM") in _TRUECOLOR_PROGRAMS
        or bool(environment.get("WT_SESSION"))  # Windows Terminal
    )


def _of_terminfo(term: str) -> Colours:
    try:
        import curses

        curses.setupterm(term, 1)
        count = curses.tigetnum("colors")
    except Exception:  # no curses here, or a name that nobody knows: `curses.error` is no name until it is imported
        return "standard"
    if count < 8:
        return "none"
    return "truecolor" if count > 256 else "256" if count == 256 else "standard"


def _glyphs(environment: Mapping[str, str], term: str, encoding: str) -> Glyphs:
    if not _utf8(environment) or encoding.lower().replace("-", "").replace("_", "") != "utf8":
        return "ascii"
    if term.startswith("linux"):
        return "cp437"  # what its fonts hold
    return "ascii" if term.startswith(_PLAIN) else "unicode"


def _utf8(environment: Mapping[str, str]) -> bool:
    """Whether the locale is one of UTF-8.

    Python answers a missing or plain C locale with LC_CTYPE=C.UTF-8: that is our wish, not what the user said.  Where nothing is
    said, as on many servers, the terminal is most likely one of today.
    """
    said = environment.get("LC_ALL") or environment.get("LC_CTYPE") or ""
    if said == "C.UTF-8" and not environment.get("LC_ALL") and environment.get("LANG") in ("C", "POSIX"):
        return False
    said = said or environment.get("LANG") or "UTF-8"
    return "utf8" in said.lower().replace("-", "")
