"""Lines of applications on boards with an Ethos-U that are made with the vendors' or Edge Impulse's kits: Renesas's RA8P1 and RZ/G3E, an i.MX93's Linux, and who classifies by Edge Impulse.

Edge Impulse's words stand in programs for any chip: they count only where a line has said that an Ethos-U is there.
"""

from __future__ import annotations

from .table import Pattern as P

APPLICATIONS: tuple[P, ...] = (
    # Renesas
    P(
        "driver_failed",
        "{:caller}: ERROR: Failed to initialize Ethos-U{:rest}",
        ("ethosu_initialize: ERROR: Failed to initialize Ethos-U driver: -1",),
        anywhere=True,
    ),
    P(
        "driver_failed",
        "{:tag} Failed to initialize Ethos-U{:rest}",
        ("[Hand Tracking] Failed to initialize Ethos-U device",),
        anywhere=True,
    ),
    P(
        "driver_failed",
        "ERROR: RM_ETHOSU_Open failed with code: {:int}",
        ("ERROR: RM_ETHOSU_Open failed with code: 1",),
    ),
    P(
        "driver_failed",
        "{:tag} RM_ETHOSU_Open failed: {:int}{:end}",
        ("[AI][ERR] RM_ETHOSU_Open failed: 1",),
        anywhere=True,
    ),
    P("driver_failed", "{:tag} RM_ETHOSU_Open FAILED{:end}", ("[AI] RM_ETHOSU_Open FAILED",), anywhere=True),
    P("driver_failed", "RM_ETHOSU_Open failed: {:int}", ("RM_ETHOSU_Open failed: 1",)),
    P("driver_failed", "RM_ETHOSU_Open FAILED", ("RM_ETHOSU_Open FAILED",)),
    P("renesas_started", "Ethos-U NPU successfully initialized", ("Ethos-U NPU successfully initialized",)),
    P(
        "renesas_frame",
        "Preprocess: {:int} us | Inference: {us:int} us | Postprocess: {:int} us",
        ("Preprocess: 5120 us | Inference: 24870 us | Postprocess: 830 us",),
    ),
    P(
        "renesas_time",
        "AI inference time : {ms:int} ms, {:int} fps",
        ("AI inference time                 :    4 ms,  250 fps",),
    ),
    P(
        "renesas_npu_time",
        "AI inference time (Ethos-U55) : {us:int} us, {:int} fps",
        ("AI inference time (Ethos-U55)     : 2410 us,  414 fps",),
    ),
    *(
        P(
            "renesas_failed",
            f"[failure: {application}_APP_{{what:name}}{{?]?}}: {{said:rest}}",
            (f"[failure: {application}_APP_INFERENCE]: AI inference failed.",),
        )
        for application in ("FACE_DET", "VISION_AI")
    ),
    # the runtime below Renesas's tools for Linux, which does not say what it runs on
    P("mera_started", "[console] [info] MERA {:name} Runtime", ("[console] [info] MERA 2.0 Runtime",), anywhere=True),
    P(
        "mera_started",
        "INFO - Loading deployment from Mera project {:rest}",
        ("INFO -  Loading deployment from Mera project '/opt/a' ...",),
    ),
    # its examples begin so where the console does not show the runtime's own line
    *(
        P(
            "mera_first",
            f"{mark}Inference Run #1, inference time: {{:float}}ms",
            (f"{mark}Inference Run #1, inference time: 61.250041ms",),
        )
        for mark in ("", "INFO - ")
    ),
    *(
        P(event, f"{mark}{template}", (f"{mark}{sample}",))
        for mark in ("", "INFO - ")  # those in C++ have no mark
        for event, template, sample in (
            (
                "mera_run",
                "Inference Run #{:int}, inference time: {:float}ms",
                "Inference Run #2, inference time: 68.420380ms",
            ),
            (
                "mera_average",
                "Average inference time: {ms:float}ms over {count:int} runs",
                "Average inference time: 68.02ms over 10 runs",
            ),
            (
                "mera_average",
                "Average Inference time: {ms:float}ms over {count:int} runs",
                "Average Inference time: 68.02ms over 10 runs",
            ),
        )
    ),
    P(
        "mera_class",
        "Top ({:int}) {index:int} ({percent:float}%) -> {label:rest}",
        ("Top (0) 282 (76.95%) -> tabby, tabby cat",),
    ),
    P("mera_share", "{percent:float}% -> {label:rest}", ("78.52% -> tabby, tabby cat",)),
    # what gives the Cortex-M33 of an i.MX93 its program and feeds it with frames, from Linux
    P("mailbox_pte", "PTE mailbox written ({size:int} bytes)", ("PTE mailbox written (3507872 bytes)",)),
    P(
        "mailbox_pte",
        "Mailbox written at {:status}: magic=PTED phys={:status} size={size:int}",
        ("Mailbox written at 0x202051f0: magic=PTED phys=0xb4000000 size=3507872",),
    ),
    P(
        "mailbox_stage",
        "stage={stage:status} status={:int} (t={:int}s)",
        ("stage=0xa1000015 status=1 (t=2s)",),
    ),
    P("mailbox_class", "argmax={index:int} total_floats={:int}", ("argmax=285 total_floats=1000",)),
    P("mailbox_left", "Done. Ctrl-C to release CMA buffer.", ("Done. Ctrl-C to release CMA buffer.",)),
    P("mailbox_ran", "Initial inference done (t={:int}ms)", ("Initial inference done (t=800ms)",)),
    P(
        "mailbox_frame",
        "frame {:int}/{:int}: argmax={:int} wall={:float}ms cycles={:int} ({:float} FPS avg)",
        ("frame 10/120: argmax=285 wall=40.9ms cycles=8110344 (24.4 FPS avg)",),
    ),
    P(
        "mailbox_lost",
        "Frame {frame:int}: timeout/error (status={status:status})",
        ("Frame 3: timeout/error (status=0xee)",),
    ),
    P("mailbox_fault", "FAULT: stage={stage:status}", ("FAULT: stage=0xfa170003",)),
    P("mailbox_fault", "FAULT detected: stage={stage:status}", ("FAULT detected: stage=0xfa170002",)),
    P("mailbox_done", "=== Video inference complete ===", ("=== Video inference complete ===",)),
    P("mailbox_count", "Frames: {count:int}", ("Frames:     120",)),
    P("mailbox_average", "Avg frame: {ms:float} ms", ("Avg frame:  40.9 ms",)),
    # the firmware of Ambiq's profiler, whose lines its host reads
    P("hpx_started", "--- HPX_START ---", ("--- HPX_START ---",)),
    P("hpx_engine", "HPX_ENGINE={engine:name}", ("HPX_ENGINE=executorch",)),
    P("hpx_npu", "HPX_NPU=ethos-{npu:name} init={:name}", ("HPX_NPU=ethos-u85 init=ok",)),
    P("hpx_model", "HPX_MODEL_SIZE={size:int}", ("HPX_MODEL_SIZE=53248",)),
    P("hpx_arena", "HPX_ARENA_SIZE={size:int}", ("HPX_ARENA_SIZE=524288",)),
    P("hpx_used", "HPX_ALLOCATED_ARENA={size:int}", ("HPX_ALLOCATED_ARENA=104508",)),
    P(
        "hpx_window",
        "HPX_HEARTBEAT phase=clean_window_begin {:rest}",
        ("HPX_HEARTBEAT phase=clean_window_begin iters=10 est_ms=120",),
    ),
    P("hpx_count", "HPX_CLEAN_INFER_COUNT={count:int}", ("HPX_CLEAN_INFER_COUNT=10",)),
    P("hpx_cycles", "HPX_CLEAN_INFER_TOTAL_CYCLES={cycles:int}", ("HPX_CLEAN_INFER_TOTAL_CYCLES=27270000",)),
    P("hpx_average", "HPX_CLEAN_INFER_AVG_US={us:int}", ("HPX_CLEAN_INFER_AVG_US=10908",)),
    P(
        "hpx_stage_failed",
        "HPX_ERROR=executorch stage={stage:name} error={status:int} planned={:int}",
        ("HPX_ERROR=executorch stage=load_method error=33 planned=20464",),
    ),
    *(
        P("hpx_failed", f"HPX_ERROR={what}{{:rest}}", (f"HPX_ERROR={what}",))
        for what in (
            "alloc_tensors_failed",
            "missing_ops",
            "model_init_failed",
            "schema_mismatch",
            "psram_init_failed",
            "psram_info_failed",
            "pmu_init_or_selftest_failed",
            "operator_count_exceeds_capacity",
            "bind_arena_failed",
            "const_blob_psram_write_failed",
            "stimer_dead",
        )
    ),
    P("driver_failed", "HPX_ERROR=npu_init_failed{:rest}", ("HPX_ERROR=npu_init_failed status=-1",)),
    P("hpx_ended", "--- HPX_END ---", ("--- HPX_END ---",)),
    # its example for the Ethos-U85, one picture after another
    P(
        "nsx_started",
        "{:label}on atomiq{:int} Ethos-U85 (TFLM + Vela){:end}",
        ("person_detect on atomiq110 Ethos-U85 (TFLM + Vela)",),
        anywhere=True,
    ),
    P(
        "nsx_model",
        "Model: {size:int} bytes (ethos-u85-{macs:int}, {:rest}",
        ("Model: 240000 bytes (ethos-u85-256, 100% NPU offload)",),
    ),
    P("driver_failed", "ERROR: nsx_npu_init failed (rc={:int}).", ("ERROR: nsx_npu_init failed (rc=2).",)),
    P("nsx_arena", "Arena: {used:int} / {capacity:int} bytes", ("Arena: 104000 / 524288 bytes",)),
    P(
        "nsx_ran",
        "{:tag} {ms:int} ms ({cycles:int} cycles) {:rest}",
        ("[zeros   ] 12 ms (583000 cycles)  no-person=90 person=-90 -> no-person",),
        anywhere=True,
    ),
    P("nsx_unrun", "{:tag} ERROR: Invoke() failed{:end}", ("[zeros] ERROR: Invoke() failed",), anywhere=True),
    # Edge Impulse
    *(
        P("impulse_result", template, (sample,))
        for template, sample in (
            (
                "Predictions (DSP: {:float} ms{?.?}, Classification: {ms:float} ms{?.?}{?, Anomaly: {:float} ms{?.?}?}): {?{:rest}?}",
                "Predictions (DSP: 12 ms., Classification: 3 ms., Anomaly: 0 ms.): ",
            ),
            (
                "Timing: DSP {:float} ms, inference {ms:float} ms, anomaly {:float} ms{:rest}",
                "Timing: DSP 12 ms, inference 3 ms, anomaly 0 ms",
            ),
        )
    ),
    P("impulse_chip", "Hello from Edge Impulse on {chip:rest}", ("Hello from Edge Impulse on Alif Ensemble E7",)),
    P("impulse_npu", "ARM ethos init", ("ARM ethos init",)),
    P("impulse_returned", "run_classifier returned: {code:int}", ("run_classifier returned: 0",)),
    *(
        P("impulse_failed", f"{mark}Failed to run {what} ({{code:int}})", (f"{mark}Failed to run {what} (-3)",))
        for what in ("classifier", "impulse")
        for mark in ("ERR: ", "")
    ),
)
