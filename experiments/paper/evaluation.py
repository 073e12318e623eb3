#!/usr/bin/env python3
"""Every number in the paper's evaluation beside ours.

    hipot lab report experiments/paper/short.toml --costs COSTS.tsv --json > target/paper.json
    python3 experiments/paper/evaluation.py target/paper.json

The paper's sets of tasks are kept: initial values are judged on the tasks for which both the
value of `pot2` and h* are known, expansions on the tasks that `pot1` and `pot2` both solve. h* comes
from plans validated in the experiment, and from COSTS.tsv.
"""

import collections
import json
import pathlib
import re
import statistics
import sys

NAMES = ("pot1", "pot2", "ocp2")


def share(part, whole, paper=""):
    percent = f"{len(part) / len(whole):.0%}" if whole else "–"
    return f"{len(part)} of {len(whole)} ({percent})", paper


def table(rows):
    print("| the paper says | paper | here |\n|---|--:|--:|")
    for words, (here, paper) in rows:
        print(f"| {words} | {paper} | {here} |")


def read(file):
    report = json.loads(pathlib.Path(file).read_text())
    tasks = collections.defaultdict(dict)
    for run in report["runs"]:
        tasks[run["domain"], run["problem"]][run["configuration"]] = run
    return report, tasks


def main():
    report, tasks = read(sys.argv[1])
    value = lambda task, name: tasks[task].get(name, {}).get("measures", {}).get("initial_h")
    optimal = lambda task: next(iter(tasks[task].values()))["optimal_cost"]
    has = lambda name: [task for task in tasks if value(task, name) is not None]
    solved = lambda name: {task for task in tasks
                           if tasks[task].get(name, {}).get("status") == "solved"}
    expanded = lambda task, name: tasks[task][name]["measures"]["expanded_until_last_jump"]

    known = [task for task in has("pot2") if optimal(task) is not None]
    perfect2 = [task for task in known if value(task, "pot2") == optimal(task)]
    perfect1 = [task for task in known if value(task, "pot1") == optimal(task)]
    domains = lambda some: {domain for domain, _ in some}
    zero = [task for task in has("pot2") if value(task, "pot1") == 0 and value(task, "pot2") > 0]
    both = sorted(solved("pot1") & solved("pot2"))
    more = [task for task in both if expanded(task, "pot2") > expanded(task, "pot1")]
    fewer = [task for task in both if expanded(task, "pot2") < expanded(task, "pot1")]
    axis = [task for task in both if expanded(task, "pot2") == 0]
    pairs = [task for task in has("pot2") if value(task, "ocp2") is not None]
    higher = [task for task in pairs if value(task, "pot2") > value(task, "ocp2")]
    lower = [task for task in pairs if value(task, "pot2") < value(task, "ocp2")]
    rest = [task for task in pairs if task not in higher]
    perfect = [task for task in rest if optimal(task) == value(task, "ocp2")]
    in_words = lambda some: ", ".join(f"{domain} {pathlib.Path(problem).stem}"
                                      for domain, problem in some) or "none"

    print(f"{len(tasks)} tasks of {len(domains(tasks))} domains; h* known for "
          f"{sum(optimal(task) is not None for task in tasks)}.\n")
    table([
        ("pot2 is perfect where it and h* are known", share(perfect2, known, "437 of 696 (63%)")),
        ("… in so many domains", (f"{len(domains(perfect2))} of {len(domains(known))}", "42 of 51")),
        ("pot1 is perfect on the same tasks", share(perfect1, known, "110 of 696 (16%)")),
        ("pot1 is 0 and pot2 is not, on so many tasks", (str(len(zero)), "several")),
        ("… with pot2 as high as", (max((value(task, "pot2") for task in zero), default="–"), 48)),
        ("pot2 expands fewer states than pot1 (both solve the task)", share(fewer, both, "almost always")),
        ("… and more", share(more, both, "mostly Blocksworld")),
        ("pot2 expands none before the last layer: the marks on the axis", share(axis, both, "where pot2 is perfect")),
        ("… of these, pot2 is perfect", share([t for t in axis if t in set(perfect2)], axis, "all")),
        ("pot2 is higher than ocp2 where both are known", share(higher, pairs, "312 of 724 (43%)")),
        ("of the others, ocp2 is perfect", share(perfect, pairs, "329 of 724 (46%)")),
        ("pot2 is lower than ocp2", share(lower, pairs, "none: Theorem 7")),
    ])
    print(f"\nMore expansions with pot2: {in_words(more)}.\n")
    print(f"pot1 is 0, pot2 is not: {in_words(zero)}.\n")
    print("| | pot1 | pot2 | ocp2 |\n|---|--:|--:|--:|")
    line = lambda words, of: print(f"| {words} | " + " | ".join(str(of(name)) for name in NAMES) + " |")
    line("runs", lambda name: sum(name in runs for runs in tasks.values()))
    line("solved", lambda name: len(solved(name)))
    line("initial value", lambda name: len(has(name)))
    reasons = collections.defaultdict(collections.Counter)
    for runs in tasks.values():
        for name, run in runs.items():
            if run["measures"]["initial_h"] is None:
                reasons[short(run["reason"] or run["status"])][name] += 1
    for reason, counts in sorted(reasons.items(), key=lambda entry: -sum(entry[1].values())):
        line(f"none: {reason}", lambda name: counts[name])
    ratios = [run["measures"]["cpu_seconds"] / run["measures"]["wall_seconds"]
              for runs in tasks.values() for run in runs.values()
              if run["measures"]["wall_seconds"] > 5]
    if ratios:
        print(f"\nProcessor time is {statistics.median(ratios):.0%} of the elapsed time in the median run of "
              f"more than 5 s, {min(ratios):.0%} in the worst.")
    print(f"Contradictions between results: {len(report['warnings'])}.")


def short(reason):
    """The reason without numbers, so that equal ones are counted together."""
    return re.sub(r"\b\d+\b", "…", reason.split(": ", 1)[-1])[:110].replace("|", "/")


if __name__ == "__main__":
    main()
