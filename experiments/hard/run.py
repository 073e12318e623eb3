#!/usr/bin/env python3
"""`auto` on tasks that are hard for blind search, one of each domain.

`list` makes the list of tasks from a table of what planners of IPC 2023 solved: of each domain one,
by a seed, that some planner there solves and blind search does not within 60 seconds. `run` solves
each of them with `auto` and appends what came out to a log; what is in the log is not repeated.
`report` compares with the table.

    cargo build --release
    python3 experiments/hard/run.py list PEERS.tsv BENCHMARKS... > experiments/hard/tasks.txt
    python3 experiments/hard/run.py run BENCHMARKS... --log log.jsonl
    python3 experiments/hard/run.py report PEERS.tsv --log log.jsonl

BENCHMARKS are folders with a folder for each domain. With `--hipot NAME=PATH`, several programs
are compared, and with `--heuristic SPEC` other heuristics than `auto`.
"""

import argparse
import json
import pathlib
import random
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.append(str(ROOT / "experiments"))

from suite import find, read_log, read_peers, solve  # noqa: E402

PLANNERS = ["scorpion", "odin", "symk", "lmcut_oss_sss", "decstar", "blind"]
BLIND_SECONDS = 60


def is_hard(row):
    by_any = any(row[planner] for planner in PLANNERS)
    return by_any and (not row["blind"] or float(row["blind"]) > BLIND_SECONDS)


def make_list(arguments):
    rng = random.Random(arguments.seed)
    by_domain = {}
    for task, row in sorted(read_peers(arguments.peers).items()):
        if is_hard(row) and any((it / f"{task}.pddl").exists() for it in arguments.benchmarks):
            by_domain.setdefault(row["domain"], []).append(task)
    for _, tasks in sorted(by_domain.items()):
        print(rng.choice(tasks))


def run(arguments):
    programs = dict(it.split("=", 1) for it in arguments.hipot)
    known = read_log(arguments.log)
    with arguments.log.open("a") as log:
        for task in arguments.tasks.read_text().split():
            path = find(arguments.benchmarks, task)
            for program, hipot in programs.items():
                configuration = f"{program} {arguments.heuristic}".strip()
                if (task, configuration) in known:
                    continue
                row = solve(hipot, arguments.heuristic, path, arguments)
                row = {"task": task, "configuration": configuration, **row}
                print(json.dumps(row), file=log, flush=True)


def report(arguments):
    peers, rows = read_peers(arguments.peers), read_log(arguments.log)
    names = list(dict.fromkeys(configuration for _, configuration in rows))
    tasks = list(dict.fromkeys(task for task, _ in rows))
    is_solved = lambda row: row["status"] in ("solved", "unsolvable")
    print(f"{len(tasks)} tasks. Solved:\n")
    for name in names:
        solved = sum(is_solved(rows[task, name]) for task in tasks if (task, name) in rows)
        print(f"- {name}: {solved}")
    for planner in PLANNERS:
        for limit in (300, 1800):
            times = (peers[task][planner] for task in tasks)
            count = sum(float(time) <= limit for time in times if time)
            print(f"- {planner} in the table, {limit} s: {count}")
    heads = [f"{name} | s | bound" for name in names]
    print(f"\n| task | cost | scorpion | symk | {' | '.join(heads)} |")
    print("|---|--:|--:|--:|" + "--:|" * 3 * len(names))
    for task in tasks:
        peer = peers[task]
        cells = [task, peer["cost"], peer["scorpion"] or "-", peer["symk"] or "-"]
        for name in names:
            row = rows.get((task, name), {"status": "?", "seconds": "", "bound": ""})
            status = "yes" if is_solved(row) else row["status"]
            if row["status"] == "solved" and peer["cost"] and row["cost"] != int(peer["cost"]):
                status = f"**cost {row['cost']}**"
            cells += [status, row["seconds"], row["bound"]]
        print("| " + " | ".join(map(str, cells)) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True)
    for name, function in (("list", make_list), ("run", run), ("report", report)):
        command = commands.add_parser(name)
        command.set_defaults(function=function)
        command.add_argument("--seed", type=int, default=0)
        if name != "run":
            command.add_argument("peers", type=pathlib.Path)
        if name != "report":
            command.add_argument("benchmarks", nargs="+", type=pathlib.Path)
        if name != "list":
            command.add_argument("--log", type=pathlib.Path, required=True)
    command = commands.choices["run"]
    command.add_argument("--tasks", type=pathlib.Path, default=HERE / "tasks.txt")
    command.add_argument("--hipot", nargs="+", default=[f"={ROOT / 'target/release/hipot'}"])
    command.add_argument("--heuristic", default="auto")
    command.add_argument("--seconds", type=int, default=100)
    command.add_argument("--memory", default="8G")
    arguments = parser.parse_args()
    arguments.function(arguments)


if __name__ == "__main__":
    main()
