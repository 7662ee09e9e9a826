"""An input whose reading fails as none should is refused alone with one process too: the others are read."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from ethosu_tui.analysis.scan import Scanner
from ethosu_tui.runners.reading import digest
from ethosu_tui.tui.command_line import run


class Stumbling(Scanner):
    """Fails at one file, as a fault of ours would."""

    def finish(self, *given: object) -> None:  # type: ignore[override]
        if self.source.endswith("b.log"):
            raise TypeError("a fault of ours")
        super().finish(*given)  # type: ignore[arg-type]


@pytest.mark.parametrize("form", ["--json", "--jsonl"])
def test_the_others_are_read(
    form: str,
    samples: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in ("a", "b", "c"):
        shutil.copy(samples / "mnist_q.log", tmp_path / f"{name}.log")
    monkeypatch.setattr(digest, "Scanner", Stumbling)
    assert run(["analyze", form, "--jobs", "1", str(tmp_path)]) == 3
    printed = capsys.readouterr()
    assert printed.err.splitlines() == [
        f"ethosu-tui: {tmp_path / 'b.log'}: could not be read (TypeError: a fault of ours); please report this"
    ]
    captures = json.loads(printed.out)["captures"] if form == "--json" else map(json.loads, printed.out.splitlines())
    assert [Path(found["source"]).name for found in captures] == ["a.log", "c.log"]


def test_one_that_has_too_little_memory_is_told_as_such_with_one_process_too(
    samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Swollen(Scanner):
        def finish(self, *given: object) -> None:  # type: ignore[override]
            raise MemoryError

    shutil.copy(samples / "mnist_q.log", tmp_path / "a.log")
    monkeypatch.setattr(digest, "Scanner", Swollen)
    assert run(["analyze", "--jobs", "1", str(tmp_path / "a.log")]) == 3
    assert capsys.readouterr().err == (
        f"ethosu-tui: {tmp_path / 'a.log'}: there is too little memory for it; read it alone, or where there is more memory\n"
    )
