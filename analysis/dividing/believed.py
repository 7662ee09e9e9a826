"""Decides how much of a single line to believe, where it was cut off, has no prefix, or has a prefix without a level."""

from __future__ import annotations

from ..cleaning import compiled
from ..collect.collect import FAILURES
from ..collect.results import KIT_ERROR
from ..collect.tensors import DTYPES
from ..last_words import is_unit
from ..lines import Line
from ..named_tuple import TYPE_CHECKING
from ..patterns import Event
from .at_work import of_kit

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..draft import RunDraft
    from ..patterns.value_types import Value

_REASON_LINES = 6
_OF_RUNNERS = {
    "example_complete": ("example_complete", "step_done"),
    "example_running": ("execute_start", "step_running"),
    "example_unfit": ("loader_size_differs", ""),
    "coreml_loaded": ("coreml_loaded", ""),
    "coreml_method": ("coreml_method", ""),
    "coreml_time": ("coreml_time", ""),
    "runner_arguments": ("runner_arguments", ""),
}
"""Words of runners and examples that others print too: what they are behind ExecuTorch's log prefix, and without it, where they begin no run."""
_OF_KERNELS = ("op_", "tensor_util", "tensor_impl", "kernel_ops_util", "kernel_runtime", "broadcast_util")
_OF_TENSORFLOW = r"(?i)\b(?:not|un|only) ?(?:yet |be )?(?:currently )?support|was not true|CO_TYPE != |\.cc:\d{1,6} |\(\S{1,40} (?:!=|==|[<>]=?) \S{1,40}\)\s*\Z"
"""How a kernel of TensorFlow says what it does not take, and no other line that stands above its failure."""
_PASSED_ON = " != kTfLiteOk ("
"""What a check of TensorFlow has where it only hands on that the check above it failed."""
_OF_BACKENDS = r"(?i)\b(?:fail(?:ed|ure)?|error|invalid|unsupported|cannot|could not)\b"
"""A word that a backend's line has where it says why it gave up."""
_OF_INPUTS = r"scalar ?type|was expected to |Attempted to (?:resize|change) |Error resizing "
"""What the runtime did not accept of an input."""
_SAID_ABOVE = {
    "node_failed": _OF_TENSORFLOW,
    "node_unprepared": _OF_TENSORFLOW,
    "delegate_failed": _OF_BACKENDS,
    "backend_init_failed": _OF_BACKENDS,
    "inputs_failed": _OF_INPUTS,
}
"""For each failure, what the line right above it must hold to be its reason."""
_WITHOUT_LEVEL = frozenset(("delegate_failed", "backend_init_failed", "inputs_failed"))
"""Failures whose reasons, where they have a level, are errors of the run themselves."""


_FATAL = frozenset(("HardFault", "MemManage", "BusFault", "UsageFault"))
"""What MicroPython prints below "FATAL ERROR:", on a line of its own, before it stands still."""


class Reasons:
    """Finds the reason that a kernel prints above its failure, where the prefix has no level to tell errors by.

    Python's wheels print such logs, and their other lines look alike. A kernel of TensorFlow prints a sentence and the
    interpreter names the operator below it; a backend's sentence stands above the delegate's.
    """

    __slots__ = ("_above", "_fatal", "_first", "_last", "_said")

    def __init__(self) -> None:
        self._first = self._last = self._fatal = -_REASON_LINES
        self._said = ""
        self._above: tuple[int, str, bool] = (-1, "", False)

    def told(self, event: Event | None, line: Line) -> Event | None:
        """The event of this line; a failure also gets the reason that the lines right above it give, as value `said`."""
        number = line.number
        if event is not None and event.kind in _OF_RUNNERS:
            kind = _OF_RUNNERS[event.kind][line.file is None]
            return event._replace(kind=kind, values={} if kind == "step_done" else event.values) if kind else None
        if event is None:
            if number - self._fatal == 1 and line.message in _FATAL:
                return Event("fault_banner", number, {})
            at, said, placed = self._above
            above = number - at == 1
            goes_on = above and (
                (placed and line.file is not None and compiled(_OF_BACKENDS).search(said[:255]) is not None)
                or (_PASSED_ON in line.message and compiled(_OF_TENSORFLOW).search(said[:255]) is not None)
            )
            self._above = number, said if goes_on else line.message, line.file is not None
        elif event.kind in _SAID_ABOVE and not (line.level and event.kind in _WITHOUT_LEVEL):
            at, said, _ = self._above
            if number - at == 1 and compiled(_SAID_ABOVE[event.kind]).search(said[:255]):
                return event._replace(values={**event.values, "said": said[:255]})
        elif event.kind == "host_error" and line.message == "FATAL ERROR:":
            self._fatal = number
        if line.level or line.file is None:
            return event
        if event is None and (line.file.startswith(_OF_KERNELS) or line.message.startswith("Check failed (")):
            if number - self._last != 1:
                self._first, self._said = number, line.message[:255]
            self._last = number
        elif event is not None and event.kind == "kernel_failed" and number - self._last == 1:
            if number - self._first < _REASON_LINES:
                return event._replace(values={**event.values, "said": self._said})
        return event


_TYPES = frozenset(f"({name})" for name in (*DTYPES.values(), "bool", "double", "half", "long", "short"))
"""What stands before an element of a dump; more must follow."""


def trusted(event: Event, message: str, draft: RunDraft | None) -> Event | None:
    """What to believe of a line that was cut off: that something failed, but no figure that may lack its last digits."""
    values = event.values
    word = message.strip().rpartition(" ")[2] or "-"
    open_ended = word[-1].isalnum() or word in _TYPES or (word[-1] == "." and float in map(type, values.values()))
    told = any(value is not None for value in values.values())
    if not told or not open_ended or is_unit(word, values) or event.kind == "assert_failed":
        return event
    whole = _WHOLE.get(event.kind)
    if whole is not None and whole(values, draft):
        return event
    return event._replace(values={**values, "status": None}) if event.kind in FAILURES else None


def _is_compared(values: dict[str, Value], draft: RunDraft | None) -> bool:
    """Whether the last number of the driver's comparison is whole; most have one digit (a logarithm or a version).

    The sizes of SHRAM have two digits, and so have the logarithms of the two largest NPUs, which begin with 1.
    """
    model = str(values["model"])
    digits = {"shram_size": "", "macs_per_cc": "23456789"}.get(str(values["what"]), "0123456789")
    return len(model) > 1 or model in digits


def _is_total(values: dict[str, Value], draft: RunDraft | None) -> bool:
    """Whether the total at the end of the kit's profile fits its parts: a total that lacks a digit is a tenth of their
    sum.
    """
    counters = draft.block.named_counters if draft is not None else {}
    parts = [counters.get(name, 0) for name in ("ACTIVE", "IDLE")]
    total = values["value"]
    return str(values["event"]).upper() == "TOTAL" and isinstance(total, int) and all(parts) and 2 * total > sum(parts)


_WHOLE: dict[str, Callable[[dict[str, Value], RunDraft | None], bool]] = {
    "config_mismatch": _is_compared,
    "arch_mismatch": lambda values, draft: str(values["model"]).count(".") == 2,  # numbers of one digit
    "model_run": lambda values, draft: values.get("ok") == 0,  # a count begins with another digit
    "npu_status": lambda values, draft: values.get("end") is not None,  # 0 or 1
    "mlek_cycles": _is_total,
    "bundle_result": lambda values, draft: str(values["result"]) in ("PASS", "FAIL"),
    "tflm_answer": lambda values, draft: str(values["status"]) in "012345",  # there are no others
}
"""Of lines that end with a number or a word of their own: whether that one is whole."""


def is_error(message: str) -> bool:
    """Whether a line is an error message, for ports that print no log prefix."""
    from ..patterns.errors import is_error  # only such ports need it

    return is_error(message)


_HARMLESS = "ERROR - Invalid image size for given location!"
"""What the kit says where a picture does not fit on the display, and goes on."""


_REGISTERS = r"E:\s{1,8}(?:r\d{1,2}/\w{1,3}:|s\[ ?\d{1,2}\]:|xpsr:|fpscr:|psp:|EXC_RETURN:|Current thread:|Halting system\Z|Fault (?:escalation|during) )"
"""What Zephyr prints below a fault, each line with the mark of an error where its log is minimal: registers, the thread, the end."""
_MOST_BEFORE_ERROR = 24
"""Lines of a console between the last one that a run of the kit is known by and its error message."""


def through(draft: RunDraft) -> bool:
    """Whether ExecuTorch lines without a meaning may belong to the next run: this one is complete, or another program
    that failed.
    """
    return draft.completed or (draft.failed and not draft.files)


def complains(draft: RunDraft, line: Line) -> bool:
    """Whether a line without a prefix is an error message of the open run, from the driver or from a port without
    prefixes.

    Any logger may print the evaluation kit's error mark. It counts only while the kit is at work, near its other lines,
    and with the same kind of text before it.
    """
    message = line.message
    if message.startswith("E: "):
        return compiled(_REGISTERS).match(message) is None
    if not draft.started or draft.files or not is_error(message):
        return False
    if not message.startswith(KIT_ERROR):
        return True
    beside = draft.newest
    near = beside is not None and line.number - beside.number <= _MOST_BEFORE_ERROR
    alike = beside is not None and _is_marked(beside) == _is_marked(line)
    return of_kit(draft) and near and alike and not draft.completed and message != _HARMLESS


def _is_marked(line: Line) -> bool:
    """Whether something stands before the message of this line."""
    return not line.text.lstrip().startswith(line.message)
