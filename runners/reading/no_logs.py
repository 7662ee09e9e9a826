"""Files that lie beside logs in folders and archives, and are told by their names to be none."""

from __future__ import annotations

import os
from collections.abc import Iterable

from ...analysis.cleaning import compiled

_COMPRESSED = (".gz", ".xz", ".bz2", ".zst")
_NO_LOGS = frozenset(
    ".a .axf .bin .bmp .bpte .c .cc .cfg .cmake .cpp .css .csv .d .db .dll .doc .docx .dtb .elf .etdp .exe .gif .h"
    " .hex .hpp .html .img .ini .ipynb .jar .jpeg .jpg .json .ld .lock .map .md .mp4 .npy .npz .o .ods .odt .onnx"
    " .patch .pcap .pcapng .pdf .pkl .png .pptx .ps1 .pt .pt2 .pte .py .pyc .rst .s19 .sh .so .sqlite .srec .svg .tcss"
    " .tflite .times .toml .tosa .tsv .uf2 .vcd .wav .webp .whl .xls .xlsm .xlsx .xml .yaml .yml".split()
)
"""Files of a folder or an archive that are passed over: they lie beside logs and are none."""


def is_no_log(name: str) -> bool:
    """True for a name that no log has: hidden, or with the ending of something else (compressed or not)."""
    name = os.path.basename(name).lower()
    if name.startswith("."):
        return True
    stem, ending = os.path.splitext(name)
    if ending in _COMPRESSED:
        ending = os.path.splitext(stem)[1]
    return ending in _NO_LOGS


_JOB = r"((?:.*/)?)\d{1,4}_([^/]{1,250})\.txt"
_STEP = r"(.*/)(?:\d{1,4}_[^/]{1,250}|system)\.txt"
"""How GitHub names the log of a job, and those of its steps in a folder beside it."""
_EVERY_JOB_HAS = ("system.txt", "1_Set up job.txt")
"""One or both of them, by the age of the runner: other folders with numbered logs have neither."""


def steps_of_jobs(names: Iterable[str]) -> frozenset[str]:
    """Those of these files that hold one step of a job whose whole log is among them: everything would be read twice.

    Example:
        >>> sorted(steps_of_jobs(["0_lab.txt", "lab/1_Set up job.txt", "lab/uart.txt", "2_nets.txt", "nets/1_small.txt"]))
        ['lab/1_Set up job.txt']
    """
    slashed = {name: name.replace(os.sep, "/") for name in names}
    there = frozenset(slashed.values())
    jobs = {f"{job[1]}{job[2]}/" for job in map(compiled(_JOB).fullmatch, there) if job is not None}
    jobs = {job for job in jobs if any(job + first in there for first in _EVERY_JOB_HAS)}
    if not jobs:
        return frozenset()
    steps = {name: compiled(_STEP).fullmatch(path) for name, path in slashed.items()}
    return frozenset(name for name, step in steps.items() if step is not None and step[1] in jobs)
