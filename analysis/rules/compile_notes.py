"""What a compile, a build or tests say about themselves without failing: operators on the CPU, defaults of Vela,
command lines.
"""

from __future__ import annotations

import re

from ..host.host_line import HostLine
from ..host.host_log import HostLog
from ..report import Finding
from ..units import format_bytes
from .causes import quoted, short
from .killed import status_alone
from .nothing_delegated import PROGRAM_OF_CORTEX_M

_NAMED = 6
"""Kinds of operators that a title names."""
_LINES = 20
_CPU_OPERATOR = re.compile(
    r"(?:Warning \(supported operators\) operator: ?|(?:Warning|Info): (?:Unsupported TensorFlow Lite semantics for )?)[\"']?([\w.]{1,60})"
)
_TOLD_AGAIN = " operation is unknown or unsupported"
"""What Vela 3 says of an operator that it has named above, with the reason, under its other name."""
_TESTS_ENDED = re.compile(r"\d{1,9} passed\b")
_UNNAMED = "an operator"
_BUILT_IN = re.compile(r"\A<built-in function (\w{1,60})>\Z")
"""How Python prints what takes one output of several."""
_NO_NAME = re.compile(r"[a-z]\w*\Z")
"""The first word of a reason that names no operator: `only batch sizes of 1 are supported`, `bias tensor datatype must be ...`."""
_LEFT = re.compile(r"(?<![\w.:-])([\w.:-]{1,120}?)(?:_\d{1,6})? was not partitioned because (.{1,400})")
_DEFAULT = re.compile(r"Using (?:a default of (.{1,300}?)\. Compilation may be|(\S{1,60}) values for )")
_EXCEEDED = re.compile(r"Target = (\d{1,15}) Bytes, Actual = (\d{1,15}) Bytes")
_OPTION = re.compile(r"(?:^|\s)(-{1,2}[a-z_]{1,40})(?:[ =]+([^\s'\"-][^\s'\"]{0,120}))?")
_OF_MODEL = re.compile(r"^Running e2e flow for model '([^'\n]{1,120})'")
_FLOAT = re.compile(r"DataType Float(?:16|32)|(?:missing|must have) quantization parameters")
"""How Vela says that a tensor is no quantized one."""
_FOR_CORTEX_M = re.compile(PROGRAM_OF_CORTEX_M)
_UNDELEGATED = re.compile(r"_arm_ethos-u\d{2}-\d{2,4}\.b?pte")
"""How aot_arm_compiler names its program by itself, with what was asked for."""
_OF_CUSTOM = re.compile(rf"{_FLOAT.pattern}|must not be dynamic")
"""What Vela says of custom operators of others; of the NPU's own it says that a constant has no values, or nothing."""
_NAMES = {"t": "target", "m": "model_name"}
_TOLD = ("model_name", "target", "system_config", "memory_mode", "config")


def compile_notes(notes: list[HostLine]) -> list[Finding]:
    """Findings of severity "warning", one for each kind of note."""
    found = []
    unevaluated = next((note for note in notes if note.kind == "not_evaluated"), None)
    if unevaluated is not None:
        found.append(_not_evaluated(unevaluated))
    placed = [note for note in notes if note.kind == "cpu_operator"]
    if placed:
        found.append(_placed(placed))
    rejected = [note for note in notes if note.kind == "rejected_node"]
    if rejected:
        found.append(_rejected(rejected))
    left = [note for note in notes if note.kind == "node_left"]
    if left:
        found.append(_left(left))
    defaults = [note for note in notes if note.kind == "vela_default"]
    if any(not _of_file(note) for note in defaults):
        found.append(_defaults(defaults))
    exceeded = [note for note in notes if note.kind == "sram_exceeded"]
    if exceeded:
        found.append(_exceeded(exceeded))
    return found


def _not_evaluated(note: HostLine) -> Finding:
    return Finding(
        "evaluation-left-out", "warning", None, "The model was not evaluated: the compile script ignores --evaluate since ExecuTorch 1.2",
        f"The log says: {quoted(note.text)} The program is the same as without --evaluate and --evaluate_config.",
        "Leave the option out, and evaluate with backends/arm/scripts/evaluate_model.py (1.3 and later), or compare the outputs with PyTorch's.", (note.line,),
    )  # fmt: skip


def saved_alone(log: HostLog) -> Finding:
    """A program was saved, and the log says nothing else; its name may say what it was compiled for."""
    title, name = "A compile saved its program", re.split(r"[/\\]", log.saved_as)[-1]
    if _FOR_CORTEX_M.search(name):
        return Finding(
            "compile-log", "info", None, f"{title}, which is for a Cortex-M only",
            f"By its name, {short(name)}, it has nothing for an NPU, so there is no Vela summary.",
            "Run it with the kernels of ExecuTorch's cortex_m backend (CMSIS-NN).", (log.saved,),
        )  # fmt: skip
    if _UNDELEGATED.search(name):
        return Finding(
            "compile-log", "warning", None, f"{title}, and nothing of it runs on the NPU",
            f"By its name, {short(name)}, it was compiled without --delegate; otherwise it would be MODEL_arm_delegate_TARGET.",
            "Compile with --delegate and --quantize if it is meant for the NPU.", (log.saved,),
        )  # fmt: skip
    return Finding(
        "compile-log", "info", None, f"{title}, and the log says no more about it",
        "There is no Vela summary, no delegation table and no error.",
        "Capture everything the compile prints (2>&1) for its memory and cycles.", (log.saved,),
    )  # fmt: skip


def _of_file(note: HostLine) -> bool:
    """Whether this default is only the file in which Vela looks up what was named: its own."""
    return note.text.startswith("Warning: No configuration file ")


def _placed(notes: list[HostLine]) -> Finding:
    told = {_letters(note.text) for note in notes if _TOLD_AGAIN not in note.text}
    notes = [note for note in notes if _TOLD_AGAIN not in note.text or _letters(note.text) not in told]
    names = [_cpu_operator(note.text) for note in notes]
    first = " ".join(next((note for note in notes if "\n" in note.text), notes[0]).text.split())
    again = (
        "A CUSTOM one may be the NPU's own, in a file that Vela has already compiled: give Vela the original .tflite. "
        if any(name == "CUSTOM" and not _OF_CUSTOM.search(note.text) for name, note in zip(names, notes, strict=True))
        else ""
    )
    floats = sum(_FLOAT.search(note.text) is not None for note in notes)
    rest = (
        "Replace it with an operator, a shape or a type that Vela supports (vela --supported-ops-report lists the constraints), or accept the CPU time: "
        "each one splits the network, and tensors are copied back and forth."
    )
    if floats:
        have = "has" if floats == 1 else "have"
        which = f"{'It' if floats == 1 else 'They'} {have}" if floats == len(notes) else f"{floats} of them {have}"
        again = (
            f"{again}{which} tensors that are not quantized, and an Ethos-U computes with integers only: quantize the model to int8, activations included "
            "(full integer quantization with representative data), before giving it to Vela."
        )
    return Finding(
        "vela-placed-on-cpu", "warning", None, f"Vela leaves operators to the CPU: {_counted(names)}", f"For example: {quoted(first)}",
        again if floats == len(notes) else f"{again} {rest}".strip() if floats else f"{again}{rest}", _places(notes),
    )  # fmt: skip


def _letters(text: str) -> str:
    """The operator's name without what its two spellings differ in: UNIDIRECTIONAL_SEQUENCE_LSTM, UnidirectionalSequenceLstm."""
    return _cpu_operator(text).replace("_", "").lower()


def _cpu_operator(text: str) -> str:
    found = _CPU_OPERATOR.match(text)
    return _UNNAMED if found is None or _NO_NAME.match(found[1]) else found[1].removeprefix("Op.")


def _rejected(notes: list[HostLine]) -> Finding:
    parts = [note.text.partition("\n") for note in notes]
    parts = [(_BUILT_IN.sub(r"\1", operator), end, reason) for operator, end, reason in parts]
    names = [operator if end and operator[:1] != "<" else _UNNAMED for operator, end, _ in parts]
    borders = all("quantize_per_" in name for name in names)  # what any compile with float inputs and outputs rejects
    parts.sort(key=lambda part: part[0] == "getitem")  # what it takes apart has the reason
    reason = next((f"{operator}: {reason}" if end else operator for operator, end, reason in parts))
    return Finding(
        "operator-rejected", "info" if borders else "warning", None, f"The partitioner keeps operators from the NPU: {_counted(names)}",
        f"The first reason: {quoted(reason)}",
        "Change the shape, the type or the operator that the reason names: what is rejected runs on the CPU and splits the delegate.",
        _places(notes),
    )  # fmt: skip


def _left(notes: list[HostLine]) -> Finding:
    """Why nodes stay out of a delegate, in the words of the log that ExecuTorch's partitioners share."""
    told = [found for note in notes if (found := _LEFT.search(note.text)) is not None]
    reasons = dict.fromkeys(f"{found[1]}: {found[2].rstrip('.')}" for found in told)
    who = "XNNPACK's partitioner" if any("xnnpack" in note.text.lower() for note in notes) else "A partitioner"
    return Finding(
        "operator-rejected", "warning", None, f"{who} keeps nodes from its delegate: {_counted([found[1] for found in told])}",
        f"The reasons: {quoted('; '.join(reasons), 400)}",
        "Change the shape, the type or the operator that the reason names: rejected nodes run in the portable kernels unless another partitioner takes "
        "them. For an Ethos-U check what EthosUPartitioner rejects (--debug).", _places(notes),
    )  # fmt: skip


def _defaults(notes: list[HostLine]) -> Finding:
    values = [found[1] or found[2] for note in notes if (found := _DEFAULT.search(note.text)) is not None]
    named = list(dict.fromkeys(value for value in values if not value.startswith("[")))
    return Finding(
        "vela-defaults", "warning", None, f"Vela compiled with its defaults: {short(', '.join(named or values))}",
        f"The log says: {quoted(notes[0].text)}",
        "Give the target's system config and memory mode (--system-config, --memory-mode): estimates and tensor placement depend on them.", _places(notes),
    )  # fmt: skip


def _exceeded(notes: list[HostLine]) -> Finding:
    """Vela goes on, and what it makes needs more SRAM than it was told to use."""
    figures = next((found for note in notes if (found := _EXCEEDED.search(note.text)) is not None), None)
    title = "The network needs more SRAM than Vela was told to use"  # damaged figures are none
    if figures is not None:
        target, actual = map(int, figures.groups())
        title = f"The network needs {format_bytes(actual)} of SRAM, and Vela was told to use {format_bytes(target)}"
    return Finding(
        "vela-sram-exceeded", "warning", None, title,
        f"The log says: {quoted(notes[0].text)} The file is still written.",
        "Give the arena that much, or compile with --optimise Size, make the input smaller, or use a memory mode whose arena is not in the SRAM.", _places(notes),
    )  # fmt: skip


def command_alone(log: HostLog) -> list[Finding]:
    """The log holds only the command line of a compile."""
    commands = [note for note in log.notes if note.kind == "compile_command"]
    if not commands:
        return []
    command = next((note for note in commands if "aot_arm_compiler" in note.text), commands[0])
    model = _OF_MODEL.search(command.text)
    options: dict[str, str] = {} if model is None else {"model_name": model[1]}
    for name, value in _OPTION.findall(command.text.partition("aot_arm_compiler")[2]):
        name = name.lstrip("-")
        options.setdefault(_NAMES.get(name, name), value)
    told = ", ".join(f"{name} {options[name]}" for name in _TOLD if options.get(name))
    target = f" for {options['target']}" if options.get("target") else ""
    at, ended = status_alone(log)
    ended = ended or ("its program was saved" if log.last_done > command.line else "the log does not say how it ended")
    return [
        Finding(
            "compile-log", "info", None, short(f"A compile{target} started, and {ended}"),
            f"The command says: {short(told, 300) or 'nothing of the target'}.",
            "Capture everything the compile prints (2>&1), including Vela's summary, for its memory and cycles.", (command.line, *([at] if at else ())),
        )
    ]  # fmt: skip


def without_error(log: HostLog) -> Finding:
    """What to say about steps of which none failed, where the log holds nothing else."""
    steps = f"{log.steps} step{'' if log.steps == 1 else 's'} {'was' if log.steps == 1 else 'were'} seen; the last one: {log.last_step.rstrip('.')}."
    if log.tries_again:
        return Finding(
            "build-log", "warning", None, "The log of a build or installation ends while it waits to retry something", steps,
            "Capture it to its end. If it fails every time, check that machine's network, proxy (https_proxy) and DNS.",
            (log.last_step_at,),
        )  # fmt: skip
    if _TESTS_ENDED.match(log.last_step) is not None:
        return Finding(
            "build-log", "info", None, short(f"These are tests of the Arm backend, and none failed: {log.last_step.partition(' in ')[0]}"),
            f"pytest says: {quoted(log.last_step)}",
            "Run pytest -rxs to see why tests were xfailed or skipped, which are not shown to work: for u55 and u85 most often no FVP or runner was found.",
            (log.last_step_at,),
        )  # fmt: skip
    return Finding(
        "build-log", "info", None, "This is the log of a build or installation, with no error and no run", steps,
        "Capture the runner's console as well to learn about the model.", (log.first_step,),
    )  # fmt: skip


def _counted(names: list[str]) -> str:
    """Each name with how often it occurs, the most frequent first, and what has no name last."""
    counts: dict[str, int] = {}
    for name in names:
        counts[name] = counts.get(name, 0) + 1
    order = sorted(counts.items(), key=lambda item: (item[0] == _UNNAMED, -item[1]))
    said = ", ".join(f"{count} x {name}" if count > 1 else name for name, count in order[:_NAMED])
    return short(said + (f" and {len(order) - _NAMED} others" if len(order) > _NAMED else ""))


def _places(notes: list[HostLine]) -> tuple[int, ...]:
    return tuple(note.line for note in notes[:_LINES])
