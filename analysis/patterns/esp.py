"""Lines of the ESP32 runner and of `esp_perf_monitor.cpp`."""

from __future__ import annotations

from .table import Pattern as P

_NOT_DIVIDED = "{? (per-inference metrics not computed)?}"

ESP: tuple[P, ...] = (
    P("esp_started", "Starting executorch runner !", ("Starting executorch runner !",)),
    P(
        "esp_ready",
        "ESP32 ExecuTorch runner initialized. Free heap: {size:int} bytes.",
        ("ESP32 ExecuTorch runner initialized. Free heap: 391240 bytes.",),
    ),
    P(
        "esp_psram",
        "PSRAM available. Free PSRAM: {size:int} bytes.",
        ("PSRAM available. Free PSRAM: 8386308 bytes.",),
    ),
    P(
        "esp_storage",
        "SPIFFS: total={total:int}, used={used:int}",
        ("SPIFFS: total=956561, used=4518",),
    ),
    P("esp_report", "Profiler report:", ("Profiler report:",)),
    P("esp_inferences", "Number of inferences: {count:int}", ("Number of inferences: 10",)),
    P(
        "esp_cycles",
        f"Total CPU cycles: {{cycles:int}}{{? ({{per_inference:float}} per inference)?}}{_NOT_DIVIDED}",
        (
            "Total CPU cycles: 4800123 (480012.30 per inference)",
            "Total CPU cycles: 0 (per-inference metrics not computed)",
        ),
    ),
    P(
        "esp_wall_time",
        f"Total wall time: {{us:int}} us{{? ({{us_per_inference:float}} us per inference)?}}{_NOT_DIVIDED}",
        (
            "Total wall time: 20051 us (2005.10 us per inference)",
            "Total wall time: 0 us (per-inference metrics not computed)",
        ),
    ),
    P("esp_average", "Average inference time: {ms:float} ms", ("Average inference time: 2.005 ms",)),
    P("esp_heap", "Free heap: {size:int} bytes", ("Free heap: 301456 bytes",)),
    P("esp_heap", "ESP free heap: {size:int} bytes", ("ESP free heap:             301456 bytes",)),
    P("esp_heap_least", "Min free heap ever: {size:int} bytes", ("Min free heap ever: 298000 bytes",)),
    P("esp_heap_least", "ESP min free heap ever: {size:int} bytes", ("ESP min free heap ever:    298000 bytes",)),
    P("esp_psram", "ESP free PSRAM: {size:int} bytes", ("ESP free PSRAM:            8380000 bytes",)),
    P(
        "esp_skipped",
        "num_inferences ({count:int}) <= 0; skipping model execution.",
        ("num_inferences (0) <= 0; skipping model execution.",),
    ),
    P("esp_complete", "Program complete.", ("Program complete.",)),
    # the example of the component for ESP-IDF, which compares its outputs with those that came with its model
    P("smoke_verdict", "ET_COMPONENT_SMOKE: {said:rest}", ("ET_COMPONENT_SMOKE: PASS", "ET_COMPONENT_SMOKE: FAIL")),
)
