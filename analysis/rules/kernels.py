"""What a program that was not delegated needs from its runner: kernels that are in no portable build."""

from __future__ import annotations

from ..program.report import Program
from ..report import Finding

_LIBRARIES = {
    "cortex_m": "cortex_m_ops_lib (EXECUTORCH_BUILD_CORTEX_M=ON; no host has it)",
    "quantized_decomposed": "quantized_ops_lib",
    "dim_order_ops": "portable_ops_lib",
    "aten": "portable_ops_lib",
}
"""By namespace: the library of ExecuTorch that has its kernels."""
OPTIMIZED = ("aten::linear.out", "aten::_fft_r2c.out", "aten::_fft_c2r.out")
"""Kernels that the optimized library alone has: no list of operators can bring them to a build of portable ones."""


def kernels_finding(program: Program) -> Finding | None:
    """`kernels-needed` where a program without a delegate calls kernels beyond the portable ones; None elsewhere."""
    counts: dict[str, int] = {}
    for method in program.methods:
        if method.delegates:
            return None
        for name, count in method.operators.items():
            counts[name] = counts.get(name, 0) + count
    special = {
        name: count
        for name, count in counts.items()
        if name.partition("::")[0] not in ("aten", "dim_order_ops") or name in OPTIMIZED
    }
    if not special:
        return None
    libraries = dict.fromkeys(map(_library, counts))
    return Finding(
        "kernels-needed",
        "info",
        None,
        f"The CPU runs everything, and the runner needs {len(special)} kernel{'s' if len(special) > 1 else ''} that are not portable",
        ", ".join(f"{name} x{count}" for name, count in counts.items()),
        f"Link these into the runner: {'; '.join(libraries)}.",
    )


def _library(kernel: str) -> str:
    """Where the kernel is; the optimized library has the portable ones, too."""
    if kernel in OPTIMIZED:
        return "optimized_native_cpu_ops_lib in place of portable_ops_lib (EXECUTORCH_BUILD_KERNELS_OPTIMIZED=ON; no bare-metal runner has it)"
    space = kernel.partition("::")[0]
    return _LIBRARIES.get(space, f"the library that registers {space}")
