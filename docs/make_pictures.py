"""Draw the pictures of the README: the app itself exports them, from sample logs and from real compiles.

Run from the root of the checkout with the compile extra installed: `python docs/make_pictures.py`.
"""

from __future__ import annotations

import asyncio
import html
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from ethosu_tui.runners.compile.compiler import CompileBatch, CompileOptions, JobDone, plan
from ethosu_tui.runners.doctor import Tool, check_tools
from ethosu_tui.runners.launch import launch
from ethosu_tui.runners.run_request import RunRequest
from ethosu_tui.tui.app import EthosuApp, build_app
from ethosu_tui.tui.screens.compare import CompareScreen
from ethosu_tui.tui.screens.home import HomeScreen
from ethosu_tui.tui.screens.post_mortem import PostMortemScreen
from ethosu_tui.tui.screens.report import ReportScreen
from ethosu_tui.tui.state import Start

HERE = Path(__file__).resolve().parent
LOG = "sample_logs/mobilenet_v2_corstone320.log"
OWN = """import torch


class ModelUnderTest(torch.nn.Sequential):
    def __init__(self):
        super().__init__(
            torch.nn.Conv2d(1, 32, 3, stride=2, padding=1), torch.nn.ReLU(),
            torch.nn.Conv2d(32, 32, 3, padding=1), torch.nn.ReLU(),
            torch.nn.AdaptiveAvgPool2d(1), torch.nn.Flatten(), torch.nn.Linear(32, 12),
        )


ModelInputs = (torch.randn(1, 1, {frames}, 40),)
ModelUnderTest = ModelUnderTest().eval()
"""
"""A model of one's own, whose length is changed from compile to compile: what a trend is for."""
FRAMES = (49, 53, 47, 48, 44, 45)
OWN_TARGETS = ("ethos-u55-128", "ethos-u85-256")
PLACES = """[targets.qemu-an547]
kind = "command"
argv = ["qemu-system-arm", "-M", "mps3-an547", "-nographic", "-kernel", "{artefact}"]
[targets.imx93-lab]
base = "imx93"
host = "imx93-lab"
"""
REPLAYED = {"method_small_planned": "pool", "hang_u55_no_npu": "hang", "mobilenet_v2_corstone320": "mnv2"}
"""Sample logs that are played, and short names that no column cuts."""
MODELS = ("keyword_spotting", "mnist")
TARGETS = ("ethos-u55-128", "ethos-u55-256", "ethos-u65-256", "ethos-u85-256")
WORDS = {"versions together": "they fit", "ahead-of-time script": "there"}
SIZE, HOME, BROAD = (110, 30), (120, 31), (140, 31)
_LEADING = re.compile('x="([0-9.]+)"( y="[0-9.]+" textLength="([0-9.]+)"[^>]*>)((?:&#160;)+)([^<]+)(?=</text>)')


def without_leading_blanks(picture: str) -> str:
    """Each text begins where its first letter stands: some programs that draw SVG leave blanks at the front out."""

    def moved(found: re.Match[str]) -> str:
        x, between, long, blanks, text = found.groups()
        count = len(blanks) // len("&#160;")
        one = float(long) / (count + len(html.unescape(text)))
        between = between.replace(f'"{long}"', f'"{float(long) - count * one:.1f}"')
        return f'x="{float(x) + count * one:.1f}"{between}{text}'

    return _LEADING.sub(moved, picture)


def tools() -> Iterator[Tool]:
    """This machine as the dashboard shows it, without the folders of whoever draws, that drawing needs no terminal, or what the pane cuts."""
    for tool in check_tools():
        if tool.name not in ("terminal", "workspace"):
            yield replace(tool, detail=WORDS.get(tool.name) or re.split(r", | on | in | with ", tool.detail)[0])


async def draw(
    app: EthosuApp, screen: type[object], picture: str, size: tuple[int, int] = SIZE, keys: Sequence[str] = ()
) -> None:
    """Wait until this screen is shown and quiet, press these keys, then write what it shows."""
    async with app.run_test(size=size) as pilot:
        for _ in range(200):
            await pilot.pause(0.05)
            if isinstance(app.screen, screen):
                break
        await app.workers.wait_for_complete()
        await pilot.pause(0.5)
        for key in keys:
            await pilot.press(key)
            await pilot.pause(0.5)
        drawn = app.export_screenshot(title="ethosu-tui").replace(f"{os.getcwd()}/", "")
        (HERE / picture).write_text(without_leading_blanks(drawn), "utf-8")


def compile_all(root: Path) -> tuple[str, ...]:
    """Compile bundled models for the four targets of the demo; run folders named by target, in their order."""
    points, _ = plan(TARGETS)
    names = []
    for model in MODELS:
        batch = CompileBatch(CompileOptions(f"bundled:{model}"), points, root)
        done = [event for event in batch.run() if isinstance(event, JobDone)]
        for event in sorted(done, key=lambda event: event.index):
            folder = Path(str(event.result.folder))
            names.append(folder.rename(root / f"{model}-{event.result.target}").name)
    return tuple(names)


def change(root: Path) -> None:
    """Compiles of a model that was changed in between."""
    points, _ = plan(OWN_TARGETS)
    model = root.parent / "wake_word.py"
    for frames in FRAMES:
        model.write_text(OWN.format(frames=frames), "utf-8")
        for _ in CompileBatch(CompileOptions(str(model)), points, root).run():
            pass


def replay(root: Path) -> None:
    """Runs for the dashboard to list: sample logs, played without waiting."""
    for name, short in REPLAYED.items():
        log = shutil.copy(f"sample_logs/{name}.log", root.parent / f"{short}.log")
        session = launch(RunRequest(f"replay:{log}", pace="instant"), root)
        for _ in session.events():
            pass


@contextmanager
def going(root: Path) -> Iterator[None]:
    """A compile that goes on meanwhile: the dashboard shows how far it is."""
    words = (sys.executable, "-m", "ethosu_tui.tui", "compile", "bundled:mobilenet_v2", "--target", "ethos-u85-256")
    path = os.pathsep.join((str(HERE.parents[1]), os.environ.get("PYTHONPATH", "")))
    surroundings = {**os.environ, "ETHOSU_TUI_WORKSPACE": str(root), "PYTHONPATH": path}
    quiet = subprocess.DEVNULL
    with subprocess.Popen(words, cwd=root, env=surroundings, stdout=quiet, stderr=quiet) as compile_job:
        there, deadline = len(list(root.iterdir())), time.monotonic() + 60
        while compile_job.poll() is None and len(list(root.iterdir())) == there and time.monotonic() < deadline:
            time.sleep(0.2)
        time.sleep(2)  # so that it has begun
        yield
        compile_job.terminate()


def main() -> None:
    os.chdir(HERE.parent)
    with tempfile.TemporaryDirectory() as temporary:
        root = Path(temporary) / "runs"
        root.mkdir()
        board = ("b", *"alif-e8-u85", "enter")
        asyncio.run(draw(build_app(Start((LOG,)), root=root), ReportScreen, "report.svg", keys=board))
        logs = tuple(sorted(str(path) for path in Path("sample_logs").glob("*.log")))
        asyncio.run(
            draw(
                build_app(Start(logs, asked=("sample_logs",)), root=root),
                PostMortemScreen,
                "post_mortem.svg",
                BROAD,
                ("e",),
            )
        )
        folders = compile_all(root)
        replay(root)
        change(root)
        os.chdir(root)
        Path("ethosu-tui.toml").write_text(PLACES, "utf-8")
        with going(root):
            asyncio.run(draw(build_app(Start(), root=root, tools=tools), HomeScreen, "dashboard.svg", HOME))
        asyncio.run(draw(build_app(Start(folders[-len(TARGETS) :]), root=root), CompareScreen, "compare.svg", BROAD))


if __name__ == "__main__":
    main()
