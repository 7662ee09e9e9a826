"""What to compile: sweeps, argument lists, output paths and the command that does the same."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from ethosu_tui.analysis.targets import ETHOS_U_TARGETS
from ethosu_tui.runners.compile.extra import check_extra
from ethosu_tui.runners.compile.plan import (
    CompileOptions,
    aot_arguments,
    equivalent_command,
    model_label,
    output_paths,
    stages,
)
from ethosu_tui.runners.compile.points import CompilePoint, plan
from ethosu_tui.runners.job import UsageError
from ethosu_tui.tui.commands.parsers import command_parser


def test_without_a_target_it_is_that_of_executorch() -> None:
    points, refused = plan([])
    assert points == [CompilePoint("ethos-u55-128", "Ethos_U55_High_End_Embedded", "Shared_Sram")]
    assert refused == []


def test_all_targets_keep_their_order_and_defaults() -> None:
    points, refused = plan(["all"])
    assert [point.target for point in points] == [target.name for target in ETHOS_U_TARGETS]
    assert not refused
    assert all(point.label == point.target for point in points)


def test_the_full_sweep_is_the_166_valid_combinations() -> None:
    points, refused = plan(["all"], ["all"], ["all"])
    assert sum(point.is_npu for point in points) == 166
    assert len(points) == 166
    assert refused == []


def test_a_mode_that_does_not_fit_is_refused_with_the_reason_and_the_others_go_on() -> None:
    points, refused = plan(["ethos-u55-128", "ethos-u85-256"], [], ["Dedicated_Sram"])
    assert [point.target for point in points] == ["ethos-u85-256"]
    assert [(point.target, "OffChipFlash" in reason) for point, reason in refused] == [("ethos-u55-128", True)]


def test_all_system_configs_means_those_of_the_family() -> None:
    points, refused = plan(["ethos-u65-512"], ["all"])
    assert {point.system_config for point in points} == {
        "Ethos_U65_Mid_End",
        "Ethos_U65_High_End",
        "Ethos_U65_Client_Server",
    }
    assert [point.system_config for point, _ in refused] == ["Ethos_U65_Embedded"]


@pytest.mark.parametrize(
    ("axes", "said"),
    [
        ((["ethos-u55-127"], [], []), "did you mean ethos-u55-128?"),
        ((["Ethos-U85-256"], [], []), "did you mean ethos-u85-256?"),
        ((["vgf"], [], []), "choose one of"),
        (([], ["Nope"], []), "choose one of"),
        (([], [], ["Shared_sram"]), "did you mean Shared_Sram?"),
        ((["ethos-u55-128"], [], ["Dedicated_Sram"]), "choose a combination"),
        ((["ethos-u55-128"], ["Ethos_U85_SYS_DRAM_Mid"], []), "choose a combination"),
    ],
)
def test_unknown_or_impossible_requests_are_usage_errors(axes: tuple[list[str], ...], said: str) -> None:
    with pytest.raises(UsageError) as caught:
        plan(*axes)
    assert said in caught.value.hint
    assert caught.value.exit_code == 2


def test_arguments_are_those_that_a_person_would_type() -> None:
    (point,), _ = plan(["ethos-u85-256"])
    given = aot_arguments(CompileOptions("m.py"), point, "/a b/m.py", Path("/out/m.pte"), None)
    assert given == [
        "--model_name=/a b/m.py",
        "--target=ethos-u85-256",
        "--delegate",
        "--quantize",
        "--system_config=Ethos_U85_SYS_DRAM_Mid",
        "--memory_mode=Sram_Only",
        "--output=/out/m.pte",
    ]


@pytest.mark.parametrize(
    ("target", "options", "has", "lacks"),
    [
        ("none", CompileOptions("add"), [], ["--delegate", "--quantize", "--target=none"]),
        ("cortex-m55", CompileOptions("add"), ["--quantize", "--target=cortex-m55"], ["--delegate"]),
        ("ethos-u55-32", CompileOptions("add", delegate=False), ["--quantize"], ["--delegate"]),
        ("ethos-u55-32", CompileOptions("add", quantize=False), ["--delegate"], ["--quantize"]),
        ("ethos-u55-32", CompileOptions("add", debug=True, extra=("--etrecord",)), ["--debug", "--etrecord"], []),
    ],
)
def test_switches_become_arguments(target: str, options: CompileOptions, has: list[str], lacks: list[str]) -> None:
    (point,), _ = plan([target])
    given = aot_arguments(options, point, "add", Path("/m.pte"), None)
    assert set(has) <= set(given)
    assert not set(lacks) & set(given)


def test_stages_are_those_that_the_job_has() -> None:
    (npu,), _ = plan(["ethos-u55-32"])
    (plain,), _ = plan(["none"])
    assert {"quantise", "TOSA", "Vela"} <= set(stages(CompileOptions("add"), npu))
    assert not {"quantise", "TOSA", "Vela"} & set(stages(CompileOptions("add"), plain))


def test_output_is_a_file_a_template_or_a_directory(tmp_path: Path) -> None:
    points, _ = plan(["ethos-u55-128", "none"])
    one = points[:1]
    file = str(tmp_path / "x.pte")
    assert output_paths(CompileOptions("m.py", output=file), one) == [tmp_path / "x.pte"]
    template = str(tmp_path / "{model}-{target}.pte")
    assert output_paths(CompileOptions("a/m.py", output=template), points) == [
        tmp_path / "m-ethos-u55-128.pte",
        tmp_path / "m-none.pte",
    ]
    assert output_paths(CompileOptions("bundled:mnist", output=str(tmp_path)), points) == [
        tmp_path / "mnist_arm_delegate_ethos-u55-128.pte",
        tmp_path / "mnist_arm_none.pte",
    ]
    assert output_paths(CompileOptions("m.py"), points) == [None, None]


def test_a_directory_tells_configurations_of_one_target_apart(tmp_path: Path) -> None:
    points, _ = plan(["ethos-u55-128"], [], ["Shared_Sram", "Sram_Only"])
    paths = output_paths(CompileOptions("m.py", output=str(tmp_path)), points)
    assert len(set(paths)) == 2


def test_the_home_directory_is_expanded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    points, _ = plan([])
    assert output_paths(CompileOptions("m.py", output="~/deep/x.pte"), points) == [tmp_path / "deep/x.pte"]


@pytest.mark.parametrize("output", ["x.pte", "{model}.pte", "  ", "x_{target}.bpte", "{target}{size}.pte"])
def test_outputs_that_cannot_be_are_refused(output: str) -> None:
    points, _ = plan(["ethos-u55-128", "ethos-u55-256"])
    with pytest.raises(UsageError):
        output_paths(CompileOptions("m.py", output=output), points)


@pytest.mark.parametrize(
    "axes",
    [
        (["ethos-u55-128"], [], []),
        (["ethos-u55-128", "ethos-u85-256"], [], []),
        (["ethos-u55-128"], [], ["Shared_Sram", "Sram_Only"]),
        (["ethos-u85-256", "none"], ["Ethos_U85_SYS_DRAM_High"], ["Dedicated_Sram", "Sram_Only"]),
    ],
)
def test_the_command_does_the_same(axes: tuple[list[str], ...]) -> None:
    points, _ = plan(*axes)
    extra = ("--etrecord", "--calibration_data=x")
    options = CompileOptions("my model.py", quantize=False, output="~/o", keep_intermediates="d", extra=extra)
    words = shlex.split(equivalent_command(options, points))
    given = command_parser("compile").parse_args(words[2:])
    assert plan(given.target, given.system_config, given.memory_mode)[0] == points
    assert (given.model, given.no_quantize, given.no_delegate, given.output) == ("my model.py", True, False, "~/o")
    assert (given.keep_intermediates, given.etrecord, given.bundleio) == ("d", True, False)
    assert given.aot_arg == ["--calibration_data=x"]


def test_points_that_are_no_sweep_become_several_commands() -> None:
    defaults, _ = plan(["ethos-u55-128", "ethos-u85-256"])
    other = CompilePoint("ethos-u85-256", "Ethos_U85_SYS_DRAM_Mid", "Dedicated_Sram")
    assert equivalent_command(CompileOptions("add"), [defaults[0], other]).count("ethosu-tui compile") == 2


@pytest.mark.parametrize("target", ETHOS_U_TARGETS, ids=lambda target: target.name)
def test_every_target_has_a_default_that_fits(target: object) -> None:
    assert plan([target.name])[1] == []  # type: ignore[attr-defined]


def test_model_label() -> None:
    names = ("bundled:mnist", "a/b.c.py", "add", "x.pt")
    assert [model_label(name) for name in names] == ["mnist", "b.c", "add", "x"]


@pytest.mark.parametrize(
    "extra",
    [
        ["--target=ethos-u85-128"],
        ["--target", "ethos-u85-128"],
        ["-t", "ethos-u85-128"],
        ["-tethos-u85-128"],
        ["-dq"],
        ["-hq"],
        ["--tar=none"],
        ["--system_config=x"],
        ["--memory_mode", "x"],
        ["--delegate"],
        ["--quant"],
        ["--output=x.pte"],
        ["-o", "x.pte"],
        ["-m", "add"],
        ["--model_name=add"],
        ["--intermediates=x"],
        ["-ix"],
        ["--model_input=d", "--debug"],
        ["--calibration_data=d"],
        ["--config", "my.ini"],
        ["--"],
    ],
)
def test_extra_arguments_may_not_say_what_we_say_ourselves(extra: list[str]) -> None:
    with pytest.raises(UsageError) as caught:
        check_extra(extra)
    assert "--aot-arg=-" in caught.value.message and caught.value.hint and caught.value.exit_code == 2


def test_other_extra_arguments_pass() -> None:
    extra = ["--model_input=i.pt", "-s", "lib.so", "-sdo.so"]
    check_extra(
        [*extra, "--bundleio", "--non_strict_export", "--enable_debug_mode=tosa", "--direct_drive", "--etrecord"]
    )
