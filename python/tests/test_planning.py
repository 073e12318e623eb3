"""solve, bound, validate, verify: results, limits, errors, interrupts."""

import dataclasses
import json
import math
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

import hipot

COSTS = {"tea": 7, "frogs": 8, "darkroom": 14, "hike": 338, "seating": 7, "flock": 8}


@pytest.mark.parametrize("name", COSTS)
def test_plans_are_optimal_and_valid(examples: Path, name: str) -> None:
    domain, problem = examples / name / "domain.pddl", examples / name / "problem.pddl"
    solution = hipot.solve(domain, problem)
    assert solution.status == "solved" and solution
    assert solution.cost == solution.lower_bound == COSTS[name]
    assert solution.plan is not None and solution.length == len(solution.plan)
    validation = hipot.validate(domain, problem, plan=solution.plan)
    assert validation and validation.cost == solution.cost
    assert not hipot.validate(domain, problem, plan=solution.plan[:-1])


def test_attributes_are_those_of_the_json(examples: Path) -> None:
    task = examples / "coffee.sas"
    command = [sys.executable, "-m", "hipot"]
    for verb, result in [("solve", hipot.solve(task)), ("bound", hipot.bound(task))]:
        options = [verb, str(task), "--json", "-q"]
        if verb == "solve":
            options += ["--plan-file", os.devnull]
        run = subprocess.run([*command, *options], capture_output=True, check=True)
        report = json.loads(run.stdout)
        for name, value in report.items():
            if name in ("schema", "seconds", "peak_memory_bytes"):
                continue
            found = getattr(result, name)
            if dataclasses.is_dataclass(found) and not isinstance(found, type):
                # JSON has lists for tuples.
                found = json.loads(json.dumps(dataclasses.asdict(found)))
                assert found.keys() == value.keys()
                found = {
                    key: found[key] for key in value if key not in ("lp", "seconds")
                }
                value = {key: value[key] for key in found}
            elif isinstance(found, tuple):
                found = list(found)
            assert found == value, name


def test_results_are_frozen_and_readable(examples: Path) -> None:
    solution = hipot.solve(examples / "coffee.sas")
    with pytest.raises(dataclasses.FrozenInstanceError):
        solution.cost = 1  # type: ignore[misc]
    assert repr(solution).startswith("Solution(status='solved', cost=")
    assert len(repr(solution)) < 100


def test_no_plan(examples: Path) -> None:
    solution = hipot.solve(examples / "raft" / "problem.pddl")
    assert (solution.status, solution.plan, solution.lower_bound) == (
        "unsolvable",
        None,
        None,
    )
    bound = hipot.bound(examples / "raft" / "problem.pddl")
    assert bound.certificate is not None
    if bound.status == "unsolvable":
        assert hipot.verify(
            examples / "raft" / "problem.pddl", certificate=bound.certificate
        ).unsolvable


def test_certificates(examples: Path, tmp_path: Path) -> None:
    task = hipot.Task.read(examples / "coffee.sas")
    bound, solution = hipot.bound(task), hipot.solve(task)
    assert bound.certificate is not None and solution.plan is not None
    verified = hipot.verify(task, certificate=bound.certificate, plan=solution.plan)
    assert verified and verified.lower_bound == bound.lower_bound
    assert verified.optimal == (bound.lower_bound == solution.cost)
    bound.certificate.write(tmp_path / "bound.cert")
    assert hipot.verify(task, certificate=tmp_path / "bound.cert")
    assert hipot.Certificate.read(tmp_path / "bound.cert") == bound.certificate
    claim = f"claim bound {bound.lower_bound}"
    assert repr(bound.certificate) == f"Certificate({claim!r})"
    assert repr(hipot.Certificate("")) == "Certificate('')"

    lines = bound.certificate.text.splitlines()
    number = next(index for index, line in enumerate(lines) if line.startswith("claim"))
    assert str(bound.lower_bound) in lines[number]
    lines[number] = lines[number].replace(str(bound.lower_bound), "99")
    wrong = hipot.verify(task, certificate=hipot.Certificate("\n".join(lines) + "\n"))
    assert not wrong and wrong.reason
    other = hipot.verify(examples / "river.sas", certificate=bound.certificate)
    assert other.status == "invalid"


def test_errors_have_their_place(examples: Path, tmp_path: Path) -> None:
    domain = (examples / "tea" / "domain.pddl").read_text()
    problem = (examples / "tea" / "problem.pddl").read_text()
    wrong = tmp_path / "wrong.pddl"
    wrong.write_text(problem.replace("(:goal", "(:goal (nowhere) "))
    with pytest.raises(hipot.InputError) as caught:
        hipot.solve(examples / "tea" / "domain.pddl", wrong)
    error = caught.value
    assert error.file == str(wrong) and error.line and error.column
    assert error.source_line and "(:goal" in error.source_line
    assert str(error).startswith(f"{wrong}:{error.line}:{error.column}: ")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)

    with pytest.raises(hipot.InputError) as caught:
        hipot.Task.from_pddl(domain, problem[: len(problem) // 2])
    assert caught.value.file == "<problem>"
    with pytest.raises(hipot.InputError) as caught:
        hipot.Task.from_sas("begin_version\n7\n")
    assert (caught.value.file, caught.value.line) == ("<sas>", 2)
    with pytest.raises(hipot.InputError) as caught:
        hipot.validate(examples / "coffee.sas", plan=["serve coffee"])
    assert caught.value.file == "<plan>"


def test_other_errors(examples: Path, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as missing:
        hipot.solve(tmp_path / "none.sas")
    assert missing.value.filename == str(tmp_path / "none.sas")
    task = examples / "coffee.sas"
    with pytest.raises(hipot.UsageError, match="magic"):
        hipot.solve(task, heuristic="magic")
    with pytest.raises(OverflowError):
        hipot.bound(task, memory_limit=-1)
    with pytest.raises(hipot.UnsupportedError):
        hipot.bound(
            hipot.Pddl(
                "(define (domain d) (:requirements :preferences) (:predicates (p)))",
                "(define (problem p) (:domain d) (:init) (:goal (p)))",
            )
        )
    with pytest.raises(hipot.UsageError):
        hipot.solve(hipot.Task.read(task), task)


@pytest.mark.parametrize("call", [hipot.solve, hipot.bound])
@pytest.mark.parametrize("name", ["time_limit", "cpu_limit", "lp_time_limit"])
@pytest.mark.parametrize("limit", [-1, -0.5, math.nan, math.inf, 1e300, "60", [60]])
def test_time_limits_are_numbers_of_seconds(
    examples: Path, call: Callable[..., object], name: str, limit: object
) -> None:
    with pytest.raises(hipot.UsageError) as caught:
        call(examples / "coffee.sas", **{name: limit})
    message = f"{name} must be a number of seconds, not {limit!r}"
    assert str(caught.value) == message


def hard(bits: int = 24) -> hipot.Task:
    """A task that blind search takes long for: switches, all to be turned on.

    No two of them are alike: each can be turned off only while the one before is on.
    """
    text = ["begin_version", "3", "end_version", "begin_metric", "0", "end_metric"]
    text.append(str(bits))
    for bit in range(bits):
        text += ["begin_variable", f"b{bit}", "-1", "2", f"Atom off(b{bit})"]
        text += [f"Atom on(b{bit})", "end_variable"]
    text += ["0", "begin_state", *["0"] * bits, "end_state"]
    text += ["begin_goal", str(bits), *[f"{bit} 1" for bit in range(bits)], "end_goal"]
    text.append(str(2 * bits - 1))
    for bit in range(bits):
        text += ["begin_operator", f"set b{bit}", "0", "1", f"0 {bit} 0 1", "1"]
        text.append("end_operator")
        if bit:
            text += ["begin_operator", f"clear b{bit}", "1", f"{bit - 1} 1"]
            text += ["1", f"0 {bit} 1 0", "1", "end_operator"]
    return hipot.Task.from_sas("\n".join([*text, "0"]) + "\n")


def test_limits_are_statuses() -> None:
    task = hard()
    begin = time.monotonic()
    bounds: list[int] = []
    solution = hipot.solve(
        task, heuristic="blind", time_limit=0.5, on_lower_bound=bounds.append
    )
    assert solution.status == "time-limit" and not solution
    assert 0.5 <= time.monotonic() - begin < 2
    assert solution.lower_bound and bounds == sorted(set(bounds))
    assert bounds[-1] == solution.lower_bound
    full = hipot.solve(task, heuristic="blind", memory_limit=20 << 20)
    assert full.status == "memory-limit"
    assert hipot.bound(task, time_limit=0).status == "time-limit"
    assert hipot.bound(task, cpu_limit=0).status == "time-limit"


def test_processor_time_is_counted_from_the_call() -> None:
    while time.process_time() < 0.5:
        pass
    before = time.process_time()
    assert hipot.bound(hard(4), cpu_limit=0.5).status == "solved"
    solution = hipot.solve(hard(), heuristic="blind", cpu_limit=0.5)
    assert solution.status == "time-limit" and not solution
    assert 0.5 <= time.process_time() - before < 1.5


def test_a_bound_that_is_cut_short_is_still_a_bound(tmp_path: Path) -> None:
    task = tmp_path / "task.sas"
    generate = ["generate", "shuttle", "100", "-q", "-o", str(task)]
    subprocess.run([sys.executable, "-m", "hipot", *generate], check=True)
    known = hipot.bound(task, heuristic="pot(dim=1)").lower_bound
    # The second LP takes minutes.
    bound = hipot.bound(task, heuristic="max(pot(dim=1), ocp(dim=2))", time_limit=5)
    assert bound.status == "time-limit" and bound.heuristic is None
    assert known and bound.lower_bound == known


@pytest.mark.parametrize("options", [["run", "a.toml", "--cores", "2"], []])
def test_the_lab_is_in_the_binary_alone(options: list[str]) -> None:
    command = [sys.executable, "-m", "hipot", "lab", *options]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert "hipot lab is not part of this build" in run.stderr


def test_a_callback_may_raise() -> None:
    def give_up(bound: int) -> None:
        raise LookupError(bound)

    with pytest.raises(LookupError):
        hipot.solve(hard(), heuristic="blind", on_lower_bound=give_up)


def test_interrupt() -> None:
    task = hard()
    pressed = 0.0

    def press() -> None:
        nonlocal pressed
        pressed = time.monotonic()
        os.kill(os.getpid(), signal.SIGINT)

    # A shell's background jobs ignore Ctrl-C, and Python with them.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.3, press)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            hipot.solve(task, heuristic="blind", time_limit=60)
    finally:
        signal.signal(signal.SIGINT, before)
    assert time.monotonic() - pressed < 0.3


def test_other_threads_run_meanwhile() -> None:
    ticks = 0
    over = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not over.wait(0.01):
            ticks += 1

    thread = threading.Thread(target=tick)
    thread.start()
    hipot.solve(hard(), heuristic="blind", time_limit=0.5)
    over.set()
    thread.join()
    assert ticks >= 10


def test_same_seed_same_result(examples: Path) -> None:
    def key(solution: hipot.Solution) -> tuple[object, ...]:
        assert solution.search is not None
        return solution.plan, dataclasses.replace(solution.search, seconds=0.0)

    heuristic = "pot(dim=1, objective=samples(50))"
    runs = [
        hipot.solve(examples / "river.sas", heuristic=heuristic, seed=3) for _ in "ab"
    ]
    assert key(runs[0]) == key(runs[1])


def test_the_command(examples: Path, tmp_path: Path) -> None:
    command = [str(Path(sys.executable).with_name("hipot"))]
    solve = [*command, "solve", str(examples / "frogs" / "problem.pddl"), "-q"]
    run = subprocess.run(solve, capture_output=True, text=True, cwd=tmp_path)
    assert run.returncode == 0 and "; cost = 8 (unit cost)" in run.stdout
    assert (tmp_path / "sas_plan").read_text().endswith("; cost = 8 (unit cost)\n")
    run = subprocess.run([*command, "--version"], capture_output=True, text=True)
    assert run.stdout.startswith(f"hipot {hipot.__version__}")
    run = subprocess.run([*command, "solve"], capture_output=True, text=True)
    assert run.returncode == 2


def test_the_command_is_interrupted(tmp_path: Path) -> None:
    (tmp_path / "hard.sas").write_text(hard().to_sas())
    command = [
        sys.executable,
        "-m",
        "hipot",
        "solve",
        "hard.sas",
        "--heuristic",
        "blind",
    ]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE) as process:
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        process.wait(5)
        assert process.returncode == 130


@pytest.mark.parametrize(
    "heuristic", ["auto", "pot(dim=2, lp=ipm)", "ocp(dim=1)", "seq"]
)
def test_nothing_is_printed(
    examples: Path, heuristic: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert hipot.solve(examples / "blocks.sas", heuristic=heuristic)
    assert capfd.readouterr() == ("", "")


def test_exact_values_are_fractions(examples: Path) -> None:
    bound = hipot.bound(examples / "coffee.sas")
    assert bound.potential is not None and bound.heuristic is not None
    task = hipot.Task.read(examples / "coffee.sas")
    exact = bound.potential.value(task.initial_state)
    assert isinstance(exact, Fraction) and bound.heuristic.initial_exact is not None
    assert exact == Fraction(bound.heuristic.initial_exact)
