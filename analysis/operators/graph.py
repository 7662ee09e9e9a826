"""Which operators of a TOSA graph lie between two others: what Vela fused into one operation."""

from __future__ import annotations

from typing import NamedTuple

from ..lines import clean
from ..tosa.reader import TosaBlock, TosaGraph

_CONSTANTS = ("CONST", "CONST_SHAPE")
_FUSED_LIMIT = 64
_WALK_LIMIT = 2000


class Flow(NamedTuple):
    """The operators of a block, and which of them makes what each one takes."""

    operators: tuple[str, ...]
    made_of: tuple[tuple[int, ...], ...]
    """Indices of the operators before each, without constants."""
    by_output: dict[str, int]

    def between(self, first: int, output: str, others: set[int]) -> tuple[int, ...]:
        """Operators after `first` on the ways to the one that makes `output`; a way ends at one of `others`, which is an
        operation of its own."""
        last = self.by_output.get(output)
        if last is None or last == first or not 0 <= first < len(self.operators):
            return ()
        reached: dict[int, bool] = {first: True}
        waiting = [last]
        for _ in range(_WALK_LIMIT):
            if not waiting:
                return tuple(sorted(index for index, yes in reached.items() if yes and index != first))[:_FUSED_LIMIT]
            index = waiting[-1]
            before = [one for one in self.made_of[index] if first <= one < index]
            unknown = [one for one in before if one not in reached]
            if unknown:
                waiting += unknown
                continue
            waiting.pop()
            reached.setdefault(index, index not in others and any(reached[one] for one in before))
        return ()


def flow_of(graph: TosaGraph) -> Flow | None:
    """The flow of a graph of one block; None for others, whose operators Vela's indices do not tell apart."""
    return _flow(graph.blocks[0]) if len(graph.blocks) == 1 else None


def _flow(block: TosaBlock) -> Flow:
    made = {name: operator.index for operator in block.operators for name in operator.outputs}
    names = tuple(operator.op for operator in block.operators)
    made_of = tuple(
        tuple(made[name] for name in operator.inputs if name in made and names[made[name]] not in _CONSTANTS)
        for operator in block.operators
    )
    return Flow(names, made_of, {clean(name)[:512]: index for name, index in made.items()})
