"""Writes the compiled programs beside it with ExecuTorch's own ahead-of-time script: `python tests/programs/regenerate.py`.

They are small, real, and written once (ExecuTorch 1.5.1, ethos-u-vela 5.1.0), so that most tests of programs need no compiler.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import traceback
from pathlib import Path
from typing import Any

from models import TWO_PARTS

HERE = Path(__file__).resolve().parent

SMALL = """
import torch

class Adds(torch.nn.Module):
    def forward(self, x, y):
        return x + y

ModelUnderTest = Adds().eval()
ModelInputs = (torch.ones(1, 4, 4, 2), torch.ones(1, 4, 4, 2))
"""
SOFTMAX = """
import torch

class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.softmax = torch.nn.Softmax()

    def forward(self, x):
        return self.softmax(x)

ModelUnderTest = M()
ModelInputs = (torch.ones(2, 2),)
"""
DIGITS = """
import torch

torch.manual_seed(0)

class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a = torch.nn.Conv2d(1, 4, 3, stride=2, padding=1)
        self.b = torch.nn.Conv2d(4, 8, 3, stride=2, padding=1)
        self.f = torch.nn.Linear(392, 10)

    def forward(self, x):
        x = torch.relu(self.a(x))
        x = torch.relu(self.b(x))
        return self.f(torch.flatten(x, 1))

ModelUnderTest = M().eval()
ModelInputs = (torch.rand(1, 1, 28, 28),)
"""
NPU = ("--delegate", "--quantize")
JOBS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("two_parts_u55_128.pte", TWO_PARTS, (*NPU, "--target=ethos-u55-128")),
    ("two_parts_u55_32_sram_only.pte", TWO_PARTS, (*NPU, "--target=ethos-u55-32", "--memory_mode=Sram_Only")),
    ("two_parts_u55_128_segments.pte", TWO_PARTS, (*NPU, "--target=ethos-u55-128")),
    ("two_parts_u55_256_segments.pte", TWO_PARTS, (*NPU, "--target=ethos-u55-256", "--memory_mode=Sram_Only")),
    (
        "adds_u85_512_dedicated.pte",
        SMALL,
        (
            *NPU,
            "--target=ethos-u85-512",
            "--memory_mode=Dedicated_Sram_512KB",
            "--system_config=Ethos_U85_SYS_DRAM_High",
        ),
    ),
    ("adds_u55_128.bpte", SMALL, (*NPU, "--target=ethos-u55-128", "--bundleio")),
    ("adds_float.pte", SMALL, ()),
    ("softmax_float.pte", SOFTMAX, ()),
    ("digits_cortex_m55.pte", DIGITS, ("--quantize", "--target=cortex-m55")),
)


def compile_one(name: str, model: str, options: tuple[str, ...], folder: Path) -> None:
    import executorch.backends.arm.scripts.aot_arm_compiler as script

    own: Any = script.ExecutorchBackendConfig
    if "segments" in name:
        script.ExecutorchBackendConfig = lambda **settings: own(**{**settings, "extract_delegate_segments": True})
    path = folder / "model.py"
    path.write_text(model)
    if name == "two_parts_u55_128.pte":
        options = (*options, "--intermediates", str(folder / "dump"), "--enable_debug_mode", "tosa")
    sys.argv = ["aot_arm_compiler", f"--model_name={path}", *options, f"--output={folder / name}"]
    script.main()
    if "dump" in " ".join(options):
        graph = min((folder / "dump").glob("output_tag*.tosa"), key=lambda path: path.stat().st_size)
        here, there = (
            sys.prefix.encode(),
            b"/env".ljust(len(sys.prefix), b"/"),
        )  # of the same length: offsets stay right
        (HERE / "two_parts.tosa").write_bytes(graph.read_bytes().replace(here, there))
        sys.argv = [argument for argument in sys.argv if argument not in options[-4:]]
        script.main()  # again, without the path of the dump in the program
    shutil.copy(folder / name, HERE / name)


def main() -> None:
    import executorch.backends.arm.scripts.aot_arm_compiler  # noqa: F401  (once, for all)

    for name, model, options in JOBS:
        child = os.fork()
        if child == 0:
            try:
                with tempfile.TemporaryDirectory() as folder:
                    compile_one(name, model, options, Path(folder))
                os._exit(0)
            except BaseException:
                traceback.print_exc()
                os._exit(1)
        print(name, "failed" if os.waitpid(child, 0)[1] else "written")


if __name__ == "__main__":
    main()
