"""`python -m ethosu_tui.tui` is the command `ethosu-tui`."""

import sys

from .cli import main

sys.exit(main())
