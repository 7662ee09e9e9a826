"""What an import may cost: the headless path stays free of the user interface and of anything heavy."""

from __future__ import annotations

import json
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import grimp
import pytest

HEAVY = (
    "textual",
    "rich",
    "torch",
    "numpy",
    "executorch",
    "plotext",
    "textual_plotext",
    "serial",
    "ethosu.vela",
    "asyncio",
)
LATE = (
    "argparse",
    "gettext",
    "locale",
    "shutil",
    "bz2",
    "lzma",
    "csv",
    "copy",
    "_struct",
    "unicodedata",
    "multiprocessing",
    "subprocess",
    "tempfile",
    "typing",
)
"""Parts of the standard library that each take a fortieth or so of the time in which a small log is read."""


def modules_after(code: str) -> set[str]:
    script = f"import json, sys\n{code}\nprint(json.dumps(sorted(sys.modules)), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    return set(json.loads(done.stderr.strip().splitlines()[-1]))


def test_analyze_imports_nothing_heavy(samples: Path) -> None:
    log = samples / "mnist_q.log"
    loaded = modules_after(f"from ethosu_tui.tui.cli import main\nassert main(['analyze', {str(log)!r}]) == 0")
    assert not {name for name in (*HEAVY, *LATE) if name in loaded}
    assert "ethosu_tui.runners.runs.folder" not in loaded, "stored runs cost only those who read one"


@pytest.mark.parametrize(
    "command",
    [
        "analyze",
        "compare",
        "compile",
        "run",
        "console",
        "runs",
        "targets",
        "config",
        "doctor",
        "inspect",
        "firmware",
        "demo",
        "open",
    ],
)
def test_no_command_module_imports_the_user_interface(command: str) -> None:
    loaded = modules_after(f"import ethosu_tui.tui.commands.{command}")
    assert not {name for name in HEAVY if name in loaded and name != "asyncio"}


def test_home_imports_nothing_that_can_wait() -> None:
    loaded = modules_after("import ethosu_tui.tui.cli, ethosu_tui.tui.opening, ethosu_tui.tui.screens.home")
    later = {"argparse", "sqlite3", "tomllib", "tomli", "hashlib", "secrets", "importlib.metadata"}
    ours = (
        "analysis.lines",
        "runners.target",
        "runners.targets",
        "runners.runs.folder",
        "tui.widgets.log_pane",
        "tui.commands.parsers",
    )
    assert not loaded & (later | {f"ethosu_tui.{name}" for name in ours}), "each takes milliseconds of the first frame"


def test_analysis_needs_nothing_of_the_program() -> None:
    loaded = modules_after("import ethosu_tui.analysis")
    ours = {name for name in loaded if name.startswith("ethosu_tui.")}
    assert all(name.startswith("ethosu_tui.analysis") for name in ours)
    assert not {"subprocess", "socket", "threading", "tempfile"} & loaded


def test_no_module_is_imported_by_what_it_imports() -> None:
    """In functions and for types neither: there, a circle is no error of Python, only of the design."""
    graph = grimp.build_graph("ethosu_tui.analysis", "ethosu_tui.runners", "ethosu_tui.tui", cache_dir=None)
    TopologicalSorter({name: graph.find_modules_directly_imported_by(name) for name in graph.modules}).prepare()
