"""The engine for Unified Planning, with Unified Planning's own test cases."""

import io
import subprocess
import sys
import warnings
from importlib import import_module
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("unified_planning")

import unified_planning.engines.results as results
from unified_planning.engines import PlanGenerationResultStatus as Status
from unified_planning.engines import ValidationResultStatus
from unified_planning.environment import get_environment
from unified_planning.io import PDDLReader
from unified_planning.model.metrics import (
    MinimizeActionCosts,
    MinimizeSequentialPlanLength,
)
from unified_planning.shortcuts import (
    BoolType,
    InstantaneousAction,
    IntType,
    OneshotPlanner,
    PlanValidator,
    Problem,
    UserType,
)
from unified_planning.test import TestCase
from unified_planning.test.examples import get_example_problems

import hipot.up

get_environment().credits_stream = None
warnings.simplefilter("ignore")

# Its modules import each other as if they stood alone.
sys.path.append(str(Path(find_spec("up_test_cases").origin).parent))


def switches(name: str) -> Problem:
    """Three switches, the first of which is on; all shall be on."""
    problem = Problem(name)
    switch = UserType("Switch")
    on = problem.add_fluent("on", BoolType(), default_initial_value=False, x=switch)
    objects = [problem.add_object(f"s{number}", switch) for number in range(3)]
    problem.set_initial_value(on(objects[0]), True)
    for each in objects:
        problem.add_goal(on(each))
    return problem


def copying(is_static: bool) -> TestCase:
    """A switch takes over the state of another, or of a fluent that never changes."""
    problem = switches("copying")
    (on,) = problem.fluents
    switch = on.signature[0].type
    live = problem.add_fluent("live", BoolType(), default_initial_value=False, x=switch)
    problem.set_initial_value(live(problem.all_objects[0]), True)
    copy = InstantaneousAction("copy", a=switch, b=switch)
    copy.add_effect(on(copy.b), (live if is_static else on)(copy.a))
    problem.add_action(copy)
    problem.add_quality_metric(MinimizeSequentialPlanLength())
    return TestCase(problem, solvable=True, optimum=2)


def priced() -> TestCase:
    """Turning a switch on has its price, which a static fluent tells."""
    problem = switches("priced")
    (on,) = problem.fluents
    switch = on.signature[0].type
    price = problem.add_fluent("price", IntType(), default_initial_value=0, x=switch)
    for number, each in enumerate(problem.all_objects):
        problem.set_initial_value(price(each), 10 + number)
    turn = InstantaneousAction("turn", x=switch)
    turn.add_effect(on(turn.x), True)
    problem.add_action(turn)
    problem.add_quality_metric(MinimizeActionCosts({turn: price(turn.x)}))
    return TestCase(problem, solvable=True, optimum=11 + 12)


def cases() -> dict[str, TestCase]:
    """Unified Planning's test cases of the kinds that hipot declares, and some for
    features that it has none for."""
    found: dict[str, Any] = dict(get_example_problems())
    found["copying"], found["copying static"] = copying(False), copying(True)
    found["priced"] = priced()
    for package in ("basic_problems", "metric_problems"):
        module = import_module(f"up_test_cases.builtin.classical.{package}")
        found.update(
            {
                f"{package}:{name}": case
                for name, case in module.get_test_cases().items()
            }
        )
    supports = hipot.up.HipotEngine.supports
    return {name: case for name, case in found.items() if supports(case.problem.kind)}


CASES = cases()


def cost(problem: Any, plan: Any) -> Any:
    """The plan's value in the problem's only metric, by Unified Planning's validator;
    its length where there is none."""
    with PlanValidator(name="sequential_plan_validator") as validator:
        result = validator.validate(problem, plan)
        assert result.status is ValidationResultStatus.VALID, result
    if not problem.quality_metrics:
        return len(plan.actions)
    (value,) = result.metric_evaluations.values()
    return value


def solve(problem: Any, **options: Any) -> results.PlanGenerationResult:
    with OneshotPlanner(name="hipot") as planner:
        return planner.solve(problem, timeout=30, **options)


@pytest.mark.parametrize("name", CASES)
def test_its_own_cases(name: str) -> None:
    case = CASES[name]
    result = solve(case.problem)
    if not case.solvable:
        assert result.status is Status.UNSOLVABLE_PROVEN and result.plan is None
        return
    has_metric = bool(case.problem.quality_metrics)
    assert result.status is (
        Status.SOLVED_OPTIMALLY if has_metric else Status.SOLVED_SATISFICING
    )
    value = cost(case.problem, result.plan)
    assert str(value) == result.metrics["cost"] == result.metrics["lower_bound"]
    if has_metric and case.optimum is not None:
        assert value == case.optimum


@pytest.mark.parametrize("name", CASES)
def test_validation_of_its_own_cases(name: str) -> None:
    case = CASES[name]
    plans = [(plan, True) for plan in case.valid_plans]
    plans += [(plan, False) for plan in case.invalid_plans]
    with PlanValidator(name="hipot") as validator:
        for plan, is_valid in plans:
            result = validator.validate(case.problem, plan)
            assert bool(result) == is_valid
            if is_valid and case.problem.quality_metrics:
                (value,) = result.metric_evaluations.values()
                assert value == cost(case.problem, plan)


@pytest.mark.parametrize("name", CASES)
def test_same_cost_as_fast_downward(name: str) -> None:
    pytest.importorskip("up_fast_downward")
    problem = CASES[name].problem
    with OneshotPlanner(name="fast-downward-opt") as planner:
        if not CASES[name].solvable:
            pytest.skip("there is no plan to compare")
        if not planner.supports(problem.kind):
            pytest.skip("Fast Downward's optimal engine does not declare this kind")
        theirs = planner.solve(problem, timeout=60)
    assert theirs.plan is not None, theirs
    assert cost(problem, theirs.plan) == cost(problem, solve(problem).plan)


def test_each_feature_that_is_declared_is_tested() -> None:
    used = set(
        chain.from_iterable(case.problem.kind.features for case in CASES.values())
    )
    declared = hipot.up.HipotEngine.supported_kind().features
    # Unified Planning 1.3 counts these with the fluents that are not static; "copying
    # static" has one.
    unseen = {"STATIC_FLUENTS_IN_BOOLEAN_ASSIGNMENTS"}
    assert declared - used == unseen


def test_lengths_count_where_there_is_no_metric() -> None:
    problem = CASES["robot_no_negative_preconditions"].problem.clone()
    assert not problem.quality_metrics
    satisficing = solve(problem)
    problem.add_quality_metric(MinimizeSequentialPlanLength())
    optimal = solve(problem)
    assert satisficing.status is Status.SOLVED_SATISFICING
    assert optimal.status is Status.SOLVED_OPTIMALLY
    assert len(satisficing.plan.actions) == len(optimal.plan.actions)


def test_limits(examples: Path) -> None:
    frogs = examples / "frogs"
    problem = PDDLReader().parse_problem(
        str(frogs / "domain.pddl"), str(frogs / "problem.pddl")
    )
    with OneshotPlanner(name="hipot") as planner:
        late = planner.solve(problem, timeout=0)
    assert late.status is Status.TIMEOUT and late.plan is None
    with OneshotPlanner(name="hipot", params={"memory_limit": 1}) as planner:
        assert planner.solve(problem).status is Status.MEMOUT
    stream = io.StringIO()
    result = solve(problem, output_stream=stream)
    assert (
        stream.getvalue().splitlines()[-1]
        == f"lower bound: {result.metrics['lower_bound']}"
    )


def test_errors_are_statuses() -> None:
    problem = CASES["basic"].problem
    with OneshotPlanner(name="hipot", params={"heuristic": "magic"}) as planner:
        result = planner.solve(problem)
    assert result.status is Status.INTERNAL_ERROR
    assert "magic" in result.log_messages[0].message


def test_invalid_plans_have_a_reason() -> None:
    case = CASES["robot_no_negative_preconditions"]
    plan = solve(case.problem).plan
    with PlanValidator(name="hipot") as validator:
        empty = validator.validate(case.problem, type(plan)([]))
        assert empty.reason is results.FailedValidationReason.UNSATISFIED_GOALS
        twice = validator.validate(case.problem, type(plan)([plan.actions[0]] * 2))
        assert twice.reason is results.FailedValidationReason.INAPPLICABLE_ACTION
        assert twice.inapplicable_action == plan.actions[0]
        other = validator.validate(CASES["basic"].problem, plan)
        assert other.status is ValidationResultStatus.INVALID


def test_known_by_configuration_alone(tmp_path: Path) -> None:
    """`up.ini` suffices, without an import of `hipot.up`."""
    (tmp_path / "up.ini").write_text(
        "[engine hipot]\nmodule_name: hipot.up_engine\nclass_name: HipotEngine\n"
    )
    program = tmp_path / "program.py"
    program.write_text(
        "from unified_planning.shortcuts import *\n"
        "from unified_planning.test.examples import get_example_problems\n"
        "get_environment().credits_stream = None\n"
        "problem = get_example_problems()['basic'].problem\n"
        "with OneshotPlanner(name='hipot') as planner:\n"
        "    print(planner.solve(problem).status.name)\n"
    )
    run = subprocess.run([sys.executable, program], capture_output=True, text=True)
    assert run.stdout.strip() == "SOLVED_SATISFICING", run.stderr
