"""Solve, bound, validate, verify."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from . import _hipot
from ._errors import UsageError
from ._results import (
    Bound,
    Certificate,
    Solution,
    Validation,
    Verification,
    validation,
    verification,
)
from ._task import Path, Pddl, Task, given


def solve(
    domain: Task | Pddl | Path,
    problem: Path | None = None,
    *,
    heuristic: str = "auto",
    time_limit: float | None = None,
    cpu_limit: float | None = None,
    memory_limit: int | None = None,
    lp_time_limit: float | None = None,
    seed: int = 0,
    on_lower_bound: Callable[[int], object] | None = None,
) -> Solution:
    """Find a plan of least cost.

    The task is a domain and a problem, a problem whose domain stands beside it, a
    `.sas` file, `Pddl` text, or a `Task`. Limits are elapsed seconds, seconds of
    processor time of all threads of the process, and bytes in addition to what the
    process has already; one that is reached is a status of the result, with the lower
    bound that is proved by then. `on_lower_bound` is called with each
    better bound.
    """
    json, computed = _hipot.solve(
        given(domain, problem),
        heuristic,
        _seconds("time_limit", time_limit),
        _seconds("cpu_limit", cpu_limit),
        memory_limit,
        _seconds("lp_time_limit", lp_time_limit),
        seed,
        on_lower_bound,
    )
    return Solution._make(json, computed)


def bound(
    domain: Task | Pddl | Path,
    problem: Path | None = None,
    *,
    heuristic: str = "pot(dim=2)",
    time_limit: float | None = None,
    cpu_limit: float | None = None,
    memory_limit: int | None = None,
    lp_time_limit: float | None = None,
    seed: int = 0,
) -> Bound:
    """Prove a lower bound on the cost of every plan, without search.

    Arguments are those of `solve`.
    """
    json, computed = _hipot.bound(
        given(domain, problem),
        heuristic,
        _seconds("time_limit", time_limit),
        _seconds("cpu_limit", cpu_limit),
        memory_limit,
        _seconds("lp_time_limit", lp_time_limit),
        seed,
    )
    return Bound._make(json, computed)


def validate(
    domain: Task | Pddl | Path,
    problem: Path | None = None,
    *,
    plan: Sequence[str] | Path,
) -> Validation:
    """Execute a plan, by the semantics of PDDL where the task came from PDDL.

    The plan is a file in IPC format, or a sequence of steps `(action argument …)`.
    """
    return validation(_hipot.validate(given(domain, problem), _plan(plan)))


def verify(
    domain: Task | Pddl | Path,
    problem: Path | None = None,
    *,
    certificate: Certificate | Path,
    plan: Sequence[str] | Path | None = None,
) -> Verification:
    """Check a certificate in exact arithmetic, with code that shares nothing with
    its computation. With a plan whose cost is the bound, the plan is proved optimal.
    """
    document: str | tuple[str]
    if isinstance(certificate, Certificate):
        document = (certificate.text,)
    else:
        document = os.fspath(certificate)
    steps = None if plan is None else _plan(plan)
    return verification(_hipot.verify(given(domain, problem), document, steps))


def _seconds(name: str, limit: float | None) -> float | None:
    """The limit, if it is one."""
    try:
        # NaN is not, and no duration has more than 64 bits.
        if limit is None or 0 <= limit < 2**64:
            return limit
    except TypeError:
        pass
    raise UsageError(f"{name} must be a number of seconds, not {limit!r}")


def _plan(plan: Sequence[str] | Path) -> str | tuple[str]:
    """The plan's file, or its text."""
    if isinstance(plan, (str, os.PathLike)):
        return os.fspath(plan)
    return ("\n".join(plan),)
