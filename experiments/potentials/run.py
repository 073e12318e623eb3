#!/usr/bin/env python3
"""Two-dimensional potentials on IPC tasks: bounds, LP sizes, seconds.

`bounds` computes pot(dim=2) for ten tasks that were out of reach for LPs as the
paper writes them; `growth` shows how the reduced LP grows with the instance in
domains with interchangeable objects; `sweep` takes every 8th task (or Nth), 60 seconds
and 4 GB each, and counts where pot(dim=2) is certified, and where at least
pot(dim=1). One core; each task in a process of its own.

    cargo build --release
    python3 experiments/potentials/run.py bounds --benchmarks DIR

DIR holds the IPC tasks, a folder for each domain.
"""

import argparse
import datetime
import json
import pathlib
import re
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Tasks, and the LP's optimum rounded up where it is known.
BOUNDS = {
    "freecell/p02": 14, "mystery/prob03": 4, "barman-opt11-strips/pfile01-001": 74,
    "gripper/prob20": None, "elevators-opt08-strips/p02": 26, "depot/p02": 15,
    "logistics98/prob01": None, "childsnack-opt14-strips/child-snack_pfile01-2": 21,
    "pipesworld-notankage/p05-net1-b10-g4": None, "woodworking-opt08-strips/p05": None,
}

GROWTH = {
    "gripper": ["prob01", "prob05", "prob10", "prob20"],
    "childsnack-opt14-strips": ["child-snack_pfile01-2", "child-snack_pfile04-2",
                                "child-snack_pfile07-2", "child-snack_pfile10-2"],
    "barman-opt11-strips": ["pfile01-001", "pfile04-013", "pfile05-017"],
    "visitall-opt11-strips": ["problem02-full", "problem05-full", "problem08-full",
                              "problem11-full"],
}


def bound(hipot, problem, *options):
    """The report of `hipot bound`, or nothing, and the elapsed seconds."""
    command = [hipot, "bound", "--json", "-q", "--heuristic", "pot(dim=2, mutexes=none)", problem]
    begin = time.monotonic()
    result = subprocess.run([*command, *options], capture_output=True, text=True)
    seconds = time.monotonic() - begin
    return (json.loads(result.stdout) if result.returncode in (0, 11) else None), seconds


def bounds(arguments):
    print("| task | bound | exact | rows | columns | nonzeros | method | seconds |")
    print("|---|--:|--:|--:|--:|--:|---|--:|")
    for task, expected in BOUNDS.items():
        report, seconds = bound(arguments.hipot, arguments.benchmarks / f"{task}.pddl",
                                "--time-limit", "60")
        if report is None:
            print(f"| {task} | – | – | – | – | – | – | more than 60 |", flush=True)
            continue
        heuristic = report["heuristic"]
        if expected not in (None, heuristic["initial"]):
            raise SystemExit(f"{task}: the bound is {heuristic['initial']}, not {expected}")
        numerator, _, denominator = heuristic["initial_exact"].partition("/")
        exact, lp = int(numerator) / int(denominator or 1), heuristic["lp"]
        print(f"| {task} | {heuristic['initial']} | {exact:.5f} | {lp['rows']} | {lp['columns']} "
              f"| {lp['nonzeros']} | {lp['method']} | {seconds:.2f} |", flush=True)


def growth(arguments):
    print("| task | facts | operators | rows | columns | nonzeros | seconds |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    for domain, problems in GROWTH.items():
        for problem in problems:
            path = arguments.benchmarks / domain / f"{problem}.pddl"
            report, seconds = bound(arguments.hipot, path, "--time-limit", "60")
            if report is None or report["heuristic"]["spec"].startswith("pot(dim=1"):
                print(f"| {domain}/{problem} | – | – | – | – | – | more than 60 |", flush=True)
                continue
            task, lp = report["task"], report["heuristic"]["lp"]
            print(f"| {domain}/{problem} | {task['facts']} | {task['operators']} | {lp['rows']} "
                  f"| {lp['columns']} | {lp['nonzeros']} | {seconds:.2f} |", flush=True)


def sweep(arguments):
    key = lambda path: [int(part) if part.isdigit() else part
                        for part in re.split(r"(\d+)", str(path.relative_to(arguments.benchmarks)))]
    problems = sorted((path for path in arguments.benchmarks.glob("*/*.pddl")
                       if "domain" not in path.name), key=key)[::arguments.every]
    print("| task | spec | bound | nonzeros | seconds |\n|---|---|--:|--:|--:|")
    counts = {"pot(dim=2": 0, "pot(dim=1": 0}
    for path in problems:
        report, seconds = bound(arguments.hipot, path, "--time-limit", "60",
                                "--memory-limit", "4G")
        name = path.relative_to(arguments.benchmarks).with_suffix("")
        heuristic = (report or {}).get("heuristic") or {}
        spec, lp = heuristic.get("spec", "–"), heuristic.get("lp") or {}
        for prefix in counts:
            counts[prefix] += spec.startswith(prefix)
        print(f"| {name} | {spec} | {heuristic.get('initial', '–')} "
              f"| {lp.get('nonzeros', '–')} | {seconds:.1f} |", flush=True)
    full, least = counts["pot(dim=2"], sum(counts.values())
    print(f"\n{len(problems)} tasks: pot(dim=2) for {full} ({full / len(problems):.0%}), "
          f"at least pot(dim=1) for {least} ({least / len(problems):.0%}).")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("job", choices=("bounds", "growth", "sweep"))
    parser.add_argument("--benchmarks", type=pathlib.Path,
                        default=ROOT / "target/ipc/optimal-strips")
    parser.add_argument("--hipot", type=pathlib.Path, default=ROOT / "target/release/hipot")
    parser.add_argument("--every", type=int, default=8, metavar="N",
                        help="sweep: every Nth task of all")
    arguments = parser.parse_args()
    print(f"## {datetime.date.today()}, {arguments.job}\n")
    {"bounds": bounds, "growth": growth, "sweep": sweep}[arguments.job](arguments)


if __name__ == "__main__":
    main()
