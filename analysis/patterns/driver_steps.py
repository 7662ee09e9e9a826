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
    ("Acquiring NPU driver handle{:rest}", "Acquiring NPU driver handle"),
    ("NPU driver handle {:word} reserved", "NPU driver handle 0x20000de0 reserved"),
    ("OPTIMIZER_CONFIG", "OPTIMIZER_CONFIG"),
    ("COMMAND_STREAM", "COMMAND_STREAM"),
    ("NOP", "NOP"),
    ("Optimizer release nbr: {:int} patch: {:int}", "Optimizer release nbr: 0 patch: 1"),
    ("Optimizer config. product={:rest}", "Optimizer config. product=0, cmd_stream_version=0, macs_per_cc=8, shram_size=48"),
    ("Optimizer config. cmd_stream_version={:rest}", "Optimizer config. cmd_stream_version=0, macs_per_cc=7"),
    ("Optimizer config. arch version: {:name}{:rest}", "Optimizer config. arch version: 1.0.6"),
    ("Ethos-U. arch version={:name}{:rest}", "Ethos-U. arch version=1.0.6"),
    ("handle_command_stream: cmd_stream={:word}, cms_length {:int}", "handle_command_stream: cmd_stream=0x70e73510, cms_length 6014"),
    ("invoke_async: base_addr[{:int}]={:word} size={:int}", "invoke_async: base_addr[1]=0x00000000_3401f000 size=1509728"),
)  # fmt: skip
_DONE = (
    ("Inference finished successfully{:rest}", "Inference finished successfully..."),
    ("NPU driver handle {:word} released", "NPU driver handle 0x20000de0 released"),
)


def _steps() -> Iterator[P]:
    for event, messages in (("driver_init", _SETUP), ("driver_step", _WORK), ("driver_done", _DONE)):
        for template, sample in messages:
            yield P(event, f"I: {template}", (f"I: {sample}",))
            yield P(event, f"D: {{:name}}(): {template}", (f"D: ethosu_invoke_async(): {sample}",))


DRIVER_STEPS: tuple[P, ...] = tuple(_steps())
