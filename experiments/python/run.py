"""What the Python package costs: a call against the binary, and a million states
evaluated against the same loop in Rust.

Run it with a Python that has hipot installed, from a wheel of this revision:

    scripts/python-test && target/python/fresh/bin/python experiments/python/run.py
"""

from __future__ import annotations

import os
import random
import subprocess
import tempfile
import time
from array import array
from collections.abc import Callable
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


def fastest(action: Callable[[], object], runs: int) -> float:
    """The seconds of the fastest run."""
    seconds = []
    for _ in range(runs):
        begin = time.perf_counter()
        action()
        seconds.append(time.perf_counter() - begin)
    return min(seconds)


def calls() -> None:
    """Milliseconds of `hipot.solve`, and of the binary's run with `--json`."""
    print("| task | hipot.solve, ms | binary, ms | difference, ms |\n|---|---|---|---|")
    for name in CALLS:
        task = EXAMPLES / name
        python = fastest(lambda task=task: hipot.solve(task), 20) * 1000  # type: ignore[misc]
        options = ["solve", str(task), "--json", "-q", "--plan-file", os.devnull]
        command = [str(TARGET / "hipot"), *options]
        binary = (
            fastest(lambda c=command: subprocess.run(c, capture_output=True), 20) * 1000
        )  # type: ignore[misc]
        print(f"| {name} | {python:.2f} | {binary:.2f} | {python - binary:+.2f} |")


def states(task: hipot.Task) -> array[int]:
    """Random states, reachable or not."""
    rng = random.Random(0)
    sizes = [len(variable.values) for variable in task.variables]
    return array(
        "I", [int(rng.random() * size) for _ in range(STATES) for size in sizes]
    )


def batches() -> None:
    """Seconds of `evaluate_batch`, and of the same loop in Rust."""
    print("\n| task | heuristic | variables | evaluate_batch, s | Rust, s | ratio |")
    print("|---|---|---|---|---|---|")
    for name, heuristic in BATCHES:
        task = hipot.Task.read(EXAMPLES / name)
        potential = hipot.bound(task, heuristic=heuristic).potential
        assert potential is not None
        values = states(task)
        python = fastest(lambda p=potential, v=values: p.evaluate_batch(v), 5)  # type: ignore[misc]
        with tempfile.NamedTemporaryFile() as file:
            values.tofile(file)
            file.flush()
            program = str(TARGET / "examples" / "evaluate_states")
            command = [program, str(EXAMPLES / name), heuristic, file.name]
            output = subprocess.run(
                command, capture_output=True, text=True, check=True
            ).stdout
        rust, total = output.split()
        assert sum(potential.evaluate_batch(values)) == int(total), "they disagree"
        ratio = python / float(rust)
        row = [
            name,
            heuristic,
            len(task.variables),
            f"{python:.3f}",
            f"{float(rust):.3f}",
        ]
        print("|", " | ".join(map(str, [*row, f"{ratio:.2f}"])), "|")


if __name__ == "__main__":
    build()
    calls()
    batches()
