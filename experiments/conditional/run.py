#!/usr/bin/env python3
"""Tasks with conditional effects and axioms: `auto` against blind search, and bounds against costs.

`list` makes the list of tasks: some of each domain, by a seed. `run` solves each of them with `auto`
and blind search, and computes bounds of dimension 1 and 2, with a limit on processor time and memory;
what came out is appended to a log, and what is in the log is not repeated. `report` makes a table by
domain: tasks solved, and bounds as a share of the optimal cost where that is known.

    cargo build --release
    python3 experiments/conditional/run.py list BENCHMARKS... > experiments/conditional/tasks.txt
    python3 experiments/conditional/run.py run BENCHMARKS... --log log.jsonl
    python3 experiments/conditional/run.py report --log log.jsonl

BENCHMARKS are folders with a folder for each domain.
"""

import collections
import json
import pathlib
import random
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.append(str(ROOT / "experiments"))

from suite import bound, call, commands, find, problems, read_log, solve  # noqa: E402

SEARCHES = {"auto": "auto", "blind": "blind"}
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
        for task in arguments.tasks.read_text().split():
            path = find(arguments.benchmarks, task)
            for runner, specs in ((solve, SEARCHES), (bound, BOUNDS)):
                for name, spec in specs.items():
                    if (task, name) not in known:
                        row = runner(arguments.hipot, spec, path, arguments)
                        row = {"task": task, "configuration": name, **row}
                        print(json.dumps(row), file=log, flush=True)
    report(arguments)


def report(arguments):
    by_task = collections.defaultdict(dict)
    for (task, configuration), row in read_log(arguments.log).items():
        by_task[task][configuration] = row
    names = [*SEARCHES, *BOUNDS]
    by_task = {task: rows for task, rows in by_task.items() if len(rows) == len(names)}
    by_domain = collections.defaultdict(list)
    for task, rows in by_task.items():
        by_domain[task.split("/")[0]].append(rows)
    is_solved = lambda row: row["status"] in ("solved", "unsolvable")
    print(f"| domain | tasks | {' | '.join(names)} |")
    print(f"|---|--:|{'--:|' * len(names)}")
    total = collections.Counter()
    for domain, tasks in by_domain.items():
        cells = []
        for name in SEARCHES:
            solved = sum(is_solved(rows[name]) for rows in tasks)
            total[name] += solved
            cells.append(str(solved))
        for name in BOUNDS:
            costs = [max((rows[it]["cost"] or 0) for it in SEARCHES) for rows in tasks]
            shares = [min(1, (rows[name]["bound"] or 0) / cost)
                      for rows, cost in zip(tasks, costs) if cost]
            cells.append(f"{sum(shares) / len(shares):.0%}" if shares else "–")
        print(f"| {domain} | {len(tasks)} | {' | '.join(cells)} |")
    print(f"| all | {len(by_task)} | {' | '.join(str(total[it]) for it in SEARCHES)} |"
          f"{' |' * len(BOUNDS)}")
    print_exceptions(by_task, is_solved)


def print_exceptions(by_task, is_solved):
    """Different costs, tasks that only blind search solves, and bounds of `auto` below blind's."""
    print()
    for task, rows in by_task.items():
        auto, blind = rows["auto"], rows["blind"]
        if is_solved(auto) and is_solved(blind) and auto["cost"] != blind["cost"]:
            print(f"- {task}: different costs, {auto['cost']} and {blind['cost']}")
        if is_solved(blind) and not is_solved(auto):
            print(f"- {task}: solved by blind search only, in {blind['seconds']:.1f} s")
        elif (auto["bound"] or 0) < (blind["bound"] or 0):
            print(f"- {task}: `auto` proves {auto['bound']}, blind search {blind['bound']}")
        cost = auto["cost"] or blind["cost"]
        for name in BOUNDS:
            if cost is not None and (rows[name]["bound"] or 0) > cost:
                print(f"- {task}: the bound of {name} is {rows[name]['bound']}, the cost {cost}")


def main():
    functions = (make_list, run, report)
    parser, _ = commands(__doc__, HERE, functions, 60, "2G")
    call(parser)


if __name__ == "__main__":
    main()
