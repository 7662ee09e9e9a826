"""The command line as others rely on it: exit codes, one sentence on stderr, data on stdout, nothing hostile printed."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from ethosu_tui.tui.command_line import PATHS_ALONE
from ethosu_tui.tui.commands import module_of
from ethosu_tui.tui.commands.parsers import command_parser
from ethosu_tui.tui.unasked import unasked


def ethosu(*arguments: str | Path, stdin: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "ethosu_tui.tui", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, input=stdin if stdin is not None else b"", timeout=120)


def json_of(done: subprocess.CompletedProcess[bytes]) -> Any:
    return json.loads(done.stdout)


def test_analyze_json_follows_the_schema(samples: Path) -> None:
    log = samples / "mobilenet_v2_corstone320.log"
    done = ethosu("analyze", "--json", log)
    assert done.returncode == 0
    document = json_of(done)
    assert document["schema"] == "ethosu-tui/report/1"
    (capture,) = document["captures"]
    assert (capture["source"], capture["bytes"], capture["lines"]) == (str(log), 3316, 48)
    run = capture["runs"][0]
    assert {"index", "first_line", "last_line", "status", "stage", "runner", "target", "model", "memory", "cycles", "pmu",
            "derived", "outputs", "inputs", "bundleio", "etdump", "lines"} <= run.keys()  # fmt: skip
    assert set(run["runner"]) == {"kind", "executorch_version", "version_evidence"}
    assert set(run["target"]) >= {"name", "npu", "macs", "platform", "system_config", "memory_mode"}
    assert run["derived"]["method_pool_use_percent"] == {
        "value": 2.15, "unit": "percent",
        "from": ["memory.pools.method.used_bytes", "memory.pools.method.capacity_bytes"],
    }  # fmt: skip
    assert set(capture["findings"][0]) == {"rule", "severity", "run", "title", "detail", "advice", "lines"}


def test_jsonl_is_one_run_a_line(samples: Path) -> None:
    done = ethosu("analyze", "--jsonl", samples / "softmax.log", samples / "mnist_q.log")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [Path(row["source"]).name for row in rows] == ["softmax.log", "mnist_q.log"]


@pytest.mark.parametrize(
    ("name", "code"),
    [("softmax.log", 0), ("corrupt_bad_magic.log", 1), ("hang_u55_no_npu.log", 1), ("host_softmax.log", 0)],
)
def test_exit_code_says_whether_the_run_failed(samples: Path, name: str, code: int) -> None:
    assert ethosu("analyze", samples / name).returncode == code


def test_a_mix_takes_the_highest_code(samples: Path, tmp_path: Path) -> None:
    junk = tmp_path / "junk.log"
    junk.write_text("hello\n")
    done = ethosu("analyze", "--json", samples / "softmax.log", samples / "corrupt_bad_magic.log", junk)
    assert done.returncode == 3
    assert len(json_of(done)["captures"]) == 3


@pytest.mark.parametrize(
    "pack", [("x.log.gz", gzip.compress), ("x.log.xz", lzma.compress), ("x.log.bz2", bz2.compress)]
)
def test_compressed_logs(samples: Path, tmp_path: Path, pack: tuple[str, Any]) -> None:
    packed = tmp_path / pack[0]
    packed.write_bytes(pack[1]((samples / "softmax.log").read_bytes()))
    assert json_of(ethosu("analyze", "--json", packed))["captures"][0]["runs"][0]["status"] == "passed"


def test_folders_globs_and_stdin(samples: Path, tmp_path: Path) -> None:
    for name in ("softmax.log", "mnist_q.log"):
        (tmp_path / name).write_bytes((samples / name).read_bytes())
    assert len(json_of(ethosu("analyze", "--json", tmp_path))["captures"]) == 2
    assert len(json_of(ethosu("analyze", "--json", tmp_path / "s*.log"))["captures"]) == 1
    done = ethosu("analyze", "--json", "-", stdin=(samples / "softmax.log").read_bytes())
    assert json_of(done)["captures"][0]["source"] == "-"


def refusal(*arguments: str | Path, code: int, stdin: bytes | None = None) -> str:
    done = ethosu(*arguments, stdin=stdin)
    text = done.stderr.decode()
    assert done.returncode == code, text
    assert "Traceback" not in text
    assert len(text.strip().splitlines()) == 1, text
    assert text.startswith("ethosu-tui: ")
    return text


def test_bad_input_gets_one_sentence(samples: Path, tmp_path: Path) -> None:
    assert "no such file" in refusal("analyze", tmp_path / "nope.log", code=3)
    (tmp_path / "empty.log").touch()
    assert "empty" in refusal("analyze", tmp_path / "empty.log", code=3)
    (tmp_path / "junk.log").write_bytes(bytes(range(256)) * 40)
    assert "binary" in refusal("analyze", tmp_path / "junk.log", code=3)
    (tmp_path / "text.log").write_text("dear diary\n")
    assert "nothing recognised" in refusal("analyze", tmp_path / "text.log", code=3)
    (tmp_path / "folder").mkdir()
    assert "no logs" in refusal("analyze", tmp_path / "folder", code=3)
    assert "no file matches" in refusal("analyze", tmp_path / "*.nothing", code=3)
    (tmp_path / "torn.log.gz").write_bytes(gzip.compress((samples / "softmax.log").read_bytes())[:-40])
    assert "damaged" in refusal("analyze", tmp_path / "torn.log.gz", code=3)
    assert "at least two" in refusal("compare", samples / "softmax.log", code=2)
    assert "not one of the compared" in refusal(
        "compare", samples / "softmax.log", samples / "mnist_q.log", "--baseline", "other", code=2
    )
    assert "needs a terminal" in refusal(code=2)


def test_what_cannot_be_compared_is_left_out_of_a_comparison(samples: Path, tmp_path: Path) -> None:
    diary, good, other = tmp_path / "diary.log", samples / "softmax.log", samples / "mnist_q.log"
    diary.write_text("dear diary\n")
    done = ethosu("compare", "--json", good, diary, other)
    assert done.returncode == 3 and done.stderr.count(b"\n") == 1
    assert b"diary.log: nothing recognised" in done.stderr and b"not compared" in done.stderr
    assert [column["source"] for column in json.loads(done.stdout)["columns"]] == [str(good), str(other)]
    done = ethosu("compare", diary, good, other)
    assert (
        done.returncode == 3
        and b"ratios refer to softmax, as" in done.stderr
        and b"Ratios are to softmax" in done.stdout
    )
    assert "nothing recognised" in refusal("compare", good, diary, code=3)
    done = ethosu("compare", good, diary, other, "--baseline", diary)
    assert done.returncode == 3 and b"is the baseline and cannot be compared" in done.stderr and not done.stdout
    done = ethosu("compare", diary, diary, tmp_path / "none.log")
    assert done.returncode == 3 and b"at least two runs" in done.stderr


def test_unknown_commands_and_options_are_usage_errors() -> None:
    for arguments in (("nonsense",), ("analyze",), ("analyze", "--nonsense", "x")):
        done = ethosu(*arguments)
        assert done.returncode == 2
        assert b"Traceback" not in done.stderr


def test_a_path_without_a_command_is_told_what_takes_it(samples: Path, tmp_path: Path) -> None:
    assert "`ethosu-tui open PATH` shows it" in refusal(samples / "mnist_q.log", code=2)
    assert "is a path" in refusal(samples, "--json", code=2)
    assert b"is a path" not in ethosu(tmp_path / "missing.log").stderr


def test_an_option_before_the_command_is_told_where_it_belongs(samples: Path) -> None:
    assert "ethosu-tui open --ascii" in refusal("--ascii", "open", samples, code=2)


def test_nothing_hostile_of_a_log_is_printed(tmp_path: Path) -> None:
    evil = tmp_path / "evil\x1b]0;pwned\x07.log"
    evil.write_bytes(
        b"E [executorch:method.cpp:1] Missing operator: [0] evil\x1b]52;c;cHduZWQ=\x07\x9b31m\xe2\x80\xaeop\n"
        b"F [executorch:x.cpp:1 f()] \x1b[2J\x1b[Hgone $(touch pwned) `id` [bold]x[/bold]\n"
    )
    for arguments in (
        ("analyze", evil),
        ("analyze", "--json", evil),
        ("analyze", "--jsonl", evil),
        ("analyze", tmp_path / "\x1b[31mno"),
    ):
        done = ethosu(*arguments)
        for stream in (done.stdout, done.stderr):
            text = stream.decode()
            assert not any((ord(c) < 32 and c != "\n") or 0x7F <= ord(c) < 0xA0 or c == "\u202e" for c in text)


def test_compare_json(samples: Path) -> None:
    done = ethosu(
        "compare", "--json", samples / "softmax.log", samples / "mnist_q.log", "--baseline", samples / "mnist_q.log"
    )
    document = json_of(done)
    assert document["schema"] == "ethosu-tui/comparison/1"
    assert document["baseline"] == 1
    assert [column["kind"] for column in document["columns"]] == ["run", "run"]
    loaded = next(m for m in document["metrics"] if m["name"] == "memory.loaded_bytes")
    assert loaded == {"name": "memory.loaded_bytes", "unit": "bytes", "better": "lower", "values": [200, 3292],
                      "ratios": [200 / 3292, 1.0], "comparable": [True, True], "reason": None}  # fmt: skip
    cpu = next(m for m in document["metrics"] if m["name"] == "cycles.inference")
    assert cpu["comparable"] == [False, False]
    assert cpu["ratios"] == [None, None]
    assert "not time" in cpu["reason"]


def test_a_closed_pipe_is_no_error(samples: Path) -> None:
    command = f"{sys.executable} -m ethosu_tui.tui analyze --all {samples}/*.log | head -n 1"
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True, timeout=60)
    assert "Traceback" not in done.stderr
    assert "Broken" not in done.stderr


def test_version_and_help() -> None:
    assert ethosu("--version").stdout.startswith(b"ethosu-tui ")
    assert b"analyze" in ethosu("--help").stdout


def test_options_and_paths_in_any_order(samples: Path) -> None:
    done = ethosu("analyze", samples / "softmax.log", "--json", samples / "mnist_q.log")
    assert len(json_of(done)["captures"]) == 2
    done = ethosu("compare", samples / "softmax.log", "--baseline", samples / "mnist_q.log", samples / "mnist_q.log")
    assert done.returncode == 0


@pytest.mark.parametrize("command", sorted(PATHS_ALONE))
def test_what_is_not_asked_for_is_what_the_parser_would_say(command: str) -> None:
    words = ["a log", "", "/tmp/é"]
    quick, parsed = vars(unasked(module_of(command).configure, words)), vars(command_parser(command).parse_args(words))
    assert quick.items() <= parsed.items() and len(quick) > 15
    assert all(not parsed[name] for name in parsed.keys() - quick.keys()), "ways out that nobody asked for"


def test_what_follows_two_dashes_is_no_option(samples: Path, tmp_path: Path) -> None:
    (tmp_path / "--json").write_bytes((samples / "mnist_q.log").read_bytes())
    words = [sys.executable, "-m", "ethosu_tui.tui", "analyze", "--jsonl", "--", "--json", "-"]
    done = subprocess.run(words, capture_output=True, cwd=tmp_path, input=b"Model in 0x70000000 $\n", timeout=120)
    first, *_ = map(json.loads, done.stdout.splitlines())
    assert (first["source"], first["status"]) == ("./--json", "passed")
    assert b"unrecognized" not in done.stderr


def test_many_runs_get_a_post_mortem(samples: Path, tmp_path: Path) -> None:
    log = tmp_path / "many.log"
    good, bad = ((samples / name).read_bytes() for name in ("mobilenet_v2_corstone320.log", "method_small_load.log"))
    slow = good.replace(b"ethosu_pmu_cycle_cntr : 5920305", b"ethosu_pmu_cycle_cntr : 7920305")
    log.write_bytes(good * 20 + bad * 3 + slow)
    text = ethosu("analyze", log).stdout.decode()
    assert "24 runs in 1 input" in text
    assert "method-pool-too-small" in text
    assert "1.34x" in text
    assert text.count("\n") < 40
    assert ethosu("analyze", "--all", log).stdout.count(b"NPU cycles (PMU)") == 21


def test_a_bad_input_does_not_keep_others_from_being_read(samples: Path) -> None:
    done = ethosu("analyze", "--json", "nothing*", samples / "softmax.log")
    assert done.returncode == 3
    assert len(json_of(done)["captures"]) == 1


def test_a_vela_summary_is_analysed(tmp_path: Path) -> None:
    table = tmp_path / "out_summary_X.csv"
    table.write_text("accelerator_configuration,cycles_total\nEthos_U55_128,138824.0\n")
    summary = json_of(ethosu("analyze", "--json", table))["captures"][0]["compile"][0]
    assert (summary["accelerator"], summary["total_cycles"]) == ("ethos-u55-128", 138824)


@pytest.mark.parametrize(
    "row", ["07/03/2031 09:41:02.250,COM7,RX,{line}", "{at};2031-03-07 09:41:02,250;{line}", '{at},"{line}"']
)
def test_a_log_that_was_exported_as_a_table_is_analysed(samples: Path, tmp_path: Path, row: str) -> None:
    plain = (samples / "softmax.log").read_text()
    rows = [row.format(at=at, line=line) for at, line in enumerate(plain.splitlines())]
    table = tmp_path / "port.csv"
    table.write_text("\r\n".join(["\ufeffTime,Port,Text", *rows, ""]))
    (capture,) = json_of(ethosu("analyze", "--json", table))["captures"]
    (expected,) = json_of(ethosu("analyze", "--json", samples / "softmax.log"))["captures"]
    for run, whole in zip(capture["runs"], expected["runs"], strict=True):
        for name in ("status", "model", "memory", "cycles", "pmu", "outputs"):
            assert run[name] == whole[name]


def test_a_pipe_in_a_folder_is_passed_over(samples: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.log")
    (tmp_path / "softmax.log").write_bytes((samples / "softmax.log").read_bytes())
    assert len(json_of(ethosu("analyze", "--json", tmp_path))["captures"]) == 1


def test_a_named_pipe_is_read_once(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = subprocess.Popen(["sh", "-c", f"head -c 9000 /dev/urandom > {pipe}"])
    assert "binary" in refusal("analyze", pipe, code=3)
    writer.wait(60)


def test_a_named_pipe_to_which_nobody_writes_is_not_waited_for(samples: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert "without a writer" in refusal("analyze", pipe, code=3)
    command = f'"$0" -m ethosu_tui.tui analyze --json <(cat {samples}/softmax.log)'
    done = subprocess.run(["bash", "-c", command, sys.executable], capture_output=True, text=True, timeout=60)
    assert [run["status"] for run in json_of(done)["captures"][0]["runs"]] == ["passed"]


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-"])
def test_closed_streams_are_no_crash(samples: Path, closed: str) -> None:
    log = "-" if closed == "<&-" else str(samples / "softmax.log")
    command = f"{sys.executable} -m ethosu_tui.tui analyze {log} {closed}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60)
    assert done.returncode == (3 if log == "-" else 0)
    assert "Traceback" not in done.stderr + done.stdout


def test_a_folder_a_glob_or_an_archive_stands_for_its_logs_in_a_comparison(samples: Path, tmp_path: Path) -> None:
    lab = tmp_path / "lab"
    lab.mkdir()
    for name in ("mnist_q.log", "softmax.log"):
        (lab / name).write_bytes((samples / name).read_bytes())
    with zipfile.ZipFile(tmp_path / "lab.zip", "w") as archive:
        for log in sorted(lab.iterdir()):
            archive.write(log, f"lab/{log.name}")

    def sources(*arguments: Path) -> list[str]:
        return [column["source"] for column in json_of(ethosu("compare", "--json", *arguments))["columns"]]

    logs = [str(lab / "mnist_q.log"), str(lab / "softmax.log")]
    assert sources(lab) == sources(lab / "*.log") == logs
    assert sources(tmp_path / "lab.zip") == [f"{tmp_path}/lab.zip!lab/{Path(log).name}" for log in logs]
    assert sources(samples / "etd_plain.log", lab) == [str(samples / "etd_plain.log"), *logs]
    (lab / "a.log").write_bytes((samples / "hang_u55_no_npu.log").read_bytes())
    assert json_of(ethosu("compare", "--json", lab))["baseline"] == 1, "ratios to a run that failed say nothing"
    assert json_of(ethosu("compare", "--json", lab / "a.log", lab / "softmax.log"))["baseline"] == 0, "the first named"
    assert json_of(ethosu("compare", "--json", lab / "a.log", lab))["baseline"] == 0, "the first is named"
    done = ethosu("compare", "--json", tmp_path / "none.log", lab)
    assert json_of(done)["baseline"] == 1 and b"ratios refer to mnist_q, as" in done.stderr
    (lab / "a.log").unlink()
    (lab / "notes.txt").write_text("hello\n")
    done = ethosu("compare", "--json", lab, "--baseline", logs[1])
    assert done.returncode == 3 and b"notes.txt: nothing recognised" in done.stderr
    assert json_of(done)["baseline"] == 1
    for number in range(23):
        (lab / f"again{number}.log").write_bytes((samples / "softmax.log").read_bytes())
    assert "holds 26 logs, and at most 24 of a folder" in refusal("compare", lab, code=2)


RESULTS = ["[]", "{}", '{"summary": {"npu_cycles": "many", "sram_used_bytes": true, "accelerator": 7}}', "{" * 100_000]


@pytest.mark.parametrize("result", RESULTS, ids=range(4))
def test_hostile_stored_results(tmp_path: Path, samples: Path, result: str) -> None:
    folder = tmp_path / "workspace" / "a\x1b[31mb"
    folder.mkdir(parents=True)
    (folder / "manifest.json").write_text(
        '{"schema": "ethosu-tui/manifest/1", "kind": "compile", "label": "x\\u001b[2J"}'
    )
    (folder / "result.json").write_text(result)
    for arguments in (
        ("runs",),
        ("runs", "show", "latest"),
        ("compare", folder, samples / "softmax.log"),
        ("analyze", folder),
    ):
        done = ethosu(*arguments)
        text = (done.stdout + done.stderr).decode()
        assert "Traceback" not in text
        assert "\x1b" not in text


def test_a_command_that_is_spelt_otherwise_is_named() -> None:
    done = ethosu("analyse", "x.log")
    assert done.returncode == 2 and b"analyse is no command; did you mean analyze?" in done.stderr
    assert b"frobnicate is no command; --help lists them" in ethosu("frobnicate").stderr


def test_who_is_to_type_a_log_is_told_so() -> None:
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "ethosu_tui.tui", "analyze", "-"]
    process = subprocess.Popen(command, stdin=theirs, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    os.close(theirs)
    os.write(ours, b"hello\n\x04")
    _, said = process.communicate(timeout=90)
    os.close(ours)
    assert b"Ctrl-D on a line of its own ends it" in said and process.returncode == 3
