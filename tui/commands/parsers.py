"""What the words of a command line may be; loaded for those that need it, since argparse takes as long as the first screen's widgets."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from functools import cache

from ...analysis.cleaning import clean
from ...analysis.named_tuple import TYPE_CHECKING
from . import COMMANDS, PRESENTED, module_of
from .saying import say

if TYPE_CHECKING:
    from typing import Any, NoReturn

EXIT_CODES = (
    "Exit codes: 0 ok, 1 a finding of severity error, 2 usage, 3 input unreadable or nothing recognised, "
    "4 a tool, a target or a place to write is missing, 5 the run failed on its target, 124 timed out, 130 interrupted."
)
MOST_IN_USAGE = 8
"""A command of more options names none of them in its usage."""


def command_parser(command: str) -> Parser:
    """The parser of one command; options and paths may stand in any order."""
    text = COMMANDS[command]
    parser = Parser(prog=f"ethosu-tui {command}", description=f"{text[0].upper()}{text[1:]}.", epilog=EXIT_CODES)
    module_of(command).configure(parser)
    if command in PRESENTED:
        _add_ways_out(parser, command)
    parser.shorten_usage()
    return parser


def say_action(words: list[str]) -> None:
    """The help of one action of `runs`, where one is named; it ends the program as any help does."""
    module = module_of("runs")
    action = next((word for word in words if not word.startswith("-")), None)
    if action in module.ACTIONS:
        parser = Parser(prog=f"ethosu-tui runs {action}", epilog=EXIT_CODES)
        module.configure_action(parser, action)
        if action in ("list", "show"):
            _add_ways_out(parser, "runs")
        parser.parse_args(["--help"])


def _add_ways_out(parser: Parser, command: str) -> None:
    """What every command that prints tables can do with them instead (`commands/presenting.py`)."""
    group = parser.add_argument_group("instead of tables")
    group.add_argument(
        "--plain", action="store_true", help="sentences for a screen reader: one fact a line, no columns"
    )
    group.add_argument("--export", metavar="FILE", help="write to FILE: .html, .md, .csv or .json")
    group.add_argument(
        "--html", metavar="FILE", help="write one HTML page with charts to FILE, whatever its name (- for stdout)"
    )
    if command in ("analyze", "inspect"):
        group.add_argument("--perfetto", metavar="FILE", help="write the operators as a trace for ui.perfetto.dev")
        group.add_argument(
            "--model-explorer", metavar="FILE", help="write the operators as node data of Model Explorer"
        )
        group.add_argument(
            "--partition", type=int, metavar="N", help="Model Explorer: the partition (default: the only one)"
        )
    if command not in ("analyze", "inspect", "runs"):
        group.add_argument("--force", action="store_true", help="replace a file that is there")


class _Help(argparse.HelpFormatter):
    """Help as wide as the terminal, asked for with less than `shutil`: every option added makes such an object."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_help_columns())


@cache
def _help_columns() -> int:
    """As `shutil.get_terminal_size` counts, less the margin that argparse leaves."""
    told = os.environ.get("COLUMNS", "")
    columns = int(told) if told.isascii() and told.isdigit() else 0
    if not columns and sys.__stdout__ is not None:
        with contextlib.suppress(OSError, ValueError):
            columns = os.get_terminal_size(sys.__stdout__.fileno()).columns
    return max(columns or 80, 20) - 2


class Parser(argparse.ArgumentParser):
    """A parser whose complaints quote the command line without what could steer a terminal."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(formatter_class=_Help, **settings)

    def shorten_usage(self) -> None:
        """Of many options only the help tells: ten lines of them in front of a complaint hide it."""
        options = [action for action in self._get_optional_actions() if action.help is not argparse.SUPPRESS]
        if len(options) > MOST_IN_USAGE:
            several = {"+": "{0} [{0} ...]", "*": "[{0} ...]", "?": "[{0}]"}
            words = [f"{one.option_strings[0]} {one.metavar or one.dest.upper()}" for one in options if one.required]
            for one in self._get_positional_actions():
                named = str(one.metavar or (f"{{{','.join(one.choices)}}}" if one.choices else one.dest))
                words.append(several.get(str(one.nargs), "{0}").format(named))
            self.usage = " ".join(["%(prog)s", "[options]", *words])

    def error(self, message: str) -> NoReturn:
        """Say it and end with exit code 2; a command that is only spelt otherwise (`analyse`) is named."""
        _, mark, rest = message.partition("argument COMMAND: invalid choice: '")
        if mark:
            from difflib import get_close_matches

            word = rest.partition("'")[0]
            close = get_close_matches(word, COMMANDS, 1)
            message = f"{word} is no command{f'; did you mean {close[0]}?' if close else '; --help lists them'}"
        _, mark, missing = message.partition("the following arguments are required: ")
        if mark:  # what may stand there is in the help, which is a screen long
            about = {(one.option_strings or [one.dest])[-1]: one.help for one in self._actions}
            message += "".join(f"; {name}: {about[name]}" for name in missing.split(", ") if about.get(name))
        self.print_usage(sys.stderr)
        say(f"{self.prog}: error: {clean(message)}")
        self.exit(2)


def build_parser() -> argparse.ArgumentParser:
    """The parser of what is no command: help, version, and the complaint about anything else."""
    parser = Parser(
        prog="ethosu-tui",
        description="Dashboard and profiling analyser for PyTorch models on Arm Ethos-U NPUs with ExecuTorch. "
        "Without a command, the dashboard opens. To begin: `ethosu-tui analyze LOG`, or `ethosu-tui open LOG`.",
        epilog=EXIT_CODES,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    parser.add_argument(
        "--plain", action="store_true", help="without a command: print what the dashboard shows, and exit"
    )
    add_looks(parser)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for name, text in COMMANDS.items():
        commands.add_parser(name, help=text)
    return parser


def add_looks(parser: argparse.ArgumentParser) -> None:
    """Add the options for how the dashboard is drawn; `ethosu-tui` alone takes them, and `open`."""
    parser.add_argument(
        "--theme", metavar="NAME", help="dark, light, ansi (the terminal's own colours), or one of Textual's"
    )
    parser.add_argument("--ascii", action="store_true", help="draw the dashboard with ASCII characters only")


class _Version(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: object, **__: object) -> None:
        from importlib.metadata import version

        print(f"ethosu-tui {version('ethosu-tui')}")
        parser.exit()
