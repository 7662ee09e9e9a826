"""Names and text of a model file made fit for C, CMake and Kconfig: nothing in them can end a comment, string or macro."""

from __future__ import annotations

import re

IDENTIFIER_LIMIT = 64
TEXT_LIMIT = 160

_KEYWORDS = frozenset(
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch char class compl concept const consteval "
    "constexpr constinit continue co_await co_return co_yield decltype default delete do double dynamic_cast else enum "
    "explicit export extern false float for friend goto if inline int long mutable namespace new noexcept not not_eq "
    "nullptr operator or or_eq private protected public register reinterpret_cast requires restrict return short signed "
    "sizeof static static_assert static_cast struct switch template this thread_local throw true try typedef typeid typename "
    "typeof union unsigned using virtual void volatile wchar_t while xor xor_eq main errno linux unix abort abs acos alloca "
    "asin atan bcmp bcopy bzero calloc cabs carg ceil clog cos cosh cpow csin csqrt ctan erf exit exp expm1 fabs floor fma "
    "fmax fmin fmod free frexp gamma hypot index isalpha j0 j1 jn labs ldexp lgamma log log10 log1p log2 logb lrint malloc "
    "memchr memcmp memcpy memmove memset modf nan nearbyint pow pow10 printf putchar puts realloc remainder rindex rint "
    "round scalb scanf sin sincos sinh sqrt stpcpy strcat strchr strcmp strcpy strlen strncpy strstr tan tanh tgamma trunc "
    "y0 y1 yn".split()
)  # words of C and C++, and functions that compilers know without a header

_OTHERS = re.compile(r"[^A-Za-z0-9]+")
_SECTION = re.compile(r"[A-Za-z0-9_.$][A-Za-z0-9_.$-]{0,126}")
_OPERATOR = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(::[A-Za-z_][A-Za-z0-9_]*)?(\.[A-Za-z_][A-Za-z0-9_]*)?")


def identifier(text: str) -> str:
    """The name in C for a file or a wish: other characters become one underscore, and it never starts with a digit.

    "MobileNet-v2 (int8).pte" -> "MobileNet_v2_int8_pte"; "2nets.pte" -> "model_2nets_pte"; "log" -> "model_log".
    """
    name = _OTHERS.sub("_", text).strip("_")[:IDENTIFIER_LIMIT].rstrip("_") or "model"
    reserved = name in _KEYWORDS or name.endswith("_t") or name[0].isdigit()
    return f"model_{name}" if reserved else name


def is_section(text: str) -> bool:
    """Whether it can be the name of a section: letters, digits and `_.$-`."""
    return _SECTION.fullmatch(text) is not None


def is_operator(text: str) -> bool:
    """Whether it is a name of an operator ("aten::add.out"); nothing else may go into a list for a build."""
    return _OPERATOR.fullmatch(text) is not None


def in_comment(text: str) -> str:
    """For a comment of C, CMake or Kconfig, on one line: printable ASCII without what could begin or end anything."""
    kept = "".join(c if " " <= c <= "~" and c not in "*\\?`$" else "_" for c in text[: TEXT_LIMIT + 1])
    return kept if len(kept) <= TEXT_LIMIT else kept[: TEXT_LIMIT - 3] + "..."


def c_string(text: str) -> str:
    """A string literal with its quotes: what is not plain is an octal escape of its UTF-8 bytes."""
    parts = []
    for byte in text.encode("utf-8", "surrogateescape"):
        plain = 32 <= byte < 127 and byte not in b'"\\?%'
        parts.append(chr(byte) if plain else f"\\{byte:03o}")
    return f'"{"".join(parts)}"'
