"""The search as the command does it: what is compiled, what is refused, and, for real, what is found."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ethosu_tui.analysis.compiles.vela_ini import parse_vela_ini
from ethosu_tui.analysis.report import CompileSummary
from ethosu_tui.analysis.tables import Cell, Column, Table
from ethosu_tui.runners.compile.candidates import candidate
from ethosu_tui.runners.compile.compiler import CompileOptions, CompileResult
from ethosu_tui.runners.compile.fit import answers_of, answers_so_far, search
from ethosu_tui.runners.compile.points import CompilePoint
from ethosu_tui.runners.job import JobError, UsageError
from ethosu_tui.tui.cli import main
from ethosu_tui.tui.commands.compile_fit import Search, fitted

KIB = 1 << 10
U55 = CompilePoint("ethos-u55-128", "Ethos_U55_High_End_Embedded", "Shared_Sram")
U85 = CompilePoint("ethos-u85-256", "Ethos_U85_SYS_DRAM_Mid", "Shared_Sram")


def result(point: CompilePoint, status: str = "ok") -> CompileResult:
    """As Vela might: a limit is kept down to 300 KiB, and costs cycles below 500 KiB."""
    used = min(1400 * KIB, max(300 * KIB, point.arena_cache_bytes or 1400 * KIB))
    used = 300 * KIB if point.optimise else used
    cycles = 10**6 + max(0, 500 * KIB - used)
    clock = 5e8 if "u55" in point.target else 1e9
    summary = CompileSummary(
        total_cycles=cycles, core_clock_hz=clock, inference_seconds=cycles / clock, sram_used_bytes=used,
        dram_used_bytes=0, on_chip_flash_used_bytes=0, off_chip_flash_used_bytes=1000,
    )  # fmt: skip
    good = status == "ok"
    return CompileResult(
        point.target, point.memory_mode, point.system_config, status, "x.pte" if good else None, 2000, "0", 0.1, False,  # type: ignore[arg-type]
        summary if good else None, (), (), "", arena_cache_bytes=point.arena_cache_bytes, optimise=point.optimise,
    )  # fmt: skip


class TestSearch:
    def test_it_finds_what_fits_and_compiles_nothing_twice(self) -> None:
        seen: list[CompilePoint] = []

        def evaluate(points: Sequence[CompilePoint]) -> list[CompileResult]:
            seen.extend(points)
            return [result(point) for point in points]

        results = search([U55], {"sram": 512 * KIB}, "cycles", evaluate)
        answers = answers_of(results, {"sram": 512 * KIB}, "cycles")
        assert answers.fit is not None and answers.fit.place is not None
        assert answers.candidates[answers.fit.place].total_cycles == 10**6
        assert len(seen) == len(set(seen)) == len(results)
        assert [one.point for one in results][0] == U55

    def test_targets_are_compared_in_time(self) -> None:
        results = search([U55, U85], {"sram": 512 * KIB}, "cycles", lambda points: [result(point) for point in points])
        answers = answers_of(results, {"sram": 512 * KIB}, "cycles")
        assert answers.fit is not None and answers.fit.place is not None
        assert answers.fit.objective.name == "seconds"
        assert results[answers.fit.place].target == "ethos-u85-256"

    def test_a_batch_that_broke_off_ends_it(self) -> None:
        rounds: list[int] = []

        def evaluate(points: Sequence[CompilePoint]) -> list[CompileResult]:
            rounds.append(len(points))
            return [result(point) for point in points[:1]]

        assert len(search([U55], {"sram": 512 * KIB}, "cycles", evaluate)) == 1
        assert len(rounds) == 1

    def test_failed_trials_are_kept_and_end_nothing_by_themselves(self) -> None:
        def evaluate(points: Sequence[CompilePoint]) -> list[CompileResult]:
            return [result(point, "failed" if point.optimise else "ok") for point in points]

        results = search([U55], {"sram": 512 * KIB}, "cycles", evaluate)
        assert [one.status for one in results].count("failed") == 1
        assert answers_of(results, {"sram": 512 * KIB}).fit is not None

    def test_a_batch_that_is_not_over_has_answers_too(self) -> None:
        answers = answers_so_far([U55, U85], [None, result(U85)])
        assert answers.front == (1,)


INI = """
[System_Config.Ours]
core_clock=400e6
axi0_port=Sram
axi1_port=OffChipFlash
[Memory_Mode.All_In_One]
const_mem_area=Axi0
arena_mem_area=Axi0
cache_mem_area=Axi0
[Memory_Mode.Cached]
const_mem_area=Axi1
arena_mem_area=Axi1
cache_mem_area=Axi0
arena_cache_size=1000
"""


class TestAVelaIniOfTheUsers:
    def test_its_memory_modes_say_where_weights_lie_and_what_the_limit_is(self) -> None:
        ini = parse_vela_ini(INI)
        one = candidate(CompilePoint("ethos-u55-128", "Ours", "All_In_One"), ini=ini)
        assert one.weights_in_sram and not one.arena_in_dram
        cached = candidate(CompilePoint("ethos-u55-128", "Ours", "Cached"), ini=ini)
        assert cached.arena_in_dram and cached.limit == (1000, "Cached")

    def test_a_name_of_arms_may_mean_something_else_there(self) -> None:
        ini = parse_vela_ini(INI.replace("All_In_One", "Dedicated_Sram_256KB"))
        found = candidate(CompilePoint("ethos-u55-128", "Ours", "Dedicated_Sram_256KB"), ini=ini)
        assert found.weights_in_sram and found.limit is None


class TestTheCommand:
    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            (["--fit", "sram"], "--fit: 'sram' is no limit: write memory=size"),
            (["--fit", "rom=1MiB"], "'rom' is no memory to limit"),
            (["--fit", "sram=1KiB", "--fit", "sram=2KiB"], "sram is limited twice"),
            (
                ["--fit", "sram=1KiB", "--arena-cache-size", "1KiB"],
                "--arena-cache-size cannot be combined with a search",
            ),
            (["--minimise", "sram", "--optimise", "Size"], "--optimise cannot be combined with a search"),
            (["--fit", "sram=1KiB", "--no-delegate"], "--no-delegate cannot be combined with a search"),
            (["--fit", "sram=1KiB", "--no-cache"], "--no-cache cannot be combined with a search"),
            (["--fit", "sram=1KiB", "--bundleio", "-o", "x.bpte"], "--bundleio cannot be combined with a search"),
            (["--fit", "sram=1KiB", "--aot-arg=--etrec"], "--etrecord cannot be combined with a search"),
        ],
    )
    def test_what_makes_no_sense_is_refused_before_anything_is_compiled(
        self, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["compile", "add", *arguments]) == 2
        out = capsys.readouterr()
        assert said in out.err
        assert out.out == ""

    def test_without_limits_nothing_is_searched(self) -> None:
        options: Any = type("Options", (), {"fit": [], "minimise": None})
        assert not Search(options).wanted
        options = type("Options", (), {"fit": ["sram=-1"], "minimise": None})
        with pytest.raises(UsageError):
            Search(options)


class TestTheChosenProgram:
    def search(self, output: Path) -> tuple[list[CompileResult], JobError | None]:
        """A search that wants its program in `output`; each result is a file beside it."""
        options: Any = type(
            "Options", (), dict.fromkeys(("arena_cache_size", "optimise", "no_delegate", "keep_intermediates", "no_cache"))
        )  # fmt: skip
        options.bundleio = options.etrecord = False
        options.fit, options.minimise, options.aot_arg = ["sram=512KiB"], None, []

        def compiled(request: CompileOptions, points: Sequence[CompilePoint]) -> tuple[list[CompileResult], None]:
            assert request.output is None  # the trials are nobody's output
            results = []
            for point in points:
                program = output.parent / f"{point.arena_cache_bytes}.{point.optimise}"
                program.write_text(str(point.arena_cache_bytes))
                results.append(replace(result(point), pte=str(program)))
            return results, None

        return Search(options).run(CompileOptions("add", output=str(output)), [U55], compiled)

    def test_it_goes_where_it_is_wanted(self, tmp_path: Path) -> None:
        results, problem = self.search(tmp_path / "best.pte")
        assert problem is None
        (delivered,) = (one for one in results if one.pte == str(tmp_path / "best.pte"))
        assert (tmp_path / "best.pte").read_text() == str(delivered.arena_cache_bytes)
        assert not list(tmp_path.glob(".best*"))

    def test_what_was_found_is_kept_where_it_cannot(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def full(*_: object) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr("ethosu_tui.tui.commands.compile_fit.copy_whole", full)
        results, problem = self.search(tmp_path / "best.pte")
        assert problem is not None and "No space left on device" in problem.message
        assert len(results) > 3

    def test_a_place_that_is_none_is_refused_first(self, tmp_path: Path) -> None:
        (tmp_path / "best.pte").mkdir()
        with pytest.raises(UsageError, match="is a directory"):
            self.search(tmp_path / "best.pte")


@pytest.mark.compile
class TestForReal:
    """After the demo, whose graphs of MNIST are found again: Vela only."""

    @pytest.fixture(scope="class")
    def fit(self, demo: Any, run: Callable[..., Any], home: Path) -> dict[str, Any]:
        done = run("compile", "bundled:mnist", "--fit", "sram=10KiB", "--json", "-o", "~/best one.pte")
        assert done.returncode == 0, done.stderr
        document: dict[str, Any] = json.loads(done.stdout)
        return document

    def test_a_configuration_under_the_limit_is_found(self, fit: dict[str, Any], home: Path) -> None:
        answer = fit["answers"]["fit"]
        assert (answer["fits"], answer["minimise"], answer["limits"]["sram_bytes"]) == (True, "cycles", 10240)
        jobs = fit["jobs"]
        chosen, plain = jobs[answer["job"]], jobs[answer["unlimited_job"]]
        assert plain["summary"]["sram_used_bytes"] > 10240 >= chosen["summary"]["sram_used_bytes"]
        fitting = [job["summary"]["total_cycles"] for job in jobs if job["summary"]["sram_used_bytes"] <= 10240]
        assert chosen["summary"]["total_cycles"] == min(fitting)
        assert answer["ratio"] == pytest.approx(
            chosen["summary"]["total_cycles"] / plain["summary"]["total_cycles"], abs=1e-6
        )
        assert chosen["pte"] == str(home / "best one.pte")
        assert (home / "best one.pte").stat().st_size == chosen["pte_bytes"]

    def test_every_trial_is_a_job_with_its_own_limit(self, fit: dict[str, Any]) -> None:
        asked = [(job["arena_cache_bytes"], job["optimise"]) for job in fit["jobs"]]
        assert (None, None) in asked and (10240, None) in asked and (None, "Size") in asked
        assert len(asked) == len(set(asked))
        assert all(job["route"] == "shared" or job["cached"] for job in fit["jobs"] if job["arena_cache_bytes"])

    def test_the_front_and_the_limits_that_vela_did_not_keep(self, fit: dict[str, Any]) -> None:
        answers, jobs = fit["answers"], fit["jobs"]
        front = [
            (jobs[p]["summary"]["inference_seconds"], answers["needs"][p]["sram_bytes"]) for p in answers["pareto"]
        ]
        assert len(front) >= 2
        assert front == sorted(front)
        assert sorted(front, key=lambda one: -one[1]) == front
        for one in answers["limits_ignored"]:
            job = jobs[one["job"]]
            assert job["summary"]["sram_used_bytes"] == one["used_bytes"] > one["limit_bytes"]
            assert any(finding["rule"] == "arena-limit-exceeded" for finding in job["findings"])
        assert answers["limits_ignored"]

    def test_nothing_fits(self, demo: Any, run: Callable[..., Any]) -> None:
        done = run("compile", "bundled:mnist", "--fit", "sram=1KiB")
        assert done.returncode == 1, done.stderr
        assert "nothing fits SRAM 1.0 KiB; nearest is ethos-u55-128" in done.stdout
        assert "Traceback" not in done.stderr


def test_what_tells_configurations_apart_is_not_cut_on_a_narrow_terminal() -> None:
    names = ("ethos-u55-128 arena=12304", "ethos-u55-128", "ethos-u55-128 optimise=Size")
    table = Table(
        "Configurations", (Column("Configuration"), Column("")), tuple((Cell(n), Cell("front")) for n in names)
    )
    assert fitted(table, None) == fitted(table, 80) == table
    narrow = fitted(table, 30)
    assert narrow.title == "Configurations, ethos-u55-128"
    assert [row[0].text for row in narrow.rows] == ["arena=12304", "default", "optimise=Size"]
    mixed = table._replace(rows=(*table.rows, (Cell("ethos-u85-256"), Cell(""))))
    assert fitted(mixed, 30) == mixed
