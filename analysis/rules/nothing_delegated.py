"""What to say of a program of which the NPU has nothing, by what stays on the CPU."""

from __future__ import annotations

import re

from .causes import Failure

NOT_DELEGATED = Failure(
    "not-delegated",
    "",
    "Nothing was delegated to the NPU",
    "Quantise the model before lowering (--quantize; a float model stays on the CPU), and check the operators that were left behind; --debug logs the "
    "reason for each.",
    (),
)
QUANTISED = NOT_DELEGATED._replace(
    advice="Add --delegate as well: the model is already quantised. If the command has it, the target supports none of the operators left behind; --debug logs "
    "the reason for each.",
)
"""What the same line says where the CPU quantises between operators, which no float model does."""
FOR_CPU = NOT_DELEGATED._replace(
    rule="compiled-for-cpu",
    title="The program is for the CPU only, with kernels for Cortex-M",
    advice="Compile with an NPU's target (--target=ethos-u55-128 or another one), --delegate and --quantize if it is meant for an NPU.",
)
"""What the same line says where a Cortex-M is the target, which delegates nothing."""
KERNEL_OF_CORTEX_M = r"cortex_m_(?!(?:de)?quantize_per_)"
"""An operator of the library for Cortex-M; those two stand at the borders of a delegate as well."""
PROGRAM_OF_CORTEX_M = r"_cortex-m\d\w{0,8}(?:\+int8)?\.b?pte"
"""How ExecuTorch's script names a program whose target has no NPU."""
_CORTEX_M = re.compile(rf"- {KERNEL_OF_CORTEX_M}|{PROGRAM_OF_CORTEX_M}")
_QUANTISED = re.compile(r"(?:cortex_m|quantized_decomposed)_{1,2}(?:de)?quantize_per_")


def nothing_delegated(text: str) -> Failure:
    """What the list of what was not delegated tells."""
    if _CORTEX_M.search(text) is not None:
        return FOR_CPU
    return QUANTISED if _QUANTISED.search(text) is not None else NOT_DELEGATED
