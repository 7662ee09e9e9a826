"""ETDump blocks stay whole: every era's form, lines of megabytes, terminals that wrap them, logs that end inside one."""

from __future__ import annotations

import base64
import random

import pytest

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.etdump.block import EtdumpBlock
from ethosu_tui.analysis.lines import BASE64_LIMIT_BYTES, LINE_LIMIT_BYTES
from ethosu_tui.analysis.runs import RunBuilder
from ethosu_tui.analysis.splitter import LineSplitter

START = b"I [executorch:arm_executor_runner.cpp:1523 main()] PTE @ 0x70000000 [----ET12]\n"


def blocks(data: bytes, chunk: int = 1 << 16) -> list[EtdumpBlock]:
    splitter, builder = LineSplitter(), RunBuilder()
    for start in range(0, len(data), chunk):
        for line in splitter.feed(data[start : start + chunk]):
            builder.feed(line)
    for line in splitter.finish():
        builder.feed(line)
    assert builder.draft is not None
    return builder.draft.etdump.blocks


def text_of(size: int) -> bytes:
    return base64.b64encode(random.Random(size).randbytes(size))


@pytest.mark.parametrize("size", [30, 5_000, LINE_LIMIT_BYTES])
@pytest.mark.parametrize("chunk", [4_096, 1 << 30])
def test_the_text_of_every_era_is_kept(size: int, chunk: int) -> None:
    text = text_of(size)
    both = b'#[RUN THIS]\necho "%s" | base64 -d >debug_buffer.bin\necho "%s" | base64 -d >etdump.bin\n#[END]\n'
    found = blocks(START + both % (text[::-1].strip(b"="), text), chunk)
    assert [(b.file, b.line, b.complete) for b in found] == [("debug_buffer.bin", 3, True), ("etdump.bin", 4, True)]
    assert found[1].text.encode() == text
    here_string = b'#---\nbase64 -i -d <<<"\\\r\n%s\r\n" >etdump.bin\npython3 -m x\n#---\n' % text
    (block,) = blocks(START + here_string, chunk)
    assert (block.file, block.line, block.complete, block.text.encode()) == ("etdump.bin", 3, True, text)


def test_a_block_that_a_terminal_wrapped_is_put_together() -> None:
    text = text_of(2_000)
    wrapped = b"\n".join(text[i : i + 76] for i in range(0, len(text), 76))
    (block,) = blocks(START + b'echo "%s" | base64 -d >etdump.bin\n#[END]\n' % wrapped)
    assert (block.file, block.complete, block.text.encode()) == ("etdump.bin", True, text)


@pytest.mark.parametrize("size", [300, 2 * LINE_LIMIT_BYTES])
def test_a_block_at_whose_middle_the_log_ends_says_so(size: int) -> None:
    text = text_of(size)
    (block,) = blocks(START + b'echo "' + text[:-9])
    assert (block.file, block.complete, block.text.encode()) == (None, False, text[:-9])
    (block,) = blocks(START + b'base64 -i -d <<<"\\\n' + text[:-9])
    assert not block.complete


def test_what_is_kept_is_bounded_and_other_long_lines_are_not_kept() -> None:
    (block,) = blocks(START + b'echo "' + b"A" * (BASE64_LIMIT_BYTES + 4_000_000) + b"\n", 1 << 20)
    assert BASE64_LIMIT_BYTES - 6 == len(block.text)
    assert not block.complete
    splitter = LineSplitter()
    (line,) = splitter.feed(b"A" * (4 * LINE_LIMIT_BYTES) + b"\n")
    assert len(line.text) == LINE_LIMIT_BYTES
    assert line.data == ""


@pytest.mark.parametrize(("end", "said"), [(b"", "is cut off"), (b'" | base64 -d >debug_buffer.bin\n', "came")])
def test_a_debug_buffer_that_is_cut_off_did_not_come(end: bytes, said: str) -> None:
    log = START + b"# Writing debug_buffer.bin [base64]\n" + b'echo "' + text_of(600) + end
    (detail,) = (found.detail for found in read_capture("log", log).findings if found.rule == "etdump-cut")
    assert detail.startswith(f"The debug buffer {said}, the ETDump after it did not")


@pytest.mark.parametrize("left", range(1, 31))
def test_a_block_is_whole_where_a_log_ends_in_the_words_behind_it(left: int) -> None:
    data = START + b'# Writing debug_buffer.bin [base64]\necho "%s" | base64 -d >debug_buffer.bin' % text_of(30)
    (block,) = blocks(data[: len(data) - left + 1])
    assert (block.file, block.text.encode(), block.complete) == ("debug_buffer.bin", text_of(30), True)
    (block,) = blocks(data[: len(data) - left + 1] + b"\nPASSED\n")
    assert (block.file, block.text.encode()[:40]) == ("debug_buffer.bin", text_of(30))


@pytest.mark.parametrize("text", ["", "Done", "tosa.done", "----------------", "================================"])
def test_what_a_shell_echoes_is_no_block(text: str) -> None:
    said = f'echo "{text}"\n'.encode()
    assert read_capture("log", said).runs == ()
    capture = read_capture("log", said + START + said)
    assert [(run.first_line, run.last_line) for run in capture.runs] == [(2, 2)]
    assert not blocks(START + said) and "etdump-cut" not in {found.rule for found in capture.findings}
