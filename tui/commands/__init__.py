"""One module per command of `ethosu-tui`: `configure(parser)` adds its options, `execute(options)` does it.

Importing a command may not import Textual, torch or anything slow; what a command prints on stdout is its data.
"""
