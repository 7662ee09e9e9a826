"""Everything that can be pointed at: packed, nested, broken, endless, looping or changing inputs, as real files."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import random
import socket
import subprocess
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from ethosu_tui.runners.job import InputError, JobError
from ethosu_tui.runners.reading import compression, tar_stream
from ethosu_tui.runners.reading.blocks import Source, blocks, members, sources
from ethosu_tui.runners.reading.digest import Reading, readings
from ethosu_tui.runners.reading.inputs import load, read
from ethosu_tui.runners.reading.paths import expand

PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "xz": lzma.compress,
    "bz2": bz2.compress,
    "zst": zstandard.compress,
}


@pytest.fixture
def log(samples: Path) -> bytes:
    return (samples / "softmax.log").read_bytes()


def contents(path: Path) -> dict[str, bytes | str]:
    """What each log of an input holds, and why others are not read, by name."""
    found: dict[str, bytes | str] = {}
    for source in sources(str(path)):
        if isinstance(source, JobError):
            name, _, why = source.message.partition(": ")
            found[name.removeprefix(f"{path}!")] = why
        else:
            found[source.name.removeprefix(f"{path}!")] = b"".join(source.blocks)
    return found


def refused(path: Path | str) -> str:
    with pytest.raises(InputError) as caught:
        for _ in blocks(str(path)):
            pass
    assert caught.value.hint
    return caught.value.message


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
    assert "over 0.000977 GiB, which is the limit" in refused(packed)
    archive = tmp_path / "many.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for name in "abc":
            file.writestr(f"{name}.log", bytes(400_000))
    with pytest.raises(InputError, match="which is the limit"):  # all members together
        for source in sources(str(archive)):
            assert isinstance(source, Source)
            for _ in source.blocks:
                pass


def test_a_decoder_takes_no_more_memory_than_it_may(tmp_path: Path) -> None:
    packed = tmp_path / "wide.xz"
    filters = [{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 30}]
    packed.write_bytes(lzma.compress(b"x" * 100, filters=filters))
    assert "damaged" in refused(packed)


@pytest.fixture
def archive_of(tmp_path: Path) -> Callable[[str, dict[str, bytes]], Path]:
    def make(name: str, files: dict[str, bytes]) -> Path:
        path = tmp_path / name
        if name.endswith(".zip"):
            with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
                for member, data in files.items():
                    packed.writestr(member, data)
            return path
        raw = io.BytesIO()
        with tarfile.open(fileobj=raw, mode="w") as packed_tar:
            for member, data in files.items():
                info = tarfile.TarInfo(member)
                info.size = len(data)
                packed_tar.addfile(info, io.BytesIO(data))
        pack = PACKERS.get({"tgz": "gz"}.get(name.rpartition(".")[2], name.rpartition(".")[2]), bytes)
        path.write_bytes(pack(raw.getvalue()))
        return path

    return make


ARCHIVES = ["a.zip", "a.tar", "a.tar.gz", "a.tgz", "a.tar.xz", "a.tar.bz2", "a.tar.zst"]


@pytest.mark.parametrize("name", ARCHIVES)
def test_members_are_inputs_of_their_own(
    archive_of: Callable[[str, dict[str, bytes]], Path], tmp_path: Path, log: bytes, name: str
) -> None:
    files = {
        "../../escape.log": log,
        "/absolute.log": log,
        "a/" + "long" * 40 + ".txt": log,
        "b.log.gz": gzip.compress(log),
        "c.log.zst": zstandard.compress(log),
        "model.pte": b"ET12",
        ".hidden.log": log,
        "in.zip": b"PK\x03\x04" + bytes(40),
        "twice.gz": gzip.compress(gzip.compress(log)),
        "empty.log": b"",
    }
    path = archive_of(name, files)
    before = sorted(tmp_path.rglob("*"))
    found = contents(path)
    assert "is an archive inside an archive" in found.pop("in.zip")
    assert "is compressed twice" in found.pop("twice.gz")
    assert found.pop("empty.log") == b""
    assert set(found) == set(files) - {"model.pte", ".hidden.log", "in.zip", "twice.gz", "empty.log"}
    assert set(found.values()) == {log}
    assert sorted(tmp_path.rglob("*")) == before, "nothing is written"
    assert members(str(path))[0] == f"{path}!../../escape.log"
    assert read(f"{path}!c.log.zst").capture.runs[0].status == "passed"
    assert load(f"{path}!b.log.gz").lines()[0].number == 1
    assert "archive of" in refused(path)
    assert "no such log" in refused(f"{path}!nothing.log")
    assert "archive inside an archive" in refused(f"{path}!in.zip")


def test_the_only_log_of_an_archive_stands_for_it(
    archive_of: Callable[[str, dict[str, bytes]], Path], log: bytes
) -> None:
    assert b"".join(blocks(str(archive_of("one.zip", {"x.log": log, "m.pte": b""})))) == log
    assert "holds no logs" in refused(archive_of("none.zip", {}))


def test_links_and_devices_of_archives_lead_nowhere(tmp_path: Path, log: bytes) -> None:
    path = tmp_path / "links.tar"
    with tarfile.open(path, "w") as packed:
        for kind, name in ((tarfile.SYMTYPE, "soft"), (tarfile.LNKTYPE, "hard"), (tarfile.FIFOTYPE, "pipe")):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, "/etc/passwd"
            packed.addfile(info)
        info = tarfile.TarInfo("x.log")
        info.size = len(log)
        packed.addfile(info, io.BytesIO(log))
    found = contents(path)
    assert found.pop("x.log") == log
    assert all("inside the archive" in str(why) for why in found.values()) and len(found) == 3
    path = tmp_path / "links.zip"
    with zipfile.ZipFile(path, "w") as packed_zip:
        link = zipfile.ZipInfo("soft")
        link.external_attr = 0o120777 << 16
        packed_zip.writestr(link, "/etc/passwd")
        packed_zip.writestr("x.log", log)
    assert contents(path) == {"soft": "is a link or a device inside the archive", "x.log": log}


def test_unreadable_members_are_skipped(tmp_path: Path, log: bytes) -> None:
    path = tmp_path / "bad.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("a.log", log)
        packed.writestr("b.log", log)
        packed.writestr("c.log", log)
    data = bytearray(path.read_bytes())
    at = data.index(b"b.log") + 60
    data[at : at + 40] = bytes(40)
    second = data.rindex(b"c.log") - 46
    data[second + 8] |= 1  # says that it is encrypted
    first = data.index(b"c.log") - 30
    data[first + 6] |= 1
    path.write_bytes(data)
    found = [r if isinstance(r, JobError) else r for r in readings(str(path))]
    assert isinstance(found[0], Reading) and found[0].capture.runs[0].status == "passed"
    second_problem = found[1].problem if isinstance(found[1], Reading) else found[1]
    assert second_problem is not None and "damaged" in second_problem.message
    assert isinstance(found[2], JobError) and "encrypted" in found[2].message


@pytest.mark.parametrize("form", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_names_of_every_tar_format(tmp_path: Path, form: int) -> None:
    names = ["a.log", "d" * 60 + "/" + "e" * 60 + ".log"]
    if form != tarfile.USTAR_FORMAT:
        names += ["n" * 300 + ".log", "\u00fc" * 80 + ".log"]
    path = tmp_path / "x.tar"
    with tarfile.open(path, "w", format=form) as packed:
        for name in names:
            info = tarfile.TarInfo(name)
            info.size = 3
            info.mtime = 1.5
            packed.addfile(info, io.BytesIO(b"abc"))
    assert contents(path) == dict.fromkeys(names, b"abc")


def test_broken_tars_are_refused_in_a_sentence(tmp_path: Path, log: bytes) -> None:
    path = tmp_path / "x.tar"
    with tarfile.open(path, "w") as packed:
        info = tarfile.TarInfo("a.log")
        info.size = len(log)
        packed.addfile(info, io.BytesIO(log))
        packed.addfile(tarfile.TarInfo("b.log"))
    data = path.read_bytes()
    path.write_bytes(data[:1500])
    reading = next(readings(str(path)))
    assert isinstance(reading, Reading) and reading.problem is not None and "in the middle" in reading.problem.message
    second = 512 + -(-len(log) // 512) * 512
    path.write_bytes(data[: second + 10] + b"\xff" + data[second + 11 :])
    with pytest.raises(InputError, match="a header is wrong"):
        contents(path)


def test_a_name_without_end_does_not_fill_the_memory() -> None:
    class Endless:
        given = 0

        def read(self, most: int) -> bytes:
            if self.given == 0:
                info = tarfile.TarInfo("././@LongLink")
                info.type, info.size = tarfile.GNUTYPE_LONGNAME, 7 << 30
                self.given += 512
                return info.tobuf()
            self.given += most
            return bytes(most) if self.given < 64 << 20 else b""

    with pytest.raises(InputError, match="in the middle"):
        list(tar_stream.tar_members("x", Endless()))


def test_a_huge_directory_of_a_zip_is_refused(tmp_path: Path, log: bytes) -> None:
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("a.log", log)
    data = bytearray(path.read_bytes())
    end = data.rindex(b"PK\x05\x06")
    data[end + 12 : end + 16] = (1 << 31).to_bytes(4, "little")
    path.write_bytes(data)
    with pytest.raises(InputError, match="directory takes over 16 MiB"):
        contents(path)


def test_a_member_without_a_name_is_passed_over(tmp_path: Path, log: bytes) -> None:
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("a.log", log)
        packed.writestr("b.log", log)
    data = bytearray(path.read_bytes())
    entry = data.index(b"PK\x01\x02")
    data[entry + 28 : entry + 34] = bytes((0, 0, 0, 0, 5, 0))  # its name has become its comment
    path.write_bytes(data)
    assert contents(path) == {"b.log": log}


def test_a_zip_that_unpacks_the_same_bytes_again_and_again_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compression, "BOMB_BYTES", 1 << 20)
    monkeypatch.setattr(compression, "BOMB_RATIO", 500)
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for position in range(8):
            packed.writestr(f"{position}.log", bytes(4 << 20))
    with pytest.raises(InputError, match="as a zip bomb does"):
        contents(path)


@pytest.mark.parametrize("magic", [b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07\x00", b"\x04\x22\x4d\x18", b"!<arch>\n"])
def test_what_is_packed_otherwise_is_named(tmp_path: Path, magic: bytes) -> None:
    path = tmp_path / "x.log"
    path.write_bytes(magic + bytes(100))
    assert "which is not read" in refused(path)


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


@pytest.mark.parametrize("name", [*ARCHIVES, "x.gz", "x.xz", "x.bz2", "x.zst"])
def test_damage_of_every_kind_gives_a_report_or_a_sentence(
    archive_of: Callable[[str, dict[str, bytes]], Path], log: bytes, name: str
) -> None:
    if name in ARCHIVES:
        path = archive_of(name, {"a.log": log, "b.log.gz": gzip.compress(log), "c.log.zst": zstandard.compress(log)})
        whole = path.read_bytes()
    else:
        path = archive_of("a.zip", {}).with_name(name)
        whole = PACKERS[name[2:]](log)
    numbers = random.Random(name)
    for _ in range(150):
        data = bytearray(whole)
        for _ in range(numbers.choice((1, 1, 2, 20))):
            at = numbers.randrange(len(data))
            how = numbers.randrange(4)
            if how == 0:
                data[at] = numbers.randrange(256)
            elif how == 1:
                data[at : at + 8] = bytes([numbers.choice((0, 255))]) * 8
            elif how == 2:
                del data[at : at + numbers.randrange(1, 600)]
            else:
                data[at:at] = data[: numbers.randrange(1, 600)]
            if not data:
                data = bytearray(b"x")
        path.write_bytes(data)
        try:
            for source in sources(str(path)):
                if isinstance(source, Source):
                    for block in source.blocks:
                        assert len(block) <= 2 * compression.BLOCK_BYTES
                else:
                    assert source.message and source.hint
        except InputError as error:
            assert error.message.startswith(str(path)) and error.hint
