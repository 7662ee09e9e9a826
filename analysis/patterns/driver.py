"""Messages of the Ethos-U core driver beside the ones in `backend.py`: they stand just before the error they cause.

The driver prints `E: text (file.c:LINE)` to stderr; old drivers leave out the letter, so each message is two rows.
"""

from __future__ import annotations

from collections.abc import Iterator

from .table import Pattern as P


def _messages() -> Iterator[P]:
    for event, template, sample in (
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
            "config_garbled",
            "NPU config mismatch{?.?}{?:?} npu.{what:name}={?,?}{? optimizer.{:name}=?}",
            "NPU config mismatch. npu.macs_per_cc=, optimizer.macs_per_cc=",
        ),
        ("npu_status", "NPU status={status:status}{?.?}", "NPU status=0x804"),
        ("driver_reset", "Soft reset timed out{:rest}", "Soft reset timed out (ethosu_device_u85.c:134)"),
        ("driver_timed_out", "NPU inference timed out.{:rest}", "NPU inference timed out. (ethosu_driver.c:246)"),
        (
            "driver_error",
            "NPU error(s) occured during inference.{:rest}",
            "NPU error(s) occured during inference. (ethosu_driver.c:265)",
        ),
        (
            "driver_alignment",
            "Command stream addr {address:word} not aligned to 16 bytes{:rest}",
            "Command stream addr 0x70000078 not aligned to 16 bytes (ethosu_driver.c:301)",
        ),
        (
            "driver_alignment",
            "Base addr {:int}: {address:word} not aligned to 16 bytes{:rest}",
            "Base addr 1: 0x70000078 not aligned to 16 bytes (ethosu_driver.c:310)",
        ),
        (
            "driver_payload",
            "Custom Operator Payload: {found:word} is not correct, expected {expected:word}{:rest}",
            "Custom Operator Payload: 12 is not correct, expected 31504f43 (ethosu_driver.c:670)",
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
            "driver_failed",
            "Failed to switch security state and privilege level{:rest}",
            "Failed to switch security state and privilege level (ethosu_device_u55_u65.c:244)",
        ),
        (
            "driver_failed",
            "Failed to initialize Ethos-U device{:rest}",
            "Failed to initialize Ethos-U device (ethosu_driver.c:418)",
        ),
        ("driver_failed", "Failed to initialize NPU.{:rest}", "Failed to initialize NPU."),
        ("driver_failed", "Failed to initialize Arm Ethos-U", "Failed to initialize Arm Ethos-U"),
        ("invoke_failed", "Failed to invoke inference.{:rest}", "Failed to invoke inference. (ethosu_driver.c:736)"),
    ):
        yield P(event, template, (sample,))
        yield P(event, f"E: {template}", (f"E: {sample}",))
    yield P(
        "timing_adapter_failed",
        "Failed to initialize timing-adapter #{index:int}",
        ("Failed to initialize timing-adapter #0",),
    )


DRIVER: tuple[P, ...] = tuple(_messages())
