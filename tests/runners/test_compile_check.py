"""What is refused before anything slow begins."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ethosu_tui.runners.compile import check as compile_check
from ethosu_tui.runners.compile.check import bundled_models, check_outputs, check_source, resolve_model
from ethosu_tui.runners.interpreters import Interpreter
from ethosu_tui.runners.job import InputError, JobError, UsageError

SOUND = "ModelUnderTest = object()\nModelInputs = (1,)\n"


@pytest.fixture
def interpreter(tmp_path: Path) -> Interpreter:
    """One whose executorch registers `add` and `qops`."""
    home = tmp_path / "executorch"
    models = home / "examples/models/__init__.py"
    script = home / "backends/arm/scripts/aot_arm_compiler.py"
    for path, text in (
        (models, 'class Model(str, Enum):\n    Add = "add"\nclass Backend:\n    X = "x"\n'),
        (script, 'MODELS = {"qops": 1}\n'),
    ):
        path.parent.mkdir(parents=True)
        path.write_text(text)
    return Interpreter("python", "own", "3.11.0", {}, str(home))


@pytest.mark.parametrize(
    "source",
    [
        SOUND,
        "from net import *\n",
        "from net import Net as ModelUnderTest, example as ModelInputs\n",
        "if True:\n    ModelUnderTest, ModelInputs = make()\n",
        "try:\n    ModelUnderTest: object = 1\nfinally:\n    [ModelInputs] = [1]\n",
        "with a() as ModelUnderTest:\n    for ModelInputs in ():\n        pass\n",
        "globals().update(load())\n",
        "print(ModelUnderTest := 1, ModelInputs := 2)\n",
        "x = '\\d'\n" + SOUND,
        "# -*- coding: latin-1 -*-\n# caf\xe9\n" + SOUND,
    ],
)
def test_what_binds_both_names_is_accepted(tmp_path: Path, source: str) -> None:
    path = tmp_path / "m.py"
    path.write_bytes(source.encode("latin-1"))
    check_source(path)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (b"", "is empty"),
        (b" \n", "is empty"),
        (b"x = 1\n", "does not define ModelUnderTest and ModelInputs"),
        (b"ModelUnderTest = 1\n", "does not define ModelInputs"),
        (b"def f():\n    ModelUnderTest = ModelInputs = 1\n", "does not define ModelUnderTest and ModelInputs"),
        (b"ModelUnderTest: object\nModelInputs = 1\n", "does not define ModelUnderTest"),
        (b"class ModelUnderTest:\n    pass\nModelInputs = 1\n", "line 1: ModelUnderTest is a class"),
        (b"x = 1\ndef f(:\n", "m.py, line 2: "),
        (b"\x7fELF\x00\x00\x00", "m.py"),
        (b"\xff\xfe\x00", "m.py"),
    ],
)
def test_what_does_not_is_refused_with_the_line(tmp_path: Path, source: bytes, said: str) -> None:
    path = tmp_path / "m.py"
    path.write_bytes(source)
    with pytest.raises(InputError) as caught:
        check_source(path)
    assert said in caught.value.message
    assert caught.value.hint
    assert caught.value.exit_code == 3


def test_missing_files_directories_and_devices_are_refused(tmp_path: Path, interpreter: Interpreter) -> None:
    fifo = tmp_path / "pipe.py"
    os.mkfifo(fifo)
    for model, said in (
        (str(tmp_path / "no.py"), "no such file"),
        (str(tmp_path), "is a directory"),
        (str(fifo), "is not a regular file"),
        (__file__ + "x", "no such file"),
    ):
        with pytest.raises(InputError, match=said):
            resolve_model(model, interpreter)


def test_registered_and_bundled_names_and_files_with_a_tilde(
    tmp_path: Path, interpreter: Interpreter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my net.py").write_text(SOUND)
    (tmp_path / "add").mkdir()
    path = str(tmp_path / "my net.py")
    assert resolve_model("add", interpreter) == ("add", None)
    assert resolve_model("qops", interpreter) == ("qops", None)
    assert resolve_model("~/my net.py", interpreter) == (path, path)
    assert resolve_model("my net.py", interpreter) == (path, path)
    for name in bundled_models():
        model, file = resolve_model(f"bundled:{name}", interpreter)
        assert model == file and Path(model).is_file()


def test_unknown_names_are_usage_errors_with_the_nearest(interpreter: Interpreter) -> None:
    for model, said in (("addd", "add"), ("bundled:mnits", "bundled:mnist"), ("zzz", "bundled:mobilenet_v2")):
        with pytest.raises(UsageError) as caught:
            resolve_model(model, interpreter)
        assert said in caught.value.hint


def test_a_saved_model_needs_its_inputs(tmp_path: Path, interpreter: Interpreter) -> None:
    path = tmp_path / "m.pt"
    path.write_bytes(b"x")
    with pytest.raises(UsageError, match="without inputs"):
        resolve_model(str(path), interpreter)
    assert resolve_model(str(path), interpreter, ["--model_input=i.pt"]) == (str(path), str(path))


def test_bundled_models_are_there() -> None:
    assert {"mnist", "mobilenet_v2"} <= set(bundled_models())
    for name in bundled_models():
        check_source(Path(compile_check.__file__).with_name("models") / f"{name}.py")


def test_outputs_that_cannot_be_written_are_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "taken.pte").mkdir()
    for output in (tmp_path / "file/x.pte", tmp_path / "taken.pte", Path("/proc/none/x.pte")):
        with pytest.raises(UsageError):
            check_outputs(tmp_path, [output])
    check_outputs(tmp_path / "root", [tmp_path / "new dir/x.pte", None])
    assert list((tmp_path / "new dir").iterdir()) == []


def test_a_full_disk_is_told_beforehand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compile_check, "_NEEDED_FREE_BYTES", 1 << 62)
    with pytest.raises(JobError, match="is full"):
        check_outputs(tmp_path, [])


def test_a_removed_current_directory_is_one_sentence(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    (tmp_path / "m.py").write_text(SOUND)
    source = "import os, sys; from ethosu_tui.tui import cli; os.rmdir(os.getcwd()); sys.exit(cli.main(sys.argv[1:]))"
    for arguments in (["compile", "add"], ["compile", str(tmp_path / "m.py")], ["compile", "../m.py"]):
        gone.mkdir(exist_ok=True)
        done = subprocess.run([sys.executable, "-c", source, *arguments], cwd=gone, capture_output=True, text=True)
        assert done.returncode == 3 and done.stdout == ""
        assert "the current directory is not there any more" in done.stderr and "Traceback" not in done.stderr
        assert len(done.stderr.splitlines()) == 1
