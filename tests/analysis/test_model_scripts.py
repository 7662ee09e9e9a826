"""What the script that runs one model after the other says of its options, and of each model where its last line is lost."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture


@pytest.mark.parametrize(
    ("said", "rule", "word"),
    [
        ("\u274c Error: Invalid target 'ethos-u99'", "script-option", "ethos-u99"),
        ("\u274c Error: --target argument is required", "script-option", "--target"),
        ("\u274c Failed to build ExecuteTorch libraries", "model-libraries-failed", "libraries"),
        (
            "mv2          : \u2705 Passed\nmv3          : \u274c Failed\nlstm         : \u2705 Passed",
            "models-failed",
            "mv3",
        ),
    ],
)
def test_a_script_of_models_that_gave_up_is_told(said: str, rule: str, word: str) -> None:
    findings = read_capture("x", f"$ examples/arm/run_mcu_models_fvp.sh\n{said}\n".encode()).findings
    assert [(f.rule, f.severity) for f in findings] == [(rule, "error")]
    assert word in findings[0].title


def test_models_that_passed_are_no_error() -> None:
    assert read_capture("x", "mv2          : \u2705 Passed\n   \u274c Failed       : 0\n".encode()).findings == ()
