"""Collects where in the source a run's lines were printed from; `release/` tells ExecuTorch releases apart by it."""

from __future__ import annotations

from ..collect.kernel_files import of_kernel
from ..dividing.two_targets import mix
from ..draft import TEXT_LIMIT, RunDraft
from ..lines import Line
from ..outputs.torn_elements import torn_element

FILE_LIMIT = 64
PLACE_LIMIT = 192
"""Source lines of one run that are kept; a runner prints from about sixty."""
TEXT_LENGTH = 20
_LOST = ":zu ()] "
"""What newlib-nano makes of a prefix with a function: its name stands where the message was, which is lost."""
_LOST_NUMBER = ":zu "
_SHIFTED = ":zu]"
"""What it makes of one without: the number of the source line is taken for the address of the message."""


_TARGET_FILES = ("runner", "monitor", "backend", "ethosu", "arm_", "main.cpp")


def of_target(line: Line) -> bool:
    """True where only a target prints from this file, so that the line opens a run even if its message means nothing.

    Python programs on the host print from files of the core runtime too (`program.cpp`), but no debug messages.
    """
    if line.file is None:
        return False
    name = line.file.lower()
    return line.level == "D" or (not name.startswith("xnn") and any(part in name for part in _TARGET_FILES))


def of_backend(line: Line) -> bool:
    """True for a line of the Ethos-U delegate, which first speaks while the method is loaded."""
    return line.file is not None and line.file.startswith(("EthosUBackend", "ArmBackend"))


def text_of(message: str) -> str:
    """The first characters that a source line prints; for an abort, those of its text after function and condition."""
    if message.startswith("In function "):
        _, condition, text = message.partition("assert failed (")
        message = text.partition("): ")[2] if condition else message.partition("assert failed: ")[2]
    return message[:TEXT_LENGTH]


def marked_by_brackets(line: Line) -> bool:
    """True for a level alone in brackets ("[E] text"), which programs other than runners print too."""
    return line.file is None and line.text[: line.text.rfind(line.message)].rstrip()[-1:] == "]"


def note_garbage(draft: RunDraft, line: Line) -> None:
    """Record a message that is no text (newlib-nano printed the bytes at a wrong address) or an element that was torn."""
    torn_element(draft, line.number, line.message)
    if line.file is None or line.source_line is not None:
        return
    message = line.message
    if _SHIFTED in line.text and not (" " in message and message.isascii() and message.isprintable()):
        draft.doubt("message_garbled", line.number, line.text.strip()[:TEXT_LIMIT])


def _shape_of(line: Line) -> str | None:
    """How the prefix was printed; None where its own port made it ("[file:line]"), which tells no release."""
    if line.function:
        return "function"
    if "[executorch:" in line.text:
        return "no_function"
    return "no_bracket" if "executorch:" in line.text else None


def _lost(line: Line) -> bool:
    """True where the message was lost and the name of the function stands in its place."""
    if line.function is None:
        return _LOST in line.text
    return _LOST_NUMBER in line.text and not line.function.isidentifier() and line.message.strip().isidentifier()


def note_place(draft: RunDraft, line: Line) -> None:
    """Keep the source file and line of this log line if they are new to the run, and the shape of its log prefix."""
    file, source_line = line.file, line.source_line
    if file is not None and len(draft.files) < FILE_LIMIT:
        draft.files.add(file)
    if source_line is None and _lost(line):
        draft.note("message_lost", line.number, line.message, line.level)
    if file is None or source_line is None or len(draft.places) >= PLACE_LIMIT:
        return
    if (file, source_line) in draft.places:
        text, at = draft.places[file, source_line]
        whole = text_of(line.message)
        if whole.startswith(text):  # a row of a terminal had only the beginning
            draft.places[file, source_line] = whole, at
        return
    draft.places[file, source_line] = (text_of(line.message), line.number)
    if file in ("arm_executor_runner.cpp", "arm_perf_monitor.cpp"):
        shape = _shape_of(line)
        if shape is not None:
            draft.shapes[shape] = draft.shapes.get(shape, 0) + 1
        counts = draft.shapes.values()
        if (
            len(counts) > 1
            and not draft.mixed
            and draft.shapes.get("function", 0) > 1
            and sum(n > 1 for n in counts) > 1
        ):
            mix(draft, line.number, "lines of two releases, whose prefixes differ")


def _lists_types(line: Line) -> bool:
    """Whether this is a number, or the end, of the lists of types below a kernel that is missing: 0.4 prints them as errors."""
    return line.file == "operator_registry.cpp" and (line.message == "]" or line.message.rstrip(",").isdigit())


_SHARED_CHECKS = ("tensor_util", "tensor_impl")
"""Files with the checks of tensors that all kernels share; what else uses them does not print "Check failed"."""
INPUT_REFUSED = ("Error resizing tensor at input ", "Error setting input ")
"""What a method says when it refuses an input, for applications that report nothing themselves."""


def checks(line: Line) -> bool:
    """Whether a kernel says here that it refuses something; a log without levels does not mark this as an error."""
    file = line.file
    return (
        file is not None
        and line.message.startswith("Check failed (")
        and (of_kernel(file) or file.startswith(_SHARED_CHECKS))
    )


_LAST = ("Failed to open input file", "Failed to read input file", "Unknown --print_output mode")
"""What the runner for Linux says last, before the next one that a shell starts: not every release aborts behind it."""


def note_severe(draft: RunDraft, line: Line) -> None:
    """Record an error or fatal message without a pattern; where a log names no files, it may be all that is known."""
    if _lists_types(line):
        return
    draft.started = True
    checked = checks(line)
    if checked:
        draft.reach("execute")
    elif line.message.startswith(INPUT_REFUSED):
        draft.reach("inputs")
    over = line.level == "F" or (line.file == "executor_runner.cpp" and line.message.startswith(_LAST))
    note = draft.fail if over else draft.note
    kind = "message" if line.level else "kernel_checked"
    note(kind, line.number, line.message, line.level, {"file": line.file} if checked else None)
