#!/usr/bin/env python3
"""A* with one thread and with several, on the same tasks: blind, with pot(dim=2), and `auto`.

The sides are run in turn, several times each, and the least time of each side counts: on a shared
machine a search with two threads is slow as soon as one processor has something else to do. A run
begins when the processors are idle, and counts only if others used little of them meanwhile;
otherwise it is repeated. Costs must agree.

    cargo build --release
    experiments/threads/run.py --benchmarks DIR...

Each DIR holds IPC tasks, a folder for each domain. Seconds are those of the search, and for `auto`
those of the whole run, because functions are computed while it searches.

`--find LOW HIGH` lists the tasks of experiments/auto/tasks.txt that `auto` solves with one thread in
so many seconds, and measures nothing.
"""

import argparse
import datetime
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "experiments"))

from peer import domain_of  # noqa: E402

# Tasks for which blind A* expands more than a million states.
BLIND = """
barman-opt11-strips/pfile01-001 blocks/probBLOCKS-9-0 depot/p03 driverlog/p05 driverlog/p07
floortile-opt11-strips/opt-p01-002 freecell/p04 ged-opt14-strips/d-3-4 gripper/prob07
hiking-opt14-strips/ptesting-2-2-4 miconic/s9-0 nomystery-opt11-strips/p04
parcprinter-08-strips/p04 pegsol-08-strips/p26 pipesworld-notankage/p12-net2-b10-g4
""".split()

# Tasks with a long search.
POTENTIAL = """
barman-opt11-strips/pfile01-002 floortile-opt11-strips/opt-p03-006 zenotravel/p09 depot/p05
rovers/p07
""".split()


# Tasks for which `auto` takes more than ten seconds with one thread (`--find 10 120`).
AUTO = """
blocks/probBLOCKS-14-1 blocks/probBLOCKS-15-0 floortile-opt11-strips/opt-p04-007
floortile-opt14-strips/p01-5-3-2 miconic/s25-2 rovers/p08 zenotravel/p12
""".split()

# With `auto`, tasks that take less with one thread are not in the means.
LEAST_SECONDS = 10


def find(arguments, task):
    """The file of a task."""
    for folder in arguments.benchmarks:
        if (path := folder / f"{task}.pddl").exists():
            return path
    sys.exit(f"{task} is in none of {', '.join(map(str, arguments.benchmarks))}")


def busy():
    """Seconds that all processors together have worked since the machine was started."""
    ticks = [int(word) for word in open("/proc/stat").readline().split()[1:9]]
    return (sum(ticks) - ticks[3] - ticks[4]) / os.sysconf("SC_CLK_TCK")


def measure(arguments, files, heuristic, threads):
    """A run: its report, its processor seconds, and the processor seconds of others meanwhile."""
    symmetries = [] if heuristic == "auto" or arguments.symmetries else ["--symmetries", "off"]
    command = [arguments.hipot, "solve", "--json", "-q", *symmetries, "--heuristic", heuristic,
               "--threads", str(threads), "--plan-file", os.devnull, *files]
    with tempfile.TemporaryFile() as out:
        before, begin = busy(), time.monotonic()
        child = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        elapsed, all_work = time.monotonic() - begin, busy() - before
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        report = json.loads(out.read())
    if child.returncode != 0:
        sys.exit(f"{files[1]}: hipot ended with {child.returncode}")
    work = usage.ru_utime + usage.ru_stime
    return report, work, max(0.0, all_work - work) / elapsed, usage.ru_maxrss >> 10


def wait_for_quiet(arguments):
    """Waits until the processors are idle, but not forever."""
    deadline = time.monotonic() + arguments.wait
    while time.monotonic() < deadline:
        before = busy()
        time.sleep(0.5)
        if (busy() - before) / 0.5 <= arguments.noise:
            return


def quiet_run(arguments, files, heuristic, threads):
    """The first run during which others used little; after too many attempts, the best of them."""
    attempts = []
    while len(attempts) < arguments.attempts:
        wait_for_quiet(arguments)
        attempts.append(measure(arguments, files, heuristic, threads))
        if attempts[-1][2] <= arguments.noise:
            return attempts[-1]
    return min(attempts, key=lambda attempt: attempt[2])


def compare(arguments, tasks, heuristic):
    several = arguments.threads
    timed = "run" if heuristic == "auto" else "search"
    print(f"\n`{heuristic}`: seconds of the {timed}, and processor seconds of the process\n")
    print(f"| task | cost | expanded (M) | with {several} | reopened | s | s with {several} "
          f"| speed-up | cpu s | cpu s with {several} | MB | MB with {several} | others |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    speedups, works = [], []
    for task in tasks:
        problem = find(arguments, task)
        runs = {1: [], several: []}
        for _ in range(arguments.repeats):
            for threads, found in runs.items():
                files = [domain_of(problem), problem]
                found.append(quiet_run(arguments, files, heuristic, threads))
        costs = {run[0]["cost"] for found in runs.values() for run in found}
        if len(costs) != 1:
            sys.exit(f"{task}: different costs {costs}")
        part = "total" if heuristic == "auto" else "search"
        time_of = lambda run: run[0]["seconds"][part]
        least = {threads: min(found, key=time_of) for threads, found in runs.items()}
        seconds = {threads: time_of(run) for threads, run in least.items()}
        work = {threads: min(run[1] for run in found) for threads, found in runs.items()}
        counts = {threads: run[0]["search"] for threads, run in least.items()}
        speedup = seconds[1] / seconds[several]
        if heuristic != "auto" or seconds[1] >= LEAST_SECONDS:
            speedups.append(speedup)
            works.append(work[several] / work[1])
        print(f"| {task} | {costs.pop()} | {counts[1]['expanded'] / 1e6:.2f} "
              f"| {counts[several]['expanded'] / 1e6:.2f} | {counts[several]['reopened']} "
              f"| {seconds[1]:.2f} | {seconds[several]:.2f} | {speedup:.2f} "
              f"| {work[1]:.2f} | {work[several]:.2f} | {least[1][3]} | {least[several][3]} "
              f"| {max(run[2] for run in least.values()):.2f} |", flush=True)
    print(f"\nGeometric means over {len(speedups)} tasks, with identical costs: "
          f"{geometric_mean(speedups):.2f} times as fast, "
          f"with {geometric_mean(works):.2f} times the processor time.")


def find_long(arguments):
    """Prints the tasks that `auto` solves in a number of seconds within bounds."""
    low, high = arguments.find
    for task in (ROOT / "experiments/auto/tasks.txt").read_text().split():
        problem = find(arguments, task)
        command = [arguments.hipot, "solve", "--json", "-q", "--cpu-limit", str(high),
                   "--memory-limit", "2G", "--plan-file", os.devnull, domain_of(problem), problem]
        run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        report = json.loads(run.stdout or "{}")
        if report.get("status") == "solved" and report["seconds"]["total"] >= low:
            print(task, f"{report['seconds']['total']:.1f} s", flush=True)


def geometric_mean(values):
    if not values:
        return float("nan")
    return math.exp(sum(map(math.log, values)) / len(values))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--benchmarks", type=pathlib.Path, nargs="+",
                        default=[ROOT / "target/ipc/optimal-strips", ROOT / "target/ipc-later"])
    parser.add_argument("--hipot", type=pathlib.Path, default=ROOT / "target/release/hipot")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--noise", type=float, default=0.1,
                        help="processors that others may use during a run [default: 0.1]")
    parser.add_argument("--attempts", type=int, default=5, help="attempts to have a quiet run")
    parser.add_argument("--wait", type=float, default=60.0,
                        help="seconds to wait for idle processors before each attempt")
    parser.add_argument("--heuristic", choices=["blind", "pot", "auto"], help="only this one")
    parser.add_argument("--symmetries", action="store_true",
                        help="use them if they pay; always so with auto")
    parser.add_argument("--find", type=int, nargs=2, metavar=("LOW", "HIGH"),
                        help="list tasks that auto solves in so many seconds with one thread")
    parser.add_argument("--only", default="", help="only tasks with this in their name")
    arguments = parser.parse_args()
    missing = [str(folder) for folder in arguments.benchmarks if not folder.is_dir()]
    if missing:
        return print(f"skipped: no IPC tasks at {', '.join(missing)}")
    if arguments.find:
        return find_long(arguments)
    print(f"{datetime.date.today()}, hipot {revision()}, {os.cpu_count()} processors")
    for heuristic, tasks in (("blind", BLIND), ("pot(dim=2)", POTENTIAL), ("auto", AUTO)):
        if heuristic.startswith(arguments.heuristic or ""):
            compare(arguments, [task for task in tasks if arguments.only in task], heuristic)


def revision():
    command = ["git", "-C", ROOT, "describe", "--always", "--dirty"]
    return subprocess.run(command, text=True, capture_output=True).stdout.strip() or "unknown"


if __name__ == "__main__":
    main()
