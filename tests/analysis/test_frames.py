"""Tracebacks that no row explains: the finding names the part of the compile that failed, by the frames."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis.capture import read_capture

_SITE = "/env/lib/python3.12/site-packages"


def _finding(*frames: str, raised: str, code: str = "raise x") -> tuple[str, str, str]:
    lines = "".join(f'  File "{path}", line {number}, in f\n    {code}\n' for number, path in enumerate(frames, 7))
    first = read_capture("x", f"Traceback (most recent call last):\n{lines}{raised}\n".encode()).findings[0]
    return first.rule, first.title, first.advice


@pytest.mark.parametrize(
    ("path", "words"),
    [
        (f"{_SITE}/ethosu/vela/scheduler.py", "Vela failed"),
        (f"{_SITE}/executorch/backends/arm/quantizer/arm_quantizer.py", "Arm backend's quantiser failed"),
        (f"{_SITE}/executorch/backends/arm/_passes/fold_x_pass.py", "A pass of ExecuTorch's Arm backend failed"),
        (f"{_SITE}/executorch/backends/cortex_m/passes/a.py", "Cortex-M backend failed"),
        (f"{_SITE}/executorch/exir/memory_planning.py", "could not plan the program's memory"),
        (f"{_SITE}/executorch/exir/emit/_emitter.py", "could not write the lowered graph"),
        (f"{_SITE}/torchao/quantization/pt2e/convert.py", "The quantisation failed"),
        (f"{_SITE}/torch/export/_trace.py", "torch.export could not export the model"),
        ("C:\\w\\env\\Lib\\site-packages\\torch\\export\\_trace.py", "torch.export could not export the model"),
        ("/w/zephyr/scripts/list_boards.py", "A script of Zephyr's build failed"),
    ],
)
def test_the_part_that_failed_is_named(path: str, words: str) -> None:
    rule, title, advice = _finding("/w/net.py", path, raised="ValueError: nobody knows this one")
    assert rule == "compile-failed" and words in title and "nobody knows this one" in title
    assert len(advice) > 40


def test_what_a_part_calls_does_not_take_its_place() -> None:
    frames = (
        f"{_SITE}/executorch/backends/arm/_passes/a.py",
        f"{_SITE}/executorch/exir/pass_base.py",
        f"{_SITE}/torch/_dynamo/b.py",
    )
    assert "A pass of" in _finding(*frames, raised="KeyError: 'val'")[1]


def test_ones_own_code_is_named_with_its_line() -> None:
    model = _finding("/w/torch_net.py", f"{_SITE}/torch/export/_trace.py", "/w/layers.py", raised="KeyError: 'val'")
    assert "export, at layers.py:9: KeyError: 'val'" in model[1]
    script = _finding("/w/run_executorch.py", f"{_SITE}/torch/serialization.py", raised="KeyError: 'val'")
    assert "run_executorch.py:7 failed: KeyError: 'val'" in script[1]


def test_an_exception_without_words_is_told_with_its_line() -> None:
    title = _finding(f"{_SITE}/ethosu/vela/a.py", raised="AssertionError", code="assert depth == 1")[1]
    assert title.endswith("AssertionError at a.py:7 (assert depth == 1)")


def test_the_node_is_named() -> None:
    raised = "RuntimeError: nobody knows this one\n\nWhile executing %aten_add_tensor : [num_users=1] = call_function[target=a]"
    assert "failed at aten_add_tensor: " in _finding(f"{_SITE}/executorch/backends/arm/_passes/a.py", raised=raised)[1]


def test_what_is_explained_comes_before_what_it_came_of() -> None:
    log = (
        f'Traceback (most recent call last):\n  File "{_SITE}/torch/_dynamo/a.py", line 3, in f\n    raise x\nNotImplementedError: Odd()\n\n'
        "The above exception was the direct cause of the following exception:\n\n"
        f'Traceback (most recent call last):\n  File "{_SITE}/torch/_dynamo/a.py", line 9, in f\n    raise x\n'
        "torch._dynamo.exc.Unsupported: call_function args: Odd()\n"
    )
    assert [f.rule for f in read_capture("x", log.encode()).findings] == ["unsupported", "compile-failed"]


def test_an_exception_that_is_an_event_of_another_ends_its_traceback() -> None:
    log = (
        f'Traceback (most recent call last):\n  File "{_SITE}/tensorflow/lite/a.py", line 3, in torch\n    raise x\n'
        "RuntimeError: Encountered unresolved custom op: ethos-u.\nSee the guide Node number 0 (ethos-u) failed to prepare.\n"
    )
    assert [f.rule for f in read_capture("x", log.encode()).findings] == ["missing-operator"]


def test_what_vela_says_is_not_put_upon_the_backend_that_called_it_in_a_shell() -> None:
    log = (
        'Traceback (most recent call last):\n  File "/w/executorch/backends/arm/arm_vela.py", line 49, in vela_compile\n    raise RuntimeError(\n'
        "RuntimeError: Vela compiler ('cd /tmp/q; vela --accelerator-config=ethos-u55-64 out.tosa') failed with error:\n     Segmentation fault\n"
    )
    (found,) = (f for f in read_capture("x", log.encode()).findings if f.severity == "error")
    assert (
        found.rule == "compile-failed" and found.title.startswith("Vela failed") and "not of Vela" not in found.advice
    )
