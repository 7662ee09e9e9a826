"""What a compile makes beside the program when asked to: a bundled program with reference data, and an ETRecord.

ExecuTorch's script writes a bundle in place of the program, and beside either an ETRecord.  We ask it for them with its own
arguments, take the program out of a bundle, so that all that follows has one, and deliver each under its own ending.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from ...analysis.program.reader import ProgramError, read_bundle
from ..job import UsageError

BUNDLEIO, ETRECORD = "--bundleio", "--etrecord"
"""The script's options."""
PTE_ENDING, BUNDLE_ENDING, ETRECORD_ENDING = ".pte", ".bpte", "_etrecord.bin"


def wanted(extra: Iterable[str], option: str) -> bool:
    """Whether the script's arguments ask for it; argparse also takes the beginning of an option's name."""
    return any(len(argument) > 3 and option.startswith(argument) for argument in extra)


def script_output(pte: Path, extra: Iterable[str]) -> Path:
    """Where the script must write for this program: a bundle has an ending of its own."""
    return pte.with_suffix(BUNDLE_ENDING) if wanted(extra, BUNDLEIO) else pte


def checked_name(text: str, extra: Iterable[str]) -> str:
    """The name of an output file, which must end as what is written there; a folder's name is any.

    Raises:
        UsageError: it ends in .pte or .bpte and the other is written.
    """
    bundled = wanted(extra, BUNDLEIO)
    if text.endswith(BUNDLE_ENDING) and not bundled:
        raise UsageError(f"{text} names a bundled program", "let the name end in .pte, or give --bundleio")
    if text.endswith(PTE_ENDING) and bundled:
        raise UsageError(
            f"{text} does not name a bundled program", "let the name end in .bpte, or leave --bundleio out"
        )
    return text


def settle(pte: Path) -> None:
    """Take the program out of a bundle that the script wrote; nothing where there is no bundle, or no whole one.

    Raises:
        OSError: it cannot be read or written.
    """
    bundle = pte.with_suffix(BUNDLE_ENDING)
    if pte.exists() or not bundle.is_file():
        return
    data = bundle.read_bytes()
    try:
        found, _ = read_bundle(data)
    except ProgramError:
        return  # no program is there, which is told as such
    start = found.program_start_byte
    partial = pte.with_name(f".{pte.name}")
    try:
        partial.write_bytes(data[start : start + found.program_bytes])
        partial.replace(pte)
    finally:
        partial.unlink(missing_ok=True)


def deliveries(pte: Path, destination: Path | None) -> Iterator[tuple[Path, Path]]:
    """What was made, and where it goes: the bundle or the program, and the ETRecord beside it."""
    if destination is None:
        return
    bundled = destination.name.endswith(BUNDLE_ENDING)
    yield pte.with_suffix(BUNDLE_ENDING) if bundled else pte, destination
    record = _record(pte)
    if record.is_file():
        yield record, _record(destination)


def made(pte: Path, destination: Path | None) -> dict[str, str | None]:
    """Paths of the program, the bundle and the ETRecord for a result; None for what was not made."""
    bundle, record = pte.with_suffix(BUNDLE_ENDING), _record(pte)
    paths: dict[str, Path] = {"pte": pte}
    if bundle.is_file():
        paths["bundle"] = bundle
    if record.is_file():
        paths["etrecord"] = record
    if destination is not None:
        paths["bundle" if destination.name.endswith(BUNDLE_ENDING) else "pte"] = destination
        if "etrecord" in paths:
            paths["etrecord"] = _record(destination)
    return {name: str(paths[name]) if name in paths else None for name in ("pte", "bundle", "etrecord")}


def _record(program: Path) -> Path:
    return program.with_name(program.stem + ETRECORD_ENDING)
