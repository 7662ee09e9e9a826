"""Models that a compile fails on or leaves to the CPU, one for each configuration of a batch: many real jobs, one start.

`model_file` writes a model file that looks at its own command line and becomes the model of that configuration; the batch
keeps intermediates, so that every job goes the whole way and none is made of another one's graphs.
"""

from __future__ import annotations

from pathlib import Path

HEAD = """
import sys
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
image = (torch.rand(1, 4, 8, 8),)


class Calls(nn.Module):
    def __init__(self, function, *parts):
        super().__init__()
        self.function = function
        self.parts = nn.ModuleList(parts)

    def forward(self, *inputs):
        return self.function(*inputs)


class Beside(nn.Module):
    def __init__(self, *parts):
        super().__init__()
        self.parts = nn.ModuleList(parts)

    def forward(self, *inputs):
        return tuple(part(given) for part, given in zip(self.parts, inputs))


def line(config):
    target = next(a.partition("=")[2] for a in sys.argv if a.startswith("--target="))
    system = next(a.partition("=")[2] for a in sys.argv if a.startswith("--system_config="))
    memory = next(a.partition("=")[2] for a in sys.argv if a.startswith("--memory_mode="))
    return config == f"{target} {system} {memory}"

"""


def model_file(path: Path, bodies: dict[str, str]) -> dict[str, int]:
    """Write the file; `bodies` are statements by configuration ("target system_config memory_mode").

    Gives the first line of each body.
    """
    text = HEAD
    lines = {}
    for config, body in bodies.items():
        text += f"if line({config!r}):\n"
        lines[config] = text.count("\n") + 1
        text += "".join(f"    {row}\n" for row in body.strip().splitlines())
    path.write_text(text)
    return lines
