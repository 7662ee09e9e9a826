"""Ports and relatives of the runner: Zephyr samples, the Cortex-M33 port, ml-embedded-evaluation-kit, TFLM."""

from __future__ import annotations

from .table import Pattern as P

PORTS: tuple[P, ...] = (
    P("zephyr_boot", "*** Booting Zephyr OS build {build:word} ***", ("*** Booting Zephyr OS build v4.4.0 ***",)),
    P("zephyr_boot", "Booting Zephyr OS build {build:word} ***", ("Booting Zephyr OS build ff8b8697c0f5 ***",)),
    P(
        "backend_ready",
        "Ethos-U backend registered successfully",
        ("Ethos-U backend registered successfully",),
        "zephyr",
    ),
    P(
        "planned_total",
        "Computed planned buffer size={size:int}",
        ("Computed planned buffer size=64",),
        "zephyr",
    ),
    P(
        "input_room",
        "Preparing input: In use: {used:int}B, Free: {free:int}B",
        ("Preparing input: In use: 320B, Free: 192B",),
        "zephyr",
    ),
    P(
        "input_image",
        "Preparing input: {:text} ({size:int} bytes)",
        ("Preparing input: static RGB image (150528 bytes)",),
        "zephyr",
    ),
    P(
        "input_tensor",
        "Input tensor: scalar_type={dtype:name}, numel={count:int}, nbytes={size:int}",
        ("Input tensor: scalar_type=Float, numel=150528, nbytes=602112",),
        "zephyr",
    ),
    P("execute_start", "--- Starting inference ---", ("--- Starting inference ---",), "zephyr"),
    P("inference_time", "Inference completed in {ms:float} ms", ("Inference completed in 30 ms",), "zephyr"),
    P("inference_time", "Inference time: {ms:float} ms", ("Inference time: 30 ms",), "zephyr"),
    P(
        "prediction",
        "[{rank:int}] class {index:int}: {score:float}",
        ("[1] class 92: 3.2362",),
        "zephyr",
    ),
    P(
        "label_score",
        "[{index:int}] {label:name}: {score:float} (q: {:word})",
        ("[6] left: 0.1220 (q: 0x8f)",),
        "alif kws",
    ),
    P("demo_complete", " Demo Complete", ("MobileNetV2 Demo Complete",), "zephyr", anywhere=True),
    P(
        "zephyr_output",
        "output[{tensor:int}]: tensor scalar_type={dtype:name} numel={count:int}",
        ("output[0]: tensor scalar_type=Float numel=4",),
        "zephyr",
    ),
    P("zephyr_element", "[{index:int}] = {value:float}", ("[0] = 0.500000",), "zephyr"),
    P(
        "raw_output",
        "Output[{tensor:int}]: dtype={dtype:int}, numel={count:int}, nbytes={size:int}",
        ("Output[0]: dtype=6, numel=1, nbytes=4",),
        "cm33",
    ),
    P("raw_element", "[{index:int}]={value:int} ({kind:name} raw){:rest}", ("[0]=1073741824 (float raw)",), "cm33"),
    P("npu_match", "NPU config match", ("NPU config match",)),
    P("npu_match", "NPU arch match", ("NPU arch match",)),
    # ml-embedded-evaluation-kit and TFLM
    P("mlek_cycles", "INFO - NPU {event:name}: {value:int} cycles", ("INFO - NPU TOTAL: 405608 cycles",)),
    P("mlek_cycles", "INFO - NPU {event:name} cycles: {value:int}", ("INFO - NPU TOTAL cycles: 405608",)),
    P(
        "mlek_beats",
        "INFO - NPU {event:name}: {value:int} beats",
        ("INFO - NPU AXI0_RD_DATA_BEAT_RECEIVED: 125388 beats",),
    ),
    P(
        "mlek_beats",
        "INFO - NPU {event:name} beats: {value:int}",
        ("INFO - NPU AXI0_RD_DATA_BEAT_RECEIVED beats: 125388",),
    ),
    P("mlek_profile", "INFO - Profile for {what:text}:", ("INFO - Profile for Inference:",)),
    P("mlek_macs", "INFO - MACs/cc: {macs:int}", ("INFO - \tMACs/cc:    128",)),
    P("mlek_device", "INFO - Ethos-U device initialised", ("INFO - Ethos-U device initialised",)),
    P("mlek_arena", "INFO - Allocating tensors", ("INFO - Allocating tensors",)),
    P("mlek_failed", "ERROR - {what:name} failed.", ("ERROR - Inference failed.",)),
)
