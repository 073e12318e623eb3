"""The engine for Unified Planning.

It plans in this process: no files, no start of another program, Ctrl-C as usual, and
results that need no parsing. `hipot.up` makes it known under the name `hipot`.

A plan is `SOLVED_OPTIMALLY` where the problem has a quality metric. Where it has none
there is nothing to optimize, and Unified Planning wants `SOLVED_SATISFICING`; the plan
is one with the fewest actions then.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import IO, Any
from warnings import warn

import unified_planning as up
from unified_planning.engines import (
    Credits,
    Engine,
    LogMessage,
    OptimalityGuarantee,
    PlanGenerationResult,
    PlanGenerationResultStatus,
    ValidationResult,
    ValidationResultStatus,
)
from unified_planning.engines.mixins import OneshotPlannerMixin, PlanValidatorMixin
from unified_planning.engines.results import FailedValidationReason, LogLevel
from unified_planning.exceptions import UPException
from unified_planning.io import PDDLReader, PDDLWriter
from unified_planning.model import AbstractProblem, Problem, ProblemKind
from unified_planning.plans import ActionInstance, Plan, PlanKind, SequentialPlan

import hipot

CREDITS = Credits(
    name="hipot",
    author="the hipot contributors",
    contact="",
    website="",
    license="MIT OR Apache-2.0",
    short_description="A cost-optimal planner with certified potential heuristics.",
    long_description=(
        "A* with potential heuristics of dimension two and higher, certified in exact "
        "arithmetic. Plans are optimal; where a limit comes first, a proven lower "
        "bound is among the metrics."
    ),
)

STATUSES = {
    "unsolvable": PlanGenerationResultStatus.UNSOLVABLE_PROVEN,
    "time-limit": PlanGenerationResultStatus.TIMEOUT,
    "memory-limit": PlanGenerationResultStatus.MEMOUT,
}

FEATURES = {
    "ACTION_BASED",
    "FLAT_TYPING",
    "HIERARCHICAL_TYPING",
    "NEGATIVE_CONDITIONS",
    "DISJUNCTIVE_CONDITIONS",
    "EXISTENTIAL_CONDITIONS",
    "UNIVERSAL_CONDITIONS",
    "EQUALITIES",
    "CONDITIONAL_EFFECTS",
    "FORALL_EFFECTS",
    "STATIC_FLUENTS_IN_BOOLEAN_ASSIGNMENTS",
    "FLUENTS_IN_BOOLEAN_ASSIGNMENTS",
    "ACTIONS_COST",
    "PLAN_LENGTH",
    "STATIC_FLUENTS_IN_ACTIONS_COST",
    "INT_NUMBERS_IN_ACTIONS_COST",
}


class HipotEngine(Engine, OneshotPlannerMixin, PlanValidatorMixin):
    """Optimal oneshot planning, and validation of sequential plans.

    Parameters are `heuristic`, `memory_limit` (bytes in addition to what the process
    has) and `seed`, as in `hipot.solve`.
    """

    def __init__(
        self, heuristic: str = "auto", memory_limit: int | None = None, seed: int = 0
    ) -> None:
        Engine.__init__(self)
        OneshotPlannerMixin.__init__(self)
        self._options: dict[str, Any] = {
            "heuristic": heuristic,
            "memory_limit": memory_limit,
            "seed": seed,
        }

    @property
    def name(self) -> str:
        """`hipot`."""
        return "hipot"

    @staticmethod
    def get_credits(**_: Any) -> Credits:
        """What Unified Planning prints."""
        return CREDITS

    @staticmethod
    def supported_kind() -> ProblemKind:
        """What is supported in full."""
        return ProblemKind(FEATURES, version=2)

    @staticmethod
    def supports(problem_kind: ProblemKind) -> bool:
        """Whether all features of a problem are supported."""
        return bool(problem_kind <= HipotEngine.supported_kind())

    @staticmethod
    def supports_plan(plan_kind: PlanKind) -> bool:
        """Sequential plans are validated."""
        return plan_kind == PlanKind.SEQUENTIAL_PLAN

    @staticmethod
    def satisfies(optimality_guarantee: OptimalityGuarantee) -> bool:
        """All plans are optimal."""
        return True

    def _solve(
        self,
        problem: AbstractProblem,
        heuristic: Callable[[up.model.State], float | None] | None = None,
        timeout: float | None = None,
        output_stream: IO[str] | None = None,
    ) -> PlanGenerationResult:
        assert isinstance(problem, Problem)
        if heuristic is not None:
            warn(
                "hipot computes its own heuristic; the one given is ignored",
                stacklevel=3,
            )
        begin = time.monotonic()
        writer = PDDLWriter(problem, rewrite_bool_assignments=True)

        def tell(bound: int) -> None:
            if output_stream is not None:
                output_stream.write(f"lower bound: {bound}\n")

        try:
            text = hipot.Pddl(writer.get_domain(), writer.get_problem())
            left = (
                None if timeout is None else max(0, timeout + begin - time.monotonic())
            )
            found = hipot.solve(
                text, time_limit=left, on_lower_bound=tell, **self._options
            )
        except hipot.Error as error:
            return self._failure(error)
        metrics = _metrics(found, time.monotonic() - begin)
        if found.plan is None:
            return PlanGenerationResult(
                STATUSES[found.status], None, self.name, metrics
            )
        reader = PDDLReader(problem.environment)
        steps = "\n".join(found.plan)
        plan = reader.parse_plan_string(problem, steps, writer.get_item_named)
        if problem.quality_metrics:
            status = PlanGenerationResultStatus.SOLVED_OPTIMALLY
        else:
            status = PlanGenerationResultStatus.SOLVED_SATISFICING
        return PlanGenerationResult(status, plan, self.name, metrics)

    def _failure(self, error: hipot.Error) -> PlanGenerationResult:
        status = PlanGenerationResultStatus.INTERNAL_ERROR
        if isinstance(error, hipot.UnsupportedError):
            status = PlanGenerationResultStatus.UNSUPPORTED_PROBLEM
        message = LogMessage(LogLevel.ERROR, error.details)
        return PlanGenerationResult(status, None, self.name, log_messages=[message])

    def _validate(self, problem: AbstractProblem, plan: Plan) -> ValidationResult:
        assert isinstance(problem, Problem) and isinstance(plan, SequentialPlan)
        writer = PDDLWriter(problem, rewrite_bool_assignments=True)
        # Names are given while the text is written.
        text = hipot.Pddl(writer.get_domain(), writer.get_problem())
        steps = []
        for action in plan.actions:
            try:
                steps.append(_step(action, writer))
            except UPException as error:
                return self._invalid(str(error), action)
        found = hipot.validate(text, plan=steps)
        if found:
            metrics = {metric: found.cost for metric in problem.quality_metrics}
            valid = ValidationResultStatus.VALID
            return ValidationResult(valid, self.name, [], metrics or None)
        failed = None if found.line is None else plan.actions[found.line - 1]
        return self._invalid(found.reason or "", failed)

    def _invalid(self, reason: str, action: ActionInstance | None) -> ValidationResult:
        """An action cannot be applied; or, if none is given, the goal is missed."""
        if action is None:
            kind = FailedValidationReason.UNSATISFIED_GOALS
        else:
            kind = FailedValidationReason.INAPPLICABLE_ACTION
        return ValidationResult(
            ValidationResultStatus.INVALID,
            self.name,
            [LogMessage(LogLevel.INFO, reason)],
            reason=kind,
            inapplicable_action=action,
        )


def _step(action: ActionInstance, writer: PDDLWriter) -> str:
    """An action as PDDL names it."""
    arguments = [parameter.object() for parameter in action.actual_parameters]
    return f"({' '.join(map(writer.get_pddl_name, [action.action, *arguments]))})"


def _metrics(found: hipot.Solution, seconds: float) -> dict[str, str]:
    """What is known, for any status."""
    metrics: dict[str, Any] = {
        "engine_internal_time": seconds,
        "lower_bound": found.lower_bound,
        "cost": found.cost,
    }
    if found.heuristic:
        metrics["heuristic"] = found.heuristic.spec
        metrics["initial_heuristic_value"] = found.heuristic.initial
    if found.search:
        metrics["expanded_states"] = found.search.expanded
        metrics["evaluated_states"] = found.search.evaluated
    return {name: str(value) for name, value in metrics.items() if value is not None}
