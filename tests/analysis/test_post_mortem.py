"""Many runs: what is kept of them, groups, outliers, trends in words, and exports that no spreadsheet or renderer obeys."""

from __future__ import annotations

import csv
import io
import pickle
import random

import pytest

from ethosu_tui.analysis.line_forms.stamps import stamp_of
from ethosu_tui.analysis.post_mortem.export import csv_lines, markdown_lines
from ethosu_tui.analysis.post_mortem.run_stamps import _alike, _coded
from ethosu_tui.analysis.post_mortem.summary import advice_of, post_mortem
from ethosu_tui.analysis.post_mortem.trends import Drift, Step, farthest_usual, share_step, trend, usual
from ethosu_tui.analysis.rows import RunRow
from ethosu_tui.analysis.rows.store import RunStore
from ethosu_tui.analysis.tables import Table

PLAIN = RunRow(
    source="night.log", index=1, first_line=1, last_line=50, start_byte=0, end_byte=4000, at=None, status="passed",
    stage="complete", version="1.0", target="ethos-u55-128", pte_bytes=4096, inferences=1, npu_cycles=1_000_000,
    inference_cycles=2_000_000, method_used_bytes=1000, cause=None, cause_title=None, cause_line=None, rules=("a", "b"),
)  # fmt: skip


def store_of(rows: list[RunRow]) -> RunStore:
    store = RunStore()
    for start in range(0, len(rows), 7):
        store.add(rows[start : start + 7])
    store.captures = len({row.source for row in rows})
    return store


def row(position: int, **fields: object) -> RunRow:
    values: dict[str, object] = {"index": position + 1, "first_line": position * 50 + 1, **fields}
    return PLAIN._replace(**values)  # type: ignore[arg-type]


def failed(position: int, cause: str = "method-pool-too-small", **fields: object) -> RunRow:
    facts = {"status": "failed", "stage": "load", "npu_cycles": None, "cause": cause, "cause_title": f"{cause} title",
             "cause_line": position * 50 + 9, "cause_advice": f"advice {position}"}  # fmt: skip
    return row(position, **{**facts, **fields})


def tables(rows: list[RunRow]) -> dict[str, Table]:
    return {table.title.split(",")[0]: table for table in post_mortem(store_of(rows))}


def clock(minutes: float) -> str:
    hours, rest = divmod(minutes, 60)
    return f"[2026-01-{1 + int(hours // 24):02d} {int(hours % 24):02d}:{int(rest):02d}:{rest % 1 * 60:06.3f}]"


ODD = [
    PLAIN,
    PLAIN._replace(at="12:00:00", npu_cycles=None, rules=(), version=None),
    PLAIN._replace(npu_cycles=1 << 63, pte_bytes=-1, source="\u00fc\x1b[31m", cause="x", cause_title="", cause_line=0),
    PLAIN._replace(npu_cycles=(1 << 62) - 1, cause_line=None, target=None, at="\u20ac" * 100),
]


def test_rows_come_back_as_they_were() -> None:
    back = list(store_of(ODD))
    assert back[0] == PLAIN and back[1] == ODD[1]
    assert back[2] == ODD[2]._replace(npu_cycles=None), "a count that no counter holds is no count"
    assert back[3] == ODD[3]._replace(at=back[3].at) and ODD[3].at is not None and back[3].at is not None
    assert ODD[3].at.startswith(back[3].at.rstrip("\ufffd"))


def test_stores_of_other_processes_merge() -> None:
    one, two = store_of([PLAIN, failed(1)]), store_of([*ODD, failed(2, "other")])
    total = RunStore()
    for other in (one, two, one):
        total.merge(pickle.loads(pickle.dumps(other)))
    assert list(total) == [*one, *two, *one]
    assert advice_of(total) == {"method-pool-too-small": ["advice 1"], "other": ["advice 2"]}


def test_texts_without_end_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ethosu_tui.analysis.rows.store.MOST_TEXTS", 20)
    store = store_of([failed(i, cause_title=f"title {i}", source=f"{i}.log") for i in range(100)])
    assert [r.source for r in store] == [f"{i}.log" for i in range(100)], "where a run stands is always known"
    assert sum(r.cause_title is not None for r in store) < 20


def test_causes_are_grouped_with_their_first_place() -> None:
    rows = [row(0), failed(1), failed(2, "hard-fault", source="b.log"), *(failed(i) for i in range(3, 9))]
    rows.append(row(9, status="hung", cause=None))
    found = tables(rows)["Why runs did not pass"].rows
    assert [(c[1].value, c[2].value, c[4].value, c[5].value, c[6].value) for c in found] == [
        (7, "night.log", 59, 1, "method-pool-too-small"),
        (1, "b.log", 109, 1, "hard-fault"),
        (1, "night.log", 451, 1, None),
    ]
    assert found[2][0].text == "(no cause found)"


def test_outliers_need_company() -> None:
    many = [row(i, npu_cycles=1_000_000 + i % 3) for i in range(20)]
    few = [row(i, npu_cycles=9_000_000 * i, target="ethos-u85-256") for i in (1, 2, 3)]
    table = tables([*many, row(30, npu_cycles=1_500_000, at="12:00"), *few])["Outliers in NPU cycles"]
    assert [(c[1].value, c[3].value, round(c[6].value or 0, 2)) for c in table.rows] == [(31, "12:00", 1.5)]  # type: ignore[arg-type]
    assert "3 runs of kinds with fewer than 5 passed runs were not judged" in table.note


def test_a_wide_spread_makes_no_outliers() -> None:
    R = random.Random(1)
    rows = [row(i, npu_cycles=round(R.gauss(1_000_000, 200_000))) for i in range(200)]
    assert not tables(rows)["Outliers in NPU cycles"].rows
    assert 19_000 <= farthest_usual(usual([1_000_000.0] * 9)) <= 21_000, "below 2 % nothing is worth a word"


def test_behind_a_jump_the_runs_are_no_outliers_but_those_that_stand_out_there() -> None:
    steps = [1_000_000 + 500_000 * (i >= 40) + i % 3 for i in range(60)]
    steps[20], steps[55] = 1_200_000, 1_000_000
    rows = [row(i, at=clock(i * 10), npu_cycles=steps[i]) for i in range(60)]
    undated = [row(60 + i, npu_cycles=1_000_000 + 900_000 * (i == 3)) for i in range(6)]
    table = tables([*rows, *undated])["Outliers in NPU cycles"]
    assert {cells[1].value for cells in table.rows} == {21, 56, 64}
    assert table.note.endswith("the same target, program and inferences, on the same side of a jump.")
    assert len(tables(rows[:40])["Outliers in NPU cycles"].rows) == 1


def change(rows: list[RunRow]) -> str:
    return " ".join(cells[-1].text for cells in tables(rows)["Trends"].rows)


def test_a_step_is_found_where_it_happens() -> None:
    rows = [row(i, at=clock(i * 10), npu_cycles=1_000_000 + 50_000 * (i >= 25) + i % 7) for i in range(60)]
    words = change(rows)
    assert words.startswith(
        "jumps by 5.0 % at 2026-01-01 04:10:00.000 (night.log, line 1,251): median 1,000,003 before"
    )
    random.Random(3).shuffle(rows)
    assert change(rows) == words, "dates put runs in order, whatever the order of inputs"


def test_a_drift_is_told_from_a_step() -> None:
    assert "rises steadily by 5" in change(
        [row(i, at=clock(i * 10), npu_cycles=1_000_000 + 1000 * i) for i in range(60)]
    )
    assert "sinks steadily" in change([row(i, at=clock(i * 10), npu_cycles=2_000_000 - 1000 * i) for i in range(60)])


@pytest.mark.parametrize("count", [12, 30, 500])
def test_noise_is_no_trend(count: int) -> None:
    R, found = random.Random(count), 0
    for _ in range(50):
        found += trend([float(i) for i in range(count)], [R.gauss(1e6, 5e4) for _ in range(count)]) is not None
    assert found <= 3


@pytest.mark.parametrize("count", [12, 40, 400])
def test_chance_makes_no_trend_among_many_kinds(count: int) -> None:
    """Each alone would show one in fifty or more."""
    R, kinds = random.Random(count), 300
    times = [float(i) for i in range(count)]
    noise = [[R.gauss(1e6, 5e4) for _ in times] for _ in range(kinds)]
    assert sum(trend(times, values, kinds) is not None for values in noise) <= 1
    flags = [[R.random() < 0.3 for _ in times] for _ in range(kinds)]
    assert not any(share_step(values, kinds) for values in flags)


def test_a_step_with_nothing_between_is_seen_in_few_runs() -> None:
    """Among twenty kinds of twenty runs as well: those before and after share no value."""
    R = random.Random(1)
    values = [R.gauss(1e6, 1e3) + 5e4 * (i >= 10) for i in range(20)]
    found = trend([float(i) for i in range(20)], values, 20)
    assert isinstance(found, Step) and found.position == 10


def test_few_runs_and_unordered_stamps_say_nothing() -> None:
    steps = [1_000_000 + 500_000 * (i >= 30) for i in range(60)]
    assert not change([row(i, npu_cycles=steps[i]) for i in range(60)]), "no stamps"
    assert not change([row(i, at=clock(i), npu_cycles=steps[i * 6]) for i in range(10)]), "too few"
    back = [f"{10 - i % 2:02d}:00:00" for i in range(60)]
    rows = [row(i, at=back[i], npu_cycles=steps[i]) for i in range(60)]
    assert not change(rows), "times that go back"
    assert "1 cannot be put in order: times of several inputs" in tables(rows)["Trends"].note
    assert "1 without time stamps" in tables([row(i, npu_cycles=steps[i]) for i in range(60)])["Trends"].note
    clocks = [f"[{(20 + i // 6) % 24:02d}:{i % 6}0:00.5]" for i in range(60)]
    assert "jumps by 50.0 %" in change([row(i, at=clocks[i], npu_cycles=steps[i]) for i in range(60)]), "over midnight"
    two = [row(i, at=clocks[i], npu_cycles=steps[i], source=f"{i % 2}.log") for i in range(60)]
    assert change(two).count("jumps") == 2, "times of day are compared within one input only"
    boots = [row(i, at=f"[{i * 3.5:12.6f}]", npu_cycles=steps[i]) for i in range(60)]
    assert "jumps" in change(boots)


@pytest.mark.parametrize(
    ("whole", "same"),
    [
        ("10:00:01.250 10:00:02.250 10:01:60.999", False),
        ("[2026-01-05T23:59:59.5] [2026-01-06T00:00:00.5]", True),
        ("10:00:01.250 10:00.02.250", False),
        ("10:00:01.250 10:00:02:250", False),
        ("10:00:01.250 10:00:02,250", False),
        ("10:00:01.250 10:00:61.250", False),
        ("10:00:01.250 10:61:01.250", False),
    ],
)
def test_stamps_by_columns_are_those_read_one_by_one(whole: str, same: bool) -> None:
    texts = whole.split()
    for order in (texts, texts[::-1]):
        store = store_of([row(place, at=text) for place, text in enumerate(order)])
        found = _alike(*store.stamps_of_one_length(), {})
        assert (found is not None) is same
        if found is not None:
            assert list(zip(*found, strict=True)) == [_coded(text, {}) for text in order]


def test_when_failures_began() -> None:
    rows = [row(i, at=clock(i)) for i in range(20)] + [failed(i, at=clock(i)) for i in range(20, 26)]
    assert "6 of 6 failed since 2026-01-01 00:20:00.000 (night.log, line 1,001); before that, 0 of 20" in change(rows)
    assert share_step([bool(i % 5 == 0) for i in range(100)]) is None
    assert share_step([True] * 30) is None
    half = [i % 2 == 0 for i in range(100)]
    assert share_step([False] * 100 + half) == Step(100, 0.0, 0.5)
    assert share_step([i % 10 == 0 for i in range(100)] + half) is None, "certain, and by less than half of the runs"


def test_fewer_than_twelve_runs_are_no_trend() -> None:
    times = [float(i) for i in range(12)]
    rising = [1000.0 + 10 * t for t in times]
    assert isinstance(trend(times, rising), Drift) and trend(times[:11], rising[:11]) is None


def test_steps_and_drifts_as_numbers() -> None:
    times = [float(i) for i in range(40)]
    assert trend(times, [1.0] * 20 + [2.0] * 20) == Step(20, 1.0, 2.0)
    found = trend(times, [100 + 2 * t for t in times])
    assert isinstance(found, Drift) and found.per_second == pytest.approx(2)
    noisy = [1000.0 + i % 3 + 50 * (i >= 6) for i in range(12)]
    assert trend(times[:12], noisy) == Step(6, 1001, 1051), (
        "too few for the test of a step, but that of a drift is sure"
    )
    assert trend(times, [5.0] * 40) is None
    assert trend([0.0] * 40, times) is None or isinstance(trend([0.0] * 40, times), Step)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[2026-01-05T12:00:01.5Z]", ("zoned", 1767614401.5)),
        ("2026-01-05T13:00:01,5+01:00", ("zoned", 1767614401.5)),
        ("2026-01-05 12:00:01", ("date", 1767614401.0)),
        ("[12:33:44 (+0.001)]", ("clock", 45224.0)),
        ("[   12.345678]", ("uptime", 12.345678)),
        ("Jan  5 12:00:00", ("month", 947073600.0)),
        ("25:00:00", None),
        ("2026-13-05 12:00:01", None),
        ("[2026-01-05 01:00:01 PM]", ("date", 1767618001.0)),
        ("[12:00:01.5 AM]", ("clock", 1.5)),
        ("13:00:01 PM", None),
        ("2026-01-05 1:00:01 pm", ("date", 1767618001.0)),
        ("12:00:01 am", ("clock", 1.0)),
        ("Jan  5 12:00:00 1234", ("month", 947073600.0)),
        ("5.1.2026 12:00:01", ("date", 1767614401.0)),
        ("2026/01/05 12:00:01", ("date", 1767614401.0)),
        ("2026.01.05 12:00:01", ("date", 1767614401.0)),
        ("[05.01.2026 12:00:01]", ("date", 1767614401.0)),
        ("20260105 12:00:01.250 - INFO -", ("date", 1767614401.25)),
        ("[Mon Jan 05 12:00:01.250 2026]", ("date", 1767614401.25)),
        ("Mon Jan  5 12:00:01 UTC 2026", ("zoned", 1767614401.0)),
        ("Mon Jan  5 12:00:01 CET 2026", ("date", 1767614401.0)),
        ("2026-01-05 12:00:01 UTC", ("zoned", 1767614401.0)),
        ("[1767614401.500]", ("zoned", 1767614401.5)),
        ("[ 767614401.500]", ("uptime", 767614401.5)),
        ("[05/01/2026 12:00:01]", None),
        ("2026.01", ("uptime", 2026.01)),
        ("2026.01.05", None),
        ("Xyz  5 12:00:00", None),
        ("", None),
    ],
)
def test_stamps_of_host_tools(text: str, expected: tuple[str, float] | None) -> None:
    assert stamp_of(text) == expected


EVIL = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", '"quoted", "more"', "a\x1b[31mb\u202ec", "\uff1d1", "x|y", "<b>"]


def test_csv_is_read_back_and_holds_no_formula() -> None:
    rows = [failed(i, cause_title=text, source=text, at=text) for i, text in enumerate(EVIL)]
    text = "".join(csv_lines(store_of(rows)))
    back = list(csv.DictReader(io.StringIO(text, newline="")))
    assert len(back) == len(EVIL)
    for record in back:
        for value in record.values():
            assert value.lstrip()[:1] not in tuple("=+-@\uff1d\t\r") or value == ""
            assert not any(ord(c) < 32 or c == "\u202e" for c in value)
    assert back[6]["root_cause_title"] == EVIL[6]
    assert (back[0]["npu_cycles"], back[0]["run"], back[0]["method_pool_used_bytes"]) == ("", "1", "1000")


def test_markdown_obeys_no_log() -> None:
    evil = "![x](http://evil) <img src=x> `code` a|b @everyone \x1b[31m"
    text = "".join(markdown_lines(store_of([failed(0, cause_title=evil, cause_advice=evil, at=evil), row(1)])))
    for piece in ("![x]", "[x](", "<img", "`code`", "a|b", "@everyone", "\x1b", "http://"):
        assert piece not in text
    assert "## Why runs did not pass" in text and "## Runs" in text
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert all(line.replace("\\|", "").count("|") in (4, 7, 8, 12) for line in rows)


def test_markdown_of_very_many_runs_is_the_summary_only() -> None:
    text = "".join(markdown_lines(store_of([row(i) for i in range(2000)])))
    assert "rows of 2,000 runs are left out" in text and len(text) < 5000


def test_a_run_without_a_stamp_is_left_out_of_a_trend_and_that_is_said() -> None:
    rows = [row(at, at=clock(7 * at), npu_cycles=1_000_000 + at % 7 + (50_000 if at >= 20 else 0)) for at in range(40)]
    plain = tables(rows)["Trends"]
    assert len(plain.rows) == 1
    mixed = tables([*rows, row(40, at=None, source="other.log")])["Trends"]
    assert mixed.rows == plain.rows
    assert "1 passed run without a time stamp" in mixed.note


def test_failures_that_do_not_tell_their_target_are_of_the_only_one_of_their_input() -> None:
    rows = [row(at, at=clock(at)) for at in range(25)] + [failed(at, at=clock(at), target=None) for at in range(25, 40)]
    ((what, count, *_, words),) = tables(rows)["Trends"].rows
    assert (what.text, count.value) == ("Failures, ethos-u55-128", 40)
    assert words.text.startswith("15 of 15 failed since") and words.text.endswith("before that, 0 of 25")
    two = [*rows, *(row(40 + at, at=clock(40 + at), target="ethos-u85-256") for at in range(5))]
    assert not tables(two)["Trends"].rows  # of two targets it cannot be told


def test_where_a_cause_came_first_is_told_by_time() -> None:
    rows = [
        failed(0, at=clock(90), source="a.log"),
        failed(1, at=clock(30), source="b.log"),
        failed(2, at=None, source="c.log"),
    ]
    assert tables(rows)["Why runs did not pass"].rows[0][2].text == "b.log"
    apart = [row._replace(at=row.at and row.at.replace("[2026-01-01 ", "[")) for row in rows]
    assert tables(apart)["Why runs did not pass"].rows[0][2].text == "a.log"  # times of day of two inputs


def test_a_dated_folder_tells_when_a_log_without_stamps_was_written() -> None:
    def first(*where: tuple[str, str | None]) -> str:
        rows = [failed(at, at=stamp, source=source) for at, (source, stamp) in enumerate(where)]
        return str(tables(rows)["Why runs did not pass"].rows[0][2].text)

    stamped = ("2026-08-03/a.log", "[2026-08-03 10:00:00.000]")
    assert first(stamped, ("2026-08-01/b.log", None)) == "2026-08-01/b.log"
    assert first(stamped, ("night_20260804.zip!b.log", None)) == "2026-08-03/a.log"
    assert first(("x/b.log", None), stamped, ("y/c.log", None)) == "x/b.log"
    assert first(("x/b.log", None), stamped, ("y.log", "[2026-08-02 10:00:00.000]")) == "y.log"
    assert first(stamped, ("c.log", "2026-08-02T10:00:00.000Z")) == "c.log"


def test_kinds_with_cycles_come_first() -> None:
    rows = [row(i, target=None, npu_cycles=None) for i in range(5)] + [row(i) for i in range(5, 8)]
    kinds = tables(rows)["What ran"].rows
    assert [(str(cells[0].text), cells[3].value) for cells in kinds] == [("ethos-u55-128", 3), ("-", 5)]


def test_time_stamps_stand_without_their_brackets() -> None:
    rows = [row(i, at=clock(i), npu_cycles=1_000_000 + 500_000 * (i == 9)) for i in range(20)]
    (odd,) = tables(rows)["Outliers in NPU cycles"].rows
    assert odd[3].text == clock(9).strip("[]") and odd[3].value == clock(9), "a file has it as it was"
