"""What small C libraries cannot print, and which one can: `%zu` and its like lose the rest of their line."""

from __future__ import annotations

NO_Z = "newlib-nano, and a full newlib without the formats of C99 (as in the packages of Debian and Ubuntu), know no z length"
FULL = "a newlib that was built with the formats of C99, as that of Arm's toolchain, without --specs=nano.specs"
