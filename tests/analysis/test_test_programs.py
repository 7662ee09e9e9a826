"""Logs inside of what programs that test a board write: Expect and pexpect, Robot Framework, files of test results."""

from __future__ import annotations

import base64
import html
import json
import zlib

import pytest

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.carriers.robot import RobotLog

from .bench_logs import ARM, LOGS, figures, figures_of, joined, read_text


@pytest.mark.parametrize(
    "quoted",
    [
        "before (last 100 chars): b'{}'",
        "E       buffer (last 2000 chars): '{}'",
        'expect: does "{}" (spawn_id exp4) match glob pattern "no"? no',
    ],
)
def test_what_a_program_that_waits_for_words_has_read_was_printed_once(quoted: str) -> None:
    again = quoted.format("\\r\\n".join(ARM)[-2000:] if "does" in quoted else "\\r\\n".join(ARM)[-99:])
    assert figures_of(joined([*ARM, again])) == figures_of(joined(ARM))


@pytest.mark.parametrize("log", LOGS)
@pytest.mark.parametrize("mark", ["", "E   ", "E       unittest.case."])
@pytest.mark.parametrize("words", ["'Done' not found in {!r}", "0 != {!r}"])
def test_what_unittest_looked_into_is_read_where_it_was_not_printed(
    log: tuple[str, ...], mark: str, words: str
) -> None:
    told = f"{mark}AssertionError: {words.format(joined(log))}"
    assert figures_of(joined([*log, told])) == figures_of(joined(log))
    assert figures_of(joined(["Traceback (most recent call last):", told])) == figures_of(joined(log))


TIMEOUT = (
    "pexpect.exceptions.TIMEOUT: Timeout exceeded.\n<pexpect.pty_spawn.spawn object at 0x7f00>\ncommand: /usr/bin/picocom\n"
    "buffer (last 9000 chars): {0!r}\nbefore (last 9000 chars): {0!r}\nafter: <class 'pexpect.exceptions.TIMEOUT'>\nmatch: None\n"
)


@pytest.mark.parametrize("log", LOGS)
@pytest.mark.parametrize("in_bytes", [True, False])
@pytest.mark.parametrize("mark", ["", "E       "])
@pytest.mark.parametrize("lines", [0, 2])
def test_what_pexpect_had_read_is_a_run_where_nothing_else_shows_it(
    log: tuple[str, ...], in_bytes: bool, mark: str, lines: int
) -> None:
    text = "\r\n".join(log[-lines:]) + "\r\n"
    told = TIMEOUT.format(text.encode() if in_bytes else text)
    said = "".join(f"{mark}{line}\n" for line in told.splitlines())
    assert figures_of(said) == figures_of(joined(log[-lines:]))
    assert figures_of(joined(log) + said) == figures_of(joined(log))


_ROBOT_3 = '<html id="robot" lang="en">\n<head>'
_ROBOT_7 = '<html lang="en"><head>\n<meta content="Robot Framework 9.9 (Python 3.99 on linux)" name="Generator">'


def _page(*strings: str, begins: str = _ROBOT_3) -> str:
    listed = ",".join(f'"{string}"' for string in strings)
    return (
        f'<!DOCTYPE html>\n{begins}\n<script>\nvar a = "b\\n";\n</script>\n<script>\nwindow.output = {{}};\n'
        f'window.output["strings"] = [];\nwindow.output["strings"] = window.output["strings"].concat([{listed}]);\n</script>\n</html>\n'
    )


@pytest.mark.parametrize("log", LOGS)
@pytest.mark.parametrize("level", [0, 6, 9])
@pytest.mark.parametrize("piece", [0, 1, 7])
@pytest.mark.parametrize("begins", [_ROBOT_3, _ROBOT_7, _ROBOT_7.replace("Robot Framework", "Rebot")])
def test_the_page_of_robot_framework_has_its_log_in_strings(
    log: tuple[str, ...], level: int, piece: int, begins: str
) -> None:
    text = joined(log)
    told = base64.b64encode(zlib.compress(text.encode(), level)).decode()
    if not level:
        told = "*" + json.dumps(text)[1:-1].replace("</", "\\x3c/")
    value = "*${out} = " + json.dumps(text)[1:150]
    cut = (
        "*"
        + json.dumps("\n".join((*log[:3], "    [ Message content over the limit has been removed. ]", *log[-3:])))[1:-1]
    )
    failure = "*" + json.dumps(f"'{text}' does not contain 'Done'")[1:-1].replace("</", "\\x3c/")
    capture = read_text(_page("*", "*Log Console", value, cut, told, failure, "*PASS", begins=begins), piece)
    assert [figures(run) for run in capture.runs] == figures_of(text)
    assert {run.first_line for run in capture.runs} == {10}


@pytest.mark.parametrize("log", LOGS)
@pytest.mark.parametrize("piece", [0, 1, 7])
@pytest.mark.parametrize("log_it", [False, True])
def test_the_message_of_a_failure_is_told_once_in_output_xml(log: tuple[str, ...], piece: int, log_it: bool) -> None:
    output = html.escape(joined(log), quote=False)
    message = f"'{output}' does not contain 'Done'"
    logged = f'<msg time="2031-02-03T04:05:05.123456" level="INFO">{output}</msg>\n' if log_it else ""
    status = f'<status status="FAIL" start="2031-02-03T04:05:06.123456" elapsed="2.0">{message}</status>'
    begins = '<robot generator="Robot 9.9">\n<suite id="s1" name="T">\n<test id="s1-t1">\n<kw name="Should Contain">\n'
    text = f'{begins}{logged}<msg time="2031-02-03T04:05:06.123456" level="FAIL">{message}</msg>\n{status}\n</kw>\n{status}\n</test>\n'
    assert [figures(run) for run in read_text(text, piece).runs] == figures_of(joined(log))
    without_keywords = f"{begins}{status}\n</kw>\n{status}\n</test>\n"
    assert [figures(run) for run in read_text(without_keywords, piece).runs] == figures_of(joined(log))


@pytest.mark.parametrize("string", ["eJyr" * 9, "e" * 30, "*", "", "eNpLSkwGAAI" * 3])
def test_strings_of_a_page_that_are_no_text_say_nothing(string: str) -> None:
    assert not read_text(_page(string)).runs


@pytest.mark.parametrize("log", LOGS)
def test_robot_framework_shows_the_beginning_of_a_value_before_it_is_logged(log: tuple[str, ...]) -> None:
    output = "\n".join(log)
    messages = [f"${{out}} = {output[:200]}...", output]
    begun = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<robot generator="Robot 9.9">',
        '<suite id="s1" name="T">',
        '<kw name="Run">',
    ]
    xml = [
        f'<msg time="2031-02-03T04:05:06.123456" level="INFO">{html.escape(message, quote=False)}</msg>'
        for message in messages
    ]
    assert figures_of(joined([*begun, *xml, "</kw>", "</suite>", "</robot>"])) == figures_of(joined(log))
    rule = "=" * 78
    stamped = [
        f"2031-02-03 04:05:06.123456 - INFO - {message}"
        for message in ("+ START SUITE: T", "+- START TEST: X", *messages)
    ]
    assert figures_of(joined([rule, *stamped])) == figures_of(joined(log))


@pytest.mark.parametrize("log", LOGS)
@pytest.mark.parametrize(
    "result",
    [
        '<?xml version="1.0" encoding="utf-8"?><testsuites><testsuite name="t" tests="1"><testcase name="x" time="2.0"><system-out>{}</system-out></testcase></testsuite></testsuites>',
        '<testsuites>\n<testsuite name="evk">\n<testcase name="x">\n<failure type="failure" message="Timeout">{}</failure></testcase></testsuite></testsuites>\n',
        '<testcase name="x">\n<system-out><![CDATA[{}]]></system-out>\n',
    ],
)
def test_the_output_of_a_test_begins_and_ends_inside_lines_of_a_file_of_results(
    log: tuple[str, ...], result: str
) -> None:
    (run,) = read_capture("x", result.format(html.escape("\n".join(log))).encode()).runs
    assert figures(run) == figures_of(joined(log))[0]


@pytest.mark.parametrize("piece", [1, 7, 1 << 20])
def test_a_value_of_robot_framework_ends_where_another_one_begins(piece: int) -> None:
    short = "- INFO - ${a} = " + "b" * 150 + "...\n"
    text = f"{short}- INFO - ${{c}} = {'ä' * 200}...\r\n{'e' * 2000}- INFO - ${{f}} = {'g' * 200}...\n"
    decoder = RobotLog()
    read = [decoder.decode(text[at : at + piece].encode()) for at in range(0, len(text), piece)]
    assert (
        "".join([*read, decoder.decode(b"", True)]) == f"{short}- INFO - ${{c}} = \r\n{'e' * 2000}- INFO - ${{f}} = \n"
    )


def test_a_short_value_of_robot_framework_has_no_part_of_the_log_behind_it() -> None:
    assert figures_of(joined(["- INFO - ${bench} = 8", *ARM])) == figures_of(joined(ARM))


def test_a_page_of_blanks_is_not_unpacked_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    from ethosu_tui.analysis.carriers import robot_page

    monkeypatch.setattr(robot_page, "_MOST_BYTES", 5_000)
    packed = base64.b64encode(zlib.compress(b" " * 2_000, 9)).decode()
    strings = ",".join(f'"{packed}"' for _ in range(5))
    row = f'window.output["strings"] = window.output["strings"].concat([{strings}]);'
    assert robot_page.RobotPage().decode(row.encode(), True) == f"{' ' * 2_000}\r" * 2 + f"{' ' * 1_000}\r"
    page = f'<html id="robot" lang="en">\n<script>\n{row}\n</script>\n'.encode()
    told = {finding.rule: finding.title for finding in read_capture("log.html", page).findings}
    assert told["strings-left-out"] == "3 compressed messages of this page could not be read to the end"
    monkeypatch.setattr(robot_page, "_MOST_BYTES", 50_000)
    assert "strings-left-out" not in {finding.rule for finding in read_capture("log.html", page).findings}
