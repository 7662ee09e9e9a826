"""What the Ethos-U core driver says while nothing is wrong, where its log level lets it: `I:` and `D: function():` lines.

They show that a run is under way, and how far it came, on boards whose application says little itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from .table import Pattern as P

_SETUP = (
    ("New NPU driver registered (handle: {:word}, NPU: {:rest}", "New NPU driver registered (handle: 0x0x20000de0, NPU: 0x0x48102000)"),
    ("Soft reset NPU{:rest}", "Soft reset NPU"),
)  # fmt: skip
_WORK = (
    ("Waiting for NPU driver handle to become available...", "Waiting for NPU driver handle to become available..."),
    ("Got interrupt from Ethos-U", "Got interrupt from Ethos-U"),
    ("READ_APB_REG", "READ_APB_REG"),
    ("Interrupt. status={:word}, qread={:int}", "Interrupt. status=0xffff0022, qread=4724"),
    ("NPU driver handle {:word} reserved.", "NPU driver handle 0x20000de0 reserved."),
    ("Acquiring NPU driver handle{:rest}", "Acquiring NPU driver handle"),
    ("NPU driver handle {:word} reserved", "NPU driver handle 0x20000de0 reserved"),
    ("OPTIMIZER_CONFIG", "OPTIMIZER_CONFIG"),
    ("COMMAND_STREAM", "COMMAND_STREAM"),
    ("NOP", "NOP"),
    ("Optimizer release nbr: {:int} patch: {:int}", "Optimizer release nbr: 0 patch: 1"),
    ("Optimizer config. product={:rest}", "Optimizer config. product=0, cmd_stream_version=0, macs_per_cc=8, shram_size=48"),
    ("Optimizer config. cmd_stream_version={:rest}", "Optimizer config. cmd_stream_version=0, macs_per_cc=7"),
    ("Optimizer config. arch version={:name}{:rest}", "Optimizer config. arch version=2.0.0"),
    ("Optimizer config. arch version: {:name}{:rest}", "Optimizer config. arch version: 1.0.6"),
    ("handle_command_stream: cmd_stream={:word}, cms_length {:int}", "handle_command_stream: cmd_stream=0x70e73510, cms_length 6014"),
    ("invoke_async: base_addr[{:int}]={:word} size={:int}", "invoke_async: base_addr[1]=0x00000000_3401f000 size=1509728"),
)  # fmt: skip
_DONE = (
    ("Inference finished successfully{:rest}", "Inference finished successfully..."),
    ("NPU driver handle {:word} released", "NPU driver handle 0x20000de0 released"),
)


# Until 2021 the driver printed no letters.
_OLD = (
    ("driver_init", "ethosu_init_v{:int}. base_address={:rest}", "ethosu_init_v4. base_address=48102000, fast_memory=31000000"),
    ("driver_init", "ethosu_init calling NPU embed driver ethosu_dev_init", "ethosu_init calling NPU embed driver ethosu_dev_init"),
    ("driver_init", "ethosu_register_driver: New NPU driver at address {:word} is registered.", "ethosu_register_driver: New NPU driver at address 0x20000de8 is registered."),
    ("driver_step", "ethosu_find_and_reserve_driver - Driver {:word} reserved.", "ethosu_find_and_reserve_driver - Driver 0x20000de8 reserved."),
    ("driver_step", "ethosu_find_and_reserve_driver - Waiting for driver", "ethosu_find_and_reserve_driver - Waiting for driver"),
    ("driver_step", "ethosu_invoke", "ethosu_invoke"),
    ("driver_step", "ethosu_invoke {:name}", "ethosu_invoke OPTIMIZER_CONFIG"),
    ("driver_step", "handle_optimizer_config:", "handle_optimizer_config:"),
    ("driver_step", "handle_command_stream cms_length {:int}", "handle_command_stream cms_length 1181"),
    ("driver_step", "handle_command_stream: cmd_stream={:word}, cms_length {:int}", "handle_command_stream: cmd_stream=0x61025be0, cms_length 1181"),
    ("driver_step", "Optimizer release nbr: {:int} patch: {:int}", "Optimizer release nbr: 0 patch: 1"),
    ("driver_step", "Optimizer config cmd_stream_version: {:int} macs_per_cc: {:int} shram_size: {:rest}", "Optimizer config cmd_stream_version: 0 macs_per_cc: 8 shram_size: 48"),
    ("driver_step", "Optimizer config Ethos-U version: {:name}", "Optimizer config Ethos-U version: 1.0.6"),
    ("npu_arch", "Ethos-U version: {arch:name}", "Ethos-U version: 1.0.6"),
    ("driver_step", "Interrupt. status={:word}, qread={:int}", "Interrupt. status=0xffff0022, qread=4724"),
    ("driver_done", "ethosu_release_driver - Driver {:word} released", "ethosu_release_driver - Driver 0x20000de8 released"),
)  # fmt: skip


def _steps() -> Iterator[P]:
    yield from (P(event, template, (sample,), "..0.16") for event, template, sample in _OLD)
    yield P(
        "driver_step", "I: Optimizer config. Ethos-U version: {:name}", ("I: Optimizer config. Ethos-U version: 1.0.6",)
    )
    yield P(
        "driver_init",
        "ethosu_zephyr_init: Ethos-U DTS info. base_address={:rest}",
        ("ethosu_zephyr_init: Ethos-U DTS info. base_address=0x400e1000, secure_enable=1, privilege_enable=1",),
        "zephyr",
    )
    yield P(
        "driver_init", "Info: Starting the Ethos-U firmware...", ("Info: Starting the Ethos-U firmware...",), "RZ/G3E"
    )
    for mark in ("Ethos-U. version=", "Ethos-U. arch version=", "Ethos-U version: "):
        yield P("npu_arch", f"I: {mark}{{arch:name}}", (f"I: {mark}1.0.6",))
    yield P(
        "npu_config_old",
        "I: Ethos-U config. cmd_stream_version={:int}, macs_per_cc={macs_log2:int}{:rest}",
        ("I: Ethos-U config. cmd_stream_version=0, macs_per_cc=7, shram_size=24, custom_dma=0",),
    )
    for event, messages in (("driver_init", _SETUP), ("driver_step", _WORK), ("driver_done", _DONE)):
        for template, sample in messages:
            yield P(event, f"I: {template}", (f"I: {sample}",))
            if template != "NOP":  # nobody else's behind a letter
                yield P(event, f"Info: {template}", (f"Info: {sample}",), "firmware for the RZ/G3E")
            yield P(event, f"D: {{:name}}(): {template}", (f"D: ethosu_invoke_async(): {sample}",))


DRIVER_STEPS: tuple[P, ...] = tuple(_steps())
