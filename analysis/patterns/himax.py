"""Lines of Himax's applications for the WE2 (Grove Vision AI V2), most of all its classifier: ExecuTorch without log prefixes, one picture
of a camera after the other.

Its loader reserves memory piece by piece and says where; the runtime below it has ExecuTorch's own prefix.
"""

from __future__ import annotations

from .table import Pattern as P

HIMAX: tuple[P, ...] = (
    P("driver_failed", "failed to initalise Ethos-U device", ("failed to initalise Ethos-U device",)),
    P("himax_ready", "initial done", ("initial done",)),
    P("himax_device", "Ethos-{npu:name} device initialised", ("Ethos-U55 device initialised",)),
    P("himax_device", "{:torn}Ethos-{npu:name} device initialised{:end}", ("sensor_inEthos-U55 device initialised",), anywhere=True),
    *(P("himax_shape", f"Method has {{:int}} {what}.", (f"Method has 1 {what}.",)) for what in ("inputs", "outputs")),
    *(
        P("himax_shape", f"{what} {{:int}} sizes: [{{:text}}] Type: {{:int}}", (f"{what} 0 sizes: [1, 10, ] Type: 1",))
        for what in ("Input", "Output")
    ),
    P(
        "himax_step",
        "planned_buffers[{:int}]={:pointer} buffer_size: {:int} bytes",
        ("planned_buffers[0]=0x34081000  buffer_size: 12288 bytes",),
    ),
    P(
        "temp_capacity",
        "Setting up temporary allocator pool. Base: {:pointer}, size: {size:int} bytes.",
        ("Setting up temporary allocator pool. Base: 34084000, size: 524288 bytes.",),
    ),
    P(
        "himax_step",
        "Corrected Allocation: method_allocator start: {:pointer}, size: {:int}",
        ("Corrected Allocation: method_allocator start: 0x34104000, size: 53248",),
    ),
    P("himax_step", "memory_manager!~~", ("memory_manager!~~",)),
    *(
        P("himax_step", f"memory_manager.{pool}_allocator: {{:pointer}}", (f"memory_manager.{pool}_allocator: 0x34104000",))
        for pool in ("method", "temp")
    ),
    P("himax_step", "ctx.method.value(): {:pointer}", ("ctx.method.value(): 0x34041000",)),  # after a failure, too
    P(
        "himax_unplanned",
        "Error: mm_reserve_align failed for planned buffer {index:int}",
        ("Error: mm_reserve_align failed for planned buffer 0",),
    ),
    P(
        "himax_unreserved",
        "Error: Failed to allocate method_allocator pool (size {size:int})",
        ("Error: Failed to allocate method_allocator pool (size 53248)",),
    ),
    # one picture
    P("himax_input", "Detected Input ScalarType: {:int}", ("Detected Input ScalarType: 1",)),
    P("himax_results", "Inference Results:", ("Inference Results:",)),
    P("himax_result", "Result is {label:text} (Score: {score:int})", ("Result is truck (Score: 64)",)),
    P("himax_class", "Class {index:int} (Score: {score:float})", ("Class 7 (Score: 64)",)),
    P("himax_class", "Class {index:int} Score: {score:float}", ("Class 7 Score: 9.250",)),
    # Himax's other applications, on TensorFlow Lite Micro
    P("himax_ticks", "Tick for Invoke for {what:text}:[{cycles:int}]", ("Tick for Invoke for MB_CLS:[1203345]",)),
    P("himax_invoked", "{:label}invoke pass{:end}", ("face detection invoke pass", "invoke pass"), anywhere=True),
    P("himax_invoked", "Model invoked.", ("Model invoked.",)),
    P("himax_invoke_failed", "{:label}invoke fail{:end}", ("yolov8 object detect invoke fail",), anywhere=True),
    # the sensor takes no setting over I2C; pictures never come then
    P("himax_unseen", "CIS Init fail", ("CIS Init fail",)),
    *(
        P("himax_unseen", f" {step} by app fail", (f"OV5647 {step} by app fail",), anywhere=True)
        for step in ("off", "on", "Init", "Init Stream")
    ),
    P("himax_failed", "method.value()->execute fail", ("method.value()->execute fail",)),
    # what they send to a viewer, as Seeed's firmware for the same board does: one object a picture, the picture itself often in it
    P(
        "himax_answered",
        '"INVOKE",{? ?}"code": {code:int}, "data": {data:rest}',
        (
            '{"type": 1, "name": "INVOKE", "code": 0, "data": {"count": 3, "perf": [9, 41, 1], "boxes": [[8, 8, 16, 16, 71, 0]]}}',
            '{"type":0,"name":"INVOKE","code":0,"data":{"model":{"id":2,"type":3}}}',
        ),
        anywhere=True,
    ),
)  # fmt: skip
