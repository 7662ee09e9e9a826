"""Examples of Arm's CMSIS packs: they print the NPU's version first, then plain words that count only after it."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture, scan
from ethosu_tui.analysis.outputs.read import read_outputs

from .port_logs import ARM, END, lines, only, read
from .port_logs import LOADED as LOADED_BY_RUNNER
from .test_report_figures import lines_of
from .test_scan import agree

BANNER = "Ethos-U version info:\n    Arch:       v2.0.0\n    MACs/cc:    512\n    Cmd stream: v1\n"
MODEL = f"{BANNER}ExecuTorch Ethos-U85 example: 4096 byte model\n"
OUTPUT = "Output: 9 element(s): 0.1250 -0.5000 0.2500 0.0625 0.7500 -0.1250 0.3750 0.8750 -1.0000\n"
PASS = "Test_result: PASS\n"
STOPPED = "\nInfo: /OSCI/SystemC: Simulation stopped by user.\n"


def failed(log: str) -> tuple[str, str, str, str]:
    """Status, stage, root cause and what is said of it."""
    capture = read(log)
    (run,) = capture.runs
    root = capture.findings[0]
    assert root.severity == "error"
    return run.status, run.stage, root.rule, f"{root.title} {root.detail} {root.advice}"


def test_an_example_passes_with_its_outputs_on_one_line() -> None:
    log = MODEL + OUTPUT + PASS
    run = only(log)
    assert (run.status, run.stage, run.first_line, run.last_line) == ("passed", "complete", 1, 7)
    assert (run.target.name, run.model.pte_bytes, run.runner.kind) == ("ethos-u85-512", 4096, "other")
    assert [(t.index, t.count, t.dtype, t.elided, t.first[:2]) for t in run.outputs] == [
        (0, 9, "float", False, (0.125, -0.5))
    ]
    assert (run.lines["outputs.0"], run.lines["model.pte_bytes"]) == (6, 5)
    (values,) = read_outputs(lines_of(log.encode()), run)
    assert (len(values.values), values.values[8], values.whole) == (9, -1.0, True)
    assert read(log).findings == ()
    assert only(log.removesuffix("\n")).status == "passed"
    assert only(f"{log}\x04{STOPPED}").target.platform == "fvp"


def test_values_that_a_page_left_out_or_that_are_not_printed() -> None:
    assert [
        (t.count, t.elided, t.first) for t in only(f"{MODEL}Output: 9 element(s): 0.5 0.25 ...\n{PASS}").outputs
    ] == [(9, True, (0.5, 0.25))]
    assert [(t.count, t.elided, t.dtype) for t in only(f"{MODEL}Output: 9 element(s):\n{PASS}").outputs] == [
        (9, True, None)
    ]
    many = " ".join(f"{n / 8:.4f}" for n in range(1000))
    run = only(f"{MODEL}Output: 1000 element(s): {many}\n{PASS}")
    assert [(t.count, t.elided, t.first[1]) for t in run.outputs] == [(1000, False, 0.125)]


def test_each_boot_is_a_run_and_one_that_was_cut_is_truncated() -> None:
    stamped = "".join(f"[10:00:{n:02}.000] {line}\n" for n, line in enumerate((MODEL + OUTPUT + PASS).splitlines() * 2))
    assert [(r.status, r.target.name) for r in read(stamped).runs] == [("passed", "ethos-u85-512")] * 2
    runs = read(MODEL + MODEL + OUTPUT + PASS).runs
    assert [(r.status, r.stage, r.first_line) for r in runs] == [("truncated", "load", 1), ("passed", "complete", 6)]
    assert (only(BANNER).status, only(BANNER).stage) == ("truncated", "start")


@pytest.mark.parametrize(
    ("arch", "macs", "name"),
    [("1.0.6", 128, "ethos-u55-128"), ("1.0.6", 512, "ethos-u65-512"), ("1.1.0", 256, None), ("2.0.0", 256, "ethos-u85-256")],
)  # fmt: skip
def test_the_version_tells_the_npu_without_a_mark_of_the_kit(arch: str, macs: int, name: str | None) -> None:
    run = only(f"Ethos-U version info:\n\tArch:       v{arch}\n\tDriver:     v0.16.0\n\tMACs/cc:    {macs}\n")
    assert (run.target.name, run.target.macs) == (name, macs)


@pytest.mark.parametrize(
    ("said", "stage", "rule", "words"),
    [
        ("Program::load failed (err=35)", "load", "program-load-failed", "0x23 (InvalidProgram)"),
        ("method_meta failed", "load", "method-missing", "method_meta failed"),
        ("method decode not found in the program (err=18)", "load", "method-missing", "not found"),
        ("load_method failed (err=33)", "plan", "method-pool-too-small", "method"),
        ("load_method(decode) failed (err=48)", "plan", "method-load-failed", "0x30"),
        ("load_method failed (err=20)", "plan", "missing-operator", "kernels"),
        ("execute failed (err=1)", "execute", "execution-failed", "0x01 (Internal)"),
        ("decode: execute failed (err=18)", "execute", "execution-failed", "0x12"),
        ("forward failed (err=33)", "execute", "execution-failed", "0x21 (MemoryAllocationFailed)"),
        ("forward failed (err=35)", "execute", "execution-failed", "0x23"),
        ("forward failed (err=32)", "plan", "method-load-failed", "0x20 (NotFound)"),
        ("forward returned no outputs", "report", "run-failed", "no outputs"),
        (f"{OUTPUT}Test_result: FAIL", "report", "test-result-fail", "Test_result: FAIL"),
    ],
)  # fmt: skip
def test_each_step_that_fails_is_told_with_its_status(said: str, stage: str, rule: str, words: str) -> None:
    status, reached, found, text = failed(f"{MODEL}{said}\n{STOPPED}")
    assert (status, reached, found) == ("failed", stage, rule)
    assert words in text


def test_what_the_runtime_says_before_the_call_failed_is_the_cause() -> None:
    log = (
        f"{MODEL}E [executorch:memory_allocator.h:105 allocate()] Memory allocation failed: 65536B requested (adjusted for "
        "alignment), 32768B available\nE [executorch:EthosUBackend.cpp:190 execute()] Failed to allocate scratch buffer of 65536 "
        "bytes from temp_allocator\nforward failed (err=33)\n"
    )
    capture = read(log)
    assert [f.rule for f in capture.findings] == ["temp-pool-too-small", "execution-failed"]
    assert "nothing says which" not in capture.findings[1].advice


def test_the_log_of_the_runtime_with_the_place_after_its_level() -> None:
    log = (
        f"{MODEL}[ET I] program.cpp:10 hello\n[ET E] memory_allocator.h:105 Memory allocation failed: 65536B requested (adjusted for "
        "alignment), 32768B available\n[ET E] EthosUBackend.cpp:190 Failed to allocate scratch buffer of 65536 bytes from temp_allocator\n"
        "decode: execute failed (err=33)\n"
    )
    _, stage, rule, text = failed(log)
    assert (stage, rule) == ("execute", "temp-pool-too-small") and "65536 bytes" in text
    lines = lines_of(log.encode())
    assert [(line.level, line.file, line.source_line) for line in lines[5:7]] == [
        ("I", "program.cpp", 10),
        ("E", "memory_allocator.h", 105),
    ]
    lost = f"{MODEL}[ET E] method.cpp:120 Missing operator: [0] aten::add.out\nload_method(decode) failed (err=20)\n"
    assert failed(lost)[2] == "missing-operator" and "aten::add.out" in failed(lost)[3]


FACES = (
    f"{BANNER}ExecuTorch pico-faces (small, a8w8): 81920 byte program\nMethods:\n  dit_step  2 input(s), 1 output(s), 4096 planned byte(s)\n"
    "  decode    1 input(s), 1 output(s), 8192 planned byte(s)\nGenerating: seed 1, 4 steps, class 0, w 2.0\n"
)  # fmt: skip


def test_a_program_of_two_methods_with_rounded_cycles() -> None:
    report = "  dit_step: NPU 12 kcycles, active 95%, MAC active 39%, 32 MAC/cycle, read 21 kB on AXI0 + 0 kB on AXI1\n"
    run = only(f"{FACES}{report}Image: 64x64x3, CRC32 01234567\n{PASS}Interactive: send\n")
    assert (run.status, run.model.pte_bytes, run.memory.planned_bytes) == ("passed", 81920, 4096 + 8192)
    assert (run.memory.planned_buffers, run.pmu, run.last_line) == ((), None, 12)
    assert only(FACES).status == "hung"
    decode = "  decode    1 input(s), 1 output(s), 8192 planned byte(s)\n"
    assert only(FACES.replace(decode, decode * 2)).memory.planned_bytes == 4096 + 8192, "a line that came twice"
    short = f"{BANNER}ExecuTorch pico-faces (small, a8w8)\nMethods:\nImage: 64x64x3, CRC32 <value>\n{PASS}"
    assert (only(short).status, only(short).model.pte_bytes) == ("passed", None)


@pytest.mark.parametrize("damaged", ["1_0", "\u0663", "0x10", "infinity", "1.5.2"])
def test_what_printf_never_writes_is_no_output(damaged: str) -> None:
    run = only(f"{MODEL}Output: 4 element(s): 0.5 -1e-3 {damaged} 2.0\n{PASS}")
    (output,) = run.outputs
    assert (output.first, output.count, output.elided) == ((0.5, -0.001), 4, True)


def test_the_example_of_litert() -> None:
    log = (
        f"{BANNER}Tensorflow LiteRT Hello World!\n(INFO) Profile Memory and Latency\n(INFO) Load Quantized Model and Perform "
        "Inference (Ethos-U)\nInput [0.500] = 0.475 / Delta 0.004\n"
    )
    assert (only(f"{log}~~~ALL TESTS PASSED~~~\n").status, only(log).status) == ("passed", "hung")
    assert failed(f"{log}~~~TESTS FAILED~~~ (max delta 0.310 > 0.10)\n")[2] == "test-result-fail"


LOADED = (
    f"{BANNER}SDS I/O USB interface initialized successfully\nModel buffer loaded, has 1 methods\nRunning method forward\n"
    "Setup Method allocator pool. Size: 65536 bytes.\nSetting up planned buffer 0, size 4096\nMethod 'forward' loaded.\n"
    "Model initialized. Ready for inference.\n97% idle\n"
)  # fmt: skip
PLAYED = "SDS playback and recording (#0) started\nSDS playback and recording (#0) stopped\n====\n\n61% idle\n"
ENDED = "No more SDS data files for playback of input data!\n"
TASK = "*  Executing task: FVP_Corstone_SSE-320 -f Board/fvp_config.txt -a out/AlgorithmTest.axf  \n\n"


def seen(label: str, percent: str, ms: str) -> str:
    return f"\nPost-processed output:\nPredicted class : {label}\nConfidence      : {percent} %\n40% idle\nInference time: {ms} ms.\n"


@pytest.mark.parametrize(
    "log",
    [
        OUTPUT + PASS,
        "Test_result: FAIL\n~~~SOME TESTS FAILED~~~\n~~~ALL TESTS PASSED~~~\n",
        "forward failed (err=33)\nexecute failed (err=1)\nmethod_meta failed\n",
        "Arch: v2.0.0\nModel initialized. Ready for inference.\n" + seen("a", "1.00", "2.000"),
        PLAYED + ENDED + TASK,
        FACES.partition("\nMethods:")[2],
    ],
)
def test_words_that_others_print_too_are_no_run(log: str) -> None:
    capture = read_capture("x", log.encode())
    assert (capture.runs, capture.findings) == ((), ())


def test_nor_do_they_change_the_run_of_another_program() -> None:
    line = "I [executorch:arm_executor_runner.cpp:603 runner_init()] "
    log = f"{line}Running method forward\n{line}Starting running 1 inferences...\n"
    assert only(log + PASS + ENDED).status == "hung"
    run = only(log + OUTPUT + "~~~SOME TESTS FAILED~~~\nforward failed (err=33)\n")
    assert (run.status, run.outputs) == ("hung", ())
    assert failed(f"{log}Test_result: FAIL\n{line}Program complete, exiting.\n")[::2] == ("failed", "bundleio-fail"), (
        "of the runner's own words the first were lost"
    )
    assert only(f"{log}{line}Program complete, exiting.\nTest_result: FAIL\n").status == "passed"


@pytest.mark.parametrize(
    "run",
    [
        MODEL + OUTPUT.replace("0.1250", "0.{0:04}") + PASS,
        MODEL.replace("4096", "{0}") + "forward failed (err={1})\n",
        FACES.replace("8192", "{0}") + "Image: 64x64x3, CRC32 01234567\n" + PASS,
        LOADED + PLAYED + "SDS recording (#{0}) started\n" + seen("ROCK", "98.{0:02}", "24.{0:03}") + ENDED,
    ],
)
def test_nights_of_such_runs_are_read_alike_in_blocks(run: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scan, "PIECE_BYTES", 1024)
    data = "".join(run.format(number, number % 50) for number in range(100, 400)).encode()
    agree(data, 1 << 18, 3_001, both=True)


@pytest.mark.parametrize(
    ("after", "rule"),
    [
        ("Test_result: FAIL\n", "test-result-fail"),
        ("~~~SOME TESTS FAILED~~~\n", "test-result-fail"),
        ("forward failed (err=33)\n", "execution-failed"),
        ("SDS I/O USB interface initialization failed or 'sdsio-server usb' unavailable!\n", "sds-not-reached"),
    ],
)
def test_what_fails_after_a_model_that_passed_fails_the_run(after: str, rule: str) -> None:
    for passed in (PASS, "~~~ALL TESTS PASSED~~~\n"):
        assert failed(MODEL + OUTPUT + passed + OUTPUT + after)[::2] == ("failed", rule)


def test_an_npu_that_is_asked_for_while_a_program_is_loaded_splits_no_run() -> None:
    log = (
        "I [executorch:arm_executor_runner.cpp:603 runner_init()] PTE Model data loaded. Size: 4425968 bytes.\n"
        "I [executorch:arm_executor_runner.cpp:629 runner_init()] Running method forward\n"
        f"{BANNER}"
        "I [executorch:EthosUBackend.cpp:120 init()] data:0x70000070\n"
        "I [executorch:arm_executor_runner.cpp:690 runner_init()] Method 'forward' loaded.\n"
        "I [executorch:arm_executor_runner.cpp:1334 main()] Program complete, exiting.\n"
    )
    assert (only(log).status, only(log).model.pte_bytes) == ("passed", 4425968)
    assert [run.status for run in read(log + MODEL + OUTPUT + PASS).runs] == ["passed", "passed"]


OPERATORS = (
    "Test_exec: add (portable) pte=1536 bytes\n  [in 0] 64 bytes\nTest_result: add PASS\n"
    "Test_exec: mul (portable) pte=1600 bytes\nTest_result: mul PASS (delta max|err|=0.0078 > tol, reported)\n"
)
POOLS = "method  pool:       4292 /     262144  (worst: mul)\ntemp    pool:          0 /      65536  (worst: )\n"
MEMORY = "MemReport: method=4292 temp=0 meta=88 metatmp=0\n"
SUMMARY = "Test_result: SUMMARY 2/2 PASS\n"


@pytest.mark.parametrize("log", [OPERATORS + POOLS + MEMORY + SUMMARY, OPERATORS + SUMMARY + MEMORY, SUMMARY + MEMORY])
def test_a_test_of_all_operators_passes_by_its_summary(log: str) -> None:
    run = only(log)
    assert (run.status, run.stage, run.memory.pools["method"].used_bytes) == ("passed", "complete", 4292)
    assert run.memory.pools["method"].capacity_bytes == (262144 if POOLS in log else None)
    assert run.last_line == len(log.splitlines())
    outside = [("test-out-of-tolerance", "warning", (5,))] if OPERATORS in log else []
    assert [(f.rule, f.severity, f.lines) for f in read(log).findings] == outside
    assert [r.status for r in read(log * 2).runs] == ["passed"] * 2


@pytest.mark.parametrize("why", ["", " (execute)"])
def test_one_operator_that_failed_decides(why: str) -> None:
    log = OPERATORS.replace("add PASS", f"add FAIL{why}")
    assert failed(log + "Test_result: SUMMARY 1/2 FAIL\n" + MEMORY)[::2] == ("failed", "test-result-fail")
    assert failed(log)[::2] == ("failed", "test-result-fail")
    assert only("Test_result: SUMMARY 1/2 FAIL\n" + MEMORY).status == "failed"
    assert only(log + SUMMARY).status == "failed"
    assert only(OPERATORS).status == "truncated"
    assert read(f"Test_result: add FAIL{why}\n").runs == ()


FIRST_VERSION = (
    OPERATORS.replace("(portable) pte=1536 bytes", "(dir=portable_add) pte=1536 bytes, 2 input(s), 1 expected")
    .replace("(portable) pte=1600 bytes", "(dir=portable_mul) pte=1600 bytes, 2 input(s), 1 expected")
    .replace(" (delta max|err|=0.0078 > tol, reported)", "")
)  # fmt: skip


def test_the_first_version_of_the_test_writes_pass_whatever_the_numbers_are() -> None:
    assert only(FIRST_VERSION + SUMMARY).status == "passed" and only(FIRST_VERSION).status == "truncated"
    bad = FIRST_VERSION.replace("add PASS", "add FAIL (execute)") + "Test_result: SUMMARY 1/2 PASS\n"
    assert failed(bad)[::2] == ("failed", "test-result-fail") and "add FAIL (execute)" in failed(bad)[3]
    status, stage, rule, text = failed("Test_result: SUMMARY 4/5 PASS\n")
    assert (status, stage, rule) == ("failed", "report", "test-result-fail") and "SUMMARY 4/5" in text
    assert only(FIRST_VERSION + "Test_result: SUMMARY 2/2 PA").status == "truncated"
    assert only("Test_result: SUMMARY 9/2 PASS\n").status == "truncated", "no such numbers are printed"


@pytest.mark.parametrize("word", ["PASS", "FAIL"])
def test_a_test_without_operators_has_tested_none(word: str) -> None:
    status, _, rule, text = failed(f"\n==== Per-op results (0 models) ====\nTest_result: SUMMARY 0/0 {word}\n")
    assert (status, rule) == ("failed", "test-result-fail")
    assert "tested nothing" in text and "No models were embedded" in text


@pytest.mark.parametrize(
    "said",
    [SUMMARY, "Test_result: SUMMARY 1/2 FAIL\n", "Test_result: unit FAIL (execute)\n", "Test_result: unit PASS\n", MEMORY, POOLS],
)  # fmt: skip
def test_words_of_the_test_change_no_run_of_another_program(said: str) -> None:
    cut = LOADED_BY_RUNNER + lines(ARM, "Starting running 1 inferences...")
    whole = cut + lines(ARM, "1 inferences finished") + END
    for log, status in ((cut + said, "hung"), (cut + said + whole[len(cut) :], "passed"), (whole + said, "passed")):
        run, *others = read(log).runs
        assert (run.status, run.memory.pools.get("temp")) == (status, only(cut).memory.pools.get("temp"))
        assert bool(others) == (log == whole + said and "SUMMARY" in said), "a test whose start was lost"
    assert [run.status for run in read(whole + "Test_result: SUMMARY 1/2 FAIL\n").runs] == ["passed", "failed"]
    wrong = "TEST: BundleIO index[0] Test_result: FAIL"
    assert only(whole.replace(END, lines(ARM, wrong) + END)).status == "failed"
    assert [run.status for run in read(cut + OPERATORS + SUMMARY).runs] == ["truncated", "passed"]


def test_each_core_and_each_boot_is_a_run_of_its_own() -> None:
    bad = OPERATORS.replace("add PASS", "add FAIL (execute)") + MEMORY + "Test_result: SUMMARY 1/2 FAIL\n"
    good = OPERATORS + MEMORY + SUMMARY

    def statuses(log: str) -> list[str]:
        return [run.status for run in read(log).runs]

    assert statuses(bad + good) == ["failed", "passed"]
    assert statuses(good + bad + good) == ["passed", "failed", "passed"]
    assert statuses(bad * 3) == ["failed"] * 3
    reset = OPERATORS[: OPERATORS.index("Test_result: mul")] + "  [run] mul execute() ...\n"
    assert statuses(reset + good) == ["truncated", "passed"]
    assert statuses(reset + FIRST_VERSION.replace("Test_exec: mul", "Test_exec: cat") + SUMMARY) == ["passed"], (
        "the same operator of another folder"
    )
    assert statuses("Test_result: SUMMARY 4/5 PASS\nTest_result: SUMMARY 5/5 PASS\n") == ["failed", "passed"]
    for stamp in ("[10:00:00.000] ", "10:00:00 "):
        assert statuses("".join(stamp + line + "\n" for line in (bad + good).splitlines())) == ["failed", "passed"]


def test_nights_of_tests_are_read_alike_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scan, "PIECE_BYTES", 1024)
    runs = []
    for number in range(150):
        verdict = "FAIL (execute)" if number % 3 == 0 else "PASS"
        passed = 1 if number % 3 == 0 else 2
        run = OPERATORS.replace("add PASS", f"add {verdict}").replace("1536", str(1536 + number))
        runs.append(run + (f"Test_result: SUMMARY {passed}/2 PASS\n" if number % 5 else ""))
    agree("".join(runs).encode(), 1 << 18, 3_001, both=True)


def test_the_example_of_the_component_for_esp_idf_says_whether_its_outputs_were_those_expected() -> None:
    boot = "I (312) main_task: Started on CPU0\nI (322) main_task: Calling app_main()\n"
    for mark in ("", boot, f"{boot}I (340) smoke: "):
        assert (only(f"{mark}ET_COMPONENT_SMOKE: PASS\n").status, failed(f"{mark}ET_COMPONENT_SMOKE: FAIL\n")[:3]) == (
            "passed", ("failed", "report", "test-result-fail"),
        )  # fmt: skip
    assert only("ET_COMPONENT_SMOKE: PA\n").status == "truncated"


ZEPHYR = "*** Booting Zephyr OS build v4.3.0 ***\nML Inference Example (ExecuTorch from CMSIS-Pack)\n"
LOADED_BY_ZEPHYR = "ExecuTorch program loaded successfully (4616 bytes)\nNumber of methods: 1\n"


def test_zephyrs_example_with_the_pack() -> None:
    log = f"{ZEPHYR}{LOADED_BY_ZEPHYR}Method 'forward': 1 inputs, 1 outputs\nInference setup complete.\n"
    run = only(log)
    assert (run.status, run.model.pte_bytes, run.first_line, run.last_line) == ("passed", 4616, 1, 6)
    assert read(log).findings == ()
    agree((log * 10).encode(), 200)
    assert [r.status for r in read(log + log).runs] == ["passed", "passed"]
    assert read_capture("x", b"Inference setup complete.\n").runs == ()


@pytest.mark.parametrize(
    ("said", "rule", "words"),
    [
        ("Program::load() failed: 0x23", "program-load-failed", "0x23 (InvalidProgram)"),
        (f'{LOADED_BY_ZEPHYR}method_meta("forward") failed: 0x12', "method-missing", "0x12"),
    ],
)
def test_what_zephyrs_example_could_not_load(said: str, rule: str, words: str) -> None:
    status, reached, found, text = failed(f"{ZEPHYR}{said}\n")
    assert (status, reached, found) == ("failed", "load", rule)
    assert words in text
