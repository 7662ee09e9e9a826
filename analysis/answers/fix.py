"""The line of a finding's advice that can be typed or pasted: a build option, a setting or a command."""

from __future__ import annotations

import re

from ..report import Finding

_QUOTED = r"""(?:"[^"]*"|'[^']*'|[^\s"',;)])"""
_PINNED = r"""(?:"[^"]+"|'[^']+'|[\w.-]+==[\w.]*\w)"""
"""A package that no word of a sentence looks like; the first one behind `pip install` may be a plain name."""
_PATTERNS = (
    r"`([^`]+)`",
    rf"((?:python3? -m )?pip install (?:-{{1,2}}[a-zA-Z][\w-]* )*(?:{_PINNED}|[A-Za-z][\w./-]*(?:\[[\w,-]+\])?)(?: {_PINNED})*)",
    r"(examples/arm/setup\.sh --i-agree-to-the-contained-eula(?: --enable-[a-z-]+| --target-toolchain [a-z-]+)*)",
    rf"(-D[A-Z][A-Z0-9_]*=(?:{_QUOTED})+)",
    rf"(export [A-Z][A-Z0-9_]*=(?:{_QUOTED})+)",
    rf"(-C [a-z0-9_.]+=(?:{_QUOTED})+)",
    rf"(CONFIG_[A-Z0-9_]+=(?:{_QUOTED})+)",
    rf"(?<![\w-])(?<!without )(--[a-z][a-z0-9_-]+(?:=(?:{_QUOTED})+| (?=ethos-)[\w.-]+))",
)
"""In the order of what says most; they are compiled where an advice can hold one."""
_SIGNS = ("`", "pip ", "-D", "export ", "-C ", "CONFIG_", "--")


def fix_of(finding: Finding) -> str | None:
    """What of the advice is to be typed; None where it is all words."""
    if not any(sign in finding.advice for sign in _SIGNS):
        return None
    for pattern in _PATTERNS:
        found = re.search(pattern, finding.advice)
        if found is not None:
            return found[1] if found[0].startswith("`") else found[1].rstrip(".,;: ")
    return None
