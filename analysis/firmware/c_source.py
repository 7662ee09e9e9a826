"""The program as an array in C: a header with its sizes and checksums, and the bytes in a source file or in the header.

Arrays stand as the upstream runner's `pte_to_header.py` writes them (`const unsigned char`, a section, 16-byte alignment).
The text depends on the file's content, its name and the options only.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..named_tuple import NamedTuple
from ..program.needs import needs_of
from ..program.report import Tensor, Value
from ..units import shape_text
from .c_text import c_string, identifier, in_comment
from .hand_over import HandOver

DEFAULT_SECTION = "network_model_sec"
DEFAULT_ALIGNMENT = 16
_ROW_BYTES = 16
_ROWS = 4096  # 64 KiB of data, 340 KB of text at a time
_ENTRIES = 256
_NAME_CHARACTERS = 200


class Placement(NamedTuple):
    """How the array is declared."""

    name: str
    section: str | None
    alignment: int


def placement(
    file: str, name: str | None = None, section: str | None = DEFAULT_SECTION, alignment: int = 16
) -> Placement:
    """For this file: named as the file is ("add.pte" -> add_pte) where no name is given."""
    return Placement(identifier(file if name is None else name), section, alignment)


def header(found: HandOver, where: Placement, *, array: bool) -> str:
    """The header up to where the array is declared, or begins (`array`: then rows and `header_end` follow)."""
    prefix = where.name.upper()
    guard = f"{prefix}_H_"
    lines = [*_comment(found), f"#ifndef {guard}", f"#define {guard}", "", "#include <stddef.h>", ""]
    lines += [f"#define {prefix}_{name} {value}" for name, value in _constants(found)]
    lines += ["", f"#define {prefix}_ALIGNMENT {where.alignment}"]
    attributes = [f"aligned({prefix}_ALIGNMENT)"]
    if where.section is not None:
        lines += [f"#ifndef {prefix}_SECTION", f"#define {prefix}_SECTION {c_string(where.section)}", "#endif"]
        attributes.insert(0, f"section({prefix}_SECTION)")
    placed = f"__attribute__(({', '.join(attributes)}))"
    lines.append("")
    if array:
        lines.append(f"static {placed} const unsigned char {where.name}[] = {{")
        return "\n".join(lines) + "\n"
    lines += [
        "#ifdef __cplusplus", 'extern "C" {', "#endif",
        f"extern const unsigned char {where.name}[{prefix}_BYTES];",
        "#ifdef __cplusplus", "}", "#endif", "", f"#endif /* {guard} */",
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def header_end(where: Placement) -> str:
    """What follows the rows of an array in a header."""
    return f"}};\n\n#endif /* {where.name.upper()}_H_ */\n"


def source(where: Placement) -> str:
    """The source file up to where the array begins."""
    prefix = where.name.upper()
    section = "" if where.section is None else f"section({prefix}_SECTION), "
    return (
        f"/* The bytes of the program; {where.name}.h says what it is. Written by `ethosu-tui firmware`: do not edit. */\n"
        f'#include "{where.name}.h"\n\n'
        f"__attribute__(({section}aligned({prefix}_ALIGNMENT)))\n"
        f"const unsigned char {where.name}[] = {{\n"
    )


SOURCE_END = "};\n"


def rows(data: bytes) -> Iterator[bytes]:
    """The bytes as rows of sixteen in hexadecimal, some thousand rows at a time."""
    from binascii import hexlify

    row = b"0x00," * _ROW_BYTES + b"\n"
    step = len(row)
    for start in range(0, len(data), _ROW_BYTES * _ROWS):
        block = data[start : start + _ROW_BYTES * _ROWS]
        whole = len(block) // _ROW_BYTES
        digits = hexlify(block)
        text = bytearray(row * whole)
        end = whole * _ROW_BYTES * 2
        for column in range(_ROW_BYTES if whole else 0):  # a column of all rows at once
            text[5 * column + 2 :: step] = digits[2 * column : end : 2 * _ROW_BYTES]
            text[5 * column + 3 :: step] = digits[2 * column + 1 : end : 2 * _ROW_BYTES]
        rest = digits[end:]
        if rest:
            text += b"".join(b"0x" + rest[i : i + 2] + b"," for i in range(0, len(rest), 2)) + b"\n"
        yield bytes(text)


def _comment(found: HandOver) -> list[str]:
    lines = [
        f"/* {in_comment(found.file)} as an array in C. Written by `ethosu-tui firmware`: do not edit.",
        " *",
    ]
    for build in found.builds:
        parts = (build.target, build.system_config, build.memory_mode)
        lines.append(f" * Built for {in_comment(', '.join(part or 'unknown' for part in parts))}.")
    if not found.builds:
        lines.append(" * Built for no Ethos-U: it has no such delegate.")
    for method in found.program.methods[:_ENTRIES]:
        lines.append(f" * Method {in_comment(method.name)}:")
        for word, values in (("input", method.inputs), ("output", method.outputs)):
            lines += [f" *   {word} {i}: {in_comment(_shown(value))}" for i, value in enumerate(values[:_ENTRIES])]
    lines.append(" * Operators to build: " + (in_comment(_operators(found)) or "none"))
    if found.bundle is not None:
        lines.append(" * It is a bundled program, with reference inputs and outputs: the runner must be built for it.")
    if found.program_start_byte % DEFAULT_ALIGNMENT:
        lines.append(
            f" * The program in it begins at byte {found.program_start_byte}, no multiple of 16: it must be copied."
        )
    return [*lines, " */"]


def _operators(found: HandOver) -> str:
    return f"{len(found.kernels)}, " + ", ".join(k.operator for k in found.kernels[:4]) if found.kernels else ""


def _shown(value: Tensor | Value) -> str:
    if isinstance(value, Value):
        return value.kind
    size = "size not known" if value.size_bytes is None else f"{value.size_bytes} bytes"
    return f"{value.dtype} {shape_text(value.shape)}, {size}"


def _constants(found: HandOver) -> Iterator[tuple[str, str]]:
    """Names (behind the prefix) and values of the macros; what the file does not say has none."""
    yield "BYTES", f"{found.bytes}u"
    yield "CRC32", f"0x{found.crc32:08X}u /* IEEE 802.3, as zlib's crc32() and Zephyr's crc32_ieee() */"
    yield "SHA256", c_string(found.sha256)
    pairs = (found.sha256[i : i + 2] for i in range(0, 64, 2))
    yield "SHA256_BYTES", "{" + ", ".join(f"0x{pair}" for pair in pairs) + "}"
    if found.bundle is not None:
        yield "PROGRAM_START_BYTE", f"{found.program_start_byte}u"
        yield "PROGRAM_BYTES", f"{found.program.bytes}u"
    if len(found.builds) == 1:
        (build,) = found.builds
        for name, text in (
            ("TARGET", build.target), ("SYSTEM_CONFIG", build.system_config), ("MEMORY_MODE", build.memory_mode),
        ):  # fmt: skip
            if text is not None:
                yield name, c_string(text[:_NAME_CHARACTERS])
    needs = {need.region: need.bytes for need in needs_of(found.program)}
    for region in ("scratch", "fast_scratch", "planned_buffers"):
        size = needs.get(region)
        if size is not None:
            yield f"{region.upper()}_BYTES", f"{size}u"
    yield "OPERATORS", str(len(found.kernels))
    yield "METHODS", str(len(found.program.methods))
    for index, method in enumerate(found.program.methods[:_ENTRIES]):
        yield f"METHOD_{index}_NAME", c_string(method.name[:_NAME_CHARACTERS])
        for buffer, size in enumerate(method.planned_buffers_bytes[:_ENTRIES], 1):
            yield f"METHOD_{index}_PLANNED_BUFFER_{buffer}_BYTES", f"{max(size, 0)}u"
        for word, values in (("INPUT", method.inputs), ("OUTPUT", method.outputs)):
            yield f"METHOD_{index}_{word}S", str(len(values))
            for number, value in enumerate(values[:_ENTRIES]):
                yield from _tensor(f"METHOD_{index}_{word}_{number}", value)


def _tensor(name: str, value: Tensor | Value) -> Iterator[tuple[str, str]]:
    if isinstance(value, Value):
        yield f"{name}_TYPE", c_string(value.kind)
        return
    yield f"{name}_TYPE", c_string(value.dtype)
    yield f"{name}_RANK", str(len(value.shape))
    if value.shape:
        yield f"{name}_SHAPE", "{" + ", ".join(map(str, value.shape)) + "}"
    if value.size_bytes is not None and value.size_bytes < 1 << 63:
        yield f"{name}_BYTES", f"{value.size_bytes}u"
