"""Potential functions in exact arithmetic."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from ._errors import UsageError

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from . import _hipot


CHUNK = 1 << 20
"""So many bytes of a batch are handed over at once: few enough to stay in the cache,
and Python can be interrupted in between."""


class Feature(NamedTuple):
    """A conjunction of facts and its weight."""

    facts: tuple[tuple[int, int | None], ...]
    """Variables and values by index; `None` stands for the value that transition
    normal form adds, which no state of the task has."""
    weight: Fraction


class PotentialFunction:
    """φ(s), the sum of the weights of the features that hold in s, plus a constant.

    It was certified in exact arithmetic: `evaluate` never overestimates the cost of
    reaching the goal from a state that can be reached from the initial state.
    """

    def __init__(self, native: _hipot.Potential) -> None:
        """`hipot.bound` and `hipot.solve` make them."""
        self._native = native

    @property
    def spec(self) -> str:
        """The heuristic that the function is, such as `pot(dim=2)`."""
        return self._native.spec()

    @property
    def proves_unsolvable(self) -> bool:
        """Whether the function proves that there is no plan, and estimates nothing."""
        return self._native.proves_unsolvable()

    @property
    def constant(self) -> Fraction:
        """What is added to the sum of weights."""
        return Fraction(self._native.constant(), self._native.denominator())

    @cached_property
    def features(self) -> tuple[Feature, ...]:
        """The features whose weight is not 0."""
        denominator = self._native.denominator()
        features = self._native.features()
        return tuple(
            Feature(tuple(facts), Fraction(w, denominator)) for facts, w in features
        )

    def value(self, state: Sequence[int]) -> Fraction:
        """φ(s), exactly."""
        return Fraction(*self._native.exact(state))

    def evaluate(self, state: Sequence[int]) -> int:
        """The heuristic's value, max(0, ⌈φ(s)⌉)."""
        return self._native.evaluate(state)

    def evaluate_batch(self, states: Buffer | Iterable[Sequence[int]]) -> array[int]:
        """The heuristic's value of many states, as an array of 64-bit integers.

        `states` is a two-dimensional array of integers (NumPy's, or whatever else
        has a buffer), one state a row, or any iterable of states. Other threads of
        Python run meanwhile.
        """
        view, size = _bytes(states)
        state = max(1, self._native.width()) * size
        step = max(1, CHUNK // state) * state
        values = array("Q")
        for begin in range(0, len(view), step):
            chunk = view[begin : begin + step].tobytes()
            values.frombytes(self._native.evaluate_batch(chunk, size))
        return values

    @property
    def certificate(self) -> str:
        """The text of the certificate for what the function proves about the
        initial state."""
        return self._native.certificate()

    def __repr__(self) -> str:
        return f"<hipot.PotentialFunction {self.spec}: {len(self.features)} features>"


def _bytes(states: Buffer | Iterable[Sequence[int]]) -> tuple[memoryview, int]:
    """The bytes of the values one after the other, and how many each has."""
    try:
        view = memoryview(states)  # type: ignore[arg-type]
    except TypeError:
        try:
            flat = array("I", chain.from_iterable(states))  # type: ignore[arg-type]
        except (OverflowError, TypeError) as error:
            raise UsageError("states consist of indices of values") from error
        view = memoryview(flat)
    if view.format.lstrip("@=") not in tuple("bBhHiIlLqQ"):
        raise UsageError(
            f"an array of integers is expected, not of format {view.format!r}"
        )
    if not view.c_contiguous or view.nbytes == 0:
        return memoryview(view.tobytes()), view.itemsize
    return view.cast("B"), view.itemsize
