"""Results as text: the same JSON as the objects give, back again unread, and rows that are read at the first look only."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ethosu_tui.analysis.operators.report import CompiledOperator, FusedOperator
from ethosu_tui.analysis.report import CompileSummary, Finding
from ethosu_tui.runners.compile.document import compile_document
from ethosu_tui.runners.compile.fit import answers_of
from ethosu_tui.runners.compile.result import CompileResult
from ethosu_tui.runners.compile.result_text import OPERATORS, StoredOperators, operators_text, parsed

FOLDER = Path("/runs/one")


def _result(operators: tuple[CompiledOperator, ...], title: str = "left out") -> CompileResult:
    return CompileResult(
        target="ethos-u55-128", memory_mode="Shared_Sram", system_config=None, status="ok", pte="model.pte", pte_bytes=4,
        sha256="0" * 64, seconds=0.5, cached=False, summary=CompileSummary(npu_cycles=7, inference_seconds=float("nan")),
        operators=operators, findings=(Finding("soft-limit", "warning", None, title, "detail", "advice", (3, 4)),),
        log=str(FOLDER / "console.log"), stages={"export": 0.25}, delegation={"operators": []}, folder=FOLDER,
    )  # fmt: skip


def _operator(index: int, name: str | None) -> CompiledOperator:
    fused = tuple(FusedOperator(place, "ADD", None, name, "net.py:4") for place in range(index))
    return CompiledOperator(
        index, "CONV2D", name, "aten.conv2d.default", "net.py:3", 5, 6, 7, None, 33.333, fused=fused
    )


OPERATORS_OF_TWO = (_operator(0, 'a "\n ],\n "operators": [\n'), _operator(2, "\u2028\x1b[2J\ud800ü"))


def _again(result: CompileResult) -> CompileResult:
    return CompileResult.from_dict(parsed(result.text()), FOLDER)


@pytest.mark.parametrize("operators", [(), OPERATORS_OF_TWO[:1], OPERATORS_OF_TWO])
def test_the_text_is_the_object_and_comes_back(operators: tuple[CompiledOperator, ...]) -> None:
    result = _result(operators)
    text = result.text()
    assert json.loads(text) == json.loads(json.dumps(result.to_dict()))
    assert list(json.loads(text)) == list(result.to_dict()), "in the order in which it was"
    assert text.isascii() and text.isprintable() is False and "\x1b" not in text
    assert sum(line.startswith('{"index"') for line in text.splitlines()) == len(operators)
    again = _again(result)
    assert again.text() == text
    assert isinstance(again.operators, StoredOperators) and len(again.operators) == len(operators)
    assert again == _again(again) and again.operators == operators and tuple(again.operators) == operators


@given(st.lists(st.one_of(st.none(), st.text()), max_size=4), st.text())
def test_no_name_can_be_taken_for_the_end_of_the_rows(names: list[str | None], title: str) -> None:
    result = _result(tuple(_operator(index, name) for index, name in enumerate(names)), title)
    again = _again(result)
    assert again.text() == result.text()
    assert again.operators == result.operators and again.findings == result.findings


def test_a_whole_document_is_written_without_reading_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    results = [_result(OPERATORS_OF_TWO), _result(())]
    stored = [_again(result) for result in results]
    answers = answers_of(results)

    def read(stored: object) -> None:
        raise AssertionError("a row was read")

    monkeypatch.setattr(CompiledOperator, "of", read)
    text = "".join(compile_document("net.py", 1.23456, stored, answers_of(stored)))
    assert json.loads(text) == {
        "schema": "ethosu-tui/compile/1",
        "model": "net.py",
        "seconds": 1.235,
        "jobs": json.loads(json.dumps([result.to_dict() for result in results])),
        "answers": json.loads(json.dumps(answers.to_dict())),
    }
    assert json.loads("".join(compile_document("net.py", 0.0, [], answers_of([]))))["jobs"] == []


def test_rows_are_those_of_a_changed_result_too() -> None:
    result = replace(_again(_result(OPERATORS_OF_TWO)), cached=True)
    assert result.cached and result.operators[1:] == OPERATORS_OF_TWO[1:] and result.operators[0] == OPERATORS_OF_TWO[0]
    assert operators_text(result.operators) == operators_text(OPERATORS_OF_TWO)


@pytest.mark.parametrize(
    "text",
    ["", "[]", "null", "{", "{}", '{"operators": [{}]}', '{\n "operators": [\n{}', '{\n "operators": [\n{}\n ]', '{"operators": {}}'],
)  # fmt: skip
def test_other_text_is_no_result(text: str) -> None:
    with pytest.raises(ValueError):
        parsed(text)


def test_rows_of_another_kind_are_refused_when_they_are_read() -> None:
    result = parsed('{\n "operators": [\n{"index": 1}\n ]\n}')
    with pytest.raises((KeyError, TypeError)):
        result[OPERATORS].rows()
