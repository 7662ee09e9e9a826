"""How source lines decide on a release, with tables made up here: each file has few versions, so each rule shows alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pytest

from ethosu_tui.analysis.release import identify as module
from ethosu_tui.analysis.release.identify import Release, best_match, identify, spell
from ethosu_tui.analysis.release.lines_runner import MAIN

HEADER = "20240201=0.2.0,0.2.1 20240501=0.3.0 20240701= 20240801=0.4.0 20241001=main"
"""Five versions; the third was never released."""
TABLE = (HEADER, "Alpha|10:0-1 12:2 14:3-4\nBeta|20:0 21:1 22:2 23:3 24:4\nGamma|30:0-4\n|40:0+2 50:3")
LETTERS = "0abcdefghij"
MOVED = ("20240501=0.3.0", "\n".join(f"Sentence {LETTERS[n]}|{n}0:0" for n in range(1, 9)) + "\nFour|900:0")
TABLES = {
    "one.cpp": TABLE,
    "two.cpp": TABLE,
    "later.cpp": ("20240715= 20240915=0.4.0", "Delta|7:0 8:1"),
    "newest.cpp": ("20240915=0.4.0 20260801=", "Delta|7:0 8:1"),
    "crossing.cpp": ("20240601= 20240701=", "Delta|7:0 8:1"),
    "moved.cpp": MOVED,
}
Places = Sequence[tuple[str, int, str]]


@pytest.fixture(autouse=True)
def _tables(monkeypatch: pytest.MonkeyPatch) -> None:
    def tables(file: str) -> Iterable[tuple[str, str]]:
        return iter([TABLES[file]] if file in TABLES else [])

    monkeypatch.setattr(module, "tables", tables)
    module._identify.cache_clear()


def told(places: Places, kinds: Iterable[str] = (), **options: bool) -> tuple[str | None, str]:
    """The version and the evidence; the lines of the log are 11, 12 and so on."""
    named = {(file, line): (text, at) for at, (file, line, text) in enumerate(places, 11)}
    version, evidence, _ = identify(named, frozenset(kinds), **options)
    return version, evidence or ""


@pytest.mark.parametrize(
    ("places", "releases"),
    [
        ([(21, "Beta and more")], {"0.3.0"}),
        ([(10, "Alpha"), (20, "Beta")], {"0.2.0", "0.2.1"}),
        ([(14, "Alpha"), (24, "Beta")], {"main"}),
        ([(30, "Gamma")], {"0.2.0", "0.2.1", "0.3.0", "0.4.0", "main"}),
        ([(21, "Other")], None),
        ([(2, "Beta")], None),
        ([(1, "Beta")], None),
        ([(40, "a text that the table does not know")], None),
        ([(20, "Beta"), (40, "a text that the table does not know")], {"0.2.0", "0.2.1"}),
        ([(22, "Beta"), (40, "a text that the table does not know")], frozenset()),
        ([(21, "Beta"), (30, "Gamma"), (10, "Alpha"), (98, "Beta"), (99, "Beta")], {"0.3.0"}),
        ([(21, "Beta"), (10, "Alpha"), (97, "Beta"), (98, "Beta"), (99, "Beta")], None),
    ],
)
def test_the_version_that_prints_most_lines_is_it(
    places: list[tuple[int, str]], releases: frozenset[str] | None
) -> None:
    match = best_match(TABLE, "one.cpp", places)
    assert (match.releases if match is not None else None) == releases
    if match is not None:
        assert match.total == len(places) and match.shift == 0
        assert match.hits == tuple(("one.cpp", line) for line, _ in places if line < 90)


def test_days_are_those_from_a_version_to_the_next() -> None:
    match = best_match(TABLE, "one.cpp", [(12, "Alpha"), (22, "Beta")])
    assert match is not None and match.days == ((20240701, 20240801),)
    match = best_match(TABLE, "one.cpp", [(14, "Alpha")])
    assert match is not None and match.days == ((20240801, 20241001), (20241001, 99_999_999))


def test_files_of_one_release_name_it_with_lines_of_the_log() -> None:
    version, evidence = told([("one.cpp", 21, "Beta"), ("two.cpp", 21, "Beta"), ("one.cpp", 30, "Gamma")])
    assert version == "0.3.0"
    assert evidence == "3 of 3 source lines are where 0.3.0 prints them: one.cpp:21 (line 11), one.cpp:30 (line 13)"
    _, evidence = told([("one.cpp", 21, "Beta")])
    assert evidence.startswith(
        "the one source line is where 0.3.0 prints them: one.cpp:21 (line 11); a single line is no"
    )


def test_the_line_of_the_answer_is_the_first_that_fits() -> None:
    places = {("one.cpp", 99): ("Beta", 4), ("one.cpp", 21): ("Beta", 9), ("one.cpp", 30): ("Gamma", 7)}
    assert identify(places, ()) == Release(
        "0.3.0", "2 of 3 source lines are where 0.3.0 prints them: one.cpp:30 (line 7), one.cpp:21 (line 9)", 7
    )


def test_a_file_whose_lines_fit_no_version_is_named_beside_the_answer() -> None:
    places = [("one.cpp", 21, "Beta"), ("one.cpp", 30, "Gamma"), ("two.cpp", 99, "Beta"), ("unheard.cpp", 5, "Text")]
    version, evidence = told(places)
    assert version == "0.3.0" and evidence.endswith("; two.cpp is of no known version")
    assert evidence.startswith("2 of 3 source lines")


def test_the_shape_of_lines_narrows_and_never_contradicts_source_lines() -> None:
    everywhere = [("one.cpp", 30, "Gamma"), ("two.cpp", 30, "Gamma")]
    assert told(everywhere)[0] == "0.2.0..main"
    version, evidence = told(everywhere, ["no_bracket"])
    assert version == "0.2.0..0.3.0" and evidence.endswith(" and the shape of the lines (a prefix without bracket)")
    version, evidence = told([("one.cpp", 24, "Beta"), ("two.cpp", 24, "Beta")], ["no_bracket"])
    assert version == "main" and f"where main at {MAIN} (" in evidence and "shape" not in evidence


def test_versions_between_releases_are_called_development() -> None:
    version, evidence = told([("one.cpp", 22, "Beta"), ("one.cpp", 12, "Alpha")])
    assert version == "0.4-dev"
    span = "main from 2024-07-01 to 2024-08-01, after 0.3.0 was branched off and before 0.4.0"
    assert evidence.startswith(
        f"2 of 2 source lines are where {span} prints them, no release does: one.cpp:22 (line 11)"
    )
    version, evidence = told([("one.cpp", 22, "Beta"), ("later.cpp", 7, "Delta")])
    assert version == "0.4-dev" and "main from 2024-07-15 to 2024-08-01" in evidence
    version, evidence = told([("newest.cpp", 8, "Delta")])
    assert version == "main" and "where main from 2026-08-01, after 1.4.1 was branched off prints" in evidence


def test_a_stretch_with_a_release_inside_has_no_name() -> None:
    version, evidence = told([("crossing.cpp", 7, "Delta")])
    assert version is None and "its 1 source lines are those of no release" in evidence


@pytest.mark.parametrize(("lines", "version"), [(3, "0.2.0/0.2.1"), (2, None)])
def test_files_of_different_times_need_most_of_the_lines(lines: int, version: str | None) -> None:
    of_one = [("one.cpp", 20, "Beta"), ("one.cpp", 10, "Alpha"), ("one.cpp", 30, "Gamma")][:lines]
    found, evidence = told([("two.cpp", 23, "Beta"), *of_one])
    assert found == version
    first = f"one.cpp is of 0.2.0/0.2.1 ({lines} of {lines} lines), two.cpp is of 0.4.0 (1 of 1 lines)"
    assert evidence.startswith(f"the files are of no one version: {first}; one.cpp:20 (line 12)")
    other = [("two.cpp", 23, "Beta"), ("two.cpp", 14, "Alpha"), ("two.cpp", 30, "Gamma")]
    assert told([*other, *of_one])[0] == ("0.4.0" if lines == 2 else None)


@pytest.mark.parametrize(("right", "wrong", "found"), [(5, 0, True), (4, 0, False), (6, 2, True), (5, 2, False)])
@pytest.mark.parametrize(("shift", "where"), [(7, "7 lines below"), (-3, "3 lines above")])
def test_a_fork_is_known_by_five_lines_that_moved_alike(
    right: int, wrong: int, found: bool, shift: int, where: str
) -> None:
    moved = [("moved.cpp", 10 * n + shift, f"Sentence {LETTERS[n]}") for n in range(1, right + 1)]
    others = [("moved.cpp", 500 + 13 * n, f"Sentence {LETTERS[n]}") for n in range(7, 7 + wrong)]
    version, evidence = told([*moved, *others])
    if not found:
        assert version is None and "fork of" not in evidence
        return
    assert version == "0.3.0"
    said = f"a fork of 0.3.0: {right} of {right + wrong} lines of moved.cpp stand {where} their place there, "
    assert evidence.startswith(f"{said}moved.cpp:{10 + shift} (line 11)")


def test_texts_of_four_characters_prove_no_fork() -> None:
    moved = [("moved.cpp", 10 * n + 7, f"Sentence {LETTERS[n]}") for n in range(1, 5)]
    assert told([*moved, ("moved.cpp", 907, "Four")])[0] is None


@pytest.mark.parametrize(("lines", "version"), [(3, "0.6.0/0.7.0"), (4, None)])
def test_four_lines_of_no_release_are_a_fork_whose_shape_says_nothing(lines: int, version: str | None) -> None:
    unknown = [("one.cpp", 990 + n, "Beta") for n in range(lines)]
    found, evidence = told(unknown, ["pte_at"])
    assert found == version
    assert f"its {lines} source lines are those of no release" in evidence
    assert told(unknown, ["planned_fast"])[0] == "main", "no release has lost what only main prints"


def test_the_shape_alone_leaves_a_range_or_nothing() -> None:
    assert told([], ["pte_at"]) == ("0.6.0/0.7.0", "the shape of the lines: PTE in")
    assert told([], ["pte_at", "executed"]) == told([], ["pte_at"]), "only what narrows is named"
    assert told([], ["pte_at", "pte_magic"]) == (None, ""), "no release prints both"
    assert told([], ["no_bracket"])[0] == "0.1.0..0.3.0"
    assert told([("one.cpp", 99, "Beta")], ["no_bracket"])[0] is None, "ports print such prefixes, too"
    assert told([("one.cpp", 99, "Beta")], ["no_bracket", "executed"])[0] == "0.1.0..0.3.0"
    assert told([], ["iteration"], bare_metal=False)[0] == "1.3.0..main"
    assert told([], ["iteration"]) == told([], ["pte_at"], bare_metal=False) == (None, "")


def test_a_range_of_more_than_six_minor_releases_is_not_given() -> None:
    six = [f"0.{minor}.0" for minor in range(1, 7)]
    assert spell(six) == "0.1.0..0.6.0"
    assert spell([*six, "0.7.0"]) is None
    assert spell(["0.2.0", "0.2.1", "0.3.0"]) == "0.2.0..0.3.0"
