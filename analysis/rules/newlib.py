"""What small C libraries cannot print, and which one can: `%zu` and its like lose the rest of their line."""

from __future__ import annotations

NO_Z = "newlib-nano, and a full newlib without C99 formats (as in the packages of Debian and Ubuntu), do not know the z length"
FULL = "a newlib built with C99 formats, like that of Arm's toolchain, without --specs=nano.specs"
