"""Several performance blocks in one run: what printf or a 32-bit counter did to one of them is undone before they are added up."""

from __future__ import annotations

from ethosu_tui.analysis import Run, read_capture

_WRAP = 1 << 32


def _block(runtime: str, wait: int = 300_000, operator: int = 400_000, npu: int = 280_000) -> list[str]:
    return [
        "NPU Inferences : 1",
        f"ethos-u : cycle_cnt : {operator} cycles ({operator:.2f} per inference)",
        f"Operator(s) total: {operator} CPU cycles ({operator:.2f} per inference)",
        f"Inference runtime: {runtime}",
        f"cpu_wait_for_npu_cntr : {wait} CPU cycles ({wait:.2f} per inference)",
        f"ethosu_pmu_cycle_cntr : {npu} ({npu:.2f} per inference)",
    ]


def _server(*blocks: list[str]) -> tuple[Run, dict[str, str]]:
    lines = ["Model buffer loaded, has 1 methods"]
    for number, block in enumerate(blocks):
        lines += [f"Starting running 1 inferences{'.' * 3}", *block, f"Model run: {number + 1}"]
    text = "".join(f"I [executorch:arm_executor_runner.cpp:900 main()] {line}\n" for line in lines)
    capture = read_capture("server", text.encode())
    (run,) = capture.runs
    return run, {finding.rule: finding.detail for finding in capture.findings}


def _runtime(cycles: int, each: int | None = None) -> str:
    return f"{cycles} CPU cycles total ({cycles if each is None else each:.2f} per inference)"


def test_a_total_through_percent_d_in_one_block_is_repaired_before_the_sum() -> None:
    right = 3_000_000_000
    run, doubts = _server(
        _block(_runtime(1_000_000)), _block(_runtime(right - _WRAP, right)), _block(_runtime(2_000_000))
    )
    assert [block.cycles.inference for block in run.blocks] == [1_000_000, right, 2_000_000]
    assert run.cycles.inference == right + 3_000_000
    assert run.cycles.inferences == 3
    assert str(right - _WRAP) in doubts["wrapped-total"]


def test_the_last_block_is_repaired_too() -> None:
    right = 3_000_000_000
    run, doubts = _server(_block(_runtime(1_000_000)), _block(_runtime(right - _WRAP, right)))
    assert run.cycles.inference == right + 1_000_000
    assert "wrapped-total" in doubts


def test_a_runtime_smaller_than_what_happened_in_it_has_wrapped() -> None:
    """The sum alone would not show it: the other block's runtime is larger than both operators."""
    operator = 4_200_000_000
    runtime = operator + 150_000_000 - _WRAP
    run, doubts = _server(
        _block(_runtime(4_250_000_000)), _block(_runtime(runtime), wait=4_000_000_000, operator=operator)
    )
    assert run.cycles.inference == 4_250_000_000 + runtime + _WRAP
    assert str(runtime) in doubts["cycle-counter-wrapped"]


def test_a_block_whose_total_cannot_be_told_leaves_no_sum() -> None:
    run, doubts = _server(_block(_runtime(1_000_000)), _block(_runtime(2_000_000, 7_000_000)))
    assert run.cycles.inference is None
    assert [block.cycles.inference for block in run.blocks] == [1_000_000, None]
    assert "2000000" in doubts["per-inference-mismatch"]
    assert run.pmu is not None and run.pmu.npu_cycles == 560_000


def test_blocks_that_are_right_are_added_up_in_silence() -> None:
    run, doubts = _server(*(_block(_runtime(1_000_000 + n)) for n in range(50)))
    assert run.cycles.inference == 50_001_225
    assert run.cycles.inferences == 50
    assert not {"wrapped-total", "cycle-counter-wrapped", "per-inference-mismatch"} & doubts.keys()
