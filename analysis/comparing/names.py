"""Labels of columns without the parts that all of them share."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from ..named_tuple import TYPE_CHECKING

if TYPE_CHECKING:
    from .sides import Side

LONG = 16
"""A label over so many characters is taken apart at its joints too."""
_MOST = 20
"""A label over so many characters is cut in its middle."""
_ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"
_STAMP = re.compile(r"(\d{8})-(\d\d)(\d\d)(\d\d)-")
"""How the name of a run folder begins."""
_COUNT = re.compile(r"(?:#| x)\d+\Z")
"""The number of a run in its log, or how many repeats stand for one."""


def short_labels(labels: Sequence[str], sources: Sequence[str] = (), *, long: int = LONG) -> list[str]:
    """The labels without what all of them share. No two are equal, as far as label and source allow.

    Words that all labels have are left out. Of labels over `long` characters, parts between "_", "-" and the like are
    left out too, and if that is not enough, their middle. Equal labels are told apart by the end of their source, else
    by a number.
    """
    labels = [" ".join(label.split()) for label in labels]
    if sources:
        labels = distinct_labels(labels, sources)
    short = _without_shared([label.split(" ") for label in labels], " ")
    if max(map(len, short), default=0) > long:
        parts = [joined.strip("_-./ ,") or whole for joined, whole in zip(_at_joints(short), short, strict=True)]
        short = [_with_word(part, whole) for part, whole in zip(parts, short, strict=True)] if _bare(parts) else parts
    return _numbered([_cut(label, _MOST) for label in short])


def labels_of(sides: Sequence[Side]) -> list[str]:
    """The labels of the columns. No two are equal, as far as label and source allow."""
    return distinct_labels([side.label for side in sides], [side.source for side in sides])


def distinct_labels(labels: Sequence[str], sources: Sequence[str]) -> list[str]:
    """The labels; if several inputs have the same one, each gets the end of its source, and a run folder the time in
    its name.
    """
    stems = [label if label in source else _COUNT.sub("", label) for label, source in zip(labels, sources, strict=True)]
    ends = _ends(stems, sources)
    stamps = [match.groups() if (match := _STAMP.match(end)) is not None else None for end in ends]
    days = {stamp[0] for stamp in stamps if stamp is not None}
    times = [
        "" if one is None else ":".join(one[1:]) if len(days) == 1 else f"{one[0]}-{':'.join(one[1:])}"
        for one in stamps
    ]
    if Counter(times).most_common(1)[0][1] == 1:
        ends = [time or end for time, end in zip(times, ends, strict=True)]
    ends_of = _by_stem(stems, ends)
    in_folders = {stem for stem, found in ends_of.items() if _told_by_folders(stem, found)}
    return [
        label if len(ends_of[stem]) == 1 else _with_end(label, end, in_folder=stem in in_folders)
        for label, stem, end in zip(labels, stems, ends, strict=True)
    ]


def _by_stem(stems: Sequence[str], texts: Sequence[str]) -> dict[str, set[str]]:
    """The different texts that go with each stem."""
    found: dict[str, set[str]] = {}
    for stem, text in zip(stems, texts, strict=True):
        found.setdefault(stem, set()).add(text)
    return found


def _told_by_folders(stem: str, ends: set[str]) -> bool:
    """Whether these are all logs of one name, each in a folder of its own."""
    parts = [end.rpartition("/") for end in ends]
    return len({folder for folder, *_ in parts}) == len(ends) and all(name.startswith(f"{stem}.") for *_, name in parts)


def _with_end(label: str, end: str, *, in_folder: bool) -> str:
    folder, joint, _ = end.rpartition("/")
    return f"{folder}{joint}{label}" if in_folder else f"{label} {end}"


def _ends(stems: Sequence[str], sources: Sequence[str]) -> list[str]:
    """The ends of the sources: as many folders as tell those apart that have one stem."""
    sources = [source.rstrip("/") for source in sources]
    counts = {}
    for stem, found in _by_stem(stems, sources).items():
        parts = [source.split("/") for source in found]
        most = max(map(len, parts))
        counts[stem] = next((n for n in range(1, most) if len({tuple(one[-n:]) for one in parts}) == len(parts)), most)
    return ["/".join(source.split("/")[-counts[stem] :]) for stem, source in zip(stems, sources, strict=True)]


def short_texts(texts: Sequence[str], most: int) -> list[str]:
    """Different texts without the beginnings and ends that all share, cut at the end if they stay different without it."""
    if len(texts) > 1:
        texts = [joined.strip("_-./ ,") or text for joined, text in zip(_at_joints(texts), texts, strict=True)]
    cut = [text if len(text) <= most else text[: most - 1] + _ELLIPSIS for text in texts]
    return cut if len(set(cut)) == len(cut) else _numbered([_cut(text, most) for text in texts])


def _at_joints(labels: Sequence[str]) -> list[str]:
    return _without_ends([re.findall(r"[^_\-./ ,]+[_\-./ ,]*|[_\-./ ,]+", label) for label in labels])


def _bare(parts: Sequence[str]) -> bool:
    """Whether these are figures that say nothing alone, as the MACs of "ethos-u55-128"."""
    return all(part.isdigit() for part in parts)


def _with_word(part: str, whole: str) -> str:
    """The part with the word before it."""
    found = re.search(r"[^_\-./ ,]+[_\-./]" + re.escape(part) + r"$", whole)
    return found[0] if found is not None else part


def _without_shared(words: list[list[str]], joint: str) -> list[str]:
    """Without the words at places where all have the same, where all have as many; else without those at both ends."""
    if len(words) > 1 and len({len(one) for one in words}) == 1:
        kept = [i for i in range(len(words[0])) if len({one[i] for one in words}) > 1]
        if kept:
            return [joint.join(one[i] for i in kept) for one in words]
        return [joint.join(one) for one in words]
    return _without_ends(words, joint)


def _without_ends(words: list[list[str]], joint: str = "") -> list[str]:
    if len(words) > 1:
        while all(len(one) > 1 for one in words) and len({one[0] for one in words}) == 1:
            words = [one[1:] for one in words]
        while all(len(one) > 1 for one in words) and len({one[-1] for one in words}) == 1:
            words = [one[:-1] for one in words]
    return [joint.join(one) for one in words]


def _cut(label: str, most: int) -> str:
    if len(label) <= most:
        return label
    end = most // 2
    return label[: most - end - 1] + _ELLIPSIS + label[-end:]


def _numbered(labels: Sequence[str]) -> list[str]:
    counts, seen, found = Counter(labels), Counter[str](), []
    for label in labels:
        seen[label] += 1
        found.append(f"{label} #{seen[label]}" if counts[label] > 1 else label)
    return found
