"""Where a Python program failed, by the frames of its traceback: which part of a compile, and the line of one's own code."""

from __future__ import annotations

from ..cleaning import compiled
from ..named_tuple import NamedTuple

_PARTS = (
    ("/ethosu/vela/", "vela"), ("/ethosu/regor", "vela"),
    ("/backends/arm/scripts/", "aot-script"), ("/examples/arm/", "aot-script"), ("aot_arm_compiler.py", "aot-script"),
    ("/backends/arm/test/", "test"), ("/backends/test/", "test"), ("/exir/tests/", "test"), ("/unittest/", "test"),
    ("/backends/arm/quantizer/", "arm-quantiser"), ("/backends/arm/_passes/", "arm-pass"), ("/backends/arm/", "arm"),
    ("/backends/cortex_m/", "cortex-m"), ("/backends/transforms/", "exir"), ("/executorch/backends/", "backend"),
    ("/exir/pass_base.py", "exir-base"), ("/exir/pass_manager.py", "exir-base"), ("/exir/dialects/", "exir-base"), ("/exir/tracer.py", "exir-base"),
    ("/exir/verification/", "verifier"), ("/exir/memory_planning.py", "memory"), ("/exir/passes/memory_planning_pass.py", "memory"),
    ("/exir/emit/", "emit"), ("/exir/_serialize/", "emit"), ("/exir/", "exir"),
    ("/executorch/runtime/__init__.py", "runtime"), ("/executorch/devtools/", "devtools"), ("/executorch/export/", "recipe"), ("/executorch/codegen/", "codegen"), ("/codegen/tools/", "codegen"), ("/torchgen/", "codegen"),
    ("/torchao/quantization/", "quantisation"), ("/torch/ao/quantization/", "quantisation"),
    ("/torch/export/", "export"), ("/torch/_export/", "export"), ("/torch/_dynamo/", "export"),
    ("/zephyr/scripts/", "zephyr"), ("/zephyr/cmake/", "zephyr"), ("/west/", "zephyr"),
)  # fmt: skip
"""Words of a path, to the part of a compile or a build that it is of; the first that is in it counts."""
_CALLED_BY_ALL = frozenset(("exir-base", "export"))
"""Parts that the others call: they failed themselves only where no other is above them."""
_OF_LIBRARIES = ("site-packages/", "dist-packages/", "/lib/python", "/executorch/", "<", "/usr/lib")
_OF_WINDOWS = "\\lib\\"
"""Where Python on Windows has its own modules, written large or small."""
_NAMED = (
    r'File "(?P<path>[^"\n]{1,600})", line (?P<line>\d{1,7})|# (?P<short>[\w./\\-]{1,300}\.py):(?P<number>\d{1,7}) in '
)
"""A place in code as PyTorch names it below a message."""
_FRAME = r'File "(?P<path>[^"]{1,600})", line (?P<line>\d{1,7})'
RAISED = ("Error", ".error", "Exception", "Expired", "Unsupported", "Interrupt")
"""How the names of exceptions end: a line of a traceback that begins with one says what was raised."""
NO_FAILURES = ("SystemExit", "GeneratorExit", "Disconnected", "PASSED", "FAILED")
"""What programs raise to end, and what terminal programs and tests print of theirs."""
HEAD = "Traceback (most recent call last)"
"""How Python's own tracebacks begin; IPython's have what was raised in front of it."""
_SHOWN = r"(?:File )?(?P<path>(?:[A-Za-z]:)?[^\s\"<>:][^\"<>:\n]{0,599}\.py)(?::(?P<line>\d{1,7}),)? in [\w.<]"
"""A frame of IPython's traceback; older ones tell the line only by the arrow below it."""
_CELL = r"(?:Cell |Input )?In ?\[(?P<number>\d{1,6})\],(?: line (?P<line>\d{1,6})| in )|<ipython-input-(?P<older>\d{1,6})-\w{1,40}> in "
_OF_CELL = r"<cell line: (?P<line>\d{1,6})>"
_ROW = r"(?:-{1,8}> (?P<here>\d{1,7})|\d{1,7}|\(\.\.\.\))(?: (?P<code>.*))?\Z"
"""A row of a source as IPython shows it around a frame, that of the frame with an arrow."""


class Place(NamedTuple):
    """Where something was raised; every value is empty where the traceback does not tell it."""

    part: str = ""
    """The part of the compile that failed, as in the table above."""
    own: str = ""
    """File and line of the newest frame that is of no library, where nothing of that part is under it."""
    frame: str = ""
    """File and line of the last frame."""
    code: str = ""
    """What stands there."""
    by_script: bool = False
    """Whether ExecuTorch's own compile script called it, which compiles one network and ends."""
    path: str = ""
    """The last frame's file with its folders."""


NOWHERE = Place()


def own_line(place: Place, text: str) -> str:
    """File and line of one's own code that the message names below itself, else of the traceback above it; empty where neither does."""
    named = [found for found in compiled(_NAMED).finditer(text) if not _is_library(found["path"] or found["short"])]
    if not named:
        return place.own
    path = (named[-1]["path"] or named[-1]["short"]).replace("\\", "/")
    return f"{path.rpartition('/')[2]}:{named[-1]['line'] or named[-1]['number']}"


def _is_library(path: str) -> bool:
    plain = path.replace("\\", "/")
    return (
        any(words in plain for words in _OF_LIBRARIES)
        or _OF_WINDOWS in path.lower()
        or plain.startswith(("torch/", "_dynamo/", "_export/"))
    )


def after_frame(place: Place, message: str) -> Place:
    """The place with one more frame of its traceback."""
    found = compiled(_FRAME).match(message)
    if found is None:
        return place
    return _at(place, found["path"], found["line"])


def after_shown(place: Place, message: str) -> Place | None:
    """The same for a line of a traceback of IPython; None where the line is neither a frame nor a row of its source."""
    row = compiled(_ROW).match(message)
    if row is not None:
        if row["here"] is None:
            return place
        line = "" if ":" in place.frame else row["here"]
        return (_at(place, place.path, line) if line and place.path else place)._replace(
            code=(row["code"] or "").strip()[:120]
        )
    cell = compiled(_CELL).match(message)
    if cell is not None:
        at = compiled(_OF_CELL).search(message)
        line = cell["line"] or (at["line"] if at is not None else "")
        here = f"In[{cell['number'] or cell['older']}]" + (f":{line}" if line else "")
        return Place(place.part, here, here, "", place.by_script)
    found = compiled(_SHOWN).match(message)
    return None if found is None else _at(place, found["path"], found["line"] or "")


def _at(place: Place, path: str, line: str) -> Place:
    plain = path.replace("\\", "/")
    here = plain.rpartition("/")[2] + (f":{line}" if line else "")
    part = next((name for words, name in _PARTS if words in plain), "")
    by_script = place.by_script or plain.endswith("/aot_arm_compiler.py")
    if part and not (place.part and part in _CALLED_BY_ALL):
        return Place(part, "", here, "", by_script, path)
    if part or _is_library(path):
        return Place(place.part, place.own, here, "", by_script, path)
    return Place(place.part, here, here, "", by_script, path)
