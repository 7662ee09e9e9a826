"""Exports of tables and reports: whatever a log or a name holds stays a text, and figures stay what they are."""

from __future__ import annotations

import csv
import io
import json
import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from ethosu_tui.analysis import read_capture
from ethosu_tui.analysis.export.charts import charts_of
from ethosu_tui.analysis.export.csv_form import csv_lines
from ethosu_tui.analysis.export.document import Asked, Document, Section
from ethosu_tui.analysis.export.escaping import markdown_line, markdown_text
from ethosu_tui.analysis.export.json_form import json_document
from ethosu_tui.analysis.export.markdown_form import markdown_document, markdown_table
from ethosu_tui.analysis.export.page import html_document
from ethosu_tui.analysis.export.sentences import plain_section, plain_table
from ethosu_tui.analysis.lines import clean
from ethosu_tui.analysis.report import Finding
from ethosu_tui.analysis.report_tables import run_tables
from ethosu_tui.analysis.tables import Cell, Column, Table

HOSTILE = [
    '=HYPERLINK("http://x","y")',
    "@SUM(1)",
    "-2+3",
    "\t=1",
    "\uff1d1+1",
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "a|b\nc",
    "![x](http://evil)",
    "</style></title>",
    "\x1b]52;c;AAAA\x07\x1b[31mred",
    "\u202egnp.exe",
    "&lt;b&gt;",
    "\udcff",
]


def table_of(texts: list[str], title: str = "Names") -> Table:
    rows = tuple((Cell(text, text), Cell("-1,234", -1234, line=7), Cell("-")) for text in texts)
    return Table(title, (Column("Name"), Column("Op cycles", "right"), Column("Left")), rows, note="a note")


def hostile_document() -> Document:
    findings = tuple(Finding("a-rule", "error", 1, text, text, text, (3,)) for text in HOSTILE)
    asked = tuple(Asked(text, text, text, "bad") for text in HOSTILE)
    return Document(
        HOSTILE[5],
        (Section(HOSTILE[6], (table_of(HOSTILE, HOSTILE[5]),), findings, tuple(HOSTILE), asked),),
        HOSTILE[0],
    )


class Page(HTMLParser):
    """What a browser would make of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def controls(text: str) -> list[str]:
    return [c for c in text if (ord(c) < 32 and c not in "\r\n") or 0x7F <= ord(c) < 0xA0 or c in "\u202e\u2066"]


def test_no_spreadsheet_finds_a_formula_and_negative_figures_stay_figures() -> None:
    text = "".join(csv_lines(table_of(HOSTILE)))
    rows = list(csv.reader(io.StringIO(text, newline="")))
    assert rows[0] == ["Name", "Op cycles", "Left"]
    assert [row[1] for row in rows[1:]] == ["-1234"] * len(HOSTILE)
    assert [row[2] for row in rows[1:]] == [""] * len(HOSTILE)
    names = [row[0] for row in rows[1:]]
    assert not [name for name in names if name.lstrip()[:1] in tuple("=+-@\uff1d\uff0b\uff0d\uff20")]
    assert names[0] == '\'=HYPERLINK("http://x","y")' and names[2] == "'-2+3"
    assert not controls(text)


def test_markdown_holds_no_markup_of_the_input() -> None:
    text = "".join(markdown_document(hostile_document()))
    assert "<" not in text and not controls(text)
    assert not re.search(r"(?<!\\)!\[|(?<!\\)\]\(", text)
    rows = [line for line in "".join(markdown_table(table_of(HOSTILE))).splitlines() if line.startswith("|")]
    assert len(rows) == 2 + len(HOSTILE)
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {4}, "every row has the columns of the table"


def test_units_stand_in_the_names_of_columns_or_beside_figures_that_differ() -> None:
    columns = (Column("What"), Column("Size", "right"), Column("Value", "right"), Column("Kept", "right", unit="bytes"))
    rows = (
        (Cell("  a"), Cell("4.2 MiB", 4425968), Cell("2.15 %", 2.15), Cell("1,000", 1000.0)),
        (Cell("b"), Cell("5 B", 5), Cell("5,920,305", 5920305.0), Cell("-")),
        (Cell("c_bytes"), Cell("-"), Cell("1.0 KiB", 1024), Cell("-")),
        (Cell("d"), Cell("-"), Cell("1 min 15 s", 75.5), Cell("-")),
    )
    lines = list(csv.reader(csv_lines(Table("T", columns, rows))))
    assert lines[0] == ["What", "Size (bytes)", "Value", "Value unit", "Kept (bytes)"]
    assert lines[1] == ["a", "4425968", "2.15", "percent", "1000"], "no .0, no room before a text"
    assert lines[2] == ["b", "5", "5920305", "", ""], "a figure without a unit is a count"
    assert lines[3] == ["c_bytes", "", "1024", "", ""], "its name says it"
    assert lines[4] == ["d", "", "75.5", "seconds", ""]


def rendered(text: str) -> str:
    """What GitHub makes of Markdown, whose links also come from addresses that stand alone."""
    renderer = MarkdownIt("gfm-like")
    assert renderer.linkify is not None
    renderer.linkify.set({"fuzzy_link": False, "fuzzy_email": False, "fuzzy_ip": False})
    return str(renderer.render(text))


PLAIN_TEXTS = ["- a", "1. b", "---", "# c", "    d", "_e_ __f__ *g*", "~~h~~ ~i~", "http://x.y", "mailto:z@w.v", ":smile:",
               "| j |", "`k`", "$l$", "[m](n)", "a_b_c.py:36 (line 4)", "=== o", "> p", "+ q", "<b>&lt;", "\\*r"]  # fmt: skip


@pytest.mark.parametrize("text", [*HOSTILE, *PLAIN_TEXTS])
def test_markdown_renders_as_the_text_that_it_is(text: str) -> None:
    for page in (rendered(markdown_line(text)), rendered(f"| x |\n| --- |\n| {markdown_text(text)} |\n")):
        found = Page()
        found.feed(page)
        assert {tag for tag, _ in found.tags} <= {"p", "table", "thead", "tbody", "tr", "th", "td"}, page
        assert " ".join(clean(text).split()) in " ".join("".join(found.texts).split())


@given(st.text(alphabet=st.sampled_from("ab_*~`|[]()<>#!:/.$\\-+1 &@w"), max_size=30))
def test_markdown_of_any_text_is_that_text(text: str) -> None:
    found = Page()
    found.feed(rendered(f"x {markdown_text(text)} y"))
    assert {tag for tag, _ in found.tags} == {"p"}
    assert " ".join("".join(found.texts).split()) == " ".join(f"x {text} y".split())


def test_markdown_is_readable_where_it_is_not_rendered() -> None:
    text = "arm_executor_runner.cpp:364 (line 1), aten::add.out; give --macs: it's 2.15 %"
    assert markdown_line(text) == text


def test_the_page_has_only_our_elements_and_fetches_nothing() -> None:
    text = "".join(html_document(hostile_document()))
    page = Page()
    page.feed(text)
    found = {tag for tag, _ in page.tags}
    assert not found & {"img", "iframe", "a", "object", "form", "base"}
    ((_, icon),) = [one for one in page.tags if one[0] == "link"]
    assert icon["rel"] == "icon" and str(icon["href"]).startswith("data:image/svg+xml,")
    ours = {
        "class",
        "title",
        "lang",
        "charset",
        "http-equiv",
        "content",
        "name",
        "scope",
        "role",
        "rel",
        "href",
        "tabindex",
    }
    drawing = {"viewbox", "width", "height", "data-v", "aria-label", "aria-hidden", "aria-labelledby", "id"}
    assert {name for _, attributes in page.tags for name in attributes} <= ours | drawing
    shown = text.replace("http-equiv", "").replace(str(icon["href"]), "")
    assert "http" not in shown.replace("http://x", "").replace("http://evil", "")
    assert "<script>alert(1)</script>" in page.texts, "it is shown as what it is"
    assert len([tag for tag, _ in page.tags if tag == "script"]) == 1, "the one that sorts"
    assert not controls(text)
    assert "prefers-color-scheme: dark" in text and "default-src 'none'" in text


def test_bars_are_as_long_as_their_figures() -> None:
    rows = (
        (Cell("method <pool>"), Cell("25", 25), Cell("100", 100)),
        (Cell("temp pool"), Cell("-"), Cell("100", 100)),
        (Cell("full"), Cell("300", 300), Cell("100", 100)),
    )
    table = Table("Memory", (Column("Memory"), Column("Used", "right"), Column("Capacity", "right")), rows)
    (chart,) = charts_of(table)
    assert [bar.label for bar in chart.bars] == ["method <pool>", "full"], "what is absent has no bar"
    text = "".join(html_document(Document("x", (Section("", (table,)),))))
    drawings = re.findall(r"<svg.*?</svg>", text)
    bars = [[(rect.get("class"), rect.get("width")) for rect in ET.fromstring(drawing)] for drawing in drawings]
    assert bars == [[("track", "100%"), ("bar", "25%")], [("track", "100%"), ("bar", "100%")]]


def test_sides_of_a_comparison_are_drawn_only_where_two_can_be_compared() -> None:
    columns = (Column("Metric"), Column("a", "right"), Column("b", "right"))
    rows = (
        (Cell("cycles"), Cell("10", 10), Cell("20", 20)),
        (Cell("same"), Cell("5", 5), Cell("5", 5)),
        (Cell("one"), Cell("5", 5), Cell("-")),
        (Cell("not time"), Cell("5 (n/c)", 5), Cell("9 (n/c)", 9)),
    )
    (chart,) = charts_of(Table("Comparison", columns, rows))
    assert chart.title == "cycles" and [(b.label, b.value, b.whole) for b in chart.bars] == [
        ("a", 10, 20),
        ("b", 20, 20),
    ]


def test_json_holds_text_value_and_line() -> None:
    document: dict[str, Any] = json.loads("".join(json_document(hostile_document())))
    assert document["schema"] == "ethosu-tui/tables/1"
    (section,) = document["sections"]
    (table,) = section["tables"]
    assert table["columns"][1] == {"name": "Op cycles", "align": "right"}
    assert table["rows"][0][1] == {"text": "-1,234", "value": -1234, "line": 7}
    assert table["rows"][0][2] == {"text": "-", "value": None, "line": None}
    assert len(section["findings"]) == len(HOSTILE)
    assert "\\u001b" not in json.dumps(document)
    assert not controls(json.dumps(document, ensure_ascii=False))


def test_figures_that_json_does_not_know_are_null() -> None:
    table = Table("T", (Column("a"),), ((Cell("nan", float("nan")),), (Cell("inf", float("inf")),)))
    document = json.loads("".join(json_document(Document("x", (Section("", (table,)),)))))
    assert [row[0]["value"] for row in document["sections"][0]["tables"][0]["rows"]] == [None, None]


def test_every_sentence_can_be_understood_alone() -> None:
    columns = (Column("Memory"), Column("Used", "right"), Column("Best", "right"))
    rows = (
        (Cell("method pool"), Cell("1,234", 1234), Cell("5", 5, None, "best")),
        (Cell("temp"), Cell("-"), Cell("7", 7)),
    )
    lines = list(plain_table(Table("Memory \u203a x", columns, rows, "Bytes.")))
    assert "method pool, Used: 1,234." in lines
    assert "method pool, Best: 5 (the best)." in lines
    assert "temp, Best: 7." in lines
    assert not [line for line in lines if line.startswith("temp, Used")]
    assert "What is not known is left out." in lines
    assert lines[-1] == "Bytes."


def test_pairs_are_name_and_value() -> None:
    table = Table("Summary", (Column("What"), Column("Value")), ((Cell("Status"), Cell("passed", tone="good")),))
    assert "Status: passed." in list(plain_table(table))


def test_sentences_of_a_real_log_have_no_columns_and_no_signs(samples: Any) -> None:
    capture = read_capture("mobilenet.log", [(samples / "mobilenet_v2_corstone320.log").read_bytes()])
    tables = tuple(run_tables(capture, capture.runs[0]).values())
    lines = list(plain_section(Section("run 1", tables, capture.findings)))
    assert "Status: passed." in lines
    cycles = [line for line in lines if line.startswith("Inference runtime, CPU cycles: ")]
    assert len(cycles) == 1
    assert not [line for line in lines if "  " in line or "\t" in line or "----" in line]
    text = "\n".join(lines)
    assert not re.search("[\u2190-\u21ff\u2500-\u25ff\u2713\u2717]", text)


def test_many_rows_are_given_piece_by_piece_and_pages_have_a_limit() -> None:
    table = table_of([f"row {i}" for i in range(20_050)])
    assert len(list(csv_lines(table))) == 20_051
    page = "".join(html_document(Document("x", (Section("", (table,)),))))
    assert page.count("<tr>") == 20_001
    assert "The first 20,000 of 20,050 rows" in page
