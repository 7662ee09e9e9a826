"""`ethosu-tui firmware`: what it writes compiles without a warning, holds the bytes of the file, and no name breaks out."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from ethosu_tui.tui.cli import main

from .programs import HERE
from .test_imports import HEAVY

TWO_PARTS = HERE / "two_parts_u55_128.pte"
DEDICATED = HERE / "adds_u85_512_dedicated.pte"
BUNDLE = HERE / "adds_u55_128.bpte"

CHECK = r"""
#include <stdio.h>
#include <stdint.h>
#include "ARRAY.h"

int main(void) {
  static const unsigned char sha256[] = PREFIX_SHA256_BYTES;
  static const int shape[] = PREFIX_METHOD_0_INPUT_0_SHAPE;
  uint32_t crc = 0xFFFFFFFFu;
  size_t i;
  int bit;
  for (i = 0; i < sizeof(ARRAY); i++) {
    crc ^= ARRAY[i];
    for (bit = 0; bit < 8; bit++) crc = (crc >> 1) ^ (crc & 1u ? 0xEDB88320u : 0u);
  }
  crc ^= 0xFFFFFFFFu;
  printf("%lu %lu %08lx %08lx %s %lu %d %s\n", (unsigned long)sizeof(ARRAY), (unsigned long)PREFIX_BYTES,
         (unsigned long)crc, (unsigned long)PREFIX_CRC32, PREFIX_SHA256,
         (unsigned long)((uintptr_t)ARRAY % PREFIX_ALIGNMENT), shape[0] > 0 && sizeof(sha256) == 32,
         PREFIX_METHOD_0_NAME);
  return 0;
}
"""
COMPILERS = [
    pytest.param(words, marks=pytest.mark.skipif(shutil.which(words[0]) is None, reason=f"needs {words[0]}"))
    for words in (
        ["gcc", "-std=c99"],
        ["gcc"],
        ["g++", "-x", "c++", "-std=c++17"],
        ["clang"],
        ["clang++", "-x", "c++", "-std=c++17"],
    )
]
needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")


def firmware(capsys: pytest.CaptureFixture[str], *arguments: object, code: int = 0) -> str:
    assert main(["firmware", *map(str, arguments)]) == code
    heard = capsys.readouterr()
    assert "Traceback" not in heard.err
    return heard.out if code == 0 else heard.err


def built(folder: Path, name: str, compiler: list[str], *, source: bool = True) -> str:
    """What the check program prints of the array that was written there."""
    check = folder / "check.c"
    check.write_text(CHECK.replace("PREFIX", name.upper()).replace("ARRAY", name))
    files = [str(check), *([str(folder / f"{name}.c")] if source else [])]
    flags = ["-Wall", "-Wextra", "-Werror", "-pedantic", "-o", str(folder / "check")]
    done = subprocess.run([*compiler, *flags, *files], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return subprocess.run([str(folder / "check")], capture_output=True, text=True, check=True, timeout=60).stdout


def facts(path: Path) -> str:
    from hashlib import sha256

    data = path.read_bytes()
    crc = f"{zlib.crc32(data):08x}"
    return f"{len(data)} {len(data)} {crc} {crc} {sha256(data).hexdigest()} 0 1 forward\n"


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("path", [TWO_PARTS, BUNDLE], ids=["pte", "bpte"])
def test_the_array_is_the_file(
    path: Path, compiler: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = path.name.replace(".", "_")
    firmware(capsys, path, "-o", tmp_path / "two", "--align", "64")
    assert built(tmp_path / "two", name, compiler) == facts(path)
    firmware(capsys, path, "-o", tmp_path / "one", "--header-only", "--section", "")
    assert built(tmp_path / "one", name, compiler, source=False) == facts(path)
    assert not (tmp_path / "one" / f"{name}.c").exists()


@needs_gcc
@pytest.mark.parametrize("size", [1, 65_537])
def test_every_length_is_written_whole(size: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "odd.pte"
    path.write_bytes(TWO_PARTS.read_bytes() + os.urandom(size))
    firmware(capsys, path, "-o", tmp_path)
    assert built(tmp_path, "odd_pte", ["gcc"]) == facts(path)


@needs_gcc
@pytest.mark.skipif(shutil.which("readelf") is None, reason="needs readelf")
def test_the_array_lies_aligned_in_its_section(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for section, alignment in (("network_model_sec", 16), (".model.part-1", 4096)):
        options = () if alignment == 16 else ("--section", section, "--align", alignment)
        firmware(capsys, DEDICATED, "-o", tmp_path, "--force", *options)
        made = tmp_path / "array.o"
        subprocess.run(["gcc", "-c", str(tmp_path / "adds_u85_512_dedicated_pte.c"), "-o", str(made)], check=True)
        listing = subprocess.run(["readelf", "-SW", str(made)], capture_output=True, text=True, check=True).stdout
        words = next(line for line in listing.splitlines() if f" {section} " in line).split("]")[1].split()
        assert int(words[4], 16) == DEDICATED.stat().st_size and int(words[-1]) == alignment
        assert words[6] == "A", "constant data: not writable"
    override = ['-DADDS_U85_512_DEDICATED_PTE_SECTION=".other"']
    subprocess.run(
        ["gcc", *override, "-c", str(tmp_path / "adds_u85_512_dedicated_pte.c"), "-o", str(made)], check=True
    )
    listing = subprocess.run(["readelf", "-SW", str(made)], capture_output=True, text=True, check=True).stdout
    assert ".other" in listing and section not in listing


def hostile(path: Path) -> Path:
    """A program in whose texts each stand what ends a comment, a string and a macro."""
    data = path.read_bytes()
    for old, new in (
        (b"forward", b'*/"\\\n\\?'),
        (b"Shared_Sram", b'"*/??/\\#([]'),
        (b"aten::sort", b'";#\n)$\\*/x'),
        (b"two_parts", b'two\n*/"\\'),
    ):
        assert len(old) == len(new) or old not in data
        data = data.replace(old, new)
    (path.parent / "made").mkdir(exist_ok=True)
    target = path.parent / "made" / 'a*?b"\\\n#if ??`.pte'
    target.write_bytes(data)
    return target


@needs_gcc
def test_no_name_breaks_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = tmp_path / "two_parts.pte"
    copy.write_bytes(TWO_PARTS.read_bytes())
    path = hostile(copy)
    assert main(["firmware", str(path), "-o", str(tmp_path)]) == 0
    heard = capsys.readouterr()
    assert "1 operators have no valid name" in heard.err
    name = "a_b_if_pte"
    header = (tmp_path / f"{name}.h").read_text("ascii")
    parts = re.compile(r'/\*.*?\*/|"(?:[^"\\\n]|\\[0-7]{3})*"', re.DOTALL)
    comments = [part for part in parts.findall(header) if part.startswith("/*")]
    assert len(comments) == 3, "at the top, behind the CRC, at the end"
    assert not set(parts.sub("", header)) & set("\"\\?*'") and "?" not in header
    for compiler in (["gcc", "-trigraphs"], ["gcc", "-std=c99", "-Wcomment"], ["g++", "-x", "c++"]):
        assert built(tmp_path, name, compiler).split()[:2] == [str(path.stat().st_size)] * 2
    assert "sort" not in (tmp_path / f"{name}_operators.yaml").read_text()
    for ending in ("cmake", "conf"):
        for line in (tmp_path / f"{name}.{ending}").read_text("ascii").splitlines():
            assert line == "" or line.startswith(("# ", "set(E", "CONFIG_")), line


@pytest.mark.skipif(shutil.which("cmake") is None, reason="needs cmake")
def test_cmake_reads_the_definitions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = tmp_path / "two_parts.pte"
    copy.write_bytes(TWO_PARTS.read_bytes())
    for path, name in ((TWO_PARTS, "two_parts_u55_128_pte"), (hostile(copy), "a_b_if_pte")):
        firmware(capsys, path, "-o", tmp_path)
        script = tmp_path / "read.cmake"
        script.write_text(
            f'include("{tmp_path}/{name}.cmake")\n'
            "foreach(name ET_ARM_BAREMETAL_METHOD_ALLOCATOR_POOL_SIZE ET_ARM_BAREMETAL_SCRATCH_TEMP_ALLOCATOR_POOL_SIZE\n"
            "        EXECUTORCH_SELECT_OPS_LIST)\n  message(STATUS ${name}=${${name}})\nendforeach()\n"
        )
        done = subprocess.run(["cmake", "-P", str(script)], capture_output=True, text=True, check=True, timeout=60)
        assert "METHOD_ALLOCATOR_POOL_SIZE=34608" in done.stdout
        assert "SCRATCH_TEMP_ALLOCATOR_POOL_SIZE=4864" in done.stdout
        assert "cortex_m::quantize_per_tensor.out\n" in done.stdout


def test_what_is_there_is_not_replaced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = tmp_path / "new" / "deep" / "adds_u85_512_dedicated_pte.cmake"
    firmware(capsys, DEDICATED, "-o", kept.parent)
    first = {path.name: path.read_bytes() for path in kept.parent.iterdir()}
    assert sorted(name.partition("_pte")[2] for name in first) == [".c", ".cmake", ".conf", ".h", "_operators.yaml"]
    for path in kept.parent.iterdir():
        if path != kept:
            path.unlink()
    kept.write_text("mine")
    assert "is there already" in firmware(capsys, DEDICATED, "-o", kept.parent, code=2)
    assert os.listdir(kept.parent) == [kept.name] and kept.read_text() == "mine"
    firmware(capsys, DEDICATED, "-o", kept.parent, "--force")
    assert {path.name: path.read_bytes() for path in kept.parent.iterdir()} == first, "the same each time"
    elsewhere = tmp_path / "copy" / DEDICATED.name
    elsewhere.parent.mkdir()
    elsewhere.write_bytes(DEDICATED.read_bytes())
    firmware(capsys, elsewhere, "-o", tmp_path / "again")
    assert {path.name: path.read_bytes() for path in (tmp_path / "again").iterdir()} == first, "wherever it lies"


def test_nothing_is_left_where_nothing_more_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / "large.pte"
    path.write_bytes(TWO_PARTS.read_bytes() + bytes(100_000))
    script = (
        "import resource, sys\nfrom ethosu_tui.tui.cli import main\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536))\n"
        f"sys.exit(main(['firmware', {str(path)!r}, '-o', {str(tmp_path / 'a' / 'b')!r}]))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert done.returncode == 4 and "cannot write to" in done.stderr and "Traceback" not in done.stderr
    assert os.listdir(tmp_path) == ["large.pte"] or sorted(os.listdir(tmp_path)) == ["large.pte", "workspace"]


def test_a_full_disk_leaves_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk], capture_output=True).returncode:
        pytest.skip("needs the right to mount a small tmpfs")
    try:
        path = tmp_path / "large.pte"
        path.write_bytes(TWO_PARTS.read_bytes() + bytes(100_000))
        assert "the disk is full, nothing was written" in firmware(capsys, path, "-o", disk / "out", code=4)
        assert os.listdir(disk) == []
    finally:
        subprocess.run(["umount", disk], check=True)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--section", 'a"b'], 2, "not a section name"),
        (["--section", "a\nb"], 2, "not a section name"),
        (["--align", "8"], 2, "power of two from 16"),
        (["--align", "24"], 2, "power of two from 16"),
        (["--align", "9999999999999"], 2, "power of two from 16"),
        (["--name", ""], 2, "--name is empty"),
        (["--executorch", "0.3"], 2, "ExecuTorch 0.3 are not known"),
        (["-o", ""], 2, "no folder"),
        (["-o", "/dev/null"], 2, "no folder"),
        (["-o", "/dev/null/x"], 4, "cannot make the folder"),
    ],
)
def test_what_does_not_do_is_one_sentence(
    arguments: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    heard = firmware(capsys, DEDICATED, *arguments, code=code)
    assert said in heard and heard.count("\n") == 1


def test_what_is_no_program(tmp_path: Path, samples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cut = tmp_path / "cut.pte"
    cut.write_bytes(TWO_PARTS.read_bytes()[:4000])
    short = tmp_path / "short.pte"
    short.write_bytes((HERE / "two_parts_u55_128_segments.pte").read_bytes()[:-200])
    for path, code, said in (
        (cut, 3, "cut or damaged"),
        (short, 3, "is cut off"),
        (HERE / "two_parts.tosa", 2, "is not a program"),
        (samples / "softmax.log", 3, "nothing that inspect knows"),
        (tmp_path / "none.pte", 3, "No such file"),
    ):
        assert said in firmware(capsys, path, "-o", tmp_path / "out", code=code)
    assert not (tmp_path / "out").exists()


def test_the_json_is_that_of_inspect(capsys: pytest.CaptureFixture[str]) -> None:
    for path in sorted([*HERE.glob("*.pte"), BUNDLE]):
        document = json.loads(firmware(capsys, path, "--json"))
        assert document["schema"] == "ethosu-tui/firmware/1" and document["files"] == []
        assert main(["inspect", "--json", str(path)]) == 0
        inspected = json.loads(capsys.readouterr().out)["program"]
        assert inspected["firmware"].items() <= document.items()
        calls: dict[str, int] = {}
        for method in inspected["methods"]:
            for name, count in method["operators"].items():
                calls[name] = calls.get(name, 0) + count
        assert {kernel["operator"]: kernel["calls"] for kernel in document["operators"]} == calls
        needs = {need["region"]: need["bytes"] for need in inspected["memory"]}
        (newest,) = [p for p in document["pools"] if p["executorch"] == "1.5" and p["runner"] == "bare-metal"]
        pools = {pool["name"]: pool for pool in newest["pools"]}
        assert ("scratch" in pools) == ("scratch" in needs) and ("fast_scratch" in pools) == ("fast_scratch" in needs)
        if "scratch" in needs:
            assert pools["scratch"]["terms"][0]["bytes"] == needs["scratch"]
        assert pools["method"]["bytes"] >= needs["planned_buffers"]


def test_nothing_heavy_is_loaded(tmp_path: Path) -> None:
    script = (
        "import json, sys\nfrom ethosu_tui.tui.cli import main\n"
        f"assert main(['firmware', {str(TWO_PARTS)!r}, '-o', {str(tmp_path)!r}]) == 0\n"
        "print(json.dumps(sorted(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    loaded = set(json.loads(done.stderr.strip().splitlines()[-1]))
    assert not {name for name in (*HEAVY, "flatbuffers", "yaml") if name in loaded and name != "asyncio"}


@pytest.mark.compile
def test_the_operator_list_is_that_of_gen_oplist(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("executorch.codegen.tools")
    programs = sorted([*HERE.glob("*.pte"), BUNDLE])
    script = (
        "import sys\nfrom executorch.codegen.tools.gen_oplist import gen_oplist\n"
        "for path in sys.argv[2:]:\n"
        "    gen_oplist(output_path=sys.argv[1] + '/' + path.rsplit('/', 1)[1] + '.yaml', model_file_path=path)\n"
    )
    words = [sys.executable, "-W", "ignore", "-c", script, str(tmp_path), *map(str, programs)]
    subprocess.run(words, check=True, capture_output=True, timeout=300)
    for path in programs:
        firmware(capsys, path, "-o", tmp_path)
        ours = (tmp_path / f"{path.name.replace('.', '_')}_operators.yaml").read_text()
        theirs = (tmp_path / f"{path.name}.yaml").read_text()
        assert ours.replace(f"'{path.name}'", path.name) == theirs.replace(str(path), path.name), path.name
