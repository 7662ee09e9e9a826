"""Lines as they come from the field: drivers of all eras, boots in an unusual order, simulators that do not start."""

from __future__ import annotations

import pytest

from .port_logs import END, LOADED, lines, only, read

OLD_DRIVER = (
    "ethosu_init_v4. base_address=50100000, fast_memory=0, fast_memory_size=0, secure=1, privileged=1\n"
    "ethosu_register_driver: New NPU driver at address 20000a40 is registered.\nSoft reset NPU\nethosu_invoke_v3\n"
    "ethosu_invoke OPTIMIZER_CONFIG\nhandle_optimizer_config:\nOptimizer release nbr: 0 patch: 1\n"
    "Optimizer config cmd_stream_version: 0 macs_per_cc: 6 shram_size: 16\nOptimizer config Ethos-U version: 1.0.6\n"
    "Ethos-U config cmd_stream_version: 0 macs_per_cc: 6 shram_size: 16\nEthos-U version: 1.0.6\nethosu_invoke COMMAND_STREAM\n"
    "handle_command_stream: cmd_stream=0x60001230, cms_length 77\n"
)


def test_the_driver_of_2020_shows_npu_and_stage() -> None:
    run = only(OLD_DRIVER)
    assert (run.stage, run.target.name) == ("execute", "ethos-u55-64")
    ended = only(OLD_DRIVER + "ethosu_release_driver - Driver 20000a40 released\nEXITTHESIM\n")
    assert (ended.status, ended.stage) == ("truncated", "execute")
    assert only(OLD_DRIVER).status == "hung"


@pytest.mark.parametrize(
    ("message", "rule"),
    [
        ("W: IRQ received but qread (64) not at end of stream (512).", "npu-stopped"),
        ("Failure: IRQ received but qread (64) not at end of stream (512).", "npu-stopped"),
        ("E: NPU fault. status=0x00000804, qread=64, cmd_end_reached=0 (ethosu_driver.c:420)", "npu-bus-error"),
        ("NPU timeout", "npu-timeout"),
        ("E: NPU timeout. qread=64 (ethosu_device.c:12)", "npu-timeout"),
        ("Failed reset of Ethos-U", "npu-not-responding"),
        ("E: Failed to soft-reset NPU (ethosu_driver.c:410)", "npu-not-responding"),
        ("E: Failed to request power (ethosu_driver.c:330)", "npu-not-responding"),
        ("Failed to disable clock-q & power-q for Ethos-U", "npu-not-responding"),
        ("E: NPU config mismatch: npu.custom_dma=1 optimize.custom_dma=0 (ethosu_device.c:9)", "npu-config-mismatch"),
        (
            "E: Failure: Command stream addr 0x60001238 not aligned to 16 bytes (ethosu_driver.c:5)",
            "vela-stream-misaligned",
        ),
        ("ethosu_invoke ERROR custom_data_size=0x2a not a multiple of 4", "vela-stream-malformed"),
        ("ethosu_invoke UNSUPPORTED driver_action_command 9", "vela-stream-malformed"),
    ],
)
def test_what_drivers_of_any_age_refuse_is_the_root_cause(message: str, rule: str) -> None:
    capture = read(f"{OLD_DRIVER}{message}\nNode ethos-u (number 0) failed to invoke with status 1\nInvoke failed\n")
    (run,) = capture.runs
    assert (run.status, run.stage) == ("failed", "execute")
    assert [f.rule for f in capture.findings if f.severity == "error"] == [rule]


@pytest.mark.parametrize(
    ("arch", "macs", "name"),
    [
        ("v1.1.0", 128, "ethos-u55-128"),
        ("v1.0.6", 512, "ethos-u65-512"),
        ("v1.1.0", 256, None),
        ("v2.0.0", 256, "ethos-u85-256"),
    ],
)
def test_the_evaluation_kit_names_the_architecture(arch: str, macs: int, name: str | None) -> None:
    run = only(
        f"INFO - Ethos-U device initialised\nINFO - Ethos-U version info:\nINFO - \tArch:       {arch}\nINFO - \tMACs/cc:    {macs}\n"
    )
    assert (run.target.name, run.target.macs) == (name, macs)
    named = only(f"INFO - Ethos-U55 device initialised\nINFO - \tMACs/cc:    {macs}\n")
    assert named.target.name == f"ethos-u55-{macs}"


def test_counters_of_the_kit_without_its_mark() -> None:
    run = only(
        "NPU AXI0_RD_DATA_BEAT_RECEIVED beats: 40\nNPU ACTIVE cycles: 90\nNPU IDLE cycles: 10\nNPU TOTAL cycles: 100\n"
    )
    assert run.pmu is not None
    assert (run.runner.kind, run.pmu.npu_cycles) == ("mlek", 100)
    assert [c.value for c in run.pmu.counters] == [40, 90, 10]


BEFORE_ZEPHYR = (
    "I: Initializing NPU: base_address=0x50100000, fast_memory=0x0, fast_memory_size=0, secure=1, privileged=1\n"
)
BANNER = "*** Booting Zephyr OS build v4.2.0 ***\n"
JOB = (
    "sender 0: Sending inference. job=0x10, name=net\nrunner 0: Received inference job. job=0x10\n"
    "runner 0: Sending inference response. job=0x10\nsender 0: Received job response. job=0x10, status=0\n"
)


def test_drivers_that_speak_before_the_banner_of_zephyr_are_of_its_run() -> None:
    capture = read(
        BEFORE_ZEPHYR
        + "E: Failed to initialize device. Driver has not been compiled for this product (ethosu_device_u85.c:96)\n"
        "E: Failed to initialize Ethos-U device (ethosu_driver.c:453)\n" + BEFORE_ZEPHYR + BANNER + JOB
    )
    (run,) = capture.runs
    assert (run.first_line, run.status, run.runner.kind) == (1, "passed", "zephyr")
    assert all(f.severity != "error" for f in capture.findings)
    silent = read(BEFORE_ZEPHYR + "E: Failed to initialize Ethos-U device (ethosu_driver.c:418)\n" + BANNER)
    assert [run.status for run in silent.runs] == ["failed"]
    assert silent.findings[0].rule == "npu-not-responding"
    twice = read(BANNER + BEFORE_ZEPHYR + JOB + BEFORE_ZEPHYR + BANNER + JOB)
    assert [run.status for run in twice.runs] == ["passed", "passed"]


def test_a_backend_that_refuses_is_named() -> None:
    capture = read("E 00:00:01.000000 executorch:method.cpp:132] Init failed for backend SomeBackend: 0x1\n")
    assert (capture.runs[0].status, capture.runs[0].stage) == ("failed", "plan")
    assert "SomeBackend" in capture.findings[0].title
    lost = read("E 00:00:01.000000 executorch:method.cpp:107] Failed to load data for backend SomeBackend\n")
    assert (lost.runs[0].status, lost.runs[0].stage) == ("failed", "plan")


def test_a_simulator_that_numbers_its_errors_did_not_start() -> None:
    capture = read(
        "$ ./FVP_Corstone_SSE-300_Ethos-U55 -a a.elf\n"
        "Error: (E549) uncaught exception: /a/libarmctmodel.so: cannot enable executable stack as shared object requires\n"
    )
    assert [run.status for run in capture.runs] == ["not_started"]
    assert capture.findings[0].rule == "executable-stack"
    alone = read("cannot enable executable stack as shared object requires: Invalid argument\n")
    assert (alone.runs[0].status, alone.findings[0].rule) == ("not_started", "executable-stack")
    other = read("Error: (E123) something that nobody explains\n")
    assert other.runs[0].status == "not_started"


def test_cmsis_packs_that_are_missing() -> None:
    capture = read(
        "E: pdsc not found\nerror csolution: required pack: SOME::thing@1.2.3 not installed\n"
        "error csolution: processing context 'a.Debug+B' failed\n"
    )
    assert capture.runs == ()
    assert [(f.rule, f.severity) for f in capture.findings] == [
        ("cmsis-pack-missing", "error"),
        ("csolution-failed", "info"),
    ]
    assert "SOME::thing@1.2.3" in capture.findings[0].title


@pytest.mark.parametrize(
    ("said", "rule", "told"),
    [
        (
            "cbuild: missing packs must be installed, rerun cbuild with the --packs option",
            "cmsis-pack-missing",
            "packs",
        ),
        ('cbuild: exec: "west": executable file not found in $PATH', "command-missing", "west"),
        (
            "cbuild2cmake: compiler registration environment variable missing, format: IAR_TOOLCHAIN_<major>_<minor>_<patch>",
            "toolchain-missing",
            "IAR_TOOLCHAIN_",
        ),
        ("cbuild: error building 'cmake --build /w/tmp --target a.Debug+B'", "build-failed", ""),
        ("cbuild: error executing 'cmake' configuration", "build-failed", ""),
        ("cbuild: exit status 1", "build-failed", ""),
        ("cbuild: something else", "csolution-failed", "something else"),
        ("cbuild: error in getting list of missing packs", "cmsis-pack-missing", "could not install"),
        ("csolution: file '/w/.cmsis/a+b.dbgconf' not found; use --update-rte", "csolution-failed", "a+b.dbgconf"),
    ],
)
def test_what_the_cmsis_toolbox_lacks(said: str, rule: str, told: str) -> None:
    capture = read(f"error {said}\n")
    assert capture.runs == ()
    (finding,) = capture.findings
    assert finding.rule == rule
    assert told in finding.title


@pytest.mark.parametrize(
    "said",
    [
        "undefined reference to `{}'",
        "Error: L6218E: Undefined symbol {} (referred from a.o).",
        "ld.lld: error: undefined symbol: {}",
    ],
)
def test_a_function_of_the_core_driver_that_is_not_linked(said: str) -> None:
    for symbol in ("ethosu_init_v2", "ethosu_reserve_driver_ex", "ethosu_invoke_auto", "ETHOSU_PMU_Get_CCNTR"):
        (finding,) = read(said.format(symbol) + "\n").findings
        assert finding.rule == "undefined-reference"
        assert finding.title == f"The linker does not find {symbol} of the Ethos-U core driver"
    for symbol in ("ethosu_init_stub", "ethosu_monitor_poll", "EthosUBackend_execute_begin"):
        assert "core driver" not in read(said.format(symbol) + "\n").findings[0].title


def test_a_header_that_only_another_tensorflow_has() -> None:
    for header, rule in (("array.h", "define-missing"), ("micro/array.h", "header-missing")):
        (finding,) = read(f"/w/a.cc:8:10: fatal error: tensorflow/lite/{header}: No such file or directory\n").findings
        assert (finding.rule, finding.severity) == (rule, "error")
    assert (
        "-DTF_LITE_STATIC_MEMORY"
        in read("a.cc:8:1: fatal error: 'tensorflow/lite/array.h' file not found\n").findings[0].advice
    )


RELEASE = "Fast Models [11.30.1 (Jan  1 2026)]\nCopyright 2000-2026 ARM Limited.\nAll Rights Reserved.\n\n"
STOPPED = "Info: /OSCI/SystemC: Simulation stopped by user.\n"


def test_a_simulator_that_tells_its_release_is_no_run() -> None:
    asked = "$ FVP_Corstone_SSE-320 --version\n\n"
    assert read(RELEASE + STOPPED).runs == ()
    assert read(asked + RELEASE + STOPPED).findings == ()
    assert [run.status for run in read(RELEASE).runs] == ["not_started"]  # it may have gone on
    assert [run.status for run in read(RELEASE + "some program\n" + STOPPED).runs] == ["not_started"]
    ran = "telnetterminal0: Listening for serial connection on port 5000\nInput prepared.\nProgram complete, exiting.\n"
    (run,) = read(asked + RELEASE + STOPPED + "$ FVP_Corstone_SSE-320 -a a.elf\n" + ran + STOPPED).runs
    assert (run.status, run.first_line) == ("passed", 9)


def test_pip_names_the_packages_below_its_first_line() -> None:
    (finding,) = read(
        "ERROR: pip's dependency resolver does not currently take into account all the packages that are installed. This "
        "behaviour is the source of the following dependency conflicts.\n"
        "some-tool 1.0 requires other, which is not installed.\n"
        "some-tool 1.0 requires numpy<2, but you have numpy 2.9.1 which is incompatible.\n"
    ).findings
    assert finding.rule == "dependency-conflict"
    assert "some-tool 1.0 needs numpy<2" in finding.title


@pytest.mark.parametrize(
    "command",
    [
        "$ ./examples/arm/run.sh --model_name=net --target=ethos-u85-512 --memory_mode=Sram_Only",
        "+ bash run.sh --target=ethos-u85-512 --memory_mode=Sram_Only",
        "`backends/arm/scripts/run_fvp.sh --memory_mode=Sram_Only --target=ethos-u85-512`",
    ],
)
def test_a_command_above_the_log_names_the_target(command: str) -> None:
    done = "I [executorch:arm_executor_runner.cpp:783] Program complete, exiting.\n"
    run = only(f"{command}\n```\n\n```\n{done}")
    assert (run.status, run.target.name, run.target.macs, run.target.memory_mode) == (
        "passed", "ethos-u85-512", 512, "Sram_Only",
    )  # fmt: skip
    assert read(f"{command}\n").runs == ()
    macs = only(f"FVP_Corstone_SSE-320 \\\n    -C mps4_board.subsystem.ethosu.num_macs=512 \\\n    -a a.elf\n{done}")
    assert macs.target.macs == 512


def test_nxp_microcontrollers_are_boards_with_a_runner_of_their_own() -> None:
    run = only("Model PTE file loaded. Size: 4242 bytes.\nStarting the model execution...\nModel executed successfully.\n"
               "     Inference time: 777 us\nProgram complete, exiting.\n")  # fmt: skip
    assert (run.runner.kind, run.target.platform, run.times.inference_seconds) == ("other", "board", 0.000777)
    arm = only(
        "PTE Model data loaded. Size: 4242 bytes.\nNPU delegations: 1 (1.00 per inference)\nProgram complete, exiting.\n"
    )
    assert (arm.runner.kind, arm.status) == ("arm_executor_runner", "passed")


ARM = "I [executorch:arm_executor_runner.cpp:1 main()] "
WHOLE = lines(
    ARM, "PTE @ 0x70000000 [----ET12]", "PTE Model data loaded. Size: 960 bytes.", "Program complete, exiting."
)


@pytest.mark.parametrize(
    "before",
    [
        lines(
            "E ",
            "[executorch:arm_executor_runner.cpp:9 main()] Could not open file a.pte (errno: 2) for reading, exiting!",
        ),
        "I: Acquiring NPU driver handle (ethosu_driver.c:310)\n"
        "E: NPU config mismatch. npu.macs_per_cc=6, optimizer.macs_per_cc=8 (ethosu_device_u55_u65.c:337)\n",
        "F [executorch:result.h:165 f()] In function CheckOk(), assert failed: hasValue_\n",
    ],
)
def test_a_run_that_failed_before_its_program_does_not_go_on_to_load_one(before: str) -> None:
    capture = read(before + "some words between\n" + WHOLE)
    assert [run.status for run in capture.runs] == ["failed", "passed"]
    assert (capture.runs[1].model.pte_bytes, capture.runs[1].model.address) == (960, "0x70000000")


def test_a_launch_that_is_over_is_not_the_next_runs() -> None:
    capture = read(
        "FVP_X: cannot execute binary file\n[backends/arm/scripts/run_fvp.sh] Simulation complete, 0\nNo problems found!\n"
        + WHOLE
    )
    assert [run.status for run in capture.runs] == ["not_started", "passed"]


def test_the_banner_of_zephyr_after_the_last_line_begins_nothing() -> None:
    zephyr = lines(ARM, "PTE at 0x70000000 Size: 944 bytes", "Preparing input: In use: 320B, Free: 192B",
                   "SUCCESS: Program complete, exiting.")  # fmt: skip
    capture = read(zephyr + BANNER + WHOLE)
    assert [(run.status, run.runner.kind) for run in capture.runs] == [
        ("passed", "zephyr"),
        ("passed", "arm_executor_runner"),
    ]
    again = read(BANNER + zephyr + BANNER + zephyr)
    assert [run.runner.kind for run in again.runs] == ["zephyr", "zephyr"]


def test_samples_of_zephyr_are_known_by_their_words() -> None:
    run = only(lines(ARM, "Model executed successfully.", "Model outputs:", "  output[0]: tensor scalar_type=Float numel=1",
                     "    [0] = 3.500000", "SUCCESS: Program complete, exiting."))  # fmt: skip
    assert (run.status, run.runner.kind, run.outputs[0].first) == ("passed", "zephyr", (3.5,))
    jobs = "sender 0: Sending inference. job=0x10, name=net\nsender 1: Sending inference. job=0x20, name=net\n"
    jobs += "sender 0: Received job response. job=0x10, status=0\n"
    assert only(jobs).status == "truncated"
    assert only(jobs + "...\nAll inferences completed successfully!\n").status == "passed"


def test_a_runner_cpp_of_another_program_is_not_arms() -> None:
    run = only(
        "I 00:00:00.000242 executorch:runner.cpp:50] Creating some runner\nI 00:00:00.000243 executorch:runner.cpp:69] Reading\n"
    )
    assert run.runner.kind == "other"
    assert (
        only("I executorch:runner.cpp:64] Model PTE file loaded. Size: 960 bytes.\n").runner.kind
        == "arm_executor_runner"
    )


@pytest.mark.parametrize("quoted", ["- `{}`", "* `{}`", "__output__{}"])
def test_lines_of_a_page_that_each_show_what_they_are(quoted: str) -> None:
    messages = ("PTE Model data loaded. Size: 4321 bytes.", "ethosu_pmu_cycle_cntr : 777 (777.00 per inference)",
                "Program complete, exiting.")  # fmt: skip
    run = only("".join(quoted.format(message) + "\n" for message in messages))
    assert run.pmu is not None
    assert (run.status, run.model.pte_bytes, run.pmu.npu_cycles) == ("passed", 4321, 777)


@pytest.mark.parametrize(
    "before",
    [
        "11-03 07:08:09.123: {}/ETLOG(4321): ",
        "11-03 07:08:09.123 {}/ExecuTorch( 4321): ",
        "{}/ExecuTorch( 4321): ",
        "11-03 07:08:09.123  4321  4399 {} ExecuTorch: ",
        "2025-11-03 07:08:09.123  4321-4399  ExecuTorch              com.example.app      {}  ",
        "2023-11-03 07:08:09.123 4321-4399/com.example.app {}/ETLOG: ",
    ],
)
def test_the_log_of_an_android_device(before: str) -> None:
    text = (
        before.format("E") + "Missing operator: [3] aten::mul.out\n"
        "11-03 07:08:09.130  4321  4399 I Choreographer: Skipped 31 frames!\n"
        + before.format("A" if "/" in before else "F")
        + "[method.cpp:12] In function load(), assert failed (false): no method\n"
    )
    run = only(text)
    assert (run.status, run.runner.kind) == ("failed", "other")
    assert read(text).findings[0].title == "The runner has no kernel for aten::mul.out"


def test_linkers_of_apple_name_what_they_miss() -> None:
    old = (
        'Undefined symbols for architecture arm64:\n  "net::load(char const*)", referenced from:\n      _main in a.o\n'
    )
    new = "ld: Undefined symbols:\n  net::load(char const*), referenced from:\n      _main in a.o\n"
    docker = "2025-03-04 05:06:07 -0800 -- INFO: [docker] /w/a.cpp:9: undefined reference to `net::load(char const*)'\n"
    for text in (old, new, docker):
        assert "The linker does not find net::load" in [finding.title for finding in read(text).findings]


def test_another_program_on_the_simulator_is_not_a_silent_runner() -> None:
    start = (
        "telnetterminal0: Listening for serial connection on port 5000\n    Ethos-U rev 136b7d75 --- Apr 12 2023 13:44:01\n"
        "    (C) COPYRIGHT 2019-2023 Arm Limited\n    ALL RIGHTS RESERVED\n\n"
    )
    limit = "Info: Simulation is stopping. Reason: Simulated time has been exceeded.\n"
    for text, rule in ((start, "runner-silent"), (start + "Tick 1 of 9\n", "other-program")):
        capture = read(text + limit)
        assert (capture.runs[0].status, capture.findings[0].rule) == ("not_started", rule)
    assert [run.status for run in read(start + "Tick 1 of 9\n" + LOADED + END + limit).runs] == ["passed"]


def test_what_stands_behind_the_prompt_of_a_shell_is_no_program_on_the_simulator() -> None:
    start = "    Ethos-U rev 136b7d75 --- Apr 12 2023 13:44:01\n    (C) COPYRIGHT 2019-2023 Arm Limited\n"
    for behind, rule in (
        ("dev@lab7:~/out$ ls\nbuild run.log\n", "never-started"),
        ("We waited for ten minutes.\nAny idea?\n", "never-started"),
        ("Tick 1 of 9\n", "other-program"),
        ("I [executorch:arm_executor_run", "never-started"),  # cut inside its first line
    ):
        (run,) = (capture := read(start + behind)).runs
        assert (run.status, capture.findings[0].rule) == ("not_started", rule), behind


def test_a_page_may_show_the_outputs_after_the_run() -> None:
    values = lines("", "Output[0][0]: (float) 0.25", "Output[0][1]: (float) -4.5")
    fence, ended = "```\n\nWhat it gave:\n\n```text\n", lines(ARM, "Program complete, exiting.")
    run = only("```text\n" + LOADED + ended + fence + values + "```\n")
    assert (run.status, run.outputs[0].first) == ("passed", (0.25, -4.5))
    assert len(read(LOADED + values + ended + fence + values).runs) == 2
