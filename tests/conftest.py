"""Shared fixtures: where samples and the optional third-party logs are, and a workspace that is nobody's home."""

from __future__ import annotations

import importlib.util
import itertools
import os
import shutil
import signal
import sys
import tempfile
import types
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

COMPILE_WORKERS = "ETHOSU_TUI_TEST_WORKERS"
"""The variable with the folder of the compile workers that all processes of a test run share."""
STARTED_HERE = COMPILE_WORKERS not in os.environ
WARM = os.environ.get("ETHOSU_TUI_WARM", "900")
OWN = {name: os.environ.get(name) for name in ("HOME", "PATH", "TMPDIR")}
os.environ.setdefault("OMP_NUM_THREADS", "1")  # there is a test on each core: a second thread of torch would only wait
for number in (signal.SIGINT, signal.SIGQUIT):  # a job that a shell put into the background begins with them ignored
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
if STARTED_HERE:
    os.environ[COMPILE_WORKERS] = tempfile.mkdtemp(prefix="ethosu-tui-", dir="/tmp")  # paths of sockets must be short

ROOT = Path(__file__).resolve().parent.parent

if importlib.util.find_spec("ethosu_tui") is None:  # a plain checkout, not installed
    package = types.ModuleType("ethosu_tui")
    package.__path__ = [str(ROOT)]
    sys.modules["ethosu_tui"] = package

# The same examples each time, on a machine of any speed; `--hypothesis-profile=default` looks for new ones.
settings.register_profile("suite", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("suite")

NUMBERS = itertools.count()
WORKSPACES = ("workspace", "runs", "home/runs")
"""Where tests keep runs, below their own folder."""
WAITING_BETWEEN = 3
"""Modules without real compiles for each one with them, while there are any."""
SHARED_LOGS = ROOT.parent / "shared" / "logs"


@pytest.fixture(scope="session")
def samples() -> Path:
    """The folder of sample logs."""
    return ROOT / "sample_logs"


def user_of_compiles() -> dict[str, str]:
    """The environment of somebody who compiles, with blanks in all paths: one for all processes of a test run.

    What one compiles is found by the next, and all have the same worker.
    """
    home = Path(os.environ[COMPILE_WORKERS]) / "the home of"
    scratch = home / "temporary files"
    scratch.mkdir(parents=True, exist_ok=True)
    path = f"{Path(sys.executable).parent}{os.pathsep}{OWN['PATH']}"
    return {"HOME": str(home), "ETHOSU_TUI_WORKSPACE": str(home / "runs"), "TMPDIR": str(scratch), "PATH": path}


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Real compiles take a worker that an earlier one left, as those of users do: imports are most of their cost.

    No other test uses or leaves one, unless that is what it is about.
    """
    real = item.get_closest_marker("compile") is not None
    os.environ["ETHOSU_TUI_WARM"] = WARM if real else "0"
    os.environ["XDG_RUNTIME_DIR"] = os.environ[COMPILE_WORKERS]
    places = user_of_compiles() if real else OWN  # a worker serves those only for whom all three are the same
    for name in OWN:
        if (place := places[name]) is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = place


def pytest_unconfigure() -> None:
    """End the shared workers: they go when their sockets are gone."""
    if STARTED_HERE:
        shutil.rmtree(os.environ[COMPILE_WORKERS], ignore_errors=True)


@pytest.fixture
def _own_place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of the test's own: its `tmp_path` if it uses that, else a cheaper one.

    pytest lists all folders before it makes the next `tmp_path`, which for thousands of tests takes longer than most of them.
    """
    if "tmp_path" in request.fixturenames:
        path: Path = request.getfixturevalue("tmp_path")
        return path
    path = tmp_path_factory.getbasetemp() / "own" / str(next(NUMBERS))
    path.mkdir(parents=True)
    return path


@pytest.fixture(autouse=True)
def _own_workspace(request: pytest.FixtureRequest, _own_place: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No test reads or writes the developer's stored runs, settings or home; none leaves a run going on."""
    real = request.node.get_closest_marker("compile") is not None
    monkeypatch.setenv("ETHOSU_TUI_WORKSPACE", str(_own_place / "workspace"))
    if not real:
        monkeypatch.setenv("HOME", str(_own_place))
    monkeypatch.setenv("ETHOSU_TUI_LOCKS", str(_own_place / "locks"))
    monkeypatch.setenv("XDG_DATA_HOME", str(_own_place / "xdg-data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(_own_place / "xdg-config"))
    for name in ("ETHOSU_TUI_PYTHON", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    yield
    if any((_own_place / name).is_dir() for name in WORKSPACES):
        from .runners.keepers import end_all

        end_all(*(_own_place / name for name in WORKSPACES))


@pytest.fixture(scope="session")
def shared_logs() -> Path:
    """Third-party and recorded logs beside the checkout, where they are present; they are never part of it."""
    if not SHARED_LOGS.is_dir():
        pytest.skip("no shared logs beside this checkout")
    return SHARED_LOGS


def pytest_configure() -> None:
    """Children inherit what is ignored: under `nohup`, or behind `&`, the tests of a lost terminal and of Ctrl-C would fail."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One process more than there are cores: many tests wait half of their time, for keys, children and limits."""
    return (os.cpu_count() or 1) + 1


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Modules with real compiles, which keep a core busy, take turns with those that wait for keys and children.

    The longest comes first and those of `analysis` last: no long one is left to the end, where cores have nothing else.
    Real compiles need the compile extra; in CI its absence is a failure, elsewhere a skip with the reason.
    """
    paths = list(dict.fromkeys(item.path for item in items))
    dear = list(dict.fromkeys(item.path for item in items if item.get_closest_marker("compile")))
    dear.sort(key=lambda path: path.name != "test_compile_shared_real.py")
    last = [path for path in paths if path.parent.name == "analysis" and path not in dear]
    waiting = [path for path in paths if path not in dear and path not in last]
    places = {path: place * WAITING_BETWEEN for place, path in enumerate(dear)}
    places |= {path: place + 0.5 for place, path in enumerate(waiting)}
    places |= {path: len(paths) * WAITING_BETWEEN + place for place, path in enumerate(last)}
    items.sort(key=lambda item: places[item.path])
    if importlib.util.find_spec("executorch") is not None or os.environ.get("CI"):
        return
    skip = pytest.mark.skip(reason='needs the compile extra: pip install -e ".[compile]"')
    for item in items:
        if item.get_closest_marker("compile"):
            item.add_marker(skip)
