"""What a traceback says that no row explains: the part of the compile that failed, and what helps with that part."""

from __future__ import annotations

import re

from ..compiles.toolchains import NEWEST_LINE
from ..host.frames import Place, own_line
from .causes import TITLE_LIMIT, Explained, short

_NEWEST = "Try the newest release, and the operators one by one: compile in halves until the layer is found, then replace it or keep it out of the delegate."
_EAGER = "Run the model on its example inputs in plain PyTorch first"
_MATCHING = (
    f"one release of all packages in a fresh environment ({NEWEST_LINE}) rules out that they do not fit each other."
)

_PARTS: dict[str, tuple[str, str]] = {
    "vela": (
        "Vela failed at something that it did not foresee",
        "It is a defect of this Vela, or the network is of a kind that it does not take: use the ethos-u-vela that this ExecuTorch release pins "
        "(examples/arm/setup.sh installs it) or a newer one, look with --verbose-all at which operator it stands, and compile in halves to find the layer.",
    ),
    "arm-quantiser": (
        "The Arm backend's quantiser failed",
        "Leave the module that it stumbles over in float (quantizer.set_module_name(NAME, None)), or write it with other operators; give it the exported "
        "module (exported.module(check_guards=False)) and not the model itself. Then try the newest release.",
    ),
    "arm-pass": (
        "A pass of ExecuTorch's Arm backend failed",
        f"It is of ExecuTorch, not of Vela: it met an operator in a form that it does not know. {_NEWEST}",
    ),
    "arm": ("ExecuTorch's Arm backend failed", f"It is of ExecuTorch, not of Vela. {_NEWEST}"),
    "aot-script": (
        "ExecuTorch's ahead-of-time script for Arm failed",
        "Check its options against --help of this release, and the model's file by itself (python3 FILE); --debug makes it say more.",
    ),
    "cortex-m": (
        "ExecuTorch's Cortex-M backend failed",
        "Quantise the whole model with CortexMQuantizer, and export it with channels_last inputs; an operator that CMSIS-NN has no kernel for is replaced or "
        "left to the portable kernels. Then try the newest release, which knows more of them.",
    ),
    "backend": ("A backend of ExecuTorch failed at the model", _NEWEST),
    "verifier": (
        "The lowered graph does not pass ExecuTorch's checks",
        "Change the model where the line or its stack trace points; EdgeCompileConfig(_check_ir_validity=False) leaves the checks out, which helps only "
        "where the delegate takes what they refuse.",
    ),
    "memory": (
        "ExecuTorch could not plan the program's memory",
        "Export with fixed shapes (no dynamic_shapes), and try the newest release; what a pass of one's own added must have gone through SpecPropPass.",
    ),
    "emit": (
        "ExecuTorch could not write the lowered graph as a program",
        "Something is in the graph that a program cannot hold (a value that is no tensor, a type, an operator without an out variant): look for it in "
        "print(edge.exported_program()), and take it out of the model; then try the newest release.",
    ),
    "exir": (
        "ExecuTorch could not lower the exported model",
        f"{_EAGER} and through torch.export.export(...).run_decompositions({{}}), to see whose fault it is; then try the newest release: {_MATCHING}",
    ),
    "recipe": (
        "ExecuTorch's export with a recipe failed",
        "Check the recipe and the stages that the message names against the release that is installed; EthosUQuantizer, to_edge_transform_and_lower and "
        "to_executorch do the same step by step.",
    ),
    "exir-base": (
        "ExecuTorch could not lower the exported model",
        f"{_EAGER}; then try the newest release: {_MATCHING}",
    ),
    "devtools": (
        "ExecuTorch's developer tools failed",
        "ETRecord, ETDump and bundled inputs must be of this very program and of one release of ExecuTorch: make them anew together.",
    ),
    "codegen": (
        "The code that registers the kernels could not be generated",
        "Most often torchgen or the YAML of the operators is of another release than the source tree: ./install_executorch.sh in that tree, then configure in "
        "an empty build folder.",
    ),
    "quantisation": (
        "The quantisation failed",
        "prepare_pt2e takes torch.export.export(model.eval(), inputs).module(check_guards=False), and convert_pt2e what was calibrated; torchao must be of the "
        "release that this ExecuTorch pins.",
    ),
    "export": (
        "torch.export could not take the model",
        f"{_EAGER}; then change the line that the traceback names, or try strict=False (strict=True) in torch.export.export.",
    ),
    "zephyr": (
        "A script of Zephyr's build failed",
        "Update the workspace (west update), install what its scripts need (west packages pip --install), and build anew: west build -p.",
    ),
    "test": (
        "A test of ExecuTorch's failed",
        "The traceback names the place; pytest -rP prints what the test captured.",
    ),
}
"""The part of a compile as `frames.py` calls it, to the beginning of a title and the advice."""
_OWN = (
    "The code {own} failed",
    "Look at that line; where it calls a library, print what it gives to it.",
)
_MODEL = (
    "The model failed while it was exported, at {own}",
    f"{_EAGER}, and change that line: what depends on values, on the device or on Python objects cannot be exported.",
)
_ANY = ("A Python program of the compile failed", "The traceback names the place; --debug makes ExecuTorch say more.")
_NODE = re.compile(r"While executing %(?P<node>[\w.]{1,80})")
_VELA_AS_COMMAND = "Vela compiler ('"
"""In 0.3 the Arm backend calls the program in a shell, and says so of whatever it prints."""
_BARE = re.compile(r"[\w.]{1,120}:?\s*\Z")


_OF_A_LINE = frozenset(("data-dependent", "shape"))
"""Rules of what one line of a model does."""
_OF_A_FILE = "python-syntax"
"""What Python says of the file that it names last, be it of a library."""


def at_line(found: Explained, place: Place, text: str) -> Explained:
    """The same with the line that has to be changed, where one does: of the reader's own code, or what Python cannot read."""
    rule = found.failure.rule
    line = place.frame if rule == _OF_A_FILE else own_line(place, text) if rule in _OF_A_LINE else ""
    if not line or line in found.title or len(line) > TITLE_LIMIT // 2:
        return found
    return found._replace(title=short(f"{short(found.title, TITLE_LIMIT - len(line) - 5)}, at {line}"))


def is_option_of_vela(place: Place) -> bool:
    """Whether Vela looked up a name of an enumeration, as it does with the values of some options only."""
    return place.part == "vela" and place.frame.startswith("enum.py:")


def of_place(place: Place, text: str) -> tuple[str, str]:
    """Title and advice for what was raised at a place that no row knows."""
    first, *others = text.splitlines()
    if first.rstrip().endswith(":") and others:
        first = f"{first.rstrip()} {others[0].strip()}"
    first = first.strip()
    if _BARE.match(first) is not None and place.frame:
        first = f"{first.rstrip(': ')} at {place.frame}" + (f" ({place.code})" if place.code else "")
    node = _NODE.search(text)
    if place.own:
        kind = _MODEL if place.part in ("export", "exir-base") else _OWN
        begin, advice = kind[0].format(own=place.own), kind[1]
    else:
        begin, advice = _PARTS.get("vela" if _VELA_AS_COMMAND in first else place.part, _ANY)
    at = f" at {node['node']}" if node is not None and not place.own else ""
    return short(f"{begin}{at}: {first}"), advice
