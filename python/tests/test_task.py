"""Tasks, states and potential functions."""

import math
import random
from array import array
from collections import deque
from pathlib import Path

import pytest

import hipot

TASKS = [
    "coffee.sas",
    "river.sas",
    "jugs.sas",
    "frogs/problem.pddl",
    "flock/problem.pddl",
]


def reachable(task: hipot.Task) -> dict[hipot.State, int]:
    """All reachable states, and their distance if every step costs 1."""
    distances = {task.initial_state: 0}
    queue = deque(distances)
    while queue:
        state = queue.popleft()
        for _, successor in task.successors(state):
            if successor not in distances:
                distances[successor] = distances[state] + 1
                queue.append(successor)
    return distances


@pytest.mark.parametrize("name", TASKS)
def test_a_search_in_python_finds_the_same(examples: Path, name: str) -> None:
    task = hipot.Task.read(examples / name)
    if any(operator.cost != 1 for operator in task.operators):
        pytest.skip("breadth-first search counts steps")
    distances = reachable(task)
    shortest = min(
        distance for state, distance in distances.items() if task.is_goal(state)
    )
    assert hipot.solve(task).cost == shortest


def test_parts_of_a_task(examples: Path) -> None:
    task = hipot.Task.read(examples / "coffee.sas")
    assert hipot.Task.from_sas(task.to_sas()).to_sas() == task.to_sas()
    assert len(task.initial_state) == len(task.variables)
    for fact in task.goal:
        assert task.fact_name(fact) == task.variables[fact.variable].values[fact.value]
    applicable = {
        successor.operator for successor in task.successors(task.initial_state)
    }
    for index, operator in enumerate(task.operators):
        holds = all(
            task.initial_state[v] == value for v, value in operator.preconditions
        )
        assert holds == (index in applicable)
        assert (task.apply(index, task.initial_state) is not None) == holds
    for effect in task.operators[min(applicable)].effects:
        successor = task.apply(min(applicable), task.initial_state)
        assert successor is not None
        assert effect.conditions or successor[effect.fact.variable] == effect.fact.value
    assert repr(task).startswith("<hipot.Task: ")


def test_axioms_are_applied(examples: Path) -> None:
    task = hipot.Task.read(examples / "canals" / "problem.pddl")
    assert any(variable.axiom_layer is not None for variable in task.variables)
    state = task.initial_state
    solution = hipot.solve(task)
    assert solution.plan is not None
    for step in solution.plan:
        names = [f"({operator.name})" for operator in task.operators]
        states = [task.apply(i, state) for i, name in enumerate(names) if name == step]
        state = next(state for state in states if state is not None)
    assert task.is_goal(state)


def test_wrong_states(examples: Path) -> None:
    task = hipot.Task.read(examples / "coffee.sas")
    short = task.initial_state[1:]
    large = (99, *short)
    for state in (short, large):
        with pytest.raises(hipot.UsageError):
            task.successors(state)
        with pytest.raises(hipot.UsageError):
            task.is_goal(state)
    with pytest.raises(hipot.UsageError):
        task.apply(len(task.operators), task.initial_state)
    potential = hipot.bound(task).potential
    assert potential is not None
    for batch in ([short], [large], array("b", [-1] * len(task.variables))):
        with pytest.raises(hipot.UsageError):
            potential.evaluate_batch(batch)
    with pytest.raises(hipot.UsageError):
        potential.evaluate_batch(array("d", task.initial_state))


@pytest.mark.parametrize(
    "heuristic", ["pot(dim=1)", "pot(dim=2)", "pot(dim=2, mutexes=none)"]
)
@pytest.mark.parametrize(
    "name",
    ["coffee.sas", "river.sas", "jugs.sas", "blocks.sas", "lights.sas", "train.sas"],
)
def test_potentials_are_their_features(
    examples: Path, name: str, heuristic: str
) -> None:
    task = hipot.Task.read(examples / name)
    bound = hipot.bound(task, heuristic=heuristic)
    potential = bound.potential
    assert potential is not None
    states = list(reachable(task))[:500]
    values = []
    for state in states:
        holds = (
            all(state[v] == d for v, d in feature.facts)
            for feature in potential.features
        )
        weights = [
            f.weight
            for f, is_true in zip(potential.features, holds, strict=True)
            if is_true
        ]
        value = potential.constant + sum(weights)
        assert value == potential.value(state)
        values.append(max(0, math.ceil(value)))
        assert values[-1] == potential.evaluate(state)
    assert list(potential.evaluate_batch(states)) == values
    flat = [value for state in states for value in state]
    for code in "bBhHiIlLqQ":
        assert list(potential.evaluate_batch(array(code, flat))) == values
    assert values[0] == bound.lower_bound
    assert hipot.verify(task, certificate=hipot.Certificate(potential.certificate))


def test_potentials_are_admissible(examples: Path) -> None:
    task = hipot.Task.read(examples / "river.sas")
    potential = hipot.bound(task).potential
    assert potential is not None
    for state in reachable(task):
        for operator, successor in task.successors(state):
            cost = task.operators[operator].cost
            assert potential.evaluate(state) <= cost + potential.evaluate(successor)
        if task.is_goal(state):
            assert potential.evaluate(state) == 0


def test_numpy(examples: Path) -> None:
    numpy = pytest.importorskip("numpy")
    task = hipot.Task.read(examples / "blocks.sas")
    potential = hipot.bound(task).potential
    assert potential is not None
    rng = random.Random(0)
    states = [task.initial_state]
    for _ in range(200):
        states.append(rng.choice(task.successors(states[-1])).state)
    expected = list(potential.evaluate_batch(states))
    for dtype in ("u1", "i2", "u4", "i8"):
        rows = numpy.array(states, dtype=dtype)
        assert list(potential.evaluate_batch(rows)) == expected
        assert list(potential.evaluate_batch(numpy.asfortranarray(rows))) == expected
    assert numpy.asarray(potential.evaluate_batch(rows)).dtype == numpy.uint64
    assert len(potential.evaluate_batch(rows[:0])) == 0
    many = numpy.tile(rows, (2000, 1))
    assert list(potential.evaluate_batch(many)) == expected * 2000
    with pytest.raises(hipot.UsageError):
        potential.evaluate_batch(rows.astype(">i4"))
