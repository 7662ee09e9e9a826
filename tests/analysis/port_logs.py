"""How the tests of ports write logs and read them."""

from __future__ import annotations

from ethosu_tui.analysis import Capture, Run, read_capture


def read(text: str) -> Capture:
    return read_capture("log", text.encode())


def rules(text: str) -> list[tuple[str, str]]:
    return [(finding.rule, finding.severity) for finding in read(text).findings]


def only(text: str) -> Run:
    (run,) = read(text).runs
    return run


def lines(prefix: str, *messages: str) -> str:
    return "".join(f"{prefix}{message}\n" for message in messages)


RUNNER = (
    "I [executorch:arm_executor_runner.cpp:677 runner_init()] PTE Model data loaded. Size: 960 bytes.",
    "I [executorch:arm_executor_runner.cpp:693 runner_init()] Model buffer loaded, has 1 methods",
    "I [executorch:arm_executor_runner.cpp:1150 run_model()] 1 inferences finished",
    "I [executorch:arm_executor_runner.cpp:1180 print_outputs()] 1 outputs: ",
    "Output[0][0]: (float) 0.500000",
    "Output[0][1]: (float) 0.250000",
    "I [executorch:arm_executor_runner.cpp:1550 main()] Program complete, exiting.",
    "Application exit code: 0.",
)
"""A short run of the runner as lines, around which tests put what other tools do."""
ARM = "I [executorch:arm_executor_runner.cpp:1 main()] "
LOADED = lines(ARM, "PTE @ 0x70000000 [----ET12]", "PTE Model data loaded. Size: 960 bytes.", "Running method forward")
END = lines(ARM, "Model run: 1", "Program complete, exiting.")


def inference(index: int, npu: int) -> str:
    return (
        lines(ARM, "Starting running 1 inferences...")
        + perf_block(npu, 4 * npu, npu // 2)
        + lines(ARM, "1 inferences finished", "Model run: 1", f"SERVER_INFERENCE_DONE {index}")
    )


def perf_block(npu: int, runtime: int, wait: int, inferences: int = 1) -> str:
    each = 1 / inferences
    return lines(
        "I [executorch:arm_perf_monitor.cpp:150 StopMeasurements()] ",
        f"NPU Inferences : {inferences}",
        f"NPU delegations: {inferences} (1.00 per inference)",
        "Profiler report, CPU cycles per operator:",
        f"ethos-u : cycle_cnt : {npu + 10} cycles ({(npu + 10) * each:.2f} per inference)",
        f"Operator(s) total: {npu + 10} CPU cycles ({(npu + 10) * each:.2f} per inference)",
        f"Inference runtime: {runtime} CPU cycles total ({runtime * each:.2f} per inference)",
        f"Inference CPU ratio: {100 * (runtime - wait) / runtime:.2f} %",
        f"Inference NPU ratio: {100 * wait / runtime:.2f} %",
        f"cpu_wait_for_npu_cntr : {wait} CPU cycles ({wait * each:.2f} per inference)",
        "Ethos-U PMU report:",
        f"ethosu_pmu_cycle_cntr :  {npu} ({npu * each:.2f} per inference)",
        f"ethosu_pmu_cntr0 : {npu // 8} ({npu // 8 * each:.2f} per inference)",
        f"ethosu_pmu_cntr1 : {npu // 16} ({npu // 16 * each:.2f} per inference)",
        "Ethos-U PMU Events:[ETHOSU_PMU_AXI0_RD_DATA_BEAT_RECEIVED, ETHOSU_PMU_NPU_IDLE]",
    )


BOOT_CLASSIFIER = "*** Booting Zephyr OS build v4.4.0 ***\n" + lines(
    "I [executorch:main.cpp] ",
    "Model PTE at 0x80077000, Size: 65536 bytes",
    "Method allocator pool size: 10000 bytes.",
    "Setting up planned buffer 0, size 2000.",
    "Method 'forward' loaded successfully",
)
"""The sample that classifies a picture, as far as before its inputs."""
