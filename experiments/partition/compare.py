#!/usr/bin/env python3
"""The paper's comparison of optimal potentials with operator cost partitioning.

`run` bounds each task of a fixed list (the rule of `experiments/coverage`) in its
initial state with `ocp(dim=2)` and with the paper's two-dimensional potentials, with
60 s for each, and appends what came out to a log; what is in the log is not repeated,
and the second is left out where the first was not found: a task counts where both
are. `report` counts how often the potentials are higher and how often operator cost
partitioning is already perfect, over the tasks and weighted by the number of tasks of
their domain for which each stands, because few are chosen of large domains; the optimal costs come from the logs of
`experiments/coverage`.

    cargo build --release
    python3 experiments/partition/compare.py run [--between] --benchmarks DIR
    python3 experiments/partition/compare.py report --costs target/coverage.jsonl

DIR holds the IPC tasks, a folder for each domain.
"""

import argparse
import collections
import datetime
import fractions
import json
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "experiments"))

from suite import by_numbers, chosen, problems, read_log  # noqa: E402

SPECS = {"ocp2": "ocp(dim=2)", "pot2": "pot(dim=2, mutexes=none)"}
# Certified values may lie below the optimum of their LP by this share.
TOLERANCE = fractions.Fraction(1, 1000)


def bound(arguments, spec, problem):
    command = [arguments.hipot, "bound", "--json", "-q", "--strict", "--heuristic", spec,
               "--time-limit", str(arguments.seconds), "--memory-limit", f"{arguments.memory}M",
               problem]
    start = time.monotonic()
    ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    report = json.loads(ended.stdout)
    heuristic = report.get("heuristic") or {}
    return {"status": report["status"], "cost": None, "seconds": time.monotonic() - start,
            "initial": heuristic.get("initial"), "exact": heuristic.get("initial_exact"),
            "is_whole": heuristic.get("spec") == spec and heuristic.get("complete") is not False}


def run(arguments):
    done = read_log(arguments.log)
    for problem in chosen(arguments.benchmarks, arguments.between):
        task = str(problem.relative_to(arguments.benchmarks).with_suffix(""))
        for name, spec in SPECS.items():
            if (task, name) not in done:
                row = {"task": task, "configuration": name, **bound(arguments, spec, problem)}
                done[task, name] = row
                with arguments.log.open("a") as log:
                    log.write(json.dumps(row) + "\n")
                print(task, name, row["status"], row["initial"], f"{row['seconds']:.1f}", flush=True)
            if done[task, name]["initial"] is None:
                break


def weights(benchmarks, tasks):
    """For how many tasks of its domain each task stands."""
    chosen_of = collections.Counter(task.split("/")[0] for task in tasks)
    of = {domain: len(problems(benchmarks / domain)) for domain in chosen_of}
    return {task: of[domain] / chosen_of[domain] for task in tasks
            for domain in [task.split("/")[0]]}


def report(arguments):
    """Counts over the tasks for which both values are there, of the whole LP."""
    rows = read_log(arguments.log)
    costs = {task: row["cost"] for (task, _), row in read_log(*arguments.costs).items()
             if row["cost"] is not None}
    tasks = sorted({task for task, _ in rows}, key=by_numbers)
    both = [task for task in tasks
            if all(rows.get((task, name), {}).get("initial") is not None for name in SPECS)
            and rows[task, "pot2"]["is_whole"]]
    value = lambda task, name: rows[task, name]["initial"]
    exact = lambda task, name: fractions.Fraction(rows[task, name]["exact"])
    higher = [task for task in both if value(task, "pot2") > value(task, "ocp2")]
    lower = [task for task in both if value(task, "pot2") < value(task, "ocp2")]
    exactly = [task for task in both if exact(task, "pot2") > exact(task, "ocp2") * (1 + TOLERANCE)]
    known = [task for task in both if task in costs]
    perfect = [task for task in known if value(task, "ocp2") == costs[task]]
    wrong = [task for task in known if value(task, "pot2") > costs[task]]
    print(f"## {datetime.date.today()}: {len(tasks)} tasks of "
          f"{len({task.split('/')[0] for task in tasks})} domains, {arguments.seconds} s each\n")
    weight = weights(arguments.benchmarks, tasks)
    total = lambda some: sum(map(weight.get, some))

    def line(name, part, whole, paper):
        share, weighted = len(part) / max(1, len(whole)), total(part) / max(1, total(whole))
        print(f"| {name} | {len(part)} of {len(whole)} ({share:.0%}) | {weighted:.0%} | {paper} |")

    print("| | tasks | weighted | paper |\n|---|--:|--:|--:|")
    print(f"| both values found | {len(both)} | {total(both):.0f} | 724 |")
    line("pot2 > ocp2", higher, both, "43%")
    line("… exactly, not rounded up", exactly, both, "")
    line("ocp2 perfect", perfect, both, "46%")
    line("… of those with known h*", perfect, known, "")
    line("pot2 < ocp2", lower, both, "0%")
    print(f"\nAbove h*: {', '.join(wrong) or 'none'}. Lower: {', '.join(lower) or 'none'}.\n")
    print("| task | ocp2 | pot2 | h* |\n|---|--:|--:|--:|")
    for task in higher:
        print(f"| {task} | {value(task, 'ocp2')} | {value(task, 'pot2')} | {costs.get(task, '')} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("job", choices=("run", "report"))
    parser.add_argument("--benchmarks", type=pathlib.Path,
                        default=ROOT / "target/ipc/optimal-strips")
    parser.add_argument("--hipot", type=pathlib.Path, default=ROOT / "target/release/hipot")
    parser.add_argument("--log", type=pathlib.Path, default=ROOT / "target/compare.jsonl")
    parser.add_argument("--costs", type=pathlib.Path, nargs="+", default=[],
                        help="logs of experiments/coverage")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--memory", type=int, default=2000, help="in MB")
    parser.add_argument("--between", action="store_true", help="other tasks of the same domains")
    arguments = parser.parse_args()
    {"run": run, "report": report}[arguments.job](arguments)


if __name__ == "__main__":
    main()
