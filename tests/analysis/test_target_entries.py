"""What an entry of a file of targets may say, what it inherits, and which programs cannot run there."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ethosu_tui.analysis.meaning.assumptions import NOTHING, Assumptions, of_place, over
from ethosu_tui.analysis.meaning.boards import BOARDS
from ethosu_tui.analysis.program.reader import read_program
from ethosu_tui.analysis.program.writer import Replacement, Template
from ethosu_tui.analysis.target_entries.entry import KEYS, KINDS, Listed, read_file
from ethosu_tui.analysis.target_entries.figures import shown, unverified_keys
from ethosu_tui.analysis.target_entries.inherit import Place, place_of
from ethosu_tui.analysis.target_entries.judge import Hardware, Judgement, judge
from ethosu_tui.runners import target

from ..programs import program


def files(*documents: dict[str, Any]) -> list[Listed]:
    return [read_file({"targets": entries}, f"{number}.toml") for number, entries in enumerate(documents)]


def place(name: str, *documents: dict[str, Any]) -> Place:
    return place_of(name, files(*documents))


def told(name: str, *documents: dict[str, Any]) -> str:
    return "\n".join(map(str, place(name, *documents).problems))


def test_every_key_becomes_a_field_of_a_target() -> None:
    fields = set(target.Target.__slots__) - {"name", "origin"}
    renamed = {"clock": "clock_hz", "cpu_clock": "cpu_clock_hz", "macs": "npu_target", "base": "kind"}
    assert {renamed.get(key, key) for key in KEYS} <= fields
    assert fields <= {renamed.get(key, key) for key in KEYS}
    assert KINDS == target.KINDS


WRONG: dict[str, tuple[str, object, str]] = {
    "unknown": ("bauds", 115200, "[targets.lab] bauds: is not a key of a target; did you mean baud?"),
    "other word": ("port", "/dev/ttyS0", "did you mean url?"),
    "far": ("quux", 1, "use one of kind, base"),
    "text for a number": ("baud", "115200", "baud: '115200' is not a whole number; write it without quotes"),
    "true is no number": ("baud", True, "is not a whole number"),
    "range": ("baud", 0, "0 is out of range; give 50 to"),
    "text for a switch": ("pty", "yes", "neither true nor false"),
    "unknown kind": ("kind", "serail", "kind: 'serail' is not known; did you mean serial?"),
    "no such npu": ("npu", "ethos-u55-100", "did you mean ethos-u55-"),
    "another vendor": ("npu", "neural-art", "use one of ethos-u55, ethos-u65"),
    "unknown board": ("board", "alif-e9", "did you mean alif-e"),
    "shell text": ("flash", "west flash", 'write a command as ["program", "argument", ...]'),
    "no words": ("flash", [], "has 0 words"),
    "nested words": ("flash", ["west", ["flash"]], "is not a text"),
    "placeholder": ("flash", ["west", "{artifact}"], "did you mean {artefact}?"),
    "brace": ("flash", ["awk", "{"], "a single {"),
    "no time": ("timeout_seconds", 0, "give a number of seconds above 0"),
    "endless": ("timeout_seconds", float("inf"), "is not a time"),
    "no clock": ("clock", "fast", 'write "400MHz"'),
    "true clock": ("clock", True, "is not a clock"),
    "address": ("address", "here", "write it like 0x70000000"),
    "wide address": ("address", 1 << 32, "is not a 32-bit address"),
    "option for ssh": ("host", "-oProxyCommand=touch /tmp/x", "is not a host"),
    "host with blanks": ("host", "a b", "is not a host"),
    "scheme": ("url", "http://lab", "is not a serial port"),
    "memory": ("memories", {"psram": "8MiB"}, "external RAM is ddr"),
    "size": ("memories", {"sram": "much"}, "is not a size"),
    "empty": ("title", " ", "is empty"),
    "nul": ("elf", "a\0b", "contains a NUL"),
    "unverified": ("unverified", ["clok"], "'clok' is not a key of a target; did you mean clock?"),
    "of another kind": ("host", "lab", "host: is for targets of kind ssh, and this one is serial"),
    "u55 dedicated": ("memory_mode", "Dedicated_Sram", "cannot work with Dedicated_Sram"),
    "u85 config": ("system_config", "Ethos_U85_SYS_DRAM_Low", "is not a system config of the ethos-u55"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_one_sentence_with_its_place(case: str) -> None:
    key, value, words = WRONG[case]
    entry = {"kind": "serial", "npu": "ethos-u55-128", "url": "/dev/ttyS0", key: value}
    sentences = told("lab", {"lab": entry})
    assert words in sentences and f"0.toml: [targets.lab] {key}" in sentences, sentences
    assert "\n" not in sentences and "\0" not in sentences


def test_a_sound_entry_says_nothing() -> None:
    entry = {
        "kind": "serial", "url": "socket://lab:4000", "npu": "ethos-u55", "macs": 256, "clock": "400MHz", "cpu_clock": 4e8,
        "memories": {"sram": "4MiB", "ddr": 1 << 26}, "address": 0x70000000, "reset": "dtr", "until": "DONE",
        "flash": ["west", "flash", "--file={artefact}", ""], "timeout_seconds": 5, "baud": 921600,
    }  # fmt: skip
    found = place("lab", {"lab": entry})
    assert found.problems == () and found.npu_target == "ethos-u55-256"
    assert found.values["memories"] == (("sram", 4 << 20), ("ddr", 1 << 26))
    assert found.values["clock"] == found.values["cpu_clock"] == 4e8 and found.values["address"] == "0x70000000"
    assert found.values["reset"] == ("dtr",) and found.values["until"] == ("DONE",)
    assert found.values["flash"] == ("west", "flash", "--file={artefact}", "")


@pytest.mark.parametrize("name", ["-x", "Lab", "a b", "../x", "x" * 65, "x\x1b[31m", "é", ""])
def test_a_hostile_name_is_refused(name: str) -> None:
    (listed,) = files({name: {"kind": "host"}})
    assert not listed.entries
    (problem,) = listed.problems
    assert "is not a valid name for a target" in problem.text and "\x1b" not in str(problem)


@pytest.mark.parametrize("kind", KINDS)
def test_the_name_of_a_kind_is_refused(kind: str) -> None:
    (listed,) = files({kind: {"kind": kind}})
    assert not listed.entries and "is the name of a kind" in listed.problems[0].text


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ({"target": {}}, "did you mean targets?"),
        ({"targets": 3}, "is not a table of targets"),
        ({"targets": {"lab": 3}}, "3 is not a table; write [targets.lab]"),
        ({"targets": {"lab": {}}}, 'does not say how it is reached; add kind = "serial"'),
    ],
)
def test_a_file_of_another_shape_is_told(document: dict[str, Any], words: str) -> None:
    listed = read_file(document, "f.toml")
    found = [*listed.all_problems, *(p for name in listed.entries for p in place_of(name, [listed]).problems)]
    assert words in "\n".join(map(str, found))


@pytest.mark.parametrize("kind", KINDS)
def test_a_key_that_a_kind_would_pass_over_is_refused(kind: str) -> None:
    values: dict[str, Any] = {
        "until": "DONE", "reset": "dtr", "pty": True, "fast": True, "fetch": "x", "log": "x", "python": "x", "elf": "x",
        "timeout_seconds": 1,
    }  # fmt: skip
    refused = {
        key for key in values if f"] {key}: is for targets of kind" in told("x", {"x": {"kind": kind, **values}})
    }
    assert refused == {key for key in values if kind not in KEYS[key].kinds} != set()


def test_what_an_entry_lacks_is_that_of_its_base_and_each_value_knows_its_file() -> None:
    shipped = {"e8": {"kind": "serial", "board": "alif-e8-hp", "baud": 115200, "title": "E8"}}
    own = {"mine": {"base": "e8", "url": "/dev/ttyACM0", "baud": 57600}}
    found = place("mine", own, shipped)
    assert found.problems == () and found.npu_target == "ethos-u55-256"
    assert found.values["baud"] == 57600 and found.values["title"] == "E8"
    assert found.origins["baud"] == "0.toml" and found.origins["title"] == "1.toml"
    assert found.origins["macs"] == "board alif-e8-hp"
    clock = next(value for value in shown(found) if value.key == "clock")
    assert (clock.value, clock.source, clock.verified) == (4e8, "Alif documentation", True)


def test_a_base_of_the_same_name_is_that_of_a_later_file() -> None:
    found = place(
        "e8", {"e8": {"base": "e8", "url": "/dev/ttyACM0"}}, {"e8": {"kind": "serial", "board": "alif-e8-hp"}}
    )
    assert found.problems == () and found.values["kind"] == "serial" and found.values["url"] == "/dev/ttyACM0"


def test_an_entry_hides_one_of_the_same_name_whole() -> None:
    found = place("lab", {"lab": {"kind": "host"}}, {"lab": {"kind": "serial", "baud": 9600}})
    assert found.values == {"kind": "host"}


def test_bases_that_go_round_or_nowhere_are_told() -> None:
    loop = {"a": {"base": "b"}, "b": {"base": "c"}, "c": {"base": "a"}}
    assert "takes its settings from itself: a -> b -> c -> a" in told("a", loop)
    assert "takes its settings from itself" not in told("x", {"x": {"kind": "host"}}, loop)
    assert "there is no target 'mum'" in told("a", {"a": {"base": "mum"}})
    assert "did you mean board-1?" in told("a", {"a": {"base": "board1"}, "board-1": {"kind": "host"}})
    assert "there is no target 'me'" in told("me", {"me": {"base": "me"}})
    deep = {f"t{n}": {"base": f"t{n + 1}"} for n in range(40)} | {"t40": {"kind": "host"}}
    assert "has too many bases" in told("t0", deep)


def test_npu_macs_and_board_must_agree() -> None:
    assert "there is no ethos-u65 with 128 MACs; use one of 256, 512" in told(
        "x", {"x": {"kind": "fvp", "npu": "ethos-u65", "macs": 128}}
    )
    assert "contradicts npu = ethos-u55-128" in told("x", {"x": {"kind": "fvp", "npu": "ethos-u55-128", "macs": 64}})
    assert "that is not named" in told("x", {"x": {"kind": "fvp", "macs": 64}})
    board = {"kind": "serial", "board": "alif-e8-hp"}
    assert "the board alif-e8-hp has an ethos-u55-256" in told("x", {"x": {**board, "npu": "ethos-u85-256"}})
    assert "the board alif-e8-hp has an ethos-u55-256" in told("x", {"x": {**board, "macs": 128}})
    assert told("x", {"x": {"kind": "fvp", "board": "corstone-320", "macs": 1024}}) == ""
    hearsay = place("x", {"x": {"kind": "serial", "board": "psoc-edge-e84", "macs": 64}})
    assert hearsay.problems == () and hearsay.npu_target == "ethos-u55-64"


def test_figures_of_another_board_are_not_taken_over() -> None:
    base = {"kind": "serial", "board": "psoc-edge-e84", "clock": "300MHz", "unverified": ["clock"]}
    found = place("x", {"x": {"base": "b", "board": "ra8p1"}, "b": base})
    assert found.problems == () and "clock" not in found.values and unverified_keys(found) == ()
    assert found.npu_target == "ethos-u55-256"


def test_what_nobody_checked_is_marked_until_somebody_says_better() -> None:
    board = {"kind": "serial", "board": "psoc-edge-e84"}
    assert unverified_keys(place("x", {"x": board})) == ("clock", "macs")
    assert unverified_keys(place("x", {"x": {**board, "clock": "400MHz", "macs": 128}})) == ()
    doubted = place("x", {"x": {"base": "b"}, "b": {"kind": "serial", "clock": "1GHz", "unverified": ["clock"]}})
    assert unverified_keys(doubted) == ("clock",)


def judged(name: str, **facts: Any) -> Judgement:
    hardware = Hardware(**{"name": "the target lab", "npu": "ethos-u55", "macs": 128, "simulator": False, **facts})
    return judge(read_program(program(name)), name, hardware)


def rewritten(name: str, old: str, new: str) -> bytes:
    """The same program, compiled with other options as far as it says."""
    template = Template(program(name))
    changes = {}
    for number, method in enumerate(read_program(program(name)).methods):
        for delegate in method.delegates:
            specs = {spec.key: spec.value.replace(old, new).encode() for spec in delegate.compile_specs}
            changes[number, delegate.index] = Replacement(template.delegate_data(number, delegate.index), specs)
    return template.with_delegates(changes)


def test_a_program_for_another_npu_is_refused() -> None:
    assert judged("two_parts_u55_128.pte") == Judgement(None, ())
    refusal = judged("two_parts_u55_256_segments.pte").refusal
    assert refusal is not None and "compiled for ethos-u55-256, and the target lab has an ethos-u55-128" in refusal[0]
    assert "--target ethos-u55-128" in refusal[1]
    family = judged("two_parts_u55_128.pte", npu="ethos-u85", macs=None, simulator=True).refusal
    assert family is not None and "has an ethos-u85" in family[0] and "for an ethos-u85" in family[1]
    assert judged("two_parts_u55_128.pte", npu=None, macs=None).refusal is None
    assert judged("adds_float.pte").refusal is None


def test_an_npu_that_nobody_checked_refuses_nothing_and_is_named() -> None:
    found = judged("two_parts_u55_256_segments.pte", doubtful=True)
    assert found.refusal is None and any("nobody has checked" in note for note in found.notes)
    sure = judged("adds_u85_512_dedicated.pte", npu="ethos-u85", macs=256)
    assert sure.refusal is not None


def test_u55_with_dedicated_sram_is_refused_and_missing_timing_adapters_are_told() -> None:
    data = rewritten("two_parts_u55_128.pte", "Shared_Sram", "Dedicated_Sram")
    found = judge(read_program(data), "m.pte", Hardware("this FVP", "ethos-u55", 128, True))
    assert found.refusal is not None and "which an Ethos-U55 cannot work with" in found.refusal[0]
    data = rewritten("adds_u85_512_dedicated.pte", "Dedicated_Sram_512KB", "Shared_Sram")
    found = judge(read_program(data), "m.pte", Hardware("this FVP", "ethos-u85", 512, True))
    assert found.refusal is None and any("no timing adapters" in note and "Shared_Sram" in note for note in found.notes)
    board = judge(read_program(data), "m.pte", Hardware("the board", "ethos-u85", 512, False))
    assert board == Judgement(None, ())
    assert judged("two_parts_u55_128.pte", simulator=True).notes == ()


def test_memory_that_is_too_small_is_told_with_the_figure() -> None:
    (note,) = judged("two_parts_u55_128.pte", memories=(("sram", 1024), ("flash", 1 << 20))).notes
    assert "does not fit on the target lab" in note and "sram: 1.0 KiB" in note
    assert judged("two_parts_u55_128.pte", memories=(("sram", 1 << 20), ("flash", 1 << 20))).notes == ()


def test_a_runner_that_was_built_for_another_memory_mode_is_told() -> None:
    (note,) = judged("two_parts_u55_128.pte", memory_mode="Sram_Only").notes
    assert "built for Sram_Only" in note
    assert judged("two_parts_u55_128.pte", memory_mode="Shared_Sram").notes == ()
    (other,) = judged("two_parts_u55_128.pte", simulator=True, system_config="Ethos_U55_Deep_Embedded").notes
    assert "compiled for Ethos_U55_High_End_Embedded" in other and "built for Ethos_U55_Deep_Embedded" in other
    same = judged("two_parts_u55_128.pte", simulator=True, system_config="Ethos_U55_High_End_Embedded")
    assert same.notes == ()


def test_the_target_of_a_run_gives_clocks_unless_the_user_says_better() -> None:
    facts = {"board": "alif-e8-hp", "npu_clock_hz": 4e8, "npu_clock_from": "targets.lab.clock"}
    found = of_place(facts)
    assert (found.board, found.npu_clock_hz, found.npu_clock_source) == ("alif-e8-hp", 4e8, "targets.lab.clock")
    assert over(NOTHING, found) is found and over(Assumptions(board="imx93"), NOTHING).board == "imx93"
    assert over(Assumptions(model_macs=3), found) == found._replace(model_macs=3)
    asked = over(Assumptions(npu_clock_hz=1e9), found)
    assert (asked.npu_clock_hz, asked.npu_clock_source) == (1e9, "assumptions.npu_clock_hz")
    assert over(Assumptions(board="imx93"), found).npu_clock_hz is None


@pytest.mark.parametrize(
    "facts",
    [
        None, 3, [], {}, {"board": "nowhere"}, {"board": 3}, {"npu_target": ["x"]}, {"npu_clock_hz": 4e8},
        {"npu_clock_hz": "fast", "npu_clock_from": "targets.a.clock"}, {"npu_clock_hz": 4e8, "npu_clock_from": "\x1b[31m"},
        {"npu_clock_hz": True, "npu_clock_from": "targets.a.clock"}, {"npu_clock_hz": float("nan"), "npu_clock_from": "targets.a.clock"},
    ],
)  # fmt: skip
def test_a_manifest_that_makes_no_sense_gives_nothing(facts: object) -> None:
    assert of_place(facts) is NOTHING


def test_every_board_says_who_counts_its_macs() -> None:
    for board in BOARDS.values():
        assert board.npu_source, board.name
        assert board.macs_verified == (board.name not in ("mps4-u85", "psoc-edge-e84"))


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from((*KINDS, *BOARDS, "a")),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(max_size=4), inside, max_size=3),
    max_leaves=4,
)
ENTRIES = st.dictionaries(st.sampled_from((*KEYS, "x")), VALUES, max_size=6)


@given(st.dictionaries(st.sampled_from("abc"), ENTRIES | VALUES, max_size=3))
@settings(max_examples=50)
def test_any_values_give_targets_or_sentences(entries: dict[str, Any]) -> None:
    listed = read_file({"targets": entries}, "f.toml")
    for name in listed.entries:
        found = place_of(name, [listed])
        shown(found)
        for problem in found.problems:
            assert str(problem).isprintable() and len(str(problem)) < 2000
