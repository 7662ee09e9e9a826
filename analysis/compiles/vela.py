"""Vela's output as data: the summary on the console, `*_summary_*.csv`, `*_per-layer.csv`, and the delegation table.

The units differ: memory on the console is in KiB with two decimals, in the CSV in KiB with all digits. Vela's "GB/s" is
really GiB/s, so bandwidths are left out. All cycles are Vela's estimates.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..cleaning import compiled
from ..lines import clean
from ..named_tuple import TYPE_CHECKING
from ..patterns import COMPILE_EVENTS, Event
from ..report import CompileSummary, Layer

if TYPE_CHECKING:
    from typing import Any

_MOST_LAYERS = 100_000
_TABLE = {"vela_table": 0, "vela_columns": 16, "vela_columns_old": 15}
"""Lines that begin an operator table, and the number of its columns."""

_CONSOLE: dict[str, tuple[str, str]] = {
    "vela_system_config": ("system_config", "name"),
    "vela_memory_mode": ("memory_mode", "name"),
    "vela_cpu_operators": ("cpu_operators", "count"),
    "vela_npu_operators": ("npu_operators", "count"),
    "vela_macs": ("macs", "count"),
    "vela_npu_cycles": ("npu_cycles", "cycles"),
    "vela_sram_cycles": ("sram_access_cycles", "cycles"),
    "vela_dram_cycles": ("dram_access_cycles", "cycles"),
    "vela_on_chip_flash_cycles": ("on_chip_flash_access_cycles", "cycles"),
    "vela_off_chip_flash_cycles": ("off_chip_flash_access_cycles", "cycles"),
    "vela_total_cycles": ("total_cycles", "cycles"),
    "delegated_subgraphs": ("delegated_subgraphs", "count"),
    "delegated_partitions": ("delegated_subgraphs", "count"),
    "nodes_left": ("non_delegated_nodes", "count"),
    "delegated_nodes": ("delegated_nodes", "count"),
    "non_delegated_nodes": ("non_delegated_nodes", "count"),
}
_FIELDS = {
    **{kind: field for kind, (field, _) in _CONSOLE.items()},
    "vela_clock": "core_clock_hz",
    "vela_time": "inference_seconds",
}
_DELEGATE = "out"
"""The name that every delegate of ExecuTorch has for Vela, whatever its network is."""
_SHORT = ("delegated_partitions", "nodes_left")
_LISTED = r"(?:- )?([\w.:<>]{1,200}): (\d{1,9})\s*\Z"


def accelerator_name(text: str) -> str:
    """Vela's name of an accelerator ("Ethos_U55_128") as our name of the target ("ethos-u55-128")."""
    return clean(text).strip().lower().replace("_", "-")


def _whole(field: str, name: str) -> str | None:
    """A name that is not what is left of another."""
    from ..targets import cut_off  # only here: few captures hold a summary

    return None if cut_off(field, name) else name


def _accelerator(text: str) -> str | None:
    """The same of a line of a log; None where it was torn, and is no such name any more."""
    name = accelerator_name(text)
    return _whole("name", name) if compiled(r"ethos-u\d{2,3}-\d{2,4}").fullmatch(name) else None


class SummaryBuilder:
    """Collects compile summaries from the events of a capture."""

    def __init__(self) -> None:
        self._summaries: list[CompileSummary] = []
        self._open = False
        self._headed: set[int] = set()
        """Which of them began with their own header."""
        self._retold: set[int] = set()
        """Which began with the NPU's name behind a colon, as any text may name it."""
        self.alone: set[int] = set()
        """Lines at which summaries of files begin that Vela was given by hand, which are no delegates."""
        self._layers: list[Layer] = []
        self._table_line = 0
        self._columns = 0
        """Columns of the operator table that is being read; 0 outside of one."""
        self._delegation = False
        """Whether the delegation table is being read, as data frames and Markdown show it."""
        self._short = False
        """Whether the short summary of the delegation, which 1.4 prints instead of the table, told of an NPU."""
        self._listed = False
        """Whether its list of operators is being read."""
        self.changes = 0
        """Events about a compile so far."""

    def feed(self, event: Event) -> None:
        """Take one event; events that are not about a compile are passed over."""
        kind, values = event.kind, event.values
        if kind not in COMPILE_EVENTS or (kind.endswith("_short") and not self._lacks(f"{kind[5:-6]}_used_bytes")):
            return
        if kind.endswith("_told") and not self._takes(kind.removesuffix("_told"), values):
            return
        retold, kind = kind.endswith("_told"), kind.removesuffix("_told")
        self.changes += 1
        if kind == "pte_saved":
            self._open = False
            return
        if kind in _TABLE:  # the operators stand before the summary that they belong to
            self._open = self._open and not self._summaries[-1].accelerator
            self._columns = _TABLE[kind]
            self._table_line = self._table_line if self._layers else event.line
            return
        self._columns = 0
        self._delegation = kind == "delegation_columns" and self._open
        self._listed = kind == "left_header" and self._short and self._open
        if kind == "delegated_partitions":
            self._short = int(values["count"] or 0) > 0
        if kind in ("delegation_columns", "left_header") or (kind in _SHORT and not self._short):
            return  # without an NPU, nothing but the sentence above it is told
        if kind == "vela_start" or not self._open or (kind == "vela_accelerator" and self._summaries[-1].accelerator):
            if kind == "delegation_row":
                return
            self._summaries.append(CompileSummary(first_line=event.line, operators=with_shares(self._layers)))
            self._layers.clear()
            self._open = True
            if retold:
                self._retold.add(len(self._summaries) - 1)
            if kind == "vela_start":
                self._headed.add(len(self._summaries) - 1)
                if values["name"] != _DELEGATE:
                    self.alone.add(event.line)
        current = self._summaries[-1]
        changes: dict[str, Any] = {}
        if kind in _CONSOLE:
            field, name = _CONSOLE[kind]
            changes[field] = values[name] if name != "name" else _whole(field, str(values[name]))
        elif kind == "vela_accelerator":
            changes["accelerator"] = _accelerator(str(values["name"]))
        elif kind == "vela_clock":
            changes["core_clock_hz"] = float(values["mhz"] or 0) * 1e6
        elif kind == "vela_fallbacks" and 0 <= int(values["count"] or 0) <= int(values["total"] or 0):
            changes["cpu_operators"] = values["count"]
            changes["npu_operators"] = int(values["total"] or 0) - int(values["count"] or 0)
        elif kind == "vela_time":
            changes["inference_seconds"] = _seconds(values["ms"], values["per_second"])
        elif kind.endswith(("_used", "_short")):
            changes[f"{kind[5:].rpartition('_')[0]}_used_bytes"] = round(float(values["kib"] or 0) * 1024)
        elif kind == "delegation_row" and values["name"] != "Total" and values["other"]:
            changes["non_delegated_operators"] = self._left(str(values["name"]), int(values["other"]))
        if changes:
            self._summaries[-1] = current._replace(**changes)

    def _takes(self, kind: str, values: Mapping[str, Any]) -> bool:
        """Whether a figure with a colon before it is of a summary: it names the NPU, or one is open that lacks it."""
        if kind == "vela_accelerator":
            return _accelerator(str(values["name"])) is not None
        return self._lacks(_FIELDS.get(kind) or f"{kind[5:-5]}_used_bytes")

    def _lacks(self, field: str) -> bool:
        """Whether a summary is being read that does not have this figure."""
        return self._open and getattr(self._summaries[-1], field) is None

    @property
    def in_table(self) -> bool:
        """True where the next line may be a row of an operator table."""
        return self._columns > 0 or self._delegation or self._listed

    def feed_row(self, text: str) -> bool:
        """Take a line that was no event; False if it is no row of the table, which then has ended."""
        if self._delegation:
            self._delegation = self._delegated_row(text)
            return self._delegation
        if self._listed:
            row = compiled(_LISTED).match(text)
            if row is not None:
                left = self._left(row[1], int(row[2]))
                self._summaries[-1] = self._summaries[-1]._replace(non_delegated_operators=left)
            self._listed = row is not None
            return self._listed
        words = self._columns - 13
        cells = text.split(None, self._columns - 1)
        if not text.replace("-", "").strip() and text:
            return True  # the rule below the header
        if len(cells) < self._columns - 1 or len(self._layers) >= _MOST_LAYERS:
            self._columns = 0
            return False
        try:
            sram, _, cycles, _, npu, *_, macs, _, _ = map(float, cells[words : words + 12])
        except ValueError:
            self._columns = 0
            return False
        name = cells[-1].strip() if len(cells) == self._columns else ""
        index = len(self._layers)
        figures = [int(value) if 0 <= value < 1e18 else 0 for value in (npu, cycles, macs, sram)]
        self._layers.append(Layer(index, cells[0], name, figures[0], figures[1], figures[2], figures[3], 0.0))
        return True

    def _delegated_row(self, text: str) -> bool:
        """A row of the delegation table: its number, if it has one, the operator, and how often it occurs on either side."""
        cells = text.replace("|", " ").replace("*", " ").split()
        if not text.strip("|-+:= "):
            return True  # a rule
        name, *counts = cells[-3:] if 3 <= len(cells) <= 4 else ("",)
        if not all(count.isdecimal() and len(count) < 10 for count in (*cells[:-3], *counts)) or len(counts) != 2:
            return False
        if name != "Total" and int(counts[1]):
            left = self._left(name, int(counts[1]))
            self._summaries[-1] = self._summaries[-1]._replace(non_delegated_operators=left)
        return name != "Total"

    def _left(self, name: str, count: int) -> dict[str, int]:
        """What stays on the CPU, with this."""
        return {**self._summaries[-1].non_delegated_operators, name: count}

    def summaries(self) -> tuple[CompileSummary, ...]:
        """The summaries so far, in the order of the capture. A table whose summary was lost counts as a summary of its
        own.
        """
        told = tuple(
            summary
            for at, summary in enumerate(self._summaries)
            if at in self._headed or not (self._said_again(at) or self._names_only(at))
        )
        if not self._layers:
            return told
        return (*told, CompileSummary(first_line=self._table_line, operators=with_shares(self._layers)))

    def _names_only(self, at: int) -> bool:
        """Whether a text named an NPU here, and no figure of a compile."""
        figures = self._summaries[at]._replace(accelerator=None, first_line=None)
        return at in self._retold and figures == CompileSummary()

    def _said_again(self, at: int) -> bool:
        """Whether these figures, without a header, are those of the summary beside: a text that explains it quotes parts of it once more."""
        beside = (self._summaries[near] for near in (at - 1, at + 1) if near in self._headed)
        known = self._summaries[at]._replace(first_line=None)
        unknown = CompileSummary()
        return any(
            all(mine in (empty, its) for mine, empty, its in zip(known, unknown, whole, strict=True))
            for whole in beside
        )


def _seconds(ms: Any, per_second: Any) -> float | None:
    """The time of an inference; Vela prints two decimals of it, so that below 5 us only the rate beside it tells."""
    if ms is not None and (ms or not per_second):
        return round(float(ms) / 1000, 12)
    return 1 / float(per_second) if per_second else None


def parse_summary_csv(text: str) -> CompileSummary:
    """Read a `*_summary_*.csv` of Vela.

    Raises:
        ValueError: the text is not such a table; the message says what is missing.
    """
    import csv  # here and below: a log needs none of it

    try:
        row = next(csv.DictReader(text.splitlines()), None)
    except csv.Error as error:
        raise ValueError(f"not a Vela summary: {error}") from None
    if row is None or "cycles_total" not in row or not row.get("accelerator_configuration"):
        raise ValueError("not a Vela summary: no row with accelerator_configuration and cycles_total")
    figure = _Row(row)
    words = {name: clean(row.get(name) or "") or None for name in ("system_config", "memory_mode")}
    return CompileSummary(
        accelerator=accelerator_name(row["accelerator_configuration"]),
        system_config=words["system_config"],
        memory_mode=words["memory_mode"],
        core_clock_hz=figure.number("core_clock"),
        sram_used_bytes=figure.kib("sram_memory_used"),
        dram_used_bytes=figure.kib("dram_memory_used"),
        on_chip_flash_used_bytes=figure.kib("on_chip_flash_memory_used"),
        off_chip_flash_used_bytes=figure.kib("off_chip_flash_memory_used"),
        macs=figure.whole("nn_macs"),
        npu_cycles=figure.whole("cycles_npu"),
        sram_access_cycles=figure.whole("cycles_sram_access"),
        dram_access_cycles=figure.whole("cycles_dram_access"),
        on_chip_flash_access_cycles=figure.whole("cycles_on_chip_flash_access"),
        off_chip_flash_access_cycles=figure.whole("cycles_off_chip_flash_access"),
        total_cycles=figure.whole("cycles_total"),
        inference_seconds=figure.number("inference_time"),
    )


class _Row:
    def __init__(self, row: Mapping[str, str | None]) -> None:
        self._row = row

    def number(self, name: str) -> float | None:
        try:
            value = float(self._row.get(name) or "")
        except ValueError:
            return None
        return value if -1e18 < value < 1e18 else None

    def whole(self, name: str) -> int | None:
        value = self.number(name)
        return None if value is None else round(value)

    def kib(self, name: str) -> int | None:
        value = self.number(name)
        return None if value is None else round(value * 1024)


def parse_per_layer_csv(text: str) -> tuple[Layer, ...]:
    """Read a `*_per-layer.csv` of Vela 4 or 5. Rows whose columns were shifted by an unquoted comma are mended.

    Raises:
        ValueError: the text is not such a table.
    """
    import csv

    try:
        rows = list(csv.reader(text.splitlines()))
    except csv.Error as error:
        raise ValueError(f"not a Vela per-layer table: {error}") from None
    if not rows or not any("Op Cycles" in name for name in rows[0]):
        raise ValueError("not a Vela per-layer table: no column Op Cycles")
    header = [name.strip() for name in rows[0]]
    at = {name: index for index, name in enumerate(header)}
    staging = at.get("Staging Usage", at.get("SRAM Usage", -1))
    layers: list[Layer] = []
    for raw in rows[1:]:
        row = [clean(cell) for cell in raw]
        if len(row) < len(header):
            continue
        name = ",".join(row[len(header) - 1 :]).strip()
        cells = [*(cell.strip() for cell in row[: len(header) - 1]), name]
        try:
            layers.append(
                Layer(
                    index=len(layers),
                    tosa=cells[0],
                    name=name,
                    npu_cycles=_int(cells[at["NPU"]]),
                    op_cycles=_int(cells[at["Op Cycles"]]),
                    macs=_int(cells[at["MAC Count"]]),
                    sram_bytes=_int(cells[staging]) if staging >= 0 else None,
                    share_percent=0.0,
                )
            )
        except (KeyError, ValueError, OverflowError):
            continue
    return with_shares(layers)


def with_shares(layers: Iterable[Layer]) -> tuple[Layer, ...]:
    """The layers, each with its share of all cycles; all partitions together make 100 %."""
    known = tuple(layers)
    total = sum(layer.op_cycles for layer in known)
    if not total:
        return known
    return tuple(layer._replace(share_percent=round(100 * layer.op_cycles / total, 3)) for layer in known)


def _int(text: str) -> int:
    return round(float(text))


def placeless(summaries: Iterable[CompileSummary], line: int) -> tuple[CompileSummary, ...]:
    """The summaries that begin up to this line, without their places in the log."""
    return tuple(s._replace(first_line=None) for s in summaries if s.first_line is None or s.first_line <= line)
