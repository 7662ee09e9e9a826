"""Lines of applications for Zephyr that hold their outputs against known ones: a loader for sums, and keyword spotting on Alif's boards.

The loader prints by Zephyr's own log: statuses are decimal, and only the module's name stands before a message.  So most
of its messages could be anyone's, and count only after those that are its own.
"""

from __future__ import annotations

from .table import Pattern as P

ZEPHYR_LOADER: tuple[P, ...] = (
    P("runtime_ready", "ProgramLoader initialized{? successfully?}", ("ProgramLoader initialized successfully",)),
    P(
        "model_size",
        "Loading embedded program, size: {size:int} bytes",
        ("Loading embedded program, size: 1234 bytes",),
    ),
    P(
        "planned_count",
        "Method requires {count:int} memory-planned buffers",
        ("Method requires 1 memory-planned buffers",),
    ),
    P(
        "planned_buffer",
        "Allocating planned buffer {index:int}, size {size:int} bytes",
        ("Allocating planned buffer 0, size 48 bytes",),
    ),
    P(
        "planned_allocation_failed",
        "Failed to allocate memory-planned buffer {:int} of size {size:int}",
        ("Failed to allocate memory-planned buffer 0 of size 65536",),
    ),
    P("step_running", "Running inference with inputs of size {:int}", ("Running inference with inputs of size 1",)),
    P(
        "step_done",
        "Inference completed, output size: {:int} elements",
        ("Inference completed, output size: 1 elements",),
    ),
    P("loader_program_failed", "Failed to load program: {status:int}", ("Failed to load program: 35",)),
    P("loader_meta_failed", "Failed to get method metadata: {status:int}", ("Failed to get method metadata: 18",)),
    P(
        "loader_method_failed",
        "Failed to load method '{:text}': {status:int}",
        ("Failed to load method 'forward': 33",),
    ),
    P(
        "loader_size_differs",
        "Input size mismatch for tensor {:int}: expected {expected:int} bytes, got {size:int} bytes",
        ("Input size mismatch for tensor 0: expected 4 bytes, got 8 bytes",),
    ),
    P("loader_input_failed", "Failed to set input tensor {:int}: {status:int}", ("Failed to set input tensor 0: 18",)),
    P("loader_execution_failed", "Method execution failed: {status:int}", ("Method execution failed: 1",)),
    P(
        "outputs_differ",
        "\u2717 Test FAILED: Expected {:float}, got {:float}",
        ("\u2717 Test FAILED: Expected 5.0, got 4.00",),
    ),
    # keyword spotting
    *(
        P("outputs_differ", text, (text.replace("{:int}", "12"),), "alif kws")
        for text in (
            "WARNING: Output differs from expected values",
            "FAIL: Output shape mismatch (expected {:int}, got {:int})",
            "FAIL: No tensor output",
            "Result: FAIL",
        )
    ),
)
