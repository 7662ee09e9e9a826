"""Lines of the ml-embedded-evaluation-kit where ExecuTorch is its framework: the runner's texts with the kit's mark, and words of its own."""

from __future__ import annotations

from .table import Pattern as P

KIT_EXECUTORCH: tuple[P, ...] = (
    P("mlek_executorch", "INFO - Initialising ExecuTorch runtime", ("INFO - Initialising ExecuTorch runtime",)),
    P(
        "pte_size",
        "INFO - Model PTE file loaded. Size: {size:int} bytes.",
        ("INFO - Model PTE file loaded. Size: 3507872 bytes.",),
    ),
    P("methods", "INFO - Model buffer loaded, has {count:int} methods", ("INFO - Model buffer loaded, has 1 methods",)),
    P("method", 'INFO - Method found "{name:text}"', ('INFO - Method found "forward"',)),
    P(
        "method_pool",
        "INFO - Setting up method allocator pool. Base: {:pointer}, size: {size:int} bytes.",
        ("INFO - Setting up method allocator pool. Base: 0x7c000000, size: 2097152 bytes.",),
    ),
    P(
        "planned_buffer",
        "INFO - Setting up planned buffer {index:int}, size {size:int}.",
        ("INFO - Setting up planned buffer 0, size 752640.",),
    ),
    P(
        "method_planned",
        "INFO - Total planned memory allocated: {size:int} bytes",
        ("INFO - Total planned memory allocated: 752640 bytes",),
    ),
    P(
        "temp_capacity",
        "INFO - Setting up temporary allocator pool. Base: {:pointer}, size: {size:int} bytes.",
        ("INFO - Setting up temporary allocator pool. Base: 0x31000000, size: 1572864 bytes.",),
    ),
    P(
        "method_loaded_bytes",
        "INFO - Method memory allocated: {size:int} bytes",
        ("INFO - Method memory allocated: 1234 bytes",),
    ),
    P("method_loaded", "INFO - Method {:text} loaded.", ("INFO - Method forward loaded.",)),
    P(
        "method_load_failed",
        'INFO - Loading of method "{name:text}" failed with status {status:status}',
        ('INFO - Loading of method "forward" failed with status 0x21',),
    ),
    P("inputs_start", "INFO - Preparing inputs...", ("INFO - Preparing inputs...",)),
    P("method_input", "INFO - Inputs allocated: {size:int} bytes.", ("INFO - Inputs allocated: 602112 bytes.",)),
    P(
        "mlek_method_memory",
        "INFO - Method memory: Used: {used:int}; Peak: {:int}; Available: {capacity:int}",
        ("INFO - \tMethod memory: Used: 1355986; Peak: 1355986; Available: 2097152",),
    ),
    P(
        "mlek_temp_memory",
        "INFO - Temp memory: Used: {:int}; Peak: {peak:int}; Available: {capacity:int}",
        ("INFO - \tTemp memory: Used: 0; Peak: 1505280; Available: 1572864",),
    ),
    P("mlek_memory_mode", "INFO - NPU memory mode: {mode:name}", ("INFO - NPU memory mode: Dedicated_Sram",)),
    P(
        "kit_memory_mode",
        "INFO - Using {mode:name} memory mode; fast cache size: {:int}",  # the others are told as one: Sram_Only/Shared_Sram
        ("INFO - Using Dedicated_Sram memory mode; fast cache size: 262144",),
        "TensorFlow Lite Micro",
    ),
    P(
        "allocation_failed",
        "ERROR - Failed to allocate {requested:int} bytes. Allocator has {available:int} bytes left",
        ("ERROR - Failed to allocate 752640 bytes. Allocator has 524288 bytes left",),
    ),
    P(
        "program_load_failed",
        "ERROR - Program loading failed @ {address:word}: {status:status}",
        ("ERROR - Program loading failed @ 0x0x70000000: 0x23",),
    ),
    P(
        "method_meta_failed",
        "ERROR - Failed to get method_meta for {name:name}: {status:status}",
        ("ERROR - Failed to get method_meta for forward: 0x23",),
    ),
    *(
        P("mlek_failed", f"ERROR - {text}{{? Error: {{:int}}?}}", (f"ERROR - {text}",))
        for text in (
            "Failed to prepare inputs",
            "Failed to get output tensors",
            "Failed to set input tensor.",
            "Failed to retrieve tag",
            "Failed to retrieve input tensor meta",
        )
    ),
)
