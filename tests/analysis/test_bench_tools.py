"""Logs as the tools of a bench write them: labgrid, systemd's journal, socat, Robot Framework, Expect, and files of test results."""

from __future__ import annotations

import html
import json
import zlib
from codecs import IncrementalDecoder

import pytest

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.carriers.beginning import look_ahead, new_splitter
from ethosu_tui.analysis.carriers.hex_rows import HexRows
from ethosu_tui.analysis.carriers.labgrid import LabgridLog
from ethosu_tui.analysis.carriers.own_prefix import OwnPrefix
from ethosu_tui.analysis.carriers.robot import RobotLog
from ethosu_tui.analysis.carriers.socat import PassedOn
from ethosu_tui.analysis.lines import parse_line

from .bench_logs import ARM, KIT, LOGS, figures, figures_of, joined, read_text

DRIVERS = (
    "SerialDriver(main)",
    "SerialDriver(target=Target(name='main', env=Environment(config_file='e.yaml')), name=None, state=<BindingState.active: 2>)",
)


def _record(line: str, driver: str = DRIVERS[0], end: str = "\u240d\u2424") -> str:
    return f"CONSOLE SerialLogger.ma:   {driver} < {line}{end}"


@pytest.mark.parametrize("log", LOGS)
@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize(
    "around", ["{}", "2031-02-03T04:05:06.1234567Z {}", '<msg time="2031-02-03T04:05:06" level="INFO">{}</msg>']
)
def test_a_record_of_labgrid_is_the_line_of_its_console(log: tuple[str, ...], driver: str, around: str) -> None:
    lines = [
        around.format(html.escape(_record(line, driver), quote=False) if "msg" in around else _record(line, driver))
        for line in log
    ]
    assert figures_of(joined(lines)) == figures_of(joined(log))


@pytest.mark.parametrize("names", [("main", "other"), ("dut1", "dut2"), ("A.b", "a-b")])
@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize(
    "between", [(), ("INFO         StepLogger:  \u2192 SerialDriver.expect(pattern='x', timeout=1)",)]
)
@pytest.mark.parametrize("piece", [0, 7])
def test_consoles_that_alternate_are_runs_of_their_own(
    names: tuple[str, str], driver: str, between: tuple[str, ...], piece: int
) -> None:
    second = tuple(line.replace("has 1 methods", "has 7 methods") for line in ARM)
    lines: list[str] = []
    for pair in zip(ARM, second, strict=True):
        lines += [_record(line, driver.replace("main", name)) for name, line in zip(names, pair, strict=True)]
        lines += between
    capture = read_text(joined(lines), piece)
    assert [figures(run) for run in capture.runs] == figures_of(joined(ARM)) + figures_of(joined(second))


def test_a_driver_in_another_state_is_the_same_console() -> None:
    bound = DRIVERS[1].replace("active: 2", "bound: 1")
    lines = [_record(line, (DRIVERS[1], bound)[at % 2]) for at, line in enumerate(ARM)]
    assert figures_of(joined(lines)) == figures_of(joined(ARM))


@pytest.mark.parametrize("piece", [0, 1, 7, 200])
@pytest.mark.parametrize("at", [3, 20, 70])
def test_a_line_goes_on_behind_what_labgrid_says_of_a_step(at: int, piece: int) -> None:
    size = ARM[0]
    step = [
        "INFO         StepLogger:  \u2190 SerialDriver.expect() result=(0, b'I [executorch:arm_executor_runner.cpp:31 main()] Mo\u2026 [0.5s]"
    ]
    step.append(
        "DEBUG   SerialDriver(ma:   Read 9 bytes: b'I [executorch:arm_executor_runner.cpp:31 main()]', timeout 1.00, requested size 1"
    )
    lines = [_record(size[:at], end=""), *step, _record(size[at:]), *map(_record, ARM[1:])]
    capture = read_text(joined(lines), piece)
    assert [figures(run) for run in capture.runs] == figures_of(joined(ARM))
    assert capture.runs[0].lines["model.methods"] == 5


def test_what_a_step_has_read_is_no_run() -> None:
    step = "INFO  StepLogger:  \u2190 SerialDriver.expect() result=(0, b'I [executorch:a.cpp:1 main()] Model buffer loaded, has 1 methods\\r\\n"
    assert not read_capture("x", f"{step}\u2026 [1.4s]\n".encode()).runs


def test_all_that_rsyslog_knows_of_a_message_is_one_message() -> None:
    known = "msg: ' {0}'\nescaped msg: ' {0}'\ninputname: imuxsock rawmsg: '<13>Feb  3 04:05:06 evk7[8]: {0}'\n$!:\n"
    for log in (ARM[:6] + ARM[9:], KIT):
        assert figures_of("".join(map(known.format, log))) == figures_of(joined(log))


CURSOR = "s=0123456789abcdef0123456789abcdef;i=1a;b=0123456789abcdef0123456789abcdef;m=123456789;t=123456789abcd;x=0123456789abcdef"


def _entry(line: str, where: str) -> dict[str, object]:
    others: dict[str, object] = {
        "__CURSOR": CURSOR,
        "_CMDLINE": 'sh -c "cat /dev/ttyACM0"',
        "_PID": "812",
        "SYSLOG_IDENTIFIER": "evk",
    }
    others |= {f"_FIELD_{n}": "x" * 30 for n in range(14)}
    message: object = list(f"\x1b[0m{line}".encode()) if where == "bytes" else line
    return {"MESSAGE": message, **others} if where == "first" else {**others, "MESSAGE": message}


@pytest.mark.parametrize("log", LOGS)
@pytest.mark.parametrize("where", ["first", "last", "bytes"])
@pytest.mark.parametrize("form", ["{}", "data: {}\n", "\x1e{}", "json-pretty"])
def test_the_fields_of_a_journal_come_in_any_order(log: tuple[str, ...], where: str, form: str) -> None:
    def written(line: str) -> str:
        entry = _entry(line, where)
        if form != "json-pretty":
            return form.format(json.dumps(entry))
        return "{\n" + ",\n".join(f'\t"{name}" : {json.dumps(value)}' for name, value in entry.items()) + "\n}"

    assert figures_of(joined([written(line) for line in log])) == figures_of(joined(log))


def test_an_entry_of_a_journal_that_was_cut_off_stays_as_it_is() -> None:
    cut = '{"_PID":"8","MESSAGE":"Model bytes: 40'
    assert parse_line(1, cut.encode()).message == cut
    assert parse_line(1, b'{"MESSAGE":[300]}').message == '{"MESSAGE":[300]}'


@pytest.mark.parametrize("log", LOGS)
@pytest.mark.parametrize("size", [5, 16, 64, 1000])
@pytest.mark.parametrize("piece", [0, 1, 50])
def test_socat_begins_a_packet_inside_a_line(log: tuple[str, ...], size: int, piece: int) -> None:
    text = "".join(f"{line}\\r\n" for line in log)
    packets = [text[at : at + size] for at in range(0, len(text), size)]
    heading = "> 2031/02/03 04:05:06.{:09d}  length={} from={} to={}\n"
    told = "".join(
        heading.format(137 * n, len(packet), n * size, n * size + len(packet) - 1) + packet
        for n, packet in enumerate(packets)
    )
    assert figures_of(told, piece) == figures_of(joined(log))


HEADING = "> 2031/02/03 04:05:06.{:09d}  length={} from={} to={}"


def _socat(packets: list[bytes], width: int) -> list[str]:
    rows, at = [], 0
    for n, packet in enumerate(packets):
        rows.append(HEADING.format(137 * n, len(packet), at, at + len(packet) - 1))
        at += len(packet)
        pieces = [packet[start : start + width] for start in range(0, len(packet), width)]
        shown = [
            f" {piece.hex(' '):<{3 * width - 1}}  {_characters(piece)}" if width == 16 else f" {piece.hex(' ')}"
            for piece in pieces
        ]
        rows += shown + ["--"] * (width == 16)
    return rows


def _characters(piece: bytes) -> str:
    return "".join(chr(byte) if 32 <= byte < 127 else "." for byte in piece)


def _ser2net(packets: list[bytes], before: str) -> list[str]:
    rows = [f"{before}OPEN (ipv4,127.0.0.1,46540)"]
    for packet in packets:
        for at in range(0, len(packet), 8):
            piece = packet[at : at + 8]
            rows.append(f"{before}term {piece.hex(' '):<24} |{_characters(piece)}|")
    return rows


@pytest.mark.parametrize("log", LOGS)
@pytest.mark.parametrize("size", [3, 100, 4000])
@pytest.mark.parametrize("piece", [0, 1, 50])
def test_bytes_that_were_kept_as_digits_are_the_console(log: tuple[str, ...], size: int, piece: int) -> None:
    text = "".join(f"{line}\r\n" for line in log).encode()
    packets = [text[at : at + size] for at in range(0, len(text), size)]
    for rows in (
        _socat(packets, 16),
        _socat(packets, 9999),
        _ser2net(packets, ""),
        _ser2net(packets, "2031/02/03 04:05:06 "),
    ):
        told = joined(rows)
        capture = read_text(told, piece)
        assert [figures(run) for run in capture.runs] == figures_of(joined(log))
        assert capture.lines == len(rows)


def test_what_was_sent_to_a_console_is_none_of_its_lines() -> None:
    packets = ["".join(f"{line}\r\n" for line in ARM).encode()]
    sent = [row.replace("> 2031", "< 2031") for row in _socat(packets, 16)]
    assert not read_capture("x", joined(sent).encode()).runs


@pytest.mark.parametrize("log", LOGS)
@pytest.mark.parametrize(
    ("before", "carrier", "behind"),
    [
        (["test 1", "    Start 1: bench_run", "", "1: Test command: /w/run.sh"], "1: {}", ["1/1 Test #1: bench_run ...   Passed    3.01 sec"]),
        (["ERROR: app-1.0-r0 do_testimage: Error executing a python function", "Log data follows:"], "| {}", []),
        (["Collecting the console", ""], "[04:05:06.250] evk1 rx| {}", ["Console closed"]),
    ],
)  # fmt: skip
def test_a_tool_has_words_of_its_own_before_what_it_passes_on(
    log: tuple[str, ...], before: list[str], carrier: str, behind: list[str]
) -> None:
    assert figures_of(joined([*before, *map(carrier.format, log), *behind])) == figures_of(joined(log))


@pytest.mark.parametrize(
    "before", ["04:05:06.250: ", "2031-02-03 04:05:06,250 - harness.adapter - DEBUG - #: ", "DEBUG: #: ", "INFO:root:" + " " * 12]
)  # fmt: skip
def test_a_mark_of_a_tool_is_taken_off_a_single_line(before: str) -> None:
    assert parse_line(1, f"{before}Model bytes: 4096".encode()).message == "Model bytes: 4096"


def test_a_prefix_of_a_port_that_tells_the_level_is_one_behind_words_of_a_simulator() -> None:
    said = [
        "PTE at 0x1000 Size: 720 bytes",
        "Model data loaded. Size: 720 bytes.",
        "Running method forward",
        "Input prepared.",
    ]
    log = ["telnetterminal0: Listening for serial connection on port 5000", *(f"[I] [app] {line}" for line in said)]
    splitter = new_splitter()
    look_ahead(splitter, joined(log).encode())
    assert isinstance(splitter.frame, OwnPrefix)


def test_a_rule_that_a_program_prints_ends_no_section_of_pytest() -> None:
    shown = ["=" * 40, *ARM]
    said = [
        "---- live log call ----",
        *shown,
        "FAILED",
        "==== FAILURES ====",
        "---- Captured log call ----",
        *shown,
        "==== 1 failed ====",
    ]
    assert figures_of(joined(said)) == figures_of(joined(ARM))


DUMP = " " + bytes(range(0x30, 0x40)).hex(" ")


def test_digits_that_a_program_prints_of_its_memory_are_not_its_console() -> None:
    dumped = ["bench: long-term store", *ARM[:4], *[DUMP] * 12, *ARM[4:]]
    assert figures_of(joined(dumped)) == figures_of(joined(ARM))


@pytest.mark.parametrize("piece", [0, 1, 50])
def test_what_socat_kept_may_have_gone_through_windows(piece: int) -> None:
    text = "".join(f"{line}\r\n" for line in ARM)
    packets = [text[at : at + 40] for at in range(0, len(text), 40)]
    digits = joined(_socat([packet.encode() for packet in packets], 16))
    shown = "".join(
        f"{HEADING.format(137 * n, 40, 40 * n, 40 * n + 39)}\n{packet}".replace("\r", "\\r")
        for n, packet in enumerate(packets)
    )
    for told in (digits, shown):
        assert figures_of(told.replace("\n", "\r\n"), piece) == figures_of(joined(ARM))


def test_no_number_of_a_journal_goes_on_over_the_end_of_its_line() -> None:
    entry = json.dumps({"MESSAGE": "Model bytes: 40\r\n96 more\n", "_PID": "8"})
    assert parse_line(1, entry.encode()).message == "Model bytes: 40 96 more"


def test_a_line_of_a_journal_that_is_no_entry_stays_as_it_is() -> None:
    nested = '{"MESSAGE": ' + "[" * 100_000
    assert parse_line(1, nested.encode()).message == nested


BEGUN = [
    (LabgridLog, _record("open " * 40, end="") + "\n"),
    (PassedOn, "no end "),
    (RobotLog, '<msg level="INFO">${bench} = '),
    (HexRows, DUMP + "\n"),
]


@pytest.mark.parametrize(("decoder", "begun"), BEGUN)
def test_a_line_that_never_ends_is_not_held_back_for_ever(decoder: type[IncrementalDecoder], begun: str) -> None:
    reading, fed, told = decoder(), 0, 0
    piece = (begun * (1 + (1 << 16) // len(begun))).encode()
    while fed < 16 << 20:
        told += len(reading.decode(piece))
        fed += len(piece)
    assert told > 0


def test_headings_are_looked_for_once_in_a_long_line() -> None:
    data = "".join(f"{HEADING.format(n, 9, 0, 9)}\n{'A' * 2000}" for n in range(400)) + "B" * (1 << 20) + "\n"
    assert PassedOn().decode(data.encode(), True).split("\n", 2)[1] == "A" * 800_000 + "B" * (1 << 20)


DRIVER = "E: NPU status=0x00000804, qread=16, cmd_end_reached=0 (ethosu_driver.c:552)"


@pytest.mark.parametrize("log", [*LOGS, (*ARM[:6], DRIVER)])
@pytest.mark.parametrize(
    "stored",
    [
        lambda line: f"2031-02-03 04:05:06 +0000 docker.board: {json.dumps({'log': line, 'source': 'stderr'})}",
        lambda line: f"2031-02-03 04:05:06.123456789 +0000 lab: {json.dumps({'source': 'stdout', 'log': line, 'id': 'a1'})}",
        lambda line: f"2031-02-03T04:05:06+00:00\tdocker.board\t{json.dumps({'log': line})}",
        lambda line: f"docker.board: {json.dumps({'log': line})}",
        lambda line: f"[CI/build-1]   | {line}",
        lambda line: f"| {line}",
        lambda line: f"@40000000743b8d{zlib.crc32(line.encode()) & 255:02x}{zlib.crc32(line.encode()):08x} {line}",
    ],
    ids=["fluentd", "fluentd behind", "fluentd file", "no time", "act", "bar", "tai64n"],
)  # fmt: skip
def test_what_a_service_puts_around_a_line_is_taken_off(log: tuple[str, ...], stored: object) -> None:
    assert callable(stored)
    assert figures_of(joined([stored(line) for line in log])) == figures_of(joined(log))


@pytest.mark.parametrize("piece", [0, 1, 7])
@pytest.mark.parametrize("row", [0, 6, 8])
@pytest.mark.parametrize("at", [0, 5, 14, 64, 200])
def test_the_time_that_screen_writes_into_a_line_breaks_none(row: int, at: int, piece: int) -> None:
    stamp = "-- 0:ttyACM0 -- time-stamp -- Feb/03/31  4:05:06 --\n"
    line = ARM[row]
    text = joined(ARM[:row]) + line[:at] + stamp + line[at:] + "\n" + joined(ARM[row + 1 :])
    capture = read_text(text, piece)
    assert [figures(run) for run in capture.runs] == figures_of(joined(ARM))
    assert (capture.lines, capture.runs[0].last_line) == (11, 11)


def test_times_in_sixteens_are_read_alike_fast() -> None:
    from .test_scan import agree, made

    lines = made("plain", "classic", 60_000).splitlines(keepends=True)
    stamped = b"".join(
        b"@40000000743b8d%02x%08x " % (at // 99 & 255, at * 2654435761 & 0xFFFFFFFF) + line
        for at, line in enumerate(lines)
    )
    agree(stamped, 4096, 100_003, both=True)
