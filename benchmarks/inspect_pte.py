"""`inspect` of a 3.7 MB program against ExecuTorch's own reader of Vela blocks: whole processes, alternating in one run.

Aim: at most 1/40 of the time of `get_ethosu_scratch_from_pte.py`, which prints one number of those that `inspect` gives; the
number must agree.  Only the ratio travels between machines.

`python benchmarks/inspect_pte.py [FILE.pte]`; without a file, MobileNetV2 is compiled for the purpose (half a minute).
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from _processes import timed

ROUNDS = 3
AIM = 40
OURS = [sys.executable, "-m", "ethosu_tui.tui.cli"]
THEIRS = [sys.executable, "-m", "executorch.backends.arm.scripts.get_ethosu_scratch_from_pte"]


def compiled_model(folder: str) -> str:
    """MobileNetV2 for an Ethos-U55, compiled now."""
    program = str(Path(folder) / "mobilenet_v2.pte")
    environment = os.environ | {"ETHOSU_TUI_WORKSPACE": str(Path(folder) / "runs")}
    command = [*OURS, "compile", "bundled:mobilenet_v2", "--target", "ethos-u55-128", "-o", program]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
    return program


def main() -> None:
    if importlib.util.find_spec("executorch") is None:
        print('left out: the peer needs the compile extra (pip install -e ".[compile]")')
        return
    with tempfile.TemporaryDirectory() as folder:
        program = sys.argv[1] if sys.argv[1:] else compiled_model(folder)
        # An installed package has its modules compiled; a checkout may not be allowed to write them beside the sources.
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        environment["PYTHONPYCACHEPREFIX"] = str(Path(folder) / "pyc")
        _, theirs = timed([*THEIRS, program])
        found = re.search(r"max_scratch_size=(\d+)", theirs)
        document = json.loads(timed([*OURS, "inspect", program, "--json"], environment)[1])
        needs = {need["region"]: need["bytes"] for need in document["program"]["memory"]}
        agree = found is not None and needs["scratch"] == int(found[1])
        pairs = [
            (timed([*OURS, "inspect", program], environment)[0], timed([*THEIRS, program])[0]) for _ in range(ROUNDS)
        ]
        size = Path(program).stat().st_size
    wall = statistics.median(their.wall_seconds / our.wall_seconds for our, their in pairs)
    busy = statistics.median(their.processor_seconds / our.processor_seconds for our, their in pairs)
    ours, others = (statistics.median(pair[side].wall_seconds for pair in pairs) for side in (0, 1))
    print(
        f"{size:,} bytes; scratch memory {needs['scratch']:,} bytes, {'as' if agree else 'NOT as'} ExecuTorch's script says"
    )
    print(f"ethosu-tui inspect {1000 * ours:.0f} ms, get_ethosu_scratch_from_pte.py {1000 * others:.0f} ms (medians)")
    print(f"1/{wall:.0f} of the wall time, 1/{busy:.0f} of the processor time (aim: at most 1/{AIM})")
    if not agree:
        sys.exit(1)


if __name__ == "__main__":
    main()
