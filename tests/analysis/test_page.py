"""The page that is mailed: what a browser makes of it, with our script and without, and that nothing else gets in."""

from __future__ import annotations

import base64
import hashlib
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

from ethosu_tui.analysis.design.answers import answer
from ethosu_tui.analysis.design.candidates import Candidate
from ethosu_tui.analysis.export.charts import charts_of
from ethosu_tui.analysis.export.document import Asked, Document, Section
from ethosu_tui.analysis.export.page import html_document
from ethosu_tui.analysis.report import Finding
from ethosu_tui.analysis.tables import Cell, Column, Table

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
VOID = {"meta", "link", "rect", "circle", "path"}


class Reader(HTMLParser):
    """Elements with their texts; every one that is opened has to be closed where it stands."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.found: list[tuple[str, dict[str, str | None], list[str]]] = []
        self._at: list[int] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs), []))
        if tag not in VOID:
            self.open.append(tag)
            self._at.append(len(self.found) - 1)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs), []))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        self._at.pop()

    def handle_data(self, data: str) -> None:
        for place in self._at:
            self.found[place][2].append(data)

    def all(self, tag: str, **wanted: str) -> list[tuple[dict[str, str | None], str]]:
        return [
            (attrs, "".join(texts))
            for name, attrs, texts in self.found
            if name == tag and all(attrs.get(key.rstrip("_")) == value for key, value in wanted.items())
        ]


def read(*sections: Section, made: str = "") -> Reader:
    reader = Reader()
    reader.feed("".join(html_document(Document("a report", sections, made=made))))
    reader.close()
    assert not reader.open
    return reader


def records(count: int) -> Table:
    columns = (Column("#", "right"), Column("Operator"), Column("Op cycles", "right"))
    rows = tuple(
        (Cell(str(n), n), Cell(f"<b>op {n}", f"op {n}"), Cell(f"{n * 1000:,}", n * 1000)) for n in range(count)
    )
    return Table("Operators", columns, rows)


def grouped() -> Table:
    rows = (
        (Cell("Memory", "Memory", None, "head"), Cell(""), Cell("")),
        *((Cell(f"metric {n}"), Cell("5", 5), Cell("6", 6)) for n in range(20)),
    )
    return Table("Comparison", (Column("Metric"), Column("a", "right"), Column("b", "right")), rows)


def test_the_policy_lets_in_our_style_and_script_and_nothing_else() -> None:
    reader = read(Section("", (records(12),)))
    policies = (attrs for attrs, _ in reader.all("meta") if attrs.get("http-equiv") == "Content-Security-Policy")
    (policy,) = (attrs["content"] for attrs in policies)
    assert policy is not None and "unsafe" not in policy and policy.startswith("default-src 'none'")
    for tag in ("style", "script"):
        ((_, text),) = reader.all(tag)
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert not [
        attrs for _, attrs, _ in reader.found if "style" in attrs or any(name.startswith("on") for name in attrs)
    ]


def test_a_short_report_has_no_script_at_all_and_rows_in_groups_stay_where_they_are() -> None:
    for table in (records(11), grouped()):
        reader = read(Section("", (table,)))
        assert not reader.all("script") and not reader.all("table", class_="rows")


def test_headers_say_what_they_are_the_header_of() -> None:
    reader = read(Section("", (records(3), grouped())))
    assert [text for _, text in reader.all("th", scope="col")] == ["#", "Operator", "Op cycles", "Metric", "a", "b"]
    assert [text for _, text in reader.all("th", scope="row")][:3] == ["<b>op 0", "<b>op 1", "<b>op 2"]
    ((attrs, text),) = reader.all("th", scope="rowgroup")
    assert attrs["colspan"] == "3" and text == "Memory"
    assert {attrs["aria-label"] for attrs, _ in reader.all("div", role="region")} == {"Operators", "Comparison"}


def test_rows_are_sorted_by_their_raw_values() -> None:
    reader = read(Section("", (records(12),)))
    assert [attrs["data-v"] for attrs, _ in reader.all("td", class_="right") if "data-v" in attrs][-1] == "11000"


def test_what_an_answer_says_first_stands_out_with_a_mark_not_by_colour_alone() -> None:
    answers = (Asked("Did it pass?", "no: it hung", "no", "bad"), Asked("How fast?", "5 cycles", "5 cycles"))
    reader = read(Section("", answers=answers))
    assert [text for _, text in reader.all("dd")] == ["\u2717 no: it hung", "5 cycles"]
    assert reader.all("strong", class_="bad")[0][1] == "\u2717 no"


def test_many_parts_are_listed_with_how_they_ended() -> None:
    bad = Section("b.log", answers=(Asked("Did it pass?", "no", "no", "bad"),))
    reader = read(Section("a.log", (records(2),)), bad, Section("c.log", (records(2),)))
    links = [attrs["href"] for attrs, _ in reader.all("a")]
    assert links == ["#part1", "#part2", "#part3"]
    assert {attrs["id"] for attrs, _ in reader.all("h2") if attrs.get("id") != "contents"} == {
        "part1",
        "part2",
        "part3",
    }
    assert "\u2717 b.log" in reader.all("nav")[0][1]
    assert not read(Section("a.log", (records(2),))).all("nav")


def test_a_finding_says_where_and_by_which_rule() -> None:
    found = Finding("a-rule", "error", 1, "It broke", "because", "mend it", (3, 4))
    text = read(Section("", findings=(found,))).all("div", class_="finding error")[0][1]
    assert text == "Error: It brokebecauseTo do: mend itLines 3, 4 of the log, rule a-rule"


def test_rows_that_are_different_programs_are_not_drawn_side_by_side() -> None:
    columns = (Column("Source"), Column("Status"), Column("NPU cycles", "right"))
    rows = tuple((Cell(f"{n}.log"), Cell("passed"), Cell(str(n), n)) for n in range(1, 4))
    assert charts_of(Table("Runs", columns, rows)) == ()


def test_a_metric_is_named_in_words_over_its_bars() -> None:
    columns = (Column("Metric"), Column("a", "right"), Column("b", "right"))
    names = ("compile.inference_seconds", "memory.pools.method.used_bytes", "memory.pools.temp.capacity_bytes")
    rows = tuple((Cell(name), Cell("1", 1), Cell("2", 2)) for name in names)
    titles = [chart.title for chart in charts_of(Table("Comparison", columns, rows))]
    assert titles == ["inference, est.", "method pool used"], "how large a pool was made is not drawn"


def test_the_front_is_drawn_with_its_figures_beside_it() -> None:
    figures = (("small", 100_000, 0.004), ("fast", 900_000, 0.001), ("beaten", 950_000, 0.0035))
    candidates = [Candidate(name, "u85", inference_seconds=time, sram_bytes=size) for name, size, time in figures]
    reader = read(Section("", (records(2),), front=answer(candidates)))
    ((attrs, _),) = reader.all("svg", role="img")
    assert "2 configurations" in str(attrs["aria-label"])
    assert [text.strip() for _, text in reader.all("li")] == ["fast: 1 ms, 878.9 KiB", "small: 4 ms, 97.7 KiB"]
    circles = [(attrs["class"], float(str(attrs["cx"])), float(str(attrs["cy"]))) for attrs, _ in reader.all("circle")]
    assert [name for name, _, _ in circles].count("ring") == 1
    small, fast = sorted((x, y) for name, x, y in circles if name != "ring")
    assert small[0] < fast[0] and small[1] < fast[1], "more SRAM is to the right, less time is down"


@pytest.mark.skipif(CHROMIUM is None, reason="needs chromium")
def test_a_browser_runs_our_script_under_the_policy_and_none_of_a_name(tmp_path: Path) -> None:
    evil = "<img src=x onerror=\"document.title='taken'\"><script>document.title='taken'</script>"
    table = records(40)._replace(title=evil)
    file = tmp_path / "report.html"
    file.write_text("".join(html_document(Document(evil, (Section(evil, (table,), lines=(evil,)),)))), "utf-8")
    done = subprocess.run(
        [str(CHROMIUM), "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", file.as_uri()],
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-500:]
    assert done.stdout.count('<button type="button">') == 3, "each heading sorts"
    assert re.search(r'<label class="filter">Filter rows<input type="search">', done.stdout)
    assert "<title>&lt;img" in done.stdout and "<img" not in done.stdout
