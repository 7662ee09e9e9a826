"""The file of a notebook: its cells' outputs stand in it as strings, and what they say counts as if it were a log."""

from __future__ import annotations

import json

import pytest

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.carriers.one_line import OneLineText
from ethosu_tui.analysis.line_forms.host_prefix import NOTEBOOK

from .port_logs import RUNNER, only

SUMMARY = """\
Network summary for digits_int8
Accelerator configuration               Ethos_U55_128
System configuration             Ethos_U55_High_End_Embedded
Memory mode                               Shared_Sram
Accelerator clock                                 500 MHz

Total SRAM used                                 70.50 KiB
Total Off-chip Flash used                       21.25 KiB

CPU operators = 1 (20.0%)
NPU operators = 4 (80.0%)
Neural network macs                            123456 MACs/batch
"""
KIT = """\
[INFO] Profile for Inference:
\tActive NPU cycles: 51000
\tIdle NPU cycles:   700
"""


def notebook(*texts: str, source: str = "!make run", first: str = "cells") -> bytes:
    outputs = [{"name": "stdout", "output_type": "stream", "text": text.splitlines(True)} for text in texts]
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": ["# A title\n", "and words"]},
        {"cell_type": "code", "execution_count": 1, "metadata": {}, "outputs": outputs, "source": [source]},
    ]
    book = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    ordered = {first: book[first], **book}
    return f"{json.dumps(ordered, indent=1)}\n".encode()


@pytest.mark.parametrize("first", ["cells", "nbformat"])
def test_a_compile_and_a_run_in_cells_are_read(first: str) -> None:
    read = read_capture("x.ipynb", notebook(SUMMARY, "\n".join(RUNNER) + "\n", first=first))
    plain = read_capture("x.log", ("\n".join(RUNNER) + "\n").encode())
    summary = read.compile[0]
    assert (summary.accelerator, summary.macs, summary.npu_operators) == ("ethos-u55-128", 123456, 4)
    assert [(run.status, run.model.pte_bytes) for run in read.runs] == [
        (run.status, run.model.pte_bytes) for run in plain.runs
    ]


def test_lines_are_numbered_as_in_the_file() -> None:
    data = notebook(SUMMARY)
    line = next(n for n, text in enumerate(data.splitlines(), 1) if b"Accelerator configuration" in text)
    assert read_capture("x.ipynb", data).compile[0].first_line in (line - 1, line)


def test_tabs_and_colours_are_written_in_json() -> None:
    run = read_capture("x.ipynb", notebook(KIT.replace("[INFO]", "\x1b[32m[INFO]\x1b[0m"))).runs[0]
    assert run.pmu is not None
    assert [counter.value for counter in run.pmu.counters] == [51000, 700]


def test_a_mark_of_utf_8_before_it_changes_nothing() -> None:
    data = notebook(KIT)
    with_mark = read_capture("x.ipynb", b"\xef\xbb\xbf" + data)
    assert with_mark.runs[0].pmu == read_capture("x.ipynb", data).runs[0].pmu


def test_what_else_is_in_the_file_is_no_log() -> None:
    read = read_capture("x.ipynb", notebook("Epoch 1: loss 0.5\nEpoch 2: loss 0.25\n", source="fit(model)"))
    assert not read.runs and not read.compile and not read.findings


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ('"said \\"so\\"\\n",', 'said "so"'),
        ('"C:\\\\build\\n"', "C:\\build"),
        ('"text": ["Memory mode  Sram_Only\\n"]', "Memory mode  Sram_Only"),
        ('"\\tIdle NPU cycles:   7\\n",', "Idle NPU cycles:   7"),
        ('"\\n",', ""),
        ("]", "]"),
    ],
)
def test_strings_are_taken_out_of_their_marks(written: str, meant: str) -> None:
    assert NOTEBOOK.taken_off(written) == meant


@pytest.mark.parametrize("size", [1, 7, 4096, 1 << 20])
@pytest.mark.parametrize("in_lists", [True, False])
def test_a_notebook_in_one_line_is_read_as_one_in_many(size: int, in_lists: bool) -> None:
    book = json.loads(notebook(SUMMARY, "\r\n".join(RUNNER) + "\r\n", source='print("a\\nb")'))
    for output in book["cells"][1]["outputs"]:
        output["text"] = output["text"] if in_lists else "".join(output["text"])
    data = json.dumps(book).encode()
    head, rest = data[: 64 << 10], data[64 << 10 :]
    read = read_capture("x.ipynb", [head, *(rest[at : at + size] for at in range(0, len(rest), size))])
    plain = read_capture("x.log", (SUMMARY + "\n".join(RUNNER) + "\n").encode())
    assert read.lines == 1
    assert [(s.accelerator, s.macs) for s in read.compile] == [("ethos-u55-128", 123456)]
    assert [(run.status, run.stage, run.model, run.memory, run.cycles, run.pmu) for run in read.runs] == [
        (run.status, run.stage, run.model, run.memory, run.cycles, run.pmu) for run in plain.runs
    ]
    assert {line for run in read.runs for line in run.lines.values()} == {1}


@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_text_is_taken_apart_the_same_in_pieces_of_any_size(size: int) -> None:
    data = r'{"text":["a\\nb\n","caf\u00e9 \"q\"\r\n","\\\\"]} é'.encode()
    decoder = OneLineText()
    pieces = "".join(decoder.decode(data[at : at + size]) for at in range(0, len(data), size))
    assert pieces + decoder.decode(b"", True) == OneLineText().decode(data)
    assert r"a\\nb" in pieces


@pytest.mark.parametrize("indent", [1, None])
def test_empty_lines_between_say_nothing_and_are_counted(indent: int | None) -> None:
    plain = "\n".join(RUNNER) + "\n"
    spaced = json.loads(notebook("\n" * 30 + plain.replace("\n", "\n\n") + "\n" * 30))
    data = (json.dumps(spaced, indent=indent) + "\n").encode()
    read = read_capture("x.ipynb", data)
    (run,) = read.runs
    assert (run.status, run.model) == (read_capture("x", plain.encode()).runs[0].status, only(plain).model)
    assert run.first_line == next(n for n, text in enumerate(data.split(b"\n"), 1) if RUNNER[0].encode() in text)
