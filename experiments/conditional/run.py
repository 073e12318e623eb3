#!/usr/bin/env python3
"""Tasks with conditional effects and axioms: `auto` against blind search, and bounds against costs.

`list` makes the list of tasks: some of each domain, by a seed. `run` solves each of them with `auto`
and blind search, and computes bounds of dimension 1 and 2, with a limit on processor time and memory;
what came out is appended to a log, and what is in the log is not repeated. Where the packages
up-fast-downward and up-symk are installed, Fast Downward (blind, and h^max if there are no axioms) and
SymK solve each task as well, with the same limits. `report` makes a table by domain: tasks solved, and
bounds as a share of the optimal cost where that is known.

    cargo build --release
    python3 -m venv target/peer && target/peer/bin/pip install up-fast-downward up-symk
    python3 experiments/conditional/run.py list BENCHMARKS... > experiments/conditional/tasks.txt
    target/peer/bin/python experiments/conditional/run.py run BENCHMARKS... --log log.jsonl
    python3 experiments/conditional/run.py report --log log.jsonl

BENCHMARKS are folders with a folder for each domain. A task of each domain comes first, then another one
of each, and all bounds come last.
"""

import collections
import functools
import json
import pathlib
import random
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.append(str(ROOT / "experiments"))

from peer import find_peer, solve_with_peer  # noqa: E402
from suite import bound, call, commands, find, problems, read_log, solve, tasks_of  # noqa: E402

SEARCHES = {"auto": "auto", "blind": "blind"}
PEERS = {"fd-blind": "astar(blind())", "fd-hmax": "astar(hmax())", "symk": "sym_bd()"}
BOUNDS = {
    "pot1": "pot(dim=1)",
    "pot2": "pot(dim=2)",
    "pot2-h2": "pot(dim=2, mutexes=h2, open=cases)",
}

# Domains whose tasks have conditional effects or axioms once they are grounded.
DOMAINS = """
airport-adl assembly caldera-opt18-adl caldera-split-opt18-adl cavediving-14-adl citycar-opt14-adl
folding-opt23-adl labyrinth-opt23-adl maintenance-opt14-adl miconic-fulladl miconic-simpleadl
nurikabe-opt18-adl openstacks-opt08-adl optical-telegraphs philosophers psr-large psr-middle
recharging-robots-opt23-adl ricochet-robots-opt23-adl rubiks-cube-opt23-adl schedule
settlers-opt18-adl slitherlink-opt23-adl spider-opt18-strips trucks
""".split()

TASKS_OF_DOMAIN = 3


def make_list(arguments):
    """Some tasks of each domain, one from each part of its list."""
    rng = random.Random(arguments.seed)
    for domain in DOMAINS:
        folders = [it / domain for it in arguments.benchmarks if (it / domain).is_dir()]
        found = problems(folders[0]) if folders else []
        count = min(TASKS_OF_DOMAIN, len(found))
        for part in range(count):
            begin, end = (len(found) * it // count for it in (part, part + 1))
            print(f"{domain}/{found[rng.randrange(begin, end)].stem}")


def run(arguments):
    known = read_log(arguments.log)
    with arguments.log.open("a") as log:
        for configurations in (searches_of, bounds_of):
            for task in tasks_of(arguments):
                path = find(arguments.benchmarks, task)
                for name, run_one in configurations(path, arguments):
                    if (task, name) not in known:
                        row = {"task": task, "configuration": name, **run_one()}
                        print(json.dumps(row), file=log, flush=True)
    report(arguments)


def bounds_of(path, arguments):
    """Names, and what computes a bound for a task."""
    for name, spec in BOUNDS.items():
        yield name, functools.partial(bound, arguments.hipot, spec, path, arguments)


def searches_of(path, arguments):
    """Names, and what solves a task."""
    for name, spec in SEARCHES.items():
        yield name, functools.partial(solve, arguments.hipot, spec, path, arguments)
    memory = int(arguments.memory.removesuffix("G")) << 30
    for name, search in PEERS.items():
        if binary := find_peer("up_symk" if name == "symk" else "up_fast_downward"):
            yield name, functools.partial(
                solve_with_peer, binary, search, path, arguments.seconds, memory)


def report(arguments):
    by_task = collections.defaultdict(dict)
    for (task, configuration), row in read_log(arguments.log).items():
        by_task[task][configuration] = row
    seen = {name for rows in by_task.values() for name in rows}
    searches = [*SEARCHES, *(name for name in PEERS if name in seen)]
    names = [*searches, *BOUNDS]
    by_task = {task: rows for task, rows in by_task.items() if set(searches) <= set(rows)}
    by_domain = collections.defaultdict(list)
    for task, rows in by_task.items():
        by_domain[task.split("/")[0]].append(rows)
    is_solved = lambda row: row["status"] in ("solved", "unsolvable")
    print(f"| domain | tasks | {' | '.join(names)} |")
    print(f"|---|--:|{'--:|' * len(names)}")
    total = collections.Counter()
    for domain, tasks in by_domain.items():
        cells = []
        for name in searches:
            solved = sum(is_solved(rows[name]) for rows in tasks)
            total[name] += solved
            cells.append(str(solved))
        for name in BOUNDS:
            costs = [max((rows[it]["cost"] or 0) for it in searches) for rows in tasks]
            shares = [min(1, (rows[name]["bound"] or 0) / cost)
                      for rows, cost in zip(tasks, costs) if cost and name in rows]
            cells.append(f"{sum(shares) / len(shares):.0%}" if shares else "–")
        print(f"| {domain} | {len(tasks)} | {' | '.join(cells)} |")
    print(f"| all | {len(by_task)} | {' | '.join(str(total[it]) for it in searches)} |"
          f"{' |' * len(BOUNDS)}")
    print_exceptions(by_task, searches, is_solved)


def print_exceptions(by_task, searches, is_solved):
    """Different costs, tasks that `auto` does not solve but others do, and bounds of `auto` below blind's."""
    print()
    for task, rows in sorted(by_task.items()):
        auto, blind = rows["auto"], rows["blind"]
        costs = {rows[name]["cost"] for name in searches if rows[name]["status"] == "solved"}
        if len(costs) > 1:
            print(f"- {task}: different costs, {costs}")
        others = [f"{name} in {rows[name]['seconds']:.1f} s"
                  for name in searches if is_solved(rows[name])]
        if others and not is_solved(auto):
            print(f"- {task}: not solved by `auto`, but by {', '.join(others)}")
        elif (auto["bound"] or 0) < (blind["bound"] or 0):
            print(f"- {task}: `auto` proves {auto['bound']}, blind search {blind['bound']}")
        cost = min(costs, default=None)
        for name in BOUNDS:
            if cost is not None and (rows.get(name, {}).get("bound") or 0) > cost:
                print(f"- {task}: the bound of {name} is {rows[name]['bound']}, the cost {cost}")


def main():
    functions = (make_list, run, report)
    parser, _ = commands(__doc__, HERE, functions, 60, "2G")
    call(parser)


if __name__ == "__main__":
    main()
