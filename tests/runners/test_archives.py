"""Archives and their members as inputs: nested, hostile, damaged, as real files."""

from __future__ import annotations

import gzip
import io
import random
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from ethosu_tui.runners.job import InputError, JobError
from ethosu_tui.runners.reading import compression, tar_stream
from ethosu_tui.runners.reading.blocks import Source, blocks, members, sources
from ethosu_tui.runners.reading.digest import readings
from ethosu_tui.runners.reading.inputs import load, read
from ethosu_tui.runners.reading.paths import expand
from ethosu_tui.runners.reading.settings import Reading

from .packed import ARCHIVES, PACKERS, contents, refused


@pytest.fixture
def log(samples: Path) -> bytes:
    return (samples / "softmax.log").read_bytes()


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


def test_steps_beside_the_log_of_their_job_are_not_told_again(
    tmp_path: Path, archive_of: Callable[[str, dict[str, bytes]], Path], log: bytes
) -> None:
    names = (
        "0_lab _ u55 (a).txt",
        "lab _ u55 (a)/system.txt",
        "lab _ u55 (a)/2_Run it.txt",
        "other/1_Run it.txt",
        "lab/board.txt",
        "3_nets.txt",
        "nets/1_small.txt",
    )
    files = dict.fromkeys(names, log)
    path = archive_of("logs_7.zip", files)
    told = [names[0], *names[3:]]
    assert members(str(path)) == [f"{path}!{name}" for name in told]
    assert b"".join(blocks(f"{path}!{names[2]}")) == log
    folder = tmp_path / "logs"
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    assert sorted(expand([str(folder)])) == sorted(str(folder / name) for name in told)


def test_the_only_log_of_an_archive_stands_for_it(
    archive_of: Callable[[str, dict[str, bytes]], Path], log: bytes
) -> None:
    assert b"".join(blocks(str(archive_of("one.zip", {"x.log": log, "m.pte": b""})))) == log
    assert "contains no logs" in refused(archive_of("none.zip", {}))


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
    with pytest.raises(InputError, match="like a zip bomb"):
        contents(path)


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
