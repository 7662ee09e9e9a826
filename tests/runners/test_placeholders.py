"""Placeholders are filled inside words, and a mistake in one is told."""

from __future__ import annotations

import pytest

from ethosu_tui.runners.job import UsageError
from ethosu_tui.runners.placeholders import fill

VALUES = {"elf": "a b'$(x).elf", "artefact": "{elf}", "address": None}


def test_words_stay_words_and_values_are_not_looked_into() -> None:
    assert fill(["-kernel", "{elf}", "x={artefact},{elf}"], VALUES) == [
        "-kernel",
        "a b'$(x).elf",
        "x={elf},a b'$(x).elf",
    ]


def test_doubled_braces_are_braces() -> None:
    assert fill(['{{"a": {{}}}}', "{{elf}}", "{{{elf}}}"], VALUES) == ['{"a": {}}', "{elf}", "{a b'$(x).elf}"]


@pytest.mark.parametrize(
    ("word", "words"),
    [
        ("{port}", "{port} in '{port}', which stands for nothing: there are {elf}, {artefact}, {address}"),
        ("{}", "stands for nothing"),
        ("{elf!r}", "stands for nothing"),
        ("{elf", "a single {"),
        ("elf}", "a single }"),
        ("at {address}", "wants {address}"),
    ],
)
def test_a_mistake_is_one_sentence(word: str, words: str) -> None:
    with pytest.raises(UsageError) as caught:
        fill([word], VALUES)
    assert words in str(caught.value)
