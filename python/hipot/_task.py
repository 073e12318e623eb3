"""Tasks, their states and what leads from one to the next."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple, TypeAlias

from . import _hipot
from ._errors import UsageError

Path: TypeAlias = "str | os.PathLike[str]"

State: TypeAlias = tuple[int, ...]
"""The index of a value for each variable."""


class Pddl(NamedTuple):
    """The text of a task, where other tasks are files."""

    domain: str
    problem: str


class Fact(NamedTuple):
    """A variable and one of its values, by index."""

    variable: int
    value: int


class Variable(NamedTuple):
    """A finite-domain variable."""

    name: str
    values: tuple[str, ...]
    """A name for each value."""
    axiom_layer: int | None
    """The layer of a derived variable; `None` for one that operators change."""


class Effect(NamedTuple):
    """What an operator does to one variable, if its conditions hold before."""

    fact: Fact
    conditions: tuple[Fact, ...]


class Operator(NamedTuple):
    """An operator."""

    name: str
    """The action and its arguments, without parentheses."""
    preconditions: tuple[Fact, ...]
    effects: tuple[Effect, ...]
    """In the order in which they are written."""
    cost: int


class Successor(NamedTuple):
    """An applicable operator, by index, and the state that it leads to."""

    operator: int
    state: State


def _facts(pairs: Sequence[tuple[int, int]]) -> tuple[Fact, ...]:
    return tuple(Fact(variable, value) for variable, value in pairs)


class Task:
    """A planning task in finite-domain representation. It never changes."""

    def __init__(self, native: _hipot.Task) -> None:
        """Use `read`, `from_pddl` or `from_sas`."""
        self._native = native

    @classmethod
    def read(cls, domain: Path, problem: Path | None = None) -> Task:
        """Read a domain and a problem, a problem whose domain stands beside it, or
        a `.sas` file."""
        return cls(_hipot.Task.read(files(domain, problem)))

    @classmethod
    def from_pddl(cls, domain: str, problem: str) -> Task:
        """Translate the text of a domain and a problem."""
        return cls(_hipot.Task.from_pddl(domain, problem))

    @classmethod
    def from_sas(cls, text: str) -> Task:
        """Read the text of a `.sas` file, version 3."""
        return cls(_hipot.Task.from_sas(text))

    def to_sas(self) -> str:
        """The task as the text of a `.sas` file, version 3."""
        return self._native.to_sas()

    @property
    def uses_costs(self) -> bool:
        """Whether the task minimizes action costs."""
        return self._native.uses_costs()

    @cached_property
    def variables(self) -> tuple[Variable, ...]:
        """The variables."""
        variables = self._native.variables()
        return tuple(
            Variable(name, tuple(values), layer) for name, values, layer in variables
        )

    @cached_property
    def operators(self) -> tuple[Operator, ...]:
        """The operators."""
        return tuple(
            Operator(
                name,
                _facts(preconditions),
                tuple(
                    Effect(Fact(variable, value), _facts(conditions))
                    for conditions, variable, value in effects
                ),
                cost,
            )
            for name, preconditions, effects, cost in self._native.operators()
        )

    @cached_property
    def goal(self) -> tuple[Fact, ...]:
        """What a goal state has."""
        return _facts(self._native.goal())

    @cached_property
    def initial_state(self) -> State:
        """The initial state, axioms applied."""
        return tuple(self._native.initial_state())

    def is_goal(self, state: Sequence[int]) -> bool:
        """Whether `state` is a goal state."""
        return self._native.is_goal(state)

    def apply(self, operator: int, state: Sequence[int]) -> State | None:
        """The state that an operator leads to, axioms applied; `None` where it is
        not applicable."""
        successor = self._native.apply(operator, state)
        return None if successor is None else tuple(successor)

    def successors(self, state: Sequence[int]) -> list[Successor]:
        """All successors, in the order of operators."""
        successors = self._native.successors(state)
        return [Successor(operator, tuple(values)) for operator, values in successors]

    def fact_name(self, fact: tuple[int, int]) -> str:
        """The name of a fact, for people."""
        variable, value = fact
        return self.variables[variable].values[value]

    def __repr__(self) -> str:
        sizes = f"{len(self.variables)} variables, {len(self.operators)} operators"
        return f"<hipot.Task: {sizes}>"


def files(domain: Path, problem: Path | None) -> list[str]:
    """The files that a task is read from."""
    return [os.fspath(file) for file in (domain, problem) if file is not None]


def given(
    domain: Task | Pddl | Path, problem: Path | None
) -> _hipot.Task | tuple[str, str] | list[str]:
    """A task, its text, or the files to read it from."""
    if not isinstance(domain, (Task, Pddl)):
        return files(domain, problem)
    if problem is not None:
        raise UsageError("the task has its problem already")
    return domain._native if isinstance(domain, Task) else domain
