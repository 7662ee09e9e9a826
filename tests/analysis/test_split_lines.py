"""Lines that a service, a mail or a screen broke into several are read whole, and those below keep their numbers."""

from __future__ import annotations

import json
import quopri
from collections.abc import Callable

import pytest

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.carriers.minicom_screen import MinicomScreen
from ethosu_tui.analysis.carriers.split_entries import SplitEntries, decoder_for
from ethosu_tui.analysis.lines import parse_line
from ethosu_tui.analysis.scan import Scanner

from .port_logs import RUNNER, only

COLUMNS = 70
TIME = "2031-02-03T04:05:06.123456Z"


def pieces(line: str) -> list[str]:
    return [line[at : at + COLUMNS] for at in range(0, len(line), COLUMNS)]


def job(line: str) -> list[str]:
    first, *more = pieces(line)
    return [f"{TIME} 01O {first}", *(f"{TIME} 01O+{piece}" for piece in more)]


def container(line: str) -> list[str]:
    *more, last = pieces(line)
    return [*(f"{TIME} stdout P {piece}" for piece in more), f"{TIME} stdout F {last}"]


def docker(line: str) -> list[str]:
    *more, last = pieces(line)
    rows = [*more, f"{last}\n"]
    return [
        json.dumps({"log": row, "stream": "stdout", "attrs": {"tag": "u55"}, "time": TIME}, separators=(",", ":"))
        for row in rows
    ]


@pytest.mark.parametrize("split", [job, container, docker])
def test_entries_of_a_service_are_one_line(split: Callable[[str], list[str]]) -> None:
    entries = [entry for line in RUNNER for entry in split(line)]
    told, plain = only("".join(f"{entry}\n" for entry in entries)), only("".join(f"{line}\n" for line in RUNNER))
    assert (told.status, told.model, told.outputs) == (plain.status, plain.model, plain.outputs)
    assert (told.first_line, told.last_line) == (1, len(entries))


def test_a_mail_that_broke_long_lines_is_read_as_it_was_written() -> None:
    head = (
        'From: a@b.example\nContent-Type: text/plain; charset="utf-8"\nContent-Transfer-Encoding: quoted-printable\n\n'
    )
    log = "".join(f"{line}\n" for line in RUNNER)
    body = quopri.encodestring(("Gr\u00fc\u00dfe\n" + log).encode()).decode()
    assert "=\n" in body
    told, plain = only(head + body), only(log)
    assert (told.status, told.model, told.outputs) == (plain.status, plain.model, plain.outputs)


@pytest.mark.parametrize("line", [f"{TIME} 01O+{RUNNER[0]}", f"{TIME} stdout P {RUNNER[0]}"])
def test_an_entry_alone_is_a_line(line: str) -> None:
    assert only(f"{line}\n").model.pte_bytes == 960


def joining(head: bytes) -> SplitEntries:
    decoder = decoder_for(head, lambda text: False)
    assert decoder is not None
    return decoder()


def test_parts_of_a_mail_that_are_not_coded_keep_their_signs() -> None:
    header = "Content-Type: text/plain\nContent-Transfer-Encoding: "
    between = "--===============7==\n"
    coded = f"{between}{header}quoted-printable\n\nGr=C3=BC=C3=9Fe, the log is be=\nlow\n"
    log = "numel=15, nbytes=60\nlast=\nmore\n"
    mail = f"{coded}{between}{header}7bit\n\n{log}From a@b.example Mon Feb  3 04:05:06 2031\n{log}{coded}"
    decoder = joining(mail.encode())
    told = "".join(decoder.decode(mail.encode()[at : at + 7]) for at in range(0, len(mail), 7)) + decoder.decode(
        b"", True
    )
    assert told == mail.replace("Gr=C3=BC=C3=9Fe, the log is be=\nlow\n", "Gr\u00fc\u00dfe, the log is below\n\n")


def test_what_a_container_printed_on_another_stream_does_not_go_on() -> None:
    waits = json.dumps({"log": "waiting: ", "stream": "stderr", "time": TIME}, separators=(",", ":"))
    entries = [waits, *(entry for line in RUNNER for entry in docker(line))]
    told = "".join(f"{entry}\n" for entry in entries)
    decoder = joining(told.encode())
    first, second = decoder.decode(told.encode(), True).split("\n")[:2]
    assert first == waits and second.startswith('{"log":"I [executorch')


def test_an_entry_without_an_end_is_there_once() -> None:
    entries = "\n".join(entry for line in RUNNER for entry in container(line))
    for log in (entries, screen(RUNNER, 80, 4, wraps=True)):
        scanner = Scanner("x", full_runs=1)
        scanner.look_at(log.encode())
        scanner.feed(log.encode())
        scanner.finish()
        capture = read_capture("x", log.encode())
        assert scanner.capture() == capture


def test_what_never_ends_is_not_kept() -> None:
    for decoder in (joining(f"{TIME} stdout P a\n{TIME} stdout F b\n".encode()), MinicomScreen()):
        told = "".join(decoder.decode(b"x" * (1 << 20)) for _ in range(6))
        assert len(told) > 1 << 20
        assert told + decoder.decode(b"y\nz", True) in ("x" * (6 << 20) + f"y{end}z" for end in ("\n", "\r\n"))


def test_sequences_of_a_screen_without_an_end_are_read_in_one_pass() -> None:
    row = b"\x1b[1;1H" * 20_000 + b"\x1b[1;2H+---" * 20_000
    assert len(MinicomScreen().decode(row, True)) == len(row)


def test_entries_of_a_file_that_keeps_no_ends_of_lines_are_lines() -> None:
    told = only("".join(f'{{"log":"{line}","stream":"stdout","time":"{TIME}"}}\n' for line in RUNNER))
    assert (told.status, told.model.pte_bytes, told.outputs[0].first) == ("passed", 960, (0.5, 0.25))


def screen(lines: tuple[str, ...], columns: int, rows: int, *, wraps: bool) -> str:
    """What minicom writes to a terminal of this size."""
    text = "\x1b[H\x1b[2J\x1b[1;1H\x1b[0mWelcome to minicom 2.8\r\n\r\n"
    row = 3
    for line in lines:
        parts = [line[at : at + columns] for at in range(0, max(len(line), 1), columns)] if wraps else [line]
        for part in parts:
            last = part[columns - 1 : columns] if len(part) == columns else ""
            shown = part[:-1] if last and row >= rows else part
            if row < rows:
                text += shown + ("\r\n" if part is parts[-1] else f"\x1b[{row + 1};1H")
                row += 1
            else:
                text += f"{shown}\r\n\x1b[{rows - 1};{columns}H{last or ' '}\x1b[{rows};1H"
    return text


LONG = (
    *RUNNER[:2],
    "I [executorch:arm_executor_runner.cpp:714 runner_init()] Setup Method allocator pool. Size: 62914560 bytes.",
    *RUNNER[2:],
)


@pytest.mark.parametrize("rows", [4, 24])
def test_rows_of_minicoms_screen_are_one_line(rows: int) -> None:
    told, plain = only(screen(LONG, 80, rows, wraps=True)), only("".join(f"{line}\n" for line in LONG))
    assert (told.status, told.model, told.memory, told.outputs) == (
        plain.status,
        plain.model,
        plain.memory,
        plain.outputs,
    )


def test_what_minicom_draws_again_below_a_dialogue_is_no_other_run() -> None:
    box = "".join(f"\x1b[{row};70H\x1b[?25l{edge}" for row, edge in ((2, "+------+"), (3, "| Yes  |"), (4, "+------+")))
    again = "".join(f"\x1b[{row};1H\x1b[0m\x1b(B{line}   " for row, line in enumerate(RUNNER[:3], 2))
    for behind in ("", "Ready\r\n"):
        text = screen(RUNNER, 160, 50, wraps=False) + box + again + "\x1b[11;1H\x1b[?25h" + behind + "\x1b[H\x1b[2J\r\n"
        assert only(text).status == "passed"
    assert len(read_capture("x", (screen(RUNNER, 160, 50, wraps=False) * 2).encode()).runs) == 2


@pytest.mark.parametrize(
    "before",
    ["2031-02-03 04:05:06,123 INFO ", "2031-02-03 04:05:06,123 - uart - INFO - RX: ", "[04:05:06.123] DEBUG uart "],
)
def test_a_line_that_a_script_logged_as_python_shows_it(before: str) -> None:
    plain = only("".join(f"{line}\n" for line in RUNNER))
    for shown in (repr, lambda line: repr(f"{line}\n"), lambda line: repr(f"{line}\r\n".encode())):
        told = only("".join(f"{before}{shown(line)}\n" for line in RUNNER))
        assert (told.status, told.model, told.outputs) == (plain.status, plain.model, plain.outputs)


def test_words_that_end_where_the_prefix_of_some_lines_begins_are_no_part_of_the_others() -> None:
    lines = [f"INFO:2031-02-03 04:05:06,123:bench.read:{line}" for line in RUNNER]
    plain = only("".join(f"{line}\n" for line in RUNNER))
    told = only("".join(f"{line}\n" for line in lines))
    assert (told.status, told.model, told.outputs) == (plain.status, plain.model, plain.outputs)


def test_an_exported_journal_has_its_message_in_a_field() -> None:
    entry = "__CURSOR=s=1\n__REALTIME_TIMESTAMP=1928000000000000\nPRIORITY=6\nMESSAGE={}\n_PID=7\n\n"
    told = only("".join(entry.format(line) for line in RUNNER))
    assert (told.status, told.model.pte_bytes, told.outputs[0].first) == ("passed", 960, (0.5, 0.25))
    assert parse_line(1, b"A_MESSAGE=x").message == "A_MESSAGE=x"


def test_a_paragraph_of_a_mail_may_end_with_a_mark_of_the_word_processor() -> None:
    told = only("".join(f"<p class=MsoPlainText>{line}<o:p></o:p></p>\n\n" for line in RUNNER))
    assert (told.status, told.model.pte_bytes, told.outputs[0].first) == ("passed", 960, (0.5, 0.25))


def test_the_branch_of_a_job_stands_before_its_lines_alone() -> None:
    driver = "I: Initializing NPU: base_address=0x30002000, fast_memory=0x0, fast_memory_size=0, secure=0, privileged=1"
    job = [
        "[Pipeline] parallel",
        "[Pipeline] { (Branch: board-A)",
        *(f"[board-A] {line}" for line in (driver, *RUNNER)),
    ]
    told, plain = only("".join(f"{line}\n" for line in job)), only("".join(f"{line}\n" for line in (driver, *RUNNER)))
    assert (told.status, told.model, told.outputs) == (plain.status, plain.model, plain.outputs)
    assert (told.first_line, told.last_line) == (3, 11)


def test_a_port_that_marks_the_lines_of_its_runtime_alone_is_one_source() -> None:
    log = "Starting the model execution...\n" + "".join(
        f"[ET] ERROR: Program::load failed ({code})\n" for code in (35, "none", "x", 35, 35, 35)
    )
    told = only(log)
    assert (told.status, told.first_line, told.last_line) == ("failed", 1, 7)


@pytest.mark.parametrize(
    "before",
    [
        "2031-02-03 04:05:06,123 INFO ",
        "2031-02-03 04:05:06,123 - DEBUG - ",
        "INFO: ",
        "INFO:uart:",
        "[04:05:06] stdout: ",
        "RX> ",
    ],
)
def test_a_logger_that_was_given_many_lines_at_once_names_itself_once(before: str) -> None:
    one = f"{before}started\n{before}" + "".join(f"{line}\n" for line in RUNNER) + f"{before}done in 3 s\n"
    plain = only("".join(f"{line}\n" for line in RUNNER))
    for times in (1, 2, 5):
        runs = read_capture("x", "".join(one.replace("05:06", f"05:1{at}") for at in range(times)).encode()).runs
        assert len(runs) == times
        for told in runs:
            assert (told.status, told.model, told.outputs) == (plain.status, plain.model, plain.outputs)


def test_a_board_with_a_name_beside_one_without_is_another_board() -> None:
    boards = "".join(f"[uart0] {line}\n{line}\n" for line in RUNNER[:3])
    assert [run.model.pte_bytes for run in read_capture("x", boards.encode()).runs] == [960, 960]


@pytest.mark.parametrize(
    "entry",
    [
        '{{"labels": {{"job": "u55"}}, "line": "{}", "timestamp": "1"}}',
        '[{at}] u55: [[1{at}.5, {{}}], {{"log"=>"{}"}}]',
        '-> @"{}\\n"',
    ],
)
def test_a_string_that_does_not_end_the_line_is_taken_apart(entry: str) -> None:
    told = only("".join(entry.format(line, at=at) + "\n" for at, line in enumerate(RUNNER)))
    assert (told.status, told.model.pte_bytes, told.outputs[0].first) == ("passed", 960, (0.5, 0.25))


def test_a_mark_of_the_runtime_s_own_is_no_branch() -> None:
    said = "".join(f"[ET] ERROR: Program::load failed ({status})\n" for status in ("35", "nan", "inf", "-1", "0"))
    assert only(f"Starting the model execution...\n{said}").status == "failed"


def test_a_line_that_goes_on_for_ever_is_given_in_stretches() -> None:
    entry = f"{TIME} stdout P {'x' * 200}\n".encode()
    entries = joining(entry * 4)
    row = b"\x1b[24;80Hx\x1b[24;1H" + b"y" * 79 + b"\r\n"
    for decoder, piece in ((entries, entry), (MinicomScreen(), row)):
        many = (6 << 20) // len(piece)
        told = "".join(decoder.decode(piece * (many // 64)) for _ in range(64))
        assert len(told) > 1 << 20, "what is not given yet is kept, and so has an end"
