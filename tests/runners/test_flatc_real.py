"""Programs as releases before 1.5 wrote them, with flatc: laid out otherwise, and rewritten as exactly."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from ethosu_tui.analysis.program.reader import read_program
from ethosu_tui.analysis.program.writer import Replacement, Template
from ethosu_tui.runners.interpreters import find_interpreter, look_up

from ..programs import HERE

pytestmark = [
    pytest.mark.compile,
    pytest.mark.skipif(bool(look_up().missing), reason="needs the compile extra"),
]
NAMES = ("two_parts_u55_128", "two_parts_u55_32_sram_only")


@pytest.fixture(scope="module")
def rewritten(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """The programs, taken to JSON and back by the flatc that ExecuTorch ships."""
    home = find_interpreter().executorch
    assert home is not None
    flatc, schema = Path(home) / "data/bin/flatc", Path(home) / "exir/_serialize"
    if not flatc.is_file():
        pytest.skip("this release ships no flatc")
    folder = tmp_path_factory.mktemp("flatc")
    for name in ("program.fbs", "scalar_type.fbs"):
        shutil.copy(schema / name, folder)
    found = []
    for name in NAMES:
        shutil.copy(HERE / f"{name}.pte", folder / f"{name}.bin")
        taken = [
            flatc,
            "--json",
            "--raw-binary",
            "--strict-json",
            "--defaults-json",
            "program.fbs",
            "--",
            f"{name}.bin",
        ]
        for command in (taken, [flatc, "--binary", "program.fbs", f"{name}.json"]):
            subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=60)
        found.append((folder / f"{name}.pte").read_bytes())
    return found


def test_they_say_the_same_and_are_swapped_as_exactly(rewritten: list[bytes]) -> None:
    for name, data in zip(NAMES, rewritten, strict=True):
        original = (HERE / f"{name}.pte").read_bytes()
        assert data != original
        assert [m._replace(delegates=()) for m in read_program(data).methods] == [
            m._replace(delegates=()) for m in read_program(original).methods
        ]
        assert Template(data).with_delegates({}) == data
    template, other = map(Template, rewritten)
    replacements = {
        (0, delegate.index): Replacement(
            other.delegate_data(0, delegate.index), {spec.key: spec.value.encode() for spec in delegate.compile_specs}
        )
        for delegate in read_program(rewritten[1]).delegates
    }
    assert template.with_delegates(replacements) == rewritten[1]
