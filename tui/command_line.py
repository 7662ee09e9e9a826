"""What the command `ethosu-tui` does: arguments to commands, errors to one sentence and the right exit code.

Start-up counts: only argparse and what it needs is imported here; a command's module is imported when it is named on the
command line, and Textual only when the dashboard opens.  stdout carries data, stderr everything else.
"""

from __future__ import annotations

import argparse
import contextlib
import errno
import importlib
import io
import os
import sys
from functools import cache

from ..analysis.lines import clean
from ..analysis.named_tuple import TYPE_CHECKING
from ..runners.job import JobError, shortened

if TYPE_CHECKING:
    from typing import Any, NoReturn

COMMANDS: dict[str, str] = {
    "open": "open the dashboard on logs, run folders or artefacts",
    "analyze": "logs to tables: allocators, cycles, PMU, findings",
    "compare": "two or more runs, logs or compiles side by side",
    "compile": "compile a model ahead of time for one or more targets",
    "build": "build a runner ELF for a target with your ExecuTorch checkout",
    "run": "run an artefact on a target and capture its console",
    "console": "a board's serial console, with the keyboard passed through",
    "inspect": "say what a file is and what it holds",
    "firmware": "a compiled program as C, with pool sizes and the operators to build",
    "runs": "the stored runs",
    "targets": "where programs can run: boards, simulators, machines; and what is known of them",
    "config": "the settings that hold here, and where each comes from",
    "web": "the dashboard in a browser, for this machine alone",
    "doctor": "what is installed, what is missing, and the line that installs it",
    "demo": "the whole job on a bundled model",
}
PRESENTED = frozenset(("analyze", "compare", "inspect", "runs", "targets", "config", "doctor"))
"""Commands that print tables and nothing else, which then can be had in other forms."""
WAYS_OUT = ("plain", "export", "html", "perfetto", "model_explorer")
MISSING, INTERRUPTED = 4, 130
_WRITE_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
EXIT_CODES = (
    "Exit codes: 0 ok, 1 a finding of severity error, 2 usage, 3 input unreadable or nothing recognised, "
    "4 a tool, a target or a place to write is missing, 5 the run failed on its target, 124 timed out, 130 interrupted."
)


def run(argv: list[str]) -> int:
    """Run the command line; the return value is the exit code.

    What cannot be printed is a failure of its own and never looks like one of a log; a reader that has seen enough
    (`| head`) is no failure.
    """
    _mend_streams()
    code = 0
    try:
        code = _code_of(argv)
        sys.stdout.flush()
    except KeyboardInterrupt:
        _say("ethosu-tui: interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        _drop_stdout()
    except OSError as error:
        code = MISSING
        if error.filename is None and error.errno in _WRITE_ERRORS:
            _drop_stdout()
            _say(f"ethosu-tui: standard output cannot be written ({error.strerror or error}); free some space there")
        else:
            _say(f"ethosu-tui: {error.filename or 'the system'}: {error.strerror or error}")
    except Exception as error:
        from .terminal.mishap import keep_mishap

        code = 1
        _say(keep_mishap(error, f"`{argv[0]}`" if argv and argv[0] in COMMANDS else "its start"))
    return code


def _code_of(argv: list[str]) -> int:
    try:
        return _execute(argv)
    except JobError as error:
        _say(f"ethosu-tui: {error.message}" + (f"; {error.hint}" if error.hint else ""))
        return error.exit_code
    except SystemExit as ended:  # argparse has printed help or a complaint
        return ended.code if isinstance(ended.code, int) else 0


def _drop_stdout() -> None:
    from .commands.patience import drop

    drop(sys.stdout)


def _mend_streams() -> None:
    """Closed streams become the null device, and a character that the terminal cannot show is no error."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # it lives as long as we do
        stream = getattr(sys, name)
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _say(text: str) -> None:
    with contextlib.suppress(OSError):  # nobody is there to hear it
        print(shortened(clean(text)), file=sys.stderr, flush=True)


def _execute(argv: list[str]) -> int:
    if argv and argv[0] in COMMANDS:
        own, command = argv[1:], []
        if argv[0] == "run" and "--" in own:  # what stands behind it belongs to another program
            own, command = own[: own.index("--")], own[own.index("--") + 1 :]
        if argv[0] == "runs" and any(word in ("-h", "--help") for word in own):
            _say_action(own)
        options = command_parser(argv[0]).parse_intermixed_args(own)
        options.command_argv = command
        execute = _module(argv[0]).execute
        if argv[0] in PRESENTED and any(getattr(options, name, None) not in (None, False) for name in WAYS_OUT):
            from .commands.presenting import presented

            return presented(argv[0], options, own, execute)
        code: int = execute(options)
        return code
    if argv == ["--plain"]:
        plain: int = importlib.import_module(".commands.plain_dashboard", __package__).plain_dashboard()
        return plain
    options = build_parser().parse_args(argv)
    options.paths = []
    opened: int = _module("open").execute(options)
    return opened


def command_parser(command: str) -> Parser:
    """The parser of one command; options and paths may stand in any order."""
    text = COMMANDS[command]
    parser = Parser(prog=f"ethosu-tui {command}", description=f"{text[0].upper()}{text[1:]}.", epilog=EXIT_CODES)
    _module(command).configure(parser)
    if command in PRESENTED:
        _add_ways_out(parser, command)
    return parser


def _say_action(words: list[str]) -> None:
    """The help of one action of `runs`, where one is named; it ends the program as any help does."""
    module = _module("runs")
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


def _module(command: str) -> Any:
    return importlib.import_module(f".commands.{command}", __package__)


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

    def error(self, message: str) -> NoReturn:
        """Say it and end with exit code 2."""
        super().error(clean(message))


def build_parser() -> argparse.ArgumentParser:
    """The parser of what is no command: help, version, and the complaint about anything else."""
    parser = Parser(
        prog="ethosu-tui",
        description="Dashboard and profiling analyser for PyTorch models on Arm Ethos-U NPUs with ExecuTorch. "
        "Without a command, the dashboard opens.",
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
