"""What to say about a traceback that no row explains: the part of the compile that failed, and what helps there."""

from __future__ import annotations

import re

from ..compiles.toolchains import NEWEST_LINE
from ..host.frames import Place, own_line
from .causes import TITLE_LIMIT, Explained, short

_NEWEST = "Try the newest release; then compile in halves until you find the layer, and replace it or keep it out of the delegate."
_EAGER = "Run the model on its example inputs in plain PyTorch first"
_MATCHING = f"one release of all packages in a fresh environment ({NEWEST_LINE}) rules out a mismatch between them."

_PARTS: dict[str, tuple[str, str]] = {
    "vela": (
        "Vela failed with an unexpected error",
        "Use the ethos-u-vela that this ExecuTorch release pins (examples/arm/setup.sh installs it) or a newer one, see with --verbose-all which operator "
        "it stops at, and compile in halves to find the layer: this is a bug in this Vela, or a network that it does not support.",
    ),
    "arm-quantiser": (
        "The Arm backend's quantiser failed",
        "Leave the module that it fails on in float (quantizer.set_module_name(NAME, None)), or write it with other operators; give it the exported module "
        "(exported.module(check_guards=False)), not the model itself. Then try the newest release.",
    ),
    "arm-pass": (
        "A pass of ExecuTorch's Arm backend failed",
        f"{_NEWEST} The pass belongs to ExecuTorch, not to Vela, and hit an operator in a form that it does not handle.",
    ),
    "arm": ("ExecuTorch's Arm backend failed", f"{_NEWEST} The backend belongs to ExecuTorch, not to Vela."),
    "aot-script": (
        "ExecuTorch's ahead-of-time script for Arm failed",
        "Check its options against this release's --help, and the model file on its own (python3 FILE); --debug makes it say more.",
    ),
    "cortex-m": (
        "ExecuTorch's Cortex-M backend failed",
        "Quantise the whole model with CortexMQuantizer, and export it with channels_last inputs; replace an operator that CMSIS-NN has no kernel for, or "
        "leave it to the portable kernels. Then try the newest release, which knows more of them.",
    ),
    "backend": ("An ExecuTorch backend failed on the model", _NEWEST),
    "verifier": (
        "The lowered graph does not pass ExecuTorch's checks",
        "Change the model where the line or its stack trace points; EdgeCompileConfig(_check_ir_validity=False) skips the checks, which helps only if the "
        "delegate accepts what they reject.",
    ),
    "memory": (
        "ExecuTorch could not plan the program's memory",
        "Export with fixed shapes (no dynamic_shapes), and try the newest release; anything that a custom pass added must have gone through SpecPropPass.",
    ),
    "emit": (
        "ExecuTorch could not write the lowered graph as a program",
        "Look in print(edge.exported_program()) for something that a program cannot hold (a value that is not a tensor, a type, an operator without an out "
        "variant), and take it out of the model; then try the newest release.",
    ),
    "exir": (
        "ExecuTorch could not lower the exported model",
        f"{_EAGER} and through torch.export.export(...).run_decompositions({{}}), to see where the fault lies; then try the newest release: {_MATCHING}",
    ),
    "recipe": (
        "ExecuTorch's export with a recipe failed",
        "Check the recipe and the stages that the message names against the installed release; EthosUQuantizer, to_edge_transform_and_lower and "
        "to_executorch do the same step by step.",
    ),
    "exir-base": (
        "ExecuTorch could not lower the exported model",
        f"{_EAGER}; then try the newest release: {_MATCHING}",
    ),
    "runtime": (
        "ExecuTorch's runtime in Python failed on the program",
        "Read what it says above this line, and what the message names: the backend that raised it, or an operator. An Ethos-U delegate runs only on its "
        "board or an FVP.",
    ),
    "devtools": (
        "ExecuTorch's developer tools failed",
        "Generate ETRecord, ETDump and bundled inputs again together: they must come from exactly this program and one ExecuTorch release.",
    ),
    "codegen": (
        "The kernel registration code could not be generated",
        "Run ./install_executorch.sh in the source tree, then configure in an empty build folder: most often torchgen or the operators' YAML is from "
        "another release than the tree.",
    ),
    "quantisation": (
        "The quantisation failed",
        "Give prepare_pt2e torch.export.export(model.eval(), inputs).module(check_guards=False), and convert_pt2e the calibrated result; torchao must be "
        "the release that this ExecuTorch pins.",
    ),
    "export": (
        "torch.export could not export the model",
        f"{_EAGER}; then change the line that the traceback names, or try strict=False (strict=True) in torch.export.export.",
    ),
    "zephyr": (
        "A script of Zephyr's build failed",
        "Update the workspace (west update), install what its scripts need (west packages pip --install), and rebuild from scratch: west build -p.",
    ),
    "test": (
        "An ExecuTorch test failed",
        "Look at the place that the traceback names; pytest -rP prints what the test captured.",
    ),
}
"""The part of a compile as `frames.py` calls it, to the beginning of a title and the advice."""
_OWN = (
    "The code {own} failed",
    "Look at that line; if it calls a library, print what it passes.",
)
_MODEL = (
    "The model failed during export, at {own}",
    f"{_EAGER}, and change that line: anything that depends on values, the device or Python objects cannot be exported.",
)
_ANY = (
    "A Python program of the compile failed",
    "Look at the place that the traceback names; --debug makes ExecuTorch say more.",
)
_NODE = re.compile(r"While executing %(?P<node>[\w.]{1,80})")
_VELA_AS_COMMAND = "Vela compiler ('"
"""In 0.3 the Arm backend calls the program in a shell, and says so of whatever it prints."""
_BARE = re.compile(r"[\w.]{1,120}:?\s*\Z")


_OF_A_LINE = frozenset(("data-dependent", "shape", "scalar-tensor", "operand-types"))
"""Rules of what one line of a model does."""
_OF_A_FILE = "python-syntax"
"""What Python says of the file that it names last, be it of a library."""


def at_line(found: Explained, place: Place, text: str) -> Explained:
    """The same with the line that has to be changed, if one does: in the reader's own code, or what Python cannot read."""
    rule = found.failure.rule
    line = place.frame if rule == _OF_A_FILE else own_line(place, text) if rule in _OF_A_LINE else ""
    if not line or line in found.title or len(line) > TITLE_LIMIT // 2:
        return found
    return found._replace(title=short(f"{short(found.title, TITLE_LIMIT - len(line) - 5)}, at {line}"))


def is_option_of_vela(place: Place) -> bool:
    """Whether Vela looked up a name of an enumeration, as it does with the values of some options only."""
    return place.part == "vela" and place.frame.startswith("enum.py:")


def of_place(place: Place, text: str) -> tuple[str, str]:
    """Title and advice for an error from a place that no row knows."""
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
