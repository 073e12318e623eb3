#!/usr/bin/env python3
"""`auto` against each of its parts alone, and against their union.

`list` makes the list of tasks: some of each domain, by a seed. `run` solves each of them with
each configuration, with a limit on processor time and memory, and appends what came out to a log;
what is in the log is not repeated. `report` makes the tables: tasks solved, what a part solves and
`auto` does not, and lower bounds below blind search's.

    cargo build --release
    python3 experiments/auto/run.py list BENCHMARKS... > experiments/auto/tasks.txt
    python3 experiments/auto/run.py run BENCHMARKS... --log log.jsonl
    python3 experiments/auto/run.py report --log log.jsonl

BENCHMARKS are folders with a folder for each domain. With `--only auto` first and `--missed` then, the
parts run only where they can show something. With `--hipot NAME=PATH`, several programs
are compared: their names stand before the configurations'.
"""

import collections
import json
import pathlib
import random
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.append(str(ROOT / "experiments"))

from suite import call, commands, find, problems, read_log, solve, tasks_of  # noqa: E402

PARTS = {
    "blind": "blind",
    "pot1": "pot(dim=1)",
    "pot1-samples": "pot(dim=1, objective=samples(1000))",
    "pot2": "pot(dim=2)",
    "pot2-samples": "pot(dim=2, objective=samples(1000))",
    "pot2-h2": "pot(dim=2, mutexes=h2, open=cases)",
    "pot2-h2-samples": "pot(dim=2, mutexes=h2, open=cases, objective=samples(1000))",
    "seq": "seq",
}
CONFIGURATIONS = {"auto": "auto", **PARTS}

# Solved by nobody, or by everybody in no time: only some tasks of a domain tell anything.
TASKS_OF_DOMAIN = 3


def make_list(arguments):
    """Some tasks of each domain, one from each part of its list."""
    rng = random.Random(arguments.seed)
    for folder in arguments.benchmarks:
        for domain in sorted(path for path in folder.iterdir() if path.is_dir()):
            found = problems(domain)
            count = min(TASKS_OF_DOMAIN, len(found))
            for part in range(count):
                begin, end = (len(found) * it // count for it in (part, part + 1))
                print(f"{domain.name}/{found[rng.randrange(begin, end)].stem}")


def is_solved(row):
    return row.get("status") in ("solved", "unsolvable")


def run(arguments):
    programs = dict(it.split("=", 1) for it in arguments.hipot)
    known = read_log(arguments.log)
    with arguments.log.open("a") as log:
        for task in tasks_of(arguments):
            if arguments.missed and is_solved(known.get((task, "auto"), {})):
                continue
            path = find(arguments.benchmarks, task)
            for program, hipot in programs.items():
                for name in arguments.only or CONFIGURATIONS:
                    configuration = f"{program} {name}".strip()
                    if (task, configuration) in known:
                        continue
                    row = solve(hipot, CONFIGURATIONS[name], path, arguments)
                    row = {"task": task, "configuration": configuration, **row}
                    print(json.dumps(row), file=log, flush=True)
    report(arguments)


def report(arguments):
    by_task = collections.defaultdict(dict)
    for (task, configuration), row in read_log(arguments.log).items():
        by_task[task][configuration] = row
    names = dict.fromkeys(name for rows in by_task.values() for name in rows)
    names = sorted(names, key=lambda name: not name.endswith("auto"))
    print_missed(by_task, names)
    by_task = {task: rows for task, rows in by_task.items() if len(rows) == len(names)}
    domains = {task.split("/")[0] for task in by_task}
    solved = {name: {task for task, rows in by_task.items() if is_solved(rows[name])}
              for name in names}
    print(f"{len(by_task)} tasks of {len(domains)} domains.\n")
    print("| configuration | solved | only by it | processor seconds on what all solve |")
    print("|---|--:|--:|--:|")
    by_all = set.intersection(*solved.values()) if solved else set()
    for name in names:
        others = set().union(*(solved[other] for other in names if other != name))
        seconds = sum(by_task[task][name]["seconds"] for task in by_all)
        print(f"| {name} | {len(solved[name])} | {len(solved[name] - others)} | {seconds:.0f} |")
    mine, parts = names[0], names[1:]
    union = set().union(*(solved[name] for name in parts))
    both = len(union & solved[mine])
    print(f"\n{mine} solves {both} of the {len(union)} tasks that any other solves"
          f" ({both / max(1, len(union)):.1%}).\n")
    for task in sorted(union - solved[mine]):
        rows = by_task[task]
        by = ", ".join(f"{it} in {rows[it]['seconds']:.1f} s" for it in parts if task in solved[it])
        own = rows[mine]
        print(f"- {task}: solved by {by}; {mine}: {own['status']}, bound {own['bound']}")
    print_costs(by_task)
    print_bounds(by_task, mine, parts)


def print_missed(by_task, names):
    """What is known if the parts were run on tasks only that the first configuration missed."""
    mine, parts = names[0], set(names[1:])
    rows = {task: rows for task, rows in by_task.items() if mine in rows}
    missed = {task for task in rows if not is_solved(rows[task][mine])}
    tried = {task for task in missed if parts <= set(rows[task])}
    begun = {task for task in missed if parts & set(rows[task])}
    lost = {task for task in missed if any(is_solved(row) for row in rows[task].values())}
    domains = {task.split("/")[0] for task in rows}
    print(f"{mine} was run on {len(rows)} tasks of {len(domains)} domains and solves "
          f"{len(rows) - len(missed)}. Of the {len(missed)} others, all other configurations were "
          f"run on {len(tried)}, and some of them on {len(begun - tried)}: they solve "
          f"{len(lost)}.\n")


def print_costs(by_task):
    for task, rows in by_task.items():
        costs = {row["cost"] for row in rows.values() if is_solved(row)}
        if len(costs) > 1:
            print(f"- {task}: different costs, {costs}")


def print_bounds(by_task, mine, parts):
    """Tasks with a lower bound below another configuration's."""
    for name in parts:
        bound = lambda rows, it: rows[it]["bound"] or 0
        lower = [task for task, rows in by_task.items()
                 if rows[mine]["status"] != "unsolvable" and bound(rows, mine) < bound(rows, name)]
        higher = sum(bound(rows, mine) > bound(rows, name) for rows in by_task.values())
        print(f"\nBounds of {mine} below those of {name}: {len(lower)}; above: {higher}.")
        for task in lower:
            rows = by_task[task]
            print(f"- {task}: {bound(rows, mine)}, {name} {bound(rows, name)}")


def main():
    functions = (make_list, run, report)
    parser, choices = commands(__doc__, HERE, functions, 60, "2G", programs=True)
    choices["run"].add_argument("--only", nargs="+", choices=CONFIGURATIONS)
    choices["run"].add_argument("--missed", action="store_true",
                                help="only tasks that auto, in the same log, did not solve")
    call(parser)


if __name__ == "__main__":
    main()
