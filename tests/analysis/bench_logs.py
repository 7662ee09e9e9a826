"""Two logs that the tests of a bench's tools put into what those tools write, and how they are read out of it."""

from __future__ import annotations

from ethosu_tui.analysis import CaptureReader, read_capture
from ethosu_tui.analysis.report import Capture, Run

ARM = (
    "I [executorch:arm_executor_runner.cpp:31 main()] Model PTE file loaded. Size: 4096 bytes.",
    "I [executorch:arm_executor_runner.cpp:32 main()] Model buffer loaded, has 1 methods",
    "I [executorch:arm_executor_runner.cpp:33 main()] Running method forward",
    "I [executorch:arm_executor_runner.cpp:34 main()] Setup Method allocator pool. Size: 65536 bytes.",
    "I [executorch:arm_executor_runner.cpp:35 main()] Preparing inputs...",
    "I [executorch:arm_executor_runner.cpp:36 main()] Model executed successfully.",
    "1 outputs: ",
    "Output[0][0]: (float) 0.250000",
    "Output[0][1]: (float) -0.750000",
    "I [executorch:arm_executor_runner.cpp:37 main()] Program complete, exiting.",
)


KIT = (
    "INFO - Running inference on model bench",
    "INFO - Final results:",
    "INFO - Profile for Inference:",
    "INFO - NPU AXI0_RD_DATA_BEAT_RECEIVED beats: 1410",
    "INFO - NPU ACTIVE cycles: 4049",
    "INFO - NPU IDLE cycles: 63",
    "INFO - NPU TOTAL cycles: 4112",
)


LOGS = [ARM, KIT]


def figures_of(text: str, piece: int = 0) -> list[tuple[object, ...]]:
    return [figures(run) for run in read_text(text, piece).runs]


def read_text(text: str, piece: int = 0) -> Capture:
    data = text.encode()
    if not piece:
        return read_capture("x", data)
    reader = CaptureReader("x")
    reader.look_at(data)
    for at in range(0, len(data), piece):
        reader.feed(data[at : at + piece])
    return reader.finish()


def figures(run: Run) -> tuple[object, ...]:
    return run.status, run.stage, run.runner.kind, run.model, run.memory, run.outputs, run.pmu


def joined(lines: tuple[str, ...] | list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
