"""Lines of ExecuTorch's example for the Raspberry Pi Pico 2, which recognises digits on a Cortex-M33 without an NPU.

Some terminals lose the pictures before its words, and some copies keep a replacement character. Ports of it classify other things than digits.
"""

from __future__ import annotations

from .table import Pattern as P

_LOST = ("\ufffd ", "\ufffd\ufffd\ufffd\ufffd ", "? ", "?? ", "???? ", "")
"""What is left of a picture that was lost as one character, as two of UTF-16 or as four bytes."""
PICO: tuple[P, ...] = (
    P("pico_started", "Loading model data ({size:int} bytes)...", ("Loading model data (90112 bytes)...",), "1.0.."),
    P("pico_methods", "Method count: {count:int}", ("Method count: 2",), "1.0.."),
    P("pico_method", "Method 0 name: {name:name}", ("Method 0 name: forward",), "1.0.."),
    P("pico_planned", "Arena {index:int}: {size:int} bytes", ("Arena 0: 28672 bytes",), "1.0.."),
    *(
        P("pico_loading", f"{mark}Loading method '{{:text}}'...", (f"{mark}Loading method 'forward'...",), "1.0..")
        for mark in ("\U0001f504 ", "\ufffd ")
    ),
    *(
        P(event, f"{mark}{said}: error {{status:int}}", (f"{mark}{said}: error 20",), "1.0..")
        for mark in ("\u274c ", "\ufffd ", "")
        for event, said in (
            ("pico_program_failed", "Failed to load model"),
            ("pico_meta_failed", "Failed to get method name"),
            ("pico_method_failed", "Failed to load method"),
        )
    ),
    P(
        "pico_pool",
        "Method allocator: {used:int} / {capacity:int} bytes used",
        ("Method allocator: 45632 / 204800 bytes used",),
        "main",
    ),
    P("pico_running", "Running neural network inference...", ("Running neural network inference...",), "1.0.."),
    P("pico_results", "\u2705 Neural network results:", ("\u2705 Neural network results:",), "1.0.."),
    P("pico_time", "\u23f1 Inference time: {us:int} us", ("\u23f1  Inference time: 245 us",), "main"),
    *(
        P(
            "pico_failed",
            f"{mark}Failed to {what}: error {{status:int}}",
            (f"{mark}Failed to {what}: error 18",),
            "1.0..",
        )
        for mark in (
            "\u274c ",
            "\ufffd ",
            "\u00e2\u0152 ",
        )  # the last one is what Windows' code page shows of its bytes
        for what in ("execute", "set input")
    ),
    *(
        P(
            event,
            f"{mark}PREDICTED: {{:text}} (Expected: {{:text}}) {{?{{:word}} ?}}{verdict}!",
            (
                f"{mark}PREDICTED: 7 (Expected: {digit}) {sign} {verdict}!",
                f"{mark}PREDICTED: Cat (Expected: {name}) {sign} {verdict}!",
                f"{mark}PREDICTED: 7 (Expected: {digit}) {verdict}!",
            ),
            "1.0..",
        )
        for mark in ("\U0001f3af ", *_LOST)
        for event, digit, name, sign, verdict in (
            ("pico_predicted", 7, "Cat", "\u2705", "CORRECT"),
            ("outputs_differ", 4, "Dog", "\u274c", "WRONG"),
        )
    ),
    *(
        P(
            "pico_complete",
            f"{mark}All tests complete! {{:text}} neural network works on Pico2!",
            (
                f"{mark}All tests complete! ExecuTorch inference of neural network works on Pico2!",
                f"{mark}All tests complete! PyTorch neural network works on Pico2!",
            ),
            "1.0..",
        )
        for mark in ("\U0001f389 ", *_LOST)
    ),
)
