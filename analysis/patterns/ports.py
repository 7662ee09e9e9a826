"""Ports of the runner: Zephyr samples, the Cortex-M33 port, CMSIS-Executorch."""

from __future__ import annotations

from .table import Pattern as P

PORTS: tuple[P, ...] = (
    P("zephyr_boot", "*** Booting Zephyr OS build {build:word} ***", ("*** Booting Zephyr OS build v4.4.0 ***",)),
    P(
        "zephyr_boot",
        "*** Booting Zephyr OS build {build:word} (delayed boot {:int}ms) ***",
        ("*** Booting Zephyr OS build v4.4.0 (delayed boot 100ms) ***",),
    ),
    P("zephyr_boot", "*** Booting Zephyr OS build ***", ("*** Booting Zephyr OS build ***",)),
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
        "demo_named",
        "The image has been classified as '{label:text}'",
        ("The image has been classified as 'king penguin'",),
        "tvm",
    ),
    P("demo_complete", "Score : {:float} AudioMarks", ("Score            : 607.506470 AudioMarks",), "audiomark"),
    P(
        "zephyr_output",
        "output[{tensor:int}]: {?tensor ?}scalar_type={dtype:name} numel={count:int}",
        ("output[0]: tensor scalar_type=Float numel=4", "output[0]: scalar_type=Float numel=12"),
        "zephyr",
    ),
    P("zephyr_element", "[{index:int}] = {value:element}", ("[0] = 0.500000",), "zephyr"),
    P(
        "raw_output",
        "Output[{tensor:int}]: dtype={dtype:int}, numel={count:int}, nbytes={size:int}",
        ("Output[0]: dtype=6, numel=1, nbytes=4",),
        "cm33",
    ),
    P("raw_element", "[{index:int}]={value:int} ({kind:name} raw){:rest}", ("[0]=1073741824 (float raw)",), "cm33"),
    # zephyr, after the inference
    P("zephyr_outputs", "Model outputs:", ("Model outputs:",), "zephyr"),
    P("output_other", "output[{tensor:int}]: non-tensor value", ("output[1]: non-tensor value",), "zephyr"),
    P("dump_skipped", "({dtype:name} tensor dump skipped)", ("(Half tensor dump skipped)",), "zephyr"),
    P(
        "input_converted",
        "Converting uint8 input ({count:int} elements) to float32",
        ("Converting uint8 input (150528 elements) to float32",),
        "zephyr 1.3..",
    ),
    P(
        "output_tensor",
        "Output tensor: scalar_type={dtype:name}, numel={count:int}",
        ("Output tensor: scalar_type=Float, numel=1000",),
        "zephyr 1.3..",
    ),
    P(
        "pte_size",
        "Model data loaded. Size: {size:int} bytes.",
        ("Model data loaded. Size: 3380576 bytes.",),
        "zephyr 1.3..",
    ),
    P(
        "class_named",
        'Predicted keyword: "{label:text}" (class {index:int})',
        ('Predicted keyword: "left" (class 6)',),
        "zephyr",
    ),
    P("predictions_start", "Top-{count:int} predictions:", ("Top-5 predictions:",), "zephyr 1.3.."),
    P("results_start", "--- Classification Results ---", ("--- Classification Results ---",), "zephyr 1.3.."),
    P("demo_model_size", "Model size: {size:int} bytes", ("Model size: 3380576 bytes",), "zephyr 1.3.."),
    P(
        "demo_input",
        "Input: [{:shape}] {:text} tensor ({size:int} bytes)",
        ("Input: [1, 3, 224, 224] NCHW RGB tensor (150528 bytes)",),
        "zephyr 1.3..",
    ),
    P(
        "demo_output",
        "Output: {count:int} classes (top-{:int} shown)",
        ("Output: 1000 classes (top-5 shown)",),
        "zephyr 1.3..",
    ),
    P(
        "planned_allocation_failed",
        "Could not allocate planned buffer size {size:int}",
        ("Could not allocate planned buffer size 752640",),
        "zephyr 1.3..",
    ),
    P(
        "input_mismatch",
        "Input size ({size:int}) and tensor size ({:int} elements, {expected:int} bytes) mismatch!",
        ("Input size (100) and tensor size (150528 elements, 602112 bytes) mismatch!",),
        "zephyr 1.3..",
    ),
    # a runner for the Cortex-A320 of Corstone-1000
    P(
        "npu_named",
        "ExecuTorch + Ethos-{npu:name} on Corstone-1000-A320",
        ("ExecuTorch + Ethos-U85 on Corstone-1000-A320",),
        "a320",
    ),
    P("backend_ready", "Ethos-U backend registered", ("Ethos-U backend registered",), "a320"),
    P(
        "a320_model",
        "Model at {address:word}, size: {size:int} bytes",
        ("Model at 0x80123450, size: 35280 bytes",),
        "a320",
    ),
    P("methods", "Model loaded, {count:int} methods", ("Model loaded, 1 methods",), "a320"),
    P("planned_buffer", "Planned buffer {index:int}: {size:int} bytes", ("Planned buffer 0: 2464 bytes",), "a320"),
    P(
        "pico_pool",
        "Method loaded. Allocator used: {used:int} / {capacity:int} bytes",
        ("Method loaded. Allocator used: 4210 / 2097152 bytes",),
        "a320",
    ),
    P("step_running", "Executing model...", ("Executing model...",), "a320"),
    P("a320_outputs", "Outputs ({count:int}):", ("Outputs (1):",), "a320"),
    P("zephyr_output", "[{tensor:int}]: {dtype:name}, numel={count:int}", ("[0]: Float, numel=2",), "a320"),
    P("a320_complete", "SUCCESS: program complete.", ("SUCCESS: program complete.",), "a320"),
    P("loader_program_failed", "Program load failed: {status:status}", ("Program load failed: 0x23",), "a320"),
    P("loader_method_failed", "Method load failed: {status:status}", ("Method load failed: 0x21",), "a320"),
    # the Cortex-M33 port for i.MX93, whose lines go to the remote processor's trace buffer
    P("outputs", "CM33: {count:int} output(s):", ("CM33: 1 output(s):",), "cm33"),
    P("raw_byte", "[{index:int}]=0x{value:name}", ("[0]=0x0f",), "cm33"),
    P("raw_elided", "... ({count:int} more elements)", ("... (992 more elements)",), "cm33"),
    P("raw_elided", "... ({count:int} total values)", ("... (1000 total values)",), "cm33"),
    P("output_other", "Output[{tensor:int}]: not a tensor", ("Output[1]: not a tensor",), "cm33"),
    P("cm33_step", "CM33: ethosu_init starting...", ("CM33: ethosu_init starting...",), "cm33"),
    P("cm33_step", "CM33: ethosu_init done", ("CM33: ethosu_init done",), "cm33"),
    P("cm33_step", "CM33: NPU IRQ enabled", ("CM33: NPU IRQ enabled",), "cm33"),
    # what a course prints of the same board
    P("runtime_ready", "ExecuTorch Runtime Starting...", ("ExecuTorch Runtime Starting...",)),
    P("loading_from", "Loading model from {address:address}", ("Loading model from 0x80200000",)),
    P("program_loaded", "Model loaded successfully", ("Model loaded successfully",)),
    P("step_timed", "Inference complete: {ms:float}ms", ("Inference complete: 38.6ms",)),
    P("cm33_started", "CM33: ExecuTorch runner started", ("CM33: ExecuTorch runner started",), "cm33"),
    # its driver, which reports its registers after each inference
    P(
        "npu_registers",
        "I: Test Case 10: bus_status_error {:status}, status {status:status}",
        ("I: Test Case 10: bus_status_error 0x1, status 0x8004",),
        "cm33",
    ),
    P(
        "npu_ended",
        "CM33: inference_end: STATUS={status:status} CMD={:word} QREAD={qread:int}{:rest}",
        ("CM33: inference_end: STATUS=0x00008004 CMD=0x00000002 QREAD=7348 CURRENT_QREAD=7580",),
        "cm33",
    ),
    P(
        "npu_interrupted",
        "CM33: irq_enter: STATUS={status:status} CMD={:word} QREAD={qread:int}{:rest}",
        ("CM33: irq_enter: STATUS=0x00008006 CMD=0x00000001 QREAD=7348 CURRENT_QREAD=7580",),
        "cm33",
    ),
    P(
        "npu_read_to",
        "I: Test Case 14: get read offset of command stream {qread:int}",
        ("I: Test Case 14: get read offset of command stream 7348",),
        "cm33",
    ),
    P(
        "npu_region",
        "CM33: base[{index:int}]={address:status} size={size:int}",
        ("CM33:   base[2]=0x00000000 size=0",),
        "cm33",
    ),
    *(  # all that Arm's guide for the board has it print
        P("npu_bus_bit", f"{what}bus_status_error {{bit:status}}", (f"{what}bus_status_error 0x1",), "cm33")
        for what in ("", "I: Test Case 10: ")
    ),
    *(
        P("cm33_step", f"I: Test Case {what} {{:status}}", (f"I: Test Case {what} 0x0",), "cm33")
        for what in (
            "10: faulting_inference",
            "10: faulting_channel",
            "11: cmd_parse_error",
            "12: wd_fault",
            "13: ecc_fault:",
        )
    ),
    *(
        P("cm33_step", text, (text,), "cm33")
        for text in (
            "I: Test Case 9: dma read/write to external memory",
            "I: Test Case 16: handle_optimizer_config: NPU config match",
            "I: Test Case 17: handle_optimizer_config: NPU arch match",
        )
    ),
    *(
        P("cm33_step", f"CM33: {template}", (f"CM33: {sample}",), "cm33")
        for template, sample in (
            ("inference_begin base_addrs={:rest}", "inference_begin base_addrs=3 fast_mem=0x00000000 fast_mem_size=0"),
            ("execute start {:rest}", "execute start inference=0 irq_count=0 manual_irq=0 timeout_count=0"),
            ("Ethos-U IRQ #{:int} enter", "Ethos-U IRQ #1 enter"),
            ("irq_enter: state={:rest}", "irq_enter: state=0 irq=1 bus=1 reset=0 parse=0 cmd_end=0"),
            ("inference_end irq_count={:rest}", "inference_end irq_count=1 manual_irq_count=0 timeout_count=0"),
            ("inference_end: state={:rest}", "inference_end: state=0 irq=0 bus=1 reset=0 parse=0 cmd_end=0"),
        )
    ),
    *(
        P("npu_command_end", f"{what}cmd_end_reached {{end:status}}", (f"{what}cmd_end_reached 0x1",), "cm33")
        for what in ("", "I: Test Case 14: ")
    ),
    P("driver_failed", "CM33: ethosu_init FAILED", ("CM33: ethosu_init FAILED",), "cm33"),
    P("heap_failed", "CM33: new({size:int}) FAILED!", ("CM33: new(4096) FAILED!",), "cm33"),
    P("heap_failed", "CM33: new[]({size:int}) FAILED!", ("CM33: new[](4096) FAILED!",), "cm33"),
    P("fault_banner", "CM33: *** HARD FAULT ***", ("CM33: *** HARD FAULT ***",), "cm33"),
    P(
        "fault_banner",
        "CM33: USAGE FAULT PC={pc:word} LR={lr:word} UFSR={:word}",
        ("CM33: USAGE FAULT PC=0x0ffe1234 LR=0x0ffe1200 UFSR=0x0008",),
        "cm33",
    ),
    P(
        "fault_banner",
        "BF PC={pc:word} LR={lr:word} BFAR={bfar:word} BFSR={:word}",
        ("BF PC=0ffe1234 LR=0ffe1200 BFAR=deadbeef BFSR=00000082",),
        "cm33",
    ),
    P("abort_called", "CM33: *** ET_PAL_ABORT CALLED ***", ("CM33: *** ET_PAL_ABORT CALLED ***",), "cm33"),
    # CMSIS-Executorch
    P("cmsis_started", "ExecuTorch Cortex-M Runner", ("ExecuTorch Cortex-M Runner",), "cmsis"),
    P("exit_code", "Inference completed with result: {code:int}", ("Inference completed with result: 0",), "cmsis"),
    P(
        "driver_failed",
        "Failed to initialize Arm Ethos-U driver",
        ("Failed to initialize Arm Ethos-U driver",),
        "cmsis",
    ),
    P(
        "driver_failed",
        "Failed to initialize Arm Ethos-U driver (rval={:int})",
        ("Failed to initialize Arm Ethos-U driver (rval=-1)",),
    ),
    # Zephyr's example with ExecuTorch's CMSIS pack, which loads a program and runs nothing
    P(
        "cmsis_started",
        "ML Inference Example (ExecuTorch from CMSIS-Pack)",
        ("ML Inference Example (ExecuTorch from CMSIS-Pack)",),
        "zephyr",
    ),
    P(
        "model_size",
        "ExecuTorch program loaded successfully ({size:int} bytes)",
        ("ExecuTorch program loaded successfully (4616 bytes)",),
        "zephyr",
    ),
    P("loader_program_failed", "Program::load() failed: {status:status}", ("Program::load() failed: 0x23",), "zephyr"),
    P(
        "loader_meta_failed",
        'method_meta("{:text}") failed: {status:status}',
        ('method_meta("forward") failed: 0x12',),
        "zephyr",
    ),
    P("a320_complete", "Inference setup complete.", ("Inference setup complete.",), "zephyr"),
    P("npu_macs", "MACs/cc: {macs:int}", ("MACs/cc:    128",), "cmsis"),
    P("npu_match", "NPU config match", ("NPU config match",)),
    P("npu_match", "NPU arch match", ("NPU arch match",)),
)
