"""What helps where a compile was asked for something that there is not, or left the NPU nothing."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture

HEAD = (
    "Traceback (most recent call last):\n"
    '  File "/opt/env/lib/python3.11/site-packages/executorch/backends/arm/scripts/aot_arm_compiler.py", line 1060, in main\n'
    "    lower(model)\n"
)


@pytest.mark.parametrize(
    ("said", "rule", "in_advice", "not_in_advice"),
    [
        ("RuntimeError: Unknown ethos target: ethos-u85-4096", "target-unknown", "an Ethos-U85 128, 256, 512, 1024 or 2048", "lower case"),
        ("RuntimeError: Unknown ethos target: ethos-u95-128", "target-unknown", "lower case", "is its MACs"),
        ("RuntimeError: Model 'net.pt2' is not a valid name. Use --help for a list of available models.", "model-unknown", "torch.export.load", ".pt or .pth"),
        ("RuntimeError: Missing out variants: {'mylib::crop'}.", "missing-out-variants", "Tensor(a!) out", "quantized_ops_aot_lib"),
        ("RuntimeError: Missing out variants: {'quantized_decomposed::add'}.", "missing-out-variants", "quantized_ops_aot_lib", "torchvision"),
        ("AttributeError: module 'numpy' has no attribute 'bool'", "dependency-conflict", '"numpy<1.24"', "setup.sh"),
        ("RuntimeError: \"histogram_cpu\" not implemented for 'Long'", "dtype", "argmax", "prepare_pt2e"),
        (
            "RuntimeError: Unknown operator <EdgeOpOverload: aten._native_batch_norm_legit_no_training.default>: schema = "
            "aten::_native_batch_norm_legit_no_training(Tensor input) -> (Tensor, Tensor, Tensor) for TOSA : TOSA-0.80.0+BI+u55",
            "operator-untranslated", "--quantize", "EthosUPartitioner",
        ),
    ],
)  # fmt: skip
def test_the_advice_is_for_what_was_asked(said: str, rule: str, in_advice: str, not_in_advice: str) -> None:
    (root,) = [f for f in read_capture("x", f"{HEAD}{said}\n".encode()).findings if f.severity == "error"]
    assert root.rule == rule and in_advice in root.advice and not_in_advice not in root.advice


@pytest.mark.parametrize(
    ("left", "in_advice"),
    [
        ("    - aten_convolution_default: 3\n    - getitem: 1\n", "--quantize"),
        ("    - cortex_m_quantize_per_tensor_default: 9\n    - aten_convolution_default: 3\n", "--delegate"),
        (
            "    - quantized_decomposed_dequantize_per_channel_default: 4\n    - aten_convolution_default: 2\n",
            "--delegate",
        ),
    ],
)
def test_nothing_of_a_quantised_model_was_delegated(left: str, in_advice: str) -> None:
    said = (
        "Delegation summary:\n  Model was not delegated.\n  Delegated partitions for silicon acceleration: 0\n  Non-delegated ops: 4\n"
        f"  Non-delegated operators:\n{left}PTE file saved as net.pte\n"
    )
    (found,) = [f for f in read_capture("x", said.encode()).findings if f.rule == "not-delegated"]
    assert found.advice.split(".")[0].count(in_advice) == 1


def test_the_reason_of_an_operator_comes_before_that_of_its_getitem() -> None:
    said = (
        "\u2502 Node name         \u2502 Target                      \u2502 Torch func \u2502 Reason \u2502\n"
        "\u2502 getitem           \u2502 <built-in function getitem> \u2502 ('sort_1') \u2502 Node was not marked as quantized. \u2502\n"
        "\u2502 aten_sort_default \u2502 aten.sort.default           \u2502 ('sort_1') \u2502 Not in the list of operators. \u2502\n"
    )
    (found,) = [f for f in read_capture("x", said.encode()).findings if f.rule == "operator-rejected"]
    assert found.detail.startswith("The first reason: aten.sort.default: Not in the list")


@pytest.mark.parametrize("status", ["##[error]Process completed with exit code 124.", "Exit code: 124", "RC=124"])
def test_a_compile_that_timeout_stopped_is_told(status: str) -> None:
    command = (
        "+ timeout 60 python -m executorch.backends.arm.scripts.aot_arm_compiler -m net.py -d -q -t ethos-u55-128\n"
    )
    (found,) = read_capture("x", f"{command}{status}\n".encode()).findings
    assert (found.rule, found.severity, found.lines) == ("time-limit", "error", (2,))
    assert read_capture("x", f"$ timeout 60 ./play\n{status}\n".encode()).findings == ()
