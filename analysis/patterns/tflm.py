"""Lines of TensorFlow Lite Micro applications for Ethos-U: Arm's core software and Zephyr's sample."""

from __future__ import annotations

from .table import Pattern as P

_REFUSALS = (
    ("invoke_failed", "Invoke failed for inference: job={job:rest}", "Invoke failed for inference: job=job"),
    ("invoke_failed", "Invoke failed for inference. job={job:rest}", "Invoke failed for inference. job=19_08_01"),
    ("invoke_failed", "Invoke failed for inference job: {job:rest}", "Invoke failed for inference job: 19_08_01"),
    (
        "tensors_failed",
        "Failed to allocate tensors for inference{:rest}",
        "Failed to allocate tensors for inference: job=a",
    ),
    ("tensors_failed", "AllocateTensors() failed{:rest}", "AllocateTensors() failed"),
    ("tensors_failed", "ERROR: AllocateTensors() failed{:rest}", "ERROR: AllocateTensors() failed"),
    ("tensors_failed", "AllocateTensors failed", "AllocateTensors failed"),
    (
        "tensors_failed",
        "MicroAllocator: Model allocation started before finishing previously allocated {:name}",
        "MicroAllocator: Model allocation started before finishing previously allocated model",
    ),
    ("tensors_failed", "Failed starting model allocation.", "Failed starting model allocation."),
    (
        "tensors_failed",  # each call of Invoke() says so, long after what failed
        "Invoke() called after initialization failed",
        "Invoke() called after initialization failed",
    ),
    ("driver_failed", "ERROR: ethosu_init() failed", "ERROR: ethosu_init() failed"),
    *(
        (
            event,
            f"Node {{name:word}} (number {{:int}}{letter}) failed to {what} with status{{? {{code:int}}?}}",
            f"Node ethos-u (number 0{letter}) failed to {what} with status 1",
        )
        for event, what in (("node_failed", "invoke"), ("node_unprepared", "prepare"))
        for letter in ("", "f")  # its format has been %df for years
    ),
)

_OF_FIRMWARE = (
    (
        "tflm_sent",
        "Msg: InferenceReq. user_arg={:word}, {:rest}",
        "Msg: InferenceReq. user_arg=0xffff000005a2c400, network={0xc0400000, 40960}",
    ),
    (
        "tflm_answer",
        "Sending inference response. {:name}={:word}, ofm_count={:int}, status={status:int}",
        "Sending inference response. userArg=0xffff000005a2c400, ofm_count=1, status=0",
    ),
)
"""What the firmware that runs the NPU for Linux says in its trace: of what the kernel asks, and of its answer."""

TFLM: tuple[P, ...] = (
    P(
        "arena_failed",
        "Failed to {what:text}. Requested: {requested:int}, available{?:?} {available:int}, missing:{? {:rest}?}",
        (
            "Failed to allocate tail memory. Requested: 2088, available 1552, missing: 536",
            "Failed to resize buffer. Requested: 2088, available: 1552, missing: 536",
            "Failed to resize buffer. Requested: 2088, available 1552, missing:",
            "Failed to resize buffer. Requested: 1532416, available 1047008, missing: 485408",
            "Failed to allocate tail memory. Requested: 40, available 0, missing: 40 Unable to allocate a tensor.",
        ),
    ),
    P(
        "arena_failed",  # wrapped or torn behind a comma, so that both numbers are whole
        "Failed to {what:text}. Requested: {requested:int}, available{?:?} {available:int},",
        ("Failed to resize buffer. Requested: 2088, available 1552,",),
    ),
    P(
        "arena_failed",
        "Arena size is too small for {what:text}. Needed {requested:int} but only {available:int} was {:rest}",
        (
            "Arena size is too small for activation buffers. Needed 93376 but only 61232 was available.",
            "Arena size is too small for all buffers. Needed 93376 but only 61232 was avai",
        ),
    ),
    P(
        "resolver_missing",
        "Didn't find op for builtin opcode '{name:name}'{:rest}",
        (
            "Didn't find op for builtin opcode 'CONV_2D' version '3'. An older version of this builtin might be supported.",
        ),
    ),
    P(
        "resolver_missing",
        "Failed to get registration from op code {name:name}",
        ("Failed to get registration from op code CONV_2D",),
    ),
    *(
        P(event, f"{mark}{template}", (f"{mark}{sample}",))
        for mark in ("", "E: ")
        for event, template, sample in _REFUSALS
    ),
    P(
        "model_schema",
        "schema version {found:int} {?is ?}not equal to supported version {supported:int}",
        (
            "ERROR - Model's schema version 1 is not equal to supported version 3",
            "Model provided is schema version 0 not equal to supported version 3.",
            "[ERROR] FD model's schema version -1 is not equal to supported version 3",
        ),
        anywhere=True,
    ),
    P(
        "operator_type",
        "Type {type:name} is currently not supported by {operator:text}{?. Only {:rest}?}",
        ("Type UINT8 is currently not supported by Transpose. Only float32 and int8 is supported",),
    ),
    P("operator_type", "Type {type:name} ({:int}) not supported.", ("Type INT32 (2) not supported.",)),
    # the inference runner under Linux, which asks the firmware of the NPU what it is, and the interpreter's
    P("npu_asked", "Send capabilities request", ("Send capabilities request",), "linux"),
    P("npu_capable", "version_status:{:int}", ("version_status:1",), "linux"),
    *(
        P(event, f"Error: {words}", (f"Error: {words}",), "linux")
        for event, words in (
            ("tflite_plan_failed", "Only support models compiled by vela."),
            ("tflite_plan_failed", "Invalid input index or non vela model"),
            ("npu_tool_unrun", "Failed to invoke."),
            ("npu_tool_failed", "IOCTL failed"),
        )
    ),
    P("npu_tool_failed", "Error: Failed to open '{path:text}'", ("Error: Failed to open 'net_vela.tflite'",), "linux"),
    P(
        "npu_product",
        "product:{ major={major:int}, minor={:int}, patch={:int} }",
        ("product:{ major=6, minor=0, patch=0 }",),
        "linux",
    ),
    P("npu_macs_log", "macs_per_cc:{log:int}", ("macs_per_cc:8",), "linux"),
    *(P("tflm_waiting", f"Wait for {what}", (f"Wait for {what}",), "linux") for what in ("inferences", "inference")),
    P("tflm_seen", "Detected: {label:text}, confidence:{score:int}", ("Detected: horse cart, confidence:70",), "linux"),
    P(
        "tflm_class",
        "ID: {index:int} : Confidence: {score:float}",
        ("ID: 615  : Confidence: 19.481831",),
        "core software",
    ),
    P("tflm_label", "label: {label:rest}", ("label: kimono",), "core software"),
    P(
        "tflm_person",
        "Detected {label:text} in the input image",
        ("Detected NO PERSON in the input image",),
        "core software",
    ),
    P("tflm_sure", "Confidence = {score:float}", ("Confidence = 2.213933",), "core software"),
    P("tflm_start", "Initialize Arm Ethos-U", ("Initialize Arm Ethos-U",), "i.MX93"),
    P(
        "tflm_status",
        "Inference status: {status:name}",
        ("Inference status: success", "Inference status: failed", "Inference status: running", "Inference status: ok"),
        "i.MX93",
    ),
    P("driver_timed_out", "Inference timed out, cancelling it", ("Inference timed out, cancelling it",), "linux"),
    P("tflm_counters", "PMUs : [{values:rest}", ("PMUs : [ 2210 871 0 0 ]",), "linux"),
    P("tflm_cycles", "Cycle counter: {cycles:int}", ("Cycle counter: 3412077",), "linux"),
    P("tflm_done", "All inferences completed successfully!", ("All inferences completed successfully!",), "zephyr"),
    P(
        "npu_named",
        "Starting {:text} on Ethos-{npu:name} NPU",
        ("Starting BERT-Tiny Transformer Model Demo on Ethos-U85 NPU",),
        "zephyr",
    ),
    P("tflm_arena_size", "Tensor arena size: {size:int} bytes", ("Tensor arena size: 65536 bytes",), "zephyr"),
    P(
        "word_heard",
        "Heard {label:name} ({score:int}) @{:int}ms",
        ("Heard yes (146) @1000ms", "Heard unknown (201) @4320ms"),
        "micro speech",
    ),
    P("tflm_sent", "Sending inference job", ("Sending inference job",), "core software"),
    P(
        "tflm_sent",
        "inferenceSenderTask: Sending inference job: job={:word}, name={:rest}",
        ("inferenceSenderTask: Sending inference job: job=0x61022340, name=keyword_spotting",),
        "core platform",
    ),
    P(
        "tflm_answer",
        "inferenceSenderTask: received response for job: {:text}, status = {status:int}",
        ("inferenceSenderTask: received response for job: keyword_spotting, status = 0",),
        "core platform",
    ),
    P(
        "tflm_status",
        "Status of executed job: {status:name}",
        ("Status of executed job: Success", "Status of executed job: Failed"),
        "core platform",
    ),
    P(
        "tflm_sent",
        "sender {:int}: Sending inference. job={:word}, name={:rest}",
        ("sender 0: Sending inference. job=0x31000a10, name=keyword_spotting",),
        "zephyr",
    ),
    P(
        "tflm_received",
        "Received inference job. job={:word}, name={:rest}",
        ("Received inference job. job=30073e90, name=19_08_01",),
        "core software",
    ),
    P(
        "tflm_received",
        "runner {:int}: Received inference job. job={:word}",
        ("runner 0: Received inference job. job=0x31000a10",),
        "zephyr",
    ),
    P("tflm_running", "Running inference job: {:rest}", ("Running inference job: 19_08_01",), "core software"),
    P("tflm_arena", "arena_used_bytes : {size:int}", ("arena_used_bytes : 1596",), "core software"),
    P(
        "tflm_runtime",
        "Inference runtime: {cycles:int} cycles",
        ("Inference runtime: 1171181 cycles",),
        "core software",
    ),
    P("tflm_finished", "Finished running job: {:rest}", ("Finished running job: 19_08_01",), "core software"),
    P(
        "tflm_finished",
        "runner {:int}: Sending inference response. job={:word}",
        ("runner 0: Sending inference response. job=0x31000a10",),
        "zephyr",
    ),
    P(
        "tflm_answer",
        "Received inference job response. status={status:int}",
        ("Received inference job response. status=0",),
        "core software",
    ),
    P(
        "tflm_answer",
        "sender {:int}: Received job response. job={:word}, status={status:int}",
        ("sender 0: Received job response. job=0x31000a10, status=0",),
        "zephyr",
    ),
    *(
        P(event, f"{mark}{template}", (f"{mark}{sample}",), "firmware")
        for mark in ("", "I: ", "Info: ")
        for event, template, sample in _OF_FIRMWARE
    ),
    P(
        "cpu_operator_cycles",
        "{name:operator} : cycle_cnt : {cycles:int} cycles",
        ("CONV_2D : cycle_cnt : 1234 cycles",),
        "core software",
        anywhere=True,
    ),
    P(
        "counter",
        "ethos-u : ethosu_pmu_cntr{index:int} : {value:int}{? ({per_inference:float} per inference)?}",
        ("ethos-u : ethosu_pmu_cntr0 : 359921",),
        "core software",
    ),
    *(
        P(
            "npu_config_old",
            f"{mark}Ethos-U config cmd_stream_version: {{:int}} macs_per_cc: {{macs_log2:int}}{{:rest}}",
            (f"{mark}Ethos-U config cmd_stream_version: 0 macs_per_cc: 7 shram_size: 24",),
            "core software",
        )
        for mark in ("", "I: ")
    ),
)
