#!/usr/bin/env python3
"""The paper's comparison of optimal potentials with operator cost partitioning, and what
the choice of projections has to do with it.

`run` takes the tasks of `experiments/paper` and bounds each in its initial state with the
paper's two-dimensional potentials (`pot2`), with operator cost partitioning over all projections to
one and two variables (`ocp2`), and over those to interesting patterns (`interesting`). Values
that the experiment has are not computed again. If it has one of the first two, --more computes
the other, with more time. What came out is appended to a log, and what is in the log is not
repeated. `report` counts over the tasks that have all three values.

    hipot lab report experiments/paper/short.toml --costs COSTS.tsv --json > target/paper.json
    python3 experiments/partition/compare.py run target/paper.json [--more]
    python3 experiments/partition/compare.py report target/paper.json
"""

import argparse
import collections
import fractions
import json
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "experiments"))

from suite import problems, read_log  # noqa: E402

# In this order: a task is given up at the first value that is missing.
SPECS = {
    "ocp2": "ocp(dim=2, paper)",
    "pot2": "pot(dim=2, paper)",
    "interesting": "ocp(dim=2, patterns=interesting, states=all)",
}
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
    return {"status": report["status"], "seconds": time.monotonic() - start,
            "initial": heuristic.get("initial"), "exact": heuristic.get("initial_exact")}


def read(arguments):
    """The values and optimal costs of the experiment and of the log, by task."""
    values, costs = collections.defaultdict(dict), {}
    for run in json.loads(arguments.report.read_text())["runs"]:
        task = f"{run['domain']}/{run['problem']}"
        costs[task] = run["optimal_cost"]
        measures = run["measures"]
        values[task]
        if measures["initial_h"] is not None and run["configuration"] in SPECS:
            exact = measures["initial_exact"]
            values[task][run["configuration"]] = measures["initial_h"], fractions.Fraction(exact)
    for (task, name), row in read_log(arguments.log).items():
        if row["initial"] is not None and row["exact"] is not None:
            values[task].setdefault(name, (row["initial"], fractions.Fraction(row["exact"])))
    return values, costs


def run(arguments):
    done = read_log(arguments.log)
    values, _ = read(arguments)
    for task, known in values.items():
        for name, spec in SPECS.items():
            if name in known:
                continue
            if name != "interesting" and not (arguments.more and known):
                break
            if (task, name) not in done:
                row = {"task": task, "configuration": name,
                       **bound(arguments, spec, arguments.benchmarks / task)}
                done[task, name] = row
                with arguments.log.open("a") as log:
                    log.write(json.dumps(row) + "\n")
                print(task, name, row["status"], row["initial"], f"{row['seconds']:.1f}", flush=True)
            if done[task, name]["initial"] is None:
                break


def weights(benchmarks, tasks):
    """For how many tasks of its domain each task stands."""
    domain = lambda task: task.split("/")[0]
    chosen = collections.Counter(map(domain, tasks))
    of = {name: len(problems(benchmarks / name)) for name in chosen}
    return {task: of[domain(task)] / chosen[domain(task)] for task in tasks}


def report(arguments):
    values, costs = read(arguments)
    all_three = [task for task in values if len(values[task]) == len(SPECS)]
    value = lambda task, name: values[task][name][0]
    domains = {task.split("/")[0] for task in all_three}
    print(f"{len(all_three)} tasks of {len(domains)} domains have all three values.\n")

    def counts(name):
        higher = [task for task in all_three if value(task, "pot2") > value(task, name)]
        perfect = [task for task in all_three
                   if task not in higher and costs[task] == value(task, name)]
        other = [task for task in all_three if task not in higher and task not in perfect]
        exactly = [task for task in all_three
                   if values[task]["pot2"][1] > values[task][name][1] * (1 + TOLERANCE)]
        return [higher, perfect, other, exactly]

    columns = {name: counts(name) for name in ("ocp2", "interesting")}
    weight = weights(arguments.benchmarks, values)
    total = sum(map(weight.get, all_three)) or 1
    print("| | patterns=all | weighted | patterns=interesting | weighted | paper |\n|---|--:|--:|--:|--:|--:|")
    for index, (words, paper) in enumerate([
            ("pot2 is higher than ocp2", "43%"), ("otherwise, ocp2 is perfect", "46%"),
            ("neither", "11%"), ("pot2 is higher before rounding up", "")]):
        cells = []
        for name in columns:
            part = columns[name][index]
            cells.append(f"{len(part)} ({len(part) / max(1, len(all_three)):.0%})")
            cells.append(f"{sum(map(weight.get, part)) / total:.0%}")
        print(f"| {words} | {' | '.join(cells)} | {paper} |")
    print("\n*Weighted*: each task stands for several tasks of its domain.")
    wrong = [task for task in all_three for name in ("ocp2", "interesting")
             if value(task, name) > value(task, "pot2")
             or value(task, "interesting") > value(task, "ocp2")
             or costs[task] is not None and value(task, "pot2") > costs[task]]
    print(f"\nAbove h*, above pot2, or interesting above all: {', '.join(sorted(set(wrong))) or 'none'}.\n")
    print("| domain | tasks | pot2 > all | pot2 > interesting | all > interesting |\n|---|--:|--:|--:|--:|")
    for domain in sorted(domains):
        of = [task for task in all_three if task.startswith(f"{domain}/")]
        count = lambda a, b: sum(value(task, a) > value(task, b) for task in of)
        print(f"| {domain} | {len(of)} | {count('pot2', 'ocp2')} | {count('pot2', 'interesting')} "
              f"| {count('ocp2', 'interesting')} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0].replace("\n", " "))
    parser.add_argument("job", choices=("run", "report"))
    parser.add_argument("report", type=pathlib.Path, help="JSON of hipot lab report")
    parser.add_argument("--more", action="store_true", help="compute values that the experiment lacks, if it has another one")
    parser.add_argument("--benchmarks", type=pathlib.Path,
                        default=ROOT / "target/ipc/optimal-strips")
    parser.add_argument("--hipot", type=pathlib.Path, default=ROOT / "target/release/hipot")
    parser.add_argument("--log", type=pathlib.Path, default=ROOT / "target/compare.jsonl")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--memory", type=int, default=2000, help="in MB")
    arguments = parser.parse_args()
    {"run": run, "report": report}[arguments.job](arguments)


if __name__ == "__main__":
    main()
