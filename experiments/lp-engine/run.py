#!/usr/bin/env python3
"""The engine against HiGHS's first-order methods, on the LPs over all pairs of some tasks.

For each task of tasks.txt, `hipot bound --strict` computes pot(dim=2, mutexes=none) with each
method in turn and logs every certified value. Counted is the time from the beginning of the LP
until the certified value is within 1% of the best one of all methods; what does not get there in
time counts as the limit. Memory is the peak of the process.

    cargo build --release
    python3 experiments/lp-engine/run.py compare target/ipc/optimal-strips --log log.jsonl
    python3 experiments/lp-engine/run.py threads target/ipc/optimal-strips --log threads.jsonl
    python3 experiments/lp-engine/run.py plot log.jsonl TASK ... > 2026-11-18.svg

The log keeps what was run; the same command goes on after an interruption.
"""

import argparse
import json
import math
import os
import pathlib
import re
import subprocess
import sys

import plot

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]

HIGHS = ("hipdlp", "pdlp")

# A log line with a certified value and the seconds since the LP began.
VALUE = re.compile(r"\b(?:certified|polished)(?: after \d+ iterations:)? ([\d.]+).*?([\d.]+)s\)")


def run(hipot, path, method, threads, limit):
    """Certified values with their times, the peak memory in MB, and the LP's nonzeros."""
    command = [hipot, "bound", "-vvv", "--strict", "--threads", str(threads), "--time-limit",
               str(limit), "--heuristic", f"pot(dim=2, mutexes=none, lp={method})", path]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    values, nonzeros = [], None
    for line in process.stderr:
        if match := re.search(r"reduced LP: .* (\d+) nonzeros", line):
            nonzeros = int(match[1])
        elif nonzeros and (match := VALUE.search(line)):
            values.append((float(match[2]), float(match[1])))
    _, status, usage = os.wait4(process.pid, 0)
    return {"values": values, "megabytes": usage.ru_maxrss / 1024, "nonzeros": nonzeros,
            "is_solved": status == 0}


def read_log(log):
    """The runs by task, method and threads."""
    rows = map(json.loads, log.read_text().splitlines() if log.exists() else [])
    return {(row["task"], row["method"], row["threads"]): row for row in rows}


def read_tasks():
    return (HERE / "tasks.txt").read_text().split()


def run_all(arguments, configurations, tasks):
    """Runs what the log does not have yet; returns the runs of each task by configuration."""
    runs = read_log(arguments.log)
    with arguments.log.open("a") as log:
        for task in tasks:
            for method, threads in configurations:
                if (task, method, threads) not in runs:
                    path = arguments.benchmarks / f"{task}.pddl"
                    row = run(arguments.hipot, path, method, threads, arguments.limit)
                    row = {"task": task, "method": method, "threads": threads, **row}
                    runs[task, method, threads] = row
                    print(json.dumps(row), file=log, flush=True)
    return {task: {it: runs[task, *it] for it in configurations} for task in tasks}


def seconds_to_near(runs, limit):
    """For each run of a task, when its certified value is first within 1% of the best of all."""
    best = max((value for it in runs.values() for _, value in it["values"]), default=0)
    near = {}
    for key, it in runs.items():
        times = (at for at, value in it["values"] if value >= 0.99 * best)
        near[key] = max(min(times, default=limit), 0.001)
    return near


def geometric_mean(numbers):
    return math.exp(sum(map(math.log, numbers)) / len(numbers))


METHODS = [("engine", 1), *((it, 1) for it in HIGHS)]

# What hipot does by itself: the engine, but for some LPs up to this many nonzeros.
CHOICE = ("auto", 1)
MAX_CHOSEN = 1_000_000


def compare(arguments):
    """Engine, HiPDLP and PDLP: seconds and memory."""
    tasks = read_tasks()
    run_all(arguments, [it for it in METHODS if it[0] in arguments.methods], tasks)
    if CHOICE[0] in arguments.methods:
        sizes = {task: row["nonzeros"] for (task, *_), row in read_log(arguments.log).items()}
        is_small = lambda task: (sizes.get(task) or 0) <= MAX_CHOSEN
        run_all(arguments, [CHOICE], list(filter(is_small, tasks)))
    report(arguments)


def report(arguments):
    """The same for the tasks of which the log has all three runs."""
    runs = read_log(arguments.log)
    tasks = read_tasks()
    of_tasks = {task: {it: runs.get((task, *it)) for it in METHODS} for task in tasks}
    complete = {task: it for task, it in of_tasks.items() if all(it.values())}
    print_comparison(complete, arguments.limit)
    if any(key[1:] == CHOICE for key in runs):
        for task, it in complete.items():
            it[CHOICE] = runs.get((task, *CHOICE), it["engine", 1])
        print_choice(complete, arguments.limit)


def print_comparison(runs, limit):
    names = ("engine", *HIGHS)
    print("| task | nonzeros | value | " + " | ".join(f"{it}, s" for it in names) + " | HiGHS / engine | "
          + " | ".join(f"{it}, MB" for it in names) + " |")
    print("|---|" + "--:|" * (3 + 2 * len(names)))
    ratios = {}
    for task, of_task in runs.items():
        near = seconds_to_near(of_task, limit)
        engine = near["engine", 1]
        for method in HIGHS:
            ratios.setdefault(method, []).append(near[method, 1] / engine)
        ratios.setdefault("the faster one", []).append(min(near[it, 1] for it in HIGHS) / engine)
        cells = [f"{near[it, 1]:.2f}" if near[it, 1] < limit else "–" for it in names]
        best = max((value for it in of_task.values() for _, value in it["values"]), default=0)
        memory = [f"{of_task[it, 1]['megabytes']:.0f}" for it in names]
        print(f"| {task} | {of_task['engine', 1]['nonzeros']} | {best:.2f} | {' | '.join(cells)} | "
              f"{ratios['the faster one'][-1]:.1f} | {' | '.join(memory)} |")
    domains = {task.split("/")[0] for task in runs}
    print(f"\n{len(runs)} LPs of {len(domains)} domains. Seconds divided by the engine's:\n")
    for method, of_method in ratios.items():
        print(f"- {method}: {geometric_mean(of_method):.1f} (geometric mean), "
              f"least {min(of_method):.2f}")
    largest = sorted(runs.values(), key=lambda it: -it["engine", 1]["nonzeros"])[:10]
    shares = [it["engine", 1]["megabytes"] / min(it[m, 1]["megabytes"] for m in HIGHS)
              for it in largest]
    print(f"\nMemory of the engine, in parts of HiGHS's, on the ten largest LPs: at most "
          f"{max(shares):.2f}.")
    sizes = [(it["engine", 1]["nonzeros"], seconds_to_near(it, limit)["engine", 1])
             for it in runs.values()]
    print(f"\nSeconds grow like nonzeros to the power of {slope(sizes):.2f} (least squares).")


def print_choice(runs, limit):
    """HiGHS's seconds in parts of those of the method that hipot chooses."""
    ratios, slower = [], []
    for task, of_task in runs.items():
        near = seconds_to_near(of_task, limit)
        ratios.append(min(near[it, 1] for it in HIGHS) / near[CHOICE])
        if ratios[-1] < 1:
            slower.append(f"{task} ({ratios[-1]:.2f})")
    print(f"\nWith the method that hipot chooses instead of the engine, the faster one takes "
          f"{geometric_mean(ratios):.1f} times as long (geometric mean). "
          f"It is faster on: {', '.join(slower) or 'none'}.")


def slope(points):
    """The exponent of a power law through the points."""
    logs = [(math.log(x), math.log(y)) for x, y in points]
    mean_x, mean_y = (sum(it[k] for it in logs) / len(logs) for k in (0, 1))
    return (sum((x - mean_x) * (y - mean_y) for x, y in logs)
            / sum((x - mean_x) ** 2 for x, _ in logs))


def threads(arguments):
    """One thread and two, in turn."""
    runs = run_all(arguments, [("engine", 1), ("engine", 2)], read_tasks())
    print("| task | nonzeros | one thread, s | two, s | ratio |\n|---|--:|--:|--:|--:|")
    ratios = {}
    for task, of_task in runs.items():
        near = seconds_to_near(of_task, arguments.limit)
        one, two = near["engine", 1], near["engine", 2]
        if max(one, two) < arguments.limit:
            nonzeros = of_task["engine", 1]["nonzeros"]
            ratios[task] = (nonzeros, one / two)
            print(f"| {task} | {nonzeros} | {one:.2f} | {two:.2f} | {one / two:.2f} |")
    large = [ratio for nonzeros, ratio in ratios.values() if nonzeros > MAX_CHOSEN]
    mean = geometric_mean([ratio for _, ratio in ratios.values()])
    print(f"\n{len(ratios)} LPs on which both got there in {arguments.limit:g} s. Geometric mean: "
          f"{mean:.2f}; {geometric_mean(large):.2f} on the {len(large)} with more than "
          f"{MAX_CHOSEN:,} nonzeros.")


def samples(arguments):
    """The objective samples(1000), which keeps the bound, against the initial state alone."""
    print("| task | nonzeros | initial state, s | samples(1000), s | ratio |\n|---|--:|--:|--:|--:|")
    ratios = []
    for task in read_tasks():
        seconds, sizes = [], []
        for objective in ("", ", objective=samples(1000)"):
            command = [arguments.hipot, "bound", "-q", "--json", "--time-limit",
                       str(arguments.limit), "--heuristic", f"pot(dim=2, mutexes=none{objective})",
                       arguments.benchmarks / f"{task}.pddl"]
            result = json.loads(subprocess.run(command, capture_output=True).stdout)
            heuristic = result["heuristic"] or {}
            if heuristic.get("fallbacks") != []:
                break
            seconds.append(result["seconds"]["heuristic"])
            sizes.append(heuristic["lp"]["nonzeros"])
        if len(seconds) == 2:
            ratios.append(seconds[1] / seconds[0])
            print(f"| {task} | {sizes[0]} | {seconds[0]:.2f} | {seconds[1]:.2f} | {ratios[-1]:.2f} |",
                  flush=True)
    print(f"\n{len(ratios)} LPs that were solved in {arguments.limit:g} s. "
          f"Geometric mean: {geometric_mean(ratios):.2f}.")


def draw(arguments):
    """Certified value over time, for six tasks."""
    rows = [json.loads(line) for line in arguments.log.read_text().splitlines()]
    sys.stdout.write(plot.svg(rows, arguments.tasks, arguments.limit))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    for function in (compare, threads):
        command = commands.add_parser(function.__name__, help=function.__doc__)
        command.add_argument("benchmarks", type=pathlib.Path)
        command.add_argument("--log", type=pathlib.Path, required=True)
        command.add_argument("--hipot", type=pathlib.Path, default=ROOT / "target/release/hipot")
        command.add_argument("--limit", type=float, default=60, metavar="SECONDS")
        command.set_defaults(run=function)
    commands.choices["compare"].add_argument("--methods", nargs="+", default=("engine", *HIGHS, "auto"))
    command = commands.add_parser("samples", help=samples.__doc__)
    command.add_argument("benchmarks", type=pathlib.Path)
    command.add_argument("--hipot", type=pathlib.Path, default=ROOT / "target/release/hipot")
    command.add_argument("--limit", type=float, default=40, metavar="SECONDS")
    command.set_defaults(run=samples)
    command = commands.add_parser("report", help=report.__doc__)
    command.add_argument("log", type=pathlib.Path)
    command.add_argument("--limit", type=float, default=60, metavar="SECONDS")
    command.set_defaults(run=report)
    command = commands.add_parser("plot", help=draw.__doc__)
    command.add_argument("log", type=pathlib.Path)
    command.add_argument("--limit", type=float, default=60, metavar="SECONDS")
    command.add_argument("tasks", nargs="+")
    command.set_defaults(run=draw)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
