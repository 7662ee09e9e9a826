"""What a model is, told from its file before anything runs: functions, saved models, calibration data, and the starting file."""

from __future__ import annotations

import os
import pickle
import sys
import zipfile
from collections import OrderedDict
from pathlib import Path
from types import SimpleNamespace

import pytest

from ethosu_tui.analysis.compiles.saved_model import archive_kind, pickle_kind, pickled_names
from ethosu_tui.runners.compile.calibration import calibration_files, check_calibration, check_data
from ethosu_tui.runners.compile.check import bundled_models, check_source
from ethosu_tui.runners.compile.compiler import CompilePoint, equivalent_command, plan
from ethosu_tui.runners.compile.extra import check_extra, check_passed_on
from ethosu_tui.runners.compile.model_source import find_model, saved_kind
from ethosu_tui.runners.compile.plan import CompileOptions, aot_arguments, function_of, model_label, output_paths
from ethosu_tui.runners.compile.script_process import check_config
from ethosu_tui.runners.compile.starting_file import write_starting_file
from ethosu_tui.runners.interpreters import Interpreter
from ethosu_tui.runners.job import InputError, JobError, UsageError
from ethosu_tui.runners.vela.config import read_vela_config
from ethosu_tui.tui.cli import main

from ..analysis.test_vela_ini import SOUND

HERE = Interpreter(sys.executable, "own", "3.11.0", {}, None)
NET = "def make():\n    return 1, 2\n\ndef wants(x, y=1):\n    pass\n\nclass Maker:\n    pass\n"


@pytest.fixture
def net(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "my nets" / "net.py"
    path.parent.mkdir()
    path.write_text(NET)
    return path


@pytest.mark.parametrize(
    ("model", "named", "label"),
    [
        ("net.py:make", ("net.py", "make"), "net-make"),
        ("~/a b/net.py:Maker.make", ("~/a b/net.py", "Maker.make"), "net-Maker.make"),
        ("package.net:make", ("package.net", "make"), "net-make"),
        ("bundled:mnist", None, "mnist"),
        ("a/net.pt2", None, "net"),
        ("a/net.tosa", None, "net"),
        ("net.py", None, "net"),
        ("net.py:2", None, "net.py:2"),
    ],
)
def test_functions_are_told_from_files(model: str, named: tuple[str, str] | None, label: str) -> None:
    assert function_of(model) == named
    assert model_label(model) == label


def test_a_function_of_a_file_or_of_a_module(net: Path, tmp_path: Path) -> None:
    for model in ("my nets/net.py:make", f"{net}:make", "my nets/net.py:Maker"):
        source = find_model(model, HERE)
        assert (source.file, source.loader, source.samples) == (str(net), "from_function", True)
    package = tmp_path / "pack" / "age"
    package.mkdir(parents=True)
    (package / "net.py").write_text(NET)
    source = find_model("pack.age.net:make", HERE)
    assert source.file == str(package / "net.py")
    assert dict(source.arguments) == {"function": "make", "file": None, "module": "pack.age.net"}
    assert "pack" not in sys.modules, "nothing of it is imported"
    assert Path(str(find_model("json.decoder:JSONDecoder", HERE).file)).name == "decoder.py"


def test_the_function_of_the_convention_is_found_where_the_two_names_are_not(net: Path) -> None:
    convention = net.with_name("convention.py")
    convention.write_text("def model_and_inputs():\n    return 1, 2\n")
    assert dict(find_model(str(convention), HERE).arguments)["function"] == "model_and_inputs"
    convention.write_text("def model_and_inputs(): ...\nModelUnderTest = ModelInputs = 1\n")
    assert find_model(str(convention), HERE).loader is None
    convention.write_text("def model_and_inputs(size): ...\n")
    with pytest.raises(InputError, match="line 1: model_and_inputs takes arguments"):
        find_model(str(convention), HERE)


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ("my nets/net.py:mak", "has no function mak"),
        ("my nets/net.py:wants", "net.py, line 4: wants takes arguments"),
        ("my nets/nope.py:make", "no such file"),
        ("my nets:make", "no module my nets"),
        ("./my nets:make", "is a directory"),
        ("no_such_package.net:make", "no module no_such_package.net"),
        ("json.nope:make", "no module json.nope"),
    ],
)
def test_functions_that_are_not_there_are_refused(net: Path, model: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        find_model(model, HERE)
    assert said in caught.value.message and caught.value.hint


def test_the_file_for_the_script_is_python_whatever_the_name(net: Path, tmp_path: Path) -> None:
    odd = tmp_path / 'it\'s "odd" {name} \\.py'
    odd.write_text(NET)
    source = find_model(f"{odd}:make", HERE)
    path = source.given_to_script(tmp_path, "label", tmp_path / "samples")
    text = Path(path).read_text()
    compile(text, path, "exec")
    check_source(Path(path))
    assert repr(str(odd)) in text and repr(str(tmp_path / "samples")) in text
    with pytest.raises(JobError):
        source.given_to_script(tmp_path / "label" / "no" / "where", "label", None)


def _archive(path: Path, **members: bytes) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            archive.writestr(f"m/{name.replace('__', '/')}", data)
    return path


def _pickled(text: str, protocol: int = 2) -> bytes:
    """A pickle that looks up "module name" and calls it with nothing."""
    module, name = text.split()
    if protocol == 2:
        return b"\x80\x02c" + f"{module}\n{name}\n".encode() + b")R."
    return (
        b"\x80\x04\x8c"
        + bytes([len(module)])
        + module.encode()
        + b"\x8c"
        + bytes([len(name)])
        + name.encode()
        + b"\x93)R."
    )


WEIGHTS = pickle.dumps(OrderedDict(a=1), 2)
TENSOR = _pickled("torch._utils _rebuild_tensor_v2")


@pytest.mark.parametrize(
    ("members", "said", "exported", "module"),
    [
        ({"models__model.json": b"{}", "data__sample_inputs__model.pt": b""}, "an exported program", True, False),
        ({"data__aotinductor__model.so": b""}, "AOTInductor", False, False),
        ({"code__net.py": b"", "data.pkl": WEIGHTS}, "TorchScript", False, False),
        ({"data.pkl": WEIGHTS}, "weights only", False, False),
        ({"data.pkl": TENSOR}, "tensors", False, False),
        ({"data.pkl": _pickled("__main__ Net")}, "class Net of the script that saved it", False, False),
        ({"data.pkl": _pickled("nets.small Net")}, "a pickled nets.small.Net", False, True),
        ({"data.pkl": _pickled("nets.small Net", 4)}, "a pickled nets.small.Net", False, True),
        ({"data.pkl": b"\x80\x02}(X\x01\x00\x00\x00a" + _pickled("collections OrderedDict")[2:-1] + _pickled("nets Net")[2:-1] + b"u."},
         "a checkpoint", False, False),
        ({"data.pkl": b"hello"}, "neither an archive nor a pickle", False, False),
        ({"notes.txt": b""}, "an archive of something else", False, False),
    ],
)  # fmt: skip
def test_saved_files_are_told_apart_without_loading_them(
    tmp_path: Path, members: dict[str, bytes], said: str, exported: bool, module: bool
) -> None:
    kind = saved_kind(_archive(tmp_path / "m.pt", **members))
    assert said in kind.text
    assert (kind.exported, kind.module) == (exported, module)
    assert exported or module or kind.advice


def test_exported_programs_need_their_inputs(tmp_path: Path) -> None:
    with_inputs = _archive(tmp_path / "a.pt2", **{"models__model.json": b"{}", "data__sample_inputs__model.pt": b""})
    source = find_model(str(with_inputs), HERE)
    assert (source.loader, source.file) == ("from_exported", str(with_inputs))
    without = _archive(tmp_path / "b.pt2", **{"models__model.json": b"{}"})
    with pytest.raises(UsageError, match="holds no example inputs"):
        find_model(str(without), HERE)
    assert find_model(str(without), HERE, ["--model_input=i.pt"]).loader == "from_exported"
    weights = _archive(tmp_path / "c.pt2", **{"data.pkl": WEIGHTS})
    with pytest.raises(InputError, match="not an exported program: weights only"):
        find_model(str(weights), HERE)
    pickled = _archive(tmp_path / "d.pt", **{"data.pkl": _pickled("nets Net")})
    with pytest.raises(UsageError, match="holds a model without inputs"):
        find_model(str(pickled), HERE)
    assert find_model(str(pickled), HERE, ["--model_input=i.pt"]).script_name == str(pickled)


def test_damaged_archives_are_refused(tmp_path: Path) -> None:
    whole = _archive(tmp_path / "m.pt2", **{"models__model.json": b"{}" * 2000}).read_bytes()
    flipped = bytearray(whole)
    flipped[200] ^= 1
    for content, said in ((whole[:-30], "damaged or cut off"), (bytes(flipped), "wrong checksum"), (b"", "is empty")):
        (tmp_path / "m.pt2").write_bytes(content)
        with pytest.raises(InputError, match=said):
            find_model(str(tmp_path / "m.pt2"), HERE)
    for missing in ("no.pt2", "."):
        with pytest.raises(InputError):
            saved_kind(tmp_path / missing)


def test_every_prefix_of_a_pickle_is_read_or_none() -> None:
    whole = pickle.dumps({"a": OrderedDict(b=[1.5, "x" * 300]), "c": Path}, 4)
    names = [pickled_names(whole[:length]) for length in range(len(whole) + 1)]
    assert names[-1] == ["collections OrderedDict", "pathlib Path"]
    assert names[0] is None or names[0] == []
    assert pickle_kind(b"\x80\x02" * 9).text.startswith("neither")
    assert pickle_kind(b"(" * 1_500_000 + b".").text.startswith("neither"), "more opcodes than any model has"
    assert pickle_kind(pickle.dumps([1, 2])).text == "plain values, no module"
    assert archive_kind([], b"").text.startswith("an archive")


def test_calibration_data_is_what_the_script_reads(tmp_path: Path) -> None:
    data = tmp_path / "the samples"
    for name in ("b.pt", "a/c.PTH", "notes.txt"):
        (data / name).parent.mkdir(parents=True, exist_ok=True)
        _archive(data / name, **{"data.pkl": TENSOR})
    assert [path.name for path in calibration_files(data)] == ["c.PTH", "b.pt"]
    assert check_calibration(str(data)) == str(data)
    assert check_calibration(str(data / "b.pt")) == str(data / "b.pt")
    for given, said in (
        (tmp_path / "nope", "no calibration data at"),
        (data / "notes.txt", "is no calibration data that ExecuTorch reads"),
        (os.devnull, "is neither a file nor a directory"),
    ):
        with pytest.raises(InputError, match=said):
            check_calibration(str(given))
    (data / "empty").mkdir()
    with pytest.raises(InputError, match="holds no .pt or .pth file"):
        check_calibration(str(data / "empty"))
    _archive(data / "z.pt", **{"data.pkl": _pickled("os system")})
    with pytest.raises(InputError, match="holds more than tensors .os.system., and loading that runs code"):
        check_calibration(str(data))
    (data / "z.pt").write_bytes(b"PK\3\4cut off")
    with pytest.raises(InputError, match="damaged or cut off"):
        check_calibration(str(data))


def test_calibration_without_quantisation_and_inputs_that_run_code_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no use without quantisation"):
        check_data(CompileOptions("add", quantize=False, calibration=str(tmp_path)))
    evil = _archive(tmp_path / "evil.pt", **{"data.pkl": _pickled("os system")})
    with pytest.raises(InputError, match="more than tensors"):
        check_passed_on(CompileOptions("add", extra=(f"--model_input={evil}",)))


def test_both_reach_the_script_where_they_have_a_use(tmp_path: Path) -> None:
    ini = tmp_path / "my board.ini"
    ini.write_text(SOUND)
    config = read_vela_config(str(ini))
    options = CompileOptions("add", calibration="/c d", vela_config=config)
    points, _ = plan(["ethos-u55-128"], [], [], ini=config.ini)
    assert points == [CompilePoint("ethos-u55-128", "Mine", "Shared")]
    given = aot_arguments(options, points[0], "add", Path("/m.pte"), None)
    assert {"--calibration_data=/c d", "--config=my_board.ini", "--system_config=Mine"} <= set(given)
    for target in ("none", "cortex-m55"):
        given = aot_arguments(options, CompilePoint(target), "add", Path("/m.pte"), None)
        assert not any(argument.startswith("--config") for argument in given)
        assert ("--calibration_data=/c d" in given) == (target != "none")
    command = equivalent_command(options, points)
    assert f"--calibration '/c d' --vela-config '{ini}'" in command
    assert (
        output_paths(CompileOptions("net.py:make", output=str(tmp_path)), points)[0]
        == tmp_path / "net-make_arm_delegate_ethos-u55-128.pte"
    )
    for argument in ("--config=x.ini", "--calibration_data=d"):
        with pytest.raises(UsageError, match="compile sets itself"):
            check_extra([argument])


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ("board.ini", "board.ini"),
        ("./board.ini", "./board.ini"),
        ("sub/board.ini", "./sub/board.ini"),
        ("sub/deep/board.ini", "sub/deep/board.ini"),
        ("{here}/board.ini", "{here}/board.ini"),
        ("with blanks/my board.ini", "my_board.ini"),
    ],
)
def test_what_the_program_says_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str, stored: str
) -> None:
    """As ExecuTorch's script stores it for that argument, which takes `sub/board.ini` for a file of Vela's own."""
    monkeypatch.chdir(tmp_path)
    path = Path(given.format(here=tmp_path))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(SOUND)
    config = read_vela_config(str(path) if path.is_absolute() else given)
    assert config.argument == stored.format(here=tmp_path)
    assert config.as_given == (" " not in given)
    for why in (None, "it is old"):
        interpreter = SimpleNamespace(why_script=why)
        if why is None or config.as_given:
            check_config(config, interpreter)  # type: ignore[arg-type]
        else:
            with pytest.raises(UsageError, match="has blanks in its path.*only that can be used here: it is old"):
                check_config(config, interpreter)  # type: ignore[arg-type]
    job = config.for_job(tmp_path)
    assert job["flag"] == f"--config={config.argument}" and Path(job["file"]).read_text() == SOUND


@pytest.mark.parametrize(
    ("name", "content", "said", "code"),
    [
        ("no.ini", None, "is not there", 3),
        ("board.cfg", b"", "end in .ini only", 2),
        ("a.ini", b"", "defines no [System_Config.NAME]", 3),
        ("a.ini", b"\xff\xfe[", "is not UTF-8 text (byte 0)", 3),
        ("a.ini", b";" * (2 << 20), "is too large", 3),
        ("a.ini", SOUND.replace("core_clock=", "core_clock:").encode(), "line 3: Vela's compiler core", 3),
        ("a.ini", SOUND.replace("core_clock=400e6\n", "").encode(), "Vela would take 1 Hz", 2),
        ("a.ini", SOUND[: SOUND.index("[Memory")].encode(), "no default for ethos-u55-128", 2),
    ],
)
def test_files_that_are_no_vela_ini_are_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, content: bytes | None, said: str, code: int
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    assert main(["compile", "add", "--vela-config", str(path)]) == code
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line


def test_names_are_those_of_the_file_and_the_nearest_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.ini"
    path.write_text(SOUND + "[System_Config.Board_U85]\ninherit=System_Config.Mine\nSram_burst_lenght=1\n")
    assert main(["compile", "add", "--vela-config", str(path), "-s", "Mien"]) == 2
    note, line = capsys.readouterr().err.splitlines()
    assert "did you mean Sram_burst_length?" in note
    assert "'Mien' is not a system config" in line and "did you mean Mine?" in line
    assert main(["compile", "add", "--vela-config", str(path), "-s", "Board_U85"]) == 2
    assert "Board_U85 describes ethos-u85 (its name says so), not ethos-u55-128" in capsys.readouterr().err
    ini = read_vela_config(str(path)).ini
    points, refused = plan(["all"], ["all"], ["all"], ini=ini)
    assert len(points) == 11 + 5 and refused == []


def test_the_starting_file_is_written_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "my model.py"
    assert main(["compile", "--template", str(path)]) == 0
    assert f"ethosu-tui compile '{path}'" in capsys.readouterr().err
    check_source(path)
    path.write_text("mine")
    assert main(["compile", "--template", str(path)]) == 2
    assert "is there already" in capsys.readouterr().err and path.read_text() == "mine"
    assert main(["compile", "--template", str(path), "--force"]) == 0
    assert path.read_text() != "mine"
    capsys.readouterr()
    assert main(["compile", "--template", "-"]) == 0
    assert capsys.readouterr().out == path.read_text()
    assert "_template" not in bundled_models()
    for arguments, said in (
        (["--template", "x.txt"], "is not the name of a Python file"),
        (["add", "--template"], "compiles nothing"),
        ([], "no MODEL was given"),
    ):
        assert main(["compile", *arguments]) == 2
        assert said in capsys.readouterr().err
    with pytest.raises(JobError, match="cannot write"):
        write_starting_file(str(tmp_path / "no" / "x.py"))


def test_the_default_name_is_in_the_current_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["compile", "--template"]) == 0
    assert (tmp_path / "model.py").is_file()
