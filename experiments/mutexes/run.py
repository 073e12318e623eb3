#!/usr/bin/env python3
"""Measures h² mutexes: against a straightforward implementation, and on a sample.

`ratio`: forward h² by `hipot_analysis::h2` and by the straightforward
implementation of its tests (a table of pairs, loops until nothing changes) in
one program, which also compares the results, on one task a domain with about
2,000 facts. `sample`: h² forward and backward to the fixpoint, pruning and the
check of the proof on tasks spread evenly over the archive.

    cargo build --release && cargo build --release -p hipot-analysis --example h2
    python3 experiments/mutexes/run.py ratio --tasks FOLDER
    python3 experiments/mutexes/run.py sample --tasks FOLDER

FOLDER has a folder for each domain of the optimal tracks, with PDDL files.
"""

import argparse
import datetime
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from peer import domain_of

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Of each domain that has tasks with 1,500 to 3,000 facts, the one nearest to 2,000.
ABOUT_2000_FACTS = [
    "airport/p36-airport5MUC-p2", "depot/p22", "logistics98/prob19", "mprime/prob14",
    "mystery/prob14", "pipesworld-notankage/p50-net5-b30-g8", "rovers/p36",
    "satellite/p35-HC-pfile15", "storage/p30", "tetris-opt14-strips/p02-8", "tpp/p30",
]


class Runner:
    def __init__(self, arguments, folder):
        self.hipot, self.example = arguments.hipot.resolve(), arguments.example.resolve()
        self.sas = pathlib.Path(folder, "task.sas")

    def translate(self, problem):
        command = [self.hipot, "translate", domain_of(problem), problem, "-o", self.sas, "-q"]
        return subprocess.run(command, capture_output=True).returncode == 0

    def measure(self, *options):
        """What the program prints, or nothing where it fails."""
        command = [self.example, self.sas, *map(str, options)]
        ended = subprocess.run(command, text=True, capture_output=True)
        if ended.returncode != 0:
            print(ended.stderr.strip(), file=sys.stderr)
            return None
        return json.loads(ended.stdout)


def ratio(arguments, runner):
    print("| task | facts | operators | forward s | straightforward s | ratio | all passes s |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    ratios = []
    for name in ABOUT_2000_FACTS:
        if not runner.translate(arguments.tasks / f"{name}.pddl"):
            sys.exit(f"{name}: not translated")
        found = runner.measure("--compare", arguments.straightforward_limit)
        if found is None:
            sys.exit(f"{name}: failed")
        slow = found["straightforward_seconds"]
        ratios.append(slow / found["forward_seconds"])
        stopped = "" if found["straightforward_finished"] else "stopped at "
        print(f"| {name} | {found['facts']} | {found['operators']} "
              f"| {found['forward_seconds']:.3f} | {stopped}{slow:.2f} | {ratios[-1]:.1f} "
              f"| {found['seconds']:.3f} |", flush=True)
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    print(f"\n{len(ratios)} tasks: geometric mean {mean:.1f}, least {min(ratios):.1f}")


def problems(folder):
    """All problems, domains and numbers in natural order."""
    found = [path for path in folder.glob("*/*.pddl") if "domain" not in path.name]

    def key(path):
        parts = re.split(r"(\d+)", str(path.relative_to(folder)))
        return [(part.isdigit(), int(part) if part.isdigit() else part) for part in parts]

    return sorted(found, key=key)


def sample(arguments, runner):
    chosen = problems(arguments.tasks)
    chosen = [chosen[i * len(chosen) // arguments.count] for i in range(arguments.count)]
    columns = ["task", "facts", "operators", "s", "layers", "pairs", "dead facts",
               "useless operators", "facts left", "operators left", "check s"]
    print(f"| {' | '.join(columns)} |")
    print("|---" + "|--:" * (len(columns) - 1) + "|")
    finished, slowest, pruned, accepted = 0, 0.0, 0, 0
    for problem in chosen:
        name = f"{problem.parent.name}/{problem.stem}"
        if not runner.translate(problem):
            print(f"| {name} | not translated |", flush=True)
            continue
        found = runner.measure("--time-limit", arguments.time_limit, "--memory-limit",
                               arguments.memory_limit, "--check", "yes")
        if found is None:
            print(f"| {name} | failed |", flush=True)
            continue
        stopped = found["end"].startswith("Stopped")
        finished += not stopped
        accepted += 1
        pruned += found["useless"] > 0
        slowest = max(slowest, found["seconds"])
        seconds = f"{found['seconds']:.3f}" + (" (stopped)" if stopped else "")
        print(f"| {name} | {found['facts']} | {found['operators']} | {seconds} "
              f"| {len(found['layers'])} | {found['pairs']} | {found['dead']} | {found['useless']} "
              f"| {found['facts_left']} | {found['operators_left']} "
              f"| {found['check_seconds']:.3f} |", flush=True)
    print(f"\n{len(chosen)} tasks: {finished} inside {arguments.time_limit} s and "
          f"{arguments.memory_limit} bytes, the slowest {slowest:.1f} s; "
          f"{pruned} with operators pruned; {accepted} proofs accepted")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["ratio", "sample"])
    parser.add_argument("--tasks", type=pathlib.Path, required=True)
    parser.add_argument("--hipot", type=pathlib.Path, default=ROOT / "target/release/hipot")
    parser.add_argument("--example", type=pathlib.Path,
                        default=ROOT / "target/release/examples/h2")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--time-limit", type=float, default=30)
    parser.add_argument("--memory-limit", type=int, default=4 << 30)
    parser.add_argument("--straightforward-limit", type=float, default=300)
    arguments = parser.parse_args()
    print(f"{datetime.date.today()}\n")
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(arguments, folder)
        {"ratio": ratio, "sample": sample}[arguments.what](arguments, runner)


if __name__ == "__main__":
    main()
