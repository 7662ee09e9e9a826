"""`ethosu-tui analyze` on a 5 KB log against bare `python -c pass`, whole processes, alternating in one run.

Aim: under 3x.  Prints the median of each and the median of the pairwise ratios; only the ratio travels between machines.

Measured twice: in the environment that runs this, and in a fresh one into which the package is copied as `pip install` does.
An editable install has a finder of its own, which each start of its Python loads: `python -c pass` takes twice as long there,
and the ratio is better for no merit of ours.
"""

from __future__ import annotations

import compileall
import shutil
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path

ROUNDS = 25
HERE = Path(__file__).resolve().parent.parent
LOG = HERE / "sample_logs" / "mnist_q.log"
START = "import sys\nfrom ethosu_tui.tui.cli import command\nsys.exit(command())\n"


def seconds(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def measure(where: str, python: str, ours: list[str]) -> None:
    ours, peer = [*ours, "analyze", str(LOG)], [python, "-c", "pass"]
    seconds(ours), seconds(peer)
    pairs = [(seconds(ours), seconds(peer)) for _ in range(ROUNDS)]
    own, bare = (statistics.median(pair[which] for pair in pairs) * 1000 for which in (0, 1))
    print(f"{where}: analyze {LOG.name} ({LOG.stat().st_size} bytes) {own:.1f} ms, python -c pass {bare:.1f} ms")
    print(f"ratio: {statistics.median(a / b for a, b in pairs):.2f}x (aim: under 3x)")


def installed(folder: Path) -> tuple[str, list[str]]:
    """A fresh environment with the package in it and nothing else: its Python and its command."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    places = sysconfig.get_paths("venv", {"base": str(folder), "platbase": str(folder)})
    package = Path(places["purelib"]) / "ethosu_tui"
    for part in ("analysis", "runners", "tui", "sample_logs"):
        shutil.copytree(HERE / part, package / part, ignore=shutil.ignore_patterns("__pycache__"))
    compileall.compile_dir(package, quiet=1)
    script = Path(places["scripts"]) / "ethosu-tui.py"
    script.write_text(START)
    python = str(Path(places["scripts"]) / "python")
    return python, [python, str(script)]


def main() -> None:
    measure("this environment", sys.executable, [str(Path(sys.executable).parent / "ethosu-tui")])
    with tempfile.TemporaryDirectory() as folder:
        measure("as installed", *installed(Path(folder)))


if __name__ == "__main__":
    main()
