"""Where runs begin and end, and what becomes of captures that are cut, joined or strange."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ethosu_tui.analysis import CaptureReader, Outcome, Report, read_capture
from ethosu_tui.analysis.patterns import PATTERNS

PREFIX = b"I [executorch:arm_executor_runner.cpp:1 main()] "
SAMPLES = [sample for pattern in PATTERNS for sample in pattern.samples]


def status_of(data: bytes, outcome: Outcome | None = None) -> tuple[str, str]:
    reader = CaptureReader("x")
    reader.feed(data)
    run = reader.finish(outcome).runs[-1]
    return run.status, run.stage


@pytest.mark.parametrize("pair", [("softmax.log", "mnist_q.log"), ("corrupt_bad_magic.log", "softmax.log"),
                                  ("hardfault_badaddr.log", "corrupt_bad_magic.log"),
                                  ("mobilenet_v2_corstone320.log", "mobilenet_v2_corstone320.log"),
                                  ("hang_u55_no_npu.log", "softmax.log"), ("semi_softmax.log", "semi_no_such_file.log"),
                                  ("host_softmax.log", "host_softmax.log")])  # fmt: skip
def test_two_captures_in_one_file_are_two_runs(samples: Path, pair: tuple[str, str]) -> None:
    parts = [(samples / name).read_bytes() for name in pair]
    both = read_capture("both", b"".join(parts))
    alone = [read_capture(name, part).runs[0] for name, part in zip(pair, parts, strict=True)]
    assert len(both.runs) == 2
    offset = parts[0].count(b"\n")
    for run, single, shift in zip(both.runs, alone, (0, offset), strict=True):
        expected = "truncated" if single.status == "hung" and shift == 0 else single.status
        assert run.status == expected
        assert (run.memory, run.cycles, run.pmu, run.outputs) == (
            single.memory,
            single.cycles,
            single.pmu,
            single.outputs,
        )
        assert run.first_line == single.first_line + shift


def test_a_boot_loop_is_one_run_per_boot() -> None:
    boot = PREFIX + b"PTE @ 0x70000000 [----ET12]\n" + PREFIX + b"PTE Model data loaded. Size: 960 bytes.\n"
    capture = read_capture("loop", boot * 50)
    assert len(capture.runs) == 50
    assert {run.status for run in capture.runs} == {"truncated"}
    assert [run.index for run in capture.runs] == list(range(1, 51))


@pytest.mark.parametrize(
    "name", ["softmax.log", "mobilenet_v2_corstone320.log", "bundleio_pass.log", "semi_softmax.log"]
)
def test_a_passing_log_cut_anywhere_never_passes_and_never_raises(samples: Path, name: str) -> None:
    data = (samples / name).read_bytes()
    complete = data.index(b"Program complete, exiting.")
    for end in range(1, complete, 13):
        capture = read_capture("cut", data[:end])
        json.dumps(Report((capture,)).to_dict(), allow_nan=False)
        for run in capture.runs:
            assert run.status in ("truncated", "hung"), end
            assert run.status != "hung" or data[:end].endswith((b"\n", b"..."))  # on a whole line


def test_cut_lines_give_no_wrong_figures(samples: Path) -> None:
    data = (samples / "mobilenet_v2_corstone320.log").read_bytes()
    whole = read_capture("whole", data).runs[0]
    at = data.index(b"ethosu_pmu_cycle_cntr : 5920305")
    for end in range(at, at + 24):
        runs = read_capture("cut", data[:end]).runs
        assert runs[0].pmu is None, end
    assert whole.pmu is not None


def test_status_words(samples: Path) -> None:
    start = PREFIX + b"PTE @ 0x70000000 [----ET12]\n"
    go = start + PREFIX + b"Starting running 1 inferences...\n"
    assert status_of(go) == ("hung", "execute")
    assert status_of(go[:-5]) == ("truncated", "load")
    assert status_of(start) == ("truncated", "load")
    limit = b"Info: Simulation is stopping. Reason: CPU time has been exceeded.\n"
    assert status_of(go + limit) == ("timeout", "execute")
    assert status_of(go + PREFIX + b"Program complete, exiting.\n" + limit) == ("passed", "complete")
    assert status_of(b"./FVP: cannot execute binary file\n")[0] == "not_started"
    assert status_of(go, Outcome("timeout")) == ("timeout", "execute")
    assert status_of(start, Outcome("silence")) == ("hung", "load")
    assert status_of(go, Outcome("stopped")) == ("truncated", "execute")
    assert status_of(start + b"F [executorch:x.cpp:1 f()] something fatal\n")[0] == "failed"


def test_a_log_that_ends_with_an_error_message_failed_of_it() -> None:
    start = PREFIX + b"PTE @ 0x70000000 [----ET12]\n"
    error = b"E [executorch:XNNCompiler.cpp:1094] Failed to create depthwise convolution node 1 with code: 2\n"
    capture = read_capture("x", start + error)
    assert [(run.status, run.stage) for run in capture.runs] == [("failed", "load")]
    assert (capture.findings[0].rule, capture.findings[0].lines) == ("run-failed", (2,))
    assert "depthwise convolution node 1" in capture.findings[0].detail
    assert status_of(error) == ("failed", "start")
    small = (
        b"E [executorch:a.h:90] Memory allocation failed: 602112B requested (adjusted for alignment), 96B available\n"
    )
    capture = read_capture("x", start + small)
    assert (capture.runs[0].status, capture.findings[0].rule) == ("failed", "method-pool-too-small")
    assert status_of(start + error, Outcome("stopped"))[0] == "truncated"
    assert status_of(start + error, Outcome("timeout"))[0] == "timeout"
    assert [run.status for run in read_capture("x", start + error + start).runs] == ["truncated", "truncated"]
    for survived in (error[:-1], b"E [executorch:program.cpp:90] !!DEPRECATED!! This branch is deprecated\n"):
        capture = read_capture("x", start + survived)
        assert (capture.runs[0].status, capture.findings[0].rule) == ("truncated", "truncated-log")
        assert survived.split(b"] ")[1].decode().strip()[:40] in capture.findings[0].detail


def test_a_banner_belongs_to_the_run_that_follows() -> None:
    banner = (
        b"telnetterminal0: Listening for serial connection on port 5000\n\n    Ethos-U rev 136b7d75 --- Apr 12 2023\n"
    )
    log = banner + PREFIX + b"PTE @ 0x70000000 [----ET12]\n" + PREFIX + b"Program complete, exiting.\n"
    capture = read_capture("fvp", log + banner + log)
    assert [(run.first_line, run.status, run.target.platform) for run in capture.runs] == [
        (1, "passed", "fvp"), (6, "passed", "fvp"),
    ]  # fmt: skip


def test_counters_are_named_by_the_list_not_by_position() -> None:
    names = ["SRAM_RD_DATA_BEAT_RECEIVED", "SRAM_WR_DATA_BEAT_WRITTEN", "EXT_RD_DATA_BEAT_RECEIVED",
             "EXT_WR_DATA_BEAT_WRITTEN", "NPU_IDLE", "MAC_ACTIVE", "WD_ACTIVE"]  # fmt: skip
    for count in (4, 5, 7):
        log = b"ethosu_pmu_cycle_cntr :  100 (100.00 per inference)\n"
        log += b"".join(b"ethosu_pmu_cntr%d : %d\n" % (i, i * 10) for i in range(count))
        log += b"Ethos-U PMU Events:[%s]\n" % ", ".join(f"ETHOSU_PMU_{n}" for n in names[:count]).encode()
        (run,) = read_capture("pmu", log).runs
        assert run.pmu is not None
        assert [(c.event, c.value) for c in run.pmu.counters] == [
            (f"ETHOSU_PMU_{n}", i * 10) for i, n in enumerate(names[:count])
        ]
        assert run.target.npu == "ethos-u85"
        assert run.pmu.npu_cycles_per_inference == 100.0


def test_counters_without_a_list_have_no_names() -> None:
    (run,) = read_capture("pmu", b"ethosu_pmu_cycle_cntr : 134869\nethosu_pmu_cntr0 : 133577\n").runs
    assert run.pmu is not None
    assert run.pmu.counters[0].event is None
    assert run.target.npu is None


def test_outputs_of_every_type() -> None:
    log = b"3 outputs: \nOutput[0][0]: (int) 2\nOutput[0][1]: (int) -7\nOutput[1][0]: (bool) true (0x1)\nOutput[2]: Not Tensor\n"
    log += b"".join(b"Output[3][%d]: (float) %f\n" % (i, i / 4) for i in range(20)) + b"Output[4][0]: (char) -5\n"
    (run,) = read_capture("out", log).runs
    assert [(t.index, t.count, t.dtype) for t in run.outputs] == [
        (0, 2, "int"),
        (1, 1, "bool"),
        (3, 20, "float"),
        (4, 1, "char"),
    ]
    assert run.outputs[0].first == (2, -7)
    assert len(run.outputs[2].first) == 8


def test_an_error_repeated_for_ever_stays_bounded() -> None:
    reader = CaptureReader("flood")
    line = b"E [executorch:memory_allocator.h:87] Memory allocation failed: 48B requested (adjusted for alignment), 44B available\n"
    for _ in range(200):
        reader.feed(line * 100)
    (run,) = reader.finish().runs
    assert run.last_line == 20_000


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.one_of(st.sampled_from(SAMPLES).map(str.encode), st.binary(max_size=60)), max_size=60), st.booleans()
)
def test_any_mixture_gives_a_report(parts: list[bytes], prefixed: bool) -> None:
    data = b"\n".join((PREFIX + part) if prefixed else part for part in parts)
    capture = read_capture("mixture", data)
    document = json.loads(json.dumps(Report((capture,)).to_dict(), allow_nan=False))
    last = 0
    for run in document["captures"][0]["runs"]:
        assert 1 <= run["first_line"] <= run["last_line"] <= capture.lines
        assert run["first_line"] >= last
        last = run["first_line"]
        errors = [f for f in capture.findings if f.run == run["index"] and f.severity == "error"]
        assert not errors if run["status"] == "passed" else len(errors) == 1


def test_the_example_runner_is_through_when_it_has_verified_its_outputs() -> None:
    prefix = "I 00:00:00.123456 executorch:example_runner.cpp:{}] {}\n"
    log = prefix.format(145, "Running method forward") + prefix.format(250, "Model executed successfully.")
    verified = prefix.format(287, "Model verified successfully.")
    assert [run.status for run in read_capture("x", (log + verified).encode()).runs] == ["passed"]
    assert [run.status for run in read_capture("x", log.encode()).runs] == ["truncated"]
    other = (log + verified).replace("example_runner.cpp", "my_runner.cpp")
    assert [run.status for run in read_capture("x", other.encode()).runs] == ["truncated"]
    for alone in ("Model verified successfully.\n", verified):
        assert read_capture("x", alone.encode()).runs == (), "many scripts print that"


@pytest.mark.parametrize("prefix", ["", "I 00:00:00.123456 executorch:example_runner.cpp:287] "])
def test_a_model_verified_after_a_run_begins_none(prefix: str) -> None:
    runner = "I [executorch:arm_executor_runner.cpp:1 main()] "
    log = f"{runner}Running method forward\n{runner}Model run: 1\n{runner}Program complete, exiting.\n"
    for ended in (log, f"{log}Application exit code: 0.\nEXITTHESIM\n"):
        (run,) = read_capture("x", f"{ended}{prefix}Model verified successfully.\n".encode()).runs
        assert (run.status, run.last_line) == ("passed", len(ended.splitlines()))


def test_a_warning_of_the_simulator_says_that_it_is_one() -> None:
    warning = "[warning ][main@0][4647 ns] TA0 is not enabled!\n"
    log = f"INFO - Profile for Inference:\n{warning}INFO - NPU TOTAL: 1081633 cycles\n"
    (run,) = read_capture("x", log.encode()).runs
    assert (run.target.platform, run.lines["target.platform"]) == ("fvp", 2)
    assert read_capture("x", warning.encode()).runs == ()


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("[run_fvp.sh] Bundled I/O check FAILED for mv2.bpte", "failed"),
        ("[run_fvp.sh] Bundled I/O check PASSED for mv2.bpte", "passed"),
        ("[run_fvp.sh] No Test_result line found in FVP output for mv2.bpte", "passed"),
        ("[TEST] mv2 Test_result: FAIL", "failed"),
        ("[TEST]Test_result: FAIL", "failed"),
        ("+ grep -q 'Test_result: FAIL' run.log", "passed"),
        ("+ grep -E '^.*Test_result: FAIL' /tmp/log", "passed"),
        ("0 lines with Test_result: FAIL", "passed"),
        ("[INFO] Test_result: FAIL count: 0", "passed"),
        ("Checked for: Test_result: FAIL", "passed"),
        ("8d0ce07 tests: print Test_result: FAIL", "passed"),
    ],
)
@pytest.mark.parametrize("ended", ["", "[run_fvp.sh] Simulation complete, 0\n"])
def test_what_the_script_says_of_bundled_outputs_decides_after_the_end(line: str, status: str, ended: str) -> None:
    log = "I [executorch:arm_executor_runner.cpp:1211 main()] PTE @ 0x70000000 [----ET12]\n"
    log += f"I [executorch:arm_executor_runner.cpp:1238 main()] Program complete, exiting.\n{ended}{line}\n"
    capture = read_capture("x", log.encode())
    assert [run.status for run in capture.runs] == [status]
    assert ("bundleio-fail" in {f.rule for f in capture.findings}) == (status == "failed")


ARM = "I [executorch:arm_executor_runner.cpp:703 runner_init()] "


def test_text_behind_an_error_says_that_the_program_went_on() -> None:
    error = "E [executorch:camera.cpp:88 grab()] Sensor not found, using a test pattern\n"
    for behind, status in (
        ("", "failed"),
        ("\n\n", "failed"),
        ("Frame 1 ready\n", "truncated"),
        ("We saw this on two boards, with the same cable.\nAny hint is welcome.\n", "failed"),
        ("---------- end of log ----------\nNotes\n", "failed"),
        ("----------\nFrame 1 ready\n", "truncated"),
        ("Does anybody know what to do?\n", "failed"),
        ("using the last frame\nFrame 1 ready\n", "truncated"),
        ("goes on in the row below\n", "failed"),
        ("root@board:~# \n", "failed"),
        ("^C\n", "failed"),
        ("##[error]Process completed with exit code 1.\n", "failed"),
        ("##[error]Process completed with exit code 1.\nPost job cleanup.\n", "failed"),
        ("root@board:~# \nFilesystem Size Used\n", "failed"),
        ("Frame 1 ready\n##[error]Process completed with exit code 1.\n", "truncated"),
    ):
        (run,) = read_capture("x", f"{ARM}Running method forward\n{error}{behind}".encode()).runs
        assert run.status == status, behind


@pytest.mark.parametrize(
    "text",
    [
        "When it fails run_fvp.sh prints: No successful model execution found in log",
        "+ echo 'FVP launch or execution failed'", "Top 5 classes in descending order of size", "Unknown option: --output-sync",
        "a missing package says: No module named ensurepip",
    ],
)  # fmt: skip
def test_who_speaks_of_such_words_has_no_run_and_no_finding(text: str) -> None:
    capture = read_capture("x", f"{text}\n".encode())
    assert not capture.runs and not [f for f in capture.findings if f.severity == "error"]
    capture = read_capture("x", f"{ARM}Program complete, exiting.\n{text}\n".encode())
    assert [run.status for run in capture.runs] == ["passed"] and not capture.findings


@pytest.mark.parametrize("first", ["softmax.log", "hang_u55_no_npu.log", "corrupt_bad_magic.log", "bundleio_pass.log"])
def test_what_a_debug_build_prints_before_it_begins_is_of_its_own_run(samples: Path, first: str) -> None:
    before, debug = (samples / first).read_bytes(), (samples / "dbg_mnist.log").read_bytes()
    alone = [read_capture("x", data).runs[0] for data in (before, debug)]
    together = read_capture("x", before + debug).runs
    assert [run.runner.executorch_version for run in together] == [run.runner.executorch_version for run in alone]
    assert together[1].first_line == before.count(b"\n") + 1


def test_a_line_without_a_meaning_behind_the_end_says_nothing_of_the_release(samples: Path) -> None:
    data = (samples / "softmax.log").read_bytes()
    (run,) = read_capture("x", data).runs
    (then,) = read_capture("x", data + b"I [executorch:pico_blinker.cpp:325] BLINK\n").runs
    assert then.runner == run.runner and then.status == "passed"


@pytest.mark.parametrize(
    "line",
    [
        "E [executorch:arm_executor_runner.cpp:1300 verify_result()] TEST: BundleIO ind?x[0] Test_result: FAIL",
        "E [executorch:arm_executor_runner.cpp:1300 verify_result()] TEST: BundleIO index[zu] Test_result: FAIL",
        "E (1234) executorch: TEST: BundleIO index[0] Test_result: FAIL", "E TEST: BundleIO index[0] Test_result: FAIL",
        "Output[0][3]: (float) 0.5TEST: BundleIO index[0] Test_result: FAIL", "dleIO index[0] Test_result: FAIL",
        "index[0] Test_result: FAIL", "BundleIOindex[0] Test_result: FAIL", "T: Bu?dleIO index[0] Test_result: FAIL",
        "TEST: BundleIO index[0] Test_resul: FAIL", "TEST: BundleIO index[0] T?st_result: FA?L", "TESTBundleIO index[0] Test_result: FAIL",
        "TEST: BundleIO index[0] Test_result:?FAIL", "dleIO index[0] Test_result:\u00a6FAIL", "Test_result: FAIL",
        "E [executorch:arm_executor_runner.cpp:1300 verify_result()] Test_result: FAIL",
        "ndex[0] Test_result: FAIL", "TEST: BndleIO ?ndex[0] Test_result: FAIL", "TEST: BundleIO index[0] Test_result: FAL",
    ],
)  # fmt: skip
def test_a_failed_comparison_counts_where_its_line_is_damaged(line: str) -> None:
    capture = read_capture("x", f"{ARM}Running method forward\n{line}\n{ARM}Program complete, exiting.\n".encode())
    assert (capture.runs[0].status, capture.findings[0].rule) == ("failed", "bundleio-fail")


@pytest.mark.parametrize(
    "line",
    [
        'if grep -q "BundleIO index[0] Test_result: FAIL" uart.log; then', "no BundleIO index[0] Test_result: FAIL in it",
        "Looking for BundleIO index[0] Test_result: FAIL", "expected no BundleIO index[0] Test_result: FAIL",
        "Searching for pattern: BundleIO index[.*] Test_result: FAIL", "DEBUG - twister - regex: BundleIO index[0] Test_result: FAIL",
        "FAIL_REGEX=BundleIO index[0] Test_result: FAIL", "Watching: index[0] Test_result: FAIL",
        "error_pattern: TEST: BundleIO index[0] Test_result: FAIL", "name Test_result: FAIL", "arr[0] Test_result: FAIL",
        "grep 'TEST: BundleIO index[0] Test_result:.FAIL' uart.log", "BundleIO index[0] Test_result:.*FAIL", "index[0] Test_result:NOT_FAIL",
        "TEST: BundleIO index[0] Test_result: PSS", "TEST: BundleIO index[0] Test_result: ASS",
    ],
)  # fmt: skip
def test_who_looks_for_a_failed_comparison_has_none(line: str) -> None:
    for log in (
        f"{ARM}Running method forward\n{ARM}Program complete, exiting.\n{line}\n",
        f"{ARM}Running method forward\n{line}\n{ARM}Program complete, exiting.\n",
    ):
        assert read_capture("x", log.encode()).runs[0].status == "passed"
