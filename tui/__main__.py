"""`python -m ethosu_tui.tui` is the command `ethosu-tui`."""

from .cli import command

if __name__ == "__main__":  # processes that are started for --jobs import it too
    command()
