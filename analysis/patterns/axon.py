"""Lines of ExecuTorch's examples for Nordic's AXON NPU, whose last word is "Done."."""

from __future__ import annotations

from .table import Pattern as P

AXON: tuple[P, ...] = (
    *(P("axon_started", text, (text,)) for text in ("AXON NPU: enabled", "AXON NPU: not available (CPU only)")),
    P("axon_size", "Loading model ({size:int} bytes)...", ("Loading model (2084 bytes)...",)),
    P("axon_methods", "Program loaded, {count:int} method(s)", ("Program loaded, 1 method(s)",)),
    P("axon_method", "Method: {name:name}", ("Method: forward",)),
    P(
        "axon_bound",
        "AxonBackend::init (delegate {:int}, processed={:int} bytes)",
        ("AxonBackend::init (delegate 0, processed=36 bytes)",),
    ),
    P("method_loaded", "Method loaded (AXON delegates bound: {:int})", ("Method loaded (AXON delegates bound: 0)",)),
    P(
        "axon_running",
        "Running inference (x={:float}, expected {:rest}",
        ("Running inference (x=1.57, expected sin~1.0)...",),
    ),
    P(
        "axon_time",
        "Inference: {:int} cycles ({us:int} us @ {:int} MHz)",
        ("Inference: 20900 cycles (163 us @ 128 MHz)",),
    ),
    *(
        P("axon_step", text, (sample,))
        for text, sample in (
            ("step {:int}: out=({:text}) {us:int} us", "step 0: out=(-0.300, -0.200) 630 us"),
            (
                "input[{:int}]: class={:int} ({:text}) {us:int} us",
                "input[0]: class=3 (-27.1, -6.3, -22.7, 30.3) 213 us",
            ),
        )
    ),
    P("axon_output", "output[{index:int}] = {value:element}", ("output[0] = 0.991200",)),
    P("axon_unfed", "set_input failed: 0x{status:status}", ("set_input failed: 0x12",)),
    P("axon_unrun", "execute failed: 0x{status:status}", ("execute failed: 0x1",)),
    P("axon_done", "Done.", ("Done.",)),
)
