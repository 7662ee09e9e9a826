"""Messages of the Ethos-U core driver: they stand just before the error they cause.

The driver prints `E: text (file.c:LINE)` to stderr, since March 2025 `E: file.c:LINE: text`; old drivers leave out the letter, so
each message is four rows.  Linux has a driver of its own (drivers/accel/ethosu), which prints the same registers.
"""

from __future__ import annotations

from .table import Pattern as P

_MESSAGES: tuple[tuple[str, str, str], ...] = (
    (
        "arch_mismatch",
        "NPU arch mismatch{?.?}{?:?} npu.arch={npu:name}{?,?} optimizer.arch={model:name}{? ({:text})?}",
        "NPU arch mismatch. npu.arch=1.1.0, optimizer.arch=1.0.6 (ethosu_device_u55_u65.c:310)",
    ),
    (
        "config_garbled",
        "NPU config mismatch{?.?}{?:?} npu.{what:name}=E:{:rest}",
        "NPU config mismatch. npu.macs_per_cc=E: NPU config",
    ),
    (
        "driver_product",
        "Failed to initialize device. Driver has not been compiled for this product{:rest}",
        "Failed to initialize device. Driver has not been compiled for this product (ethosu_driver.c:413)",
    ),
    (
        "npu_status",
        "NPU fault. status={status:status}, qread={qread:int}{?, cmd_end_reached={end:int}?}{? ({:text})?}",
        "NPU fault. status=0x00000804, qread=16, cmd_end_reached=0 (ethosu_driver.c:420)",
    ),
    *(
        (
            "driver_stopped",
            f"{mark}IRQ received but qread ({{qread:int}}) not at end of stream ({{end:int}}).{{:rest}}",
            f"{mark}IRQ received but qread (12) not at end of stream (4724).",
        )
        for mark in ("", "Failure: ", "W: ", "W: Failure: ")
    ),
    (
        "config_mismatch",
        "NPU config mismatch{?.?}{?:?} npu.{what:name}={npu:int}{?,?} optimize.{:name}={model:int}{? ({source:text})?}",
        "NPU config mismatch: npu.custom_dma=1 optimize.custom_dma=0",
    ),
    (
        "config_garbled",
        "NPU config mismatch{?.?}{?:?} npu.{what:name}={?,?}{? optimizer.{:name}=?}",
        "NPU config mismatch. npu.macs_per_cc=, optimizer.macs_per_cc=",
    ),
    ("npu_status", "NPU status={status:status}{?.?}", "NPU status=0x804"),
    ("npu_status", "ethosu {:name}: Error IRQ - {status:status}", "ethosu 4a900000.npu: Error IRQ - 804"),
    ("driver_reset", "Soft reset timed out{:rest}", "Soft reset timed out (ethosu_device_u85.c:134)"),
    ("driver_reset", "Failed reset of Ethos-U{:rest}", "Failed reset of Ethos-U"),
    ("driver_reset", "Failed to {?soft-?}reset NPU{:rest}", "Failed to soft-reset NPU (ethosu_driver.c:410)"),
    ("driver_timed_out", "NPU inference timed out.{:rest}", "NPU inference timed out. (ethosu_driver.c:246)"),
    (
        "driver_timed_out",
        "ethosu {:name}: NPU sched timed out: {:rest}",
        "ethosu 4a900000.npu: NPU sched timed out: NPU running, cmdstream offset 0x1c: 0x40000010",
    ),
    ("driver_timed_out", "NPU timeout{? (ethosu{:text})?}", "NPU timeout"),
    ("driver_timed_out", "NPU timeout. qread={:int}{? ({:text})?}", "NPU timeout. qread=12"),
    (
        "driver_error",
        "NPU error(s) occured during inference.{:rest}",
        "NPU error(s) occured during inference. (ethosu_driver.c:265)",
    ),
    *(
        ("driver_alignment", f"{mark}{template}", f"{mark}{sample}")
        for mark in ("", "Failure: ")
        for template, sample in (
            (
                "Command stream addr {address:word} not aligned to 16 bytes{:rest}",
                "Command stream addr 0x70000078 not aligned to 16 bytes (ethosu_driver.c:301)",
            ),
            (
                "Base addr {:int}: {address:word} not aligned to {:int} bytes{:rest}",
                "Base addr 1: 0x70000078 not aligned to 16 bytes (ethosu_driver.c:310)",
            ),
        )
    ),
    (
        "driver_payload",
        "Custom Operator Payload: {found:word} is not correct, expected {expected:word}{:rest}",
        "Custom Operator Payload: 12 is not correct, expected 31504f43 (ethosu_driver.c:670)",
    ),
    *(
        (
            "driver_payload",
            f"{mark}custom_data_size={{found:word}} not a multiple of 4{{:rest}}",
            f"{mark}custom_data_size=0x2a not a multiple of 4 (ethosu_driver.c:590)",
        )
        for mark in ("", "ethosu_invoke ERROR ")
    ),
    *(
        (
            "driver_payload",
            f"{mark}UNSUPPORTED driver_action_command{{?:?}} {{found:int}}{{:rest}}",
            f"{mark}UNSUPPORTED driver_action_command: 9 (ethosu_driver.c:640)",
        )
        for mark in ("", "ethosu_invoke ")
    ),
    (
        "fast_memory_small",
        "Fast memory area too small. fast_memory_size={size:int}, base_addr_size={needed:int}{:rest}",
        "Fast memory area too small. fast_memory_size=65536, base_addr_size=393216 (ethosu_driver.c:290)",
    ),
    (
        "driver_busy",
        "No NPU driver handle available, but semaphore taken{:rest}",
        "No NPU driver handle available, but semaphore taken (ethosu_driver.c:730)",
    ),
    (
        "driver_busy",
        "No NPU driver handle registered at address {address:word}{:rest}",
        "No NPU driver handle registered at address 0x20001000. (ethosu_driver.c:640)",
    ),
    *(
        ("driver_state", f"{text}{end}", f"{text} (ethosu_driver.c:560)")
        for text, end in (
            ("Inference already running, or waiting to be cleared...", "{:rest}"),
            ("Inference job not running...", "{:rest}"),
            ("Unexpected job state", "{? (ethosu{:text})?}"),  # schedulers of jobs go on with the state
        )
    ),
    (
        "driver_event",
        "Invalid ethosu_pmu_event_type: {event:int}{:rest}",
        "Invalid ethosu_pmu_event_type: 700 (ethosu_pmu.c:120)",
    ),
    ("driver_event", "Unknown PMU event id: {event:word}{:rest}", "Unknown PMU event id: 0x33 (ethosu_pmu.c:95)"),
    (
        "driver_failed",
        "Failed to switch security state and privilege level{:rest}",
        "Failed to switch security state and privilege level (ethosu_device_u55_u65.c:244)",
    ),
    (
        "driver_failed",
        "Failed to initialize Ethos-U device{:rest}",
        "Failed to initialize Ethos-U device (ethosu_driver.c:418)",
    ),
    ("driver_failed", "Failed in ethosu_dev_init{:rest}", "Failed in ethosu_dev_init (ethosu_driver.c:420)"),
    (
        "driver_failed",
        "Failed to allocate memory for Ethos-U device{:rest}",
        "Failed to allocate memory for Ethos-U device (ethosu_device_u85.c:80)",
    ),
    (
        "driver_failed",
        "Failed to create {?global ?}driver {:name}{? ({:text})?}",
        "Failed to create global driver mutex (ethosu_driver.c:390)",
    ),
    *(
        ("driver_failed", f"Failed to {what}{{:rest}}", f"Failed to {what} (ethosu_driver.c:330)")
        for what in (
            "request power",
            "set power mode for Ethos-U",
            "set clock and power q channels for Ethos-U",
            "disable power-q for Ethos-U",
            "disable clock-q & power-q for Ethos-U",
        )
    ),
    ("driver_failed", "Failed to initialize NPU.{:rest}", "Failed to initialize NPU."),
    ("driver_failed", "npu_init: ethosu_init FAIL", "npu_init: ethosu_init FAIL"),
    (
        "driver_failed",
        "Failed to initialize NPU with ethosu_init(){?.?}",
        "Failed to initialize NPU with ethosu_init().",
    ),
    ("driver_failed", "Failed to enable NPU clock", "Failed to enable NPU clock"),
    ("driver_failed", "Failed to enable NPU hardware: {:int}", "Failed to enable NPU hardware: -116"),
    ("driver_failed", "Failed to initialize Arm Ethos-U", "Failed to initialize Arm Ethos-U"),
    ("invoke_failed", "Failed to invoke inference.{:rest}", "Failed to invoke inference. (ethosu_driver.c:736)"),
)
"""Events with a template and a sample as old drivers print them, without a letter."""


def _of_all_releases(event: str, template: str, sample: str) -> tuple[P, ...]:
    text = sample.partition(" (ethosu_")[0]
    return (
        P(event, template, (sample,)),
        # the second mark is of firmware whose log has words for its levels, as Renesas's for the RZ/G3E
        *(P(event, f"{mark}{template}", (f"{mark}{sample}",)) for mark in ("E: ", "Error: ")),
        P(event, f"E: {{:place}} {template}", (f"E: ethosu_driver.c:452: {text}",)),
    )


DRIVER: tuple[P, ...] = (
    P(
        "config_mismatch",
        "NPU config mismatch{?.?}{?:?} npu.{what:name}={npu:int}{?,?} optimizer.{:name}={model:int}{? ({source:text})?}",
        (
            "NPU config mismatch: npu.macs_per_cc=8 optimizer.macs_per_cc=7",
            "E: NPU config mismatch. npu.macs_per_cc=8, optimizer.macs_per_cc=7 (ethosu_device_u55_u65.c:300)",
        ),
        anywhere=True,
    ),
    P(
        "npu_status",
        "NPU status={status:status}, qread={qread:int}, cmd_end_reached={end:int}",
        ("E: NPU status=0x00000804, qread=16, cmd_end_reached=0 (ethosu_driver.c:100)",),
        anywhere=True,
    ),
    P(
        "driver_based",
        "ethosu_init. base_address={address:word}",
        ("I: ethosu_init. base_address=0x4a900000",),
        anywhere=True,
    ),
    P(
        "driver_based",
        "Initializing NPU: base_address={address:word}, fast_memory={:word}, secure={:int}, privileged={:int}",
        ("I: Initializing NPU: base_address=0x4a900000, fast_memory=0, secure=0, privileged=0",),
        anywhere=True,
    ),
    P(
        "driver_based",
        "Initializing NPU: base_address={address:word}, fast_memory={:word}, fast_memory_size={:word}{:rest}",
        ("I: Initializing NPU: base_address=0x48102000, fast_memory=0, fast_memory_size=0, secure=1, privileged=1",),
        anywhere=True,
    ),
    P(
        "npu_config",
        "Ethos-U config. product={product:int}, cmd_stream_version={:int}, macs_per_cc={macs_log2:int}{:rest}",
        ("I: Ethos-U config. product=0, cmd_stream_version=0, macs_per_cc=7, shram_size=24, custom_dma=0",),
        anywhere=True,
    ),
    *(row for message in _MESSAGES for row in _of_all_releases(*message)),
    P(
        "config_mismatch",
        "Error: NPU config mismatch{?.?}{?:?} npu.{what:name}={npu:int}{?,?} optimizer.{:name}={model:int}{? ({source:text})?}",
        ("Error: NPU config mismatch. npu.macs_per_cc=8, optimizer.macs_per_cc=7",),
        "RZ/G3E",
    ),
    P(
        "npu_status",
        "Error: NPU status={status:status}, qread={qread:int}, cmd_end_reached={end:int}",
        ("Error: NPU status=0x00000804, qread=16, cmd_end_reached=0",),
        "RZ/G3E",
    ),
    *(
        P("driver_none", f"{mark}No NPU driver handle available.{{:rest}}", (f"{mark}No NPU driver handle available.",))
        for mark in ("", "W: ")
    ),
    P("driver_error", "E: Inference failed.{:rest}", ("E: Inference failed. (ethosu_driver.c:640)",)),
    P(
        "timing_adapter_failed",
        "Failed to initialize timing-adapter #{index:int}",
        ("Failed to initialize timing-adapter #0",),
    ),
)
