"""Bundles and ETRecords of a compile: asked for with the script's own arguments, delivered under the right endings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ethosu_tui.analysis.program.reader import read_bundle, read_program
from ethosu_tui.runners.artefacts import identify
from ethosu_tui.runners.compile.artefacts import checked_name, deliveries, made, settle, wanted
from ethosu_tui.runners.compile.plan import CompileOptions, aot_arguments, equivalent_command, output_paths
from ethosu_tui.runners.compile.points import CompilePoint
from ethosu_tui.runners.interpreters import look_up
from ethosu_tui.runners.job import UsageError

from ..programs import HERE
from .conftest import Run

POINT = CompilePoint("ethos-u55-128", "Ethos_U55_High_End_Embedded", "Shared_Sram")


def test_the_script_is_asked_with_its_own_arguments() -> None:
    options = CompileOptions("add", extra=("--bundleio", "--etrecord"))
    arguments = aot_arguments(options, POINT, "add", Path("/x/model.pte"), None)
    assert arguments[-3:] == ["--output=/x/model.bpte", "--bundleio", "--etrecord"]
    plain = aot_arguments(CompileOptions("add"), POINT, "add", Path("/x/model.pte"), None)
    assert "--output=/x/model.pte" in plain and "--etrecord" not in plain
    assert equivalent_command(options, [POINT]).endswith("--bundleio --etrecord")
    assert wanted(["--bundle"], "--bundleio") and not wanted(["--b", "-b", "--etrecord"], "--bundleio")


def test_names_end_as_what_is_written_there() -> None:
    bundled = CompileOptions("add", output="out", extra=("--bundleio",))
    (path,) = output_paths(bundled, [POINT])
    assert path is not None and path.name == "add_arm_delegate_ethos-u55-128.bpte"
    with pytest.raises(UsageError, match="names a bundled program"):
        checked_name("a.bpte", ())
    with pytest.raises(UsageError, match="does not name a bundled program"):
        checked_name("a.pte", ("--bundleio",))
    assert checked_name("folder", ("--bundleio",)) == "folder"


def test_the_program_is_taken_out_of_a_bundle(tmp_path: Path) -> None:
    pte, bundle = tmp_path / "model.pte", tmp_path / "model.bpte"
    settle(pte)
    assert not pte.exists()
    whole = (HERE / "adds_u55_128.bpte").read_bytes()
    bundle.write_bytes(whole[:200])
    settle(pte)
    assert list(tmp_path.iterdir()) == [bundle], "a cut bundle gives no program"
    bundle.write_bytes(whole)
    settle(pte)
    found, program = read_bundle(whole)
    assert read_program(pte.read_bytes()) == program and pte.stat().st_size == found.program_bytes
    record = tmp_path / "model_etrecord.bin"
    wish = tmp_path / "there" / "a.bpte"
    assert list(deliveries(pte, wish)) == [(bundle, wish)] and list(deliveries(pte, None)) == []
    assert made(pte, wish) == {"pte": str(pte), "bundle": str(wish), "etrecord": None}
    record.write_bytes(b"PK")
    assert list(deliveries(pte, wish))[1] == (record, wish.with_name("a_etrecord.bin"))
    assert made(pte, None) == {"pte": str(pte), "bundle": str(bundle), "etrecord": str(record)}


@pytest.mark.compile
@pytest.mark.skipif(bool(look_up().missing), reason="needs the compile extra")
def test_what_is_asked_for_is_made_and_delivered(add: dict[str, Any], run: Run, home: Path) -> None:
    done = run(
        "compile", "add", "-t", "ethos-u55-128", "--bundleio", "--etrecord", "-o", "~/a bundle/{target}.bpte", "--json"
    )
    assert done.returncode == 0, done.stderr
    (job,) = json.loads(done.stdout)["jobs"]
    bundle, record = Path(job["bundle"]), Path(job["etrecord"])
    assert bundle == home / "a bundle" / "ethos-u55-128.bpte"
    assert record == home / "a bundle" / "ethos-u55-128_etrecord.bin"
    assert identify(str(bundle)).kind == "bpte" and identify(str(record)).kind == "etrecord"
    assert sorted(path.name for path in bundle.parent.iterdir()) == [bundle.name, record.name]
    plain = next(one for one in add["jobs"] if one["target"] == "ethos-u55-128")
    assert plain["bundle"] is None and plain["etrecord"] is None
    assert job["sha256"] == plain["sha256"], "the program in the bundle is that of a compile without"
    assert Path(job["pte"]).read_bytes() == Path(plain["pte"]).read_bytes()
    found, _ = read_bundle(bundle.read_bytes())
    (suite,) = found.suites
    assert suite.method == "forward" and len(suite.cases) == 1 and suite.cases[0].expected_outputs
