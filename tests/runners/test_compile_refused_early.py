"""What ExecuTorch's script finds out after the export or at its end, refused here before a compiler is started.

Each case is a command line; no run folder may appear, nothing may be printed but one sentence, and the model file is never
run: it would leave a mark.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

import pytest

from ethosu_tui.runners.compile.extra import with_whole_paths
from ethosu_tui.runners.compile.model_assignments import assignment_line, check_assignments
from ethosu_tui.tui import cli

HEAD = "import torch\nopen('mark', 'w')\nclass Net(torch.nn.Module):\n    pass\n"
SOUND = "ModelUnderTest, ModelInputs = Net().eval(), (torch.rand(1),)\n"


class Refused(NamedTuple):
    """A command line behind `compile`, and its answer; `{dir}` is the test's directory."""

    arguments: str
    code: int
    said: str
    source: str = SOUND


REFUSED = {
    "unknown target": Refused("m.py -t ethos-u75-128", 2, "'ethos-u75-128' is not a target; did you mean ethos-u"),
    "target in capitals": Refused("m.py -t Ethos-U55-128", 2, "did you mean ethos-u55-128?"),
    "vgf": Refused("m.py -t vgf", 2, "'vgf' is not a target"),
    "unknown system config": Refused("m.py -s Nope", 2, "'Nope' is not a system config"),
    "unknown memory mode": Refused("m.py -M Nope", 2, "'Nope' is not a memory mode"),
    "dedicated SRAM on a U55": Refused(
        "m.py -t ethos-u55-128 -M Dedicated_Sram", 2, "Dedicated_Sram keeps the arena in DRAM"
    ),
    "dedicated SRAM beside flash": Refused(
        "m.py -t ethos-u85-256 -s Ethos_U85_SYS_Flash_High -M Dedicated_Sram_384KB", 2, "has OffChipFlash on that port"
    ),
    "config of another family": Refused(
        "m.py -t ethos-u55-128 -s Ethos_U85_SYS_DRAM_Mid", 2, "Vela would compile it with meaningless cycles"
    ),
    "missing .py": Refused("nope/m.py", 3, "no such file: nope/m.py"),
    "missing .pt": Refused("nope/m.pt --aot-arg=--model_input=i.pt", 3, "no such file: {dir}/nope/m.pt"),
    "missing .pt under ~": Refused("~/m.pt --aot-arg=--model_input=i.pt", 3, "no such file: {dir}/m.pt"),
    "unknown name": Refused("notamodel", 2, "'notamodel' is neither a file nor a registered model"),
    "no ModelUnderTest": Refused("m.py", 3, "does not define ModelUnderTest", "ModelInputs = (1,)\n"),
    "no ModelInputs": Refused("m.py", 3, "does not define ModelInputs", "ModelUnderTest = 1\n"),
    "not Python": Refused("m.py", 3, "m.py, line 5: ", "def f(:\n"),
    "class instead of instance": Refused(
        "m.py",
        3,
        "m.py, line 5: ModelUnderTest is the class Net, not a model",
        "ModelUnderTest = Net\nModelInputs = (1,)\n",
    ),
    "inputs a tensor": Refused(
        "m.py",
        3,
        "m.py, line 6: ModelInputs is a tensor, not a tuple",
        "ModelUnderTest = Net()\nModelInputs = (torch.rand(1, 3))\n",
    ),
    "inputs a list": Refused(
        "m.py",
        3,
        "m.py, line 6: ModelInputs is a list, not a tuple",
        "ModelUnderTest = Net()\nModelInputs = [torch.rand(1)]\n",
    ),
    "calibration without quantising": Refused(
        "m.py --no-quantize --calibration m.py", 2, "--calibration has no use without quantisation"
    ),
    "missing calibration data": Refused("m.py --calibration ~/none", 3, "no calibration data at {dir}/none"),
    "empty calibration data": Refused("m.py --calibration taken.pte", 3, "holds no .pt or .pth file"),
    "other calibration data": Refused("m.py --calibration m.py", 3, "m.py is no calibration data"),
    "debug mode without intermediates": Refused(
        "m.py --aot-arg=--enable_debug_mode=tosa",
        2,
        "works only where intermediates are kept; add --keep-intermediates",
    ),
    "missing vela.ini": Refused("m.py --vela-config nope.ini", 3, "the Vela configuration nope.ini is not there"),
    "bundled output": Refused("m.py -o x.bpte", 2, "x.bpte names a bundled program"),
    "output in a file": Refused("m.py -o m.py/x.pte", 2, "cannot write to {dir}/m.py"),
    "output in a file under ~": Refused("m.py -o ~/m.py/x.pte", 2, "cannot write to {dir}/m.py"),
    "output a directory": Refused("m.py -o taken.pte", 2, "taken.pte is a directory"),
    "an argument of ours": Refused("m.py --aot-arg=--target=ethos-u55-32", 2, "would set --target"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_refused_in_one_sentence_before_anything_starts(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    case = REFUSED[name]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("ETHOSU_TUI_WORKSPACE", str(tmp_path / "runs"))
    (tmp_path / "taken.pte").mkdir()
    (tmp_path / "m.py").write_text(HEAD + case.source)
    code = cli.main(["compile", *case.arguments.split()])
    printed = capsys.readouterr()
    assert (code, printed.out) == (case.code, ""), printed.err
    (sentence,) = printed.err.splitlines()
    assert case.said.format(dir=tmp_path) in sentence
    assert sentence.startswith("ethosu-tui: ") and "; " in sentence, "what, and what to do"
    assert not (tmp_path / "runs").exists() and not (tmp_path / "mark").exists()
    assert not (tmp_path / "~").exists()


def test_paths_in_passed_on_arguments_are_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/h")
    given = ("--model_input=~/i.pt", "--so_library", "~/v.so", "--bundleio", "-s", "~/l.so", "--odd=~/x")
    assert with_whole_paths(given) == (
        "--model_input=/h/i.pt", "--so_library", "/h/v.so", "--bundleio", "-s", "/h/l.so", "--odd=~/x"
    )  # fmt: skip


@pytest.mark.parametrize(
    "source",
    [
        "ModelUnderTest = Net\nModelUnderTest = Net()\nModelInputs = (1,)\n",
        "class Net: ...\nModelUnderTest = Net()\nModelInputs = make()\n",
        "ModelUnderTest = made.Net\nModelInputs = example.rand(1)\n",
        "class Net: ...\ndef f():\n    ModelUnderTest = Net\n    ModelInputs = []\n",
        "ModelInputs = tuple([1])\n",
        "ModelInputs = [1]\nModelInputs = tuple(ModelInputs)\n",
        "\x00",
        "def f(:\n",
    ],
)
def test_what_may_be_sound_is_not_refused(tmp_path: Path, source: str) -> None:
    path = tmp_path / "m.py"
    path.write_text(source)
    check_assignments(str(path))


def test_inputs_from_elsewhere_and_other_files_are_not_looked_at(tmp_path: Path) -> None:
    path = tmp_path / "m.py"
    path.write_text("ModelInputs = []\n")
    check_assignments(str(path), inputs_given=True)
    check_assignments(str(tmp_path / "none.py"))
    check_assignments(str(tmp_path / "m.pt2"))


def test_the_line_of_an_assignment(tmp_path: Path) -> None:
    path = tmp_path / "m.py"
    path.write_text("ModelInputs = 1\n\nModelInputs = 2\n")
    assert assignment_line(str(path), "ModelInputs") == 3
    assert assignment_line(str(path), "ModelUnderTest") is None
    assert assignment_line(os.devnull, "ModelInputs") is None
