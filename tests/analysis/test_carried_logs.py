"""Logs with what other tools put around their lines: a container's JSON, bytes that Python shows, tables of a web page, grep."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.carriers.beginning import CARRIERS, Carrier
from ethosu_tui.analysis.lines import parse_line

from .port_logs import RUNNER as LOG
from .port_logs import only

BARE = (
    "INFO - Profile for Inference:", "INFO - NPU ACTIVE: 404973 cycles", "INFO - NPU IDLE: 635 cycles", "INFO - NPU TOTAL: 405608 cycles",
    'echo "' + "A" * 80 + '" | base64 -d >etdump.bin',
)  # fmt: skip


@pytest.mark.parametrize("carrier", CARRIERS, ids=lambda carrier: carrier.module)
def test_a_log_as_it_was_printed_went_through_nothing(carrier: Carrier) -> None:
    log = "".join(f"{line}\n" for line in LOG).encode()
    assert not carrier.may_be(log), "no carrier's module is loaded for it"
    if carrier.module != "screen_stamps":  # whose mark is proof enough
        assert carrier.decoder_for(log, lambda text: True) is None


@pytest.mark.parametrize(
    "before",
    [
        "COM7: ",
        "DEBUG   - DEVICE: ",
        "2026-01-01 10:00:00,123 - twister - DEBUG - DEVICE: ",
        "[10:00:00.123]\u6536\u2190\u25c6",
        "DEBUG   - OUTPUT: ",
        "INFO:root:",
        "INFO:runner.fvp:",
        "#10 1.234 ",
        "[37ms] ",
        "[   1628 ms] ",
    ],
)
def test_what_stands_before_lines_that_have_no_log_prefix_is_taken_off(before: str) -> None:
    for log in (BARE, LOG):
        carried, plain = only("".join(f"{before}{line}\n" for line in log)), only("".join(f"{line}\n" for line in log))
        assert carried == plain
    written = "".join(f"{before}{line}\n" for line in BARE).encode("gbk")
    (run,) = read_capture("x", written).runs
    assert run.pmu is not None and run.pmu.npu_cycles == 405608


@pytest.mark.parametrize(
    "line",
    ["COM7:30: x", "COMMON: x", "INFO: x", "INFO:a.b:", "WARNING:root:x", "#10 sha256:0a", "#10 1.x", "[37 ms", "[7ms]x"],
)  # fmt: skip
def test_what_only_begins_like_something_before_a_line_stays(line: str) -> None:
    assert parse_line(1, line.encode()).message == line


@pytest.mark.parametrize("names", [("board-1",), ("board-1", "board-2")])
def test_records_of_services_are_of_the_service_that_stands_before_them(names: tuple[str, ...]) -> None:
    plain = only("".join(f"{line}\n" for line in LOG))
    records = [
        f"{name}  | {json.dumps({'level': 'info', 'msg': line, 'ts': 1767261600 + at})}\n"
        for at, line in enumerate(LOG)
        for name in names
    ]
    read = read_capture("x", "".join(records).encode())
    assert [(run.status, run.model, run.memory, run.pmu, run.cycles) for run in read.runs] == [
        (plain.status, plain.model, plain.memory, plain.pmu, plain.cycles)
    ] * len(names)


@pytest.mark.parametrize(
    "before",
    ["", "Attaching to board-1, db-1\n", "".join(f"db-1  | step {at} of many that come first\n" for at in range(999))],
)
@pytest.mark.parametrize("beside", [0, 1, 3])
def test_records_of_a_service_are_one_run_beside_services_that_write_none(before: str, beside: int) -> None:
    plain = only("".join(f"{line}\n" for line in LOG))
    records = "".join(
        f"board-1  | {json.dumps({'level': 'info', 'msg': line, 'ts': 1767261600 + at})}\n"
        + beside * f"db-1  | ready {at}\n"
        for at, line in enumerate(LOG)
    )
    run = only(before + records)
    assert (run.status, run.model, run.memory, run.pmu, run.cycles) == (
        plain.status, plain.model, plain.memory, plain.pmu, plain.cycles
    )  # fmt: skip


@pytest.mark.parametrize("columns", [80, 100])
@pytest.mark.parametrize(
    "before", ["[10:00:{:02}.125] ", "2026-01-01T10:00:{:02}.000250Z ", "board-1  | ", "INFO:board:"]
)
def test_rows_that_a_screen_broke_before_they_were_stamped_are_put_together(before: str, columns: int) -> None:
    rows = [line[at : at + columns] for line in LOG for at in range(0, len(line), columns)]
    folded = only("".join(f"{before.format(at % 60)}{row}\n" for at, row in enumerate(rows)))
    plain = only("".join(f"{line}\n" for line in LOG))
    assert (folded.status, folded.model, folded.memory, folded.pmu, folded.cycles) == (
        plain.status, plain.model, plain.memory, plain.pmu, plain.cycles
    )  # fmt: skip
    assert folded.last_line == len(rows)


def test_lines_that_were_cut_before_they_were_stamped_stay_apart() -> None:
    cut = "".join(f"[10:00:{at % 60:02}.125] {line[:80]}\n" for at, line in enumerate(LOG))
    whole = "".join(f"[10:00:{at % 60:02}.125] {line}\n" for at, line in enumerate(LOG))
    assert only(cut).outputs == only(whole).outputs and only(cut).model.pte_bytes is None


def test_lines_that_lava_keeps_are_those_of_the_device() -> None:
    def kept(line: str, level: str = "target") -> str:
        return "- " + json.dumps({"dt": "2026-02-24T09:51:49.713000", "lvl": level, "msg": line})

    named = ("I [executorch:arm_executor_runner.cpp:701 runner_init()] Running method forward", *BARE)
    told = only("".join(f"{kept(line)}\n" for line in (*LOG[:2], *named, *LOG[2:-2], LOG[-2] + "\x04", LOG[-1])))
    assert told == only("".join(f"{line}\n" for line in (*LOG[:2], *named, *LOG[2:])))
    assert told.model.method == "forward"
    odd = 'a "quoted" C:\\path\\new \x1b[31m\u202ered\u2029 \u2713'
    assert parse_line(1, kept(odd).encode()).message == 'a "quoted" C:\\path\\new red \u2713'
    cut = kept('method "forward" and more')[:-7]
    assert parse_line(1, cut.encode()).message == 'method "forward" and'
    assert parse_line(1, kept("    cfsr=0x1").encode()).message == "cfsr=0x1"
    behind = kept(odd)[:-1] + ', "ns": "lava-feedback"}'
    assert parse_line(1, behind.encode()).message == 'a "quoted" C:\\path\\new red \u2713'
    for other in (kept(LOG[0])[:30], '- {"dt": "2026", "lvl": "results", "msg": {"case": "x"}}', '- {"dt": 1}'):
        assert parse_line(1, other.encode()).message == other


@pytest.mark.parametrize("end", ["^M", "^M$", "^M^M", "\\r\\n", "\\n", "^M\r"])
def test_a_line_end_that_is_there_as_text_is_no_part_of_the_line(end: str) -> None:
    log = (*LOG[:2], "I [executorch:arm_executor_runner.cpp:701 runner_init()] Running method forward", "", *LOG[2:])
    told = read_capture("x", "".join(f"{line}{end}\n" for line in log).encode())
    plain = read_capture("x", "".join(f"{line}\n" for line in log).encode())
    assert (told.runs, told.findings, told.lines) == (plain.runs, plain.findings, plain.lines)
    assert told.runs[0].model.method == "forward"


@pytest.mark.parametrize("line", ["C:\\models\\n", "a\\\\n", "x^Mx", "price 5M$", "0x70000000 $"])
def test_what_only_looks_like_a_line_end_stays(line: str) -> None:
    assert parse_line(1, line.encode()).message == line


@pytest.mark.parametrize(
    "carried",
    [
        lambda number, line: f'{{"log":"{line}\\r\\n","stream":"stdout","time":"2026-03-02T10:11:00.{number}Z"}}',
        lambda number, line: repr(f"{line}\r\n".encode()),
        lambda number, line: f'<tr><td data-line-number="{number}"></td><td class="blob-code">{line}</td></tr>',
        lambda number, line: f"nights/run-3.log:{line}",
        lambda number, line: f"run-3.log:{number}:{line}",
        lambda number, line: f"run-3.log-{number}-{line}",
    ],
    ids=["docker", "bytes", "table", "grep", "grep -n", "grep -C"],
)
def test_what_stands_around_every_line_is_taken_off(carried: Callable[[int, str], str]) -> None:
    run = only("".join(f"{carried(number, line)}\n" for number, line in enumerate(LOG, 1)))
    assert (run.status, run.model.pte_bytes, run.model.methods) == ("passed", 960, 1)
    assert [(t.count, t.first) for t in run.outputs] == [(2, (0.5, 0.25))]
    assert (run.first_line, run.last_line) == (1, 8)


def test_a_sentence_goes_on_below_where_the_blank_before_it_stands_in_the_last_column() -> None:
    rows = "".join(f"{line[at : at + 80]}\n" for line in LOG for at in range(0, len(line), 80))
    assert rows.splitlines()[:2] == [LOG[0][:80], "Size: 960 bytes."]
    assert (only(rows).model.pte_bytes, only(rows).status) == (960, "passed")


def test_a_task_of_freertos_tells_what_the_npu_is() -> None:
    log = (
        "4 210 [ML_TASK] [INFO] Ethos-U55 device initialised\n5 214 [ML_TASK] [INFO] Ethos-U version info:\n"
        "6 219 [ML_TASK] [INFO] \tArch:       v1.1.0\n8 230 [ML_TASK] [INFO] \tMACs/cc:    256\nINFO - Final results:\n"
        "INFO - Total number of inferences: 2\n"
    )
    assert only(log).target.name == "ethos-u55-256"
    alone = "[INFO] Boot\n[INFO] Arch: v8.2-a\n[INFO] MACs/cc: 4\nWait for inferences\n"
    assert read_capture("x", alone.encode()).runs == ()


def test_the_evaluation_kit_says_where_its_model_is_in_one_line_of_three() -> None:
    kit = (
        "INFO - Ethos-U device initialised\nINFO - Allocating tensors\n{}\nINFO - Main loop terminated successfully.\n"
    )
    for address in ("0x60000400", "0x0x60000400"):
        line = f"INFO - Model address: {address}INFO - Model size:      4096 bytes.INFO - Model info:"
        assert (only(kit.format(line)).model.pte_bytes, only(kit.format(line)).model.address) == (4096, "0x60000400")
    assert only(kit.format("INFO - Model size: 4096 bytes.")).model.pte_bytes == 4096
    assert read_capture("x", b"INFO - Model size: 4096 bytes.\nINFO - epoch 1\n").runs == ()


KIT = "INFO - Ethos-U device initialised\n{}INFO - Main loop terminated.\nINFO - program terminating...\n"
RESULT = (
    "INFO - Running inference on image 0 => a.bmp\nINFO - Total number of inferences: 1\nINFO - 0) 3 (0.5) -> cat\n"
)


def test_the_last_words_of_the_evaluation_kit_are_no_success_behind_its_error_message() -> None:
    asked = "INFO - Running inference on image 0 => a.bmp\nERROR - Input tensor dimension should be >= 3\n"
    for said, stage in ((asked, "execute"), ("ERROR - camera is not there!\n", "start"), (RESULT + asked, "report")):
        run = only(KIT.format(said))
        assert (run.status, run.stage) == ("failed", stage)
    assert (
        only(KIT.format(RESULT)).status == only(KIT.format(f"ERROR - Camera gain error 3\n{RESULT}")).status == "passed"
    )
    failed = KIT.format(asked).replace("terminated.", "terminated with failure.")
    assert only(failed).status == only(failed.replace("ERROR", "WARN")).status == "failed"
    assert only(KIT.format(RESULT).replace("terminated.", "terminated successfully.")).status == "passed"
    cut = "INFO - Ethos-U device initialised\nERROR - Failed to open the flash. err=3\n"
    capture = read_capture("x", cut.encode())
    assert capture.runs[0].status == "failed" and "err=3" in capture.findings[0].detail


def test_a_demonstration_for_nuvotons_chip_runs_for_ever_and_passed_once_it_tells_its_rate() -> None:
    log = (
        "INFO - Ethos-U device initialised\nINFO - MACs/cc: 256\nINFO - Target system: M55M1\nINFO - Model file size 4096 \n"
        "INFO - Final results:\nINFO - cat:0.5\nINFO - Total inference rate: 27\nINFO - Final results:\n"
    )
    run = only(log)
    assert (run.status, run.stage, run.model.pte_bytes) == ("passed", "complete", 4096)
    assert (run.target.name, run.target.platform) == ("ethos-u55-256", "board")
    assert only(log.replace("INFO - Total inference rate: 27\n", "")).status == "truncated"
    assert only(f"{log}ERROR - Inference failed.\n").status == "failed"
    assert only(log.replace("M55M1", "other")).target.platform is None
    assert read_capture("x", b"INFO - Total inference rate: 27\nINFO - Target system: M55M1\n").runs == ()


def test_the_inference_runner_under_linux() -> None:
    asked = "Send Ping\nSend version request\nSend capabilities request\nCapabilities:\n\tmacs_per_cc:8\n\tcustom_dma:false\nCreate network\n"
    run = only(f"{asked}Create inference\nWait for inferences\nInference status: success\n")
    assert (run.status, run.target.macs, run.first_line) == ("passed", 256, 3)
    assert [only(f"{asked}Wait for inferences\n{end}").status for end in ("", "Inference status: error\n")] == [
        "hung",
        "failed",
    ]
    assert read_capture("x", b"Send Ping\nSend version request\n").runs == ()


@pytest.mark.parametrize(
    ("product", "name"),
    [(4, "ethos-u55-256"), (6, "ethos-u65-256"), (7, "ethos-u85-256"), (9, None)],
)
def test_the_inference_runner_names_the_product(product: int, name: str | None) -> None:
    run = only(
        "Send capabilities request\nCapabilities:\n\tversion:{ major=1, minor=0, patch=0 }\n"
        f"\tproduct:{{ major={product}, minor=0, patch=0 }}\n\tmacs_per_cc:8\n"
        "Create inference\nWait for inference\nInference status: success\n"
    )
    assert (run.status, run.target.name, run.target.macs) == ("passed", name, 256)
    assert read_capture("x", b"product:{ major=6, minor=0, patch=0 }\nWait for inference\n").runs == ()


def test_an_application_of_freertos_that_listens_on_does_not_hang_once_it_heard_something() -> None:
    heard = (
        "INFO - Ethos-U device initialised\n8 230 [ML_TASK] [INFO] Running inference on an audio clip in local memory\n"
        "9 300 [ML_TASK] [INFO] ML_HEARD_GO\n"
    )
    assert only(heard).status == "hung"
    run = only(
        f"{heard}10 310 [ML_TASK] [INFO] For timestamp: 0.500000 (inference #: 1); label: go, score: 0.75; threshold: 0.7\n"
    )
    assert (run.status, run.stage, run.last_line) == ("truncated", "report", 4)
