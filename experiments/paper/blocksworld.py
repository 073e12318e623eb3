#!/usr/bin/env python3
"""Expansions in Blocksworld with potentials of one and two dimensions, by LP method.

The paper found tasks on which `pot2` expands more states than `pot1`, "mostly from the domain
Blocksworld". Many functions are best in the initial state, and which one the LP solver returns
is chance. So each task is searched with the functions of three methods.

    python3 experiments/paper/blocksworld.py [--seconds 20]

Prints the initial value and the states expanded before the last f layer.
"""

import argparse
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "experiments"))

from suite import problems  # noqa: E402

SPECS = ["pot(dim=1, paper)"] + [f"pot(dim=2, paper, lp={lp})" for lp in ("auto", "ipm", "pdlp")]


def solve(arguments, spec, problem):
    command = [arguments.hipot, "solve", "--json", "-q", "--strict", "--plan-file", "/dev/null",
               "--time-limit", str(arguments.seconds), "--memory-limit", "2G",
               "--heuristic", spec, problem]
    report = json.loads(subprocess.run(command, stdout=subprocess.PIPE).stdout)
    if report["status"] != "solved":
        return None
    return report["heuristic"]["initial"], report["search"]["expanded_until_last_jump"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=pathlib.Path,
                        default=ROOT / "target/ipc/optimal-strips/blocks")
    parser.add_argument("--hipot", type=pathlib.Path, default=ROOT / "target/release/hipot")
    parser.add_argument("--seconds", type=int, default=20)
    arguments = parser.parse_args()
    print("| task | " + " | ".join(SPECS) + " |\n|---" + "|--:" * len(SPECS) + "|")
    fewer = more = 0
    for problem in problems(arguments.folder):
        found = [solve(arguments, spec, problem) for spec in SPECS]
        if None in found:
            break
        cells = [f"{initial}: {expanded:,}" for initial, expanded in found]
        print(f"| {problem.stem} | " + " | ".join(cells) + " |", flush=True)
        one, *two = [expanded for _, expanded in found]
        fewer += max(two) < one
        more += max(two) > one
    print(f"\nFewer with every function of two dimensions: {fewer} tasks; more with one of them: {more}.")


if __name__ == "__main__":
    main()
