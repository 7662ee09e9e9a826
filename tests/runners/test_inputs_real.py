"""Models of every kind through ExecuTorch's own script: what we write for it gives the same bytes as its own convention.

The script is imported once, without any of our code in its process; one compile goes through our command.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ethosu_tui.analysis.program.reader import read_program
from ethosu_tui.runners.aot.entry import MOST_SAMPLES
from ethosu_tui.runners.compile.calibration import MOST_FILES
from ethosu_tui.runners.compile.model_source import find_model
from ethosu_tui.runners.compile.starting_file import write_starting_file
from ethosu_tui.runners.interpreters import find_interpreter, look_up

from ..analysis.test_vela_ini import SOUND
from .conftest import Run, by_the_script

pytestmark = [
    pytest.mark.compile,
    pytest.mark.skipif(bool(look_up().missing), reason="needs the compile extra"),
]

NET = """
import torch

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Conv2d(2, 4, 3)

    def forward(self, x):
        return torch.relu(self.layer(x))

torch.manual_seed(5)
net, example = Net().eval(), torch.rand(1, 2, 8, 8)
SAMPLES = [(torch.rand(1, 2, 8, 8) * scale,) for scale in (1, 5)]
"""
SEED = NET + "ModelUnderTest, ModelInputs = net, (example,)\n"
FUNCTIONS = (
    NET
    + """
def plain():
    return net, example

def calibrated():
    return net, [example], (sample for sample in SAMPLES)

def number():
    return 7

def class_():
    return Net, example

def wrong_sample():
    return net, example, [torch.rand(3)]

def raises():
    weights = None
    return weights.load()
"""
)
MAKE = """
import runpy, sys, zipfile
import torch
g = runpy.run_path("seed.py")
torch.export.save(torch.export.export(g["net"], (g["example"],)), "net.pt2")
with zipfile.ZipFile("net.pt2") as sound, zipfile.ZipFile("spoilt.pt2", "w") as spoilt:
    for name in sound.namelist():
        spoilt.writestr(name, sound.read(name)[:100])
for number, sample in enumerate(g["SAMPLES"]):
    torch.save(sample, f"samples/{number}.pt")
"""
TARGET = "ethos-u55-128"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the same model in every form."""
    place = tmp_path_factory.mktemp("the models")
    (place / "seed.py").write_text(SEED)
    (place / "net.py").write_text(FUNCTIONS)
    (place / "my board.ini").write_text(SOUND)
    (place / "my_board.ini").write_text(SOUND)
    (place / "samples").mkdir()
    subprocess.run([sys.executable, "-c", MAKE], cwd=place, check=True, capture_output=True, timeout=300)
    return place


@pytest.fixture(scope="module")
def said(place: Path) -> dict[str, str]:
    """What the script made of each: the digest of its program, or its error."""
    interpreter = find_interpreter()
    write_starting_file(str(place / "start.py"))
    requests: dict[str, dict[str, Any]] = {}

    def ask(label: str, model: str, *more: str, samples: bool = False) -> None:
        stored = place / "stored" / label if samples else None
        name = find_model(str(place / model), interpreter).given_to_script(place, label, stored)
        arguments = [f"--model_name={name}", f"--target={TARGET}", "--delegate", "--quantize"]
        arguments += [f"--calibration_data={stored}"] if stored else []
        argv = [*arguments, *more, f"--output={place / label}.pte"]
        requests[label] = {"cwd": str(place), "argv": argv}

    board = ("--config=my_board.ini", "--system_config=Mine", "--memory_mode=Shared")
    ask("seed", "seed.py")
    ask("exported", "net.pt2")
    ask("spoilt", "spoilt.pt2")
    ask("plain", "net.py:plain", samples=True)
    ask("calibrated by hand on board", "seed.py", "--calibration_data=samples", *board)
    ask("start", "start.py")
    for name in ("number", "class_", "wrong_sample", "raises"):
        ask(name, f"net.py:{name}", samples=True)
    return dict(zip(requests, by_the_script(requests.values()), strict=True))


def test_every_form_gives_the_bytes_of_the_scripts_own_convention(said: dict[str, str]) -> None:
    assert len(said["seed"]) == 64
    assert said["exported"] == said["plain"] == said["seed"]


def test_the_starting_file_compiles_as_it_stands(said: dict[str, str], place: Path) -> None:
    assert len(said["start"]) == 64
    (method,) = read_program((place / "start.pte").read_bytes()).methods
    assert len(method.delegates) == 1


def test_what_a_function_must_return_is_said_with_its_line(said: dict[str, str], place: Path) -> None:
    lines = FUNCTIONS.splitlines()
    for name, reason in (
        ("number", "number() returned int, not (model, inputs)"),
        ("class_", "class_() returned the class Net as model"),
    ):
        line = lines.index(f"def {name}():") + 1
        assert said[name].startswith(f"ModelError: {place / 'net.py'}, line {line}: {reason}")
    assert "does not match expected shape [1, 2, 8, 8]" in said["wrong_sample"]
    assert said["raises"] == "AttributeError: 'NoneType' object has no attribute 'load'"
    assert MOST_SAMPLES == MOST_FILES


def test_an_exported_program_that_torch_cannot_read_is_named(said: dict[str, str], place: Path) -> None:
    assert said["spoilt"].startswith("ModelError: torch ") and str(place / "spoilt.pt2") in said["spoilt"]
    assert "export and save it again with this torch" in said["spoilt"]


def test_a_function_with_a_vela_ini_in_a_folder_with_blanks(run: Run, place: Path, said: dict[str, str]) -> None:
    """Through our command: equal to the script's own for a copy of the file without blanks, and so is what shares its graphs."""
    model, ini = f"{place / 'net.py'}:calibrated", str(place / "my board.ini")
    done = run("compile", model, "-t", f"{TARGET},ethos-u55-32,cortex-m55", "--vela-config", ini, "--json", "-j", "1")
    assert done.returncode == 0, done.stderr
    first, shared, cpu = json.loads(done.stdout)["jobs"]
    assert (first["system_config"], first["memory_mode"]) == ("Mine", "Shared")
    assert first["sha256"] == said["calibrated by hand on board"]
    assert shared["route"] == "shared"
    again = run("compile", model, "-t", f"{TARGET},ethos-u55-32", "--vela-config", ini, "--json")
    jobs = json.loads(again.stdout)["jobs"]
    assert [(job["cached"], job["sha256"]) for job in jobs] == [(True, first["sha256"]), (True, shared["sha256"])]
    for was, now in ((first, jobs[0]), (shared, jobs[1])):
        assert now["operators"] and {name for name in was if was[name] != now[name]} == {"cached", "seconds"}
    for job in (first, shared):
        assert job["summary"]["core_clock_hz"] == 400e6
        (delegate,) = read_program(Path(job["pte"]).read_bytes()).delegates
        flags = {spec.key: spec.value for spec in delegate.compile_specs}["compile_flags"].split(" ")
        assert "--config=my_board.ini" in flags and f"--accelerator-config={job['target']}" in flags
        assert (Path(job["folder"]) / "vela.ini").read_text() == SOUND
    assert cpu["summary"]["delegated_subgraphs"] == 0
    (finding,) = cpu["findings"]
    assert finding["rule"] == "kernels-needed"
    assert "cortex_m::quantized_conv2d.out" in finding["detail"] and "cortex_m_ops_lib" in finding["advice"]


def test_errors_name_the_users_line_and_wrong_samples_their_file(run: Run, place: Path) -> None:
    wrong = place / "wrong"
    wrong.mkdir()
    (wrong / "a.pt").write_bytes((place / "samples" / "0.pt").read_bytes())
    (wrong / "b.pt").write_bytes(next((place / "stored" / "wrong_sample").iterdir()).read_bytes())
    done = run("compile", str(place / "seed.py"), "--calibration", str(wrong))
    assert done.returncode == 1
    (sentence,) = [line for line in done.stderr.splitlines() if line.startswith("ethosu-tui:")]
    assert "The calibration data does not match: sample input 0 shape [3]" in sentence and "b.pt" in sentence
    assert "export" not in done.stderr.replace("exported", ""), "it is said before anything is exported"
    done = run("compile", f"{place / 'net.py'}:raises")
    assert done.returncode == 1
    line = FUNCTIONS.splitlines().index("    return weights.load()") + 1
    assert f"{place / 'net.py'}, line {line}" in done.stdout
