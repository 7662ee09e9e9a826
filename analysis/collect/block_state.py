"""What a log said about inferences while a performance block is read: it tells a new report from the same one once more."""

from __future__ import annotations

from ..named_tuple import NamedTuple


class BlockState(NamedTuple):
    """What the log said about inferences since the current performance block began.

    `told` goes from "" to "over" (`told_over()`) to "next" (`began()`), in this order only; a new block begins with "".
    `worked` is set by each line about an inference, and cleared when the runner has done all of them. Every step returns
    a new state, because copies of a draft share it.
    """

    worked: bool = False
    """True once an inference ran. No line tells where the whole capture is one inference."""
    told: str = ""
    """"over" once the log said that an inference is over, "next" once another one began after that."""
    behind_served: bool = False
    """True once a server began its next inference: a report that comes then is a new one, even without its first line.
    """
    served: int | None = None
    """The number that a server gave to the inference of this block when it finished."""
    earlier: int = 0
    """How many inferences before this one printed what this block holds."""

    def ran(self) -> BlockState:
        """The state once an inference runs or has run."""
        return self if self.worked else self._replace(worked=True)

    def began(self, *, behind_served: bool) -> BlockState:
        """The state once another inference begins; `behind_served`: a server finished one before it."""
        return self._replace(worked=True, told="next" if self.told else "", behind_served=behind_served)

    def told_over(self) -> BlockState:
        """The state once the log says that an inference is over."""
        return self._replace(worked=True, told=self.told or "over")

    def through_with_all(self) -> BlockState:
        """The state once no inference is to come: what is printed now was printed before."""
        return self._replace(worked=False)

    def once_more(self, *, worked: bool, earlier: int) -> BlockState:
        """The state once this block turned out to repeat the one before, with what is known of that one."""
        return self._replace(worked=self.worked or worked, earlier=earlier)

    @property
    def ended(self) -> int:
        """How many inferences began, ended and printed this block."""
        return self.earlier + (self.told == "next")
