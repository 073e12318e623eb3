#!/usr/bin/env python3
"""States expanded in the last layer, by the order among states with the least f.

    run.py EXAMPLE --tasks FOLDER [--evaluated N]

EXAMPLE is the program `ties` (cargo build --release -p hipot --example ties). FOLDER has a
folder for each domain of the IPC. Prints a table in Markdown.
"""

import argparse
import re
import subprocess
from pathlib import Path

STRONG = "pot(dim=2, mutexes=h2, open=cases, budget=100000)"

# Tasks whose last layer is large, with the heuristic.
TASKS = [
    ("visitall-opt11-strips/problem08-full", "pot(dim=1)"),
    ("visitall-opt14-strips/p-1-10", "pot(dim=1)"),
    ("visitall-opt14-strips/p-1-11", "pot(dim=1)"),
    ("visitall-opt14-strips/p-1-13", "pot(dim=1)"),
    ("visitall-opt14-strips/p-05-9", STRONG),
    ("miconic/s21-1", STRONG),
    ("miconic/s21-4", STRONG),
    ("miconic/s24-4", STRONG),
    ("miconic/s27-4", STRONG),
    ("gripper/prob07", STRONG),
    ("woodworking-opt08-strips/p10", STRONG),
    ("woodworking-opt11-strips/p08", STRONG),
    ("floortile-opt11-strips/opt-p04-008", STRONG),
    ("airport/p26-airport4halfMUC-p6", STRONG),
    ("logistics98/prob31", STRONG),
    ("logistics00/probLOGISTICS-9-1", STRONG),
    ("elevators-opt11-strips/p11", STRONG),
    ("transport-opt11-strips/p05", STRONG),
    ("satellite/p05-pfile5", STRONG),
    ("driverlog/p11", STRONG),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("example", help="the program `ties`")
    parser.add_argument("--tasks", type=Path, required=True, help="a folder for each domain")
    parser.add_argument("--evaluated", default="2000000", help="states that a search evaluates")
    arguments = parser.parse_args()
    begun = False
    for task, spec in TASKS:
        command = [arguments.example, spec, arguments.evaluated, arguments.tasks / f"{task}.pddl"]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        if ran.returncode:
            print(f"{task}: {ran.stderr.strip()}", flush=True)
            continue
        _, *cells = ran.stdout.strip().split("\t")
        parts = [re.match(r"(.*?) ([\d>][\d> ]*|none)$", cell).groups() for cell in cells]
        if not begun:
            print("| task |" + "".join(f" {name} |" for name, _ in parts))
            print("|---|" + "--:|" * len(parts))
            begun = True
        values = (re.sub(r"\d+", lambda it: f"{int(it[0]):,}", value) for _, value in parts)
        print(f"| {task} |" + "".join(f" {value} |" for value in values), flush=True)


if __name__ == "__main__":
    main()
