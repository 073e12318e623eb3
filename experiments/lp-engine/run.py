#!/usr/bin/env python3
"""The engine against HiGHS's first-order methods: seconds until the certified bound is near.

For each task, `hipot bound` computes pot(dim=2, mutexes=none) with lp=engine, lp=hipdlp and
lp=pdlp in turn, one thread each, and logs every certified value. Counted is the time from the
start of the process until the certified value is within 1% of the best one of all methods. What
does not get there in time counts as the limit. Memory is the peak of the process.

    cargo build --release
    python3 experiments/lp-engine/run.py target/ipc/optimal-strips/freecell/p02.pddl ...
"""

import argparse
import datetime
import math
import os
import pathlib
import re
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]

METHODS = ("engine", "hipdlp", "pdlp")

# A log line with a certified value, and the time at its beginning.
VALUE = re.compile(r"^\[([\d.]+)s\] .*\b(?:certified|polished)(?: after \d+ iterations:)? ([\d.]+)")


def trace(hipot, task, method, limit):
    """Certified values with their times, the peak memory in MB, and the LP's nonzeros."""
    spec = f"pot(dim=2, mutexes=none, lp={method})"
    command = [hipot, "bound", "-vvv", "--heuristic", spec, "--time-limit", str(limit), task]
    begin = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    values, nonzeros = [], None
    for line in process.stderr:
        if match := VALUE.match(line):
            values.append((float(match[1]), float(match[2])))
        if match := re.search(r"reduced LP: .* (\d+) nonzeros", line):
            nonzeros = int(match[1])
    _, _, usage = os.wait4(process.pid, 0)
    return values, usage.ru_maxrss / 1024, nonzeros, time.monotonic() - begin


def first_near(values, best, limit):
    """When the certified value is first within 1% of the best, or the limit."""
    return min((at for at, value in values if value >= 0.99 * best), default=limit)


def geometric_mean(numbers):
    return math.exp(sum(map(math.log, numbers)) / len(numbers)) if numbers else float("nan")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tasks", nargs="+", type=pathlib.Path)
    parser.add_argument("--hipot", type=pathlib.Path, default=ROOT / "target/release/hipot")
    parser.add_argument("--limit", type=float, default=60, metavar="SECONDS")
    arguments = parser.parse_args()
    print(f"## {datetime.date.today()}: limit {arguments.limit:g} s, one thread\n")
    print("| task | nonzeros | " + " | ".join(f"{it}, s" for it in METHODS)
          + " | " + " | ".join(f"{it}, MB" for it in METHODS) + " |")
    print("|---|" + "--:|" * (1 + 2 * len(METHODS)))
    ratios = {method: [] for method in METHODS[1:]}
    for task in arguments.tasks:
        runs = {it: trace(arguments.hipot, task, it, arguments.limit) for it in METHODS}
        best = max((value for values, *_ in runs.values() for _, value in values), default=0)
        near = {it: first_near(run[0], best, arguments.limit) for it, run in runs.items()}
        for method, of_method in ratios.items():
            of_method.append(near[method] / near["engine"])
        seconds = " | ".join(
            f"{'> ' if near[it] >= arguments.limit else ''}{near[it]:.2f}" for it in METHODS)
        memory = " | ".join(f"{runs[it][1]:.0f}" for it in METHODS)
        nonzeros = runs["engine"][2] or "–"
        print(f"| {task.parent.name}/{task.stem} | {nonzeros} | {seconds} | {memory} |", flush=True)
    for method, of_method in ratios.items():
        print(f"\n{method} takes {geometric_mean(of_method):.1f} times as long as the engine "
              f"(geometric mean of {len(of_method)}, least {min(of_method):.2f}).")


if __name__ == "__main__":
    main()
