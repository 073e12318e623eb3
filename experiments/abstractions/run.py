#!/usr/bin/env python3
"""Potential functions and abstractions: initial values alone, and of both together.

`list` makes the list of tasks: some of each domain of a table of what planners of IPC 2023 solved,
by a seed. `run` computes the bound of each task with each heuristic and appends it to a log; what
is in the log is not repeated. `report` compares the bounds with each other, with the cost of a
plan, and with the initial values of Scorpion in the table.

    cargo build --release
    python3 experiments/abstractions/run.py list PEERS.tsv BENCHMARKS... > experiments/abstractions/tasks.txt
    python3 experiments/abstractions/run.py run BENCHMARKS... --log log.jsonl
    python3 experiments/abstractions/run.py report PEERS.tsv --log log.jsonl

BENCHMARKS are folders with a folder for each domain.
"""

import json
import pathlib
import random
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.append(str(ROOT / "experiments"))

from suite import bound, call, commands, find, read_log, read_peers, tasks_of  # noqa: E402

TASKS_OF_DOMAIN = 4
POTENTIAL, ABSTRACTIONS, BOTH = "pot2", "abstractions", "both"

# Building takes this share of the time, so that the rest is enough for translation and h2.
SHARE = 0.8


def specs(seconds):
    time = f"time={seconds * SHARE:g}s"
    return {
        POTENTIAL: "pot(dim=2, mutexes=h2, open=cases)",
        ABSTRACTIONS: f"scp(projections, cartesian, {time})",
        BOTH: f"scp(pot(dim=2, mutexes=h2, open=cases), projections, cartesian, {time})",
    }


def make_list(arguments):
    rng = random.Random(arguments.seed)
    by_domain = {}
    for task, row in read_peers(arguments.peers).items():
        known = row["cost"] or row["scorpion_initial_h"]
        if known and any((it / f"{task}.pddl").exists() for it in arguments.benchmarks):
            by_domain.setdefault(row["domain"], []).append(task)
    for _, tasks in sorted(by_domain.items()):
        print("\n".join(sorted(rng.sample(tasks, min(TASKS_OF_DOMAIN, len(tasks))))))


def run(arguments):
    known = read_log(arguments.log)
    with arguments.log.open("a") as log:
        for task in tasks_of(arguments):
            path = find(arguments.benchmarks, task)
            for name, spec in specs(arguments.seconds).items():
                if (task, name) not in known:
                    row = bound(arguments.hipot, spec, path, arguments)
                    row = {"task": task, "configuration": name, **row}
                    print(json.dumps(row), file=log, flush=True)


def percent(count, total):
    return f"{count} of {total} ({count / max(1, total):.0%})"


def report(arguments):
    peers, rows = read_peers(arguments.peers), read_log(arguments.log)
    names = list(specs(1))
    tasks = list(dict.fromkeys(task for task, _ in rows))
    tasks = [task for task in tasks if all((task, name) in rows for name in names)]
    # A task without a bound has the bound 0.
    bounds = {task: {name: rows[task, name]["bound"] or 0 for name in names} for task in tasks}
    cost = {task: int(peers[task]["cost"]) for task in tasks if peers[task]["cost"]}
    parts = {task: max(it[POTENTIAL], it[ABSTRACTIONS]) for task, it in bounds.items()}
    imperfect = [task for task in tasks if parts[task] != cost.get(task)]
    wrong = [task for task in cost if max(bounds[task].values()) > cost[task]]
    scorpion = {task: int(peers[task]["scorpion_initial_h"]) for task in tasks
                if peers[task]["scorpion_initial_h"]}

    print(f"{len(tasks)} tasks of {len({task.split('/')[0] for task in tasks})} domains, "
          f"{len(cost)} with known cost. Bounds above it: {len(wrong)}.\n")
    at_least = sum(bounds[task][BOTH] >= parts[task] for task in tasks)
    above = sum(bounds[task][BOTH] > parts[task] for task in imperfect)
    print(f"- both at least as high as the higher part: {percent(at_least, len(tasks))}")
    print(f"- strictly higher, where no part is perfect: {percent(above, len(imperfect))}")
    for name in names:
        perfect = sum(bounds[task][name] == cost[task] for task in cost)
        print(f"- {name} perfect: {percent(perfect, len(cost))}")
    for name in names:
        higher = sum(bounds[task][name] > scorpion[task] for task in scorpion)
        lower = sum(bounds[task][name] < scorpion[task] for task in scorpion)
        print(f"- {name} against the table's initial values of Scorpion, {len(scorpion)} tasks: "
              f"{higher} higher, {lower} lower")
    print(f"\n| task | cost | scorpion | {' | '.join(f'{name} | s' for name in names)} |")
    print("|---|--:|--:|" + "--:|--:|" * len(names))
    for task in tasks:
        cells = [task, peers[task]["cost"], scorpion.get(task, "")]
        for name in names:
            row = rows[task, name]
            cells += [row["status"] if row["bound"] is None else row["bound"], row["seconds"]]
        print("| " + " | ".join(map(str, cells)) + " |")


def main():
    functions = (make_list, run, report)
    parser, _ = commands(__doc__, HERE, functions, 60, "4G", has_peers=True)
    call(parser)


if __name__ == "__main__":
    main()
