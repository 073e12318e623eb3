"""What the Python package costs: a call against the binary, and a million states
evaluated against the same loop in Rust.

Run it with a Python that has hipot installed, from a wheel of this revision:

    scripts/python-test && target/python/fresh/bin/python experiments/python/run.py
"""

from __future__ import annotations

import os
import random
import resource
import subprocess
import tempfile
import time
from array import array
from collections.abc import Callable
from functools import partial
from pathlib import Path

import hipot

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release"
CALLS = [
    "coffee.sas",
    "river.sas",
    "blocks.sas",
    "frogs/problem.pddl",
    "flock/problem.pddl",
]
BATCHES = [
    ("coffee.sas", "pot(dim=2)"),
    ("blocks.sas", "pot(dim=1)"),
    ("blocks.sas", "pot(dim=2)"),
    ("hanoi.sas", "pot(dim=2)"),
]
STATES = 1_000_000


def build() -> None:
    """The binary and the loop in Rust, with the features of the wheel's build."""
    packages = ["-p", "hipot", "-p", "hipot-python", "--bin", "hipot"]
    command = ["cargo", "build", "--release", *packages, "--example", "evaluate_states"]
    subprocess.run(command, cwd=ROOT, check=True)


def fastest(
    action: Callable[[], object], runs: int, clock: Callable[[], float]
) -> float:
    """The seconds of the fastest run."""
    seconds = []
    for _ in range(runs):
        begin = clock()
        action()
        seconds.append(clock() - begin)
    return min(seconds)


def children() -> float:
    """The processor time of the processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def calls() -> None:
    """Milliseconds of `hipot.solve`, and of the binary's run with `--json`."""
    print("| task | clock | hipot.solve, ms | binary, ms | difference, ms |")
    print("|---|---|---|---|---|")
    clocks = [
        ("elapsed", time.perf_counter, time.perf_counter),
        ("processor", time.process_time, children),
    ]
    for name in CALLS:
        task = EXAMPLES / name
        options = ["solve", str(task), "--json", "-q", "--plan-file", os.devnull]
        command = [str(TARGET / "hipot"), *options]
        for clock, own, other in clocks:
            python = 1000 * fastest(partial(hipot.solve, task), 20, own)
            run = partial(subprocess.run, command, capture_output=True)
            binary = 1000 * fastest(run, 20, other)
            row = f"| {name} | {clock} | {python:.2f} | {binary:.2f} |"
            print(row, f"{python - binary:+.2f} |")


def states(task: hipot.Task) -> array[int]:
    """Random states, reachable or not."""
    rng = random.Random(0)
    sizes = [len(variable.values) for variable in task.variables]
    return array(
        "I", [int(rng.random() * size) for _ in range(STATES) for size in sizes]
    )


def batches() -> None:
    """Processor seconds of `evaluate_batch`, and of the same loop in Rust."""
    print("\n| task | heuristic | variables | evaluate_batch, s | Rust, s | ratio |")
    print("|---|---|---|---|---|---|")
    for name, heuristic in BATCHES:
        task = hipot.Task.read(EXAMPLES / name)
        potential = hipot.bound(task, heuristic=heuristic).potential
        assert potential is not None
        values = states(task)
        evaluate = partial(potential.evaluate_batch, values)
        python = fastest(evaluate, 5, time.process_time)
        with tempfile.NamedTemporaryFile() as file:
            values.tofile(file)
            file.flush()
            rust, total = loop_in_rust(EXAMPLES / name, heuristic, file.name)
        assert sum(evaluate()) == total, "they disagree"
        numbers = f"{python:.4f} | {rust:.4f} | {python / rust:.2f} |"
        print(f"| {name} | {heuristic} | {len(task.variables)} | {numbers}")


def loop_in_rust(task: Path, heuristic: str, states: str) -> tuple[float, int]:
    """The processor seconds, and the sum of the values."""
    program = TARGET / "examples" / "evaluate_states"
    command = [str(program), str(task), heuristic, states]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    seconds, total = run.stdout.split()
    return float(seconds), int(total)


if __name__ == "__main__":
    build()
    calls()
    batches()
