"""Bytes to lines: numbers as editors count them, nothing that steers a terminal, bounded memory."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ethosu_tui.analysis.lines import LINE_LIMIT_BYTES, clean, parse_line
from ethosu_tui.analysis.patterns import TABLE
from ethosu_tui.analysis.splitter import LineSplitter


def split(data: bytes, size: int | None = None) -> list[tuple[int, str]]:
    splitter = LineSplitter()
    lines = []
    step = size or max(1, len(data))
    for start in range(0, len(data), step):
        lines += splitter.feed(data[start : start + step])
    return [(line.number, line.text) for line in lines + splitter.finish()]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"a\nb\n", [(1, "a"), (2, "b")]),
        (b"a\r\nb", [(1, "a"), (2, "b")]),
        (b"a\r\r\nb\n", [(1, "a"), (2, "b")]),
        (b"10%\r20%\rdone\nnext\n", [(1, "10%"), (1, "20%"), (1, "done"), (2, "next")]),
        (b"\n\nx", [(1, ""), (2, ""), (3, "x")]),
        (b"", []),
    ],
)
def test_line_ends_and_numbers(data: bytes, expected: list[tuple[int, str]]) -> None:
    assert split(data) == expected
    assert split(data, 1) == expected


@given(st.binary(max_size=400), st.integers(1, 50))
def test_chunk_size_never_matters(data: bytes, size: int) -> None:
    assert split(data, size) == split(data)


@given(st.text(max_size=300))
def test_nothing_but_printable_text_comes_out(text: str) -> None:
    line = parse_line(1, text.encode("utf-8", "surrogatepass"))
    bad = [c for c in line.text if not (c.isprintable() or c == " " or ord(c) > 0xFFFF or c in "\u3000\xa0")]
    assert not any(ord(c) < 0x20 or 0x7F <= ord(c) < 0xA0 or c in "\u202e\u2066\u200f" for c in line.text), bad


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("a\x1b]52;c;ZWNobw==\x07b", "ab"),
        ("a\x1b]0;title\x1b\\b", "ab"),
        ("a\x1bPq#0;2\x1b\\b", "ab"),
        ("a\x9b31mb", "ab"),
        ("a\u202eb\u2066c", "abc"),
        ("a\tb\x00c\x7f", "a bc"),
        ("left\x1b", "left"),
        ("\x1b(0lqk\x1b(B", "lqk"),
        ("a\u115fb\u3164c\uffa0d\u1160e", "abcde"),
        ("a\u180eb\ufe0fc\u034fd\u17b4e\U0001bca0f\U0001d173g", "abcdefg"),
        ("\u6e29\u5ea6 50 \u00b5s na\u00efve \u2026", "\u6e29\u5ea6 50 \u00b5s na\u00efve \u2026"),
    ],
)
def test_escapes_and_controls_are_removed(raw: str, text: str) -> None:
    assert clean(raw) == text


@pytest.mark.parametrize(
    ("raw", "level", "file", "source_line", "function", "message"),
    [
        ("I executorch:runner.cpp:64] Hi", "I", "runner.cpp", 64, None, "Hi"),
        ("I [executorch:arm_executor_runner.cpp:364] Hi", "I", "arm_executor_runner.cpp", 364, None, "Hi"),
        ("E [executorch:method.cpp:85 Init()] Hi", "E", "method.cpp", 85, "Init", "Hi"),
        ("I [executorch:main.cpp] Hi", "I", "main.cpp", None, None, "Hi"),
        ("F 00:00:00.002636 executorch:executor_runner.cpp:476] Hi", "F", "executor_runner.cpp", 476, None, "Hi"),
        ("I [EthosUBackend.cpp:12] Hi", "I", "EthosUBackend.cpp", 12, None, "Hi"),
        ("I [executorch:EthosUBackend.cpp:zu] Hi", "I", "EthosUBackend.cpp", None, None, "Hi"),
        ("[12:00:01.123] I [executorch:a.cpp:1] Hi", "I", "a.cpp", 1, None, "Hi"),
        ("2026-08-01T10:00:00.1234567Z D [executorch:a.cpp:1] Hi", "D", "a.cpp", 1, None, "Hi"),
        ("[2019-09-03 17:00:55.287] I [executorch:a.cpp:1] Hi", "I", "a.cpp", 1, None, "Hi"),
        ("Program complete, exiting.", "", None, None, None, "Program complete, exiting."),
        ("I am no log line", "", None, None, None, "I am no log line"),
    ],
)
def test_prefixes_of_all_eras(
    raw: str, level: str, file: str | None, source_line: int | None, function: str | None, message: str
) -> None:
    line = parse_line(3, raw.encode())
    assert (line.level, line.file, line.source_line, line.function, line.message) == (
        level, file, source_line, function, message,
    )  # fmt: skip


def test_end_of_transmission_is_noted_and_not_shown() -> None:
    line = parse_line(1, b"I [executorch:arm_executor_runner.cpp:1554 main()] \x04")
    assert line.eot
    assert "\x04" not in line.text


def test_a_line_without_end_does_not_grow() -> None:
    splitter = LineSplitter()
    for _ in range(40):
        assert splitter.feed(b"x" * 100_000) == []
    (line,) = splitter.finish()
    assert len(line.text) == LINE_LIMIT_BYTES
    assert line.partial
    assert splitter.bytes == 4_000_000


QUOTED_LOG = (
    "I [executorch:arm_executor_runner.cpp:510 main()] PTE @ 0x70000000 [----ET12]",
    "I [executorch:arm_executor_runner.cpp:514 main()] Running method forward",
    "I [executorch:arm_executor_runner.cpp:870 main()] 1 outputs: ",
    "Output[0][0]: (float) 0.500000",
    "I [executorch:arm_executor_runner.cpp:874 main()] Program complete, exiting.",
)


@pytest.mark.parametrize(
    "quoted",
    [
        "> {}",
        ">> {}",
        "- {}",
        "+{}",
        "    # {}",
        "| {} |",
        "{n:4d}  {}",
        "{n}\t{}",
        "{n}:{}",
        "{n:2d} | {}",
        "`{}`",
        '"{}",',
        "  '{}\\n',",
        "<code>{}</code><br>",
        "<li>{}</li>",
    ],
)
def test_what_stands_around_the_lines_of_a_quoted_log_is_taken_off(quoted: str) -> None:
    splitter = LineSplitter()
    text = "".join(quoted.format(line, n=n) + "\n" for n, line in enumerate(QUOTED_LOG, 1))
    found = [line.message for line in splitter.feed(text.encode()) if line.message.strip()]
    assert [line for line in found if not line.isdigit() and len(line) > 4] == [
        parse_line(1, line.encode()).message for line in QUOTED_LOG
    ]
    assert splitter.plain == (quoted in ("> {}", "`{}`"))  # these every line shows by itself


def test_a_number_before_one_line_is_no_line_number() -> None:
    splitter = LineSplitter()
    splitter.feed(b"12 " + QUOTED_LOG[0].encode() + b"\n")
    (line,) = splitter.feed(b"1 outputs: \n")
    assert line.message == "1 outputs:"
    assert splitter.plain


def test_entities_of_a_web_page_are_characters() -> None:
    (line,) = LineSplitter().feed(b"I [executorch:a.cpp:1 f()] Method &#39;forward&#39; loaded &amp;lt;&nbsp;x&gt;\n")
    assert line.message == "Method 'forward' loaded &lt; x>"
    (line,) = LineSplitter().feed("I [executorch:a.cpp:1 f()]\u00a01\u00a0outputs:\n".encode())
    assert line.message == "1 outputs:"


@pytest.mark.parametrize(
    "written",
    ["&#91;&#x5B;&lsqb;", "&lbrack;&#091;&#x005b;"],
)
def test_characters_of_a_web_page_may_be_numbers(written: str) -> None:
    (line,) = LineSplitter().feed(f"1&colon; {written}&#160;x&#10;y&#8211;2 &unknown; &#xD800;\n".encode())
    assert line.text == "1: [[[ x y-2 &unknown; ?"


def test_blanks_of_any_width_are_blanks() -> None:
    (line,) = LineSplitter().feed("I [executorch:a.cpp:1 f()] 1\u2009outputs:\u3000\u202f7\n".encode())
    assert line.message == "1 outputs:  7"


@pytest.mark.parametrize(
    ("written", "typed"),
    [
        ("Output[0][0]: \u22120.25", "Output[0][0]: -0.25"),
        ("a.sh \u2014target=ethos\u2011u85\u2013256 \u2013fast \u2013x", "a.sh --target=ethos-u85-256 --fast -x"),
        ("PTE @ 0\u00d770000000", "PTE @ 0x70000000"),
        ("a.cpp\uff1a12\uff082 outputs\uff09", "a.cpp:12(2 outputs)"),
        ("**2 outputs:**", "2 outputs:"),
        ("**`Missing operator: [0] a::b.out`:**", "**`Missing operator: [0] a::b.out`:**"),  # a title in a guide
        ("*** Booting a kernel ***", "*** Booting a kernel ***"),
        ("** one ** two **", "** one ** two **"),
        ("** one two **", "** one two **"),
    ],
)
def test_marks_that_an_editor_or_a_page_sets_are_those_that_were_typed(written: str, typed: str) -> None:
    assert parse_line(1, written.encode()).message == typed


def test_a_sentence_keeps_its_own_marks() -> None:
    for sentence in ("\u7ed3\u679c\uff1a`a` (\u597d)\uff0c", "it failed \u2014 try again"):
        assert parse_line(1, sentence.encode()).text == sentence


def test_what_a_forum_has_set_reads_as_it_was_typed() -> None:
    (line,) = LineSplitter().feed("I [executorch:a.cpp:1 f()] Method \u2018forward\u2019 loaded\u2026\n".encode())
    assert line.message == "Method 'forward' loaded..."
    from ethosu_tui.analysis import read_capture

    log = "ModuleNotFoundError: No module named \u2018executorch.exir\u2019\n"
    assert [found.rule for found in read_capture("x", log.encode()).findings] == ["missing-module"]


WIDE = "I [executorch:arm_executor_runner.cpp:563 main()] Setting up planned buffer 0, size 752640."
LISTED = "I [executorch:arm_perf_monitor.cpp:199 StopMeasurements()] Ethos-U PMU Events:[" + ", ".join(
    f"ETHOSU_PMU_AXI{n}_RD_DATA_BEAT_RECEIVED" for n in range(4)
)


@pytest.mark.parametrize("columns", [78, 80, 85, 89, 100, 120, 132])
def test_rows_of_a_screen_are_put_together_again(columns: int) -> None:
    long = [WIDE, LISTED + "]", "I [executorch:arm_executor_runner.cpp:600 main()] " + "Model executed successfully."]
    padding = [f"I [executorch:a.cpp:7 main()] {word * 150}" for word in "xyz"]  # shows how wide the screen is
    text = "".join(
        "\n".join(line[at : at + columns] for at in range(0, len(line), columns)) + "\n" for line in [*padding, *long]
    )
    from ethosu_tui.analysis import read_capture

    (run,) = read_capture("log", text.encode()).runs
    assert run.memory.planned_buffers == (752_640,)
    assert run.stage == "report"
    lines = split(text.encode())
    assert lines == split(text.encode(), 1)
    assert lines == [(number, row) for number, row in enumerate(text.splitlines(), 1)]


def test_a_line_as_wide_as_a_screen_keeps_its_figure() -> None:
    from ethosu_tui.analysis import read_capture

    head = "I [executorch:arm_perf_monitor.cpp:184 function()] ethosu_pmu_cntr0 : "
    for below in ("Output[0][0]: 1", "noise of another program", "", "17 more words"):
        text = f"{head}{'123456789012'[: 80 - len(head)]}\n{below}\n"
        (run,) = read_capture("log", text.encode()).runs
        assert run.pmu is not None, below
        assert run.pmu.counters[0].value == int("123456789012"[: 80 - len(head)]), below


@pytest.mark.parametrize("columns", [80, 100, 111, 160])
def test_other_programs_below_the_widest_line_are_no_rest_of_it(columns: int) -> None:
    """A night of console output has many lines below the widest one, and one of them may be as wide as a screen."""
    listed = LISTED[:columns].ljust(columns, "_")
    splitter = LineSplitter(lambda text: TABLE.match(text, 0) is not None)
    for run in range(50):
        below = "wifi: rssi=-60 dBm" if run % 4 == 0 else WIDE
        lines = splitter.feed(f"{listed}\n{below}\nmqtt: published\n".encode())
        assert lines[1].text == below
        assert lines[0].text == listed
        assert lines[1].message in (below, "Setting up planned buffer 0, size 752640.")
    assert splitter.plain


@pytest.mark.parametrize(
    ("text", "level", "file", "message"),
    [
        ("[executorch] E program.cpp:102 bad", "E", "program.cpp", "bad"),
        ("[ET E] program.cpp:102 bad", "E", "program.cpp", "bad"),
        ("[ET:E] bad", "E", None, "bad"),
        ("[ET/E] bad", "E", None, "bad"),
        ("[E] program.cpp:102 bad", "E", None, "program.cpp:102 bad"),
        ("[executorch] E bad", "", None, "[executorch] E bad"),
        ("ET E program.cpp:102 load: bad", "E", "program.cpp", "bad"),
        ("ET phone home: 3 x.c:1", "", None, "ET phone home: 3 x.c:1"),
        ("[executorch:E program.cpp:102 load()] bad", "E", "program.cpp", "bad"),
        ("[executorch:program.cpp:102 load()] bad", "", "program.cpp", "bad"),
        ("[E] [executorch:program.cpp:102] bad", "E", "program.cpp", "bad"),
        ("[executorch:E program.cpp:102 load()", "", None, "[executorch:E program.cpp:102 load()"),
        ("[executorch] said [executorch] E program.cpp:102 bad", "", None, "[executorch] said [executorch] E program.cpp:102 bad"),
    ],
)  # fmt: skip
def test_marks_of_boards_give_the_level_and_only_where_a_line_begins_with_them(
    text: str, level: str, file: str | None, message: str
) -> None:
    line = parse_line(1, text.encode())
    assert (line.level, line.file, line.message) == (level, file, message)


@pytest.mark.parametrize("escape", ["", "^[", r"\x1b", r"\033", r"\e", r"\u001b", "\u241b", "\ufffd", "\u2190"])
@pytest.mark.parametrize("end", ["[0m", "[m", "[00m", "[39m", "[49m"])
def test_colours_without_their_escape_character_are_taken_off(escape: str, end: str) -> None:
    line = parse_line(1, f"{escape}[1;32mI [executorch:a.cpp:1 f()] 2{escape}[0m outputs:{escape}{end}".encode())
    assert (line.level, line.message) == ("I", "2 outputs:")


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("[0;32m2 outputs:", "2 outputs:"), ("[K2 outputs:", "2 outputs:"), ("[KWS] a", "[KWS] a"), ("[?2004l[32m2 outputs:", "2 outputs:"),
        ("[00:00:00.012,000] [1;31m<err> os: gone[0m", "gone"), ("[Kernel] a", "[Kernel] a"), ("[1m] a", "[1m] a"), ("[30ms] a", "a"),
        ("[1ma]", "a]"), ("took [10m", "took [10m"), ("[m] a", "[m] a"), ("[3] a[5m", "[3] a[5m"), ("[32m[method.cpp:5] a [10ms] [m] b[0m", "a [10ms] [m] b"),
        ("2 outputs:\u21b5", "2 outputs:"),
        ("2 outputs:\u240d\u240a", "2 outputs:"), ("2 outputs:\u00b6", "2 outputs:"),
    ],
)  # fmt: skip
def test_what_is_left_of_a_terminal_is_no_part_of_a_line(written: str, message: str) -> None:
    assert parse_line(1, written.encode()).message == message
