"""`analyze` over many inputs: archives, exports, exit codes, and memory that does not grow with the number of runs."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
import zstandard


def analyze(*arguments: str | Path, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "ethosu_tui.tui", "analyze", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, input=stdin, timeout=120)


@pytest.fixture
def lab(samples: Path, tmp_path: Path) -> Path:
    """A folder as a lab leaves it: logs, packed logs, archives, a model, and a link to the latest log."""
    folder = tmp_path / "lab"
    folder.mkdir()
    good = (samples / "mobilenet_v2_corstone320.log").read_bytes()
    bad = (samples / "method_small_load.log").read_bytes()
    (folder / "a.log").write_bytes(good * 8)
    (folder / "b.log.zst").write_bytes(zstandard.compress(bad * 3))
    (folder / "model.pte").write_bytes(b"ET12")
    (folder / "latest.log").symlink_to(folder / "a.log")
    with zipfile.ZipFile(folder / "c.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("board1/uart.log", good * 4)
        archive.writestr("board2/uart.log", bad * 2 + good * 4)
    with tarfile.open(folder / "d.tar.xz", "w:xz") as packed:
        info = tarfile.TarInfo("../run.log")
        info.size = len(good)
        packed.addfile(info, io.BytesIO(good))
    return folder


def test_a_folder_of_a_lab(lab: Path) -> None:
    done = analyze(lab)
    text = done.stdout.decode()
    assert done.returncode == 1 and not done.stderr
    assert "22 runs in 5 inputs" in text
    assert "passed    17" in text and "failed     5" in text
    assert f"{lab}/b.log.zst" in text and "method-pool-too-small" in text
    assert "-DET_ARM_BAREMETAL_METHOD_ALLOCATOR_POOL_SIZE=" in text
    assert (
        f"Every run with its log and reason: ethosu-tui open {lab}, or --csv." in text and "nothing known" not in text
    )
    rows = list(csv.DictReader(io.StringIO(analyze(lab, "--format", "csv").stdout.decode(), newline="")))
    assert len(rows) == 22
    assert {bool(row["root_cause_advice"]) for row in rows if row["root_cause"]} == {True}
    assert {row["source"].removeprefix(f"{lab}/") for row in rows} == {
        "a.log", "b.log.zst", "c.zip!board1/uart.log", "c.zip!board2/uart.log", "d.tar.xz!../run.log",
    }  # fmt: skip
    assert {row["npu_cycles"] for row in rows} == {"5920305", ""}
    assert [int(row["first_line"]) for row in rows[:2]] == [1, 49]


def test_what_is_no_run_is_counted_where_only_runs_are_shown(lab: Path) -> None:
    (lab / "notes.txt").write_text("nothing of ours\n")
    (lab / "compile.log").write_text(
        "RuntimeError: Missing out variants: {'quantized_decomposed::dequantize_per_tensor'}\n"
    )
    assert "1 input was not read or holds nothing known; stderr says why." in analyze(lab).stdout.decode()
    said = analyze(lab, "--format", "csv").stderr.decode()
    assert "1 failed build, compile or set-up is no run and" in said


def test_inputs_with_the_same_reason_share_a_line(lab: Path) -> None:
    for number in range(40):
        (lab / f"n{number:02}.txt").write_text("nothing of ours\n")
    for jobs in ((), ("--jobs", "2")):
        said = analyze(lab, *jobs).stderr.decode().splitlines()
        assert len(said) == 4 and all(line.count("nothing recognised") == 1 for line in said)
        assert f"{lab}/n03.txt, {lab}/n04.txt" in said[3]
        assert f"{lab}/n07.txt and 32 others (`--markdown` names them): nothing recognised" in said[3]
    report = analyze(lab, "--format", "markdown")
    assert b"markdown` names" not in report.stderr and report.stdout.count(b"nothing recognised") == 40


def test_trends_and_causes_in_sentences(samples: Path, tmp_path: Path) -> None:
    report = (samples / "mobilenet_v2_corstone320.log").read_bytes()
    with (tmp_path / "night.log").open("wb") as file:
        for position in range(30):
            cycles = b"5920305" if position < 18 else b"6216320"
            stamp = (
                b"[2026-01-05 %02d:00:00.250] " % (position % 24)
                if position < 24
                else b"[2026-01-06 00:%02d:00.250] " % position
            )
            file.writelines(stamp + line for line in report.replace(b"5920305", cycles).splitlines(keepends=True))
        file.write((samples / "method_small_load.log").read_bytes())
    text = analyze(tmp_path / "night.log").stdout.decode()
    assert "jumps by 5.0 % at 2026-01-05 18:00:00.250" in text and "night.log, line 865)" in text
    assert "median 5,920,305 before, 6,216,320 since" in text
    assert "      1  The method pool is too small: 1.3 KiB did not fit [method-pool-too-small]" in text
    assert "-> Enlarge it to at least 5264 bytes" in text


def test_archives_on_standard_input(lab: Path) -> None:
    packed = (lab / "d.tar.xz").read_bytes()
    document = json.loads(analyze("-", "--json", stdin=packed).stdout)
    assert [capture["source"] for capture in document["captures"]] == ["-!../run.log"]


def test_output_goes_to_a_file_of_the_right_kind(lab: Path, tmp_path: Path) -> None:
    for name, begins in (("x.csv", "source,run"), ("x.md", "# Post-mortem"), ("x.json", "{\n"), ("x.jsonl", '{"source"'),
                         ("x.txt", "22 runs")):  # fmt: skip
        done = analyze(lab, "--output", tmp_path / name)
        assert (done.returncode, done.stdout) == (1, b"")
        assert (tmp_path / name).read_text().startswith(begins), name
        assert b"is not a format" not in done.stderr
    for name, more in (("x.xyz", b""), ("x.html", b"x.html writes a page")):
        done = analyze(lab, "--output", tmp_path / name)
        assert (done.returncode, (tmp_path / name).read_text()[:7]) == (1, "22 runs")
        assert b"is not a format of --output" in done.stderr and more in done.stderr
        assert (
            b"is not a format" not in analyze(lab, "--output", tmp_path / name, "--force", "--format", "table").stderr
        )
    assert (tmp_path / "x.csv").read_bytes().count(b"\r\n") == 23
    assert len(json.loads((tmp_path / "x.json").read_text())["captures"]) == 5
    assert not list(tmp_path.glob(".ethosu*")), "no temporary file is left"
    (tmp_path / "x.csv").chmod(0o640)
    for place in (tmp_path / "no" / "x.csv", lab):
        done = analyze(lab, "--output", place)
        assert done.returncode == 2 and done.stderr.count(b"\n") == 1, done.stderr


def test_the_json_document_is_the_same_however_it_is_written(samples: Path) -> None:
    from ethosu_tui.analysis import Report
    from ethosu_tui.runners.reading.inputs import read

    paths = [str(samples / "softmax.log"), str(samples / "hang_u55_no_npu.log")]
    written = json.loads(analyze("--json", *paths).stdout)
    expected = Report(tuple(read(path).capture for path in paths)).to_dict()
    assert written["schema"] == expected["schema"]
    for found, wanted in zip(written["captures"], json.loads(json.dumps(expected))["captures"], strict=True):
        for run in (*found["runs"], *wanted["runs"]):
            run["derived"] = None
        assert found["runs"] == wanted["runs"]
        assert (found["source"], found["bytes"], found["lines"]) == (wanted["source"], wanted["bytes"], wanted["lines"])
    assert json.loads(analyze("--json", "nothing.log").stdout)["captures"] == []


def test_a_damaged_archive_still_gives_what_is_in_it(lab: Path) -> None:
    whole = (lab / "c.zip").read_bytes()
    (lab / "c.zip").write_bytes(whole[:-30])
    done = analyze(lab, "--format", "csv")
    assert done.returncode == 3
    assert done.stderr.count(b"\n") == 1 and b"c.zip: the archive is damaged" in done.stderr
    assert done.stdout.count(b"\r\n") == 13


def test_meaning_of_figures_comes_with_a_clock(samples: Path) -> None:
    log = samples / "mobilenet_v2_corstone320.log"
    for form in ("--json", "--jsonl"):
        document = json.loads(analyze(log, form, "--npu-clock", "400MHz").stdout)
        run = document["captures"][0]["runs"][0] if form == "--json" else document
        assert run["derived"]["npu_clock"]["value"] == 400e6
    assert analyze(log, "--npu-clock", "fast").returncode == 2


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs the /proc of Linux")
@pytest.mark.parametrize("form", [["--format", "csv"], []])
def test_memory_does_not_grow_with_the_runs(samples: Path, tmp_path: Path, form: list[str]) -> None:
    log = tmp_path / "night.log"
    log.write_bytes((samples / "mnist_q.log").read_bytes() * 6000)
    script = "import sys; from ethosu_tui.tui.cli import main; main(sys.argv[1:]); sys.stderr.write(open('/proc/self/status').read())"
    command = [sys.executable, "-c", script, "analyze", *form, str(log)]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=120)
    peak = next(line for line in done.stderr.splitlines() if line.startswith("VmHWM"))
    assert int(peak.split()[1]) < 64 << 10, "6000 whole runs would take several times that"


def test_an_archive_that_ends_in_the_middle_is_told_once_and_gives_what_it_has(samples: Path, tmp_path: Path) -> None:
    packed = tmp_path / "cut.tar"
    with tarfile.open(packed, "w") as archive:
        for name in ("a.log", "b.log"):
            archive.add(samples / "mnist_q.log", name)
    data = packed.read_bytes()
    at = data.index(b"b.log\0")
    packed.write_bytes(data[: at + 512 + (samples / "mnist_q.log").stat().st_size // 2])
    found = analyze(packed, "--jsonl")
    assert found.returncode == 3
    assert found.stderr.count(b"ends in the middle") == 1
    assert [json.loads(line)["source"][-5:] for line in found.stdout.splitlines()] == ["a.log", "b.log"]


def test_a_sentence_about_an_endless_name_says_what_is_wrong(tmp_path: Path) -> None:
    packed = tmp_path / "x.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("n" * 60_000 + ".log", b"nothing of a run\n")
    for arguments in ((packed,), ("y" * 60_000,), (packed, "--board", "z" * 60_000)):
        found = analyze(*arguments)
        assert found.returncode in (2, 3)
        assert found.stderr.startswith(b"ethosu-tui: ") and len(found.stderr) < 3000
    assert b"nothing recognised" in analyze(packed).stderr


def test_what_follows_from_the_error_takes_a_line(samples: Path) -> None:
    lines = analyze(samples / "method_small_planned.log").stdout.decode().splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("ERROR: "))
    assert lines[first + 1].startswith("    7 | E [executorch:")
    assert lines[first + 2].startswith("    3920 bytes") and lines[first + 3].startswith("    -> Enlarge it")
    assert lines[first + 4] == "note: The runner aborted (line 8, 7) [fatal-message]: it follows from the error"
    assert all(line.startswith("note: ") for line in lines[first + 4 :])


def test_the_root_cause_is_told_in_the_answers_and_the_finding_alone(samples: Path) -> None:
    text = analyze(samples / "temp_small_topk.log").stdout.decode()
    assert text.count("The temp pool is too small") == 1 and "did not fit (at the stage report, line 11)" in text
    assert "It follows from" not in text


def test_csv_and_markdown_are_options_too(samples: Path) -> None:
    for form in ("csv", "markdown"):
        by_name, short = analyze(samples, "--format", form), analyze(samples, f"--{form}")
        assert short.stdout == by_name.stdout and short.returncode == by_name.returncode == 1
    assert analyze(samples, "--csv", "--json").returncode == 2


def test_a_complaint_is_not_hidden_below_all_options(samples: Path) -> None:
    done = analyze(samples, "--cvs")
    assert done.returncode == 2 and len(done.stderr.decode().splitlines()) == 2
    assert b"usage: ethosu-tui analyze [options] PATH [PATH ...]" in done.stderr and b"--cvs" in done.stderr


def test_the_line_of_the_root_cause_is_quoted_below_it(samples: Path, tmp_path: Path) -> None:
    log = samples / "method_small_planned.log"
    line = log.read_text().splitlines()[6].strip()
    text = analyze(log).stdout.decode()
    error = text.index("ERROR: ")
    assert text[error:].splitlines()[1] == f"    7 | {line}"
    assert text.count(" | ") == 1, "what follows from it is not quoted"
    assert f"Line 7 of the log: {line}" in analyze(log, "--plain").stdout.decode()
    with zipfile.ZipFile(tmp_path / "lab.zip", "w") as archive:
        archive.writestr("one/uart.log", b"\x1b[31m" + log.read_bytes())
    assert f"    7 | {line}" in analyze(tmp_path / "lab.zip").stdout.decode()
    assert " | " not in analyze("-", stdin=log.read_bytes()).stdout.decode(), "a pipe is read once"
    hostile = log.read_bytes().replace(b"2048B available", b"2048B available \x1b]0;x\x07\xe2\x80\xae" + b"z" * 300)
    (tmp_path / "hostile.log").write_bytes(hostile)
    (quoted,) = [row for row in analyze(tmp_path / "hostile.log").stdout.decode().splitlines() if " | " in row]
    assert len(quoted) <= 200 and quoted.endswith("\u2026") and "\x1b" not in quoted and "\u202e" not in quoted
    spoken = analyze(tmp_path / "hostile.log", "--plain").stdout.decode().splitlines()
    assert [
        len(row) < 240 and row.endswith("z and more") for row in spoken if row.startswith("Line 7 of the log: ")
    ] == [True]


def test_an_archive_is_not_opened_again_for_each_of_many_logs(samples: Path, tmp_path: Path) -> None:
    log = (samples / "method_small_planned.log").read_bytes()
    for count in (20, 21):
        with zipfile.ZipFile(tmp_path / "lab.zip", "w") as archive:
            for number in range(count):
                archive.writestr(f"{number}.log", log)
        assert analyze("--all", tmp_path / "lab.zip").stdout.count(b"\n    7 | E ") == (count if count == 20 else 0)


def test_what_is_true_of_every_simulator_is_a_note_beside_its_figures_and_a_finding_for_programs(samples: Path) -> None:
    log = samples / "softmax.log"
    text = analyze(log).stdout.decode()
    assert "fvp-ratio-not-time" not in text and text.count("CPU cycles and ratios of an FVP are not time") == 1
    (capture,) = json.loads(analyze("--json", log).stdout)["captures"]
    assert "fvp-ratio-not-time" in {finding["rule"] for finding in capture["findings"]}


def test_one_stray_file_is_named_and_the_others_are_said_to_be_read(samples: Path, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("dear diary\n")
    for name in ("softmax.log", "mnist_q.log"):
        (tmp_path / name).write_bytes((samples / name).read_bytes())
    done = analyze(tmp_path)
    (stray,) = done.stderr.decode().splitlines()
    assert done.returncode == 3 and f"{tmp_path}/notes.txt: nothing recognised" in stray
    last = done.stdout.decode().splitlines()[-1]
    assert last == (
        "1 input was not read or holds nothing known; stderr says why. "
        f"Exit code 3 is for it alone ({tmp_path}/notes.txt): all 2 others were read."
    )
    done = analyze(samples / "softmax.log", tmp_path / "none.log")
    assert "alone (" in done.stdout.decode() and done.returncode == 3
    assert "none.log): the other input was read." in done.stdout.decode()
    assert not analyze(tmp_path / "notes.txt").stdout, "there is no other"
