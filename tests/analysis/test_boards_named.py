"""On which board a program of Linux ran: by the prompts of its shell and what its kernel says as it boots, and by nothing else."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from .port_logs import lines, read
from .test_scan import agree

RUNNER = "I 00:00:00.000120 executorch:executor_runner.cpp:476] "
ASKS = lines(RUNNER, "Model file m.pte is loaded.", "Using method forward", "Model loaded in 0.090000 ms.")
FAILED = (
    "E 00:00:00.000450 executorch:EthosUBackend_Cortex_A.cpp:318] Ethos-U Linux driver invocation failed: Failed to open device\n"
    "E 00:00:00.000470 executorch:method.cpp:1528] CALL_DELEGATE execute failed at instruction 1: 0x2\n"
    "F 00:00:00.000490 executorch:executor_runner.cpp:773] In function main(), assert failed (status == Error::Ok): "
    "Execution of method forward failed with status 0x2\nAborted\n"
)
CYCLES = "I 00:00:00.000450 executorch:EthosUBackend_Cortex_A.cpp:318] Ethos-U Linux delegate cycle counter: 1234\n"
DONE = lines(RUNNER, "Model executed successfully 1 time(s) in 0.125000 ms.", "1 outputs: ")
PASSED = f"{ASKS}{CYCLES}{DONE}OutputX 0: tensor(sizes=[1, 2], [0.5, 0.25])\n"
PROMPT = "root@imx93evk:~# "
CALL = "./executor_runner --model_path=m.pte\n"
BOOT = "[    0.000000] {}\n"
IMX93 = BOOT.format("Machine model: NXP i.MX93 11X11 EVK board")


@pytest.mark.parametrize(
    ("log", "platform", "npu"),
    [
        (f"{PROMPT}{CALL}{ASKS}{FAILED}{PROMPT}", "board", "ethos-u65"),
        (f"{ASKS}{FAILED}{PROMPT}", "board", "ethos-u65"),
        (f"{ASKS}{FAILED}user@imx93-11x11-frdm:/tmp$ dmesg | tail -1\n", "board", "ethos-u65"),
        (f"{ASKS}{FAILED}(venv) {PROMPT}", "board", "ethos-u65"),
        (f"root@board:~# {CALL}{ASKS}{FAILED}root@board:~# ", None, None),
        (f"$ ls /dev/ethosu0\n/dev/ethosu0\n$ {CALL}{ASKS}{FAILED}", None, None),
        (f"copied from a@imx93evk:~\n$ {CALL}{ASKS}{FAILED}$ ", None, None),
        (f"{IMX93}# {CALL}{ASKS}{FAILED}# ", "board", None),
        (BOOT.format("OF: fdt: Machine model: NXP i.MX93 9x9 QSB board") + ASKS + FAILED, "board", None),
        (BOOT.format("Machine model: ARM Corstone1000 FPGA MPS3 board") + ASKS + FAILED, "board", None),
        (BOOT.format("Machine model: ARM Corstone1000 FVP (Fixed Virtual Platform)") + ASKS + FAILED, "fvp", None),
        (BOOT.format("Machine model: ARM Corstone1000 FVP (Fixed Virtual Platform)") + PASSED, "fvp", None),
        (BOOT.format("Machine model: linux,dummy-virt") + ASKS + FAILED, None, None),
        (f"{PROMPT}{CALL}{ASKS}{RUNNER}Method loaded.\n{PROMPT}echo\n", "board", None),
    ],
)  # fmt: skip
def test_the_place_of_a_run_is_what_its_log_proves(log: str, platform: str | None, npu: str | None) -> None:
    (run,) = read(log).runs
    assert (run.target.platform, run.target.npu) == (platform, npu)


def test_a_kernel_names_the_machine_of_all_runs_until_the_next_boot() -> None:
    capture = read(f"{IMX93}{ASKS}{FAILED}# \n{ASKS}{FAILED}# \n")
    assert [run.target.platform for run in capture.runs] == ["board", "board"]
    assert [run.lines["target.platform"] for run in capture.runs] == [1, 1]
    firmware = lines("I [executorch:arm_executor_runner.cpp:677 f()] ", "PTE Model data loaded. Size: 960 bytes.")
    assert read(IMX93 + firmware).runs[0].target.platform is None, "what firmware prints may come from anywhere"
    assert not read(IMX93).runs


@pytest.mark.parametrize("seed", range(4))
def test_runs_that_somebody_ended_are_read_alike(seed: int) -> None:
    rng = random.Random(seed)
    ends = (
        "",
        "^C\n",
        "$ ^C\n",
        "words\nmore\n^C\n",
        "Terminated\n",
        "Killed by signal 2.\n",
        "exit code 130\n",
        "exit code 131\n",
        "words\n" * 9 + "^C\n",
        "$ \n",
    )
    begun = ASKS + RUNNER + "Inputs prepared.\n"
    runs = [PASSED, begun, begun + RUNNER + "Iteration 1 of 9: 3.250000 ms\n", ASKS][: seed + 1]
    log = "".join(rng.choice(runs) + rng.choice(ends) + "idle 1\n" * rng.choice((0, 0, 50)) for _ in range(300))
    agree(log.encode(), 4096, 100_003, both=True)


@pytest.mark.parametrize("seed", range(6))
def test_runs_between_prompts_of_several_boards_are_read_alike(seed: int) -> None:
    rng = random.Random(seed)
    hosts = ("", PROMPT + CALL, "root@other:~# " + CALL, "$ " + CALL, "some words\n")
    runs = [PASSED] if seed % 2 else [ASKS + DONE + "OutputX 0: tensor(sizes=[1, 2], [0.5, 0.25])\n", ASKS + FAILED]
    log = "".join(rng.choice(hosts) + rng.choice(runs).replace("1234", str(rng.randrange(9999))) for _ in range(400))
    agree(log.encode(), 4096, 100_003, both=True)


@pytest.mark.parametrize("seed", range(3))
def test_runs_beside_failed_launches_and_those_that_make_ended_are_read_alike(seed: int, samples: Path) -> None:
    rng = random.Random(seed)
    log = (samples / "mnist_q.log").read_text().splitlines(keepends=True)
    failed, ended = "bash: FVP_Corstone_SSE-320: command not found\n", "make: *** [Makefile:12: run] Interrupt\n"
    whole, parts = "".join(log), [("".join(log[:at]), "".join(log[at:])) for at in range(2, 50)]

    def piece() -> str:
        begin, rest = rng.choice(parts)
        return rng.choice((whole, whole, begin + failed + rest, begin + failed, failed, begin + ended))

    agree("".join(piece() for _ in range(80)).encode(), 4096, 100_003, both=True)
