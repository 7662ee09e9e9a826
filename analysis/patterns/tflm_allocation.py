"""Why TensorFlow's interpreter for microcontrollers could not set a model up: memory that ran out, operators, shapes.

Other programs say such words, too: they count where a runner is at work.
"""

from __future__ import annotations

from .table import Pattern as P

_SHORT = (
    ("memory planning, {needed:int} bytes required", "memory planning, 512 bytes required"),
    ("context->{:name}, {needed:int} bytes required", "context->eval_tensors, 1200 bytes required"),
    ("node_and_registrations.", "node_and_registrations."),
    ("model metadata.", "model metadata."),
    ("persistent TfLiteTensor", "persistent TfLiteTensor"),
)
_REASONS = (
    ("Did not find a parser for {:name}", "Did not find a parser for CONV_2D"),
    ("Missing registration for opcode_index {:int}", "Missing registration for opcode_index 1"),
    ("Operator with CUSTOM builtin_code has no custom_code.", "Operator with CUSTOM builtin_code has no custom_code."),
    ("Failed to initialize {?input ?}{?output ?}tensor {:int}", "Failed to initialize input tensor 0"),
    ("Too many buffers (max is {:int})", "Too many buffers (max is 32)"),
    (
        "Accessing tensor {:int} but only {:int} tensors found{:text}",
        "Accessing tensor 9 but only 8 tensors found in subgraph 0",
    ),
)

TFLM_ALLOCATION: tuple[P, ...] = (
    *(
        P("arena_short", f"Failed to allocate memory for {what}", (f"Failed to allocate memory for {sample}",))
        for what, sample in _SHORT
        if "{needed" not in what
    ),
    *(
        P("arena_needs", f"Failed to allocate memory for {what}", (f"Failed to allocate memory for {sample}",))
        for what, sample in _SHORT
        if "{needed" in what
    ),
    P(
        "arena_untold",  # before 2021, and nobody else says so
        "Failed to allocate memory for tensor_info, {needed:int} bytes required",
        ("Failed to allocate memory for tensor_info, 1200 bytes required",),
    ),
    P(
        "arena_needs",
        "Failed to allocate variable tensor of size {needed:int}",
        ("Failed to allocate variable tensor of size 640",),
    ),
    P(
        "arena_short",
        "Failed to allocate temp. memory for {:text}",
        ("Failed to allocate temp. memory for tensor 3, subgraph 0",),
    ),
    P("arena_short", "Failed to allocate resource buffer.", ("Failed to allocate resource buffer.",)),
    P(
        "resolver_full",
        "Couldn't register custom op '{name:name}', resolver size is {:text}({size:int})",
        ("Couldn't register custom op 'ethos-u', resolver size is toosmall (3)",),
    ),
    P(
        "resolver_full",
        "Couldn't register builtin op {name:word}, resolver size is {:text}({size:int}).",
        ("Couldn't register builtin op #9, resolver size is too small (3).",),
    ),
    P(
        "tensor_dynamic",
        "Op#{:int} ({name:name}) of subgraph {:int} has dynamic tensor #{tensor:int}",
        ("Op#3 (RESHAPE) of subgraph 0 has dynamic tensor #5",),
    ),
    *(P("tensors_reason", text, (sample,)) for text, sample in _REASONS),
)
