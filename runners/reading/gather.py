"""Reads inputs into a harvest: what is wrong with one of them is no reason to leave the others unread."""

from __future__ import annotations

from ...analysis.named_tuple import TYPE_CHECKING
from ..job import InputError, JobError, unexpected
from .digest import readings
from .harvest import Harvest

if TYPE_CHECKING:
    from .settings import ReadSettings


def gather(path: str, harvest: Harvest, *, isolated: bool = True) -> None:
    """Read one input; what is wrong with it becomes a remark.

    So does an error that nobody thought of, as others are to be read yet; not `isolated`, it is left to who calls.  What
    the system refuses is about what was printed: of reading, it is an `InputError`.
    """
    found = readings(path, harvest.settings, harvest.take, harvest.merge if harvest.settings.halves else None)
    while True:
        try:
            reading = next(found, None)
        except InputError as error:
            return harvest.fail(error)
        except (JobError, OSError):
            raise
        except Exception as error:
            if not isolated:
                raise
            return harvest.fail(unexpected(path, error))
        if reading is None:
            return None
        if isinstance(reading, JobError):
            harvest.fail(reading)
        else:
            harvest.close(reading)


def gathered(path: str, settings: ReadSettings, whole_runs: int) -> Harvest:
    """One input on its own, to be sent back by the process that reads it."""
    harvest = Harvest(settings, whole_runs)
    gather(path, harvest, isolated=False)
    return harvest
