"""PMU traces: streaming in any pieces, the walk along the command stream with its traps, and any bytes."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ethosu_tui.analysis.export.operators import profile_of_trace
from ethosu_tui.analysis.npu_trace.fvp_trace import TraceEvent, TraceReader
from ethosu_tui.analysis.npu_trace.operators import NpuTrace, QueueWalk, WindowCounters
from ethosu_tui.analysis.npu_trace.tables import trace_notes, trace_table, trace_to_dict
from ethosu_tui.analysis.npu_trace.vela_debug import DebugDatabase, VelaDebugError, parse_debug_database

from .trace_writer import DATABASE, OFFSETS, TraceWriter

CYCLES = (700, 900, 400, 300, 1200, 800)
"""What each command takes; the third and fourth are of one operation."""


@pytest.fixture
def database() -> DebugDatabase:
    return parse_debug_database(DATABASE)


def _events(text: str, step: int = 1 << 20) -> tuple[list[TraceEvent], TraceReader]:
    reader = TraceReader()
    events: list[TraceEvent] = []
    for start in range(0, len(text), step):
        events += reader.feed(text[start : start + step])
    return events + reader.finish(), reader


def _walk(database: DebugDatabase, events: list[TraceEvent]) -> NpuTrace:
    walk = QueueWalk(database)
    for event in events:
        walk.feed(event)
    walk.finish()
    counters = WindowCounters(walk)
    for event in events:
        counters.feed(event)
    return walk.finish(counters)


def _cycles(trace: NpuTrace) -> dict[str, float | None]:
    return {row.operation.name: row.cycles for row in trace.operators}


def test_one_pass_gives_each_operator_its_cycles(database: DebugDatabase) -> None:
    writer = TraceWriter(start=100)
    writer.stream(OFFSETS, CYCLES)
    trace = _walk(database, _events(writer.text())[0])
    cycles = _cycles(trace)
    assert list(cycles) == ['conv "first", 3x3', "pool", "conv2", "pool2", "transpose"]
    first = 41 + 700 - 1  # from the first read on, and one cycle less to the next command
    assert list(cycles.values()) == [first, 900, 700, 1200, 800]
    assert (trace.passes, trace.other_passes, trace.mapped, trace.before_cycles) == (1, 0, 5, 100)
    assert trace.total_cycles == sum(v for v in cycles.values() if v is not None)
    assert "The 100 cycles before the NPU read its first command are no operator's" in " ".join(trace_notes(trace))
    assert [row.operation.ext_key for row in trace.operators] == [12, 17, 21, 27, 28]


def test_passes_are_counted_and_averaged(database: DebugDatabase) -> None:
    writer = TraceWriter()
    for factor in (1, 2, 3):
        writer.stream(OFFSETS, [c * factor for c in CYCLES])
    trace = _walk(database, _events(writer.text())[0])
    assert (trace.passes, trace.mapped) == (3, 5)
    cycles = {row.operation.name: (row.cycles, row.least_cycles, row.most_cycles) for row in trace.operators}
    assert cycles["pool"] == (1800, 900, 2700) and cycles["conv2"] == (1400, 700, 2100)


def test_the_time_before_the_first_command_is_no_operators(database: DebugDatabase) -> None:
    writer = TraceWriter(start=5_000_000)
    for _ in range(3):
        writer.stream(OFFSETS, CYCLES)
    writer.active("mac_active", 4_999_000, 1_370)
    trace = _walk(database, _events(writer.text())[0])
    first = trace.operators[0]
    assert (trace.passes, trace.before_cycles) == (3, 5_000_000)
    assert (first.least_cycles, first.most_cycles) == (740, 740), "the same in every pass"
    assert first.cycles == 740
    assert first.counters["mac_active"] == pytest.approx(370 / 3)
    assert trace.total_cycles == pytest.approx(sum(row.cycles or 0 for row in trace.operators))
    table = trace_table(trace)
    at = {column.name: index for index, column in enumerate(table.columns)}
    assert sum(row[at["Share"]].value for row in table.rows) == pytest.approx(100)
    assert table.rows[0][at["Share"]].value == pytest.approx(100 * 740 / 4340)
    assert table.rows[0][at["Of estimate"]].value == pytest.approx(740 / 14956)
    assert table.note.count("5,000,000") == 1
    document = trace_to_dict(trace)
    assert document["before_cycles"] == 5_000_000 and document["operators"][0]["npu_cycles"] == first.cycles
    profile = profile_of_trace("t", trace)
    assert profile is not None and profile.costs[0].duration == first.cycles
    assert [note for note in profile.notes if "5,000,000 cycles before" in note]


@pytest.mark.parametrize(("begin", "unknown"), [(480, 1), (560, 2), (656, 2), (860, 4)])
def test_a_trace_that_begins_inside_a_pass_does_not_tell_the_operators_before(
    begin: int, unknown: int, database: DebugDatabase
) -> None:
    writer = TraceWriter(start=100)
    writer.stream(OFFSETS, CYCLES)
    events = [e for e in _events(writer.text())[0] if (e.read_bytes or 0) >= begin]
    trace = _walk(database, events)
    assert trace.passes == 0 and "No pass over the command stream is complete" in " ".join(trace_notes(trace))
    cycles = list(_cycles(trace).values())
    assert cycles[:unknown] == [None] * unknown
    assert cycles[unknown:] == [740, 900, 700, 1200, 800][unknown:] and not trace.together
    assert trace.before_cycles == events[0].start_cycles


@pytest.mark.parametrize(
    ("skip", "unknown", "together"),
    [
        ([3], set(), []),  # inside one operation: nothing is lost
        ([1], {'conv "first", 3x3', "pool"}, [740 + 900]),
        ([4], {"conv2", "pool2"}, [700 + 1200]),
        ([1, 2], {'conv "first", 3x3', "pool", "conv2"}, [740 + 900 + 700]),
        ([1, 5], {'conv "first", 3x3', "pool", "pool2", "transpose"}, [740 + 900, 1200 + 800]),
    ],
)
def test_a_skipped_command_costs_its_neighbours_only(
    skip: list[int], unknown: set[str], together: list[int], database: DebugDatabase
) -> None:
    writer = TraceWriter(start=100)
    writer.stream(OFFSETS, CYCLES, skip=skip)
    trace = _walk(database, _events(writer.text())[0])
    assert {name for name, cycles in _cycles(trace).items() if cycles is None} == unknown
    assert [cycles for _, cycles in trace.together] == together
    assert trace.mapped == 5 - len(unknown)
    assert f"Mapped {5 - len(unknown)} of 5" in trace_notes(trace)[0]


def test_a_cut_second_pass_does_not_spoil_the_first(database: DebugDatabase) -> None:
    writer = TraceWriter()
    writer.stream(OFFSETS, CYCLES)
    writer.stream(OFFSETS[:3], CYCLES[:2])
    trace = _walk(database, _events(writer.text())[0])
    assert (trace.passes, trace.other_passes, trace.mapped) == (1, 1, 5)
    assert _cycles(trace)["pool"] == 900


def test_another_partitions_stream_is_left_out(database: DebugDatabase) -> None:
    writer = TraceWriter()
    other = [offset + 24 for offset in range(40, 4000, 52)]
    for _ in range(2):
        writer.stream(other, [77] * len(other))
        writer.stream(OFFSETS, CYCLES)
    trace = _walk(database, _events(writer.text())[0])
    assert (trace.passes, trace.other_passes) == (2, 2)
    assert list(_cycles(trace).values())[1:] == [900, 700, 1200, 800]


def test_a_longer_stream_that_hits_every_command_is_another_one(database: DebugDatabase) -> None:
    writer = TraceWriter()
    longer = list(range(4, 3000, 4))  # an event for every word
    for _ in range(2):
        writer.stream(longer, [9] * len(longer))
        writer.stream(OFFSETS, CYCLES)
    trace = _walk(database, _events(writer.text())[0])
    assert (trace.passes, trace.other_passes) == (2, 2)
    assert _cycles(trace)["pool2"] == 1200


def test_chained_operations_are_in_the_one_they_are_chained_to() -> None:
    text = DATABASE.replace('"id","group_id"\n', '"id","group_id"\n364,357\n358,357\n')
    text = text.replace("364,18,", '358,18,70,"LUT","table",0,0,0,0,0,0,0\n364,18,')  # one without a command of its own
    database = parse_debug_database(text)
    writer = TraceWriter()
    writer.stream(OFFSETS, CYCLES)
    trace = _walk(database, _events(writer.text())[0])
    cycles = _cycles(trace)
    assert "pool" not in cycles and cycles['conv "first", 3x3'] == 41 + 700 + 900 - 1
    assert [o.name for o in trace.chained] == ["table", "pool"] and (trace.mapped, len(trace.operators)) == (4, 4)
    assert "chained" in " ".join(trace_notes(trace))


def test_activity_is_shared_out_among_the_operators(database: DebugDatabase) -> None:
    writer = TraceWriter()
    writer.stream(OFFSETS, CYCLES)
    ends = [41 + 700 - 1, 41 + 700 + 900 - 1]
    writer.active("mac_active", 0, 100)
    writer.active("mac_active", ends[0] - 10, 30)
    writer.active("axi_enabled_cycles", 0, 10**9)
    trace = _walk(database, _events(writer.text())[0])
    first, second, *rest = trace.operators
    assert first.counters == {"mac_active": 110, "axi_enabled_cycles": 740}
    assert second.counters == {"mac_active": 20, "axi_enabled_cycles": 900}
    assert [row.counters["axi_enabled_cycles"] for row in rest] == [700, 1200, 800]
    table = trace_table(trace)
    assert [c.name for c in table.columns][-2:] == ["axi_enabled_cycles", "mac_active"]
    assert "110 (15 %)" in [cell.text for cell in table.rows[0]]


@pytest.mark.parametrize("step", [1, 7, 100, 4096])
@pytest.mark.parametrize("indent", [None, 2])
def test_pieces_of_any_size_give_the_same_events(step: int, indent: int | None) -> None:
    writer = TraceWriter()
    writer.stream(OFFSETS, CYCLES)
    writer.active("mac", 5, 6)
    text = writer.text(indent=indent)
    whole, reader = _events(text)
    assert reader.problem is None and reader.events == len(writer.events) == len(whole)
    assert _events(text, step)[0] == whole
    queue = TraceReader(queue_only=True)
    assert queue.feed(text) == [event for event in whole if event.counter == "qread"]


def test_a_bare_list_and_numbers_as_numbers() -> None:
    events, reader = _events('[{"tid":"a","ts":5,"dur":2},{"tid":"qread","ts":"9","args":{"qread":3}}]')
    assert events == [TraceEvent("a", "", 5, 2, None), TraceEvent("qread", "", 9, 0, 12)] and reader.problem is None


@pytest.mark.parametrize(
    ("text", "events", "said"),
    [
        ("", 0, "no list traceEvents"),
        ("{}", 0, "no list traceEvents"),
        ("hello", 0, "no list traceEvents"),
        ('{"traceEvents":[', 0, "cut off after 0 events"),
        ('{"traceEvents":[{"tid":"a","ts":"1"},{"tid":"a","t', 1, "cut off after 1 events"),
        ('{"traceEvents":[{"tid":"a","ts":"1"},junk,{"tid":"a","ts":"1"}]}', 1, "damaged after 1 events"),
        ('{"traceEvents":[{"tid":"a","ts":"1"}, ' + "[" * 200_000, 1, "damaged after 1 events"),
    ],
)
def test_damage_gives_what_was_there_with_a_sentence(text: str, events: int, said: str) -> None:
    for step in (1 << 20, 1000):
        found, reader = _events(text, step)
        assert len(found) == events and reader.problem is not None and said in reader.problem


def test_events_that_make_no_sense_are_counted() -> None:
    odd = ["{}", "3", "null", "[]", '{"tid":"a","ts":"x"}', '{"tid":"a","ts":-4}', '{"tid":"a","ts":1e400}',
           '{"tid":"qread","ts":"1","args":{}}', '{"tid":"a","ts":"' + "9" * 5000 + '"}']  # fmt: skip
    found, reader = _events('{"traceEvents":[' + ",".join([*odd, '{"tid":"a","ts":"1"}']) + "]}")
    assert len(found) == 1 and reader.odd == len(odd) and reader.problem is None


def test_json_shows_what_is_unknown_as_null(database: DebugDatabase) -> None:
    writer = TraceWriter()
    writer.stream(OFFSETS, CYCLES, skip=[4])
    document = json.loads(json.dumps(trace_to_dict(_walk(database, _events(writer.text())[0])), allow_nan=False))
    assert [row["npu_cycles"] for row in document["operators"]][2:4] == [None, None]
    assert document["mapped"] == 3 and document["operators"][1]["estimated_op_cycles"] == 4604


# --- the debug database


def test_names_with_quotes_and_commas(database: DebugDatabase) -> None:
    first = database.operations[357]
    assert (first.name, first.op_cycles, first.source_operator) == ('conv "first", 3x3', 14956, "DepthwiseConv2D")
    assert database.passed_over == 0


def test_an_older_vela_has_no_estimates() -> None:
    text = (
        '<debug source=\'a\'><table name=\'optimised\'><![CDATA["id","source_id","operator"\r\n4,2,"Conv2D"\r\n]]></table>'
        '<table name=\'queue\'><![CDATA["offset","cmdstream_id","optimised_id"\r\n16,0,4\r\n]]></table></debug>'
    )
    found = parse_debug_database(text)
    assert found.commands[0].offset_bytes == 16
    operation = found.operations[4]
    assert (operation.operator, operation.op_cycles, operation.source) == ("Conv2D", None, None)


@pytest.mark.parametrize("text", ["", "<debug>", DATABASE.replace('"queue"', '"other"'), DATABASE.split("328,1")[0]])
def test_no_commands_no_database(text: str) -> None:
    with pytest.raises(VelaDebugError):
        parse_debug_database(text)


def test_entities_are_never_expanded() -> None:
    bomb = '<!DOCTYPE lolz [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
    found = parse_debug_database(DATABASE.replace("<debug", bomb + "<debug", 1).replace('"pool"', '"&b;"'))
    assert found.operations[364].name == "&b;"


def test_rows_that_cannot_be_read_are_counted() -> None:
    found = parse_debug_database(
        DATABASE.replace("480,1,69,364", "480,1").replace('364,18,69,"MaxPool"', 'x,18,69,"MaxPool"')
    )
    assert found.passed_over == 2 and len(found.commands) == 5


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_any_damage_of_trace_and_database(data: st.DataObject) -> None:
    writer = TraceWriter()
    writer.stream(OFFSETS, CYCLES)
    writer.active("mac", 50, 5000)
    pieces = []
    for text in (writer.text(), DATABASE):
        start = data.draw(st.integers(0, len(text)))
        size = data.draw(st.integers(0, 40))
        pieces.append(text[:start] + data.draw(st.text(max_size=20)) + text[start + size :])
    try:
        database = parse_debug_database(pieces[1])
    except VelaDebugError as error:
        assert "\n" not in str(error)
        return
    events, reader = _events(pieces[0], data.draw(st.sampled_from([11, 500, 10**6])))
    assert reader.ended
    trace = _walk(database, events)
    assert trace.mapped <= len(trace.operators)
    trace_table(trace)
    json.dumps(trace_to_dict(trace), allow_nan=False)
