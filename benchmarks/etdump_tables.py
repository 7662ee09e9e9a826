"""ETDump tables from a log by us, against ExecuTorch's Inspector on the same dump: whole processes, alternating in one run.

Aim: at most 1/40 of the Inspector's time, and the same table.  Only the ratio travels between machines.  Ours starts from
the log; the Inspector is given the dump already decoded, which favours it.
"""

from __future__ import annotations

import importlib.util
import json
import os
import statistics
import sys
import tempfile
from pathlib import Path

from _processes import Took, timed

ROUNDS = 5
LOG = Path(__file__).resolve().parent.parent / "sample_logs" / "etd_plain.log"
OURS = str(Path(sys.executable).parent / "ethosu-tui")
FIGURES = ("p10", "p50", "p90", "avg", "min", "max")


def their_rows(printed: str) -> list[tuple[object, ...]]:
    """The Inspector's printed table as values."""
    lines = [[cell.strip() for cell in line.split("│")[1:-1]] for line in printed.splitlines() if "│" in line]
    head, *body = lines
    rows = []
    for cells in body:
        row = dict(zip(head, cells, strict=True))
        figures = tuple(float(row[f"{name} (cycles)"]) for name in FIGURES)
        rows.append((row["event_block_name"], row["event_name"], *figures, row["start_time"]))
    return rows


def our_rows(printed: str) -> list[tuple[object, ...]]:
    """Our JSON as the same values, without the rows that the Inspector hides."""
    events = json.loads(printed)["etdump"]["events"]
    return [
        (e["block"], e["name"], *(float(e[name]) for name in FIGURES), str(e["start"]))
        for e in events
        if "OPERATOR_CALL" not in e["name"]
    ]


def main() -> None:
    if importlib.util.find_spec("executorch") is None:
        print('left out: the Inspector needs the compile extra (pip install -e ".[compile]")')
        return
    with tempfile.TemporaryDirectory() as folder:
        dump = Path(folder) / "etdump.bin"
        # An installed package has its modules compiled; a checkout may not be allowed to write them beside the sources.
        compiled = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        compiled["PYTHONPYCACHEPREFIX"] = str(Path(folder) / "pyc")
        timed([OURS, "inspect", str(LOG), "--save-etdump", str(dump)], compiled)
        inspector = [sys.executable, "-m", "executorch.devtools.inspector.inspector_cli", "--etdump_path", str(dump)]
        inspector += ["--source_time_scale", "cycles", "--target_time_scale", "cycles"]
        ours = {"inspect": [OURS, "inspect", str(LOG)], "analyze": [OURS, "analyze", str(LOG)]}
        theirs = their_rows(timed(inspector)[1])
        agree = our_rows(timed([*ours["inspect"], "--json"], compiled)[1]) == theirs
        timed(ours["analyze"], compiled)
        took: dict[str, list[Took]] = {name: [] for name in (*ours, "Inspector")}
        for _ in range(ROUNDS):
            for name, command in ours.items():
                took[name].append(timed(command, compiled)[0])
            took["Inspector"].append(timed(inspector)[0])
    print(f"{len(theirs)} rows; tables {'agree' if agree else 'DIFFER'}")
    print(f"Inspector CLI on the dump: {_medians(took['Inspector'])}")
    for name in ours:
        wall = statistics.median(
            i.wall_seconds / o.wall_seconds for i, o in zip(took["Inspector"], took[name], strict=True)
        )
        busy = statistics.median(
            i.processor_seconds / o.processor_seconds for i, o in zip(took["Inspector"], took[name], strict=True)
        )
        print(
            f"ethosu-tui {name} on the log: {_medians(took[name])}; 1/{wall:.0f} of the wall time, 1/{busy:.0f} of the"
        )
        print("    processor time (aim: at most 1/40)")
    if not agree:
        sys.exit(1)


def _medians(took: list[Took]) -> str:
    wall, busy = (
        statistics.median(values) * 1000
        for values in ([t.wall_seconds for t in took], [t.processor_seconds for t in took])
    )
    return f"median {wall:.0f} ms, {busy:.0f} ms of processor time"


if __name__ == "__main__":
    main()
