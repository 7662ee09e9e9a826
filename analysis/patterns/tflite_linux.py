"""Lines of TensorFlow Lite's tools under Linux where the NPU's delegate is at work: `label_image`, `benchmark_model`.

What the delegate itself says begins a run; what the tools print with any delegate counts only inside of one.
"""

from __future__ import annotations

from .table import Pattern as P

_SAID = (
    ("tflite_device", "Ethosu delegate: device_name set to {device:word}", "Ethosu delegate: device_name set to /dev/ethosu0."),
    (
        "tflite_delegated",
        "EthosuDelegate: {nodes:int} nodes delegated out of {total:int} nodes with {:int} partitions{?.?}",
        "EthosuDelegate: 3 nodes delegated out of 5 nodes with 2 partitions.",
    ),
    (
        "tflite_delegated",
        "NeutronDelegate delegate: {nodes:int} nodes delegated out of {total:int} nodes with {:int} partitions{?.?}",
        "NeutronDelegate delegate: 12 nodes delegated out of 15 nodes with 2 partitions.",
    ),
    *(
        ("tflite_option", f"Ethosu delegate: {option} set to {{:rest}}", f"Ethosu delegate: {option} set to 1.")
        for option in ("cache_file_path", "timeout", "enable_cycle_counter", "enable_profiling", "profiling_buffer_size")
    ),
    ("tflite_option", "Ethosu delegate: pmu_event{:int} set to {:rest}", "Ethosu delegate: pmu_event0 set to 3."),
    ("tflite_option", "Teflon delegate: loaded ethosu driver", "Teflon delegate: loaded ethosu driver"),  # Mesa's, verbose
    ("tflite_applied", "Applied EXTERNAL delegate.", "Applied EXTERNAL delegate."),
    (
        "tflite_applied",
        "Explicitly applied EXTERNAL delegate, and the model graph will be {:rest}",
        "Explicitly applied EXTERNAL delegate, and the model graph will be completely executed by the delegate.",
    ),
    ("tflite_ready", "Initialized session in {ms:float}ms.", "Initialized session in 31.207ms."),
    (
        "tflite_count",
        "count={count:int} first={:float} curr={:float} min={:float} max={:float} avg={:float} std={:rest}",
        "count=1200 first=860 curr=412 min=405 max=860 avg=411.25 std=9",
    ),
    ("tflite_count", "count={count:int} curr={:rest}", "count=1 curr=90210"),
    (
        "tflite_timings",
        "Inference timings in us: Init: {load:float}, First inference: {:float}, Warmup (avg): {:float}, Inference (avg): {us:float}",
        "Inference timings in us: Init: 31207, First inference: 860, Warmup (avg): 411.25, Inference (avg): 1.2403e+06",
    ),
    ("tflite_invoked", "invoked", "invoked"),
    ("tflite_average", "average time: {ms:float} ms", "average time: 4.125 ms"),
    ("tflite_average", "time: {ms:float}ms", "time: 11.892ms"),
)  # fmt: skip
_REFUSED = (
    ("tflite_no_device", "Failed to create ethos_u driver.{:rest}", "Failed to create ethos_u driver."),
    ("tflite_unresolved", "Encountered unresolved custom op: ethos-u.{:rest}", "Encountered unresolved custom op: ethos-u."),
    *(
        ("tflite_plan_failed", text, text)
        for text in ("Failed to alloc ethos_u buffer.", "Unsupported vela compiled model.")
    ),
    ("tflite_build_failed", "Failed to build model, {:rest}", "Failed to build model, Vela compile failed"),
    *(
        ("tflite_invoke_failed", text, text)
        for text in ("Ethos_u inference failed", "Failed to invoke ethos_u op.")
    ),
    ("tflite_plan_failed", "Node number {:int} (EthosuDelegate) failed to prepare.", "Node number 4 (EthosuDelegate) failed to prepare."),
    ("tflite_invoke_failed", "Node number {:int} (EthosuDelegate) failed to invoke.", "Node number 4 (EthosuDelegate) failed to invoke."),
    ("tflite_plan_failed", "Node number {:int} (NeutronDelegate) failed to prepare.", "Node number 15 (NeutronDelegate) failed to prepare."),
    ("tflite_invoke_failed", "Node number {:int} (NeutronDelegate) failed to invoke.", "Node number 15 (NeutronDelegate) failed to invoke."),
    *(
        ("tflite_tool_failed", text, text)
        for text in (
            "Failed to apply EXTERNAL delegate.", "Failed to allocate tensors!", "Failed to invoke tflite!", "Benchmarking failed.",
            "Failed to initialize the interpreter",
        )
    ),
)  # fmt: skip

TFLITE_LINUX: tuple[P, ...] = (
    *(P(event, mark + text, (mark + sample,), "linux") for mark in ("INFO: ", "") for event, text, sample in _SAID),
    *(P(event, mark + text, (mark + sample,), "linux") for mark in ("ERROR: ", "") for event, text, sample in _REFUSED),
    P(
        "tflite_no_device",
        "(Failed to create ethos_u driver.{:rest}",
        ("delegate failed (Failed to create ethos_u driver.",),
        anywhere=True,
    ),
    P(
        "tflite_no_device",
        "Ethos-U i.MX driver failed: Failed to open device",
        ("Ethos-U i.MX driver failed: Failed to open device",),
        "i.MX",
    ),
    P("tflite_no_device", "what(): Failed to open device", ("what():  Failed to open device",), "linux"),
    P(
        "tflite_unresolved",
        "RuntimeError: Encountered unresolved custom op: ethos-u.{:rest}",
        ("RuntimeError: Encountered unresolved custom op: ethos-u.",),
        "python",
    ),
    P(
        "tflite_score",
        "INFO: {score:float}: {index:int} {label:rest}",
        ("INFO: 0.764706: 282 tabby", "INFO: 0.0039: 17 jay"),
        "linux",
    ),
    P("tflite_npu_cycles", "Ethos-u cycle counter: {cycles:int}", ("Ethos-u cycle counter: 381204",), "linux"),
    P("tflite_npu_counters", "Ethos_u PMUs : [{values:rest}", ("Ethos_u PMUs : [ 2210 0 871 ]",), "linux"),
)
