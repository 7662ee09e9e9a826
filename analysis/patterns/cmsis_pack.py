"""Lines of the examples of Arm's CMSIS packs for Ethos-U boards and FVPs: ExecuTorch and LiteRT demos, and SDS recorders with a classifier.

They print the NPU's version first and no log prefix.  Most of their words could be anyone's, so they count only in a run
that began with that banner or with a line that is their own.
"""

from __future__ import annotations

from .table import Pattern as P

CMSIS_PACK: tuple[P, ...] = (
    P("npu_banner", "Ethos-U version info:", ("Ethos-U version info:",)),
    P("task_arch", "Arch: v{arch:name}", ("Arch:       v2.0.0",)),
    P("task_driver", "Driver: v{version:name}", ("Driver:     v0.16.0",)),
    P(
        "npu_summary",
        "Ethos-U: v{arch:name}, {macs:int} MACs/cycle, command stream v{:int}",
        ("Ethos-U: v1.1.0, 256 MACs/cycle, command stream v0",),
    ),
    P(
        "npu_summary",
        "Ethos-U ready: arch v{arch:name}, MACs/cc {macs:int}",
        ("Ethos-U ready: arch v2.0.0, MACs/cc 256",),
    ),
    *(
        P("pack_model", f"ExecuTorch {{:text}}: {{size:int}} byte {what}", (sample,))
        for what, sample in (
            ("model", "ExecuTorch Ethos-U85 example: 8896 byte model"),
            ("program", "ExecuTorch pico-faces (m3_long_cfg, a16w8/a8w8): 2796016 byte program"),
        )
    ),
    P("pack_named", "ExecuTorch pico-faces ({:text})", ("ExecuTorch pico-faces (m3_long_cfg, a16w8/a8w8)",)),
    P(
        "pack_method",
        "{name:first} {:int} input(s), {:int} output(s), {size:int} planned byte(s)",
        ("decode    1 input(s), 1 output(s), 245760 planned byte(s)",),
        anywhere=True,
    ),
    P(
        "pack_running",
        "Generating: seed {:int}, {:int} steps, class {:int}, w {:float}",
        ("Generating: seed 3, 4 steps, class 1, w 4.0",),
    ),
    P("pack_result", "Image: {:int}x{:int}x{:int}, CRC32 {:rest}", ("Image: 128x128x3, CRC32 6b938c66",)),
    P(
        "pack_output",
        "Output: {count:int} element(s):{values:rest}",
        ("Output: 3 element(s): 0.0079 -0.0475 0.0791", "Output: 10 element(s):"),
    ),
    *(P("pack_passed", text, (text,)) for text in ("Test_result: PASS", "~~~ALL TESTS PASSED~~~")),
    P("verdict_failed", "Test_result: FAIL", ("Test_result: FAIL",)),
    P("pack_failed", "~~~SOME TESTS FAILED~~~", ("~~~SOME TESTS FAILED~~~",)),
    P("pack_failed", "~~~TESTS FAILED~~~{? ({:text})?}", ("~~~TESTS FAILED~~~ (max delta 0.310 > 0.10)",)),
    *(
        P(event, f"{said} (err={{status:int}})", (f"{said.replace('{:name}', 'decode')} (err=33)",))
        for event, said in (
            ("pack_program_failed", "Program::load failed"),
            ("pack_method_missing", "method {:name} not found in the program"),
            ("pack_method_failed", "load_method failed"),
            ("pack_method_failed", "load_method({:name}) failed"),
            ("pack_execution_failed", "execute failed"),
            ("pack_forward_failed", "forward failed"),
        )
    ),
    P(
        "pack_execution_failed",
        ": execute failed (err={status:int})",
        ("dit_step: execute failed (err=33)",),
        anywhere=True,
    ),
    # pictures that the NPU draws
    P("pack_named", "NPU render: {:rest}", ("NPU render: Ethos-U85 as a tensor coprocessor for a 3D pipeline",)),
    P("pack_named", "Hyperbolic tiling: {:rest}", ("Hyperbolic tiling: Ethos-U85 gathers, blends and upscales",)),
    P("pack_named", "Helium tiling: {:rest}", ("Helium tiling: full/half, 2x2 AA; Ethos half-scale upscale",)),
    P("pack_program", "program: {size:int} bytes, {:rest}", ("program: 7696 bytes, geometry 240x400",)),
    P("pack_display", "display: {:text} on (status {:int})", ("display: 480x800 RGB888 on (status 0)",)),
    P(
        "pack_frames",
        "frames {:int}..{:int} avg: {:text} | frame {:float} ms = {:float} fps{:rest}",
        ("frames 0..119 avg: vertex-NPU 148 us | frame 18.9 ms = 53.0 fps | max err 1.6/255",),
    ),
    P("pack_display", "display on ({:int}); {:rest}", ("display on (0); type help for controls",)),
    P(
        "pack_frames",
        "frame {:int}: {:name} AA {:int} iter {:int} | geometry {:float} ms, upscale {:float} ms | render {:float} ms | {:rest}",
        (
            "frame 12: half AA 1 iter 12 | geometry 16.2 ms, upscale 4.1 ms | render 24.1 ms | rounds/vector 6.21, capped 3/240",
        ),
    ),
    P("pack_unprepared", "upscale preparation failed", ("upscale preparation failed",)),
    P("pack_unfed", "upscale input failed", ("upscale input failed",)),
    P("pack_execution_failed", "upscale failed: {status:int}", ("upscale failed: 35",)),
    *(P("pack_unshown", words, (words,)) for words in ("display vblank timeout", "present failed")),
    # a game whose pictures the NPU enlarges
    P(
        "pack_pools",
        "[npu] program {size:int} bytes; method pool {method:int} B, temp pool {temp:int} B",
        ("[npu] program 412032 bytes; method pool 1245184 B, temp pool 2883584 B",),
    ),
    P(
        "pack_measured",
        "[npu] {:name} execute avg {:int} us, min {:int} us; {:rest}",
        ("[npu] qpresent      execute avg 7120 us, min 7101 us; IO copies 1820 us; NPU busy 5120 us; frame[0] -9",),
    ),
    P("pack_forward_failed", "[npu] {:name} failed (err={status:int})", ("[npu] qshade failed (err=33)",)),
    P("pack_program_failed", "program load failed (err={status:int})", ("program load failed (err=35)",)),
    P("pack_program_failed", "Program loading failed: {status:status}", ("Program loading failed: 0x23",)),
    P(
        "pack_forward_failed",
        "{:first} method failed (err={status:int})",
        ("tile method failed (err=33)",),
        anywhere=True,
    ),
    P(
        "inputs_failed",
        "{:first} input {:name}: unexpected shape [{:text}], model_params.h says [{:text}]",
        ("dit_step input z: unexpected shape [1,4,8,8], model_params.h says [1,4,16,16]",),
        anywhere=True,
    ),
    P("pack_meta_failed", "method_meta failed", ("method_meta failed",)),
    P("pack_outputs_missing", "forward returned no outputs", ("forward returned no outputs",)),
    # the test of all operators of a pack, one small program each
    P(
        "test_started",
        "Test_exec: {name:name} ({place:text}) pte={:int} bytes{?, {:int} input(s), {:int} expected?}",
        (
            "Test_exec: add (portable) pte=1536 bytes",
            "Test_exec: add (dir=portable_add) pte=1536 bytes, 2 input(s), 1 expected",
        ),
    ),
    P("test_passed", "Test_result: {:name} PASS", ("Test_result: add PASS",)),
    P(
        "test_reported",
        "Test_result: {name:name} PASS ({said:text})",
        ("Test_result: add PASS (delta max|err|=0.0078 > tol, reported)",),
    ),
    P("test_failed", "Test_result: {:name} FAIL", ("Test_result: add FAIL",)),
    P("test_failed", "Test_result: {:name} FAIL ({:text})", ("Test_result: add FAIL (execute)",)),
    P(
        "test_summary",
        "Test_result: SUMMARY {passed:int}/{total:int} {result:name}",
        ("Test_result: SUMMARY 167/167 PASS", "Test_result: SUMMARY 166/167 FAIL"),
        # its first version writes PASS whatever the numbers are
    ),
    *(
        P(f"test_{pool}_pool", f"{pool} pool: {{used:int}} / {{capacity:int}} (worst: {{:rest}}", (sample,))
        for pool, sample in (
            ("method", "method  pool:      84292 /     262144  (worst: conv2d)"),
            ("temp", "temp    pool:          0 /      65536  (worst: )"),
        )
    ),
    P(
        "test_memory",
        "MemReport: method={method:int} temp={temp:int} meta={:int} metatmp={:int}",
        ("MemReport: method=84292 temp=0 meta=88 metatmp=0",),
    ),
    # LiteRT
    P("pack_named", "Tensorflow LiteRT Hello World!", ("Tensorflow LiteRT Hello World!",)),
    *(
        P("pack_running", f"(INFO) Load {what} Model and Perform Inference{{:rest}}", (sample,))
        for what, sample in (
            ("Float", "(INFO) Load Float Model and Perform Inference (CPU)"),
            ("Quantized", "(INFO) Load Quantized Model and Perform Inference (Ethos-U)"),
        )
    ),
    # a classifier whose inputs and outputs are recorded, or played back
    P("pack_ready", "Model initialized. Ready for inference.", ("Model initialized. Ready for inference.",)),
    *(
        P(
            event,
            f"SDS {{?playback and ?}}recording{{? (#{{:int}})?}} {word}",
            (f"SDS playback and recording (#0) {word}", f"SDS recording (#0) {word}", f"SDS recording {word}"),
        )
        for event, word in (("sds_started", "started"), ("sds_stopped", "stopped"))
    ),
    *(
        P(event, f"==== SDS {what}", (f"==== SDS {what}",))
        for event, what in (
            ("sds_started", "recording started"),
            ("sds_stopped", "recording stopped"),
            ("sds_started", "playback started"),
            ("sds_played", "playback stopped"),
        )
    ),
    P(
        "pack_found",
        "Detected objects :: [x={:int}, y={:int}, w={:int}, h={:int}]",
        ("Detected objects :: [x=69, y=126, w=33, h=45]",),
    ),
    P("pack_found", "No object detected", ("No object detected",)),
    P(
        "sds_ended",
        "No more SDS data files for playback of input data!",
        ("No more SDS data files for playback of input data!",),
    ),
    P(
        "sds_failed",
        "SDS I/O {:text} initialization failed{:rest}",
        ("SDS I/O USB interface initialization failed or 'sdsio-server usb' unavailable!",),
    ),
    P("pack_classified", "Post-processed output:", ("Post-processed output:",)),
    P("pack_class", "Predicted class : {label:rest}", ("Predicted class : UNKNOWN",)),
    P("pack_confidence", "Confidence : {percent:float} %", ("Confidence      : 99.51 %",)),
    P("pack_time", "Inference time: {ms:float} ms.", ("Inference time: 24.120 ms.",)),
    P("pack_frame", "Post Process time: {:float} ms.", ("Post Process time: 0.420 ms.",)),
    P("pack_frame", "Display time: {:float} ms.", ("Display time: 1.250 ms.",)),
    P("pack_frame", "Total usecase time: {:float} ms.", ("Total usecase time: 41.900 ms.",)),
    P(
        "input_mismatch",
        "Input size ({size:int}) and tensor size ({expected:int}) mismatch!",
        ("Input size (150528) and tensor size (602112) mismatch!",),
    ),
    P("inputs_failed", "Failed to update input tensors: {status:status}", ("Failed to update input tensors: 0x12",)),
)
