"""Lines that a service, a mail or a screen broke into several are read whole, and those below keep their numbers."""

from __future__ import annotations

import json
import quopri
from collections.abc import Callable

import pytest

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.lines import parse_line

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


def test_a_mark_of_the_runtime_s_own_is_no_branch() -> None:
    said = "".join(f"[ET] ERROR: Program::load failed ({status})\n" for status in ("35", "nan", "inf", "-1", "0"))
    assert only(f"Starting the model execution...\n{said}").status == "failed"
