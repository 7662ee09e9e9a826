"""Commands that a shell could not start: which of them were a simulator, and which a tool of the host."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture

from .port_logs import rules


def test_a_script_of_windows_is_no_simulator_that_did_not_start() -> None:
    log = "-bash: $'\\r': command not found\n-bash: zephyr-env.sh: line 70: syntax error: unexpected end of file\n"
    assert rules(log) == [("crlf", "error")]
    assert rules("run_fvp.sh: line 9: FVP_Corstone_SSE-320: command not found\n")[0][0] == "launcher-not-found"


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("/w/examples/arm/run.sh: 18: Bad substitution", "wrong-shell"),
        ("realpath: /w/examples/arm/executor_runner/standalone: No such file or directory", "missing-file"),
        ("bash: line 1: ./examples/arm/executor_runner/build.sh: No such file or directory", "script-missing"),
        ("zsh: ./setup.sh: Permission denied", "script-not-executable"),
        ("bash: line 1: /w/env/bin/python: Permission denied", "permission-denied"),
    ],
)
def test_a_script_that_could_not_be_started_is_no_simulator(line: str, rule: str) -> None:
    capture = read_capture("x", f"{line}\n".encode())
    assert capture.runs == () and [(f.rule, f.severity) for f in capture.findings] == [(rule, "error")]


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("bash: line 1: ./flatc: cannot execute binary file: Exec format error", "program-wrong-machine"),
        ("bash: ./vela: /old/env/bin/python3: bad interpreter: No such file or directory", "interpreter-missing"),
        ("-bash: ./setup.sh: cannot execute: required file not found", "crlf"),
        ("bash: ./vela: cannot execute: required file not found", "interpreter-missing"),
        ("/usr/bin/env: \u2018python\u2019: No such file or directory", "build-tool-missing"),
        ("FVP_Corstone_SSE-320: cannot execute binary file: Exec format error", "wrong-architecture"),
        ("/usr/bin/env: \u2018FVP_Corstone_SSE-320\u2019: No such file or directory", "launcher-not-found"),
    ],
)
def test_a_program_of_the_host_that_cannot_start_is_told_from_a_simulator(line: str, rule: str) -> None:
    capture = read_capture("x", f"{line}\n".encode())
    assert bool(capture.runs) == ("FVP" in line)
    assert capture.findings[0].rule == rule


def test_an_application_that_could_not_be_found_is_still_a_launch() -> None:
    (run,) = read_capture("x", b"realpath: a/arm_executor_runner.elf: No such file or directory\n").runs
    assert run.status == "not_started"


POOL = "E [executorch:memory_allocator.h:1 allocate()] Memory allocation failed: 16B requested (adjusted for alignment), 8B available\n"


@pytest.mark.parametrize("log", ["{0}{1}", "{1}{0}"])
def test_a_command_that_a_shell_does_not_know_is_no_cause_of_a_run_that_started(log: str) -> None:
    start = "I [executorch:arm_executor_runner.cpp:1 main()] PTE in 0x38000000 ExecuTorch file\n"
    capture = read_capture("x", log.format("bash: foo-tool: command not found\n", start + POOL).encode())
    severities = {f.rule: f.severity for f in capture.findings}
    assert severities["command-missing"] == "warning" and capture.runs[0].status == "failed"
    assert [f.run for f in capture.findings if f.severity == "error"][:1] == [1]


@pytest.mark.parametrize("name", ["conda", "stdbuf", "foo-tool", "ninja-x", "pipx"])
def test_a_command_that_is_not_there_is_no_simulator(name: str) -> None:
    assert rules(f"run.sh: line 3: {name}: command not found\n") == [("command-missing", "error")]
    assert read_capture("x", b"run.sh: line 3: FVP_Corstone_SSE-320: command not found\n").runs
    assert read_capture("x", b"bash: docker: command not found\n").findings[0].rule == "docker-missing"


def test_a_tool_that_handles_files_starts_no_simulator() -> None:
    assert rules("tar: FVP_corstone300.tgz: Cannot open: No such file or directory\n") == [("missing-file", "error")]
    assert rules("ls: cannot access 'FVP_corstone300.tgz': No such file or directory\n") == []


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("zsh: command not found: cmake", "build-tool-missing"),
        ("fish: Unknown command: cmake", "build-tool-missing"),
        ("fish: Unknown command: conda", "command-missing"),
        ("zsh: no such file or directory: env/bin/activate", "environment-missing"),
        ("zsh: command not found: conda", "command-missing"),
        ("zsh:1: command not found: vela", "vela-missing"),
        ("zsh:1: no such file or directory: ./install_executorch.sh", "script-missing"),
        ("zsh: no such file or directory: ./install_executorch.sh", "script-missing"),
        ("zsh: permission denied: ./setup.sh", "script-not-executable"),
        ("zsh: exec format error: ./flatc", "program-wrong-machine"),
        ("zsh: bad CPU type in executable: arm-none-eabi-gcc", "program-wrong-machine"),
        ("/bin/sh: /opt/gcc/bin/arm-none-eabi-g++: Bad CPU type in executable", "program-wrong-machine"),
        ("zsh: killed     python3 -m executorch.backends.arm.scripts.aot_arm_compiler -m mv2", "out-of-memory"),
        ("zsh: segmentation fault  python3 -m executorch.backends.arm.scripts.aot_arm_compiler", "program-crashed"),
        (
            "run.sh: line 5: 12345 Terminated      python3 -m executorch.backends.arm.scripts.aot_arm_compiler",
            "step-terminated",
        ),
    ],
)
def test_the_other_order_of_words_of_zsh_and_fish_is_read_as_well(line: str, rule: str) -> None:
    capture = read_capture("x", f"{line}\n".encode())
    assert capture.runs == () and [(f.rule, f.severity) for f in capture.findings] == [(rule, "error")]
    for words in (b"zsh: command not found", b"fish: Unknown command"):
        assert read_capture("x", words + b": FVP_Corstone_SSE-320\n").runs


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("xxd", "command-missing"),
        ("C:\\tools\\xxd.exe", "command-missing"),
        ("cmake", "build-tool-missing"),
        ("python3.11", "build-tool-missing"),
        ("arm-none-eabi-gcc", "toolchain-missing"),
        ("vela", "vela-missing"),
        ("tosa_reference_model", "tosa-reference-missing"),
        (".", "shell-of-windows"),
        ("source", "shell-of-windows"),
        ("examples/arm/setup.sh", "shell-of-windows"),
    ],
)
def test_the_shells_of_windows_know_no_such_command_either(name: str, rule: str) -> None:
    said = f"'{name}' is not recognized as an internal or external command,\noperable program or batch file.\n"
    assert rules(said) == [(rule, "error")]
    assert rules(f"make: {said}make: *** [out/a.o] Error 1\n")[0] == (
        rule,
        "error",
    )  # behind what is left of the command
    assert rules(f" to{said}")[0] == (rule, "error")
    shown = f"{name} : The term '{name}' is not recognized as the name of a cmdlet, function, script file, or operable program."
    assert rules(f"{shown} Check the spelling of the name.\n") == [(rule, "error")]
    newer = f"{name}: The term '{name}' is not recognized as a name of a cmdlet, function, script file, or executable program."
    assert rules(f"{newer}\nCheck the spelling of the name.\n") == [(rule, "error")]


def test_what_else_is_not_recognized_is_no_command() -> None:
    assert rules("The value 'x' is not recognized as a number\nNote: 'y' is not recognized as an option\n") == []
    assert rules("Note that 'x' is not recognized as the name of a cmdlet, so use y.\n") == []
    assert rules("### 'x' is not recognized as an internal or external command\n") == []


@pytest.mark.parametrize(
    "said",
    [
        "a/b.c: fatal error: cannot open out/a/b.su for writing: No such file or directory",
        "cc1plus: fatal error: opening output file out/a/b.s: File name too long",
        "C:/w/a/b.cpp:9:1: fatal error: opening dependency file C:/w/out/a/b.d: No such file or directory",
        "a/b.cpp:9:1: fatal error: opening dependency file out/a/b.d: No such file or directory",
        "Fatal error: can't create out/a/b.o: No such file or directory",
    ],
)
def test_a_file_that_the_compiler_cannot_write_is_told(said: str) -> None:
    found = rules(f"{said}\ncompilation terminated.\nmake: *** [a.mk:3: out/a/b.o] Error 1\n")
    assert found == [("output-not-written", "error"), ("build-failed", "info")]
    others = said.replace("No such file or directory", "Permission denied").replace(
        "File name too long", "Permission denied"
    )
    assert rules(f"{others}\n") == [("permission-denied", "error")]


@pytest.mark.parametrize("why", ["No such file or directory", "Permission denied"])
def test_a_file_that_a_tool_cannot_read_is_no_output(why: str) -> None:
    assert rules(f"mytool: fatal error: cannot open input.json: {why}\n") == [("command-failed", "error")]


@pytest.mark.parametrize("file", ["./arm_executor_runner.elf", "./arm_executor_runner", "build/app.axf"])
@pytest.mark.parametrize(
    "line",
    [
        "bash: line 1: {}: cannot execute binary file: Exec format error",
        "sh: 1: {}: Exec format error",
        "OSError: [Errno 8] Exec format error: '{}'",
    ],
)
def test_firmware_that_was_started_like_a_program_belongs_on_a_simulator(file: str, line: str) -> None:
    (finding,) = read_capture("x", f"{line.format(file)}\n".encode()).findings
    assert (
        finding.rule == "wrong-architecture" and f"{file} is firmware" in finding.title and "-a FILE" in finding.advice
    )


def test_a_simulator_for_another_machine_is_named_by_python_too() -> None:
    for name in ("FVP_Corstone_SSE-320", "/w/FVP_Corstone_SSE-300_Ethos-U55"):
        (finding,) = read_capture("x", f"E   OSError: [Errno 8] Exec format error: '{name}'\n".encode()).findings
        assert (finding.rule, finding.severity) == ("wrong-architecture", "error") and finding.title.startswith(name)


def test_a_simulator_whose_loader_is_missing_is_there() -> None:
    (finding,) = read_capture("x", b"bash: ./FVP_Corstone_SSE-320: cannot execute: required file not found\n").findings
    assert finding.rule == "library-missing" and "PATH" not in finding.advice and "uname -m" in finding.advice
