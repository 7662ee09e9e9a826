"""The samples of all rules together, for the tests that hold each rule to them."""

from __future__ import annotations

from .samples import Sample
from .samples_host import HOST_SAMPLES
from .samples_load import LOAD_SAMPLES
from .samples_run import RUN_SAMPLES


def samples() -> tuple[Sample, ...]:
    """All samples of all rules."""
    return (*LOAD_SAMPLES, *RUN_SAMPLES, *HOST_SAMPLES)
