"""Files that lie beside logs in folders and archives, and are told by their names to be none."""

from __future__ import annotations

import os

_COMPRESSED = (".gz", ".xz", ".bz2", ".zst")
_NO_LOGS = frozenset(
    ".a .axf .bin .bpte .c .cc .cfg .cmake .cpp .css .csv .d .dll .elf .etdp .exe .gif .h .hex .hpp .html .ini .ipynb .jpg"
    " .json .ld .lock .map .md .npy .npz .o .onnx .patch .pdf .pkl .png .ps1 .pt .pt2 .pte .py .pyc .rst .sh .so .svg .tcss"
    " .tflite .times .toml .tosa .tsv .whl .xml .yaml .yml".split()
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
