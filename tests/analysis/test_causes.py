"""The table of failed builds and installations: each sample is a line that is read, and is explained by its own row."""

from __future__ import annotations

import re
import time

import pytest

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.rules.causes import Failure, explain_text, quoted
from ethosu_tui.analysis.rules.causes_aot import AOT_FAILURES
from ethosu_tui.analysis.rules.causes_boards import UNREACHED
from ethosu_tui.analysis.rules.causes_build import BUILD_FAILURES
from ethosu_tui.analysis.rules.causes_launch import CRASHED_AT_ONCE, LAUNCH_FAILURES

from .port_logs import rules

TABLES = (*BUILD_FAILURES, *AOT_FAILURES, *CRASHED_AT_ONCE, *LAUNCH_FAILURES, *UNREACHED)
SAMPLES = [(failure, sample) for failure in BUILD_FAILURES for sample in failure.samples]


@pytest.mark.parametrize(("failure", "sample"), SAMPLES, ids=lambda value: getattr(value, "rule", None))
def test_every_sample_is_explained_by_its_row(failure: Failure, sample: str) -> None:
    found = explain_text(BUILD_FAILURES, sample)
    assert found is not None and found.failure is failure
    assert found.title == found.title.strip(" :,(") and "  " not in found.title
    assert found.advice.endswith((".", ").")) and "{" not in found.title + found.advice
    capture = read_capture("x", f"{sample}\n".encode())
    assert failure.rule in {f.rule for f in capture.findings}
    assert capture.runs == ()


@pytest.mark.parametrize("table", [CRASHED_AT_ONCE, LAUNCH_FAILURES, UNREACHED], ids=["crashes", "launches", "boards"])
def test_every_launch_that_failed_is_explained_by_its_row(table: tuple[Failure, ...]) -> None:
    for failure in table:
        for sample in failure.samples:
            found = explain_text(table, sample)
            assert found is not None and found.failure is failure, sample


def test_rules_are_kebab_case_and_rows_have_samples() -> None:
    for failure in TABLES:
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", failure.rule)
        assert failure.samples


@pytest.mark.parametrize(
    "words", ["$(reboot)", "`reboot`", ";reboot;", "&reboot", "|reboot", "'reboot", '"reboot', "x>reboot"]
)
def test_no_line_to_type_holds_what_a_shell_would_run(words: str) -> None:
    tried = 0
    for failure in TABLES:
        typed = set(re.findall(r"\{(\w+)\}", failure.advice)) - {"fixes"}
        for sample in failure.samples:
            said = re.search(failure.pattern, sample, re.DOTALL)
            assert said is not None
            for name in typed & {name for name, value in said.groupdict().items() if value}:
                hostile = sample[: said.start(name) + 1] + words + sample[said.start(name) + 1 :]
                found = explain_text((failure,), hostile)
                assert found is None or "reboot" not in found.advice, found.advice
                tried += 1
    assert tried > 20


@pytest.mark.parametrize(
    "seed", ["a", "-", "x.pte", "(", "a:1: ", "A b ", " requires ", "CMAKE_C_COMPILER ", "error: ", "--a=", "/"]
)
def test_no_line_makes_the_tables_slow(seed: str) -> None:
    log = "".join(f"error: {number} {seed * 1000}"[:1900] + "\n" for number in range(200))
    began = time.process_time()
    read_capture("x", log.encode())
    assert time.process_time() - began < 20, "a line that takes more than its length takes minutes"


def test_no_text_of_parts_of_its_own_sample_makes_a_pattern_slow() -> None:
    slow: dict[str, float] = {}
    for failure in TABLES:
        pattern = re.compile(failure.pattern, re.DOTALL)
        for sample in failure.samples:
            for part in range(1, 8):
                text = (f"{sample[: len(sample) * part // 8]} " * 8000)[:8000]
                times = []
                while len(times) < 5 and min(times, default=1) > 0.02:
                    began = time.process_time()
                    pattern.search(text)
                    times.append(time.process_time() - began)
                if min(times) > 0.02:
                    slow[failure.pattern] = min(times)
    assert not slow


def test_a_build_that_went_on_is_no_error() -> None:
    log = b"[1/2] Building C object a.o\nERROR: Failed building wheel for x\n[2/2] Linking CXX executable arm_executor_runner\n"
    findings = read_capture("x", log).findings
    assert [f.severity for f in findings] == ["warning"]


def test_a_traceback_of_another_field_is_nothing_of_ours() -> None:
    log = b'Traceback (most recent call last):\n  File "/a/web.py", line 1, in <module>\nValueError: oops\n'
    capture = read_capture("x", log)
    assert (capture.runs, capture.compile, capture.findings) == ((), (), ())


def test_a_build_before_a_launch_that_failed_of_it_comes_first() -> None:
    log = b"ld: region `ITCM' overflowed by 12 bytes\nninja: build stopped: subcommand failed.\n"
    log += b"[run_fvp.sh]: Unable to find executor_runner elf: a.elf\n"
    findings = read_capture("x", log).findings
    assert [(f.rule, f.severity) for f in findings][:2] == [("link-overflow", "error"), ("build-failed", "info")]
    assert findings[-1].rule == "launcher-not-found"


def test_that_nothing_was_delegated_is_said_once() -> None:
    log = b"Total delegated subgraphs: 0\nNumber of delegated nodes: 0\nNumber of non-delegated nodes: 2\nModel was not delegated.\n"
    findings = read_capture("x", log + b"PTE file saved as a.pte\n").findings
    assert [(f.rule, f.severity) for f in findings] == [("not-delegated", "error")]


@pytest.mark.parametrize("end", ["", "PTE file saved as a.pte\n"])
def test_the_command_of_a_compile_is_all_that_is_known(end: str) -> None:
    log = f"$ python -m executorch.backends.arm.scripts.aot_arm_compiler -m add -t ethos-u85-256 -d -q\n{end}"
    capture = read_capture("x", log.encode())
    assert capture.runs == () and [(f.rule, f.severity) for f in capture.findings] == [("compile-log", "info")]
    assert "ethos-u85-256" in capture.findings[0].title and ("saved" in capture.findings[0].title) == bool(end)


@pytest.mark.parametrize("end", ["", "PTE file saved as a.pte\n[100%] Built target arm_executor_runner\n"])
def test_the_command_that_a_script_shows_of_a_compile_tells_as_much(end: str) -> None:
    flow = "Running e2e flow for model 'mv9' with flags '--delegate'\n"
    (finding,) = read_capture("x", (flow + end).encode()).findings
    assert finding.rule == "compile-log" and "mv9" in finding.detail and ("saved" in finding.title) == bool(end)
    call = "CALL python3 -m examples.arm.aot_arm_compiler --model_name=mv8 --target=ethos-u65-256 --output=a.pte\n"
    (finding,) = read_capture("x", (flow + call + end).encode()).findings
    assert "ethos-u65-256" in finding.title and "mv8" in finding.detail and finding.lines == (2,)


def test_a_table_of_other_things_is_no_rejection() -> None:
    log = "Traceback (most recent call last):\n\u2502 Node name \u2502 Target \u2502 Torch func \u2502 Reason \u2502\n\u2502 a \u2502 b \u2502 c \u2502 d \u2502\n"
    assert read_capture("x", log.encode()).findings == ()
    assert read_capture("x", "\u2502 a \u2502 b \u2502 c \u2502 d \u2502\n".encode()).findings == ()


def test_many_notes_do_not_hide_the_error_after_them() -> None:
    log = (
        "".join(f"Info: MUL 'm{n}' is a CPU only op\n" for n in range(3000))
        + "Error: Invalid configuration of arena_mem_area=X\n"
    )
    findings = read_capture("x", log.encode()).findings
    assert [f.rule for f in findings] == ["vela-configuration", "vela-placed-on-cpu"]
    assert len(findings[1].lines) <= 20


def test_bash_killed_by_hand_names_no_compiler() -> None:
    (finding,) = read_capture("x", b"Building wheel for tosa-tools: started\nKilled\n").findings
    assert finding.rule == "out-of-memory" and "swap" in finding.advice


def test_a_traceback_of_the_compile_script_alone_is_of_this_field() -> None:
    log = b'Traceback (most recent call last):\n  File "/w/aot_arm_compiler.py", line 900, in <module>\nRuntimeError: something new\n'
    assert [(f.rule, f.lines) for f in read_capture("x", log).findings] == [("compile-failed", (3,))]


def test_a_step_of_the_setup_that_says_error_is_no_step() -> None:
    log = b"[Arm Setup/fvp] download attempt 2 failed; retrying in 20s...\n"
    log += b"[Arm Setup/fvp] ERROR: download of https://example.org/a.tgz failed after 3 attempts\n"
    findings = read_capture("x", log).findings
    assert [(f.rule, f.severity, f.lines) for f in findings] == [("download-failed", "error", (2,))]


@pytest.mark.parametrize(
    ("log", "rule", "advice"),
    [
        ("/bin/sh: 1: tosa_reference_model: not found\n", "tosa-reference-missing", "tosa-tools"),
        ("run.sh: line 88: tosa_reference_model: command not found\n", "tosa-reference-missing", "tosa-tools"),
        ("/w/nn/s.c:74:1: internal compiler error: in trunc_int_for_mode, at explow.cc:59\n", "compiler-crashed", "another compiler release"),
        ("The virtual environment was not created successfully because ensurepip is not\navailable.\n", "venv-missing", "python3-venv"),
        ("error: command 'gcc' failed: No such file or directory\n", "build-tool-missing", "build-essential"),
        ("/usr/bin/python3: No module named ensurepip\n", "venv-missing", "python3-venv"),
        ('Traceback (most recent call last):\n  File "/a/runpy.py", line 88, in _run_code\nModuleNotFoundError: No module named \'ensurepip\'\n',
         "venv-missing", "python3-venv"),
        ("g++: internal compiler error: Killed (program cc1plus)\n", "out-of-memory", "swap"),
        ("/w/my nn/s.c:74: internal compiler error: in trunc_int_for_mode, at explow.cc:59\n", "compiler-crashed", "another compiler release"),
        ("C:\\gcc\\bin\\arm-none-eabi-g++.exe: internal compiler error: Aborted (program cc1plus)\n", "compiler-crashed", "another compiler release"),
    ],
)  # fmt: skip
def test_what_a_build_or_test_lacks_is_named(log: str, rule: str, advice: str) -> None:
    capture = read_capture("x", log.encode())
    assert capture.runs == ()
    assert [(f.rule, f.severity) for f in capture.findings] == [(rule, "error")]
    assert advice in capture.findings[0].advice


def test_a_compiler_that_found_no_python_headers_is_no_missing_tool() -> None:
    log = b"a.c:20:10: fatal error: Python.h: No such file or directory\nerror: command 'x86_64-linux-gnu-gcc' failed with exit status 1\n"
    findings = read_capture("x", log).findings
    assert findings[0].rule == "python-headers-missing" and "python3-dev" in findings[0].advice
    assert "build-tool-missing" not in [f.rule for f in findings]


@pytest.mark.parametrize(
    ("log", "rule", "words"),
    [
        ("Could not find arm-none-eabi-gcc toolchain on PATH, please refer to /w/setup.sh to properly install necessary tools.",
         "toolchain-missing", ("arm-none-eabi-gcc", "setup_path.sh", "--i-agree-to-the-contained-eula")),
        ("Could not find /w/arm-scratch/setup_path.sh file, please refer to /w/setup.sh to properly install necessary tools.",
         "setup-missing", ("source /w/arm-scratch/setup_path.sh",)),
        ("[Arm Setup/fvp] ERROR: download of https://example.org/a.tgz failed after 3 attempts", "download-failed", ("after 3 attempts", "curl -fLO https://example.org/a.tgz")),
        ("[fvp] ERROR: download of https://example.org/a.tgz failed after 3 attempts", "download-failed", ("curl -fLO https://example.org/a.tgz",)),
        ("[install_fvp] Error: Unknown FVP model corstone310. Exiting.", "setup-argument", ("corstone310", "corstone300")),
        ("Error: This script must be sourced.", "script-not-sourced", ("source ",)),
        ("Unknown option: --modelname=add", "script-option", ("--modelname", "--model_name=")),
        ("[backends/arm/scripts/run_fvp.sh] --bundle=<BPTE_FILE> is required for cortex-m targets", "script-option", ("--bundle=MODEL.bpte",)),
        ("Model name needs to be provided", "script-option", ("--model=",)),
    ],
)  # fmt: skip
def test_what_a_script_refuses_is_told_with_its_own_values(log: str, rule: str, words: tuple[str, ...]) -> None:
    capture = read_capture("x", f"{log}\n".encode())
    assert capture.runs == ()
    assert [(f.rule, f.severity) for f in capture.findings] == [(rule, "error")]
    assert all(word in capture.findings[0].title + capture.findings[0].advice for word in words)


@pytest.mark.parametrize(
    "line",
    [
        "Unknown option: --verbose", "Unknown option: -x", "Could not find the toolchain file, please check the path",
        "The page says which bundle is required for cortex-m targets", "Model name needs to be provided by the user of the page",
    ],
)  # fmt: skip
def test_words_like_those_of_a_script_are_nothing_of_ours(line: str) -> None:
    assert read_capture("x", f"{line}\n".encode()).findings == ()


def test_a_target_without_a_simulator_is_no_launch_whatever_its_name() -> None:
    for target in ("TOSA-1.0+INT", "vgf", "ethos-u65-256"):
        capture = read_capture("x", f"Running a/arm_executor_runner for {target} is not supported\n".encode())
        assert [(f.rule, f.run) for f in capture.findings] == [("other-target", 1)]


@pytest.mark.parametrize(
    "line",
    [
        "RuntimeError: expected scalar type Float but found Half", "AssertionError: Found a in meta of b", "All method names in the table are short",
        "The size: file: a.o is not an object file", "the compile of mv3 failed for reasons", "expand_factor=4",
    ],
)  # fmt: skip
def test_words_like_those_of_an_export_are_nothing_of_ours(line: str) -> None:
    assert read_capture("x", f"{line}\n".encode()).findings == ()


def test_a_run_that_failed_is_the_cause_of_what_the_script_for_models_says_of_it() -> None:
    log = "E [executorch:method.cpp:900 init()] Backend EthosUBackend is not registered.\n"
    log += (
        "I [executorch:arm_executor_runner.cpp:700 runner_init()] Loading of method forward failed with status 0x20\n"
    )
    log += "\u274c FVP execution failed for resnet18\n\u26a0\ufe0f  OVERALL RESULT: 1/4 TESTS FAILED\n"
    findings = read_capture("x", log.encode()).findings
    assert findings[0].run == 1 and findings[0].severity == "error"
    assert {f.rule: f.severity for f in findings[1:]} == {
        "method-load-failed": "info", "model-run-failed": "info", "models-failed": "info",
    }  # fmt: skip


_BUILT = "[100%] Built target arm_executor_runner\n"


@pytest.mark.parametrize("around", ["{}", _BUILT + "{}", "{}" + _BUILT])
@pytest.mark.parametrize(
    "said",
    [
        "cc1: note: see internal compiler error: list in docs\n",
        "    Work around internal compiler error: in trunc_int_for_mode, at explow.cc:59\n",
        "8d0ce07 nn: internal compiler error: in trunc_int_for_mode is avoided\n",
        "-- tosa_reference_model: not found (optional, tests that compare with it are left out)\n",
        "-- tosa_reference_model: not found\n",
        "-- ninja: not found\n",
        "configure: tosa_reference_model: not found (optional)\n",
    ],
)
def test_who_writes_about_such_an_error_has_none(said: str, around: str) -> None:
    findings = read_capture("x", around.format(said).encode()).findings
    assert [f.rule for f in findings] in ([], ["build-log"])


SUMMARY = "Delegation summary:\n  Model was not delegated.\n  Delegated partitions for silicon acceleration: 0\n  Non-delegated operators:\n"


def test_a_compile_for_cortex_m_delegates_nothing_and_that_is_right() -> None:
    kernels = "    - cortex_m_quantized_conv2d_default: 1\nPTE file saved as a.pte\n"
    borders = "    - cortex_m_quantize_per_tensor_default: 1\nPTE file saved as a.pte\n"
    assert rules(SUMMARY + kernels) == [("compiled-for-cpu", "info")]
    assert rules(SUMMARY + borders) == [("not-delegated", "warning")], "these two stand at the borders of any program"
    floats = "    - aten_convolution_default: 1\nPTE file saved as {0}\n"
    assert rules(SUMMARY + floats.format("a_arm_cortex-m55.pte")) == [("compiled-for-cpu", "info")]
    assert rules(SUMMARY + floats.format("a_arm_ethos-u55-128.pte")) == [("not-delegated", "warning")]


COUNTS = "Total delegated subgraphs: 0\nNumber of delegated nodes: 0\nNumber of non-delegated nodes: 3\n"


def test_a_delegation_table_of_a_compile_for_cortex_m_is_no_failure() -> None:
    asked = "$ python3 -m examples.arm.aot_arm_compiler -m a --target={0} --quantize\n"
    assert rules(asked.format("cortex-m55+int8") + COUNTS) == [("compiled-for-cpu", "info")]
    assert rules(asked.format("ethos-u55-128") + COUNTS) == [("not-delegated", "error")]
    both = asked.format("cortex-m33") + asked.format("ethos-u85-256")
    assert rules(both + COUNTS) == [("not-delegated", "error")], "the newest command made it"
    assert rules(COUNTS + asked.format("cortex-m33")) == [("not-delegated", "error")], "it was given later"


def test_kernels_for_cortex_m_in_a_delegation_table_tell_the_target() -> None:
    table = (
        "Delegation table:\n│    │ op_type │   occurrences_in_delegated_graphs │   occurrences_in_non_delegated_graphs │\n"
        "│  0 │ {0} │ 0 │ 3 │\n"
    )
    assert rules(COUNTS + "\n" + table.format("cortex_m_quantized_add_default")) == [("compiled-for-cpu", "info")]
    assert rules(COUNTS + "\n" + table.format("cortex_m_quantize_per_tensor_default")) == [("not-delegated", "error")]


def test_table_and_summary_of_one_compile_for_cortex_m_say_it_once() -> None:
    saved = "    - aten_convolution_default: 3\nPTE file saved as a_arm_cortex-m55.pte\n"
    assert rules(COUNTS + "\n" + SUMMARY + saved) == [("compiled-for-cpu", "info")]


def test_a_compile_for_the_npu_beside_one_for_cortex_m_is_not_taken_for_its_like() -> None:
    saved = "    - aten_convolution_default: 3\nPTE file saved as a_arm_{0}.pte\n"
    of_cpu, of_npu = (COUNTS + "\n" + SUMMARY + saved.format(target) for target in ("cortex-m55", "ethos-u55-128"))
    assert rules(of_cpu + of_npu) == [("compiled-for-cpu", "info"), ("not-delegated", "error")]
    assert rules(of_npu + of_cpu) == [("not-delegated", "error"), ("compiled-for-cpu", "info")]
    assert rules(of_cpu * 5) == [("compiled-for-cpu", "info")] * 5


def test_a_compile_for_cortex_m_says_nothing_of_another_one() -> None:
    saved = "    - aten_convolution_default: 3\nPTE file saved as {0}\n"
    of_cpu = COUNTS + "\n" + SUMMARY + saved.format("a_arm_cortex-m55.pte")
    of_npu = COUNTS + "\n" + SUMMARY + saved.format("a_arm_delegate_ethos-u85-256.pte")
    assert rules(of_cpu + of_npu) == [("compiled-for-cpu", "info"), ("not-delegated", "error")]
    assert rules(of_npu + of_cpu) == [("not-delegated", "error"), ("compiled-for-cpu", "info")]
    untold = SUMMARY + saved.format("a_arm_cortex-m55.pte") + COUNTS
    assert sorted(rules(untold)) == [("compiled-for-cpu", "info"), ("not-delegated", "error")]


def test_what_failed_comes_before_what_was_not_delegated() -> None:
    raised = 'Traceback (most recent call last):\n  File "/a/executorch/x.py", line 3, in <module>\n'
    raised += "AttributeError: 'WithEffects' object has no attribute '_schema'\n"
    assert rules(SUMMARY + "    - with_effects: 1\n" + raised) == [("effects", "error"), ("not-delegated", "warning")]
    told = read_capture("x", (SUMMARY + raised).encode()).findings[1]
    assert "follows from" not in told.detail


@pytest.mark.parametrize(("reason", "rule"), [("[Errno 28] No space left on device", "disk-full"), ("[Errno 2] No such file or directory: 'a.pte'", "program-not-written")])  # fmt: skip
def test_a_program_that_is_called_saved_and_was_not(reason: str, rule: str) -> None:
    log = (
        f"[ERROR 2026-01-01 10:00:00,579 utils.py:152] Error while saving to a.pte: {reason}\nPTE file saved as a.pte\n"
    )
    assert rules(log) == [(rule, "error")]
    assert rules(f"{log}$ again\n\n\n\n\n\nPTE file saved as b.pte\n") == [(rule, "warning")]


@pytest.mark.parametrize(
    ("raised", "rule"),
    [
        ("got RuntimeError('a and b must have same reduction dim, but got [1, 8] X [9, 4].')", "shape"),
        ("got ValueError('Cannot view a tensor with shape torch.Size([1, 4]) and strides (48, 4)!')", "shape"),
        ("got RuntimeError('There was no fake impl registered for <CustomOpDef(mylib::foo)>.')", "fake-kernel-missing"),
        ("got RuntimeError('PyTorch is not linked with support for cuda devices')", "gpu-missing"),
        ("got RuntimeError('Something else of the kind')", "unsupported"),
    ],
)
def test_not_all_that_fails_with_fake_tensors_is_a_shape(raised: str, rule: str) -> None:
    log = 'Traceback (most recent call last):\n  File "/a/torch/_dynamo/exc.py", line 3, in f\n'
    log += "torch._dynamo.exc.TorchRuntimeError: RuntimeError when making fake tensor call\n"
    long = "FakeTensor(..., size=(1, 8)), " * 9
    log += f"  Explanation: Dynamo failed to run FX node with fake tensors: call_function f(*({long}), **{{}}): {raised}\n  Hint: no\n"
    (found,) = read_capture("x", log.encode()).findings
    assert (found.rule, found.severity) == (rule, "error") and "Hint" not in found.title


def test_a_quote_that_was_cut_says_so() -> None:
    assert quoted("error: it failed.") == "error: it failed."
    assert quoted("waiting ...") == "waiting ..."
    assert quoted("a" * 400) == "a" * 297 + "..."


def test_a_custom_operator_of_others_is_not_taken_for_the_npus_own() -> None:
    """Vela's own, in a file that it compiled before, has constants without values; what is not quantized is another's."""
    text = "Warning: Unsupported TensorFlow Lite semantics for CUSTOM 'op'. Placing on CPU instead\n - {}\n   op: seen here\n"
    advice = [
        read_capture("x", text.format(why).encode()).findings[0].advice
        for why in (
            "Constant tensors should not have NoneType-values",
            "Input(s) and Output tensors must not be dynamic",
        )
    ]
    assert "already compiled" in advice[0] and "already compiled" not in advice[1]
