"""Lines of TensorFlow Lite Micro's own benchmarks: the profiler's ticks, the arena's use, the results of the generic benchmark."""

from __future__ import annotations

from .table import Pattern as P

TFLM_BENCHMARK: tuple[P, ...] = (
    P("bench_arena_size", "Configured arena size = {size:int}", ("Configured arena size = 3000000",), "generic"),
    P(
        "bench_started",
        "InitializeBenchmarkRunner took {:int} ticks ({:int} ms){?.?}",
        ("InitializeBenchmarkRunner took 207 ticks (0 ms).",),
        "person detection",
    ),
    P(
        "bench_started",
        "InitializeKeywordRunner took {:int} ticks ({:int} ms){?.?}",
        ("InitializeKeywordRunner took 64 ticks (0 ms).",),
        "keyword",
    ),
    *(
        P(
            "bench_loop",
            f"{name}({{count:int}}) took {{:int}} ticks ({{ms:int}} ms){{?.?}}",
            (f"{name}(10) took 368913 ticks (368 ms)",),
        )
        for name in (
            "WithPersonDataIterations",
            "NoPersonDataIterations",
            "KeywordRunNIerations",
            "KeywordRunNIterations",
        )
    ),
    P(
        "bench_operator_ticks",
        "{:operator} took {:int} ticks ({:int} ms)",
        ("DEPTHWISE_CONV_2D took 934 ticks (0 ms).",),
        anywhere=True,
    ),
    P("bench_ticks", "ethos-u took {:int} ticks ({:int} ms){?.?}", ("ethos-u took 120345 ticks (3 ms).",)),
    P(
        "bench_total_ticks",
        '"total number of ticks", {ticks:int}',
        ('"total number of ticks", 734',),
        "generic; once for what sets the model up, once for each call of the interpreter",
    ),
    P(
        "bench_target",
        "TARGET=cortex_m_{:word}",
        ("TARGET=cortex_m_corstone_300", "TARGET=cortex_m_generic"),
        "generic",
    ),
    P("bench_input", "Input CRC32: {:word}", ("Input CRC32: 0x60FF5B7A",), "generic"),
    P("bench_output", "Output CRC32: {:word}", ("Output CRC32: 0xA4A6A6BE",), "generic"),
    P(
        "bench_arena",
        "[RecordingMicroAllocator] Arena allocation total {size:int} bytes",
        ("[RecordingMicroAllocator] Arena allocation total 14960 bytes",),
    ),
    P("bench_table", "[[ {:name} ]]: Arena", ("[[ Table ]]: Arena", "[[ CSV ]]: Arena"), "generic"),
    P("bench_total", "Total | {size:int} | {:float}", ("Total | 89248 |   100.00",), "generic"),
    P("bench_total", '"Total",{size:int},{:float}', ('"Total",89248,100.00',), "generic"),
    P(
        "tensors_failed",
        "tflite::MicroInterpreter::AllocateTensors failed",
        ("tflite::MicroInterpreter::AllocateTensors failed",),
        "generic",
    ),
    P(
        "invoke_failed",
        "Model interpreter invocation failed: {job:rest}",
        ("Model interpreter invocation failed: 1",),
        "generic",
    ),
)
