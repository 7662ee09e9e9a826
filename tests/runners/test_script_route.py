"""Compiles by ExecuTorch's own script as a process: for checkouts, unknown releases, and copies that lack what we wrap."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ethosu_tui.runners.compile.compiler import CompileBatch, CompileOptions, CompileResult, JobDone, JobOutput, plan
from ethosu_tui.runners.interpreters import find_interpreter, look_up
from ethosu_tui.runners.job import MissingTool, UsageError
from ethosu_tui.runners.liveness import process_started

STANDIN = Path(__file__).with_name("standin_executorch")
SCRIPT = "executorch/backends/arm/scripts/aot_arm_compiler.py"
AS_A_PROGRAM = '\nif __name__ == "__main__":\n    main()\n'
VELA = """
Network summary for out
Accelerator configuration               Ethos_U55_128
System configuration             Ethos_U55_High_End_Embedded
Memory mode                               Shared_Sram
Accelerator clock                                 500 MHz

Total SRAM used                                 18.09 KiB
Total Off-chip Flash used                      105.50 KiB

CPU operators = 0 (0.0%)
NPU operators = 8 (100.0%)

Neural network macs                           1135872 MACs/batch
NPU cycles                                      52036 cycles/batch
Total cycles                                   138824 cycles/batch
"""
SUMMARY = """
Delegation summary:
  Model was partially delegated.
  Delegated partitions for silicon acceleration: 2
  Non-delegated ops: 3
  Non-delegated operators:
    - aten_sort_default: 2
    - getitem: 1
"""


class Place:
    """An interpreter with the stand-in for executorch, and a model."""

    def __init__(self, home: Path) -> None:
        self.home, self.packages = home, home / "packages"
        shutil.copytree(STANDIN, self.packages)
        self.script = self.packages / SCRIPT
        self.script.write_text(self.script.read_text() + AS_A_PROGRAM)
        self.python = home / "python"
        self.python.write_text(f'#!/bin/sh\nPYTHONPATH="{self.packages}" exec "{sys.executable}" -S "$@"\n')
        self.python.chmod(0o755)

    def checkout(self, place: str = "backends/arm/scripts/aot_arm_compiler.py") -> Path:
        """A checkout with the script, in another folder than the package."""
        root = self.home / "a checkout"
        (root / place).parent.mkdir(parents=True)
        shutil.copy(self.script, root / place)
        return root

    def version(self, package: str, number: str) -> None:
        """Let it have this version of a package."""
        for stale in self.packages.glob(f"{package}-*.dist-info"):
            shutil.rmtree(stale)
        metadata = self.packages / f"{package}-{number}.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: {number}\n")

    def batch(self, body: str = "pass", *targets: str, **options: Any) -> CompileBatch:
        model = self.home / "model.py"
        during = textwrap.indent(textwrap.dedent(body), "    ")
        model.write_text(f"ModelUnderTest = 1\nModelInputs = (1,)\ndef during(given):\n{during}\n")
        points, _ = plan(targets or ["ethos-u55-128"], arenas=options.pop("arenas", ()))
        given = CompileOptions(str(model), interpreter=str(self.python), **options)
        return CompileBatch(given, points, self.home / "runs", 2)

    def one(self, body: str = "pass", **options: Any) -> CompileResult:
        """The result of a batch of one."""
        (done,) = [event for event in self.batch(body, **options).run() if isinstance(event, JobDone)]
        return done.result


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    monkeypatch.delenv("EXECUTORCH_ROOT", raising=False)
    monkeypatch.chdir(tmp_path)
    return Place(tmp_path)


def _wait_until(condition: Callable[[], object], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)


def test_the_script_of_a_checkout_compiles_and_its_output_is_read(place: Place) -> None:
    root = place.checkout()
    printed = f"print({VELA!r})\nprint({SUMMARY!r})"
    batch = place.batch(f"{printed}\nimport sys\nprint('ran', sys.argv[0])", executorch=str(root))
    events = list(batch.run())
    (result,) = [event.result for event in events if isinstance(event, JobDone)]
    assert result.status == "ok" and result.pte is not None and Path(result.pte).read_bytes() == b"program"
    assert (result.route, result.partitions) == ("script", 1)
    assert result.route_reason is not None and str(root) in result.route_reason and "1.5.1" in result.route_reason
    assert f"ran {root}/backends/arm/scripts/aot_arm_compiler.py" in Path(result.log).read_text()
    assert any(isinstance(event, JobOutput) for event in events)
    summary = result.summary
    assert summary is not None and summary.accelerator == "ethos-u55-128"
    assert (summary.total_cycles, summary.macs, summary.npu_operators) == (138824, 1135872, 8)
    assert (summary.delegated_subgraphs, summary.non_delegated_nodes, summary.delegated_nodes) == (2, 3, None)
    assert summary.non_delegated_operators == {"aten_sort_default": 2, "getitem": 1}
    assert {"script-route", "fragmented"} <= {finding.rule for finding in result.findings}
    assert result.operators == ()


def test_scripts_from_before_1_3_run_as_a_module_of_their_checkout(place: Place) -> None:
    root = place.checkout("examples/arm/aot_arm_compiler.py")
    for package in ("examples", "examples/arm", "examples/models"):
        (root / package).mkdir(exist_ok=True)
        (root / package / "__init__.py").write_text("")
    script = root / "examples/arm/aot_arm_compiler.py"
    script.write_text("from ..models import __name__ as models\nprint('from', models)\n" + script.read_text())
    (place.home / "examples.py").write_text("raise ImportError('of the user')")
    result = place.one("import os\nprint('in', os.getcwd())", executorch=str(root))
    assert result.status == "ok", Path(result.log).read_text()
    log = Path(result.log).read_text()
    assert "from examples.models" in log and f"in {place.home}" in log


def test_a_checkout_is_found_when_the_package_has_no_script(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    root = place.checkout("examples/arm/aot_arm_compiler.py")
    place.script.unlink()
    place.version("executorch", "1.2.0")
    with pytest.raises(MissingTool) as refused:
        find_interpreter(str(place.python))
    assert "script" in refused.value.message and "--executorch or EXECUTORCH_ROOT" in str(refused.value.hint)
    monkeypatch.setenv("EXECUTORCH_ROOT", str(root))
    assert place.one().route == "script"


@pytest.mark.parametrize("kind", ["missing", "empty"])
def test_a_folder_without_the_script_is_refused(kind: str, place: Place) -> None:
    root = place.home / "elsewhere"
    if kind == "empty":
        root.mkdir()
    with pytest.raises(MissingTool) as refused:
        list(place.batch(executorch=str(root)).run())
    assert str(root) in refused.value.message and "aot_arm_compiler.py" in str(refused.value.hint)


@pytest.mark.parametrize(
    ("number", "reason"),
    [
        ("1.6.0", "ExecuTorch 1.6.0 is no release of 1.3 to 1.5"),
        ("1.5.0a0+0123abc", "ExecuTorch 1.5.0a0+0123abc is no release of 1.3 to 1.5"),
        ("1.2.0", "ExecuTorch 1.2.0 is older than 1.3 to 1.5"),
    ],
)
def test_other_releases_go_by_their_script(number: str, reason: str, place: Place) -> None:
    place.version("executorch", number)
    result = place.one()
    assert (result.status, result.route, result.route_reason) == ("ok", "script", reason)


@pytest.mark.parametrize("number", ["1.3.1", "1.4.0", "1.5.1+cpu"])
def test_known_releases_go_by_our_route(number: str, place: Place) -> None:
    place.version("executorch", number)
    (place.packages / "cmsis_nn.py").write_text("")
    result = place.one()
    assert (result.status, result.route, result.route_reason) == ("ok", "full", None)


@pytest.mark.parametrize(
    ("file", "name"),
    [
        (SCRIPT, "get_delegation_info"),
        ("executorch/backends/arm/ethosu/backend.py", "vela_compile"),
        ("executorch/backends/arm/tosa/backend.py", "TOSABackend"),
    ],
)
def test_a_copy_that_lacks_what_we_wrap_goes_by_its_script(file: str, name: str, place: Place) -> None:
    path = place.packages / file
    path.write_text(path.read_text().replace(name, f"{name}_renamed"))
    interpreter = look_up(str(place.python))
    assert interpreter.why_script is not None and interpreter.why_script.startswith(
        "the installed ExecuTorch 1.5.1 has no"
    )
    assert name in interpreter.why_script


def test_an_error_of_the_script_is_explained_with_the_users_line(place: Place) -> None:
    result = place.one("raise RuntimeError('Model x is not a valid name.')", executorch=str(place.checkout()))
    (failure,) = [finding for finding in result.findings if finding.severity == "error"]
    assert result.status == "failed" and result.route == "script"
    assert "not a valid name" in failure.title + failure.detail
    assert "model.py, line 4" in failure.detail


def test_a_refusal_of_the_scripts_parser_is_told(place: Place) -> None:
    body = "import argparse\nargparse.ArgumentParser('aot_arm_compiler.py').error('argument -t/--target: invalid choice: 7')"
    (failure,) = [f for f in place.one(body, executorch=str(place.checkout())).findings if f.severity == "error"]
    assert "invalid choice: 7" in failure.title + failure.detail


def test_arguments_that_its_parser_does_not_know_are_refused_before_it_runs(place: Place) -> None:
    root = place.checkout()
    script = root / "backends/arm/scripts/aot_arm_compiler.py"
    script.write_text(script.read_text() + "\ndef _unused(parser):\n    parser.add_argument('-x', '--so_library')\n")
    with pytest.raises(UsageError) as refused:
        list(place.batch(executorch=str(root), extra=("--so-librari=x",)).run())
    assert "--so-librari" in refused.value.message and "--so_library" in str(refused.value.hint)
    place.batch(executorch=str(root), extra=("--so_lib=x",)).check()  # argparse takes beginnings


def test_what_only_our_route_can_do_is_refused(place: Place) -> None:
    with pytest.raises(UsageError) as refused:
        list(place.batch(executorch=str(place.checkout()), arenas=(4096,)).run())
    assert "--arena-cache-size" in refused.value.message


def test_stopping_ends_all_that_the_script_started(place: Place) -> None:
    body = """
    import os, subprocess, time
    child = subprocess.Popen(["sleep", "300"])
    print("pids", os.getpid(), child.pid, flush=True)
    time.sleep(300)
    """
    batch = place.batch(body, "ethos-u55-128", "ethos-u85-128", executorch=str(place.checkout()))
    results: list[CompileResult] = []

    def run() -> None:
        results.extend(event.result for event in batch.run() if isinstance(event, JobDone))

    thread = threading.Thread(target=run)
    thread.start()

    def pids() -> list[int]:
        logs = [path.read_text() for path in (place.home / "runs").glob("*/console.log")]
        return [int(word) for log in logs for word in log.split() if word.isdigit()]

    _wait_until(lambda: len(pids()) == 4)
    assert all(process_started(pid) is not None for pid in pids())
    batch.stop()
    thread.join(60)
    assert not thread.is_alive()
    _wait_until(lambda: all(process_started(pid) is None for pid in pids()))
    assert [finding.rule for result in results for finding in result.findings] == ["stopped"] * 2


def test_what_a_finished_script_leaves_running_is_ended(place: Place) -> None:
    body = "import subprocess\nprint('pid', subprocess.Popen(['sleep', '300']).pid, flush=True)"
    result = place.one(body, executorch=str(place.checkout()))
    assert result.status == "ok"
    pid = int(Path(result.log).read_text().partition("pid ")[2].split()[0])
    _wait_until(lambda: process_started(pid) is None)


def test_a_torch_that_cannot_work_is_refused_with_the_line_that_mends_it(place: Place) -> None:
    place.version("executorch", "1.3.1")
    place.version("torch", "2.13.0+cpu")
    (place.packages / "cmsis_nn.py").write_text("")
    with pytest.raises(MissingTool) as refused:
        list(place.batch().run())
    assert "ExecuTorch 1.3.1 was made for torch 2.12, and 2.13.0+cpu is installed" in refused.value.message
    hint = str(refused.value.hint)
    assert f'{place.python} -m pip install "executorch==1.3.1" "torch==2.12.0"' in hint
    assert hint.index('--no-deps "tosa-tools==2026.2.1"') > hint.index('"ethos-u-vela==5.0.0"')


def test_a_module_that_a_release_imports_and_no_index_has_is_missed(place: Place) -> None:
    place.version("executorch", "1.3.1")
    with pytest.raises(MissingTool) as refused:
        find_interpreter(str(place.python))
    assert refused.value.message.endswith("it lacks cmsis_nn") and "CMSIS-NN.git@" in str(refused.value.hint)


def test_a_vela_of_another_release_is_said_of_each_program(place: Place) -> None:
    place.version("ethos_u_vela", "5.0.0")
    result = place.one()
    (finding,) = [finding for finding in result.findings if finding.rule == "toolchain-mismatch"]
    assert result.status == "ok" and finding.severity == "warning"
    assert finding.title == "ExecuTorch 1.5.1 was made for ethos-u-vela 5.1.0, and 5.0.0 is installed"
    assert finding.advice == f'{place.python} -m pip install --no-deps "ethos-u-vela==5.1.0"'


def test_the_real_script_in_a_checkout_makes_the_very_program(
    add: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (ours,) = [job for job in add["jobs"] if job["target"] == "ethos-u55-128"]
    installed = look_up().script
    assert installed is not None
    place = tmp_path / "checkout/backends/arm/scripts"
    place.mkdir(parents=True)
    shutil.copy(installed.path, place)
    points, _ = plan(["ethos-u55-128"])
    batch = CompileBatch(CompileOptions("add", executorch=str(tmp_path / "checkout")), points, tmp_path / "runs")
    (result,) = [event.result for event in batch.run() if isinstance(event, JobDone)]
    assert (result.status, result.route) == ("ok", "script"), result.findings
    assert result.sha256 == ours["sha256"]
    assert result.summary is not None and result.summary.total_cycles == ours["summary"]["total_cycles"]
    for figure in ("delegated_subgraphs", "non_delegated_nodes", "non_delegated_operators"):
        assert getattr(result.summary, figure) == ours["summary"][figure], figure
    assert os.path.getsize(str(result.pte)) == ours["pte_bytes"]
