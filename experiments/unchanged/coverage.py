#!/usr/bin/env python3
"""Compares what two builds of hipot solve: one task from each of some domains, chosen by a seed.

    coverage.py OLD NEW --tasks FOLDER

FOLDER has a folder for each domain with PDDL files. Each task is given to both builds in turn,
with the default heuristic. Near the time limit, results depend on chance and on how busy the
machine is: a difference is a place to look, not a verdict.
"""

import argparse
import json
import random
import subprocess
import tempfile
from pathlib import Path


def choose(folder, domains, seed):
    """The task 30% down the list of each of some domains."""
    chosen = []
    for domain in sorted(path for path in folder.iterdir() if path.is_dir()):
        problems = sorted(path for path in domain.glob("*.pddl") if "domain" not in path.name)
        if problems:
            chosen.append(problems[int(len(problems) * 0.3)])
    return random.Random(seed).sample(chosen, min(domains, len(chosen)))


def solve(binary, task, arguments, folder):
    command = [binary, "solve", task, "--json", "-q", "--time-limit", arguments.time_limit]
    command += ["--memory-limit", arguments.memory_limit, "--plan-file", folder / "plan"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    report = json.loads(ended.stdout)
    return report["status"], report.get("cost"), report.get("lower_bound")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old", help="the binary before")
    parser.add_argument("new", help="the binary after")
    parser.add_argument("--tasks", type=Path, required=True)
    parser.add_argument("--domains", type=int, default=26)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--time-limit", default="12s")
    parser.add_argument("--memory-limit", default="2G")
    arguments = parser.parse_args()
    solved = [0, 0]
    with tempfile.TemporaryDirectory() as name:
        for task in choose(arguments.tasks, arguments.domains, arguments.seed):
            sides = [
                solve(binary, task, arguments, Path(name))
                for binary in (arguments.old, arguments.new)
            ]
            solved = [count + (side[0] == "solved") for count, side in zip(solved, sides, strict=True)]
            mark = " " if sides[0][:2] == sides[1][:2] else "*"
            print(f"{mark} {task.parent.name}/{task.name}: {sides[0]} | {sides[1]}", flush=True)
    print(f"solved: {solved[0]} before, {solved[1]} after")


if __name__ == "__main__":
    main()
