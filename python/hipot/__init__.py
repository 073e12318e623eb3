"""A cost-optimal classical planner with certified potential heuristics.

>>> import hipot
>>> solution = hipot.solve("domain.pddl", "problem.pddl", time_limit=60)
>>> solution.status, solution.cost, solution.plan
"""

from importlib.metadata import version as _version

from ._errors import Error, InputError, InternalError, UnsupportedError, UsageError
from ._planning import bound, solve, validate, verify
from ._potential import Feature, PotentialFunction
from ._results import (
    Bound,
    Certificate,
    Fallback,
    Heuristic,
    Lp,
    Search,
    Seconds,
    Sizes,
    Solution,
    Validation,
    Verification,
)
from ._task import Effect, Fact, Operator, Pddl, State, Successor, Task, Variable

__version__ = _version("hipot")

__all__ = [
    "Bound",
    "Certificate",
    "Effect",
    "Error",
    "Fact",
    "Fallback",
    "Feature",
    "Heuristic",
    "InputError",
    "InternalError",
    "Lp",
    "Operator",
    "Pddl",
    "PotentialFunction",
    "Search",
    "Seconds",
    "Sizes",
    "Solution",
    "State",
    "Successor",
    "Task",
    "UnsupportedError",
    "UsageError",
    "Validation",
    "Variable",
    "Verification",
    "bound",
    "solve",
    "validate",
    "verify",
]
