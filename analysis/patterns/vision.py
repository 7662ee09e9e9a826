"""Lines of applications that look at camera pictures without end: counters on Alif's boards, a detector on an FVP, classes on Renesas's
boards, hands on Beken's chip.

A frame that was worked through is all the verdict that they give.
"""

from __future__ import annotations

from .table import Pattern as P

VISION: tuple[P, ...] = (
    *(
        P("vision_started", template, (sample,))
        for template, sample in (
            (
                "Traffic counter: {:text} on the Ethos-{npu:name}, input {:rest}",
                "Traffic counter: YOLO26n on the Ethos-U55, input 416x416 RGB888, core 400 MHz, line at 208 vertical",
            ),
            (
                "YOLO26n cat detector: Ethos-{npu:name}, input {:rest}",
                "YOLO26n cat detector: Ethos-U85, input 416x416 RGB888, core 400 MHz",
            ),
        )
    ),
    P(
        "vision_frame",
        "frame {:int}: {:text} fps; frame {:int} us = input {:int} + detect {us:int} (NPU {:int}) + {:rest}",
        (
            "frame 0: 3 vehicles, 0 counted (0/0), 0.0 fps; frame 62011 us = input 1200 + detect 55100 (NPU 53820) + track 40 + picture 5200 + SDS 0",
            "frame 0: 1 cat, 0.0 fps; frame 62011 us = input 1200 + detect 55100 (NPU 53820) + picture 5200 + SDS 0; display thread 0",
        ),
    ),
    P(
        "vision_benchmark",
        "benchmark: {runs:int} runs, total min {:int} us avg {us:int} us, NPU min {:int} us avg {:int} us, {:rest}",
        (
            "benchmark: 199 runs, total min 55034 us avg 55087 us, NPU min 53801 us avg 53822 us, 3 vehicles",
        ),
    ),
    P("loader_method_failed", "detector: method load failed (err={status:int})", ("detector: method load failed (err=33)",)),
    P(
        "port_failed",
        "benchmark: program {:int} bytes, copy buffer {:int}",
        ("benchmark: program 2494464 bytes, copy buffer 1048576",),
    ),
    P("vision_failed", "detector: run failed (err={status:int})", ("detector: run failed (err=35)",)),
    # a detector of persons, whose camera is a virtual stream of an FVP
    P("vsi_started", "Initializing VSI camera and MPS3 LCD", ("Initializing VSI camera and MPS3 LCD",)),
    P("vsi_ended", "Video input ended", ("Video input ended",)),
    P("port_failed", "VSI camera error", ("VSI camera error",)),
    # Renesas's classifier under Zephyr
    P("loop_begun", "--- Loop inference ---", ("--- Loop inference ---",), "zephyr"),
    P("loop_class", "[{:int}] class {index:int} ({label:text}): {score:float}{?%?}", ("[1] class 817 (sports car): 61.20%", "[2] class 436 (beach wagon): 3.2362"), "zephyr"),
    P("loop_time", "Inference time: {us:int} us ({:int} ms)", ("Inference time: 24310 us (24 ms)",), "zephyr"),
    P("example_unfit", "Input size mismatch: got {size:int}, expected {expected:int}", ("Input size mismatch: got 12288, expected 49152",), "zephyr"),
    # TensorFlow Lite Micro on Beken's BK7259, with the mark of its own log before each line
    *(
        P(event, template, (f"hand_gst:I(1520):{sample}",), anywhere=True)
        for event, template, sample in (
            ("beken_started", "ethosu scratch -> {:name} {:pointer} size={:int}", "ethosu scratch -> HSRAM 0x28060010 size=262144"),
            (
                "beken_model",
                "model -> {:name} {address:pointer} size={size:int}{:end}",
                "model -> MEM_SLAB_UNCODED 0x60012340 size=1843200",
            ),
            ("beken_arena", "arena -> {:name} {:pointer} size={size:int}{:end}", "arena -> MEM_SLAB_UNCODED 0x60212340 size=1572864"),
            ("beken_used", "arena used {used:int} / {capacity:int} bytes", "arena used 1198332 / 1572864 bytes"),
            ("driver_failed", "bk_ethosu_init failed, ret={:int}", "bk_ethosu_init failed, ret=-1"),
            ("beken_time", " Invoke time: {ms:int} ms", "test_hands_1 Invoke time: 18 ms"),
            ("beken_found", ") detections={:int} ===", "=== test_hands_1 (640x480) detections=1 ==="),
            (
                "tensors_failed",
                "AllocateTensors failed (try increasing TFLM_ARENA_SIZE; have {:int} bytes)",
                "AllocateTensors failed (try increasing TFLM_ARENA_SIZE; have 1048576 bytes)",
            ),
            # its example, which knows persons
            ("beken_started", "EthosU0 scratch allocated from {:name}", "EthosU0 scratch allocated from HSRAM"),
            (
                "beken_model",
                "Model data loaded to {:name}: {address:pointer}, size={size:int} bytes",
                "Model data loaded to PSRAM: 0x60012340, size=300000 bytes",
            ),
            (
                "beken_arena",
                "Tensor arena allocated from {:name}: {:pointer}, size={size:int} bytes",
                "Tensor arena allocated from HSRAM: 0x28112340, size=102400 bytes",
            ),
            (
                "beken_person",
                "person score:{percent:int}%, no person score {:int}%",
                "person score:88%, no person score 12%",
            ),
        )
    ),
    P("beken_took", "):Invoke time: {us:int} us", ("tflm:I(18):Invoke time: 820 us",), anywhere=True),
    *(
        P(event, f":E({{:int}}):{template}", (f"hand_gst:E(1520):{sample}",), anywhere=True)
        for event, template, sample in (
            ("beken_unrun", "{:name}: Invoke failed{:end}", "test_hands_1: Invoke failed"),
            ("beken_unrun", "Invoke failed{:end}", "Invoke failed"),
            ("beken_unset", "AllocateTensors failed{:end}", "AllocateTensors failed"),
            ("beken_unheld", "{?runtime ?}alloc {what:text} failed, size={size:int}", "alloc model failed, size=1843216"),
            ("beken_unheld", "alloc {what:name} failed {size:int}", "alloc arena failed 1572864"),
            ("beken_unborn", "alloc ethosu scratch failed{:end}", "alloc ethosu scratch failed"),
            ("beken_unfit", "{what:name} shape mismatch: expect [{:text}]", "input shape mismatch: expect [1,320,320,3]"),
        )
    ),
    P("beken_took", ":I({:int}):{:name} Invoke time: {us:int} us", ("hand_gst:I(1520):test_hands_1 Invoke time: 820 us",), anywhere=True),
    # its detector of persons, behind no mark
    P(
        "beken_loaded",
        "PersonDetection resourceLoad model={size:int} arena={arena:int} scratch={:int} format={:int}",
        ("PersonDetection resourceLoad model=1843200 arena=2097152 scratch=131072 format=3",),
    ),
    P(
        "beken_used",
        "{:first} arena total={capacity:int} used={used:int} free={:int}",
        ("PersonDetectionModel arena total=2097152 used=1198332 free=898820",),
        anywhere=True,
    ),
    P("beken_took", "PersonDetection Invoke: {us:int} us", ("PersonDetection Invoke: 18120 us",)),
    *(
        P("beken_unrun", f"PersonDetection {what}", (f"PersonDetection {what}",))
        for what in ("Invoke failed", "input shape mismatch", "output count mismatch", "cannot identify regression output")
    ),
)  # fmt: skip
