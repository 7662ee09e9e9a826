"""Lines of Infineon's profiler for PSOC Edge, a ModusToolbox example, and of the middleware below it.

Its middleware prints the two averages for any application; what else stands in words of everybody counts only where it is at work.
"""

from __future__ import annotations

from .table import Pattern as P

_PROFILE = "PROFILE_INFO, MTB ML model profile, "
_STARS = "******************"

PSOC_EDGE: tuple[P, ...] = (
    P(
        "psoc_started",
        f"{_STARS} PSOC Edge MCU: Machine Learning {{?DEEPCRAFT ?}}Profiler{{? on {{place:text}}?}} {_STARS}",
        (
            f"{_STARS} PSOC Edge MCU: Machine Learning Profiler on CM55+U55 {_STARS}",
            f"{_STARS} PSOC Edge MCU: Machine Learning DEEPCRAFT Profiler {_STARS}",
        ),
    ),
    P("psoc_model", "MTB Tflite-Micro inference", ("MTB Tflite-Micro inference",)),
    P("psoc_size", "Model size : {:float} kB", ("Model size       \t:\t97.25   kB",)),
    P("psoc_arena", "Buffer size : {:float} kB", ("Buffer size      \t:\t45.50   kB",)),
    P(
        "psoc_frames",
        "Received: num frames:{frames:int} frame size:{:int} recurrent_ts_size:{steps:int}",
        ("Received: num frames:100 frame size:3072 recurrent_ts_size:0",),
    ),
    *(
        P(
            f"psoc_{unit}",
            f"{_PROFILE}avg_{unit}_cyc={{average:float}} , peak_{unit}_cyc={{most:float}}, peak_{unit}_frame={{:int}}, {unit}_freq_Mhz={{mhz:int}}",
            (f"{_PROFILE}avg_{unit}_cyc=120345.25 , peak_{unit}_cyc=120980, peak_{unit}_frame=0, {unit}_freq_Mhz=400",),
        )
        for unit in ("cpu", "npu")
    ),
    *(
        P(
            event,
            f"{word} with accuracy percentage ={{percent:float}}, total_cnt={{count:int}}",
            (f"{word} with accuracy percentage =97.00, total_cnt=100",),
        )
        for event, word in (("psoc_accurate", "PASS"), ("psoc_inaccurate", "FAIL"))
    ),
    P("psoc_done", "Profiling completed!", ("Profiling completed!",)),
    P("psoc_failed", "Profiling task failed!", ("Profiling task failed!",)),
    P(
        "psoc_stopped",
        "Inference error: Tflite-Micro status: {status:int}",
        ("Inference error: Tflite-Micro status: 1",),
    ),
    P("psoc_unfed", "Timed out waiting for start string", ("Timed out waiting for start string",)),
    P("port_failed", "MTB ML initialization failure: {:int}", ("MTB ML initialization failure: 84017153",)),
    P("driver_failed", "Failed to initialize Ethos-U55 device", ("Failed to initialize Ethos-U55 device",)),
    P(
        "inputs_failed",
        "Input buffer size error, file input size={:int}, model input size={:int}, aborting...",
        ("Input buffer size error, file input size=784, model input size=3072, aborting...",),
    ),
)
