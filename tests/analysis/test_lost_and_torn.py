"""What was lost, torn or moved in a log makes a figure go missing; it makes no other figure of it."""

from __future__ import annotations

import pytest

from ethosu_tui.analysis import Capture, read_capture
from ethosu_tui.analysis.meaning.pmu_events import is_torn
from ethosu_tui.analysis.release.identify import identify

ARM = "I [executorch:arm_executor_runner.cpp:{} main()] {}"
LINUX = "I 00:00:00.000101 executorch:executor_runner.cpp:9] {}"


def read(*lines: str) -> Capture:
    return read_capture("x", "".join(f"{line}\n" for line in lines).encode())


@pytest.mark.parametrize("mark", ["+", "+ ", "> ", "// ", "* ", "", "+\t"])
def test_a_mark_before_all_lines_takes_no_sign_off_a_number(mark: str) -> None:
    lines = (
        LINUX.format("Model executed successfully 1 time(s) in 0.5 ms."),
        LINUX.format("1 outputs: "),
        "OutputX 0: tensor(sizes=[2, 2], [",
        "  -0.5, 0.25,",
        "-1.5, -2.5",
        "])",
    )
    (run,) = read(*(mark + line for line in lines)).runs
    assert run.outputs[0].first == (-0.5, 0.25, -1.5, -2.5)


@pytest.mark.parametrize(
    ("event", "torn"),
    [("ETHOSU_PMU_NPU_IDLE", False), ("ETHOSU_PMU_AXI0_A_BEAT_RECEIVED", True), ("ETHOSDATA_BEAT_WRITTEN", True), ("TOL", True), ("TOTAL", False),
     ("AXI0_WR_DATA_BEA", True), ("ETHOSU_PMU_MAC_ACTIVE_64BIT", False), ("MADE_UP", False)],
)  # fmt: skip
def test_a_name_that_lost_its_middle_is_no_name_of_an_event(event: str, torn: bool) -> None:
    assert is_torn(event) is torn


def test_a_counter_of_a_torn_name_has_no_name_and_one_that_is_only_named_is_left_out() -> None:
    runs = read(
        ARM.format(9, "NPU Inferences : 1"),
        "I [executorch:arm_perf_monitor.cpp:9 main()] Ethos-U PMU report:",
        "I [executorch:arm_perf_monitor.cpp:9 main()] ethosu_pmu_cycle_cntr : 5000",
        "I [executorch:arm_perf_monitor.cpp:9 main()] ethosu_pmu_cntr0 : 70",
        "I [executorch:arm_perf_monitor.cpp:9 main()] ethosu_pmu_cntr1 : 80",
        "I [executorch:arm_perf_monitor.cpp:9 main()] Ethos-U PMU Events:[ETHOSU_PMU_AXI0_RD_RECEIVED, ETHOSU_PMU_NPU_IDLE]",
    ).runs
    assert runs[0].pmu is not None
    assert [(c.event, c.value) for c in runs[0].pmu.counters] == [(None, 70), ("ETHOSU_PMU_NPU_IDLE", 80)]
    (kit,) = read(
        "INFO - Profile for Inference:", "INFO - NPU AXI0_RD_DATED beats: 71", "INFO - NPU IDLE cycles: 9", "INFO - NPU TOL cycles: 99"
    ).runs  # fmt: skip
    assert kit.pmu is not None and [c.event for c in kit.pmu.counters] == ["ETHOSU_PMU_NPU_IDLE"]


def test_a_profile_without_its_heading_is_not_forgotten_at_the_next() -> None:
    one = ("INFO - NPU ACTIVE cycles: 900", "INFO - NPU IDLE cycles: 100", "INFO - NPU TOTAL cycles: 1000")
    other = (line.replace("00", "05") for line in one)
    (run,) = read(
        "INFO - Running inference on audio clip 0 => a.wav", *one, "INFO - Profile for Inference:", *other
    ).runs
    assert [block.pmu and block.pmu.npu_cycles for block in run.blocks] == [1000, 1050]


@pytest.mark.parametrize(
    ("name", "kept"), [("forward", True), ("encode-2.x", True), ("forw?rd", False), ("?forward", False)]
)
def test_what_no_function_can_be_called_is_no_method(name: str, kept: bool) -> None:
    (run,) = read(ARM.format(8, f"Running method {name}"), ARM.format(9, "Method loaded.")).runs
    assert run.model.method == (name if kept else None)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Ethos_U65_512", "ethos-u65-512"),
        ("Ethos_U55_25", None),
        ("My_Sram_Mode", None),
        ("Ethos_U55_cessing.tflite`", None),
    ],
)
def test_an_accelerator_is_told_by_a_whole_name_alone(text: str, name: str | None) -> None:
    (summary,) = read("Network summary for a", f"Accelerator configuration   {text}", "Memory mode   Sram_Only").compile
    assert (summary.accelerator, summary.memory_mode) == (name, "Sram_Only")


KIT = (
    "INFO - Ethos-U device initialised",
    "INFO - Ethos-U version info:",
    "INFO - \tArch:       v{}",
    "INFO - \tMACs/cc:    {}",
)


def test_no_npu_has_any_number_of_macs() -> None:
    for macs, found in ((64, 64), (6, None), (12, None)):
        capture = read(*(line.format("1.1.0" if "Arch" in line else macs) for line in KIT))
        assert capture.runs[0].target.macs == found
        assert ("impossible" in " ".join(f.rule for f in capture.findings)) is (found is None)


def test_two_npus_in_one_run_are_said_and_none_is_named() -> None:
    head = "Starting Digits Model Demo on Ethos-U55 NPU"
    for arch, name in (("1.1.0", "ethos-u55-256"), ("2.0.0", None)):
        capture = read(head, *(line.format(arch if "Arch" in line else 256) for line in KIT))
        rules = [finding.rule for run in capture.runs for finding in capture.findings if finding.run == run.index]
        assert capture.runs[0].target.name == name, capture.runs
        assert ("npu-contradicted" in rules) is (name is None)


ELEMENTS = [f"Output[0][{index}]: {index}.500000" for index in range(4)]


def test_a_dump_with_a_torn_line_is_not_all_of_it() -> None:
    head, end = ARM.format(8, "1 outputs:"), ARM.format(9, "Program complete, exiting.")
    whole = read(head, *ELEMENTS, end).runs[0].outputs[0]
    assert (whole.count, whole.elided) == (4, False)
    for torn in ("Output[0][1]: 0.50][3]: 3.5", "Ou?put[0][3]: 3.500000", "Output[0][3]:", "[0][3]: 3.5"):
        lines = ELEMENTS[:1] if "][3]: 3.5" in torn and "50]" in torn else ELEMENTS[:3]
        assert read(head, *lines, torn, end).runs[0].outputs[0].elided, torn
    swapped = read(head, ELEMENTS[1], ELEMENTS[0], end).runs[0].outputs[0]
    assert swapped.elided and swapped.count == 2


def test_a_header_tells_how_many_elements_there_were() -> None:
    lines = (
        "Model outputs:",
        "  output[0]: tensor scalar_type=Float numel=3",
        "    [0] = 2.000000",
        "    [1] = 2.500000",
    )
    (tensor,) = read(*(f"I executorch:my_runner.cpp:{n}] {line}" for n, line in enumerate(lines))).runs[0].outputs
    assert (tensor.count, tensor.elided, tensor.first) == (2, True, (2.0, 2.5))


TENSOR = "OutputX 0: tensor(sizes=[2, 2], [0.25, -0.5, 0.75, 1.125])"


@pytest.mark.parametrize("at", range(TENSOR.index("0.25"), len(TENSOR)))
def test_a_tensor_on_one_line_that_was_cut_or_broken_has_no_half_number(at: int) -> None:
    before = (LINUX.format("Model executed successfully 1 time(s) in 0.5 ms."), LINUX.format("1 outputs: "))
    every = (0.25, -0.5, 0.75, 1.125)
    (cut,) = read(*before, TENSOR[:at], LINUX.format("Done with all of it")).runs[0].outputs
    assert cut.first == every[: len(cut.first)] and cut.count == 4 and (cut.elided or TENSOR[:at].endswith("]"))
    (broken,) = read(*before, TENSOR[:at], TENSOR[at:]).runs[0].outputs
    assert broken.first == every[: len(broken.first)]


def test_a_list_that_is_shorter_than_it_says_was_cut() -> None:
    line = "Output: 3 element(s): 0.0625 -0.0475 0.0791"
    head = ("Ethos-U ready: arch v2.0.0, MACs/cc 256", "ExecuTorch Ethos-U85 example: 8896 byte model")
    for text, first in ((line, (0.0625, -0.0475, 0.0791)), (line[:-9], (0.0625,))):
        (tensor,) = read(*head, text, "Test_result: PASS").runs[0].outputs
        assert (tensor.first, tensor.elided) == (first, len(first) < 3)


def test_the_first_line_that_is_left_of_the_next_run_is_not_the_last_of_this_one() -> None:
    executed, used = (
        ARM.format(62, "Model executed successfully."),
        ARM.format(68, "model_pte_loaded_size:      2064 bytes."),
    )
    runs = read(
        ARM.format(5, "Model buffer loaded, has 1 methods"), ARM.format(9, "Program complete, exiting."), executed, used
    ).runs
    assert [(run.first_line, run.last_line) for run in runs] == [(1, 2), (3, 4)]
    pack = (
        "Ethos-U ready: arch v2.0.0, MACs/cc 256",
        "ExecuTorch Ethos-U85 example: 8896 byte model",
        "Test_result: PASS",
    )
    runs = read(*pack, executed, used).runs
    assert [(run.first_line, run.runner.executorch_version) for run in runs][0] == (1, None)
    assert runs[1].first_line == 4


def test_what_a_runner_says_behind_another_program_that_failed_is_no_word_of_that() -> None:
    failed = (
        "Missing operator: [3] made::up.out",
        "There are 9 instructions don't have corresponding operator registered.",
    )
    run = read(*failed, ARM.format(25, "LED"), ARM.format(98, "Model buffer loaded, has 1 methods")).runs[0]
    assert (run.status, run.runner.kind) == ("failed", "other")


def test_an_npu_of_another_size_is_that_of_the_next_run() -> None:
    head = (
        "FVP_Corstone_SSE-320 -C mps4_board.subsystem.ethosu.num_macs=128 -a a.elf",
        ARM.format(9, "Running method forward"),
    )
    for macs, runs in ((128, 1), (256, 2)):
        capture = read(*head, f"Ethos-U: v2.0.0, {macs} MACs/cycle, command stream v0", "camera: off")
        assert [run.target.macs for run in capture.runs] == [128, 256][:runs]


def test_a_fork_is_not_of_days_on_which_lines_looked_otherwise() -> None:
    said = (
        "method_allocator_used",
        "method_allocator_planned",
        "method_allocator_loaded",
        "method_allocator_input",
        "method_allocator_executor",
    )
    places = {
        ("arm_executor_runner.cpp", line): (f"{text}:   "[:20], at)
        for at, (line, text) in enumerate(zip((434, 441, 443, 444, 445), said, strict=True))
    }
    assert identify(places, {"no_function"}).version == "0.5-dev"
    assert identify(places, {"function"}).version is None


def test_a_prefix_without_bracket_is_that_of_a_port_too() -> None:
    place = {("arm_executor_runner.cpp", 4711): ("    [0] = 2.000000", 1)}
    assert identify(place, {"no_bracket"}).version is None
    assert identify({}, {"no_bracket"}).version == "0.1.0..0.3.0"


def test_lines_that_all_end_at_one_column_were_cut_there() -> None:
    lines = [
        ARM.format(n, f"{word} {'of all that is told here, ' * 4}")
        for n, word in enumerate(("One", "Two", "Three", "Four", "Five"), 11)
    ]
    begun = [ARM.format(5, "Model buffer loaded, has 1 methods")]
    for width, told in ((80, True), (999, False)):
        rules = [finding.rule for finding in read(*(line[:width] for line in begun + lines)).findings]
        assert ("lines-cut" in rules) is told
    again = [ARM.format(7, f"Key {'ab' * 40} is not there, number {n}") for n in range(6)]
    assert "lines-cut" not in [finding.rule for finding in read(*begun, *again).findings]
    two = ARM.format(6, f"One {'ab' * 20}") + ARM.format(7, "and another printer, in one line")
    assert "lines-cut" not in [finding.rule for finding in read(*(line[:80] for line in begun + lines), two).findings]


def test_a_digit_that_was_flipped_in_one_of_several_profiles_is_noticed() -> None:
    def profile(active: int, total: int) -> tuple[str, ...]:
        counted = (f"NPU ACTIVE cycles: {active}", "NPU IDLE cycles: 100", f"NPU TOTAL cycles: {total}")
        return ("INFO - Profile for Inference:", *(f"INFO - {line}" for line in counted))

    for first, second in ((900, 90_000), (800, 90_000), (900, 80_000)):
        lines = (*profile(first, 1000), "INFO - Running inference on audio clip 1 => b.wav", *profile(second, 90_100))
        rules = [finding.rule for finding in read("INFO - Running inference on audio clip 0 => a.wav", *lines).findings]
        assert ("npu-cycles-sum" in rules) is ((first, second) != (900, 90_000)), (first, second)


def test_a_name_with_a_question_mark_or_without_its_beginning_is_no_name() -> None:
    command = "FVP_Corstone_SSE-3{}0 -C mps4_board.subsystem.ethosu.num_macs=256 -a a.elf"
    for mark, fvp in (("2", "FVP_Corstone_SSE-320"), ("?", None)):
        (run,) = read(command.format(mark), ARM.format(9, "Method loaded.")).runs
        assert run.target.fvp == fvp
    said = "Running a.elf for {} run with FVP:FVP_Corstone_SSE-320 num_macs:256"
    for name, target in (("ethos-u85-256", "ethos-u85-256"), ("ethos?u85-256", None)):
        runs = read(said.format(name), ARM.format(9, "Method loaded.")).runs
        assert runs[0].target.name in (target, "ethos-u85-256")
    for mode, told in (("Shared_Sram", "Shared_Sram"), ("ared_Sram", None), ("Shared_S", None), ("My_Mode", "My_Mode")):
        (summary,) = read(
            "Network summary for a", "Accelerator configuration   Ethos_U55_128", f"Memory mode   {mode}"
        ).compile
        assert summary.memory_mode == told


@pytest.mark.parametrize("address", ["0x80021000", "20001400", "0x8002?000", "0x80021runner.cpp"])
def test_an_address_is_a_number(address: str) -> None:
    (run,) = read(ARM.format(8, f"Model PTE at {address}, Size: 4096 bytes"), ARM.format(9, "Method loaded.")).runs
    assert (run.model.address == address) is address.isalnum()


@pytest.mark.parametrize("rows", [0, 1, 2, 3])
def test_what_a_header_counts_and_nobody_prints_is_left_out(rows: int) -> None:
    elements = [f"  [{index}]={1073741824 + index} (float raw)" for index in range(rows)]
    (tensor,) = (
        read(
            "I: Initializing NPU: base_address=0x4a900000, fast_memory=0x0",
            "Output[0]: dtype=6, numel=3, nbytes=12",
            *elements,
        )
        .runs[0]
        .outputs
    )
    assert (tensor.count, tensor.elided) == (3, rows < 3)


@pytest.mark.parametrize(
    "before", ["<14>1 2031-02-03T04:05:06.123Z evk7 app 77 - - ", '<14>1 2031-02-03T04:05:06+01:00 evk7 app - - [a@9 b="c"] ', "03/02/2031 04:05:06: "]
)  # fmt: skip
def test_one_line_behind_a_known_stamp_is_enough(before: str) -> None:
    (run,) = read(f"{before}Model PTE at 0x80021000, Size: 4096 bytes").runs
    assert run.model.pte_bytes == 4096


@pytest.mark.parametrize("before", ["", "[04:05:06.123] ", "2031-02-03T04:05:06.1234567Z ", "04:05:06 -> "])
def test_a_list_of_operators_keeps_its_rows_behind_a_stamp(before: str) -> None:
    lines = (
        "Delegation summary:", "  Delegated partitions for silicon acceleration: 2", "  Non-delegated ops: 3", "  Non-delegated operators:",
        "    - getitem: 2", "    - aten.tan.default: 1", "PTE file saved as a.pte",
    )  # fmt: skip
    (summary,) = read(*(before + line for line in lines)).compile
    assert dict(summary.non_delegated_operators) == {"getitem": 2, "aten.tan.default": 1}


@pytest.mark.parametrize("mark", ["{n}:", "+", "{n:6d}\t"])
def test_a_build_that_says_nothing_known_for_long_is_read_behind_a_mark_too(mark: str) -> None:
    words = [f"Emitting a move number {'abcdefghijklmnop'[n]} of some tensor" for n in range(15)]
    lines = [*words, "Network summary for a", "Accelerator configuration   Ethos_U55_128", "Memory mode   Shared_Sram"]
    (summary,) = read(*(mark.format(n=n) + line for n, line in enumerate(lines, 1))).compile
    assert summary.accelerator == "ethos-u55-128"


def test_a_heading_that_comes_twice_before_the_total_begins_no_other_inference() -> None:
    head, active = "INFO - Profile for Inference:", "INFO - NPU ACTIVE cycles: 900"
    rest = ("INFO - NPU IDLE cycles: 100", "INFO - NPU TOTAL cycles: 1000")
    (run,) = read("INFO - Running inference on audio clip 0 => a.wav", head, active, head, active, *rest).runs
    assert run.pmu is not None and [c.value for c in run.pmu.counters] == [900, 100]
    assert (run.pmu.npu_cycles, run.blocks) == (1000, ())


def test_a_heading_that_a_counter_overtook_begins_no_other_inference() -> None:
    lines = (
        "INFO - NPU ACTIVE cycles: 900",
        "INFO - Profile for Inference:",
        "INFO - NPU IDLE cycles: 100",
        "INFO - NPU TOTAL cycles: 1000",
    )
    (run,) = read("INFO - Running inference on audio clip 0 => a.wav", *lines).runs
    assert run.pmu is not None and [c.value for c in run.pmu.counters] == [900, 100]
    assert run.blocks == ()


@pytest.mark.parametrize("line", ["", "E [executorch:main.cpp:9 main()] ", LINUX.format(""), "]", ")", ","])
def test_whatever_stands_behind_a_tensor_that_was_cut_is_read(line: str) -> None:
    head = (LINUX.format("Model executed successfully 1 time(s) in 0.5 ms."), LINUX.format("1 outputs: "))
    for cut in ("OutputX 0: tensor(sizes=[2, 2], [", "OutputX 0: tensor(sizes=[2, 2], [0.5, 0."):
        (tensor,) = read(*head, cut, line, "0.25, 0.5").runs[0].outputs
        assert tensor.elided
