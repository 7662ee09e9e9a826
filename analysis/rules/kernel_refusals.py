"""What a tensor of ExecuTorch was refused for, by what its kernels and its runtime say: the numbers of it and what to do.

They are the checks that kernels share (`tensor_util.h`, `tensor_impl.cpp`, `kernel_ops_util.cpp`) and a few of single ones;
what others check stays as it is printed.
"""

from __future__ import annotations

from typing import NamedTuple

from ..cleaning import compiled
from ..program.reader import DTYPES

_PLANNED = "Give the input in the shape that the model was exported with, or export it with dynamic shapes: the result does not fit the shape planned for it."
_RANK = (
    "Check the shape of what reaches this operator in the exported graph (a squeeze, a view or a missing batch dimension before it), and give the inputs in "
    "the shape of the example inputs: the number of dimensions is fixed at export."
)
_ALIKE = (
    "Check both inputs of this operator in the exported graph, whose shapes differ, and give the inputs in the shape of the example inputs; if shapes "
    "change from call to call, export with dynamic_shapes."
)
_TYPES = (
    "Convert what reaches this operator to one type in the model (.to(torch.float32) before it), or link a kernel library that supports this type: the "
    "portable kernels do not convert types, and not all of them accept float16 and bfloat16."
)
_INDEX = (
    "Give the index as int64 (index.to(torch.int64) before this operator in the model, and an int64 tensor among the example inputs where it is an input): its "
    "type is fixed at export, and the portable kernels do not convert it."
)
_ONE_ORDER = (
    "Export the model and its example inputs in one memory format (contiguous is safe), or call .contiguous() before that operator, and give the input in "
    "the exported order: its tensors are in two formats, channels_last and contiguous, and the portable kernels do not convert."
)


class Refusal(NamedTuple):
    """One check: its words, what it found (with the named groups), and what to do; no words of its own are ""."""

    pattern: str
    found: str
    advice: str
    of_input: str = ""
    """What to say where it was an input that did not fit."""


_TABLE = (
    Refusal(
        r"Expected tensor\.dim\(\) to be (?:(?P<least>>= )|(?P<most><= ))?(?P<wanted>\d{1,4}), but got (?P<got>\d{1,4})",
        "a tensor of {got} dimensions where it takes {least}{most}{wanted}", _RANK,
    ),
    Refusal(
        r"Expect(?:ed)? input tensor to be (?P<wanted>\d-D(?: or \d-D){0,3}), but got,? (?P<got>\d{1,4})",
        "a tensor of {got} dimensions where it takes {wanted}", _RANK,
    ),
    Refusal(
        r"Attempted to change the tensor rank which is immutable: old=(?P<planned>\d{1,4}), new=(?P<got>\d{1,4})",
        "a result of {got} dimensions where {planned} were planned",
        _PLANNED + " If the input is the same, the export computed the shape differently from the kernel: update both sides to one release.",
        "has {got} dimensions where the program takes {planned}",
    ),
    Refusal(
        r"Attempted to resize a static tensor\. Expected shape \((?P<planned>[\d, ]{1,80})\), but received \((?P<got>[\d, ]{1,80})\)",
        "a result of the shape ({got}) where ({planned}) was planned", _PLANNED, "has the shape ({got}) where the program takes ({planned})",
    ),
    Refusal(
        r"Attempted to resize a static tensor to a new shape at dimension (?P<at>\d{1,4}) old_size: (?P<planned>\d{1,20}) new_size: (?P<got>\d{1,20})",
        "a result of {got} in dimension {at} where {planned} was planned", _PLANNED, "has {got} in dimension {at} where the program takes {planned}",
    ),
    Refusal(
        r"Attempted to resize a bounded tensor with (?:a maximum )?capacity of (?P<one>\d{1,20}) elements to (?P<other>\d{1,20})",
        "a result of {got} elements where {planned} were planned", _PLANNED, "has {got} elements where the program takes {planned} at most",
    ),
    Refusal(r"Attempted to resize a ", "", _PLANNED),
    Refusal(r"dim orders|same_dim_order", "tensors in two memory formats", _ONE_ORDER),
    Refusal(
        r"Expected to find (?P<wanted>(?:\w{1,24}(?:, or|,| or)? ){0,4}\w{1,24}) type, but tensor has type (?P<got>\w{1,24})",
        "a tensor of type {got} where it takes {wanted}", _TYPES,
    ),
    Refusal(
        r"Tensors do not match: dtype=\{(?P<one_type>\w{1,24}), (?P<other_type>\w{1,24})(?:, (?P<third_type>\w{1,24}))?\}",
        "tensors of the types {one_type}, {other_type} and {third_type} where they must be alike", _TYPES,
    ),
    Refusal(
        r"Expected dtype int64 for index; index\.scalar_type\(\) = (?P<got>\w{1,24})", "an index of type {got} where it takes Long", _INDEX,
    ),
    Refusal(r"Expected d(?:type|ypte) int64 for index|indices must be of Long \(int64_t\) type", "an index that is not int64", _INDEX),
    Refusal(
        r"Expected index to have type of (?P<wanted>Long or Int), but found (?P<got>\w{1,24})", "an index of type {got} where it takes {wanted}", _INDEX,
    ),
    Refusal(
        r"(?:Index tensors should be|index_put only supports) (?P<wanted>Long\b[^;\n]{1,30}?)(?: index tensors)?; got (?P<got_type>\d{1,2})(?!\d)",
        "an index of type {got_type} where it takes {wanted}", _INDEX,
    ),
    Refusal(
        r"indices\.scalar_type\(\) (?P<got_type>\d{1,2}) is not (?P<wanted>Long(?: or Int)?)\b",
        "an index of type {got_type} where it takes {wanted}", _INDEX,
    ),
    Refusal(r"Expected indices tensor to have Long or Int scalar types", "an index that is neither int64 nor int32", _INDEX),
    Refusal(
        r"(?P<which>Input\d|Output) dtype must be (?P<wanted_type>\d{1,2})(?: \(\w{1,24}\))?, got (?P<got_type>\d{1,2})(?!\d)",
        "its {which} is {got_type} where it takes {wanted_type}", "",
    ),
    Refusal(
        r"\b(?P<which>input|out)\.scalar_type\(\) (?P<got_type>\d{1,2}) does not match dtype (?P<wanted_type>\d{1,2})(?!\d)",
        "its {which} is {got_type} where it takes {wanted_type}", "",
    ),
    Refusal(
        r"Tensors do not match: rank=\{(?P<one>\d{1,4}), (?P<other>\d{1,4})\}", "tensors of {one} and {other} dimensions where they must be alike", _RANK,
    ),
    Refusal(
        r"Tensors do not match: numel=[({](?P<one>\d{1,20}),\s{1,2}(?P<other>\d{1,20})[)}]", "tensors of two shapes ({one} and {other} elements)", _ALIKE,
    ),
    Refusal(
        r"a\.size\(\d{1,4}\) = (?P<one>\d{1,20}) does not match b\.size\(\d{1,4}\) = (?P<other>\d{1,20})",
        "tensors with dimensions of {one} and {other} where they must be alike", _ALIKE,
    ),
    Refusal(
        r"indices_ptr\[\d{1,20}\] (?P<got>-?\d{1,20}) (?:>=|<) (?:weight\.size\(0\) (?P<rows>\d{1,20}))?",
        "the index {got} into a table of {rows} rows",
        "Give token ids that the model has, in the type of the exported example inputs: an index is outside its table, and an absurd number is most often "
        "of another type (int32 read as int64).",
    ),
    Refusal(
        r"Check failed \(non_blocking == false\)", "a non-blocking copy",
        "Remove non_blocking=True from the model's copy_() and to() calls: the portable kernels always block.",
    ),
    Refusal(
        r"Check failed \(implicit == false\)", "an implicit expand",
        "Write the expansion explicitly in the model (x.expand(sizes)), so that no implicit one is left in the exported graph.",
    ),
)  # fmt: skip


class Refused(NamedTuple):
    """What a check found, in words for a title ("" where it gives none), and what to do."""

    found: str
    advice: str


def refused(said: str) -> Refused | None:
    """The reason in these words of a kernel or of the runtime, if they are a check that is known."""
    for row in _TABLE:
        match = compiled(row.pattern).search(said)
        if match is not None:
            return Refused(_filled(row.found, match.groupdict()), row.advice)
    return None


_INPUT = r"\binput (?P<index>\d{1,4})\b"


def other_shape(said: str, failed: str) -> str:
    """The title for an input that the program did not take: `said` is what its tensor says, `failed` what the method or runner does."""
    at = compiled(_INPUT).search(failed)
    which = f"Input {at['index']}" if at is not None else "An input"
    for row in _TABLE:
        match = compiled(row.pattern).search(said) if row.of_input else None
        if match is not None:
            return f"{which} {_filled(row.of_input, match.groupdict())}"
    return f"{which} has the wrong shape for the program"


_WORDS = {
    ">= ": "at least ",
    "<= ": "at most ",
    "Input1": "first input",
    "Input2": "second input",
    "Output": "output",
    "out": "output",
}


def _filled(template: str, groups: dict[str, str | None]) -> str:
    """The template with its values, or nothing where the line does not have them all."""
    given = {name: _WORDS.get(value or "", value or "") for name, value in groups.items()}
    if "{planned}" in template and "planned" not in given:
        given["planned"], given["got"] = sorted(given.values(), key=int)  # before 0.6 the runtime swaps the two
    for name, value in given.items():
        if name.endswith("_type") and value.isdecimal() and int(value) in DTYPES:
            given[name] = DTYPES[int(value)][0]
    if given.get("third_type") == "":
        template = template.replace("{one_type}, {other_type} and {third_type}", "{one_type} and {other_type}")
    if any(not given[name] for name in ("got", "planned", "rows") if f"{{{name}}}" in template):
        return ""
    if given.get("wanted", "").startswith("a "):
        given["wanted"] += " type"
    return template.format(**given).replace(" 1 dimensions", " 1 dimension").replace("-D", "")
