"""What the export says of shapes that are not fixed, and of a model that decides on values."""

from __future__ import annotations

from .causes import Failure

_FIXED = "for Ethos-U, where a program has fixed shapes, leave dynamic_shapes out and export with inputs of their final size."

SHAPE_FAILURES: tuple[Failure, ...] = (
    Failure(
        "shape-unbounded",
        r"Cannot evaluate the shape upper bound|[Cc]ould not evaluate (?:the )?upper bound",
        "A dynamic dimension has no upper bound, so memory cannot be planned for it",
        f'Give every Dim a maximum (Dim("batch", max=8)); {_FIXED} A tensor whose size depends on values (nonzero) has none either.',
        (
            "RuntimeError: Cannot evaluate the shape upper bound of a dynamic-shaped tensor to a concrete bounded integer. Got tensor spec: "
            "TensorSpec(id=1). This tensor could either be from 1. a data-dependent operation such as nonzero.",
        ),
    ),
    Failure(
        "shape-constraints",
        r"Constraints violated \((?P<names>[^)\n]{1,100})\).*?Suggested fixes:\s{1,8}(?P<fixes>[^\n]{1,120}(?:\n\s{1,8}\w{1,40} = [^\n]{1,80}){0,3})",
        "The model does not accept every size that its dynamic dimension {names} allows",
        f"Put PyTorch's suggestion into dynamic_shapes: {{fixes}}; {_FIXED}",
        (
            'torch._dynamo.exc.UserError: Constraints violated (batch)! For more information, run with TORCH_LOGS="+dynamic".\n'
            "  - Not all values of batch = L['x'].size()[0] in the specified range are valid because batch was inferred to be a constant (8).\n"
            "Suggested fixes:\n  batch = 8",
        ),
    ),
    Failure(
        "data-dependent",
        r"(?:[Dd]ata.dependent|Could not guard on data-dependent|GuardOnDataDependentSymNode|"
        r"Dynamic control flow is not supported|Pending unbacked symbols)(?:.{0,700}?Caused by: [^\n(]{0,80}\((?P<where>(?!_dynamo/|_export/|torch/)[\w./-]{1,120}:\d{1,6}) in )?",
        "The model branches on tensor values, which cannot be exported ({where})",
        "Replace the if, loop or .item() with torch.where, or with torch.cond, which of the NPUs only the Ethos-U85 runs.",
        (
            "torch._dynamo.exc.UserError: Dynamic control flow is not supported at the moment. Please use "
            "torch.cond to explicitly capture the control flow.",
            "torch._dynamo.exc.Unsupported: Data-dependent branching",
            "torch._dynamo.exc.InternalTorchDynamoError: PendingUnbackedSymbolNotFound: Pending unbacked symbols {zuf0} not in returned outputs",
        ),
    ),
)
"""A part of `AOT_FAILURES`; an unbounded shape is told before what speaks of data that shapes depend on."""
