"""The SHA-256 of files of any size: by it inputs of runs, programs and their graphs are known again."""

from __future__ import annotations

from pathlib import Path


def file_sha256(path: str | Path) -> str:
    """The digest of a file's content, as 64 hexadecimal digits.

    Raises:
        OSError: it cannot be read.
    """
    import hashlib  # only where a hash is asked for: it loads OpenSSL

    digest = hashlib.sha256()
    with open(path, "rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
