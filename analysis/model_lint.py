"""What is known of a model's parts on an Ethos-U before anything is compiled, and what to use instead.

The parts come from `runners/aot_census.py`.  What becomes of each was measured with ExecuTorch 1.5.1 and Vela 5.1 (int8,
between two convolutions or linear layers, on an Ethos-U55-128 and an Ethos-U85-256); a part that turned out to cost
nothing is not listed, whatever is said of it elsewhere.  The compile that follows decides: this is said because it comes
first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .report import Finding


def lint(census: Mapping[str, Any], npu: str) -> list[Finding]:
    return []


def operator_advice(operator: str | None, reason: str | None) -> str | None:
    return None
