"""Lines of ExecuTorch's other applications: image classification, MobileSAM, Silero VAD, the NXP Neutron runner."""

from __future__ import annotations

from .table import Pattern as P

EXAMPLES: tuple[P, ...] = (
    P("runtime_ready", "Runtime initialized", ("Runtime initialized",), "1.1.."),
    P("model_size", "Size of the model = {size:int}", ("Size of the model = 6241504",), "1.1.."),
    P("planned_count", "num_memory_planned_buffers = {count:int}", ("num_memory_planned_buffers = 1",), "1.1.."),
    P(
        "planned_buffer",
        "Planned memory buffer_size {index:int} {size:int} bytes",
        ("Planned memory buffer_size 0 752640 bytes",),
        "1.1..",
    ),
    P("input_count", "Number of input tensors = {count:int}", ("Number of input tensors = 1",), "1.1.."),
    P("method_load_failed", "load_method failed: {status:status}", ("load_method failed: 0x21",), "1.4.."),
    P("execution_failed", "Inference failed {status:status}", ("Inference failed 0x1",), "1.1.."),
    P("outputs_failed", "get_outputs failed{?:?} {status:status}", ("get_outputs failed 0x12",)),
    # runners that name the call which failed, and of what
    *(
        P(event, f"{call}: {{status:status}}", (f"{call.replace('{:name}', 'forward')}: 0x12",))
        for event, call in (
            ("method_meta_failed", "method_meta('{:name}') failed"),
            ("method_load_failed", "load_method('{:name}') failed"),
            ("inputs_failed", "prepare_input_tensors failed"),
            ("execution_failed", "execute() failed for '{:name}'"),
            ("outputs_failed", "get_outputs() failed for '{:name}'"),
        )
    ),
    # the call alone; an application of somebody's own puts a part's name before it, and what it worked on behind
    P(
        "loader_execution_failed",
        "execute() failed: {status:code}{? ({:text})?}",
        ("execute() failed: 0x12", "execute() failed: 0x12 (window 3)"),
    ),
    *(
        P(
            event,
            f"{{:caller}}: {call} failed: {{status:code}}{{? ({{:text}})?}}{{:end}}",
            (f"Inference: {call} failed: 0x12",),
            anywhere=True,
        )
        for event, call in (
            ("program_failed", "Program::load"),
            ("method_load_failed", "load_method"),
            ("loader_execution_failed", "execute()"),
        )
    ),
    P("example_running", "Starting model execution...", ("Starting model execution...",)),
    P(
        "output_dtype",
        "Output tensor has unsupported dtype {dtype:int}",
        ("Output tensor has unsupported dtype 1",),
        "1.1..",
    ),
    P(
        "predictions_start",
        "Top {count:int} classes in descending order({:rest}",
        ("Top 5 classes in descending order(highest probability is at the top)",),
        "1.1..",
    ),
    P(
        "class_score",
        "Class {index:int} ( {label:text} ) with score of {score:float}",
        ("Class 207 ( golden retriever ) with score of 9.625000",),
        "1.1..",
    ),
    # of a model that no network is, and MobileSAM
    P("example_complete", "Inference complete: {count:int} output(s)", ("Inference complete: 1 output(s)",), "main"),
    # the sketches of ExecuTorch's library for Arduino
    *(
        P("sketch_started", f"=== {name} ===", (f"=== {name} ===",), "main")
        for name in ("ExecuTorch Keyword Spotting", "ExecuTorch Add Model", "HelloExecuTorch")
    ),
    *(
        P(event, text.format("{status:status}"), (text.format("0x12"),), "main")
        for event, text in (
            ("sketch_program_failed", "FAIL: load {}"),
            ("sketch_program_failed", "ERROR: Model load failed {}"),
            ("sketch_method_failed", "FAIL: load_method {}"),
            ("sketch_input_failed", "FAIL: input {}"),
            ("sketch_input_failed", "FAIL: set_input {}"),
            ("sketch_execution_failed", "FAIL: execute {}"),
            ("sketch_program_failed", "Program::load failed ({})"),
            ("sketch_method_failed", "load_method failed ({})"),
            ("sketch_input_failed", "set_input failed ({})"),
            ("sketch_execution_failed", "execute failed ({})"),
        )
    ),
    P("sketch_size", "Model: {size:int} bytes", ("Model: 1008 bytes",), "main"),
    P("sketch_size", "Size: {size:int} bytes", ("Size: 1008 bytes",), "main"),
    P("sketch_methods", "Methods: {count:int}", ("Methods: 1",), "main"),
    P("sketch_answer", "ExecuTorch ready", ("ExecuTorch ready",), "main"),  # of the one that only loads
    P("sketch_answer", ">>> Detected: {:rest}", (">>> Detected: yes",), "main"),
    P("sketch_answer", "[1,2,3] + 1 = [{:rest}", ("[1,2,3] + 1 = [2.00, 3.00, 4.00]",), "main"),
    P("example_started", "MobileSAM Ethos-U example started", ("MobileSAM Ethos-U example started",), "1.4.."),
    P("example_size", "Model size = {size:int} bytes", ("Model size = 6241504 bytes",), "1.4.."),
    P("program_loading", "Loading ExecuTorch program", ("Loading ExecuTorch program",), "1.4.."),
    P("program_loaded", "Program loaded", ("Program loaded",)),
    P("input_copied", "Copying {count:int} input elements", ("Copying 3145728 input elements",), "1.4.."),
    P("execute_start", "Running model execution", ("Running model execution",), "1.4.."),
    P("executed", "Inference finished", ("Inference finished",), "1.4.."),
    P(
        "mask_shape",
        "Output mask logits shape = [{:int}, {:int}, {height:int}, {width:int}]",
        ("Output mask logits shape = [1, 1, 256, 256]",),
        "1.4..",
    ),
    P(
        "mask_figure",
        "Segmentation input image = {:int} x {:int} x {:int}",
        ("Segmentation input image = 3 x 1024 x 1024",),
        "1.4..",
    ),
    P("mask_figure", "Mask threshold = {:float}", ("Mask threshold = 0.0000",), "1.4.."),
    P(
        "mask_figure",
        "Mask logits min/max/mean = {:float} / {:float} / {:float}",
        ("Mask logits min/max/mean = -12.101000 / 4.300000 / -3.010000",),
        "1.4..",
    ),
    P("mask_figure", "Segmentation mask hash = {:word}", ("Segmentation mask hash = 0x01020304",), "1.4.."),
    P("mask_figure", "Mask foreground pixels = {:int}", ("Mask foreground pixels = 1024",), "1.4.."),
    P("mask_figure", "Mask background pixels = {:int}", ("Mask background pixels = 64512",), "1.4.."),
    P("mask_data", "Segmentation mask RLE begin", ("Segmentation mask RLE begin",), "1.4.."),
    P("mask_data", "Segmentation mask RLE chunk {:rest}", ("Segmentation mask RLE chunk 12,4,8",), "1.4.."),
    P("mask_data", "Segmentation mask RLE end", ("Segmentation mask RLE end",), "1.4.."),
    # Nuvoton's, whose last word is that the model was executed
    P("nuvoton_size", "Model file size {:int}", ("Model file size 3905632",), "nuvoton"),
    *(
        P(
            "file_open_failed",
            f"{mark}Unable open model {{path:text}}",
            (f"{mark}Unable open model 0:\\model.pte",),
            "nuvoton",
        )
        for mark in ("", "ERROR - ")
    ),
    P("port_failed", "Model loading failed @{:rest}", ("Model loading failed @ 0x82300000PRIx32",), "nuvoton"),
    # Silero VAD
    P(
        "vad_started",
        "Running {samples:int} audio samples ({count:int} frames), threshold={:float}",
        ("Running 40000 audio samples (79 frames), threshold=0.550000",),
        "main",
    ),
    P("vad_frame", "PROB {:first} {:first} {:name}", ("PROB 0.640 0.912345 speech",), "main"),
    P("vad_frame", "SEGMENT {:first} {:first} speech", ("SEGMENT 0.640 2.528 speech",), "main"),
    P("vad_segments", "{:int} segments, {count:int} frames, {:float}s", ("1 segments, 79 frames, 2.5s",), "main"),
    P("vad_summary", "Speech: {:int}/{count:int} frames ({:float}%)", ("Speech: 57/79 frames (72.2%)",), "main"),
    P("vad_dump", "Writing probability dump to {:rest}", ("Writing probability dump to vad_probs.bin",), "main"),
    # NXP's SDK for microcontrollers: hexadecimal first, decimal in brackets
    *(
        P(
            f"mcu_{pool}_pool",
            f"{pool}_allocator_used: Total {{:pointer}} ({{capacity:int}} B); Used {{:pointer}} ({{used:int}} B); Used/Total {{percent:int}} %",
            (f"{pool}_allocator_used: Total 0x80000 (524288 B); Used 0xdb9 (3513 B); Used/Total 0 %",),
            "nxp",
        )
        for pool in ("method", "temp")
    ),
    P("mcu_model_at", "Model Addr: {address:pointer} - {:pointer}", ("Model Addr: 0x20430000 - 0x20448d60",), "nxp"),
    P("mcu_model_size", "Model Size: {:pointer} ({size:int} B)", ("Model Size: 0x18d60 (101728 B)",), "nxp"),
    P("mcu_time", "Inference time: {us:int} us", ("Inference time: 1072 us",), "nxp"),
    P("mcu_found", "Detected: {label:text} ({percent:int}%)", ("Detected: ship (99%)",), "nxp"),
    P(
        "mcu_arena",
        "TensorArena Size: Total {:pointer} ({capacity:int} B); Used {:pointer} ({used:int} B)",
        ("TensorArena Size: Total 0x40000 (262144 B); Used 0xaee0 (44768 B)",),
        "nxp",
    ),
    # Core ML: its last line is the mean time of an inference, and the outputs are never printed
    P("coreml_loaded", "Load duration = {ms:float}", ("Load duration = 430.172000",), "core ml"),
    P("coreml_method", "Running method = {name:word}", ("Running method = forward",), "core ml"),
    P("coreml_time", "Inference latency={ms:float}ms.", ("Inference latency=0.90ms.",), "core ml"),
    # NXP Neutron: plain printf, statuses in decimal
    P("model_file", "Model file {path:text} loaded", ("Model file cifar.pte loaded",), "neutron"),
    P("method", "Using method ({name:text})...", ("Using method (forward)...",), "neutron"),
    P("allocator_start", "Creating MemoryAllocator...", ("Creating MemoryAllocator...",), "neutron"),
    P("allocator_start", "Creating HierarchicalAllocator....", ("Creating HierarchicalAllocator....",), "neutron"),
    P(
        "planned_buffer",
        "Setting up planned buffer {index:int}, size {size:int}...",
        ("Setting up planned buffer 0, size 12288...",),
        "neutron",
    ),
    P("inputs_start", "Converting inputs to floats...", ("Converting inputs to floats...",), "neutron"),
    P("input_loaded", "Loading file {path:rest}", ("Loading file data/0.bin",), "neutron"),
    P("executed", "Method executed successfully...", ("Method executed successfully...",), "neutron"),
    P("output_saved", "Saving file {path:rest}", ("Saving file out/0.bin",), "neutron"),
    P("neutron_complete", "Finished...", ("Finished...",), "neutron"),
    P("neutron_started", "Started..", ("Started..",), "neutron"),
    P(
        "method_meta_failed",
        "Failed to get method_meta for ({name:text}): {status:int}",
        ("Failed to get method_meta for (forward): 35",),
        "neutron",
    ),
    P(
        "method_load_failed",
        "Loading of method ({name:text}) failed with status {status:int}...",
        ("Loading of method (forward) failed with status 33...",),
        "neutron",
    ),
    P(
        "execution_failed",
        "Execution of method {name:word} failed with status {status:int}...",
        ("Execution of method forward failed with status 1...",),
        "neutron",
    ),
    P(
        "inputs_failed",
        "Mismatch: method has {expected:int} inputs, whereas the loaded data contains {count:int} entries!",
        ("Mismatch: method has 1 inputs, whereas the loaded data contains 2 entries!",),
        "neutron",
    ),
    P(
        "inputs_failed",
        "Mismatch in the {index:int}-th input tensor: expected {count:int} elements x {element:int} bytes each, "
        "loaded {size:int} bytes!",
        ("Mismatch in the 0-th input tensor: expected 3072 elements x 4 bytes each, loaded 3072 bytes!",),
        "neutron",
    ),
    *(
        P("port_failed", text, (text.replace("{text:text}", "a.bin").replace("{text:int}", "6"),), "neutron")
        for text in (
            "Model PTE loading failed",
            "Program loading failed",
            "Program has no methods...",
            "Failed to get_inputs...",
            "Failed to get_outputs...",
            "Unsupported tensor data type: {text:int}",
            "Internal Neutron NPU driver error {text:text} in init!",
            "Failed to open file {text:text} for reading.",
            "Failed to open file {text:text} for writing.",
            "Unable to open file {text:text} for writing.",
            "Path {text:text} not exists and failed to create.",
            "Memory allocation failed.",
            "Unable to determine stats of a path!",
            "Please specify path to model using the --model option.",
            "Please specify path to dataset using the --dataset option or inputs using --inputs option.",
            "Cannot specify both inputs list and dataset directory.",
            "Dataset path is not valid.",
        )
    ),
)
