"""Tells the ExecuTorch release that printed a log, by the source lines in the log prefixes and the shape of the lines.

Every prefix names a file and a line (`arm_executor_runner.cpp:603`), and few versions of that file print that text
there. Several lines together leave one release, a stretch of development between two, or none (a fork). Without line
numbers, texts that came and went over the years leave a range. Only what was seen is used, each answer says what it
rests on, and a range of half of all releases is not given.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache

from ..cleaning import compiled
from ..named_tuple import TYPE_CHECKING, NamedTuple
from .lines_runner import MAIN, MAIN_DAY, RELEASES

if TYPE_CHECKING:
    from ..draft import RunDraft

_NAMES = (*RELEASES, "main")
_NEVER = 99_999_999
DIGITS = "0123456789"
_RANK = r"\(line (\d+)\)"
_PROOF_OF_A_FORK = 4
"""So many source lines of a runner that no release has prove a fork, which may have changed the shape of the lines too.
"""
_WIDE = 6
"""An answer of more minor releases than this is not given."""

Places = Mapping[tuple[str, int], tuple[str, int]]
"""(source file, source line) to (first characters of the message, line of the log)."""


class Release(NamedTuple):
    """An answer: `version` as in "1.1.0", "1.0.0/1.0.1", "1.2.0..main", "1.0-dev" or None, its evidence, and a line of
    the log.
    """

    version: str | None
    evidence: str | None
    line: int | None


class _Match(NamedTuple):
    """For one file: the releases and the days on main whose version of it prints these lines at these places."""

    file: str
    releases: frozenset[str]
    days: tuple[tuple[int, int], ...]
    hits: tuple[tuple[str, int], ...]
    total: int
    shift: int


NOTHING = Release(None, None, None)

_SHAPES: dict[str, tuple[str, str, str]] = {
    "model_at": ("0.3.0", "0.5.0", "Model in"),
    "pte_at": ("0.6.0", "0.7.0", "PTE in"),
    "pte_magic": ("1.0.0", "main", "PTE @"),
    "method_pool": ("0.5.0", "main", "Setup Method allocator pool"),
    "loaded_size": ("0.5.0", "main", "model_pte_loaded_size"),
    "program_size": ("0.6.0", "main", "model_pte_program_size"),
    "method_use": ("0.5.0", "main", "method_allocator_used"),
    "method_planned": ("0.5.0", "main", "method_allocator_planned"),
    "method_loaded_bytes": ("0.5.0", "main", "method_allocator_loaded"),
    "method_input": ("0.5.0", "main", "method_allocator_input"),
    "method_executor": ("0.5.0", "main", "method_allocator_executor"),
    "temp_use": ("0.5.0", "0.6.0", "temp_allocator_used"),
    "peak_temp": ("0.7.0", "0.7.0", "peak_temp_allocator"),
    "temp_capacity": ("1.0.0", "main", "temp_allocator without a use"),
    "executed": ("0.1.0", "0.7.0", "Model executed successfully."),
    "inferences": ("0.4.0", "main", "NPU Inferences"),
    "delegations": ("1.0.0", "main", "NPU delegations"),
    "inferences_finished": ("1.0.0", "main", "inferences finished"),
    "model_run": ("1.0.0", "main", "Model run"),
    "bundle_result": ("0.6.0", "main", "BundleIO"),
    "bundle_stats": ("1.0.0", "main", "Error stats for testset"),
    "etdump_pool": ("1.0.0", "main", "ETDump_outputs_buffer"),
    "planned_fast_pool": ("main", "main", "FAST_MEMORY_REGION"),
    "planned_fast": ("main", "main", "planned_fast_allocator"),
    "server_done": ("main", "main", "server mode"),
    "mem_id": ("main", "main", "planned buffers by mem_id"),
    "planned_index": ("0.1.0", "1.4.1", "planned buffers by index"),
    "driver_files": ("main", "main", "a backend in files named after the drivers"),
    "five_counters": ("0.5.0", "1.0.1", "five PMU counters"),
    "seven_counters": ("1.1.0", "main", "seven PMU counters"),
    "no_bracket": ("0.1.0", "0.3.0", "a prefix without bracket"),
    "no_function": ("0.4.0", "0.6.0", "a prefix without function"),
    "function": ("0.7.0", "main", "a prefix with the function"),
}
"""First and last release that print it so, and its name for people: the bare-metal runner only."""
_OTHER_SHAPES: dict[str, tuple[str, str, str]] = {
    "input_image": ("1.3.0", "main", "the image classification sample for Zephyr"),
    "delegate_of_os": ("1.2.0", "main", "Ethos-U Linux delegate"),
    "model_loaded_time": ("1.3.0", "main", "Model loaded in ... ms"),
    "iteration": ("1.3.0", "main", "Iteration ... of"),
    "driver_files": ("main", "main", "a backend in files named after the drivers"),
}
"""The same for Zephyr samples and the Linux runner."""


_DRIVER_FILES = ("EthosUBackend_CoreDriver.cpp", "EthosUBackend_LinuxDriver.cpp")
"""New names on main of _Cortex_M and _Cortex_A, after the last version whose lines are known."""
_ALL_SHAPES = frozenset((*_SHAPES, *_OTHER_SHAPES))


def tables(file: str) -> Iterable[tuple[str, str]]:
    """The versions and texts of every file of this name, the likeliest first."""
    from .lines_runner import LINES as runner

    if file in runner:
        yield _halves(runner[file])
    from .lines_core import LINES as core
    from .lines_ports import LINES as ports

    for lines in (ports, core):
        for name in (file, file + "'", file + "''"):
            if name in lines:
                yield _halves(lines[name])


def _halves(table: str) -> tuple[str, str]:
    versions, _, texts = table.partition("\n")
    return versions, texts


def _versions(spans: str) -> Iterable[int]:
    for span in spans.split("+"):
        first, _, last = span.partition("-")
        yield from range(int(first), int(last or first) + 1)


def best_match(table: tuple[str, str], file: str, places: list[tuple[int, str]]) -> _Match | None:
    """The versions of a file that print most of these lines at their places; None where too few fit."""
    votes: dict[int, list[tuple[str, int]]] = {}
    certain: set[int] = set()
    rows = [row.partition("|") for row in table[1].split("\n")]
    for line, text in places:
        found: set[int] = set()
        needle = f" {line}:"
        for head, _, entries in rows:
            at = (" " + entries).find(needle) if text.startswith(head) else -1
            if at >= 0:
                spans = list(_versions(entries[at + len(needle) - 1 :].split(" ", 1)[0]))
                found.update(spans)
                certain.update(spans if head else ())
        for version in found:
            votes.setdefault(version, []).append((file, line))
    if not votes:
        return None
    most = max(map(len, votes.values()))
    best = [version for version in votes if len(votes[version]) == most]
    if most * 5 < len(places) * 3 or not certain.intersection(best):
        return None
    return _match(table[0], file, best, tuple(votes[best[0]]), len(places), 0)


def _match(
    header: str, file: str, best: list[int], hits: tuple[tuple[str, int], ...], total: int, shift: int
) -> _Match:
    entries = [entry.partition("=") for entry in header.split(" ")]
    days = [int(day) for day, _, _ in entries] + [_NEVER]
    releases = frozenset(name for version in best for name in entries[version][2].split(",") if name)
    return _Match(file, releases, tuple(sorted((days[v], days[v + 1]) for v in best)), hits, total, shift)


def _shifted(table: tuple[str, str], file: str, places: list[tuple[int, str]]) -> _Match | None:
    """The version that a fork started from: most of its lines moved by the same number of lines."""
    votes: dict[tuple[int, int], list[tuple[str, int]]] = {}
    rows = [row.partition("|") for row in table[1].split("\n")]
    for line, text in places:
        seen: set[tuple[int, int]] = set()
        for head, _, entries in rows:
            if len(head) < 5 or not text.startswith(head):
                continue
            for entry in entries.split(" "):
                there, _, spans = entry.partition(":")
                seen.update((version, line - int(there)) for version in _versions(spans))
        for key in seen:
            votes.setdefault(key, []).append((file, line))
    if not votes:
        return None
    most = max(map(len, votes.values()))
    if most < 5 or most * 4 < len(places) * 3:
        return None
    shift = min((key[1] for key in votes if len(votes[key]) == most), key=abs)
    best = [version for version, by in votes if by == shift and len(votes[version, by]) == most]
    return _match(table[0], file, best, tuple(votes[best[0], shift]), len(places), shift)


def _first(files: dict[str, list[tuple[int, str]]]) -> list[_Match]:
    matches = []
    for file, places in files.items():
        best = None
        for table in tables(file):
            match = best_match(table, file, places)
            if match is not None and (best is None or len(match.hits) > len(best.hits)):
                best = match
                if len(match.hits) == len(places):
                    break  # nothing is better, and the other tables need not be imported
        if best is not None:
            matches.append(best)
    return matches


def _forked(files: dict[str, list[tuple[int, str]]]) -> list[_Match]:
    matches = []
    for file, places in files.items():
        found = [match for table in tables(file) if (match := _shifted(table, file, places)) is not None]
        if found:
            matches.append(max(found, key=lambda match: len(match.hits)))
    return matches


def _shape(kinds: Collection[str], bare_metal: bool) -> tuple[frozenset[str], list[str]]:
    """The releases that print everything in this shape, and the names of the shapes that decided."""
    table = _SHAPES if bare_metal else _OTHER_SHAPES
    left, names = list(_NAMES), []
    for kind, (first, last, name) in table.items():
        if kind not in kinds:
            continue
        allowed = set(_NAMES[_NAMES.index(first) : _NAMES.index(last) + 1])
        rest = [release for release in left if release in allowed]
        if not rest:  # an edited log, or a port that mixes eras: its shape tells nothing
            return frozenset(_NAMES), []
        if len(rest) < len(left):
            left = rest
            names.append(name)
    return frozenset(left), names


def _between(matches: list[_Match]) -> tuple[int, int] | None:
    """The first and last day on main that suit every file; None where no day does."""
    spans = [(0, _NEVER)]
    for match in matches:
        spans = [(max(a, c), min(b, d)) for a, b in spans for c, d in match.days if max(a, c) < min(b, d)]
    return (spans[0][0], spans[-1][1]) if spans else None


def spell(releases: Collection[str]) -> str | None:
    """Releases as one text: "1.1.0", "1.0.0/1.0.1", "1.2.0..main"; None where that would be too many."""
    numbers = sorted(_NAMES.index(name) for name in releases)
    names = [_NAMES[number] for number in numbers]
    if not names or len({name.rpartition(".")[0] for name in names}) > _WIDE:
        return None
    if len(names) <= 2:
        return "/".join(names)
    return f"{names[0]}..{names[-1]}"


def _day(day: int) -> str:
    return f"{day // 10000}-{day // 100 % 100:02}-{day % 100:02}"


def _development(first: int, last: int) -> tuple[str, str]:
    """The name of a stretch of main ("1.0-dev"), and words for it."""
    after = [name for name, cut in RELEASES.items() if cut <= first]
    before = [name for name, cut in RELEASES.items() if cut > first]
    words = f"main from {_day(first)}" + (f" to {_day(last)}" if last < _NEVER else "")
    words += f", after {after[-1]} was branched off" if after else ""
    if not before:
        return "main", words
    minor = before[0].rpartition(".")[0]
    return f"{minor}-dev", f"{words} and before {before[0]}"


def _where(matches: list[_Match], places: Places) -> str:
    """Two of the lines, for people to look at."""
    hits = sorted((hit for match in matches for hit in match.hits), key=lambda hit: places[hit][1])
    chosen = hits if len(hits) <= 2 else [hits[0], hits[-1]]
    return ", ".join(f"{file}:{line} (line {places[file, line][1]})" for file, line in chosen)


def _sum(matches: list[_Match], total: int) -> str:
    hits = sum(len(match.hits) for match in matches)
    return f"{hits} of {total} source lines are" if total > 1 else "the one source line is"


def identify(places: Places, kinds: Collection[str], *, bare_metal: bool = True) -> Release:
    """Name the release by the source lines of a run and the `kinds` of its events and prefixes (keys of `_SHAPES`)."""
    # lines of the log by their rank, and texts without a figure's digits, so that runs of one kind are looked up once
    ranks = {at: rank for rank, at in enumerate(sorted({at for _, at in places.values()}))}
    entries = tuple((*key, text.rstrip(DIGITS), ranks[at]) for key, (text, at) in places.items())
    version, evidence, line = _identify(entries, frozenset(kinds), bare_metal)
    lines = list(ranks)
    if evidence is not None and "(line " in evidence:
        evidence = compiled(_RANK).sub(lambda rank: f"(line {lines[int(rank[1])]})", evidence)
    return Release(version, evidence, None if line is None else lines[line])


def release_of(draft: RunDraft, kind: str) -> Release:
    """The release of a run; `kind` is the kind of its runner."""
    if not draft.started or kind in ("mlek", "other") and not draft.places:
        return NOTHING
    kinds = {*draft.seen, *draft.shapes}
    if draft.planned_buffers:
        kinds.add("planned_index" if 0 in draft.planned_buffers else "mem_id")
    kinds.add({5: "five_counters", 7: "seven_counters"}.get(len(draft.block.counters), ""))
    kinds.add("driver_files" if any(file in _DRIVER_FILES for file, _line in draft.places) else "")
    return identify(draft.places, kinds & _ALL_SHAPES, bare_metal=kind == "arm_executor_runner")


@lru_cache(maxsize=256)
def _identify(entries: tuple[tuple[str, int, str, int], ...], kinds: frozenset[str], bare_metal: bool) -> Release:
    places = {(file, line): (text, at) for file, line, text, at in entries}
    files: dict[str, list[tuple[int, str]]] = {}
    for (file, line), (text, _at) in places.items():
        files.setdefault(file, []).append((line, text))
    shape, names = _shape(kinds, bare_metal)
    known = {file: lines for file, lines in files.items() if next(iter(tables(file)), None) is not None}
    matches = _first(known)
    total = sum(map(len, known.values()))
    if not matches:
        return _without(known, places, shape, names, total)
    at = min(places[hit][1] for match in matches for hit in match.hits)
    alone = sum(len(match.hits) for match in matches) == 1
    doubt = "; a single line is no proof: a fork may print it there too" if alone else ""
    exact = frozenset(_NAMES).intersection(*(match.releases for match in matches))
    strangers = [file for file in known if file not in {match.file for match in matches}]
    also = f"; {', '.join(strangers[:2])} is of no known version" if strangers else ""
    if exact:
        narrowed = exact & shape or exact
        version = spell(narrowed)
        if version is None:
            return NOTHING
        by = f" and the shape of the lines ({', '.join(names[-2:])})" if narrowed != exact else ""
        noun = f"main at {MAIN} ({_day(MAIN_DAY)})" if version == "main" else version
        text = f"{_sum(matches, total)} where {noun} prints them: {_where(matches, places)}{by}{also}{doubt}"
        return Release(version, text, at)
    between = _between(matches)
    if between is not None and any(between[0] < cut < between[1] for cut in RELEASES.values()):
        return _without(
            {}, places, shape, names, total
        )  # it came and went over several releases: no stretch has a name
    if between is not None:
        version, words = _development(*between)
        text = (
            f"{_sum(matches, total)} where {words} prints them, no release does: {_where(matches, places)}{also}{doubt}"
        )
        return Release(version, text, at)
    return _disagreeing(matches, places, total, at)


def _possible(fork: _Match, shape: frozenset[str]) -> _Match | None:
    """The fork without days on main that printed lines of another shape; None where none are left."""
    numbers = sorted(map(_NAMES.index, shape))
    days = list(RELEASES.values())
    after = days[numbers[0] - 1] if numbers[0] else 0
    before = days[numbers[-1] + 1] if numbers[-1] + 1 < len(days) else _NEVER
    left = tuple((first, last) for first, last in fork.days if last > after and first < before)
    return fork._replace(days=left) if left or fork.releases else None


def _without(
    files: dict[str, list[tuple[int, str]]], places: Places, shape: frozenset[str], names: list[str], total: int
) -> Release:
    """The answer where no source line is at its place in any release: a fork that moved them, or a port without line
    numbers.
    """
    forks = [fork for match in _forked(files) if (fork := _possible(match, shape)) is not None]
    if forks:
        fork = max(forks, key=lambda match: len(match.hits))
        at = min(places[hit][1] for hit in fork.hits)
        narrowed = fork.releases & shape or fork.releases
        version, words = spell(narrowed), ""
        if version is None:
            version, words = _development(fork.days[0][0], fork.days[-1][1])
        where = f"{abs(fork.shift)} lines {'below' if fork.shift > 0 else 'above'}"
        text = f"a fork of {words or version}: {len(fork.hits)} of {fork.total} lines of {fork.file} stand {where} their place there"
        return Release(version, f"{text}, {_where([fork], places)}", at)
    newer = shape == {"main"}  # no release has lost what only main prints: it is main of a later day, or a fork of it
    told = bool(names) and not (total and names == [_SHAPES["no_bracket"][2]])  # ports print such prefixes, too
    version = spell(shape) if told and (newer or total < _PROOF_OF_A_FORK) else None
    odd = (
        f"; its {total} source lines are those of no release, so it is a fork or a development version" if total else ""
    )
    if version is None:
        return Release(None, odd[2:] or None, None)
    return Release(version, f"the shape of the lines: {', '.join(names)}{odd}", None)


def _disagreeing(matches: list[_Match], places: Places, total: int, at: int) -> Release:
    """The answer where the files are from different times: an edited log, or a fork that mixes versions."""
    matches = sorted(matches, key=lambda match: -len(match.hits))
    says = []
    for match in matches[:3]:
        name = spell(match.releases) or _development(match.days[0][0], match.days[-1][1])[0]
        says.append(f"{match.file} is of {name} ({len(match.hits)} of {match.total} lines)")
    most = matches[0]
    version = None
    if len(most.hits) * 2 > total and len(most.hits) > 2:
        version = spell(most.releases) or _development(most.days[0][0], most.days[-1][1])[0]
    return Release(version, f"the files are of no one version: {', '.join(says)}; {_where(matches[:1], places)}", at)
