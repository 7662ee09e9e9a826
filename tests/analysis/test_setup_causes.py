"""Setups that failed of the network, the checkout or the host: the cause is told before what followed of it."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture

from .port_logs import rules

RETRY = (
    "WARNING: Retrying (Retry(total=0, connect=None, read=None, redirect=None, status=None)) after connection broken by "
    "'ProxyError('Cannot connect to proxy.', OSError({0}))': /simple/tosa-tools/\n"
)


@pytest.mark.parametrize("why", ["0, 'Error'", "'Tunnel connection failed: 407 Proxy Authentication Required'"])
def test_a_package_that_could_not_be_asked_for_is_not_missing(why: str) -> None:
    log = RETRY.format(why) + "ERROR: No matching distribution found for tosa-tools==2026.2.1\n"
    assert rules(log) == [("download-failed", "error"), ("package-not-found", "info")]


def test_a_retry_that_helped_explains_no_later_failure() -> None:
    log = f"Collecting a\n{RETRY.format(0)}Installing collected packages: a\n"
    assert rules(log) == [("build-log", "info")]
    assert rules(log + "ERROR: Failed building wheel for b\n") == [("wheel-build-failed", "error")]


@pytest.mark.parametrize("folder", ["a", "/home/someone/with/a/rather/long/name/of/a/folder/for/sources"])
def test_the_reason_of_cmake_is_as_long_whatever_the_path(folder: str) -> None:
    log = f"CMake Error at {folder}/CMakeLists.txt:39 (message):\n  The SDK version you are using is too old.\n\n  You need at least\n"
    (found,) = read_capture(
        "x", f"{log}  SDK version 0.10.2.\n\nCall Stack (most recent call first):\n".encode()
    ).findings
    assert f"too old. You need at least SDK version 0.10.2 ({folder}/CMakeLists.txt:39)" in found.title


def test_an_exception_whose_text_stands_on_the_next_line_is_told_with_it() -> None:
    head = 'Traceback (most recent call last):\n  File "/a/executorch/x.py", line 3, in <module>\n'
    (found,) = read_capture("x", f"{head}a.b.OddError: \nOperator aten.x is odd\n".encode()).findings
    assert found.title.endswith("a.b.OddError: Operator aten.x is odd")


def test_a_wheel_gets_the_advice_of_its_own_package() -> None:
    advice = {
        name: read_capture("x", f"ERROR: Failed building wheel for {name}\n".encode()).findings[0].advice
        for name in ("torchao", "tosa-tools")
    }
    assert "reference model" in advice["tosa-tools"] and "reference model" not in advice["torchao"]


def test_the_fix_that_pytorch_suggests_is_quoted() -> None:
    log = "torch._dynamo.exc.UserError: Constraints violated (h)! For more information, run with it.\n  - Not all values of h\n"
    (found,) = read_capture("x", f"{log}Suggested fixes:\n  h = Dim('h', max=64)\n".encode()).findings
    assert "h = Dim('h', max=64)" in found.advice


def test_a_compiler_for_arm_is_not_the_one_of_this_machine() -> None:
    log = "CMake Error at CMakeLists.txt:5 (project):\n  The CMAKE_CXX_COMPILER:\n\n    {}\n\n  is not a full path and was not found in the PATH.\n"
    assert rules(log.format("arm-none-eabi-g++"))[0] == ("toolchain-missing", "error")
    assert rules(log.format("clang++"))[0] == ("host-compiler-missing", "error")


def test_what_cmake_says_behind_a_failed_patch_follows_from_it() -> None:
    log = "error: patch failed: targets/a/platform.ld:67\nPatch failed at 0001 Add got section\n"
    log += "CMake Error at a.cmake:16 (message):\n  Failed to apply Ethos-U setup patches to /w/core_platform\n"
    assert rules(log) == [("patch-failed", "error"), ("cmake-failed", "info")]


def test_a_submodule_that_came_at_the_second_try_is_no_error() -> None:
    log = "fatal: unable to access 'https://github.com/a/b.git/': Failed to connect to github.com port 443: Connection timed out\n"
    assert rules(log) == [("download-failed", "error")]
    assert rules(log + "Submodule path 'third-party/b': checked out '896db54787'\n") == [("download-failed", "warning")]
    assert (
        rules(log + "2026-02-17 14:38:49,120 [ExecuTorch] INFO: All required submodules are present.\n")[0][1]
        == "warning"
    )


def test_a_log_that_ends_in_a_retry_is_no_error_yet() -> None:
    assert rules(RETRY.format(0)) == [("download-failed", "warning")]


@pytest.mark.parametrize(
    ("log", "wanted"),
    [
        (RETRY.format(0) + "  error: subprocess-exited-with-error\nCMake Error: CMAKE_CXX_COMPILER not set, after EnableLanguage\n", ["host-compiler-missing", "build-failed"]),
        (RETRY.format(0) + "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device\n", ["disk-full"]),
        ('CMake Error at CMakeTestCXXCompiler.cmake:60 (message):\n  The C++ compiler\n\n    "/usr/bin/c++"\n\n  is not able to compile a simple test program.\n', ["host-compiler-missing"]),
        ('CMake Error at CMakeTestCXXCompiler.cmake:60 (message):\n  The C++ compiler\n\n    "/w/arm-none-eabi-g++"\n\n  is not able to compile a simple test program.\n', ["toolchain-missing"]),
        ('CMake Error at CMakeTestCCompiler.cmake:70 (message):\n  The C compiler\n\n    "/usr/bin/gcc"\n\n  is not able to compile a simple test program.\n\n'
         "    gcc: error: unrecognized command-line option '-mthumb'\n", ["toolchain-wrong", "host-compiler-missing"]),
        ("git@github.com: Permission denied (publickey).\nfatal: Could not read from remote repository.\n", ["git-access"]),
        ("root@192.168.1.5: Permission denied (publickey,password).\n", ["ssh-refused"]),
        ("#9 12.3 CMake Error at CMakeLists.txt:3 (message): missing foo\n#9 ERROR: process \"/bin/sh -c cmake .\" did not complete successfully: "
         "exit code: 1\n", ["cmake-failed", "image-step-failed"]),
        ("ERROR: failed to solve: a/b:1: failed to do request: Head \"https://r.io/v2\": dial tcp: lookup r.io: no such host\n", ["download-failed"]),
        ("Host key verification failed.\n", ["ssh-refused"]),
        ("E: Could not open lock file /var/lib/dpkg/lock-frontend - open (13: Permission denied)\n"
         "E: Unable to acquire the dpkg frontend lock (/var/lib/dpkg/lock-frontend), are you root?\n", ["root-needed"]),
        ("E: Unable to acquire the dpkg frontend lock (/var/lib/dpkg/lock-frontend), is another process using it?\n", ["package-manager-busy"]),
        ("E: Failed to fetch http://a.com/a.deb  Temporary failure resolving 'a.com'\n", ["download-failed"]),
        ("E: Failed to fetch http://a.com/a.deb  404  Not Found [IP: 91.189.91.82 80]\n", ["package-list-old"]),
    ],
)  # fmt: skip
def test_causes_that_look_alike_are_told_apart(log: str, wanted: list[str]) -> None:
    assert [rule for rule, _ in rules(log)] == wanted


def test_the_password_of_an_address_is_not_shown() -> None:
    (finding,) = read_capture(
        "x", b"fatal: Authentication failed for 'https://me:secret@example.org/a.git/'\n"
    ).findings
    assert finding.rule == "git-access" and "example.org/a.git" in finding.title and "secret" not in finding.title


def test_bytes_that_are_no_utf_8_are_not_read_by_another_locale() -> None:
    head = 'Traceback (most recent call last):\n  File "/w/executorch/x.py", line 5, in <module>\n'
    for codec, advice in (("utf-8", False), ("charmap", True)):
        said = f"UnicodeDecodeError: '{codec}' codec can't decode byte 0x80 in position 0: x\n"
        (finding,) = read_capture("x", f"{head}{said}".encode()).findings
        assert finding.rule == "text-encoding" and ("PYTHONUTF8" in finding.advice) is advice


@pytest.mark.parametrize(
    ("failed", "then"),
    [
        ("2026-03-01 10:00:01 ERROR 503: Service Unavailable.\n", "2026-03-01 10:00:06 (1.00 MB/s) - \u2018a.tgz\u2019 saved [123/123]\n"),
        ("curl: (28) Operation timed out\n", "Warning: Problem : timeout. Will retry in 1 seconds. 3 retries left.\n"),
        ("curl: (28) Operation timed out\n", "[Arm Setup/fvp] download attempt 1 failed; retrying in 10s...\n"),
    ],
)  # fmt: skip
def test_a_download_that_came_at_the_second_try_is_no_error(failed: str, then: str) -> None:
    assert "error" in {severity for _, severity in rules(failed)}
    assert "error" not in {severity for _, severity in rules(failed + then)}
    assert "error" in {severity for _, severity in rules(failed + then + failed)}


ASKED = "--2026-03-01 10:00:0{}--  https://{}.org/{}\n"
NOT_FOUND = "HTTP request sent, awaiting response... 404 Not Found\n2026-03-01 10:00:01 ERROR 404: Not Found.\n"
SAVED = "Saving to: \u2018{0}\u2019\n2026-03-01 10:00:06 (1.00 MB/s) - \u2018{0}\u2019 saved [123/123]\n"


@pytest.mark.parametrize(
    ("second", "saved", "failed"),
    [("b.tgz", "b.tgz", True), ("a.tgz", "a.tgz", False), ("a.tgz?mirror=2", "a.tgz", False), ("a-1.1.tgz", "out.tgz", False)],
)  # fmt: skip
def test_a_file_that_is_not_there_is_told_although_another_one_came(second: str, saved: str, failed: bool) -> None:
    log = ASKED.format(0, "x", "a.tgz") + NOT_FOUND + ASKED.format(2, "y", second) + SAVED.format(saved)
    assert rules(log) == ([("download-failed", "warning")] if failed else [])


METER = "  0     0    0     0    0     0      0      0 --:--:-- --:--:-- --:--:--     0"


def test_the_error_of_curl_stands_behind_its_meter() -> None:
    lost = f"{METER}curl: (6) Could not resolve host: developer.arm.com\n"
    (found,) = read_capture("x", lost.encode()).findings
    assert found.rule == "download-failed" and "developer.arm.com" in found.title
    assert found.detail.startswith("The log says: curl: (6)")
    again = "Warning: Problem : timeout. Will retry in 5 seconds. 2 retries left.\n"
    assert rules(f"{lost}{again}") == [("build-log", "warning")], "it is tried again"
    assert rules("notes on curl: see (6) above\n") == []


def test_a_module_that_python_was_to_run_is_named() -> None:
    assert rules("/usr/bin/python3: No module named executorch\n") == [("missing-module", "error")]
    assert rules("/w/env/bin/python: No module named pip\n") == [("pip-missing", "error")]
    assert rules("/usr/bin/python3: No module named ensurepip\n") == [("venv-missing", "error")]


def test_what_made_the_folder_is_told_before_what_make_says() -> None:
    log = "CMake Error: Error: generator : Ninja\nDoes not match the generator used previously: Unix Makefiles\n"
    assert rules(f"{log}gmake: *** No rule to make target 'all'.  Stop.\n")[0] == ("build-reconfigure", "error")
    needed = "make: *** No rule to make target '/w/libexecutorch.a', needed by 'arm_executor_runner'.  Stop.\n"
    assert rules(needed)[0] == ("build-input-missing", "error")


@pytest.mark.parametrize(
    ("raised", "rule"),
    [
        ("ModuleNotFoundError: No module named 'executorch.exir'; 'executorch' is not a package", "module-hidden"),
        ("ModuleNotFoundError: No module named 'executorch.exir'", "missing-module"),
        ("OSError: /w/_portable_lib.so: undefined symbol: _ZN5torch3jit", "binary-mismatch"),
        ("OSError: /w/libcustom.so: wrong ELF class: ELFCLASS32", "library-wrong-machine"),
        ("RuntimeError: a and b must have same reduction dim, but got [1, 8] X [9, 4].", "shape"),
    ],
)
def test_what_python_could_not_load_or_compute(raised: str, rule: str) -> None:
    log = f'Traceback (most recent call last):\n  File "/a/torch/x.py", line 3, in <module>\n{raised}\n'
    assert rules(log) == [(rule, "error")]


@pytest.mark.parametrize(
    "line", ["fatal: not a git repository (or any of the parent directories): .git", "python3: No module named ccache",
             "realpath: /w/executorch/nothere: No such file or directory"],
)  # fmt: skip
def test_what_a_build_only_asked_for_is_no_failure(line: str) -> None:
    assert rules(f"{line}\n")[0][1] == "error"
    assert rules(f"{line}\n-- Configuring done\n") == [("build-log", "info")]
    assert rules(f"-- Configuring done\n{line}\n")[0][1] == "error"


def test_a_script_that_failed_of_a_package_stays_the_reason_while_others_build_on() -> None:
    log = "ModuleNotFoundError: No module named 'yaml'\n[3/9] Building C object a.o\nninja: build stopped: subcommand failed.\n"
    assert rules(log) == [("missing-module", "error"), ("build-failed", "info")]


PASSED = "I [executorch:arm_executor_runner.cpp:1 main()] Model run: 1\nI [executorch:arm_executor_runner.cpp:2 main()] Program complete, exiting.\n"


def test_what_comes_after_a_run_that_passed_is_none_of_its_failures() -> None:
    capture = read_capture("x", f"{PASSED}bash: ./next.sh: No such file or directory\n".encode())
    assert [run.status for run in capture.runs] == ["passed"]
    assert [(f.rule, f.severity) for f in capture.findings if f.run is None] == [("script-missing", "warning")]
    trace = (
        'Traceback (most recent call last):\n  File "/w/executorch/watch.py", line 3, in <module>\nKeyboardInterrupt\n'
    )
    assert [f.rule for f in read_capture("x", f"{PASSED}{trace}".encode()).findings if f.run is None] == []
    assert rules(trace) == [("interrupted", "error")]
    assert rules(trace.replace("executorch", "console")) == []


def test_a_compile_that_was_saved_has_not_failed_of_a_command_behind_it() -> None:
    saved = "PTE file saved as a.pte\n"
    assert rules(f"{saved}bash: line 3: flash-it: command not found\n") == [("command-missing", "warning")]
    assert rules(f"{saved}run.sh: line 3: cmake: command not found\n") == [("build-tool-missing", "error")]


def test_a_helper_that_was_ended_is_no_failure() -> None:
    assert rules("run.sh: line 5: 12345 Terminated              telnet localhost 5000\n") == []


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("bash: env/bin/activate: No such file or directory", "environment-missing"),
        ("run.sh: line 3: /w/.venv/bin/activate: No such file or directory", "environment-missing"),
        ("torchao 0.17.0 requires numpy, which is not installed.", "dependency-conflict"),
        ("tosa-tools 2026.5.0 has requirement numpy<2.2, but you have numpy 2.3.1.", "dependency-conflict"),
        (
            "ERROR: failed to build: failed to solve: failed to read dockerfile: open Dockerfile: no such file or directory",
            "missing-file",
        ),
    ],
)
def test_what_a_set_up_lacks_is_named(line: str, rule: str) -> None:
    assert rules(f"{line}\n") == [(rule, "error")]


@pytest.mark.parametrize(
    "line",
    [
        "The release has requirement lists, but you need not read them.",
        "vela requires numpy, which is not installed. So install it first.",
    ],
)
def test_words_about_requirements_are_no_failure(line: str) -> None:
    assert rules(f"{line}\n") == []


def test_the_text_that_quotes_an_error_is_no_part_of_it() -> None:
    log = "```\nCMake Error at a/CMakeLists.txt:20 (add_library):\n  Cannot find source file:\n\n    /w/a/b.cpp\n```\n\nWhat is wrong?\n"
    (found,) = read_capture("x", log.encode()).findings
    assert "`" not in found.title + found.detail and "What is wrong" not in found.title + found.detail


LEFT = (
    "[DEBUG 2031-02-03 04:05:06,789 xnnpack_config.py:152] WhyNoPartition: Node aten_mul_tensor was not partitioned because invalid dtype.\n"
    "[DEBUG 2031-02-03 04:05:06,790 xnnpack_config.py:152] WhyNoPartition: Node aten_mul_tensor_3 was not partitioned because invalid dtype.\n"
    "[DEBUG 2031-02-03 04:05:06,791 generic_node_configs.py:9] WhyNoPartition: Node aten_cat_default was not partitioned because of 7 inputs.\n"
)


def test_what_a_partitioner_refuses_is_told_with_its_reasons() -> None:
    (finding,) = read_capture("x", LEFT.encode()).findings
    assert (finding.rule, finding.severity, finding.lines) == ("operator-rejected", "warning", (1, 2, 3))
    assert finding.title == "XNNPACK's partitioner keeps nodes from its delegate: 2 x aten_mul_tensor, aten_cat_default"
    assert "aten_mul_tensor: invalid dtype; aten_cat_default: of 7 inputs." in finding.detail
    others = LEFT.replace("xnnpack_config.py", "checks.py")
    assert (
        read_capture("x", others.encode()).findings[0].title.startswith("A partitioner keeps nodes from its delegate")
    )


def test_a_makefile_that_make_does_not_understand_is_the_cause_of_what_stops() -> None:
    log = (
        "[ 97%] Built target portable_kernels\nrunner/CMakeFiles/ops.dir/build.make:77: *** target pattern contains no `%'.  Stop.\n"
        "make[1]: *** [runner/CMakeFiles/ops.dir/all] Error 2\nmake: *** [all] Error 2\n"
    )
    findings = read_capture("x", log.encode()).findings
    assert [(finding.rule, finding.severity) for finding in findings] == [
        ("makefile-unread", "error"),
        ("build-failed", "info"),
    ]
    assert findings[0].title.endswith("(runner/CMakeFiles/ops.dir/build.make:77)")


KEIL = (
    "*** Using Compiler 'V6.22', folder: 'C:\\Keil\\ARM\\ARMCLANG\\Bin'\nBuild target 'kws'\n"
    "armclang: error: no such file or directory: '../../kit/Source/startup_npu.c'\narmclang: error: no input files\ncompiling startup_npu.c...\n"
)
CHAIN = "../src/a.c(4): warning: In file included from...C:/kit/board.h(21): warning: In file included from..{}\n"


@pytest.mark.parametrize(
    "line",
    ["clang: error: no such file or directory: 'npu.cc'", "C:\\a\\arm-none-eabi-gcc.exe: error: ..\\src\\npu.c: No such file or directory"],
)  # fmt: skip
def test_a_source_that_the_compiler_did_not_get_is_named(line: str) -> None:
    for log in (f"{line}\n", KEIL + CHAIN.format(".../inc/x.hpp(3): error: unknown type name 'npu_t'")):
        found = read_capture("x", log.encode()).findings[0]
        assert (found.rule, "npu.c" in found.title) == ("build-input-missing", True)
    assert rules(f"#   {line}\n") == [], "what somebody remembers in a script"
    assert rules("arm-none-eabi-gcc: error: nosys.specs: No such file or directory\n") != [
        ("build-input-missing", "error")
    ]


@pytest.mark.parametrize(
    ("said", "rule", "named"),
    [
        (".C:/kit/m.h(31): error: 'core_cm55.h' file not found", "header-missing", "core_cm55.h of CMSIS-Core"),
        (".C:/kit/m.h(31): error: 'npu_cfg.h' file not found", "header-missing", "The header npu_cfg.h is missing"),
        (".C:/kit/m.h(31): error: 'tensorflow/lite/micro/a.h' file not found", "header-missing", "of TensorFlow Lite Micro"),
        (".C:/kit/m.h(31): error: 'FreeRTOSConfig.h' file not found", "header-missing", "by which an application configures a library"),
        (".../inc/x.hpp(3): error: unknown type name 'npu_t'", "compile-error", "(../inc/x.hpp(3))"),
        (".C:/kit/m.h(31): error: expected ';'", "compile-error", "(C:/kit/m.h(31))"),
    ],
)  # fmt: skip
def test_an_error_behind_the_files_that_include_each_other_is_told_with_its_own_place(
    said: str, rule: str, named: str
) -> None:
    (found,) = read_capture("x", CHAIN.format(said).encode()).findings
    assert found.rule == rule and named in found.title


def test_what_hides_a_package_may_be_another_one() -> None:
    (found,) = read_capture(
        "x", b"ModuleNotFoundError: No module named 'ethosu.vela'; 'ethosu' is not a package\n"
    ).findings
    assert found.title == "Another module called ethosu hides the package ethosu"
    assert "print(ethosu.__file__)" in found.advice and "ethosu.py" in found.advice


def test_the_quotes_around_what_vela_raises_are_no_part_of_it() -> None:
    for text in ("'Error: Only int9 goes.'", "'Only int9 goes.'", '"Only int9 goes."', "Only int9 goes."):
        (found,) = read_capture("x", f"ethosu.vela.errors.VelaError: {text}\n".encode()).findings
        assert (found.rule, found.title) == ("vela-failed", "Vela failed: Only int9 goes")


SCONS = "scons: Reading SConscript files ...\nscons: done reading SConscript files.\nscons: Building targets ...\nCC build/main.o\n"


def test_a_build_by_scons_is_a_build() -> None:
    assert rules(f"{SCONS}LINK app.elf\nscons: done building targets.\n") == [("build-log", "info")]
    failed = f"{SCONS}main.c:12:5: error: unknown type name 'ethosu_drivr'\nscons: *** [build/main.o] Error 1\n"
    assert rules(f"{failed}scons: building terminated because of errors.\n") == [
        ("compile-error", "error"),
        ("build-failed", "info"),
    ]


@pytest.mark.parametrize(
    ("raised", "by", "rule", "named"),
    [
        ("KeyError: 'op_type'", "executorch/devtools/backend_debug/delegation_info.py", "nothing-computed", "no operator"),
        ("AttributeError: 'complex' object has no attribute 'dtype'", "executorch/exir/pass_base.py", "operand-types", "a.py:1"),
    ],
)  # fmt: skip
def test_words_that_other_programs_raise_too_are_explained_where_executorch_raised_them(
    raised: str, by: str, rule: str, named: str
) -> None:
    head = 'Traceback (most recent call last):\n  File "/a/a.py", line 1, in <module>\n'
    ours = f'{head}  File "/a/site-packages/{by}", line 7, in f\n  File "/a/site-packages/pandas/frame.py", line 9, in g\n{raised}\n'
    if rule == "operand-types":
        ours += 'While executing %mul : [num_users=1]\nOriginal traceback:\n  File "/a/a.py", line 1, in forward\n'
    (found,) = read_capture("x", ours.encode()).findings
    assert found.rule == rule and named in found.title
    assert read_capture("x", f"{head}{raised}\n".encode()).findings == ()
