"""What set-ups, compiles and tests say before a program runs: the cause is named, and what goes on is no error."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.report import Finding


def _findings(log: str) -> tuple[Finding, ...]:
    return read_capture("x", log.encode()).findings


def test_the_setup_of_older_releases_stops_on_macos_too() -> None:
    log = (
        "[main] Using root dir /Users/u/scratch and options:\n[setup_toolchain] Installing toolchain ...\n"
        "[setup_fvp] Warning: FVP only supported with Linux OS, skipping FVP setup...\n"
    )
    (found,) = _findings(log)
    assert (found.rule, found.severity, found.lines) == ("fvp-by-hand", "error", (3,))


def test_the_setup_of_older_releases_is_known() -> None:
    log = "[main] Using root dir /w/scratch and options:\n[setup_toolchain] Installing toolchain ...\n[setup_fvp] Installing FVP corstone300...\n[main] success!\n"
    assert [(f.rule, f.severity) for f in _findings(log)] == [("build-log", "info")]


HASH = "/w/arm-scratch/setup_path.sh: line 8: hash: FVP_Corstone_SSE-320: not found\n"


def test_a_simulator_that_setup_path_does_not_find_is_no_run_that_did_not_start() -> None:
    capture = read_capture("x", f"$ backends/arm/scripts/build_executorch.sh\n{HASH}".encode())
    assert capture.runs == () and [(f.rule, f.severity) for f in capture.findings] == [("fvp-not-on-path", "error")]
    assert "FVP_Corstone_SSE-320" in capture.findings[0].title and "setup.sh" in capture.findings[0].advice


def test_a_build_that_went_on_without_a_simulator_is_well() -> None:
    (found,) = _findings(f"{HASH}[100%] Built target arm_executor_runner\n")
    assert (found.rule, found.severity) == ("fvp-not-on-path", "warning")


SETUP_BY_RUN = (
    "Could not find /w/arm-scratch/setup_path.sh file, please refer to /w/examples/arm/setup.sh to properly install necessary tools.\n"
    "[Arm Setup/main] Checking platform and OS\n[Arm Setup/toolchain] Downloading gcc toolchain\n"
)


def test_what_run_sh_sets_up_by_itself_is_not_asked_for() -> None:
    log = f"{SETUP_BY_RUN}curl: (6) Could not resolve host: example.org\n"
    assert [f.rule for f in _findings(log)] == ["download-failed"]
    older = f"{SETUP_BY_RUN.partition('[Arm')[0]}[main] Using root dir /w/scratch and options:\ncurl: (6) Could not resolve host: example.org\n"
    assert [f.rule for f in _findings(older)] == ["download-failed"]
    assert [f.rule for f in _findings(SETUP_BY_RUN.partition("[Arm")[0])] == ["setup-missing"]
    assert [f.rule for f in _findings(f"{SETUP_BY_RUN}[Arm Setup/main] Setup complete\n")] == ["build-log"]


def test_an_error_of_cmake_is_quoted_with_its_words() -> None:
    log = (
        "CMake Error at CMakeLists.txt:8 (project):\n  The CMAKE_C_COMPILER:\n\n    arm-none-eabi-gcc\n\n"
        "  is not a full path and was not found in the PATH.\n"
    )
    (found,) = _findings(log)
    assert found.rule == "toolchain-missing" and found.title.endswith(": arm-none-eabi-gcc")
    assert "(project): The CMAKE_C_COMPILER: arm-none-eabi-gcc is not a full path" in found.detail


@pytest.mark.parametrize(
    ("log", "board"),
    [
        (
            "CMake Error at /z/cmake/modules/boards.cmake:366 (message):\n  Board qualifiers `/corstone300/fpv` for board `mps3` not found.  Please\n"
            "  specify a valid board target.\n\n  Valid board targets for mps3 are:\n",
            "mps3/corstone300/fpv",
        ),
        (
            "No board named 'mps3_an547' found. Did you mean:\n\nmps3\n\nRun 'west boards' for the full list.\n"
            "CMake Error at /z/cmake/modules/boards.cmake:268 (message):\n  Invalid BOARD; see above.\n",
            "mps3_an547",
        ),
        ("No board named 'mps9' found.\n\nPlease choose one of the following boards:\n\nmps2\nmps3\n", "mps9"),
    ],
)
def test_a_board_that_zephyr_does_not_know_is_named(log: str, board: str) -> None:
    found = _findings(log)[0]
    assert (found.rule, found.severity) == ("board-unknown", "error") and found.title.endswith(f" {board}")


def test_a_compile_that_was_killed_gets_no_advice_for_builds() -> None:
    killed = "run.sh: line 5: 241 Killed                  {}\n"
    compiled = _findings(killed.format("python3 -m backends.arm.scripts.aot_arm_compiler --model_name=a.py"))[0]
    built = _findings(killed.format("pip install tosa-tools"))[0]
    assert compiled.rule == built.rule == "out-of-memory"
    assert "MAX_JOBS" in built.advice and "MAX_JOBS" not in compiled.advice
    assert "MAX_JOBS" in _findings(killed.format("/w/vela/build.sh"))[0].advice, (
        "a folder of that name compiles nothing"
    )


@pytest.mark.parametrize(
    "said",
    [
        '/w/et: Unrecognized "version" field', 'C:/w/et: "cmakeMinimumRequired" version too new',
        '/w/et:\nError: @2,13: Unrecognized "version" field\n  "version": 10,\n             ^',
    ],
)  # fmt: skip
def test_presets_that_are_too_new_want_a_newer_cmake(said: str) -> None:
    (found,) = _findings(f"CMake Error: Could not read presets from {said}\n")
    assert found.rule == "cmake-version" and found.title.endswith("w/et") and "cmake>=3.31" in found.advice


TRACEBACK = 'Traceback (most recent call last):\n  File "/w/executorch/a.py", line 3, in f\n    g()\n'


def test_weights_that_could_not_be_fetched_are_a_matter_of_the_network() -> None:
    (found,) = _findings(
        f"{TRACEBACK}urllib.error.URLError: <urlopen error [Errno -3] Temporary failure in name resolution>\n"
    )
    assert found.rule == "download-failed" and "torch/hub" in found.advice


def test_a_pointer_of_git_lfs_is_no_program_that_pytorch_refuses() -> None:
    line = "_pickle.UnpicklingError: Weights only load failed. In PyTorch 2.6, we changed it.\nPlease file an issue: WeightsUnpickler error: \n\nUnsupported operand 118\n"
    assert [f.rule for f in _findings(f"{TRACEBACK}{line}")] == ["weights-damaged"]
    assert [f.rule for f in _findings(f"{TRACEBACK}{line.replace('operand 118', 'global: a.b')}")] == ["weights-only"]


def test_a_library_of_torch_that_windows_does_not_load_is_named() -> None:
    line = r'OSError: [WinError 126] The specified module could not be found. Error loading "C:\e\torch\lib\fbgemm.dll" or one of its dependencies.'
    (found,) = _findings(f"{TRACEBACK}{line}\n")
    assert found.rule == "binary-mismatch" and found.title.endswith(": fbgemm.dll")


def test_a_float_tensor_in_a_graph_of_integers_is_named() -> None:
    line = "ValueError: TOSA-1.0+INT+int16 doesn't support tensor TosaArg(name='aten_permute_copy_default_fused_const', dtype=FP32, shape=(4, 8))"
    (found,) = _findings(f"{TRACEBACK}{line}\n")
    assert found.rule == "float-in-integers" and "to_edge_transform_and_lower" in found.advice


def test_pytorch_says_in_its_own_way_that_the_disk_is_full() -> None:
    line = "RuntimeError: [enforce fail at inline_container.cc:672] . unexpected pos 1088 vs 982"
    assert _findings(f"{TRACEBACK}{line}\n")[0].rule == "disk-full"


TESTS = (
    "backends/arm/test/ops/test_abs.py::test_abs_tosa_INT[ones] PASSED   [ 50%]\n"
    "backends/arm/test/ops/test_abs.py::test_abs_u55_INT[ones] XFAIL    [100%]\n"
    "== warnings summary ==\nbackends/arm/test/ops/test_abs.py: 2 warnings\n  /w/a.py:105: FutureWarning: old\n"
)


def test_tests_of_the_arm_backend_that_passed_are_a_log_of_their_own() -> None:
    (found,) = _findings(f"{TESTS}========= 1 passed, 1 xfailed, 3 warnings in 65.20s (0:01:05) =========\n")
    assert (found.rule, found.severity, found.lines) == ("build-log", "info", (6,))
    assert found.title.endswith("none failed: 1 passed, 1 xfailed, 3 warnings")


@pytest.mark.parametrize("log", ["===== 3 passed in 0.12s =====\n", "3 passed, 1 warning in 0.12s\n"])
def test_tests_of_others_are_nothing_of_ours(log: str) -> None:
    assert _findings(log) == ()


def test_tests_that_ended_in_an_error_are_not_called_well() -> None:
    found = _findings(f"{TESTS}========= 1 passed, 1 error in 2.00s =========\n")
    assert not any("none failed" in f.title for f in found)


def test_a_runner_that_was_not_built_is_the_cause_of_a_failed_test() -> None:
    log = (
        "E       FileNotFoundError: Did not find build arm_executor_runner or executor_runner. Tried: /w/a. Run setup_testing.sh or setup_testing_vkml.sh?\n"
        "FAILED backends/arm/test/ops/test_abs.py::test_abs_u55_INT - FileNotFou...\n"
    )
    found = _findings(log)
    assert [(f.rule, f.severity) for f in found] == [("runner-not-built", "error"), ("test-failed", "info")]


def test_what_takes_one_output_of_several_has_its_name() -> None:
    log = (
        "[INFO 2026-01-01 10:00:00,000 partitioner.py:753] The following nodes were rejected for TOSA-1.0+INT:\n"
        "\u2502 Node name \u2502 Target                      \u2502 Torch func \u2502 Reason \u2502\n"
        "\u2502 getitem   \u2502 <built-in function getitem> \u2502 ('sort_1') \u2502 Node was not marked as quantized. \u2502\n"
    )
    found = next(f for f in _findings(log) if f.rule == "operator-rejected")
    assert found.title.endswith(": getitem")


def test_nothing_that_has_no_meta_is_no_model_that_was_not_exported() -> None:
    assert _findings(f"{TRACEBACK}AttributeError: 'Net' object has no attribute 'meta'\n")[0].rule == "not-exported"
    assert (
        _findings(f"{TRACEBACK}AttributeError: 'NoneType' object has no attribute 'meta'\n")[0].rule == "compile-failed"
    )


@pytest.mark.parametrize(
    "how", ["takes 2 positional arguments but 3 were given", "missing 1 required positional argument: 'spec'"]
)
def test_how_a_class_of_another_release_is_called_is_told(how: str) -> None:
    (found,) = _findings(f"{TRACEBACK}TypeError: EthosUQuantizer.__init__() {how}\n")
    assert found.rule == "release-mismatch" and how.split(" positional")[0] in found.title
    assert _findings(f"{TRACEBACK}TypeError: Net.forward() {how}\n")[0].rule != "release-mismatch"


@pytest.mark.parametrize(
    ("log", "rule", "words"),
    [
        (
            "Collecting package metadata (repodata.json): done\nSolving environment: failed\n\nPackagesNotFoundError: The following packages are not available from "
            "current channels:\n\n  - some-toolchain\n\nCurrent channels:\n",
            "package-not-found",
            "some-toolchain",
        ),
        (
            "Collecting package metadata (repodata.json): failed\n\nUnavailableInvalidChannel: HTTP 403 FORBIDDEN for channel x <https://example.org/x>\n",
            "conda-channel",
            "HTTP 403",
        ),
        (
            "Solving environment: failed\n\nLibMambaUnsatisfiableError: Encountered problems while solving:\n  - package a-1 requires b 2.*, but none of the "
            "providers can be installed\n",
            "dependency-conflict",
            "package a-1 requires b 2.*",
        ),
        (
            "ERROR: Nothing PROVIDES 'a-firmware' (but /w/b.bb DEPENDS on or otherwise requires it)\na-firmware was skipped: incompatible with machine b\n"
            "ERROR: Required build target 'b-image' has no buildable providers.\n",
            "bitbake-provider",
            "left the recipe of a-firmware out: incompatible with machine b",
        ),
        ("bash: arm-scratch/setup_path.sh: No such file or directory\n", "setup-missing", "arm-scratch/setup_path.sh"),
        (
            "ld: liba.a(x.obj): relocations in generic ELF (EM: 62)\nld: liba.a: error adding symbols: file in wrong format\n"
            "collect2: error: ld returned 1 exit status\n",
            "link-wrong-architecture",
            "liba.a",
        ),
        (
            "ld: x.o: file not recognized: file in wrong format\ncollect2: error: ld returned 1 exit status\n",
            "link-wrong-architecture",
            "x.o",
        ),
        (
            'CMake Error: Could not read presets from /w/executorch:\nUnrecognized "version" field\n',
            "cmake-version",
            "too old",
        ),
        (
            "error cbuild: no compiler registered for 'GCC@14.3.1'. Add path to compiler in the registered environment variable GCC_TOOLCHAIN_14_3_1\n",
            "toolchain-missing",
            "GCC@14.3.1",
        ),
        (
            "ERROR: failed to solve: a/b:1: failed to resolve source metadata for docker.io/a/b:1: docker.io/a/b:1: not found\n",
            "image-unreachable",
            "a/b:1",
        ),
    ],
)
def test_what_stops_an_environment_or_a_build_is_named(log: str, rule: str, words: str) -> None:
    found = _findings(log)[0]
    assert (found.rule, found.severity) == (rule, "error") and words in found.title


def test_a_file_in_a_wrong_format_is_an_object_where_a_linker_says_so() -> None:
    assert not read_capture("x", b"The picture was refused: file in wrong format\n").findings


CLEANED = "make -r -j8 clean\nmake: *** No rule to make target 'clean'.  Stop.\n"
BROKEN = "..\\runner.cpp(42): error: unknown type name 'foo'\n"


@pytest.mark.parametrize(
    ("failed", "built"),
    [
        (CLEANED, "10:01:12 Build Finished. 0 errors, 3 warnings. (took 12s.31ms)"),
        (BROKEN + '".\\Objects\\runner.axf" - 1 Error(s), 0 Warning(s).\n', '".\\Objects\\runner.axf" - 0 Error(s), 4 Warning(s).'),
        (BROKEN + "Build summary: 0 succeeded, 1 failed\n", "Build summary: 2 succeeded, 0 failed - Time Elapsed: 00:00:31"),
    ],
    ids=["eclipse", "uvision", "cbuild"],
)  # fmt: skip
def test_a_build_of_an_ide_that_ends_well_mends_the_one_before(failed: str, built: str) -> None:
    assert _findings(failed)[0].severity == "error"
    assert [f.severity for f in _findings(f"{failed}{built}\n")] == ["warning"]
    assert [f.rule for f in _findings(f"{built}\n")] == ["build-log"]
    assert _findings(f"{built}\n{failed}")[0].severity == "error"


def test_a_linker_that_stops_says_why_and_is_no_simulator() -> None:
    capture = read_capture("x", b"Fatal error: L9555E: Failed to check out a license.\n")
    assert ([f.rule for f in capture.findings], capture.runs) == (["compiler-licence"], ())
    (found,) = _findings("Fatal error: L6915E: Library reports error: a is missing\n")
    assert (found.rule, found.title) == (
        "build-failed",
        "The linker stopped: L6915E: Library reports error: a is missing",
    )


def test_a_compiler_that_names_its_line_in_brackets_is_understood() -> None:
    for where in ("..\\src\\runner.cpp(42)", "C:\\w\\runner.cpp(42,7)", "C:/w/runner.cpp:42:7"):
        (found,) = _findings(f"{where}: error: unknown type name 'foo'\n")
        assert (found.rule, found.severity) == ("compile-error", "error") and where in found.title


def test_a_runner_that_is_built_with_an_older_program_does_not_mend_the_compile() -> None:
    traceback = (
        'Traceback (most recent call last):\n  File "/v/lib/python3.11/site-packages/ethosu/vela/vela.py", line 9, in main\n    raise CliOptionError(\n'
        "ethosu.vela.errors.CliOptionError: 'Error: Incorrect argument to CLI option --system-config=X: Section System_Config.X not found in Vela config file'\n"
    )
    built = "[ 40%] Building CXX object a.cpp.obj\n[100%] Built target arm_executor_runner\n"
    saved = "PTE file saved as add_arm_delegate_ethos-u55-128.pte\n"
    assert _findings(traceback + built)[0].severity == "error"
    assert _findings(traceback + saved + built)[0].severity == "warning"


def _traceback(path: str, raised: str) -> str:
    return f'Traceback (most recent call last):\n  File "{path}", line 9, in main\n    main()\n{raised}\n'


@pytest.mark.parametrize(
    "log",
    [
        _traceback("/w/executorch/codegen/tools/gen_oplist.py", "ModuleNotFoundError: No module named 'torchgen'")
        + "Successfully installed torch-2.9.0\n[ 40%] Building CXX object a.cpp.obj\n[100%] Built target arm_executor_runner\n",
        _traceback(
            "/w/executorch/examples/arm/executor_runner/pte_to_header.py",
            "FileNotFoundError: [Errno 2] No such file or directory: 'add.pte'",
        )
        + "[390/400] Linking CXX executable zephyr/zephyr.elf\n",
        _traceback("/w/zephyr/scripts/build/gen_kobject_list.py", "ModuleNotFoundError: No module named 'elftools'")
        + "[390/400] Linking CXX executable zephyr/zephyr.elf\n",
        _traceback("/w/examples/arm/aot_arm_compiler.py", "ModuleNotFoundError: No module named 'torch'")
        + "Successfully installed executorch-1.0.0\n",
        _traceback("/v/lib/python3.11/site-packages/ethosu/vela/vela.py", "RuntimeError: Invalid Compiler Options")
        + "Network summary for out\nAccelerator configuration                Ethos_U55_128\nTotal SRAM used                                    0.77 KiB\n"
        "NPU operators = 2 (100.0%)\n[ 40%] Building CXX object a.cpp.obj\n[100%] Built target arm_executor_runner\n",
        _traceback(
            "/w/examples/arm/aot_arm_compiler.py", "FileNotFoundError: [Errno 2] No such file or directory: 'm.pt'"
        )
        + "$ python3 -m examples.arm.aot_arm_compiler --model_name=n.pt --target=ethos-u55-128\n[ 40%] Building CXX object a.cpp.obj\n"
        "[100%] Built target arm_executor_runner\n",
    ],
)
def test_a_script_of_a_build_and_what_is_installed_later_are_mended_by_what_ends_well(log: str) -> None:
    assert _findings(log)[0].severity == "warning"


def test_an_installation_does_not_mend_what_the_compiler_refused() -> None:
    refused = _traceback(
        "/v/lib/python3.11/site-packages/ethosu/vela/vela.py", "RuntimeError: Invalid Compiler Options"
    )
    assert _findings(refused + "Successfully installed ethos-u-vela-5.1.0\n")[0].severity == "error"


@pytest.mark.parametrize(
    ("limit", "words"),
    [
        ("ERROR: Job failed: execution took longer than 1h0m0s seconds", "1h0m0s"),
        (
            "##[error]The job running on runner R 3 has exceeded the maximum execution time of 360 minutes.",
            "360 minutes",
        ),
        ("##[error]The action 'Compile' has timed out after 20 minutes.", "20 minutes"),
    ],
)
def test_the_limit_of_a_job_is_told_of_a_build_and_a_compile_and_of_nothing_else(limit: str, words: str) -> None:
    compiles = "$ python3 -m examples.arm.aot_arm_compiler --model_name=mv2 --target=ethos-u55-128 --delegate\n"
    for above in ("[ 40%] Building CXX object a.cpp.obj\n", compiles):
        finding = _findings(above + limit + "\n")[0]
        assert (finding.rule, finding.severity) == ("time-limit", "error") and finding.title.endswith(words)
    assert not _findings("$ npm test\n" + limit + "\n")


def test_an_operator_that_vela_names_twice_counts_once() -> None:
    semantics = (
        "Warning: Unsupported TensorFlow Lite semantics for UNIDIRECTIONAL_SEQUENCE_LSTM 'a'. Placing on CPU instead\n"
    )
    again = "Warning: UnidirectionalSequenceLstm operation is unknown or unsupported, placing on CPU\n"
    alone = "Warning: Foo operation is unknown or unsupported, placing on CPU\n"
    assert _findings(semantics + again)[0].title == "Vela leaves operators to the CPU: UNIDIRECTIONAL_SEQUENCE_LSTM"
    assert _findings(semantics + again + alone)[0].title.endswith("UNIDIRECTIONAL_SEQUENCE_LSTM, Foo")


def test_the_usage_of_a_setup_that_has_more_options_says_nothing_of_the_eula() -> None:
    usage = "Usage: setup.sh <--i-agree-to-the-contained-eula> [--root-dir path-to-a-scratch-dir] [--skip-fvp-setup]\n"
    assert [f.rule for f in _findings(usage + "Supplied args: --enable-fvp\n")] == ["setup-argument"]
    assert not _findings(usage + "Supplied args: \n")
