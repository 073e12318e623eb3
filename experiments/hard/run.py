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

import json
import pathlib
import random
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.append(str(ROOT / "experiments"))

from suite import call, commands, find, read_log, read_peers, solve  # noqa: E402

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
    functions = (make_list, run, report)
    parser, choices = commands(__doc__, HERE, functions, 100, "8G", has_peers=True, programs=True)
    choices["run"].add_argument("--heuristic", default="auto")
    call(parser)


if __name__ == "__main__":
    main()
