"""What an Ethos-U does with each part of a model, told before anything is compiled, and what to use instead.

The parts come from `runners/aot/census.py`. What becomes of each was measured with ExecuTorch 1.5.1 and Vela 5.1: int8,
one part between two layers that surely run on the NPU, compiled for an Ethos-U55-128 and an Ethos-U85-256 at their
default system configs. So advice about cost gives those figures only. The compile that follows says what a part costs
in the model at hand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, NamedTuple

from ..lines import clean
from ..report import Finding

Facts = Mapping[str, str]
_NPUS = ("ethos-u55", "ethos-u65", "ethos-u85")
_SMALL = ("ethos-u55", "ethos-u65")
"""They share one TOSA specification, which has fewer operators."""
_LONGEST = 300
"""Characters of a text of the model's that are kept."""
_NAMED = 4
"""Places that a sentence lists."""


class Part(NamedTuple):
    """A kind of module or function with what becomes of it; the places in the model are added to the detail."""

    rule: str
    kinds: frozenset[str]
    """Names of torch's modules, and of functions that the model's methods call."""
    severity: Literal["warning", "info"]
    title: str
    detail: str
    advice: str
    npus: tuple[str, ...] = _NPUS
    applies: Callable[[Facts], bool] | None = None
    """For what of it only; functions have no facts, and are left out then."""


def lint(census: Mapping[str, Any], npu: str) -> list[Finding]:
    """Findings about the parts of a model on this NPU; those that stay on the CPU come first.

    `census` holds `modules` and `calls`, each with `kind`, `facts`, `count` and `places`. Entries of another shape are
    passed over.
    """
    parts = [part for part in PARTS if npu in part.npus]
    found: dict[int, list[Mapping[str, Any]]] = {}
    for group in ("modules", "calls"):
        for row in _rows(census.get(group)):
            kind, facts = str(row.get("kind")), row.get("facts")
            for index, part in enumerate(parts):
                if kind in part.kinds and (
                    part.applies is None or (isinstance(facts, Mapping) and part.applies(facts))
                ):
                    found.setdefault(index, []).append(row)
                    break
    findings = [_finding(parts[index], rows) for index, rows in sorted(found.items())]
    return sorted(findings, key=lambda finding: finding.severity == "info")


def operator_advice(operator: str | None, reason: str | None) -> str | None:
    """What to do about an operator that was left to the CPU, by its name and the partitioner's reason."""
    for name, advice in _OPERATORS:
        if operator is not None and operator.startswith(name):
            return advice
    if reason is not None and reason.startswith("Node was not marked as quantized"):
        return _IN_FLOAT
    return None


def _finding(part: Part, rows: list[Mapping[str, Any]]) -> Finding:
    places = [place for row in rows for place in _rows(row.get("places"))]
    told = list(dict.fromkeys(_place(place) for place in places))
    count = sum(number for row in rows if isinstance(number := row.get("count"), int))
    names = ", ".join(dict.fromkeys(clean(str(row.get("kind"))) for row in rows))
    more = f" and {len(told) - _NAMED} more places" if len(told) > _NAMED else ""
    where = f" {count} in this model ({names}): {', '.join(told[:_NAMED])}{more}." if told else ""
    return Finding(part.rule, part.severity, None, part.title, f"{part.detail}{where}", part.advice)


def _place(place: Mapping[str, Any]) -> str:
    source, module = place.get("source"), place.get("module")
    named = clean(module[:_LONGEST]) if isinstance(module, str) and module else "the model itself"
    return f"{clean(source[:_LONGEST])} ({named})" if isinstance(source, str) else named


def _rows(value: object) -> Iterable[Mapping[str, Any]]:
    return [row for row in value if isinstance(row, Mapping)] if isinstance(value, list) else []


def _stride_above_two(facts: Facts) -> bool:
    return any(int(number) > 2 for number in re.findall(r"\d{1,6}", facts.get("stride", "")))


def _bicubic(facts: Facts) -> bool:
    return facts.get("mode") == "bicubic"


def _bilinear(facts: Facts) -> bool:
    return facts.get("mode") == "bilinear"


_CUT = "ExecuTorch leaves it to the CPU on every Ethos-U and cuts the model there, with quantise and dequantise on both sides."

_CUT_HERE = "The model is cut there, with quantise and dequantise on both sides."

PARTS: tuple[Part, ...] = (
    Part(
        "avoid-fused-encoder",
        frozenset(("TransformerEncoderLayer", "TransformerEncoder")),
        "warning",
        "TransformerEncoderLayer becomes one fused operator in eval mode, and nothing of it runs on the NPU",
        "Measured: PyTorch's fast path exports aten._transformer_encoder_layer_fwd, and the partitioner refuses it whole.",
        "Put torch.backends.mha.set_fastpath_enabled(False) into the model's file, before ModelUnderTest.",
    ),
    Part(
        "avoid-local-response-norm",
        frozenset(("LocalResponseNorm", "CrossMapLRN2d", "local_response_norm")),
        "warning",
        "LocalResponseNorm runs partly on the CPU",
        f"Measured: its aten.avg_pool3d is not delegated, and with what is the two convolutions around it take 75,872 instead of 22,240 cycles on an Ethos-U55-128 (Vela's estimates). {_CUT}",
        "Use BatchNorm2d: it becomes part of the convolution before it and costs no cycle.",
    ),
    Part(
        "avoid-instance-norm",
        frozenset(("InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d", "instance_norm")),
        "warning",
        "InstanceNorm runs on the CPU",
        f"Measured: aten._native_batch_norm_legit.no_stats is not delegated. {_CUT}",
        "Use BatchNorm2d, which becomes part of the convolution before it; or GroupNorm, which is slow but delegated.",
    ),
    Part(
        "avoid-rms-norm",
        frozenset(("RMSNorm", "rms_norm")),
        "warning",
        "RMSNorm runs on the CPU",
        f"Measured: the quantiser does not know it, so its six operators stay float. {_CUT}",
        "Use LayerNorm, which is delegated, or BatchNorm behind a convolution, which costs nothing.",
    ),
    Part(
        "avoid-mish-softplus",
        frozenset(("Mish", "Softplus", "mish", "softplus")),
        "warning",
        "Mish and Softplus run on the CPU",
        f"Measured: they fall into exp, log1p, where and others that stay float. {_CUT}",
        "Use Hardswish, SiLU, GELU or ReLU: between two convolutions they cost next to nothing more.",
    ),
    Part(
        "avoid-bicubic",
        frozenset(("Upsample",)),
        "warning",
        "Bicubic upsampling runs on the CPU",
        f"Measured: it falls into some 160 operators that stay float. {_CUT}",
        'Use mode="nearest"; on an Ethos-U85 also mode="bilinear".',
        applies=_bicubic,
    ),
    Part(
        "avoid-bilinear",
        frozenset(("Upsample", "UpsamplingBilinear2d")),
        "warning",
        "Bilinear upsampling runs on the CPU of an Ethos-U55 or U65 system",
        f"Measured for factors 2 and 3: aten.upsample_bilinear2d is not delegated, where an Ethos-U85 takes it. {_CUT_HERE}",
        'Use mode="nearest", which is delegated, or ConvTranspose2d with stride 2.',
        _SMALL,
        _bilinear,
    ),
    Part(
        "avoid-strided-transpose",
        frozenset(("ConvTranspose1d", "ConvTranspose2d")),
        "warning",
        "A transposed convolution with a stride above 2 runs on the CPU of an Ethos-U55 or U65 system",
        f"Measured for stride 3: it is not delegated, where stride 2 is, and where an Ethos-U85 takes both. {_CUT_HERE}",
        "Use stride 2, several times if need be, or nearest upsampling and a convolution.",
        _SMALL,
        _stride_above_two,
    ),
    Part(
        "avoid-conv3d",
        frozenset(("Conv3d", "conv3d")),
        "warning",
        "Conv3d runs on the CPU of an Ethos-U55 or U65 system",
        f"Measured for a 3x3x3 kernel: it is not delegated, where an Ethos-U85 takes it. {_CUT_HERE}",
        "Use Conv2d with the third dimension folded into channels or batch.",
        _SMALL,
    ),
    Part(
        "avoid-adaptive-max-pool",
        frozenset(("AdaptiveMaxPool1d", "AdaptiveMaxPool2d", "adaptive_max_pool1d", "adaptive_max_pool2d")),
        "warning",
        "Adaptive max pooling runs on the CPU",
        f"Measured from 16x16 to 4x4: aten.adaptive_max_pool2d is not delegated; adaptive average pooling is. {_CUT}",
        "Use MaxPool2d with the kernel and stride that the sizes ask for.",
    ),
    Part(
        "avoid-embedding",
        frozenset(("Embedding", "embedding")),
        "warning",
        "An embedding is looked up by the CPU of an Ethos-U55 or U65 system",
        "Measured: aten.index_select is not delegated there; an Ethos-U85 takes it, and leaves the cast of int64 indices only.",
        "Look it up before the model, on the host, and give the vectors as the input.",
        _SMALL,
    ),
    Part(
        "avoid-group-norm",
        frozenset(("GroupNorm", "group_norm")),
        "warning",
        "GroupNorm runs on the NPU and is slow there",
        "Measured between two 3x3 convolutions of 16 channels on 16x16: 88,018 instead of 22,240 cycles on an Ethos-U55-128, "
        "74,165 instead of 12,008 on an Ethos-U85-256 (Vela's estimates).",
        "Use BatchNorm2d: it becomes part of the convolution before it and costs no cycle.",
    ),
    Part(
        "avoid-layer-norm",
        frozenset(("LayerNorm", "layer_norm")),
        "info",
        "LayerNorm runs on the NPU and costs more than the layers around it",
        "Measured between two Linear(32, 32) on 16 tokens: 11,220 instead of 2,720 cycles on an Ethos-U55-128, 5,360 instead "
        "of 1,592 on an Ethos-U85-256 (Vela's estimates). It becomes 14 arithmetic operators.",
        "Where accuracy allows, use BatchNorm behind a convolution: it becomes part of it and costs no cycle.",
    ),
    Part(
        "avoid-attention",
        frozenset(("MultiheadAttention", "scaled_dot_product_attention")),
        "warning",
        "Attention runs on this NPU and is slow there",
        "Measured, one head on 16 tokens of 32 features: 36,029 cycles on an Ethos-U55-128 and 6,137 on an Ethos-U85-256; "
        "MultiheadAttention with four heads 50,903 and 20,724 (Vela's estimates).",
        "Compile for an Ethos-U85, or use convolutions, pooling over tokens, or fewer tokens.",
        _SMALL,
    ),
    Part(
        "avoid-attention",
        frozenset(("MultiheadAttention", "scaled_dot_product_attention")),
        "info",
        "Attention runs on this NPU",
        "Measured, one head on 16 tokens of 32 features: 6,137 cycles on an Ethos-U85-256; MultiheadAttention with four heads "
        "20,724 (Vela's estimates).",
        "Keep it; an Ethos-U55 or U65 runs the same several times slower.",
        ("ethos-u85",),
    ),
    Part(
        "avoid-prelu",
        frozenset(("PReLU", "prelu")),
        "info",
        "PReLU costs as much as a convolution",
        "Measured between two 3x3 convolutions of 16 channels on 16x16: 41,440 instead of 22,240 cycles on an Ethos-U55-128, "
        "20,840 instead of 12,008 on an Ethos-U85-256 (Vela's estimates).",
        "Use LeakyReLU or ReLU: they become part of the convolution before them.",
    ),
    Part(
        "gelu-is-a-table",
        frozenset(("GELU", "gelu", "SiLU", "silu")),
        "info",
        "GELU and SiLU need no replacement: in int8 each becomes a table that the NPU looks up",
        "Measured between two convolutions: no cycle more than ReLU on an Ethos-U55-128 or Ethos-U85-256 (16 for SiLU).",
        "Keep it; with 16-bit activations, or before ExecuTorch 1.5, look at the compile's figures first.",
    ),
)
"""Tried from the top: the first part that a module or call belongs to counts."""

_IN_FLOAT = (
    "What the quantiser left in float mostly stands beside an operator that the NPU lacks: replace that one first."
)

_OPERATORS: tuple[tuple[str, str], ...] = (
    ("aten.argmax", "Follow argmax at once by .to(torch.int32), or take the maximum after the NPU, on the host."),
    ("aten.upsample_bilinear2d", 'Use mode="nearest", which is delegated, or ConvTranspose2d with stride 2.'),
    ("aten.sort", "Sort after the model, on the host."),
    ("aten.topk", "Take the top k after the model, on the host."),
    (
        "aten._transformer_encoder_layer",
        "Switch PyTorch's fused encoder off in the model's file: torch.backends.mha.set_fastpath_enabled(False).",
    ),
    ("aten.avg_pool3d", "Replace LocalResponseNorm by BatchNorm2d, which becomes part of the convolution before it."),
)
"""By the beginning of the operator's name."""
