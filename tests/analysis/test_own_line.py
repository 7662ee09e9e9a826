"""A failed export names the line of the model, which is what has to be changed."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import read_capture

HEAD = (
    "Traceback (most recent call last):\n"
    '  File "/opt/env/lib/python3.11/site-packages/executorch/backends/arm/scripts/aot_arm_compiler.py", line 1060, in main\n'
    "    exported = torch.export.export(model, inputs)\n"
)
INSIDE = '  File "/opt/env/lib/python3.11/site-packages/torch/fx/experimental/symbolic_shapes.py", line 84, in evaluate\n    raise error\n'


@pytest.mark.parametrize(
    "said",
    [
        f"{HEAD}{INSIDE}torch._dynamo.exc.Unsupported: Data-dependent branching\n  Explanation: a branch\n"
        '    # File "/home/u/nets/gate.py", line 9, in forward, code: if x.sum() > 0:\n',
        f"{HEAD}{INSIDE}torch._dynamo.exc.UserError: Dynamic control flow is not supported at the moment.\n\nfrom user code:\n"
        '   File "/home/u/nets/gate.py", line 9, in forward\n    if x.sum() > 0:\n',
        f"{HEAD}{INSIDE}torch._dynamo.exc.UserError: Could not extract specialized integer from data-dependent expression u0\n"
        "Caused by: for i in range(n.item()):  # nets/gate.py:9 in forward (_dynamo/variables/tensor.py:2606 in evaluate_expr)\n",
        f'{HEAD}  File "/home/u/nets/gate.py", line 9, in forward\n    if x.sum() > 0:\n{INSIDE}'
        "torch.fx.experimental.symbolic_shapes.GuardOnDataDependentSymNode: Could not guard on data-dependent expression Eq(u0, 1)\n"
        "Caused by: (_export/non_strict_utils.py:1205 in __torch_function__)\n",
    ],
    ids=["branch", "from user code", "caused by", "traceback"],
)
def test_a_decision_on_values_is_told_with_its_line(said: str) -> None:
    (root,) = [f for f in read_capture("x", said.encode()).findings if f.severity == "error"]
    assert root.rule == "data-dependent" and root.title.endswith(", at gate.py:9")
    assert "non_strict_utils" not in root.title and "tensor.py" not in root.title


def test_without_a_line_of_ones_own_none_is_named() -> None:
    said = f"{HEAD}{INSIDE}torch._dynamo.exc.Unsupported: Data-dependent branching\n"
    (root,) = read_capture("x", said.encode()).findings
    assert root.title == "The model branches on tensor values, which cannot be exported"


def test_modules_of_python_on_windows_are_no_code_of_ones_own() -> None:
    said = (
        'Traceback (most recent call last):\n  File "C:\\nets\\gate.py", line 9, in forward\n    if x.sum() > 0:\n'
        '  File "C:\\env\\Lib\\site-packages\\torch\\fx\\symbolic_shapes.py", line 84, in evaluate\n    raise error\n'
        '  File "C:\\Python312\\Lib\\contextlib.py", line 81, in inner\n    return func()\n'
        "torch.fx.experimental.symbolic_shapes.GuardOnDataDependentSymNode: Could not guard on data-dependent expression Eq(u0, 1)\n"
    )
    (root,) = read_capture("x", said.encode()).findings
    assert root.title.endswith(", at gate.py:9")


def test_the_file_of_a_library_that_python_does_not_understand_is_no_file_of_ones_own() -> None:
    said = (
        f'{HEAD}  File "/home/u/nets/gate.py", line 9, in <module>\n    import old\n'
        '  File "/opt/env/lib/python3.11/site-packages/old/text.py", line 7\n    print "x"\n    ^^^^^^^^^\nSyntaxError: invalid syntax\n'
    )
    (root,) = read_capture("x", said.encode()).findings
    assert root.rule == "python-syntax" and root.title.endswith(", at text.py:7")


def test_a_file_that_python_does_not_understand_is_named() -> None:
    said = f"{HEAD}  File \"/home/u/nets/gate.py\", line 9\n    inputs = (1,\n             ^\nSyntaxError: '(' was never closed\n"
    (root,) = read_capture("x", said.encode()).findings
    assert root.rule == "python-syntax" and root.title.endswith("at gate.py:9")
