"""`python -m ethosu_tui.tui` is the command `ethosu-tui`."""

import sys

from .cli import main

if __name__ == "__main__":  # processes that are started for --jobs import it too
    sys.exit(main())
