"""`ethosu-tui firmware`: a compiled program as C for a firmware project, with pool sizes and the operators to build."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ...analysis.lines import clean
from ...runners.artefacts import identify
from ...runners.job import InputError, UsageError
from ...runners.reading.blocks import read_whole
from ..program_file import PROGRAM_LIMIT_BYTES, damaged, parsed
from .output import print_json, print_tables
from .saying import say

if TYPE_CHECKING:
    from ...analysis.firmware.c_source import Placement
    from ...analysis.firmware.hand_over import HandOver
    from ...analysis.firmware.releases import Release

SCHEMA = "ethosu-tui/firmware/1"
_MOST_ALIGNMENT = 1 << 20


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of `firmware`."""
    parser.add_argument("file", metavar="FILE", help="a .pte or .bpte")
    parser.add_argument("-o", "--output", metavar="DIR", help="write the files there; without it they are only listed")
    parser.add_argument("--force", action="store_true", help="replace existing files")
    parser.add_argument("--json", action="store_true", help=f"one JSON document of schema {SCHEMA}")
    array = parser.add_argument_group("the array")
    array.add_argument("--name", help="name of the array and files (default: the file's: add.pte gives add_pte)")
    array.add_argument(
        "--section", default="network_model_sec", help="linker section (default: %(default)s); '' for none"
    )
    array.add_argument("--align", metavar="BYTES", default="16", help="a power of two from 16 (default: 16)")
    array.add_argument("--header-only", action="store_true", help="one header containing the bytes, no source file")
    parser.add_argument(
        "--executorch",
        metavar="RELEASE",
        default="1.5",
        help="release whose names and pools to use: 0.7 to 1.5 (default: 1.5)",
    )


def execute(options: argparse.Namespace) -> int:
    """Write or describe what firmware takes over."""
    release, where = _release(options.executorch), _placement(options)
    data, found = _read(options.file)
    _warn(found, where, options.name)
    texts = _definitions(found, where, release)
    written: list[str] = []
    if options.output is not None:
        from ...runners.firmware_files import write_files

        files = {**_sources(found, where, data, whole=options.header_only), **_encoded(texts)}
        targets = write_files(options.output, files, force=options.force, inputs=[options.file])
        written = [str(target) for target in targets]
    if options.json:
        _print_json(options, found, where, release, texts, written)
    else:
        _print(found, release, texts, written)
    return 0


def _release(text: str) -> Release:
    from ...analysis.firmware.releases import RELEASES, release_named

    release = release_named(text)
    if release is None:
        known = ", ".join(release.name for release in RELEASES)
        raise UsageError(f"the pools of ExecuTorch {clean(text)} are not known", f"give one of {known}")
    return release


def _placement(options: argparse.Namespace) -> Placement:
    from ...analysis.firmware.c_source import placement
    from ...analysis.firmware.c_text import is_section

    if options.section and not is_section(options.section):
        raise UsageError(f"--section {options.section} is not a section name", "use letters, digits and _ . $ -")
    text = options.align
    alignment = int(text) if text.isascii() and text.isdigit() and len(text) < 9 else 0
    if not 16 <= alignment <= _MOST_ALIGNMENT or alignment & alignment - 1:
        raise UsageError(
            f"--align {text} is not valid: ExecuTorch and the NPU need a power of two from 16 to {_MOST_ALIGNMENT}",
            "give 16, 32, 64, ...",
        )
    if options.name == "":
        raise UsageError("--name is empty", "leave it out to name the array after the file")
    return placement(os.path.basename(options.file), options.name, options.section or None, alignment)


def _read(path: str) -> tuple[bytes, HandOver]:
    from ...analysis.firmware.hand_over import hand_over
    from ...analysis.program.reader import ProgramError

    path = os.path.expanduser(path)
    artefact = identify(path)
    if artefact.kind not in ("pte", "bpte"):
        raise UsageError(f"{path} is not a program ({artefact.description})", "give a .pte or .bpte")
    data = read_whole(path, PROGRAM_LIMIT_BYTES, "a program")
    bundle, program = parsed(artefact, data)
    try:
        found = hand_over(os.path.basename(path), data, program, bundle)
    except ProgramError as error:
        raise damaged(path, error) from None
    if program.cut:
        raise InputError(
            f"{path} is cut off: it has {program.bytes:,} of {program.announced_bytes:,} bytes", "copy the whole file"
        )
    return data, found


def _warn(found: HandOver, where: Placement, name: str | None) -> None:
    from ...analysis.firmware.operators import unusable

    if name is not None and where.name != name:
        say(f"ethosu-tui: {name} is not a valid C name, so the array is called {where.name}")
    left_out = unusable(found.kernels)
    if left_out:
        say(f"ethosu-tui: {len(left_out)} operators have no valid name and are left out of the lists ({left_out[0]})")
    for delegate in found.program.delegates:
        if delegate.problem is not None:
            say(f"ethosu-tui: the scratch memory of delegate {delegate.index} is not known: {delegate.problem}")
            break
    if found.program_start_byte % 16:
        say(
            f"ethosu-tui: the program begins at byte {found.program_start_byte} of the bundle, which is not a multiple of 16"
        )


def _definitions(found: HandOver, where: Placement, release: Release) -> dict[str, str]:
    """The small files by name."""
    from ...analysis.firmware.c_text import in_comment
    from ...analysis.firmware.definitions import cmake_definitions, kconfig_definitions
    from ...analysis.firmware.operators import operators_yaml

    texts = {f"{where.name}.cmake": cmake_definitions(found, release)}
    kconfig = kconfig_definitions(found, release)
    if kconfig is not None:
        texts[f"{where.name}.conf"] = kconfig
    source = in_comment(found.file).replace("'", "_")
    texts[f"{where.name}_operators.yaml"] = operators_yaml(found.kernels, source)
    return texts


def _encoded(texts: dict[str, str]) -> dict[str, Iterable[bytes]]:
    return {name: (text.encode("utf-8"),) for name, text in texts.items()}


def _sources(found: HandOver, where: Placement, data: bytes, *, whole: bool) -> dict[str, Iterable[bytes]]:
    from itertools import chain

    from ...analysis.firmware.c_source import SOURCE_END, header, header_end, rows, source

    if whole:
        begin, end = header(found, where, array=True).encode(), header_end(where).encode()
        return {f"{where.name}.h": chain((begin,), rows(data), (end,))}
    return {
        f"{where.name}.h": (header(found, where, array=False).encode(),),
        f"{where.name}.c": chain((source(where).encode(),), rows(data), (SOURCE_END.encode(),)),
    }


def _print_json(
    options: argparse.Namespace,
    found: HandOver,
    where: Placement,
    release: Release,
    texts: dict[str, str],
    written: list[str],
) -> None:
    from ...analysis.firmware.hand_over import firmware_document

    document: dict[str, Any] = {
        "schema": SCHEMA,
        "path": options.file,
        "name": where.name,
        "section": where.section,
        "alignment": where.alignment,
        "executorch": release.name,
        "files": written,
        "definitions": texts,
        **firmware_document(found),
    }
    print_json(document)


def _print(found: HandOver, release: Release, texts: dict[str, str], written: list[str]) -> None:
    from ...analysis.firmware.definitions import CMAKE_NAMES, KCONFIG_NAMES
    from ...analysis.firmware.tables import facts_table, kernels_table, pools_table

    tables = [facts_table(found), pools_table(found.pools(release), CMAKE_NAMES, release, "bare-metal")]
    if release.zephyr is not None:
        tables.append(pools_table(found.pools(release, "zephyr"), KCONFIG_NAMES, release, "Zephyr"))
    print_tables([*tables, kernels_table(found.kernels)])
    for path in written:
        print(clean(path))
    if not written:
        for name, text in texts.items():
            if not name.endswith(".yaml"):
                print(f"{name}:\n\n{text}")
        say("ethosu-tui: give -o DIR to write these and the array in C")
