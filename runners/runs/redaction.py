"""Takes the names of people, machines and devices out of what a run left, so that it can be given away.

Every name becomes as many `x`: offsets and columns stay what they were, so a redacted log is still one that its times fit
to.  Only what is known to be a name, or stands where one does, is taken: figures and the words of runners must stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

COMMON = frozenset(
    "admin arm build builder ci debian dev docker executorch fvp guest host jenkins lab linux localhost model node none npu pi "
    "program root runner serial target test ubuntu user vm worker".split()
)
"""Names that say nothing about anybody, or that logs use for something else: they stay where they stand alone."""
_SHORTEST = 3
_PLACES = (
    rb"(?:/home/|/Users/|\\Users\\|/var/home/)([^/\\\s\"':,;]+)",
    rb"/dev/serial/by-id/([^\s\"',;]+)",
    rb"(?i:\bserial(?: ?number| no\.?)?|\bs/n|\biserial|\bunique id|\bboard id)\"?\s*[:=#]\s*\"?((?=[A-Za-z-]*\d)[A-Za-z0-9-]{5,})",
    rb"usb-[^\s\"']*?_([A-Za-z0-9]{6,})-if\d",
)
_NAME = rb"(?<![A-Za-z0-9_-])(%s)(?![A-Za-z0-9_-])"


class Redaction:
    """The names that are taken out."""

    def __init__(self, names: Iterable[str]) -> None:
        """`names` of users and machines; those that say nothing are passed over."""
        known = {name for name in names if len(name) >= _SHORTEST and name.lower() not in COMMON}
        parts = list(_PLACES)
        if known:
            longest = sorted(known, key=len, reverse=True)
            parts.append(_NAME % b"|".join(re.escape(name.encode("utf-8", "surrogateescape")) for name in longest))
        self._pattern = re.compile(b"|".join(parts))

    def bytes(self, data: bytes) -> bytes:
        """The same bytes, as many, without the names."""
        return self._pattern.sub(_crossed_out, data)

    def text(self, text: str) -> str:
        """The same for a text."""
        return self.bytes(text.encode("utf-8", "surrogatepass")).decode("utf-8", "replace")

    def value(self, value: Any) -> Any:
        """The same for what a JSON file holds."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.value(item) for item in value]
        if isinstance(value, dict):
            return {self.text(str(key)): self.value(item) for key, item in value.items()}
        return value


def _crossed_out(match: re.Match[bytes]) -> bytes:
    whole, group = match.group(), match.lastindex or 0
    start, end = (match.start(group) - match.start(), match.end(group) - match.start())
    return whole[:start] + b"x" * (end - start) + whole[end:]
