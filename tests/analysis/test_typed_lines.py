"""What an advice has a reader type does what the advice says: whole lines, and options that the release listens to."""

from __future__ import annotations

import re

import pytest

from ethosu_tui.analysis.answers.fix import fix_of
from ethosu_tui.analysis.capture import read_capture
from ethosu_tui.analysis.compiles.toolchains import NEWEST_LINE, pip_words
from ethosu_tui.analysis.report import Finding
from ethosu_tui.analysis.rules.causes import explain_text
from ethosu_tui.analysis.rules.causes_aot import AOT_FAILURES
from ethosu_tui.analysis.rules.causes_build import BUILD_FAILURES
from ethosu_tui.analysis.rules.causes_launch import LAUNCH_FAILURES

from .test_release_advice import begun, executing, printed, root

TABLES = {"compiles": AOT_FAILURES, "builds": BUILD_FAILURES, "launches": LAUNCH_FAILURES}
SCRATCH = "ET_ARM_BAREMETAL_SCRATCH_TEMP_ALLOCATOR_POOL_SIZE"
CMAKE = "examples/arm/executor_runner/CMakeLists.txt"


def typed(advice: str) -> str | None:
    return fix_of(Finding("x", "error", None, "", "", advice))


def advice_for(text: str) -> str:
    (finding, *_) = read_capture("x.log", f"{text}\n".encode()).findings
    return finding.advice


@pytest.mark.parametrize("table", TABLES)
def test_no_line_to_type_is_cut_off(table: str) -> None:
    for failure in TABLES[table]:
        for sample in failure.samples:
            explained = explain_text(TABLES[table], sample)
            assert explained is not None
            line = typed(explained.advice)
            if line is None:
                continue
            assert not re.search(r"install(?: -\S+)*\Z|[=(]\Z|\);", line), line
            assert ". " not in line, f"the first sentence would end inside of it: {line}"
            assert line.count("(") == line.count(")") and line.count('"') % 2 == 0, line
            if "torch==" in explained.advice and line.startswith('pip install "executorch'):
                assert "torch==" in line, line


@pytest.mark.parametrize(
    ("advice", "line"),
    [
        (f"Make one ({NEWEST_LINE}; or build it).", NEWEST_LINE),
        ("take it (pip install --no-deps -r a/b-c.txt in a tree)", "pip install --no-deps -r a/b-c.txt"),
        ("Fetch it again (pip install --no-cache-dir); a page may stand there.", None),
        ("or install it (python3 -m pip install ...).", None),
        ("pip install alpha in the version that goes with it", "pip install alpha"),
        (f"install it with: `uv {NEWEST_LINE}`.", f"uv {NEWEST_LINE}"),
        ("its own script does (`pip install -v .`) in it", "pip install -v ."),
        ("pip install alpha==1.2 'beta>=3' and more", "pip install alpha==1.2 'beta>=3'"),
        (
            "Run examples/arm/setup.sh --i-agree-to-the-contained-eula once; a folder is named with run.sh --scratch-dir=F.",
            "examples/arm/setup.sh --i-agree-to-the-contained-eula",
        ),
    ],
)
def test_a_line_is_taken_whole(advice: str, line: str | None) -> None:
    assert typed(advice) == line


def test_a_fresh_environment_gets_the_torch_that_the_wheel_does_not_bring() -> None:
    assert (NEWEST_LINE,) == tuple(f"pip install {words}" for words in pip_words(None))
    for said in (
        "Traceback (most recent call last):\n  File \"/w/export.py\", line 3, in <module>\n    import torch\nModuleNotFoundError: No module named 'torch'",
        "/usr/bin/python3: No module named executorch",
        "Fatal Python error: Segmentation fault",
        "ERROR: Cannot install -r a.txt and torch==2.9 because these package versions have conflicting dependencies.",
    ):
        assert typed(advice_for(said)) == NEWEST_LINE


def test_what_is_beside_executorch_is_brought_without_another_release_of_it() -> None:
    vela = "RuntimeError: ethos-u-vela pip package couldn't be imported. Make sure it's installed!"
    found = explain_text(AOT_FAILURES, vela)
    assert found is not None and typed(found.advice) == 'pip install "executorch[ethos-u]"'
    numpy = explain_text(AOT_FAILURES, "AttributeError: _ARRAY_API not found")
    assert numpy is not None and "numpy<2" not in numpy.advice  # ExecuTorch itself wants NumPy 2


def test_the_package_for_cortex_m_comes_from_where_its_release_has_it() -> None:
    of_1_3 = explain_text(
        AOT_FAILURES, "Cortex-M backend dependencies are not installed (missing: cmsis_nn). Install them with"
    )
    later = explain_text(
        AOT_FAILURES, "Cortex-M backend dependencies are not installed (tried a.b,cmsis_nn). Build using"
    )
    assert of_1_3 is not None and "requirements-cortex-m.txt" in of_1_3.advice
    assert later is not None and "requirements" not in later.advice and "./install_executorch.sh" in later.advice


@pytest.mark.parametrize("host", ["git", "review"])
def test_git_is_sent_on_from_the_host_that_it_asked(host: str) -> None:
    said = (
        f"fatal: unable to access 'https://{host}.mlplatform.org/ml/ethos-u/a/': The requested URL returned error: 502"
    )
    assert str(typed(advice_for(said))).endswith(f" https://{host}.mlplatform.org/ml/ethos-u/")
    other = "fatal: repository 'https://review.mlplatform.org/tosa/reference_model/' not found"
    assert "tosa-reference-model" in advice_for(other) and typed(advice_for(other)) is None


def short_of_scratch(release: str) -> list[str]:
    return executing(
        release,
        "E [executorch:memory_allocator.h:107 allocate()] Memory allocation failed: 3145728B requested (adjusted for alignment), 2097152B available",
        printed(release, 300, "Failed to allocate scratch buffer of 3145728 bytes from temp_allocator", "E", "execute", "EthosUBackend.cpp"),
    )  # fmt: skip


@pytest.mark.parametrize(("release", "listens"), [("1.1", False), ("1.2", True), ("1.4", True)])
def test_the_scratch_pool_is_set_where_its_release_lets_it_be(release: str, listens: bool) -> None:
    advice = root(short_of_scratch(release)).advice
    assert (f"-D{SCRATCH}=" in advice) is listens
    assert (f"{SCRATCH} in {CMAKE}" in advice) is not listens
    assert "Zephyr" not in advice


def test_both_ways_are_said_where_the_release_is_not_known() -> None:
    log = "E EthosUBackend.cpp:300 execute() Failed to allocate scratch buffer of 3145728 bytes from temp_allocator"
    lines = [
        "I [executorch:arm_executor_runner.cpp:70 main()] Running method forward",
        log.replace("E ", "E [executorch:").replace("() ", "()] "),
    ]
    advice = root(lines).advice
    assert f"-D{SCRATCH}=3145728 (0.7 to 1.1: in {CMAKE}, which overrides -D; Zephyr: " in advice


@pytest.mark.parametrize(
    ("names", "listed"),
    [
        (("aten::exp.out", "cortex_m::quantized_linear.out"), "aten::exp.out"),
        (("cortex_m::quantized_linear.out",), None),
        (("mine::a.out",), None),
    ],
)
def test_a_list_holds_kernels_that_it_can_bring(names: tuple[str, ...], listed: str | None) -> None:
    missing = [
        f"E [executorch:method.cpp:784 resolve_operator()] Missing operator: [{i}] {n}" for i, n in enumerate(names)
    ]
    advice = root([*begun("1.1"), *missing]).advice
    assert ("SELECT_OPS_LIST" in advice) is (listed is not None)
    assert (
        listed is None
        or f'where no .pte is built in, add {listed} to its operator list: -DEXECUTORCH_SELECT_OPS_LIST="{listed}"'
        in advice
    )
    assert "--pte=FILE" in advice
