"""Findings about a capture as a whole: bytes that are no text, and a board that starts again and again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..report import STAGES, Finding, Run

_UNDECODABLE_SHARE = 0.2
"""Of the lines; a board that logs in another encoding than UTF-8 has fewer."""
BOOT_LOOP = "boot-loop"
_BOOTS = 3
_QUOTED_LINES = 5


def port_findings(
    runs: Sequence[Run], lines: int, undecodable: int, recognised: int, *, live: bool
) -> Iterator[Finding]:
    """Findings about a capture; `live` says that it came from a target, not from a file that may be anything.

    Among thousands of random lines one or two look like a runner's, so only a run shows that such a file is a log.
    """
    if undecodable > recognised and undecodable >= _UNDECODABLE_SHARE * lines and (live or runs):
        share = 100 * undecodable / lines
        yield Finding(
            "undecodable-lines", "warning", None, f"{undecodable:,} of {lines:,} lines are not readable text ({share:.0f} %)",
            "At least a quarter of each is neither UTF-8 nor printable.",
            "Check the baud rate (--baud; both ends must agree, and its clock must be what the firmware assumes), then 8N1, the voltage level and the "
            "ground of the line.",
            (),
        )  # fmt: skip
    boots = _last_alike(runs)
    if live and len(boots) >= _BOOTS:
        stage = boots[0].stage
        yield Finding(
            BOOT_LOOP, "warning", None, f"The target started {len(boots)} times, and no run got past {stage}",
            "Each start follows the one before it with no end of the run in between.",
            "Read the last lines before each start: a fault, a watchdog or the supply resets the board there. Switch the watchdog off for a long inference, "
            "and print the reset cause at start-up.",
            tuple(run.first_line for run in boots[:_QUOTED_LINES]),
        )  # fmt: skip


def cut_lines(width: int) -> Finding:
    """The finding that several lines end at this column and none goes on beyond it."""
    return Finding(
        "lines-cut", "warning", None, f"The lines of this log are cut off at column {width}",
        f"Several different lines are exactly {width} columns wide and none is wider: the rest is lost, and a number that ends there may be the start of a "
        "longer one.",
        "Log to a file instead of copying a screen, or configure the tool that wrote it not to cut lines.",
        (),
    )  # fmt: skip


def one_number() -> Finding:
    """The finding that lines which only carriage returns end have one number, as editors that count line feeds give them."""
    return Finding(
        "lines-unnumbered", "info", None, "Most lines of this log end with a carriage return alone, so many have the same number",
        "Lines are counted by their line feeds, as grep and less count them; what carriage returns divide is one line, as the steps of a progress bar are.",
        "Turn them into line feeds for numbers of their own: tr '\\r' '\\n' < LOG > NEW. A terminal program can add line feeds as it logs.",
        (),
    )  # fmt: skip


def strings_left_out(count: int) -> Finding:
    """The finding that so many of a page's compressed strings were too long together, or cut."""
    return Finding(
        "strings-left-out", "warning", None, f"{count:,} compressed message{'s' * (count > 1)} of this page could not be read to the end",
        "Robot Framework keeps long messages compressed in its page. More than 20 MiB of them are not unpacked, and one that was cut ends early: "
        "a run, or an error, may stand in the rest.",
        "Read the console's own log, or output.xml beside the page, which holds the same messages as text.",
        (),
    )  # fmt: skip


def _last_alike(runs: Sequence[Run]) -> list[Run]:
    """The runs at the end of a capture that all stopped at one stage and did not pass; the last may have been cut short."""
    found: list[Run] = []
    for run in reversed(runs):
        if run.status == "passed" or (found and run.index != found[-1].index - 1):
            break
        if len(found) > 1 and run.stage != found[-1].stage:
            break
        found.append(run)
    if len(found) > 1 and STAGES.index(found[0].stage) > STAGES.index(found[1].stage):
        return []
    found.reverse()
    return found
