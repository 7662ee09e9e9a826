"""Loaded by every Python that a test starts with this folder on its path: SIGUSR1 makes it say where all its threads and tasks are.

A dashboard that does not end once in a thousand times leaves nothing else to look at.
"""

import os
import signal


def _told(*_: object) -> None:
    import asyncio
    import io
    import sys
    import traceback

    told = io.StringIO()
    for number, frame in sys._current_frames().items():
        told.write(f"\nthread {number}\n{''.join(traceback.format_stack(frame))}")
    for task in asyncio.all_tasks(asyncio.events._get_running_loop()):
        told.write(f"\n{task!r}\n")
        task.print_stack(file=told)
    os.write(2, told.getvalue().encode(errors="replace"))


signal.signal(signal.SIGUSR1, _told)
