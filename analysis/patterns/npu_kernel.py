"""What drivers of the NPU in the Linux kernel print, on a board's console between the runner's own lines.

Two are about: the one of the vendor's kernels for the i.MX 93, where firmware on a Cortex-M33 runs the NPU and answers over rpmsg, and
the kernel's own (drivers/accel/ethosu), which runs the NPU itself.
"""

from __future__ import annotations

from .table import Pattern as P

_MAINLINE = (
    "cmd stream region {:int} size greater than {what:name} size ({needed:int} > {size:int})",
    "ethosu 4a900000.npu: cmd stream region 2 size greater than SRAM size (524288 > 393216)",
)
_FIRMWARE = (
    ("kernel_firmware", "could not boot a remote processor", "could not boot a remote processor"),
    ("kernel_firmware", "could not get rproc handle", "could not get rproc handle"),
    ("kernel_message", 'Msg: Error. type={:int}, msg="{what:rest}', 'Msg: Error. type=1, msg="Invalid network"'),
    ("kernel_version", "Msg: Version mismatch detected!{:rest}", "Msg: Version mismatch detected!"),
    (
        "kernel_unsent",
        "Failed to send inference request. inf={:rest}",
        "Failed to send inference request. inf=0x00000000, ret=-512",
    ),
)

NPU_KERNEL: tuple[P, ...] = (
    P(
        "kernel_npu",
        "Ethos-U NPU, arch v{arch:int}.{:text}, {macs:int} MACs, {:int}KB SRAM{:rest}",
        (
            "ethosu 4a900000.npu: Ethos-U NPU, arch v1.0.6, rev r0p2, cmd stream ver0, 256 MACs, 384KB SRAM, 4 PMU cntrs",
        ),
        anywhere=True,
    ),
    *(
        P(
            "machine_model",
            f"{before}Machine model: {words}{{model:rest}}",
            (f"{before}Machine model: {words}{sample}",),
        )
        for before in ("", "OF: fdt: ")
        for words, sample in (("NXP i.MX93", " 11X11 EVK board"), ("ARM Corstone1000 ", "FPGA MPS3 board"))
    ),
    P("kernel_region", _MAINLINE[0], (_MAINLINE[1],), anywhere=True),
    *(
        P(event, f"ethosu {{:word}}: {text}", (f"ethosu 4a900000.ethosu: {sample}", f"ethosu soc@0:ethosu: {sample}"))
        for event, text, sample in _FIRMWARE
    ),
)
