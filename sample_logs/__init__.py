"""Genuine runner logs that come with the program: for the demo, for replay, for the tests, and to try the tool on.

`ORIGINS` states where each comes from.  The recordings are our own: ExecuTorch's upstream `arm_executor_runner` (main of
August 2026) built for Cortex-M55 and run under QEMU's mps3-an547 machine, which has no NPU, and ExecuTorch's
`executor_runner` on an x86 host.  QEMU's CPU cycle counter ticks at 32 MHz, about once per instruction: its "cycles" are
not Cortex-M55 cycles, and PMU figures of these recordings are zero because no NPU was there.
"""

from __future__ import annotations

_QEMU = "our recording: upstream runner for Cortex-M55 under QEMU, "
_HOST = "our recording: ExecuTorch's executor_runner on an x86 host, "

ORIGINS: dict[str, str] = {
    "mobilenet_v2_corstone320.log": "ExecuTorch 0.5 Arm tutorial: MobileNetV2, Corstone-320 FVP, Ethos-U85-128",
    "bundleio_pass.log": _QEMU + "bundled program whose outputs match the reference",
    "corrupt_bad_magic.log": _QEMU + "a file that is no program, at the model's address",
    "dbg_mnist.log": _QEMU + "quantised MNIST CNN on the CPU, debug log level",
    "etd_plain.log": _QEMU + "quantised MNIST CNN on the CPU, with an ETDump block",
    "generic_softmax.log": _QEMU + "softmax, program read from an address outside the ELF",
    "hang_u55_no_npu.log": _QEMU + "an Ethos-U55 program where no NPU answers: execution never returns",
    "hardfault_badaddr.log": _QEMU + "a program address that is not memory",
    "host_missing_op.log": _HOST + "a program for Cortex-M whose operators the host runner does not have",
    "host_softmax.log": _HOST + "softmax",
    "method_small_load.log": _QEMU + "method pool too small for the method's own structures",
    "method_small_planned.log": _QEMU + "method pool too small for the planned buffer",
    "missing_op_softmax.log": _QEMU + "a runner without the softmax kernel",
    "mnist_q.log": _QEMU + "quantised MNIST CNN on the CPU",
    "semi_no_such_file.log": _QEMU + "semihosting, the model file does not exist",
    "semi_softmax.log": _QEMU + "semihosting, softmax with an input file",
    "softmax.log": _QEMU + "softmax",
    "temp_small_topk.log": _QEMU + "temp pool too small for an operator's scratch memory",
    "u55_nobackend.log": _QEMU + "an Ethos-U55 program on a runner without the Ethos-U backend",
}
"""File name to origin."""
