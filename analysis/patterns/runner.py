"""Lines of `arm_executor_runner.cpp` from 0.2 to main, and of the Linux `executor_runner`."""

from __future__ import annotations

from .table import Pattern as P

RUNNER: tuple[P, ...] = (
    # model load
    P(
        "model_at",
        "Model in {address:address}{? {:text}?}",
        ("Model in 0x70000000 $", "Model in 200014B0 <"),
        "0.3..0.5",
    ),
    P(
        "pte_size",
        "Model PTE file loaded. Size: {size:int} bytes.",
        ("Model PTE file loaded. Size: 960 bytes.",),
        "0.1..0.5",
    ),
    P(
        "pte_size",
        "PTE Model data loaded. Size: {size:int} bytes.",
        ("PTE Model data loaded. Size: 31696 bytes.",),
        "0.6..",
    ),
    P(
        "pte_at",
        "PTE in {address:first} {:text} Size: {size:int} bytes{?.?}",
        (
            "PTE in 0x70000000  Size: 4616 bytes",
            "PTE in 0x70000000 $ Size: 4616 bytes",
            "PTE in 0x70000000 , Size: 2080 bytes",
        ),
        "0.6..0.7",
    ),
    P("pte_at", "PTE at {address:word} Size: {size:int} bytes", ("PTE at 0x70000000 Size: 944 bytes",), "zephyr"),
    P(
        "pte_at",
        "Model PTE at {address:word}, Size: {size:int} bytes",
        ("Model PTE at 0x800774a0, Size: 3380576 bytes",),
        "zephyr",
    ),
    P("pte_magic", "PTE @ {address:word} [----{magic:text}]", ("PTE @ 0x70000000 [----ET12]",), "1.0.."),
    P("pte_magic", "PTE @ {address:word} [----{magic:ended}", ("PTE @ 0x71000000 [----",), "1.0.."),
    P("model_file", "Model file {path:text} is loaded.", ("Model file softmax.pte is loaded.",), "linux"),
    P("methods", "Model buffer loaded, has {count:int} methods", ("Model buffer loaded, has 1 methods",)),
    P("methods", "Model loaded, has {count:int} methods", ("Model loaded, has 1 methods",), "zephyr"),
    P("method", "Running method {name:word}", ("Running method forward",)),
    P("method", "Running method: {name:word}", ("Running method: forward",), "zephyr"),
    P("method", "Using method {name:name}", ("Using method forward",), "linux"),
    P(
        "method_meta_failed",
        "Failed to get method_meta for {name:name}: {status:status}",
        ("Failed to get method_meta for forward: 0x23",),
    ),
    P("method_meta_failed", "method_meta lookup failed: {status:status}", ("method_meta lookup failed: 0x23",)),
    *(
        P("program_failed", f"{text}: {{status:status}}{{:rest}}", (f"{text}: 0x23",))
        for text in (
            "get_program_data() from bundle PTE failed",
            "Program::load failed",
            "FileDataLoader::from() failed",
            "FileDataLoader::from() failed for PTD file",
            "FlatTensorDataMap::load() failed for PTD file",
            "BufferDataLoader failed",
        )
    ),
    P(
        "program_failed",
        "get_program_data() failed on file '{path:text}': {status:status}",
        ("get_program_data() failed on file 'add.bpte': 0x10",),
        "example_runner",
    ),
    P("runner_arguments", "Extra commandline args: {args:rest}", ("Extra commandline args: add.pte",), "linux"),
    P("program_failed", "Failed to parse model file {path:rest}", ("Failed to parse model file add.pte",), "linux"),
    P(
        "program_load_failed",
        "Program loading failed @ {address:word}: {status:status}",
        ("Program loading failed @ 0x0x20000E20: 0x23",),
        "0.2..1.0",
    ),
    P("method_load_start", "Loading method{?.?}{?.?}{?.?}", ("Loading method.", "Loading method..."), "zephyr"),
    P("method_load_start", "Loading method: {:name}.", ("Loading method: forward.",), "0.7.."),
    P(
        "method_load_failed",
        "Loading of method {name:text} failed with status {status:status}",
        ("Loading of method forward failed with status 0x21", "Loading of method  failed with status 0x23"),
    ),
    *(
        P(
            event,
            f"{said} of method {{name:name}}{{:unfinished}}",
            (f"{said} of method forward fail", f"{said} of method forward failed with status"),
        )
        for event, said in (("method_load_failed", "Loading"), ("execution_failed", "Execution"))
    ),
    P("method_load_failed", "FAIL: method {status:status}", ("FAIL: method 0x21",), "a fork for Arduino"),
    P("method_loaded", "Method loaded{?.?}{?.?}{?.?}", ("Method loaded.", "Method loaded..."), "0.2..0.5"),
    P(
        "method_loaded",
        "Method '{:text}' loaded{?.?}{? successfully?}",
        ("Method 'forward' loaded.", "Method 'forward' loaded successfully"),
        "0.6..",
    ),
    P("model_loaded_time", "Model loaded in {ms:float} ms.", ("Model loaded in 0.099348 ms.",), "linux 1.3.."),
    # method allocator and planned buffers
    P(
        "method_pool",
        "Setup Method allocator pool. Size: {size:int} bytes.",
        ("Setup Method allocator pool. Size: 62914560 bytes.",),
        "0.5..",
    ),
    P(
        "method_pool",
        "Method allocator pool size: {size:int} bytes{?.?}",
        ("Method allocator pool size: 1572864 bytes.",),
        "zephyr",
    ),
    P(
        "planned_buffer",
        "Setting up non-const buffer {index:int}, size {size:int}.",
        ("Setting up non-const buffer 1, size 18652672.",),
        "..0.1",
    ),
    P(
        "planned_buffer",
        "Setting up {?CPU?} planned buffer {index:int}, size {size:int}.",
        ("Setting up planned buffer 0, size 752640.", "Setting up CPU planned buffer 0, size 32."),
        "0.1..1.4",
    ),
    P(
        "planned_buffer_open",
        "Setting up {?CPU?} planned buffer {index:int}, size {size:int}",
        ("Setting up planned buffer 0, size 752640",),
        "ModelNova",
    ),
    P(
        "planned_buffer",
        "Setting up device planned buffer {index:int}, size {size:int}, device_type {:int}.",
        ("Setting up device planned buffer 1, size 32, device_type 1.",),
        "linux 1.4..",
    ),
    P(
        "planned_buffer",
        "Setting up planned buffer with mem_id={index:int}, size {size:int}.",
        ("Setting up planned buffer with mem_id=1, size 3920.",),
        "main",
    ),
    P(
        "planned_fast_pool",
        "Setup planned FAST_MEMORY_REGION pool. Size: {size:int} bytes.",
        ("Setup planned FAST_MEMORY_REGION pool. Size: 65536 bytes.",),
        "main",
    ),
    # inputs
    P("inputs_start", "Preparing inputs...", ("Preparing inputs...",)),
    P("inputs_ready", "Input prepared.", ("Input prepared.",)),
    P(
        "bundle_input",
        "Input testset[{testset:int}] from bundled bpte",
        ("Input testset[0] from bundled bpte",),
        "0.6..",
    ),
    P("inputs_failed", "Failed to prepare inputs {status:status}", ("Failed to prepare inputs 0x12",), "1.0.."),
    P(
        "inputs_failed",
        "Preparing inputs tensors for method {name:word} failed with status {status:status}",
        ("Preparing inputs tensors for method forward failed with status 0x12",),
        "0.2..0.7",
    ),
    P("inputs_failed", "Error setting input {index:int}: {status:status}", ("Error setting input 0: 0x10",), "..0.7"),
    P("inputs_failed", "Preparing input failed: {status:status}", ("Preparing input failed: 0x12",), "zephyr 1.3.."),
    *(
        P("inputs_failed", f"{text} {{status:status}}", (f"{text} 0x12".replace("{index:int}", "0"),))
        for text in (
            "Failed to prepare input {index:int}:",
            "Could not prepare inputs:",
            "Could not load inputs:",
            "Could not reload inputs:",
            "load_bundled_input failed with status",
        )
    ),
    P("input_skipped", "Skipping non-tensor input {index:int}", ("Skipping non-tensor input 2",), "0.4.."),
    P("input_copied", "Copying read input to tensor.", ("Copying read input to tensor.",), "0.4..0.7"),
    P(
        "input_copied",
        "Copying input data to tensor ({size:int} bytes)",
        ("Copying input data to tensor (602112 bytes)",),
    ),
    P(
        "input_mismatch",
        "input size ({size:int}) and tensor size ({expected:int}) {:text}match!",
        (
            "input size (100) and tensor size (602112) missmatch!",
            "input size (100) and tensor size (602112) mismatch!",
        ),
        "0.4..",
    ),
    # execution
    P("execute_start", "Executing method: {:name}.", ("Executing method: forward.",), "0.7.."),
    P("execute_start", "Starting the model execution...", ("Starting the model execution...",), "..0.7"),
    P("execute_start", "Starting running {count:int} inferences...", ("Starting running 1 inferences...",), "1.0.."),
    P("executed", "Model executed successfully.", ("Model executed successfully.",), "..0.7"),
    P(
        "executed_times",
        "Model executed successfully {count:int} time(s) in {ms:float} ms.",
        ("Model executed successfully 1 time(s) in 0.018588 ms.",),
        "linux",
    ),
    P("iteration", "Iteration {index:int} of {count:int}: {ms:float} ms", ("Iteration 1 of 1: 0.018588 ms",), "linux"),
    P("inference_number", "Running inference number {index:int}", ("Running inference number 0",), "1.0.."),
    P("inferences_finished", "{count:int} inferences finished", ("1 inferences finished",), "1.0.."),
    P("model_run", "Model run: {ok:int}", ("Model run: 1",), "1.0.."),
    P(
        "execution_failed",
        "Execution of method {name:word} failed with status {status:status}",
        ("Execution of method forward failed with status 0x21",),
        "..0.7",
    ),
    *(
        P(
            "execution_failed",
            f"{before}java.lang.Exception: Execution of method {{name:word}} failed with status {{status:status}}",
            (f"{before}java.lang.Exception: Execution of method forward failed with status 0x12",),
            "android",
        )
        for before in ("", "java.lang.RuntimeException: ", "Caused by: ")
    ),  # fmt: skip
    P("execution_failed", "Execution failed: {status:status}", ("Execution failed: 0x1",), "zephyr 1.3.."),
    P("program_complete", "Program complete, exiting.", ("Program complete, exiting.",), "0.3.."),
    P("program_complete", "SUCCESS: Program complete, exiting.", ("SUCCESS: Program complete, exiting.",), "zephyr"),
    P("server_done", "SERVER_INFERENCE_DONE {index:int}", ("SERVER_INFERENCE_DONE 3",), "main"),
    P(
        "assert_failed",
        "In function {function:name}(), assert failed {?({condition:text})?}: {text:rest}",
        (
            "In function CheckOk(), assert failed: hasValue_",
            "In function run_model(), assert failed (status == Error::Ok): Execution of method forward failed with status 0x21",
        ),
    ),
    P("assert_failed", "In function {:name}(), assert failed ({:clipped}", ("In function run(), assert failed (st",)),
    P("assert_failed", "assert failed{? ({condition:text})?}: {text:rest}", ("assert failed: hasValue_",)),
    # memory report
    P(
        "program_size",
        "model_pte_program_size: {size:int} bytes.{? ({unknown:text})?}",
        ("model_pte_program_size:     268435456 bytes. (pte size unknown when not baked into elf)",),
        "0.6..",
    ),
    P(
        "loaded_size",
        "model_pte_loaded_size: {size:int} bytes.{? ({unknown:text})?}",
        ("model_pte_loaded_size:     4425968 bytes.",),
        "0.5..",
    ),
    P(
        "method_use",
        "method_allocator_used: {used:int} / {capacity:int} free: {free:int} ( used: {percent:int} % )",
        ("method_allocator_used:     1355722 / 62914560  free: 61558838 ( used: 2 % )",),
        "0.5..",
    ),
    P(
        "temp_use",
        "temp_allocator_used: {used:int} / {capacity:int} free: {free:int} ( used: {percent:int} % )",
        ("temp_allocator_used:       0 / 1048576 free: 1048576 ( used: 0 % )",),
        "0.5..0.6",
    ),
    P(
        "input_file_use",
        "input_file_allocator_used: {used:int} / {capacity:int} free: {free:int} ( used: {percent:int} % )",
        ("input_file_allocator_used: 976 / 62914560 free: 62913584 ( used: 0 % )",),
        "0.5..",
    ),
    P(
        "peak_temp",
        "peak_temp_allocator: {used:int} / {capacity:int} free: {free:int} ( used: {percent:int} % )",
        ("peak_temp_allocator:       0 / 2048 free: 2048 ( used: 0 % )",),
        "0.7",
    ),
    P(
        "planned_fast",
        "planned_fast_allocator: {used:int} / {capacity:int} free: {free:int} ( used: {percent:int} % )",
        ("planned_fast_allocator:    512 / 1024 free: 512 ( used: 50 % )",),
        "main",
    ),
    P("planned_fast_used", "planned_fast_used: {size:int} bytes", ("planned_fast_used:         512 bytes",), "main"),
    P(
        "etdump_pool",
        "ETDump_outputs_buffer: {used:int} / {capacity:int} free: {free:int} ( used: {percent:int} % )",
        ("ETDump_outputs_buffer:     16 / 2097152 free: 2097136 ( used: 0 % )",),
        "1.0..",
    ),
    *(
        P(
            event,
            f"method_allocator_{part}: {{size:int}} byte{{?s?}}",
            (f"method_allocator_{part}:  752640 bytes", f"method_allocator_{part}:  752640 byte"),
        )
        for event, part in (
            ("method_planned", "planned"),
            ("method_loaded_bytes", "loaded"),
            ("method_input", "input"),
            ("method_executor", "executor"),
        )
    ),
    P("temp_capacity", "temp_allocator: {size:int}", ("temp_allocator:            2097152",), "1.0.."),
    # outputs and inputs
    P("outputs", "{count:int} outputs:", ("1 outputs:",)),
    P("inputs", "{count:int} inputs:", ("2 inputs:",), "0.6.."),
    P(
        "output",
        "Output[{tensor:int}][{index:int}]: {?({dtype:name})?} {value:element}",
        ("Output[0][0]: -0.749744", "Output[0][4]: (int) 2", "Output[0][0]: (float) nan"),
    ),
    P(
        "input",
        "Input[{tensor:int}][{index:int}]: {?({dtype:name})?} {value:element}",
        ("Input[0][1]: (char) -5",),
        "0.6..",
    ),
    P(
        "output_bool",
        "Output[{tensor:int}][{index:int}]: (bool) {value:name} ({:word})",
        ("Output[0][0]: (bool) true (0x1)",),
        "0.7..",
    ),
    P("output_bool", "Output[{tensor:int}][{index:int}]: {value:flag}", ("Output[1][0]: false",), "main"),
    P(
        "input_bool",
        "Input[{tensor:int}][{index:int}]: (bool) {value:name} ({:word})",
        ("Input[0][0]: (bool) false (0x0)",),
        "0.7..",
    ),
    P("output_lost", "Output[{tensor:int}][{index:int}]: (float)", ("Output[0][0]: (float) ",), "newlib-nano"),
    P("output_other", "Output[{tensor:int}]: Not Tensor", ("Output[1]: Not Tensor",), "1.0.."),
    P("input_other", "Input[{tensor:int}]: Not Tensor", ("Input[1]: Not Tensor",), "1.0.."),
    P("elided", "...(Skipped)", ("...(Skipped)",)),
    P(
        "tensor_text",
        "OutputX {tensor:int}: tensor(sizes=[{sizes:text}], [{values:text}{?{closed:bracket}?}{?)?}",
        ("OutputX 0: tensor(sizes=[2, 2], [0.5, 0.5, 0.5, 0.5])",),
        "linux",
    ),
    P(
        "tensor_text",
        "Output {tensor:int}: tensor(sizes=[{sizes:text}], [{values:text}{?{closed:bracket}?}{?)?}{?)?}",
        ("Output 0: tensor(sizes=[2, 2], [0.5, 0.5, 0.5, 0.5])", "Output 0: tensor(sizes=[1], [8.]))"),
        "linux 0.2..0.5",
    ),
    *(
        P("output_scalar", f"{what} {{tensor:int}}: {value}", (f"{what} 1: {shown}",), "linux")
        for what in ("OutputX", "Output")
        for value, shown in (("{:float}", "2.5"), ("None", "None"), ("True", "True"), ("False", "False"))
    ),
    P(
        "host_operator",
        "Operator[{instruction:int}] {name:word}: {ns:int} ns",
        ("Operator[0] aten::_softmax.out: 12345 ns",),
        "ethosu-tui host",
    ),
    # bundled IO
    P(
        "bundle_result",
        "TEST: BundleIO index[{testset:int}] Test_result: {result:name}",
        ("TEST: BundleIO index[0] Test_result: PASS",),
    ),
    P(
        "bundle_mismatch",
        "Model output don't match expected BundleIO bpte ref data. rtol={rtol:float} atol={atol:float}",
        ("Model output don't match expected BundleIO bpte ref data. rtol=0.010000 atol=0.010000",),
    ),
    P(
        "bundle_match",
        "Model output match expected BundleIO bpte ref data.",
        ("Model output match expected BundleIO bpte ref data.",),
    ),
    P(
        "bundle_verify_failed",
        "Bundle verification failed with status {status:status}",
        ("Bundle verification failed with status 0x1",),
    ),
    P("bundle_verified", "Model verified successfully.", ("Model verified successfully.",), "example_runner"),
    P(
        "bundle_stats_failed",
        "=== Error calculating stats for testset {testset:int} ERROR: {code:name} ===",
        (
            "=== Error calculating stats for testset 0 ERROR:18 ===",
            "=== Error calculating stats for testset 0 ERROR: 0x12PRIx32===",
        ),
        "1.0..",
    ),
    P("bundle_stats", "=== Error stats for testset {testset:int} ===", ("=== Error stats for testset 0 ===",), "1.0.."),
    P("mean_absolute_error", "mean_absolute_error: {?{value:float}?}", ("mean_absolute_error: 0.000100",), "1.0.."),
    P("max_absolute_error", "max_absolute_error: {?{value:float}?}", ("max_absolute_error:  0.000996",), "1.0.."),
    P("mean_relative_error", "mean_relative_error: {?{value:float}?}", ("mean_relative_error: 0.003704",), "1.0.."),
    P("max_relative_error", "max_relative_error: {?{value:float}?}", ("max_relative_error:  0.037037",), "1.0.."),
)
