"""Results: frozen, with the attributes that the command's JSON has."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from . import _hipot
from ._potential import PotentialFunction

T = TypeVar("T")


def _only(cls: type[T], values: dict[str, Any] | None) -> T | None:
    """An instance with those of `values` that it has fields for."""
    if values is None:
        return None
    names = {entry.name for entry in fields(cls)}  # type: ignore[arg-type]
    return cls(**{name: value for name, value in values.items() if name in names})


@dataclass(frozen=True)
class Certificate:
    """The proof of a bound, which anyone can check."""

    text: str

    def __repr__(self) -> str:
        """With what it claims, in its third line."""
        claim = "".join(self.text.split("\n", 3)[2:3])
        return f"Certificate({claim!r})"

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Certificate:
        """Read a certificate's file; `hipot.verify` tells whether it is one."""
        return cls(Path(path).read_text(encoding="utf-8"))

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the certificate, for `hipot verify`."""
        Path(path).write_text(self.text, encoding="utf-8")


@dataclass(frozen=True)
class Sizes:
    """A task's sizes."""

    variables: int
    derived_variables: int
    facts: int
    operators: int
    axioms: int
    goals: int
    mutex_groups: int


@dataclass(frozen=True)
class Lp:
    """An LP and how it was solved."""

    rows: int
    columns: int
    nonzeros: int
    method: str
    seconds: float
    objective: float
    rung: str | None
    optimal: bool | None
    gap: float | None


@dataclass(frozen=True)
class Fallback:
    """Something weaker that was used, and why."""

    asked: str
    used: str
    reason: str


@dataclass(frozen=True)
class Heuristic:
    """What is known of a heuristic."""

    spec: str
    initial: int | float | None
    initial_exact: str | None
    certified: bool | None
    features: int | None
    complete: bool | None
    fallbacks: tuple[Fallback, ...]
    lp: Lp | None


@dataclass(frozen=True)
class Search:
    """What a search counted."""

    expanded: int
    expanded_until_last_jump: int
    evaluated: int
    evaluated_until_last_jump: int
    generated: int
    generated_until_last_jump: int
    reopened: int
    reopened_until_last_jump: int
    dead_ends: int
    seconds: float


@dataclass(frozen=True)
class Seconds:
    """Where the time of a call went."""

    translate: float
    heuristic: float
    search: float
    total: float


def _heuristic(values: dict[str, Any] | None) -> Heuristic | None:
    if values is None:
        return None
    fallbacks = tuple(Fallback(**fallback) for fallback in values["fallbacks"])
    return _only(
        Heuristic, {**values, "fallbacks": fallbacks, "lp": _only(Lp, values["lp"])}
    )


def _parts(report: dict[str, Any], computed: _hipot.Heuristic | None) -> dict[str, Any]:
    """The parts that `solve` and `bound` have in common."""
    return {
        "_computed": computed,
        "status": report["status"],
        "lower_bound": report["lower_bound"],
        "task": _only(Sizes, report["task"]),
        "heuristic": _heuristic(report["heuristic"]),
        "seconds": _only(Seconds, report["seconds"]),
        "peak_memory_bytes": report["peak_memory_bytes"],
    }


@dataclass(frozen=True, kw_only=True)
class _Computed:
    """A result with the heuristic behind it, the last one if there were several.

    What is large is made when it is asked for.
    """

    _computed: _hipot.Heuristic | None = field(repr=False, compare=False)

    @cached_property
    def potentials(self) -> tuple[PotentialFunction, ...]:
        """The heuristic's potential functions, the one with the best bound first."""
        found = self._computed.potentials() if self._computed else []
        return tuple(map(PotentialFunction, found))

    @property
    def potential(self) -> PotentialFunction | None:
        """The first of `potentials`."""
        return self.potentials[0] if self.potentials else None

    @cached_property
    def certificate(self) -> Certificate | None:
        """The proof of the heuristic's bound. `None` where a limit was reached
        before, and where `solve` used a heuristic whose values hold in single
        states only (`seq`, `ocp`, `tcp`); `bound` proves theirs in all states."""
        text = self._computed.certificate() if self._computed else None
        return None if text is None else Certificate(text)


@dataclass(frozen=True, kw_only=True)
class Solution(_Computed):
    """What `hipot.solve` found."""

    status: str
    """`solved`, `unsolvable`, `time-limit` or `memory-limit`."""
    cost: int | float | None
    """The plan's cost, which is optimal."""
    length: int | None
    plan: tuple[str, ...] | None = field(repr=False)
    """The steps, `(action argument …)`."""
    lower_bound: int | float | None
    """Every plan costs at least this much; `None` where there is no plan."""
    task: Sizes | None = field(repr=False)
    heuristic: Heuristic | None = field(repr=False)
    search: Search | None = field(repr=False)
    seconds: Seconds = field(repr=False)
    peak_memory_bytes: int | None = field(repr=False)
    """The most memory that the process, Python included, has had resident."""

    def __bool__(self) -> bool:
        return self.status == "solved"

    @classmethod
    def _make(cls, text: str, computed: _hipot.Heuristic | None) -> Solution:
        report = json.loads(text)
        plan = report["plan"]
        return cls(
            cost=report["cost"],
            length=report["length"],
            plan=None if plan is None else tuple(plan),
            search=_only(Search, report["search"]),
            **_parts(report, computed),
        )


@dataclass(frozen=True, kw_only=True)
class Bound(_Computed):
    """What `hipot.bound` proved."""

    status: str
    """`solved`, `unsolvable`, `time-limit` or `memory-limit`."""
    lower_bound: int | float | None
    """Every plan costs at least this much; `None` where there is no plan."""
    task: Sizes | None = field(repr=False)
    heuristic: Heuristic | None
    seconds: Seconds = field(repr=False)
    peak_memory_bytes: int | None = field(repr=False)

    @classmethod
    def _make(cls, text: str, computed: _hipot.Heuristic | None) -> Bound:
        return cls(**_parts(json.loads(text), computed))


@dataclass(frozen=True)
class Validation:
    """Whether a plan is valid. True in conditions if it is."""

    status: str
    """`valid` or `invalid`."""
    cost: int | float | None
    length: int
    reason: str | None
    """Why the plan is not valid."""
    line: int | None
    """The line, or the number of the step, that fails."""

    def __bool__(self) -> bool:
        return self.status == "valid"


@dataclass(frozen=True)
class Verification:
    """Whether a certificate holds. True in conditions if it does."""

    status: str
    """`verified` or `invalid`."""
    lower_bound: int | float | None
    unsolvable: bool
    initial_exact: str | None
    mutexes: int | None
    """The number of mutexes that the proof rests on, which are proved too."""
    functions: int | None
    """The number of functions that the proof rests on."""
    states: int | None
    """The number of listed states; `None` if the certificate needs none."""
    translated: bool
    """Whether the task was translated from PDDL: the proof rests on the translation."""
    cost: int | float | None
    """The plan's cost."""
    optimal: bool | None
    """Whether the plan is proved optimal."""
    reason: str | None

    def __bool__(self) -> bool:
        return self.status == "verified"


def validation(text: str) -> Validation:
    """From the command's JSON."""
    report: dict[str, Any] = json.loads(text)
    del report["schema"]
    return Validation(**report)


def verification(text: str) -> Verification:
    """From the command's JSON."""
    report: dict[str, Any] = json.loads(text)
    # The result as a condition says `valid`, and `lower_bound` is the same as `bound`.
    for name in ("schema", "valid", "bound"):
        del report[name]
    return Verification(**report)
