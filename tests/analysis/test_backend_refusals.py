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


@pytest.mark.parametrize("function, value", [("scheduler.OptimizationStrategy", "Fast"), ("TensorAllocator", "greedy")])
def test_vela_looks_up_what_an_option_was_given(function: str, value: str) -> None:
    log = (
        "Traceback (most recent call last):\n"
        '  File "/opt/venv/bin/vela", line 7, in <module>\n'
        "    sys.exit(main())\n"
        '  File "/opt/venv/lib/python3.11/site-packages/ethosu/vela/vela.py", line 900, in <lambda>\n'
        f"    type=lambda s: {function}[s],\n"
        '  File "/usr/lib/python3.11/enum.py", line 790, in __getitem__\n'
        "    return cls._member_map_[name]\n"
        f"KeyError: '{value}'\n"
    )
    first = read_capture("x", log.encode()).findings[0]
    assert first.rule == "vela-option" and f"{value} is not a valid value" in first.title
    assert "Performance" in first.advice and "LinearAlloc" in first.advice


def test_the_size_of_the_arena_is_no_memory_mode() -> None:
    first = read_capture(
        "x",
        b"ethosu.vela.errors.ConfigOptionError: 'Error: Invalid configuration of arena_cache_size=-7 (must be >= 0)'\n",
    ).findings[0]
    assert first.rule == "vela-configuration" and "-7" in first.title and "memory mode that fits" not in first.advice
