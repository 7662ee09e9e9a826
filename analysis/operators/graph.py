"""Which operators of a TOSA graph lie between two others: what Vela fused into one operation."""

from __future__ import annotations

from typing import NamedTuple

from ..lines import clean
from ..tosa.reader import TosaBlock, TosaGraph

_CONSTANTS = ("CONST", "CONST_SHAPE")
_FUSED_LIMIT = 64
_WALK_LIMIT = 10_000


class Flow(NamedTuple):
    """The operators of a block, and which of them makes what each one takes."""

    operators: tuple[str, ...]
    made_of: tuple[tuple[int, ...], ...]
    """Indices of the operators before each, without constants."""
    by_output: dict[str, int]

    def between(self, first: int, output: str, others: set[int]) -> tuple[int, ...]:
        """Operators after `first` on the ways to the one that makes `output`, that one included; none where no way leads
        there without passing one of `others`."""
        last = self.by_output.get(output)
        if last is None or last == first or not 0 <= first < len(self.operators):
            return ()
        reaches: dict[int, bool] = {first: True}
        waiting = [last]
        steps = 0
        while waiting:
            steps += 1
            if steps > _WALK_LIMIT:
                return ()
            index = waiting[-1]
            before = [one for one in self.made_of[index] if one >= first and one not in others]
            unknown = [one for one in before if one not in reaches and one < index]
            if unknown and index not in reaches:
                waiting += unknown
                continue
            waiting.pop()
            reaches.setdefault(index, any(reaches.get(one, False) for one in before))
        if last in others or not reaches[last]:
            return ()
        return tuple(sorted(index for index, yes in reaches.items() if yes and index != first))[:_FUSED_LIMIT]


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
