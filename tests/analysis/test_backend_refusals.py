"""What ExecuTorch's Arm and Cortex-M backends refuse before anything is compiled: each refusal in the traceback of a script."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture

REFUSALS = [
    ("RuntimeError: unsupported param type, placeholder.", "computed-weight", "placeholder"),
    (
        "lib.TosaValueError: TOSA spec TOSA-1.0+FP doesn't support integers (TOSA op: CONV2D)",
        "operator-dtype",
        "CONV2D",
    ),
    ("lib.TosaValueError: TOSA spec TOSA-1.1+INT doesn't support bfloat16 for ARGMAX", "operator-dtype", "bfloat16"),
    (
        "TypeError: TOSAQuantizer constructor expects a TosaSpecification or compile_spec list, got <class 'str'>",
        "release-mismatch",
        "str",
    ),
    (
        "ValueError: Unsupported Cortex-M target string: 'cortex-m9'. Supported: ['cortex-m0']",
        "target-unknown",
        "cortex-m9",
    ),
    ("ValueError: --calibration_data requires --quant_mode to be enabled.", "aot-options", "--quant_mode"),
    ("ValueError: compile spec doesn't target any Arm Quantizer", "aot-options", "Quantizer"),
]


@pytest.mark.parametrize(("message", "rule", "named"), REFUSALS)
def test_a_refusal_of_the_backend_is_told_with_what_it_names(message: str, rule: str, named: str) -> None:
    log = (
        "Traceback (most recent call last):\n"
        '  File "/a/executorch/examples/arm/aot_arm_compiler.py", line 7, in <module>\n'
        "    main()\n"
        f"{message}\n"
    )
    (finding,) = read_capture("x", log.encode()).findings
    assert finding.rule == rule and named in finding.title


def test_options_that_a_help_text_names_are_no_refusal() -> None:
    log = "usage: evaluate_model.py [-h]\n  --calibration_data PATH  --calibration_data requires --quant_mode\n"
    assert read_capture("x", log.encode()).findings == ()


def test_vela_refuses_an_option_for_more_reasons_than_its_value() -> None:
    said = "Error: Incorrect argument to CLI option --{}\n"
    for option, words in (
        ("config=None: Vela config file not specified", "Vela refuses --config: Vela config file not specified"),
        (
            "memory-mode=None_Such: Section Memory_Mode.None_Such not found",
            "Vela does not know --memory-mode None_Such",
        ),
        (
            "accelerator-config=ethos-u75: Unknown accelerator configuration",
            "Vela does not know --accelerator-config ethos-u75",
        ),
    ):
        (finding,) = read_capture("x", said.format(option).encode()).findings
        assert (finding.rule, finding.title) == ("vela-option", words)


@pytest.mark.parametrize(
    "said",
    ["RuntimeError: unsupported param type, int", "TypeError: Cart constructor expects an Item, got <class 'list'>"],
)
def test_refusals_of_other_libraries_are_not_the_backends(said: str) -> None:
    assert read_capture("x", f"{said}\n".encode()).findings == ()
