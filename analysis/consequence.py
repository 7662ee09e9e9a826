"""How a finding says that another brought it about: the words that do, and who reads them.

A consequence stands below its root and is nothing to mend by itself, so screens set it in and a terminal gives it a line.
"""

from __future__ import annotations

from collections.abc import Iterable

from .named_tuple import TYPE_CHECKING

if TYPE_CHECKING:
    from .report import Finding

_FOLLOWS = "It follows from: "


def because(detail: str, cause: str) -> str:
    """The detail of a finding that follows from the one with the title `cause`, with a sentence that says so."""
    return detail if _FOLLOWS in detail else f"{detail} {_FOLLOWS}{cause}."


def follows(finding: Finding, findings: Iterable[Finding]) -> bool:
    """Whether one of the errors among these brought it about."""
    roots = (root.title for root in findings if root.severity == "error")
    return finding.severity != "error" and any(finding.detail.endswith(f"{_FOLLOWS}{title}.") for title in roots)
