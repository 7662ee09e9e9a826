"""Every command that the README shows in a `sh` block runs as it stands, from the root of the checkout."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import user_of_compiles

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text("utf-8")
COMMANDS = [
    line for block in re.findall(r"```sh\n(.*?)```", README, re.DOTALL) for line in block.splitlines() if line.strip()
]
EXPECTED = {
    "ethosu-tui analyze sample_logs/method_small_planned.log": 1,
    "ethosu-tui analyze sample_logs": 1,
    "ethosu-tui analyze sample_logs --csv": 1,
    "ethosu-tui analyze sample_logs --markdown --jobs 2": 1,
    "ethosu-tui analyze 'sample_logs/m*.log' --all": 1,
}


def marked(command: str) -> object:
    return pytest.param(command, marks=pytest.mark.compile if " compile " in command else ())


@pytest.mark.parametrize("command", [marked(command) for command in COMMANDS])
def test_command_of_the_readme(command: str, tmp_path: Path) -> None:
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    if " compile " in command:
        environment |= user_of_compiles()
    if command.startswith("ethosu-tui runs"):
        first = "ethosu-tui run sample_logs/mnist_q.log --on replay:sample_logs/mnist_q.log"
        assert first in COMMANDS
        subprocess.run(first, shell=True, cwd=ROOT, env=environment, check=True, capture_output=True, timeout=60)
    done = subprocess.run(command, shell=True, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == EXPECTED.get(command, 0), done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout.strip()


def test_the_readme_shows_commands_of_every_kind() -> None:
    shown = {command.split()[1] for command in COMMANDS}
    assert {"analyze", "compile", "run", "runs", "targets", "compare", "doctor"} <= shown
    assert "make demo" in README
    assert "make test" in README
    assert shutil.which("make")


def test_make_bench_starts_nothing_that_wants_to_be_told_more() -> None:
    assert "make bench" in README
    loop = subprocess.run(["make", "-n", "bench"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    scripts = re.findall(r"benchmarks/[a-z_]+\.py(?=[ ;])", loop)
    assert len(scripts) > 10
    wanted = re.compile(r'add_argument\("[a-z](?!.*nargs="[?*]")')
    assert not [script for script in scripts if wanted.search((ROOT / script).read_text("utf-8"))]


def test_its_contents_are_listed_as_they_come() -> None:
    listed = re.findall(r"\[([^]]+)\]\(#([^)]+)\)", README.partition("\n## ")[0])
    headings = re.findall(r"^## (.+)$", README, re.M)
    assert listed == [(name, re.sub(r"[^\w -]", "", name.lower()).replace(" ", "-")) for name in headings]


def test_pictures_of_the_readme_exist() -> None:
    for picture in re.findall(r"!\[[^]]*\]\(([^)]+\.svg)\)", README):
        assert (ROOT / picture).read_text("utf-8").lstrip().startswith("<svg")
