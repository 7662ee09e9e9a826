"""What to do where a kernel failed, by what it said: those of the Cortex-M backend, of ExecuTorch's portable ones, of TensorFlow Lite Micro."""

from __future__ import annotations

import re

from .kernel_refusals import refused

_NO_TEMP_POOL = (
    "Build the runner with a temp pool, which this operator needs while it runs (-DET_ARM_BAREMETAL_SCRATCH_TEMP_ALLOCATOR_POOL_SIZE=BYTES, "
    "CONFIG_EXECUTORCH_TEMP_ALLOCATOR_POOL_SIZE in Zephyr), or give the MemoryManager a temp allocator."
)
REFUSED_ADVICE = "Change what the message names (a shape, a type, or memory) in the model, or in its input: the operator did not accept it."
_UNSAID = "Read the lines just before it for what it did not accept (a shape, a type, or memory)."
_OF_WEIGHTS = r"(?:1|3|7|9|10|FLOAT(?:16|32)|U?INT8|INT16)"
"""Types that weights and activations have, as numbers and as names; indices and sizes have others."""
_OF_INTERPRETER = (
    (r"(?i)\bhybrid models? are not supported", (
        "Convert the model with full integer quantisation (a representative dataset, TFLITE_BUILTINS_INT8, inference_input_type and inference_output_type "
        "int8): its weights are int8 and its activations float."
    )),
    (r"(?i)\bper-channel quantization not (?:yet )?supported", (
        "Quantise the weights of its dense layers per tensor (_experimental_disable_per_channel_quantization_for_dense_layers = True of TensorFlow's "
        "converter), or use a newer TensorFlow Lite Micro."
    )),
    (rf"\btype != (?!kTfLiteFloat)[^()\n]{{1,80}}\({_OF_WEIGHTS} != {_OF_WEIGHTS}\)|\btype == kTfLiteU?Int(?:8|16) was not true", (
        "Convert the model with full integer quantisation (a representative dataset, TFLITE_BUILTINS_INT8, inference_input_type and inference_output_type "
        "int8): a tensor has another type than this operator takes (1 is float, 3 uint8, 7 int16, 9 int8, 10 float16)."
    )),
    (r"(?i)\btypes?\b.{0,80}\bsupported|\bsupported\b.{0,80}\btypes?\b|\b(?:U?INT|FLOAT)\d{1,2}\b.{0,40} not supported", (
        "Quantise the model to int8, inputs and outputs too, or use a release whose kernel accepts that type: the one in this build of TensorFlow Lite "
        "Micro does not."
    )),
)  # fmt: skip
"""What kernels of TensorFlow Lite Micro say before they fail, and what to do then."""
_OF_CORTEX_M = (
    (r"scratch buffer size incorrect", (
        "Compile for the core that runs it (--target cortex-m55 and the like; CortexMTargetConfig has isa= for cores without an extension), with the "
        "CMSIS-NN of the runner's release: CMSIS-NN's scratch is sized at compile time for a core with MVE, with DSP or with neither, and this runner was "
        "built for another."
    )),
    (r"channels_last|dimension order", (
        "Export the model and example input in NHWC (x.to(memory_format=torch.channels_last)), the only order that CMSIS-NN's kernels accept, and give the "
        "runner's input in the same order."
    )),
    (r"\barm_\w{1,60}_s(?:8|16) failed with status \[?-1\b", (
        "Compile it again with the runner's own release and core: CMSIS-NN rejected its arguments (-1), most often because of shapes or quantisation that "
        "its kernel for this core does not support, or a program compiled for another core."
    )),
)  # fmt: skip
"""What kernels of the Cortex-M backend say before they fail, and what to do then."""


def advice_for(name: str, reason: str) -> str:
    """What to do where the kernel of this operator failed; `reason` is what it said, if it said something."""
    if "zero-capacity allocator" in reason:
        return _NO_TEMP_POOL
    other = REFUSED_ADVICE if reason else _UNSAID
    if "::" in name and not name.startswith("cortex_m::"):
        known = refused(reason)
        return (known.advice if known is not None else "") or other
    hints = _OF_INTERPRETER if "::" not in name else _OF_CORTEX_M
    return next((advice for words, advice in hints if re.search(words, reason)), other)
