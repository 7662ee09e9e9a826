"""The style and the script of a page. They never vary, because the page's policy allows only these two texts, by their
digests.

The page can be read without the script, which only sorts and filters rows.
"""

from __future__ import annotations

import base64
import hashlib

STYLE = """
:root { color-scheme: light dark; --back: #f6f8fa; --card: #ffffff; --fore: #1b1f24; --soft: #57606a; --line: #d0d7de;
  --head: #f0f3f6; --bar: #0969da; --track: #e6eaef; --good: #116329; --bad: #b42318; --warn: #7a4d00; --link: #0a58b5; }
@media screen and (prefers-color-scheme: dark) { :root { --back: #0d1117; --card: #151b23; --fore: #e6e9ec; --soft: #9aa4ae;
  --line: #303944; --head: #1c2430; --bar: #4c9bf5; --track: #29323d; --good: #56d364; --bad: #ff8178; --warn: #e3b341;
  --link: #79b8ff; } }
* { box-sizing: border-box; }
html { scroll-padding-top: .5rem; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { background: var(--back); color: var(--fore); font: 15px/1.45 system-ui, -apple-system, "Segoe UI", sans-serif;
  margin: 0 auto; max-width: 92rem; padding: 1.6rem clamp(.8rem, 2.5vw, 2.2rem) 2rem; overflow-wrap: anywhere; }
h1 { font-size: clamp(1.25rem, 1rem + 1.6vw, 1.7rem); line-height: 1.25; margin: 0 0 1rem; }
h2 { font-size: 1.25rem; margin: 2.4rem 0 .9rem; } h3, .card h2, .finding h2 { font-size: 1rem; margin: 0 0 .7rem; }
a { color: var(--link); }
p { margin: .5rem 0; }
.tables { align-items: flex-start; display: flex; flex-wrap: wrap; gap: 1rem; }
.card, .answers, .finding, nav { background: var(--card); border: 1px solid var(--line); border-radius: 8px; }
.card { flex: 1 1 33rem; min-width: 0; padding: .9rem 1rem; } .pairs { flex-basis: 20rem; } .wide { flex-basis: 100%; }
.pairs table { min-width: min(100%, 28rem); }
.answers, .finding, nav { margin: 0 0 1rem; } .said { margin: .7rem 0; max-width: 75rem; }
.answers { display: grid; grid-template-columns: max-content 1fr; padding: .3rem 1rem; }
.answers > div { border-top: 1px solid var(--line); display: grid; gap: 0 1.4rem; grid-column: 1 / -1;
  grid-template-columns: subgrid; padding: .5rem 0; }
.answers > div:first-child { border: 0; }
dt { color: var(--soft); } dd { margin: 0; }
nav { padding: .6rem 1rem; } nav h2 { font-size: .85rem; color: var(--soft); margin: 0 0 .2rem; font-weight: 600; }
nav ul { columns: 20rem auto; column-gap: 1.5rem; list-style: none; margin: 0; max-height: 22rem; overflow-y: auto; padding: 0; }
nav li { break-inside: avoid; padding: .1rem 0; }
.finding { border-left: 5px solid var(--soft); padding: .6rem 1rem; }
.finding.error { border-left-color: var(--bad); } .finding.warning { border-left-color: var(--warn); }
.finding p { margin: .25rem 0; max-width: 75rem; } .finding :is(h2, h3) { margin: 0; }
.finding.error .kind { color: var(--bad); } .finding.warning .kind { color: var(--warn); } .finding .kind { color: var(--soft); }
.finding .rule { font-weight: 400; }
.tall { max-height: 85vh; }
.scroll { margin: 0 -1rem; overflow: auto; padding: 0 1rem; overflow-wrap: normal;
  background: linear-gradient(to right, var(--card) 60%, transparent) left / 3rem 100%,
    linear-gradient(to left, var(--card) 60%, transparent) right / 3rem 100%,
    linear-gradient(to right, rgb(127 127 127 / .35), transparent) left / .7rem 100%,
    linear-gradient(to left, rgb(127 127 127 / .35), transparent) right / .7rem 100%;
  background-attachment: local, local, scroll, scroll; background-repeat: no-repeat; }
.scroll:focus-visible { outline: 2px solid var(--link); outline-offset: -2px; }
table { border-collapse: separate; border-spacing: 0; font-variant-numeric: tabular-nums; min-width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .7rem; text-align: left; vertical-align: top; white-space: nowrap; }
thead th { background: var(--head); font-weight: 600; position: sticky; top: 0; vertical-align: bottom; z-index: 1; }
tbody th { font-weight: 400; } tbody tr:last-child > * { border-bottom: 0; }
tbody tr:hover > * { background: color-mix(in srgb, var(--head) 70%, transparent); }
.long { min-width: 14rem; max-width: 34rem; overflow-wrap: anywhere; white-space: normal; }
thead .long { min-width: 8rem; max-width: 12rem; overflow-wrap: break-word; }
.named :is(thead, tbody) tr > th:first-child { left: 0; position: sticky; } .named thead th:first-child { z-index: 2; }
.named tbody th { background: var(--card); }
.right { text-align: right; } .figure, td.right { font-variant-numeric: tabular-nums; }
.good { color: var(--good); } .bad { color: var(--bad); font-weight: 600; } .warn { color: var(--warn); }
.dim, .soft { color: var(--soft); } .best { color: var(--good); font-weight: 600; }
tbody .group > th { background: var(--head); font-weight: 600; padding-top: .55rem; }
.note, footer, figcaption { color: var(--soft); font-size: .9rem; } .note { margin: .6rem 0 0; max-width: 75rem; }
code { font-family: ui-monospace, "SF Mono", Consolas, monospace; font-size: .92em; }
figure { margin: 0 0 1.1rem; } figcaption { margin-bottom: .35rem; }
figure ul { display: grid; gap: .25rem .8rem; grid-template-columns: fit-content(50%) minmax(4rem, 1fr) max-content; list-style: none;
  margin: 0; max-width: 60rem; padding: 0; }
figure ul li { align-items: center; display: grid; grid-column: 1 / -1; grid-template-columns: subgrid; font-size: .9rem; line-height: 1.25; }
.bars { border-radius: 2px; display: block; height: .8rem; width: 100%; } .figure { color: var(--soft); text-align: right; }
.track { fill: var(--track); } .bar { fill: var(--bar); }
.label { overflow-wrap: break-word; }
.plotted { margin-bottom: 1rem; } .plotted figure { margin: 0; } .plot { align-items: center; display: flex; flex-wrap: wrap; gap: .5rem 2rem; }
.plot svg { flex: 1 1 26rem; height: auto; max-width: 48rem; min-width: 0; } .plot ol { flex: 1 1 18rem; margin: 0; padding-left: 1.6rem; }
.plot text { fill: var(--soft); font-size: 12px; } .plot .number { fill: var(--fore); font-weight: 600; }
.rule { stroke: var(--line); } .front { fill: none; stroke: var(--bar); stroke-width: 2; } .dot { fill: var(--bar); }
.ring { fill: none; stroke: var(--soft); stroke-width: 1.5; } .knee { fill: var(--good); stroke: var(--fore); stroke-width: 2; }
.charts { display: grid; gap: 0 2.5rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); }
thead button { all: unset; cursor: pointer; } thead button:focus-visible { outline: 2px solid var(--link); outline-offset: 3px; }
thead button::after { color: var(--soft); content: "\\2195"; font-weight: 400; opacity: .55; padding-left: .3em; }
[aria-sort] button::after { color: var(--link); opacity: 1; }
[aria-sort=ascending] button::after { content: "\\2191"; } [aria-sort=descending] button::after { content: "\\2193"; }
.filter { color: var(--soft); display: block; font-size: .9rem; margin: 0 0 .6rem; }
.filter input { background: var(--back); border: 1px solid var(--line); border-radius: 6px; color: inherit; font: inherit;
  margin: 0 .6rem; padding: .2rem .5rem; width: min(16rem, 60%); }
.unseen { clip-path: inset(50%); height: 1px; overflow: hidden; position: absolute; width: 1px; }
[hidden] { display: none !important; }
footer { border-top: 1px solid var(--line); margin-top: 2rem; padding-top: .7rem; }
@media (max-width: 36rem) { .answers > div { display: block; } dt { font-size: .9rem; } .card { padding: .8rem; }
  .scroll { margin: 0 -.8rem; padding: 0 .8rem; } th, td { padding: .3rem .5rem; }
  figure ul { grid-template-columns: 1fr max-content; } .label { grid-row: 1; } .figure { grid-column: 2; grid-row: 1; }
  figure ul li { row-gap: .15rem; margin-bottom: .25rem; } .bars { grid-column: 1 / -1; } }
@media (max-width: 36rem) { .plot text { font-size: 20px; } }
@media (max-width: 52rem) { .named :is(thead, tbody) tr > th:first-child { position: static; } .named thead th:first-child { position: sticky; } }
@page { margin: 14mm 12mm; } @page wide { size: landscape; }
@media print { body { background: none; font-size: 9.5pt; max-width: none; padding: 0; }
  nav, .filter { display: none; } .tables { display: block; } .card, .answers, .finding { border-radius: 0; }
  .card { border: 0; border-top: 1px solid var(--line); margin-top: 1rem; padding: .6rem 0 0; }
  .scroll { background: none; margin: 0; max-height: none; overflow: visible; padding: 0; }
  thead { display: table-header-group; } thead th { position: static; } thead button::after { content: ""; }
  th, td { padding: .18rem .4rem; white-space: normal; } .tight :is(th, td) { overflow-wrap: anywhere; } .right, .tight .right { overflow-wrap: normal; white-space: nowrap; }
  .named th { position: static !important; } .long { min-width: 0; } .plot { display: block; } tr, li, figure, .finding, .pairs, .answers > div { break-inside: avoid; }
  h1, h2, h3, figcaption { break-after: avoid; } .broad { font-size: 7.5pt; page: wide; } a { color: inherit; text-decoration: none; } }
"""

SCRIPT = """
"use strict";
for (const table of document.querySelectorAll("table.rows")) {
  const body = table.tBodies[0], rows = [...body.rows], heads = [...table.tHead.rows[0].cells];
  const given = (row, at) => { const cell = row.cells[at], raw = cell.dataset.v;
    return raw !== undefined ? Number(raw) : /^-?$/.test(cell.textContent) ? null : cell.textContent; };
  heads.forEach((head, at) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const first = head.classList.contains("right") ? "descending" : "ascending";
      const was = head.getAttribute("aria-sort");
      const order = was === null ? first : was === first ? (first === "ascending" ? "descending" : "ascending") : null;
      heads.forEach(other => other.removeAttribute("aria-sort"));
      const sorted = [...rows];
      if (order !== null) {
        head.setAttribute("aria-sort", order);
        const sign = order === "ascending" ? 1 : -1;
        sorted.sort((one, other) => {
          const a = given(one, at), b = given(other, at);
          if (a === null || b === null) return (a === null) - (b === null);
          if (typeof a === "number" && typeof b === "number") return sign * (a - b);
          return sign * String(a).localeCompare(String(b), "en", {numeric: true});
        });
      }
      body.append(...sorted);
    });
  });
  if (rows.length < 30) continue;
  const label = document.createElement("label"), field = document.createElement("input"), count = document.createElement("span");
  label.className = "filter";
  field.type = "search";
  count.setAttribute("role", "status");
  label.append("Filter rows", field, count);
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\\s+/);
    let left = 0;
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every(word => text.includes(word));
      left += !row.hidden;
    }
    count.textContent = field.value.trim() ? `${left} of ${rows.length}` : "";
  });
  table.parentElement.before(label);
}
"""

ICON = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='3' "
    "fill='%230969da'/%3E%3Cpath d='M3 12V8h2v4zm4 0V3h2v9zm4 0V6h2v6z' fill='white'/%3E%3C/svg%3E"
)


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def policy(*, scripts: bool) -> str:
    """What the page may load: nothing from anywhere, only its own style, icon and, if it has one, script."""
    script = f"; script-src {_digest(SCRIPT)}" if scripts else ""
    return f"default-src 'none'; style-src {_digest(STYLE)}; img-src data:{script}; base-uri 'none'; form-action 'none'"
