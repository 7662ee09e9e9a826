"""What stands out among many runs is the same whether a process beside us finds it or we do."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from ethosu_tui.analysis.post_mortem.summary import post_mortem
from ethosu_tui.analysis.rows.store import RunStore
from ethosu_tui.analysis.scan import Scanner
from ethosu_tui.runners.reading import looking_through
from ethosu_tui.runners.reading.looking_through import look_through


def test_a_process_finds_what_we_would_find(samples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scanner = Scanner("night.log")
    scanner.feed((samples / "mobilenet_v2_corstone320.log").read_bytes() * 12)
    scanner.finish()
    rows = [row._replace(npu_cycles=(row.npu_cycles or 0) * (2 if row.index == 7 else 1)) for row in scanner.rows()]
    store = RunStore()
    store.add(rows)
    wanted = list(post_mortem(store))[2:]
    assert wanted[1].rows, "one run stands out"
    assert list(look_through(store)) == wanted
    monkeypatch.setattr(looking_through, "FEW", 1)
    here = []
    monkeypatch.setattr(looking_through, "_tables", lambda rows: here.append(rows))
    assert list(look_through(store)) == wanted and not here
    monkeypatch.setattr(looking_through, "own_python", lambda module: ["false"])
    with monkeypatch.context() as context:
        context.setattr(looking_through, "_tables", lambda rows: list(post_mortem(rows))[2:])
        assert list(look_through(store)) == wanted, "where there is no process, we look ourselves"
    assert pickle.loads(pickle.dumps(store)).count == store.count
