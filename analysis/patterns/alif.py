"""Lines of bare-metal applications for Alif's Ensemble that print through Segger RTT, with ``[E]`` or ``[ET:E]`` before the runtime's own.

The public ones are an image classifier of a workshop, which says of each step that it is done, three for digits, whose numbers
are those of a course, and those of a maker of modules.
"""

from __future__ import annotations

from .table import Pattern as P

ALIF: tuple[P, ...] = (
    P("npu_named", "Ethos-{npu:name} NPU initialized{:rest}", ("Ethos-U85 NPU initialized (polling mode)",)),
    P("model_size", "Model bytes: {size:int}", ("Model bytes: 3835552",)),
    P("runtime_ready", "ExecuTorch runtime initialized", ("ExecuTorch runtime initialized",)),
    P("program_loaded", "Program loaded successfully", ("Program loaded successfully",)),
    P(
        "method",
        "Method '{name:text}': {:int} inputs, {:int} outputs, {:int} planned buffers",
        ("Method 'forward': 1 inputs, 1 outputs, 1 planned buffers",),
    ),
    P("planned_buffer", "Planned buffer[{index:int}]: {size:int} bytes", ("Planned buffer[0]: 752640 bytes",)),
    P("method_load_start", "Loading method '{:text}'...", ("Loading method 'forward'...",)),
    P("method_loaded", "Method loaded, {:int} inputs, {:int} outputs", ("Method loaded, 1 inputs, 1 outputs",)),
    P("inputs_ready", "Input tensor set ({:rest}", ("Input tensor set (1x3x224x224 float32)",)),
    P("step_running", "Running inference...", ("Running inference...",)),
    P("step_done", "Inference complete!", ("Inference complete!",)),
    P("step_done", "Inference completed!", ("Inference completed!",)),
    P("output_elements", "Output tensor: {count:int} elements", ("Output tensor: 1000 elements",)),
    P("class_best", "Top-1 class: {index:int}", ("Top-1 class: 283",)),
    P("class_named", "Detected: {label:text}! (ImageNet class {index:int})", ("Detected: cat! (ImageNet class 283)",)),
    P("alif_started", "ExecuTorch {:text} NPU Demo", ("ExecuTorch MNIST NPU Demo",)),
    P("program_loading", "Loading model ...", ("Loading model ...",)),
    # another one, for digits, with a mark of its own
    P("runtime_ready", "[ET] ExecuTorch runtime initialized", ("[ET] ExecuTorch runtime initialized",)),
    P("npu_named", "[ET] Ethos-{npu:name} initialized at {:pointer}", ("[ET] Ethos-U85 initialized at 0x49042000",)),
    P("driver_failed", "[ET] ERROR: ethosu_init failed", ("[ET] ERROR: ethosu_init failed",)),
    P("model_size", "[ET] Model registered ({size:int} bytes)", ("[ET] Model registered (91072 bytes)",)),
    P("program_loading", "[ET] Loading program", ("[ET] Loading program",)),
    P(
        "method",
        "[ET] Method '{name:text}': inputs={:int} outputs={:int} planned={:int}",
        ("[ET] Method 'forward': inputs=1 outputs=1 planned=1",),
    ),
    P("planned_buffer", "[ET] planned[{index:int}]={size:int} bytes", ("[ET] planned[0]=12288 bytes",)),
    P(
        "planned_allocation_failed",
        "[ET] ERROR: planned pool overflow at buffer {:int}: need={size:int} used={:int} cap={:int}",
        ("[ET] ERROR: planned pool overflow at buffer 0: need=3145728 used=0 cap=2097152",),
    ),
    P("method_load_start", "[ET] Loading method", ("[ET] Loading method",)),
    P("execute_start", "[ET] Executing method", ("[ET] Executing method",)),
    P("step_done", "[ET] Inference complete", ("[ET] Inference complete",)),
    P(
        "output_elements",
        "[ET] Output tensor: type={:name} elements={count:int} bytes={:int}",
        ("[ET] Output tensor: type=float32 elements=10 bytes=40",),
    ),
    P("program_failed", "[ET] ERROR: Program::load failed ({status:int})", ("[ET] ERROR: Program::load failed (35)",)),
    P("method_meta_failed", "[ET] ERROR: method_meta failed ({status:int})", ("[ET] ERROR: method_meta failed (18)",)),
    P("method_load_failed", "[ET] ERROR: load_method failed ({status:int})", ("[ET] ERROR: load_method failed (32)",)),
    P("inputs_failed", "[ET] ERROR: set_input failed ({status:int})", ("[ET] ERROR: set_input failed (18)",)),
    P("inputs_failed", "[ET] ERROR: input {:rest}", ("[ET] ERROR: input buffer too small: 784 < 3136",)),
    P("inputs_failed", "[ET] ERROR: unsupported input {:rest}", ("[ET] ERROR: unsupported input scalar type 5",)),
    P("execution_failed", "[ET] ERROR: execute failed ({status:int})", ("[ET] ERROR: execute failed (33)",)),
    P(
        "heap_failed",
        "[ET] et_pal_allocate({size:int}) failed, used={:int}",
        ("[ET] et_pal_allocate(65536) failed, used=229376",),
    ),
    P("abort_called", "[ET] et_pal_abort() called", ("[ET] et_pal_abort() called",)),
    # the course's two, of which one runs no program of ExecuTorch yet
    P("alif_started", "ExecuTorch {:name} - Alif {:name}", ("ExecuTorch MNIST - Alif E8",)),
    P("alif_started", "MNIST NPU - Alif {:name}", ("MNIST NPU - Alif E8",)),
    P("alif_board", "Alif Ensemble {:name} - Cortex-{:rest}", ("Alif Ensemble E8 - Cortex-M55 HP",)),
    P("model_size", "[MODEL] Size: {size:int} bytes", ("[MODEL] Size: 13312 bytes",)),
    P("class_best", "Predicted digit: {index:int}", ("Predicted digit: 3",)),
    P("class_best", "Predicted digit: {index:int} (confidence: {:int}%)", ("Predicted digit: 3 (confidence: 78%)",)),
    P("alif_npu", "Cortex-{:name} + Ethos-{npu:name} NPU", ("Cortex-M55 + Ethos-U55 NPU",)),
    P("model_size", "[ET] Initializing with model ({size:int} bytes)", ("[ET] Initializing with model (91072 bytes)",)),
    P("model_size", "[ET] Loading model ({size:int} bytes)...", ("[ET] Loading model (91072 bytes)...",)),
    P("runtime_ready", "[ET] Initializing ExecuTorch runtime...", ("[ET] Initializing ExecuTorch runtime...",)),
    P("program_loaded", "[ET] Program loaded successfully", ("[ET] Program loaded successfully",)),
    P("method_loaded", "[ET] ExecuTorch initialized successfully", ("[ET] ExecuTorch initialized successfully",)),
    P("loader_program_failed", "[ET] Failed to load program: {status:int}", ("[ET] Failed to load program: 35",)),
    P("method_load_failed", "[ET] Failed to load method: {status:int}", ("[ET] Failed to load method: 20",)),
    P("execution_failed", "[ET] Execute failed: {status:int}", ("[ET] Execute failed: 1",)),
    P(
        "alif_stopped",
        "SRAM0 power request failed: ret={:int}, err={:int}",
        ("SRAM0 power request failed: ret=3, err=1",),
    ),
    P(
        "alif_stopped",
        "{:first} power request failed (error {:int})",
        ("SRAM1: power request failed (error 1)",),
        anywhere=True,
    ),
    P(
        "alif_stopped",
        "{:first} clock request failed (error {:int})",
        ("SRAM1: clock request failed (error 1)",),
        anywhere=True,
    ),
    *(
        P("alif_stopped", f"ERROR: {words}", (f"ERROR: {words}",))
        for words in ("Failed to enable SRAM0", "Model initialization failed")
    ),
    P("alif_stopped", "[ET] Init failed: {:int}", ("[ET] Init failed: -3",)),
    P("alif_unrun", "ERROR: Inference failed", ("ERROR: Inference failed",)),
    P("alif_unrun", "[ERROR] Inference failed: {:int}", ("[ERROR] Inference failed: -3",)),
    P("step_running", "[TEST] Running {:int} tests...", ("[TEST] Running 10 tests...",)),
    P("alif_digit", "[RES] Pred:{:int} Exp:{:int} -> {result:name}", ("[RES] Pred:7 Exp:7 -> PASS",)),
    P("alif_results", "RESULTS: {right:int}/{total:int} passed", ("RESULTS: 10/10 passed",)),
    # a third for digits, with a driver of its own, that asks what to do next
    P("alif_started", "ALIF {:name} MNIST NPU DEMO", ("ALIF E8 MNIST NPU DEMO",)),
    P("npu_named", "Ethos-{npu:name} Accelerated", ("Ethos-U55 Accelerated",)),
    P("driver_failed", "Initializing NPU... FAILED", ("Initializing NPU... FAILED",)),
    P("step_running", "Running inference on test image...", ("Running inference on test image...",)),
    P("alif_unrun", "ERROR: Inference failed ({:int})", ("ERROR: Inference failed (-2)",)),
    P("class_best", "Predicted Digit: {index:int}", ("Predicted Digit: 3",)),
    P("class_sure", "Confidence: [{:word}] {percent:int}%", ("Confidence: [##############------] 72%",)),
    P("pico_time", "Inference Time: {us:int} us", ("Inference Time: 47 us",)),
    P("step_done", ">>> CORRECT! <<<", (">>> CORRECT! <<<",)),
    P("alif_digit", ">>> {result:name} <<<", (">>> INCORRECT <<<",)),
    # TensorFlow's interpreter under Zephyr on a module with Alif's chip
    P("aen_started", "=== aen-npu-inference{:rest}", ("=== aen-npu-inference ===", "=== aen-npu-inference-alif (matched runtime) ===")),
    P("aen_started", "=== aen-inference-{:name} ===", ("=== aen-inference-latency ===",)),
    P("aen_model", "model : {:name} ({size:int} bytes)", ("model      : tiny_int8 (2080 bytes)",)),
    P("aen_arena", "arena : {capacity:int} bytes @ {:rest}", ("arena      : 65536 bytes @ SRAM0 (0x2010400)",)),
    P("aen_npu", "npu ready : {:int} (Ethos-{npu:name} @{:pointer})", ("npu ready  : 1 (Ethos-U85 @0x49042000)",)),
    P("aen_input", "input : {:int} bytes (zero-filled{:rest}", ("input      : 4 bytes (zero-filled)",)),
    P("aen_ran", "RESULT PASS: NPU inference {:rest}", ("RESULT PASS: NPU inference complete -- model=tiny_int8 Invoke=OK",)),
    P(
        "aen_measured",
        "RESULT PASS: {:int} cycles/inference ({ms:float} ms) n={count:int} windows={:text} arena_used={used:int} B{:rest}",
        ("RESULT PASS: 48000 cycles/inference (0.300000 ms) n=100 windows=5/5 arena_used=1204 B",),
    ),
    P("aen_failed", "RESULT FAIL: {why:rest}", ("RESULT FAIL: Invoke=1 (NPU dispatch failed / timed out)",)),
)  # fmt: skip
