"""Everything that can be pointed at: packed, broken, endless, looping or changing inputs, as real files."""

from __future__ import annotations

import gzip
import io
import lzma
import os
import socket
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest
import zstandard

from ethosu_tui.runners.job import InputError
from ethosu_tui.runners.reading import compression
from ethosu_tui.runners.reading.blocks import Source, blocks, sources
from ethosu_tui.runners.reading.digest import readings
from ethosu_tui.runners.reading.inputs import load, read
from ethosu_tui.runners.reading.paths import expand
from ethosu_tui.runners.reading.settings import Reading

from .packed import PACKERS, refused


@pytest.fixture
def log(samples: Path) -> bytes:
    return (samples / "softmax.log").read_bytes()


@pytest.mark.parametrize("kind", PACKERS)
@pytest.mark.parametrize("name", ["x.log.{}", "x.log", "x"])
def test_compression_is_told_by_content(tmp_path: Path, log: bytes, kind: str, name: str) -> None:
    packed = tmp_path / name.format(kind)
    packed.write_bytes(PACKERS[kind](log[:2000]) + PACKERS[kind](log[2000:]))  # as `cat` joins them
    assert b"".join(blocks(str(packed))) == log


@pytest.mark.parametrize("kind", PACKERS)
def test_an_ending_that_lies_does_no_harm(tmp_path: Path, log: bytes, kind: str) -> None:
    plain = tmp_path / f"x.log.{kind}"
    plain.write_bytes(log)
    assert b"".join(blocks(str(plain))) == log


@pytest.mark.parametrize("kind", PACKERS)
def test_the_part_before_the_damage_is_read(tmp_path: Path, log: bytes, kind: str) -> None:
    noise = os.urandom(400_000).hex().encode()
    packed = tmp_path / f"torn.{kind}"
    whole = PACKERS[kind](log + noise)
    packed.write_bytes(whole[: len(whole) // 2])
    assert "damaged" in refused(packed)
    if kind == "bz2":  # whose first block is larger than this
        return
    reading = next(readings(str(packed)))
    assert isinstance(reading, Reading)
    assert reading.problem is not None and "damaged" in reading.problem.message
    assert reading.capture.runs[0].status == "passed"


@pytest.mark.parametrize("kind", PACKERS)
@pytest.mark.parametrize("keep", range(1, 40, 7))
def test_any_cut_of_compressed_data_is_noticed(tmp_path: Path, log: bytes, kind: str, keep: int) -> None:
    whole = PACKERS[kind](log)
    packed = tmp_path / "torn.bin"
    packed.write_bytes(whole[:-keep])
    assert "it ends in the middle" in refused(packed)


def test_zstandard_frames_of_every_shape_end_where_they_end(tmp_path: Path, log: bytes) -> None:
    shapes = [
        zstandard.ZstdCompressor(write_checksum=True, write_content_size=False).compress(log),
        b"\x50\x2a\x4d\x18\x05\x00\x00\x00skip!" + zstandard.compress(log),
        zstandard.compress(b""),
        zstandard.compress(bytes(5_000_000)),
    ]
    for position, data in enumerate(shapes):
        packed = tmp_path / f"{position}.zst"
        packed.write_bytes(zstandard.compress(b"first\n") + data)
        assert b"".join(blocks(str(packed))).startswith(b"first\n")
        packed.write_bytes(zstandard.compress(b"first\n") + data[:-1])
        assert "damaged" in refused(packed)


def test_a_compression_bomb_is_refused_early(tmp_path: Path) -> None:
    packed = tmp_path / "bomb.log.zst"
    with packed.open("wb") as file, zstandard.ZstdCompressor().stream_writer(file) as stream:
        for _ in range(4096):
            stream.write(bytes(1 << 20))
    assert packed.stat().st_size < 1 << 20
    assert "zip bomb" in refused(packed)


def test_filler_is_refused_early_and_equal_runs_are_not(tmp_path: Path, log: bytes) -> None:
    bomb = tmp_path / "bomb.log.gz"
    bomb.write_bytes(gzip.compress(bytes(80 << 20)))
    given = 0
    with pytest.raises(InputError, match="zip bomb"):
        for block in blocks(str(bomb)):
            given += len(block)
    assert given <= compression.FILLER_BYTES
    for pack in (gzip.compress, lzma.compress):
        runs = log * ((80 << 20) // len(log))
        bomb.write_bytes(pack(runs))
        assert len(runs) > 150 * bomb.stat().st_size
        assert sum(map(len, blocks(str(bomb)))) == len(runs)


@pytest.mark.parametrize("repeats", [1, 4_000])
def test_a_wrong_checksum_at_the_end_costs_nothing_before_it(tmp_path: Path, log: bytes, repeats: int) -> None:
    packed = bytearray(gzip.compress(log * repeats))
    packed[-8] ^= 1
    path = tmp_path / "crc.log.gz"
    path.write_bytes(packed)
    data = bytearray()
    with pytest.raises(InputError, match="damaged .*incorrect data check"):
        for block in blocks(str(path)):
            data += block
    assert data == log * repeats
    reading = read(str(path)) if repeats == 1 else None
    if reading is not None:
        assert len(reading.capture.runs) == 1 and reading.problem is not None and reading.problem.exit_code == 3


def test_the_limit_is_said_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compression, "DECOMPRESSED_LIMIT_BYTES", 1 << 20)
    packed = tmp_path / "long.log.gz"
    packed.write_bytes(gzip.compress(bytes(2 << 20)))
    assert "more than the limit of 0.000977 GiB" in refused(packed)
    archive = tmp_path / "many.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for name in "abc":
            file.writestr(f"{name}.log", bytes(400_000))
    with pytest.raises(InputError, match="more than the limit"):  # all members together
        for source in sources(str(archive)):
            assert isinstance(source, Source)
            for _ in source.blocks:
                pass


def test_a_decoder_takes_no_more_memory_than_it_may(tmp_path: Path) -> None:
    packed = tmp_path / "wide.xz"
    filters = [{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 30}]
    packed.write_bytes(lzma.compress(b"x" * 100, filters=filters))
    assert "damaged" in refused(packed)


@pytest.mark.parametrize("magic", [b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07\x00", b"\x04\x22\x4d\x18", b"!<arch>\n"])
def test_what_is_packed_otherwise_is_named(tmp_path: Path, magic: bytes) -> None:
    path = tmp_path / "x.log"
    path.write_bytes(magic + bytes(100))
    assert "which is not supported" in refused(path)


def test_devices_sockets_and_folders_are_refused(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "socket.log"))
        assert "not a regular file" in refused(tmp_path / "socket.log")
    assert "not a regular file" in refused("/dev/null")
    assert "is a folder" in refused(tmp_path)
    assert "cannot be read" in refused("a\0b")


def test_loops_of_links_end(tmp_path: Path, log: bytes) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x.log").write_bytes(log)
    for name in ("up", "self", "again"):
        (tmp_path / "a" / name).symlink_to(tmp_path)
    (tmp_path / "loop.log").symlink_to(tmp_path / "loop.log")
    (tmp_path / "latest.log").symlink_to(tmp_path / "a" / "x.log")
    assert expand([str(tmp_path)]) == [str(tmp_path / "a" / "x.log")]
    assert expand([str(tmp_path / "**" / "*.log")]) == [str(tmp_path / "loop.log"), str(tmp_path / "a" / "x.log")]
    assert "symbolic links" in refused(tmp_path / "loop.log")


def test_globs_at_every_depth(tmp_path: Path, log: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("x.log", "a/x.log", "a/b/x.log", "a/b/y[1].log", "a/.hid/x.log"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(log)
    os.mkfifo(tmp_path / "pipe.log")
    monkeypatch.chdir(tmp_path)
    assert expand(["**/x.log"]) == ["x.log", "a/x.log", "a/b/x.log"]
    assert sorted(expand(["a/**"])) == ["a/b/x.log", "a/b/y[1].log", "a/x.log"]
    assert expand(["*.log"]) == ["x.log"], "a pipe in a glob would make it wait for ever"
    assert expand(["a/b/y[1].log"]) == ["a/b/y[1].log"]
    with pytest.raises(InputError, match="no file matches"):
        expand(["**/*.nothing"])


def test_a_file_that_grows_is_read_up_to_where_it_was(tmp_path: Path, log: bytes) -> None:
    path = tmp_path / "grows.log"
    path.write_bytes(log)
    data = b""
    for block in blocks(str(path)):
        data += block
        with path.open("ab") as file:
            file.write(b"more\n" * 100_000)
    assert data == log


def test_files_that_change_are_remarked_on(tmp_path: Path, log: bytes) -> None:
    path = tmp_path / "x.log"
    for size, word in ((len(log) + 100, "grew"), (600, "shorter")):
        path.write_bytes(log * 1000)
        notes: list[str] = []
        for source in sources(str(path)):
            assert isinstance(source, Source)
            next(source.blocks)
            os.truncate(path, size if size == 600 else len(log) * 1000 + 100)
            for _ in source.blocks:
                pass
            notes = source.notes
        assert len(notes) == 1 and word in notes[0]


def test_pipes_of_every_content(tmp_path: Path, log: bytes) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w") as packed:
        info = tarfile.TarInfo("a.log")
        info.size = len(log)
        packed.addfile(info, io.BytesIO(log))
    stored = tmp_path / "data"
    for data, expected in ((log, log), (zstandard.compress(log), log), (raw.getvalue(), log)):
        stored.write_bytes(data)
        writer = subprocess.Popen(["sh", "-c", f"cat {stored} > {pipe}"])
        found = [b"".join(s.blocks) for s in sources(str(pipe)) if isinstance(s, Source)]
        assert found == [expected]
        writer.wait(60)
    with zipfile.ZipFile(stored, "w") as packed_zip:
        packed_zip.writestr("a.log", log)
    writer = subprocess.Popen(["sh", "-c", f"cat {stored} > {pipe}"])
    assert "cannot be read from a pipe" in refused(pipe)
    writer.wait(60)


def test_files_of_proc_have_no_size_and_are_read() -> None:
    assert b"Linux" in b"".join(blocks("/proc/version"))


def test_a_file_that_is_written_to_while_it_is_read_is_said(samples: Path, tmp_path: Path) -> None:
    log = tmp_path / "uart.log"
    log.write_bytes((samples / "mnist_q.log").read_bytes())
    found = 0
    for source in sources(str(log)):
        assert isinstance(source, Source)
        found += 1
        for _ in source.blocks:
            with log.open("r+b") as file:
                file.write(b"I")
            os.utime(log, ns=(1, 1))
        said = f"{log}: was written to while it was read, so old and new lines may be mixed; read it again"
        assert source.notes == [said]
    assert found == 1


def test_a_log_that_was_packed_and_kept_is_read_once(tmp_path: Path, log: bytes) -> None:
    (tmp_path / "uart.log").write_bytes(log)
    (tmp_path / "uart.log.gz").write_bytes(gzip.compress(log))
    (tmp_path / "old.log").write_bytes(log)
    (tmp_path / "old.log.gz").write_bytes(gzip.compress(log[:-1] + b"x"))
    (tmp_path / "alone.log.gz").write_bytes(gzip.compress(log))
    (tmp_path / "short.log").write_bytes(log)
    (tmp_path / "short.log.gz").write_bytes(b"\x1f")
    names = [Path(path).name for path in expand([str(tmp_path)])]
    assert names == ["alone.log.gz", "old.log", "old.log.gz", "short.log", "short.log.gz", "uart.log"]
    packed = str(tmp_path / "uart.log.gz")
    assert expand([packed]) == [packed]


def test_tables_and_pictures_of_a_lab_are_no_logs(tmp_path: Path, log: bytes) -> None:
    (tmp_path / "uart.log").write_bytes(log)
    for name in ("runs.xlsx", "report.docx", "board.JPEG", "trace.pcapng", "zephyr.uf2"):
        (tmp_path / name).write_bytes(b"PK\x03\x04")
    assert [Path(path).name for path in expand([str(tmp_path)])] == ["uart.log"]


def test_a_compile_in_several_delegates_is_held_against_others_as_a_whole(tmp_path: Path) -> None:
    part = (
        "Network summary for out\nAccelerator configuration               Ethos_U55_128\n"
        "System configuration             Ethos_U55_High_End_Embedded\nMemory mode                               Shared_Sram\n"
        "Total cycles                                   {} cycles/batch\n\n"
    )
    path = tmp_path / "two.log"
    path.write_text(f"{part.format(50_000)}{part.format(7_000)}  Delegated partitions for silicon acceleration: 2\n")
    (side,) = load(str(path)).sides()
    assert side.summary is not None and side.summary.total_cycles == 57_000 and side.summary.delegated_subgraphs == 2
