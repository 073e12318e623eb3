#!/usr/bin/env python3
"""Checks that more mutexes and larger features never lower a bound.

For each task of the table, `hipot bound` with two-dimensional potentials without
mutexes, with those of mutex groups and with those of h², then with open values by
cases, and with three-dimensional ones: each must be at least the one before it, and none may be
higher than the optimal cost. Exact values are compared with a tolerance for the
LP's last digits, bounds without one. Prints the tasks whose bound rises and what
fails; the exit status is 1 if anything does.

    cargo build --release
    python3 experiments/reference/never_below.py --table TABLE.tsv --tasks FOLDER
"""

import argparse
import datetime
import json
import pathlib
import subprocess
import sys
import time
from fractions import Fraction

from run import ROOT, read_table

SPECS = {
    "2, none": "pot(dim=2, mutexes=none)",
    "2, groups": "pot(dim=2, mutexes=groups)",
    "2, h²": "pot(dim=2, mutexes=h2)",
    "2, h², cases": "pot(dim=2, mutexes=h2, open=cases)",
    "3, h², cases": "pot(dim=3, mutexes=h2, open=cases)",
}
TOLERANCE = Fraction("0.0005")


class Bound:
    """What `hipot bound` says; without a plan, the bound is infinite."""

    def __init__(self, report, seconds):
        heuristic = report["heuristic"]
        self.integer = heuristic["initial"]
        self.exact = Fraction(heuristic["initial_exact"]) if self.integer is not None else None
        self.spec, self.complete = heuristic["spec"], heuristic["complete"]
        self.seconds = seconds

    def is_below(self, other):
        if other.integer is None or self.integer is None:
            return self.integer is not None
        slack = TOLERANCE * (1 + abs(other.exact))
        return self.integer < other.integer or self.exact < other.exact - slack

    def __str__(self):
        return "∞" if self.integer is None else str(self.integer)


def bound(hipot, sas, spec, limit):
    """The bound, or what went wrong."""
    command = [hipot, "bound", sas, "--heuristic", spec, "--time-limit", limit, "--json", "-q"]
    begin = time.monotonic()
    ended = subprocess.run(command, text=True, capture_output=True)
    report = json.loads(ended.stdout)
    if ended.returncode not in (0, 11):
        return None, report.get("message", report["status"])
    return Bound(report, time.monotonic() - begin), None


def check(name, bounds, optimal):
    """What is wrong with the bounds of a task."""
    columns = list(bounds)
    for before, after in zip(columns, columns[1:]):
        if bounds[before] and bounds[after] and bounds[after].is_below(bounds[before]):
            yield (f"{name}: {bounds[after]} ({bounds[after].exact}) with {after} is below "
                   f"{bounds[before]} ({bounds[before].exact}) with {before}")
    for column, found in bounds.items():
        if optimal and found and (found.integer is None or found.integer > int(optimal)):
            yield f"{name}: {found} with {column} is above the optimal cost {optimal}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--table", type=pathlib.Path, required=True)
    parser.add_argument("--tasks", type=pathlib.Path, required=True)
    parser.add_argument("--hipot", type=pathlib.Path, default=ROOT / "target/release/hipot")
    parser.add_argument("--time-limit", default="60s", help="for each bound (60s)")
    arguments = parser.parse_args()
    rows, failures, rises = read_table(arguments.table), [], 0
    print(f"{datetime.date.today()}, {len(rows)} tasks, {arguments.time_limit} for each bound\n")
    print(f"| task | {' | '.join(SPECS)} | features | h* | s |")
    print(f"|---|{'--:|' * len(SPECS)}---|--:|--:|")
    for row in rows:
        sas, bounds = (arguments.tasks / row["task"]).resolve(), {}
        for column, spec in SPECS.items():
            bounds[column], message = bound(arguments.hipot.resolve(), sas, spec,
                                            arguments.time_limit)
            if message:
                failures.append(f"{sas.stem}: {spec}: {message}")
            elif bounds[column].spec.split("(")[1][:5] != spec.split("(")[1][:5]:
                failures.append(f"{sas.stem}: {spec} is replaced by {bounds[column].spec}")
        failures += check(sas.stem, bounds, row["hstar"])
        if len({str(found) for found in bounds.values()}) > 1:
            rises += 1
            last = bounds[list(SPECS)[-1]]
            cells = " | ".join("–" if found is None else str(found) for found in bounds.values())
            features = "–" if last is None else "all" if last.complete else "chosen"
            seconds = 0 if last is None else last.seconds
            print(f"| {sas.stem} | {cells} | {features} | {row['hstar'] or '?'} | {seconds:.1f} |",
                  flush=True)
    print(f"\n{len(rows)} tasks, {rises} rise, {len(failures)} failures")
    for failure in failures:
        print(f"- {failure}")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
