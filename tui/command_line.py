"""What the command `ethosu-tui` does: arguments to commands, errors to one sentence and the right exit code.

Start-up counts: a command's module is imported when it is named on the command line, argparse when there are options to read,
and Textual only when the dashboard opens.  stdout carries data, stderr everything else.
"""

from __future__ import annotations

import errno
import io
import os
import sys

from ..analysis.named_tuple import TYPE_CHECKING
from ..runners.job import JobError
from .commands import COMMANDS, PRESENTED, module_of
from .commands.saying import say

if TYPE_CHECKING:
    from typing import Any

PATHS_ALONE = frozenset(("analyze",))
"""Commands whose words without a dash are paths, one or more."""
WAYS_OUT = ("plain", "export", "html", "perfetto", "model_explorer")
MISSING, INTERRUPTED = 4, 130
_WRITE_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


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
        say("ethosu-tui: interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        _drop_stdout()
    except OSError as error:
        code = MISSING
        if error.filename is None and error.errno in _WRITE_ERRORS:
            _drop_stdout()
            say(f"ethosu-tui: standard output cannot be written ({error.strerror or error}); free some space there")
        else:
            say(f"ethosu-tui: {error.filename or 'the system'}: {error.strerror or error}")
    except Exception as error:
        from .terminal.mishap import keep_mishap

        code = 1
        say(keep_mishap(error, f"`{argv[0]}`" if argv and argv[0] in COMMANDS else "its start"))
    return code


def _code_of(argv: list[str]) -> int:
    try:
        return _execute(argv)
    except JobError as error:
        say(f"ethosu-tui: {error.message}" + (f"; {error.hint}" if error.hint else ""))
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


def _execute(argv: list[str]) -> int:
    if not argv or argv[0] == "open" and not any(word.startswith("-") for word in argv):  # no option, so no parser
        shown: int = module_of("open").show(argv[1:])
        return shown
    if argv and argv[0] in COMMANDS:
        own, command = argv[1:], []
        if argv[0] == "run" and "--" in own:  # what stands behind it belongs to another program
            own, command = own[: own.index("--")], own[own.index("--") + 1 :]
        elif "--" in own:  # argparse forgets it where options and paths may be mixed
            own = own[: (end := own.index("--"))] + [_no_option(word) for word in own[end + 1 :]]
        if argv[0] == "runs" and any(word in ("-h", "--help") for word in own):
            from .commands.parsers import say_action

            say_action(own)
        options = _options_of(argv[0], own)
        options.command_argv = command
        execute = module_of(argv[0]).execute
        if argv[0] in PRESENTED and any(getattr(options, name, None) not in (None, False) for name in WAYS_OUT):
            from .commands.presenting import presented

            return presented(argv[0], options, own, execute)
        code: int = execute(options)
        return code
    if argv == ["--plain"]:
        plain: int = module_of("plain_dashboard").plain_dashboard()
        return plain
    named = next((word for word in argv[1:] if word in COMMANDS), None)
    if argv[0].startswith("-") and named is not None:
        from ..runners.job import UsageError

        raise UsageError(
            f"{argv[0]} stands before the command", f"options stand behind it: ethosu-tui {named} {argv[0]}"
        )
    if not argv[0].startswith("-") and os.path.exists(os.path.expanduser(argv[0])):
        from ..runners.job import UsageError

        said = "`ethosu-tui open PATH` shows it, `ethosu-tui analyze PATH` prints what a log says"
        raise UsageError(f"{argv[0]} is a path, and no command", said)
    from .commands.parsers import build_parser

    options = build_parser().parse_args(argv)
    options.paths = []
    opened: int = module_of("open").execute(options)
    return opened


def _options_of(command: str, words: list[str]) -> Any:
    """What the words behind a command say."""
    mixed = any(word.startswith("-") for word in words)
    if words and not mixed and command in PATHS_ALONE:
        from .unasked import unasked

        return unasked(module_of(command).configure, words)
    from .commands.parsers import command_parser

    parser = command_parser(command)  # where there is nothing to mix, the other way is quicker
    return parser.parse_intermixed_args(words) if mixed else parser.parse_args(words)


def _no_option(word: str) -> str:
    """A path that nobody takes for an option; `-` alone stays standard input."""
    return f"./{word}" if word.startswith("-") and word != "-" else word
