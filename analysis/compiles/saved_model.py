"""What a file saved by PyTorch holds, read from the names in its archive and the opcodes of its pickle. Nothing is
executed.

A pickle is a program that its reader runs, so we look at what is inside before anybody loads it.
"""

from __future__ import annotations

import io
import pickletools

from ..lines import clean
from ..named_tuple import NamedTuple

_PLAIN_NAMES = frozenset(
    (
        "torch Size", "torch device", "torch BFloat16Storage", "torch HalfStorage", "torch FloatStorage", "torch DoubleStorage",
        "torch CharStorage", "torch ByteStorage", "torch ShortStorage", "torch IntStorage", "torch LongStorage", "torch BoolStorage",
        "torch Tensor", "torch.storage UntypedStorage", "torch.storage TypedStorage", "collections OrderedDict",
        "torch._utils _rebuild_tensor", "torch._utils _rebuild_tensor_v2", "torch._utils _rebuild_parameter",
        "torch._utils _rebuild_tensor_v3", "torch._utils _rebuild_qtensor", "torch float32", "torch float64", "torch float16",
        "torch bfloat16", "torch int8", "torch uint8", "torch int16", "torch int32", "torch int64", "torch bool",
        "torch.serialization _get_layout", "torch per_tensor_affine", "torch per_channel_affine", "torch qint8",
    )
)  # fmt: skip
"""What stored tensors need, and no more: a pickle with nothing else runs no code of anybody's."""
_MOST_NAMES = 100_000
_MOST_OPCODES = 1_000_000
_MOST_PICKLES = 5
"""As many as the older format of `torch.save` has."""


class SavedKind(NamedTuple):
    """What a saved file holds, in words, and what to do if it cannot be compiled."""

    text: str
    advice: str = ""
    exported: bool = False
    has_inputs: bool = False
    """Whether an exported program brings its example inputs."""
    module: bool = False
    """A whole pickled module: loading it runs code that it names."""


_EXPORT = "export it: torch.export.save(torch.export.export(model, inputs), 'model.pt2')"
_WEIGHTS = (
    "write a .py file that makes the model and loads them: model.load_state_dict(torch.load(FILE, weights_only=True)); "
    "`ethosu-tui compile --template` gives one to start from"
)


def archive_kind(names: list[str], data: bytes) -> SavedKind:
    """What an archive holds, by the names of its members and its `data.pkl` (empty if it has none)."""
    inner = {name.partition("/")[2] for name in names}
    if any(name.startswith("models/") and name.endswith(".json") for name in inner):
        has_inputs = any(name.startswith("data/sample_inputs/") for name in inner)
        return SavedKind("an exported program", exported=True, has_inputs=has_inputs)
    if "serialized_exported_program.json" in names:
        has_inputs = "serialized_example_inputs.pt" in names
        return SavedKind("an exported program of an older torch", exported=True, has_inputs=has_inputs)
    if any(name.startswith("data/aotinductor/") for name in inner):
        return SavedKind("a package that AOTInductor compiled for a CPU or GPU", _EXPORT)
    if any(name.startswith("code/") for name in inner):
        return SavedKind("a TorchScript archive", _EXPORT)
    if data:
        return pickle_kind(data)
    return SavedKind("an archive of something else", f"give a .py or .pt2 file, or {_EXPORT}")


def pickle_kind(data: bytes) -> SavedKind:
    """What a pickle holds, by the classes that it names."""
    named = pickled_names(data)
    if named is None:
        return SavedKind(
            "neither an archive nor a pickle that torch.save writes", f"give a .py or .pt2 file, or {_EXPORT}"
        )
    first = named[0] if named else ""
    foreign = [name for name in named if not is_plain(name)]
    if not named:
        return SavedKind("plain values, no module", _WEIGHTS)
    if not foreign:
        if first == "collections OrderedDict" or not first.startswith("torch._utils"):
            return SavedKind("weights only (a state_dict)", _WEIGHTS)
        return SavedKind("tensors, no module", _WEIGHTS)
    main = next((name.partition(" ")[2] for name in foreign if name.startswith("__main__ ")), None)
    if main is not None:
        advice = f"move {clean(main)[:60]} into a module of its own and save again, or {_EXPORT}"
        return SavedKind(f"it needs the class {clean(main)[:60]} of the script that saved it", advice)
    if not any(name == first for name in foreign):  # a dict, list or tuple with something in it
        return SavedKind("a checkpoint (a collection of things), no module", _WEIGHTS)
    return SavedKind(f"a pickled {clean(first.replace(' ', '.'))[:80]}", module=True)


def is_plain(name: str) -> bool:
    """Whether unpickling this name only makes a tensor or a plain collection and runs nothing else."""
    return name in _PLAIN_NAMES


def pickled_names(data: bytes) -> list[str] | None:
    """The "module name" of everything that unpickling would look up, in order; None if the data is no pickle.

    The older format of `torch.save` is several pickles one after another, followed by the bytes of the tensors.
    """
    found: list[str] = []
    stream = io.BytesIO(data)
    complete = False
    try:
        for _ in range(_MOST_PICKLES):
            _names_of_one(stream, found)
            complete = True
    except (ValueError, IndexError, OverflowError, MemoryError, UnicodeError):
        pass
    return found if complete else None


def _names_of_one(stream: io.BytesIO, found: list[str]) -> None:
    memo: dict[int, str] = {}
    texts: list[str] = []
    """The last two texts that were put on the stack."""
    on_top: str | None = None
    for number, (opcode, argument, _) in enumerate(pickletools.genops(stream)):
        if number > _MOST_OPCODES:
            raise ValueError("more opcodes than any model has")
        name = opcode.name
        if name in ("GLOBAL", "INST"):
            found.append(str(argument))
        elif name == "STACK_GLOBAL":
            found.append(" ".join(texts))
        elif name in ("MEMOIZE", "PUT", "BINPUT", "LONG_BINPUT"):
            place = len(memo) if argument is None else int(str(argument))
            memo[place] = on_top or ""
            continue  # it leaves the stack alone
        if "UNICODE" in name or "STRING" in name:
            on_top = str(argument)
        elif name in ("GET", "BINGET", "LONG_BINGET"):
            on_top = memo.get(int(str(argument)), "")
        else:
            on_top = None
        if on_top is not None:
            texts = [*texts[-1:], on_top]
        if len(found) > _MOST_NAMES:
            raise ValueError("more names than any model has")
