"""What run_fvp.sh prints a second time, because it looked for problems in the log, is of the run that it has just shown."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.answers.of_capture import answers_in
from ethosu_tui.analysis.meaning.derive import derive
from ethosu_tui.analysis.rules.all_samples import samples
from ethosu_tui.analysis.rules.samples import render
from ethosu_tui.tui.commands.output import print_answers, print_findings

from .port_logs import RUNNER, read
from .test_scan import agree

START = (
    "Running a/arm_executor_runner for ethos-u85-256 run with FVP:FVP_Corstone_SSE-320 num_macs:256 timeout:600\n"
    "I [executorch:arm_executor_runner.cpp:1316 main()] PTE @ 0x70000000 [----ET12]\n"
)
LOADED = "I [executorch:arm_executor_runner.cpp:603 runner_init()] PTE Model data loaded. Size: 2208 bytes.\n"
DRIVER = "E: NPU config mismatch. npu.macs_per_cc=8, optimizer.macs_per_cc=7 (ethosu_device_u85.c:300)\n"
GAVE_UP = (
    "E [executorch:EthosUBackend_Cortex_M.cpp:230 platform_execute()] Ethos-U invocation failed error (-1)\n"
    "F [executorch:arm_executor_runner.cpp:1217 run_model()] In function run_model(), assert failed (status == Error::Ok): "
    "Execution of method forward failed with status 0x23\n"
)
FAULT = "Hard fault. irq=-13, pc=0x10003a3c, lr=0x10003a37, xpsr=0x61000000, sp=0x3007ff80\n"
REGISTERS = "            cfsr=0x00010000 bfar=0x00000000 mmfar=0x00000000\n"
LIMIT = "Info: Simulation is stopping. Reason: CPU time has been exceeded.\n"
SEARCH = "[backends/arm/scripts/run_fvp.sh] Simulation complete, 0\nChecking for a etdump in log\nChecking for problems in log:\n"
FAULTED = START + LOADED + DRIVER + GAVE_UP + FAULT + REGISTERS + SEARCH + DRIVER + GAVE_UP + FAULT + "Found ERROR\n"
STOPPED = START + LOADED + LIMIT + SEARCH + LIMIT + "Found ERROR\n"


@pytest.mark.parametrize(
    ("log", "status", "rule"), [(FAULTED, "failed", "npu-config-mismatch"), (STOPPED, "timeout", "time-limit")]
)
@pytest.mark.parametrize("stamp", ["", "2026-05-04T12:00:01.0000001Z "])
def test_a_failed_run_of_the_script_is_one_run(log: str, status: str, rule: str, stamp: str) -> None:
    capture = read_capture("x", "".join(stamp + line for line in log.splitlines(keepends=True)).encode())
    (run,) = capture.runs
    assert (run.status, run.last_line) == (status, log.count("\n"))
    assert [f.rule for f in capture.findings if f.severity == "error"] == [rule]
    assert all(line <= log.index(SEARCH) for f in capture.findings for line in f.lines)


def test_the_next_launch_is_another_run_even_where_the_end_of_the_search_was_lost() -> None:
    capture = read_capture("x", (FAULTED.replace("Found ERROR\n", "") + FAULTED).encode())
    assert [run.status for run in capture.runs] == ["failed", "failed"]
    assert capture.runs[1].first_line == FAULTED.count("\n")


def test_a_night_of_such_runs_is_read_alike_by_layouts() -> None:
    assert agree((FAULTED + STOPPED).encode() * 12, 1 << 18, 1000, both=True) >= 0


QUOTED = "E       RuntimeError: Corstone simulation failed. Problems: 2 found:\n" + "".join(
    f"E       {line}\n" for line in (DRIVER + GAVE_UP).splitlines()
)
AGAIN = "ERROR    executorch.backends.arm.test.runner_utils:runner_utils.py:666 Corstone simulation failed. Problems: 2 found:\n"
TEST = (
    f"=========== FAILURES ===========\n{QUOTED}\nbackends/arm/test/runner_utils.py:668: RuntimeError\n"
    "----------- Captured log call -----------\n"
    "ERROR    executorch.backends.arm.test.runner_utils:runner_utils.py:660 Corstone simulation failed:\n"
    "cmd: FVP_Corstone_SSE-320 -C mps4_board.subsystem.ethosu.num_macs=256 -a a/arm_executor_runner\nlog: \n"
    f" telnetterminal0: Listening for serial connection on port 5000\n{START.splitlines()[1]}\n{LOADED}{DRIVER}{GAVE_UP}{FAULT}{REGISTERS}\n"
    f"Info: /OSCI/SystemC: Simulation stopped by user.\n\n{AGAIN}{DRIVER}{GAVE_UP}"
)


def test_what_pytest_quotes_of_a_simulation_is_no_run_of_its_own() -> None:
    capture = read_capture("x", (TEST * 2 + "======= 2 failed in 9.1s =======\n").encode())
    assert [(run.status, run.model.address, run.target.name) for run in capture.runs] == [
        ("failed", "0x70000000", "ethos-u85-256")
    ] * 2
    assert [f.rule for f in capture.findings if f.severity == "error"] == ["npu-config-mismatch"] * 2


def test_where_only_the_quotation_was_pasted_it_is_read() -> None:
    capture = read_capture("x", QUOTED.encode())
    assert [run.status for run in capture.runs] == ["failed"]
    assert capture.findings[0].rule == "npu-config-mismatch"


def test_an_assertion_of_pytest_shows_the_console_once() -> None:
    console = "".join(f"{line}\n" for line in RUNNER)
    shown = repr(console)
    source = 'def test_a():\n>   assert "NOPE" in run("tests")\n'
    where = f"+  where {shown} = CompletedProcess(args=['x'], stdout={shown}, stderr='').stdout"
    said = f"E       AssertionError: assert 'NOPE' in {shown}\nE        {where}\n"
    summary = f"=== short test summary info ===\nFAILED test_a.py::test_a - AssertionError: assert 'NOPE' in {shown}\n {where}\n1 failed in 0.1s\n"
    capture = read(f"=== FAILURES ===\n{source}{said}\ntest_a.py:2: AssertionError\n{summary}")
    (run,) = capture.runs
    assert [(f.rule, f.title) for f in capture.findings] == [("test-failed", "The test test_a.py::test_a failed")]
    assert (run.status, run.first_line, run.outputs[0].first) == ("passed", 4, (0.5, 0.25))
    short = f"{shown[:150]}...{shown[-130:]}"  # its middle may have told that the run failed
    assert "exiting" in short and not read(f"{source}{said.replace(shown, short)}\ntest_a.py:2: AssertionError\n").runs
    junit = f'<failure message="assert &apos;NOPE&apos; in {short}">{source}{said.replace(shown, short)}</failure>\n'
    assert not read(junit).runs


def test_what_was_logged_live_and_is_shown_again_below_is_one_run() -> None:
    log = "".join(f"INFO     uart:test_a.py:8 {line}\n" for line in RUNNER)
    live = f"\n----- live log call -----\n{log}FAILED [100%]\n\n=== FAILURES ===\n___ test_a ___\n>   assert False\nE   assert False\n"
    for heading in ("test_a.py::test_a ", "test_a.py::test_a[x] "):
        (run,) = read(f"{heading}{live}----- Captured log call -----\n{log}=== short test summary info ===\n").runs
        assert (run.status, run.outputs[0].first) == ("passed", (0.5, 0.25))
    twice = f"test_a.py::test_a {live}test_a.py::test_b {live}"
    assert len(read(twice).runs) == 2


def test_what_was_logged_live_from_a_higher_level_on_is_only_a_part_of_what_is_shown_below() -> None:
    console = (
        "I [executorch:arm_executor_runner.cpp:677 runner_init()] PTE Model data loaded. Size: 960 bytes.",
        "E [executorch:method.cpp:900 set_input()] Error setting input 0: 0x12",
        "F [executorch:arm_executor_runner.cpp:780 runner_init()] Loading of method forward failed with status 0x12",
    )
    log = [f"{'INFO    ' if line[0] == 'I' else 'ERROR   '} uart:test_a.py:8 {line}\n" for line in console]
    live = f"----- live log call -----\n{''.join(log[1:])}FAILED [100%]\n\n=== FAILURES ===\n___ test_a ___\n"
    runs = read(f"{live}----- Captured log call -----\n{''.join(log)}=== short test summary info ===\n").runs
    assert (runs[-1].status, runs[-1].model.pte_bytes) == ("failed", 960)


def test_the_output_that_is_shown_below_what_was_logged_live_is_one_run() -> None:
    log = "".join(f"INFO     uart:test_a.py:8 {line}\n" for line in RUNNER)
    output = "".join(f"{line}\n" for line in RUNNER)
    live = f"test_a.py::test_a \n----- live log call -----\n{log}FAILED [100%]\n\n=== FAILURES ===\n___ test_a ___\n>   assert False\n"
    for below in (output, f"{output}----- Captured log call -----\n{log}", f"{output}another line\n"):
        (run,) = read(f"{live}----- Captured stdout call -----\n{below}=== short test summary info ===\n").runs
        assert (run.status, run.outputs[0].first) == ("passed", (0.5, 0.25))
    other = f"{live}----- Captured stdout call -----\nanother program\n{output}=== short test summary info ===\n"
    assert len(read(other).runs) == 2, "what was not shown live from its first line on is read"


def test_a_report_of_ours_behind_its_log_is_no_other_run(capsys: pytest.CaptureFixture[str]) -> None:
    for sample in samples():
        log = render(sample)
        alone = read(log)
        for found in answers_in(derive(alone)):
            print_answers(found.answers)
        print_findings(alone.findings)
        report = capsys.readouterr().out
        said = read(report)
        assert (said.runs, [f for f in said.findings if f.severity == "error"]) == ((), []), report
        both = read(f"{log}$ ethosu-tui analyze a.log\n{report}")
        assert len(both.runs) == len(alone.runs), report
