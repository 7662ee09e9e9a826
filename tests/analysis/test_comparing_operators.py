"""Operators of compared columns: which is which, what changed most, and what is said where there is nothing to compare."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.comparing.comparison import compare
from ethosu_tui.analysis.comparing.details import operator_details
from ethosu_tui.analysis.comparing.match import Item, match
from ethosu_tui.analysis.comparing.operator_tables import operators_table
from ethosu_tui.analysis.comparing.operators import operator_diffs, why_none
from ethosu_tui.analysis.comparing.sides import Side
from ethosu_tui.analysis.report import CompileSummary, Cycles, DelegatePmu, Layer, Pmu, Run, Target

from .etdump_writer import DumpWriter, logged


def op(kind: str, cycles: int, name: str | None = None, module: str | None = None, **more: Any) -> dict[str, Any]:
    return {"tosa": kind, "name": name, "module": module, "torch": None, "op_cycles": cycles, "partition": 1, **more}


def compiled(label: str, *operators: dict[str, Any]) -> Side:
    return Side(label, label, "compile", summary=CompileSummary(total_cycles=1), operators=operators)


class TestMatching:
    def test_by_name_then_module_then_order(self) -> None:
        one = [
            Item("CONV2D", "a", "first"),
            Item("CONV2D", "b", "second"),
            Item("MUL", None, None),
            Item("ADD", None, None),
        ]
        other = [
            Item("CONV2D", "a", "first"),
            Item("ADD", None, None),
            Item("CONV2D", "x", "second"),
            Item("MUL", None, None),
        ]
        assert [(pair.one, pair.other, pair.by) for pair in match(one, other)] == [
            (0, 0, "name"), (1, 2, "place"), (2, 3, "order"),
        ]  # fmt: skip

    def test_names_that_come_unequally_often_prove_nothing(self) -> None:
        twice = [Item("RESCALE", "r", None), Item("CONV2D", "c", None), Item("RESCALE", "r", None)]
        once = [Item("CONV2D", "c", None), Item("RESCALE", "r", None)]
        pairs = {pair.one: (pair.other, pair.by) for pair in match(twice, once)}
        assert pairs == {1: (0, "name"), 2: (1, "order")}, (
            "the one after the convolution is the one after the convolution"
        )

    def test_long_lists_without_any_name_are_taken_in_turn(self) -> None:
        many = [Item("ADD" if i % 2 else "MUL", None, None) for i in range(1500)]
        pairs = match(many, many[1:])
        assert len(pairs) == 1499 and all(many[p.one].kind == many[1:][p.other].kind for p in pairs)

    @given(
        st.lists(st.tuples(st.sampled_from("AB"), st.sampled_from([None, "x", "y"])), max_size=8),
        st.lists(st.tuples(st.sampled_from("AB"), st.sampled_from([None, "x", "y"])), max_size=8),
    )
    def test_each_has_one_peer_of_its_kind_at_most(
        self, one: list[tuple[str, str | None]], other: list[tuple[str, str | None]]
    ) -> None:
        ours, theirs = ([Item(kind, name, None) for kind, name in side] for side in (one, other))
        pairs = match(ours, theirs)
        assert len({p.one for p in pairs}) == len({p.other for p in pairs}) == len(pairs)
        assert all(ours[p.one].kind == theirs[p.other].kind for p in pairs)
        assert [p.one for p in pairs] == sorted(p.one for p in pairs)
        assert len(match(ours, ours)) == len(ours)


class TestDiffs:
    def test_what_changed_most_comes_first(self) -> None:
        base = compiled("a", op("CONV2D", 100, "c"), op("ADD", 50, "d"), op("MUL", 10, "gone"))
        other = compiled("b", op("CONV2D", 90, "c"), op("ADD", 5, "d"), op("TANH", 30, "new"))
        (diff,) = operator_diffs([base, other])
        assert [row.first.item.kind for row in diff.rows] == ["ADD", "TANH", "CONV2D", "MUL"]
        assert [row.values for row in diff.rows] == [(50, 5), (None, 30), (100, 90), (10, None)]
        assert [diff.delta(row, 1) for row in diff.rows] == [-45, None, -10, None]
        assert [diff.only(row) for row in diff.rows] == [False, True, False, True]
        document = diff.to_dict()
        assert document["origin"] == "vela" and document["estimate"] is True
        assert document["rows"][1]["present"] == [False, True] and document["rows"][1]["values"] == [None, 30]
        assert document["rows"][0]["ratios"] == [1.0, 0.1] and document["rows"][0]["matched_by"] == [None, "name"]
        table = operators_table(diff, ["A", "B"])
        assert [cell.text for cell in table.rows[0][:4]] == ["all operators", "-35", "160", "125 (0.78x)"]
        assert [row[4].text for row in table.rows[1:]] == ["name", "only B", "name", "only A"]
        assert "Only 1 in A, 1 in B" in table.note and "Estimates" in table.note

    def test_three_columns_are_matched_with_each_other(self) -> None:
        sides = [compiled("a", op("ADD", 1, "x")), compiled("b", op("MUL", 5, "y")), compiled("c", op("MUL", 9, "y"))]
        (diff,) = operator_diffs(sides)
        assert [row.values for row in diff.rows] == [(None, 5, 9), (1, None, None)]
        (other,) = operator_diffs(sides, baseline=2)
        assert [other.ratio(row, 1) for row in other.rows] == [5 / 9, None]

    def test_a_chained_operator_has_no_cycles_of_its_own(self) -> None:
        alone = compiled("a", op("CONV2D", 100, "c"), op("RESCALE", 20, "r"))
        chained = compiled("b", op("CONV2D", 110, "c"), op("RESCALE", 0, "r", chained_into=0))
        (diff,) = operator_diffs([alone, chained])
        rescale = next(row for row in diff.rows if row.first.item.kind == "RESCALE")
        assert rescale.values == (20, None) and diff.delta(rescale, 1) is None and not diff.only(rescale)
        table = operators_table(diff, ["A", "B"])
        assert any(cell.text == "chained" for row in table.rows for cell in row) and "chained:" in table.note
        comparison = compare([alone, chained])
        assert "chained, its cycles are in row 0" in " ".join(operator_details(comparison, diff, rescale, 1))

    def test_tables_of_a_log_are_operators_too(self) -> None:
        summary = CompileSummary(operators=(Layer(0, "CONV2D", "c", 8, 10, 5, None, 100.0),))
        log = Side("log", "log", "compile", summary=summary)
        (diff,) = operator_diffs([log, compiled("b", op("CONV2D", 20, "c"))])
        assert [row.values for row in diff.rows] == [(10, 20)]

    def test_why_there_is_nothing(self) -> None:
        bare = Side("bare", "bare", "run", run=Run(1, 1, 2, "passed", "complete"))
        assert operator_diffs([bare, bare]) == () and "none of them" in why_none([bare, bare])
        with_some = compiled("b", op("ADD", 1))
        assert "only b" in why_none([bare, with_some])
        assert "baseline" in why_none([bare, with_some, with_some])


def etdump(label: str, first: int, second: int, platform: str | None) -> Side:
    writer = DumpWriter()
    kernel = [
        writer.profile("native_call_add.out", 10, 10 + first, chain=0, instruction=1),
        writer.profile("native_call_mul.out", 500, 500 + second, chain=0, instruction=2),
    ]
    writer.run("Execute", [writer.profile("Method::execute", 0, 1000), *kernel])
    capture = read_capture(label, logged(writer.finish()).encode())
    run = capture.runs[0]
    return Side(label, label, "run", run=run._replace(target=Target(platform=platform)))


class TestRuns:
    def test_etdumps_of_a_board(self) -> None:
        (diff,) = operator_diffs([etdump("a", 100, 20, "board"), etdump("b", 130, 400, "board")])
        assert diff.origin == "etdump" and diff.comparable == (True, True)
        assert [(row.first.item.kind, row.values) for row in diff.rows] == [
            ("mul.out", (20, 400)), ("add.out", (100, 130)),
        ]  # fmt: skip

    def test_etdumps_of_a_simulator_have_no_ratios(self) -> None:
        (diff,) = operator_diffs([etdump("a", 100, 20, "fvp"), etdump("b", 130, 400, "fvp")])
        assert diff.comparable == (False, False) and "FVP" in str(diff.reason)
        assert all(ratio is None for row in diff.to_dict()["rows"] for ratio in row["ratios"])
        assert "(n/c)" in operators_table(diff, ["A", "B"]).rows[1][2].text

    def test_nanoseconds_and_cycles_are_not_set_against_each_other(self) -> None:
        (diff,) = operator_diffs([etdump("a", 1, 2, "board"), etdump("b", 1, 2, "host")])
        assert "nanoseconds" in str(diff.reason)

    def test_repeats_give_the_median_of_each_operator(self) -> None:
        runs = [etdump("a", cycles, 20, "board").run for cycles in (100, 300, 110)]
        repeated = Side("a", "a", "run", run=runs[0], repeats=tuple(run for run in runs if run is not None))
        (diff,) = operator_diffs([repeated, etdump("b", 130, 20, "board")])
        assert diff.rows[0].values == (110, 130) and diff.repeated

    def test_delegates_count_cycles_an_inference(self) -> None:
        def side(label: str, inferences: int, *cycles: int) -> Side:
            delegates = tuple(DelegatePmu(i, npu_cycles=value) for i, value in enumerate(cycles))
            run = Run(
                1, 1, 2, "passed", "complete", cycles=Cycles(inferences=inferences), pmu=Pmu(1, delegates=delegates)
            )
            return Side(label, label, "run", run=run)

        (diff,) = operator_diffs([side("a", 1, 100, 40), side("b", 2, 400, 80)])
        assert diff.origin == "delegates" and [row.values for row in diff.rows] == [(100, 200), (40, 40)]
