"""Write the golden reports anew from the sample logs.  Read the diff before you commit it."""

from __future__ import annotations

import json
from pathlib import Path

from ethosu_tui.analysis import Report, read_capture

HERE = Path(__file__).resolve().parent

for log in sorted((HERE.parent.parent / "sample_logs").glob("*.log")):
    report = Report((read_capture(log.name, log.read_bytes()),))
    (HERE / f"{log.stem}.json").write_text(json.dumps(report.to_dict(), indent=1) + "\n", "utf-8")
