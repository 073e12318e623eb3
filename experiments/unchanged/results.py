#!/usr/bin/env python3
"""Compares what two builds of hipot find out: the JSON of `solve`, `bound` and `explain` for
twenty tasks must be equal, times and memory aside.

    results.py OLD NEW

OLD and NEW are two binaries. The tasks are examples of this repository and, where the archive
of reference tasks is unpacked (--reference FOLDER with .sas files), tasks from there. Prints a
line for each task and command that differs, and ends with 1 if any does.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

EXAMPLES = [
    "blocks.sas",
    "cat.sas",
    "circuit.sas",
    "coffee.sas",
    "frogs/problem.pddl",
    "hanoi.sas",
    "jugs.sas",
    "lights.sas",
    "parity.sas",
    "rings.sas",
    "river.sas",
    "toll.sas",
]

REFERENCE = [
    "blocks__probBLOCKS-4-1.sas",
    "driverlog__p02.sas",
    "gripper__prob03.sas",
    "logistics00__probLOGISTICS-4-0.sas",
    "psr-small__p02-s5-n1-l3-f30.sas",
    "psr-small__p04-s8-n1-l4-f10.sas",
    "rovers__p04.sas",
    "satellite__p01-pfile1.sas",
    "storage__p01.sas",
    "tpp__p04.sas",
    "zenotravel__p03.sas",
]

COMMANDS = [
    ["solve"],
    ["solve", "--heuristic", "pot(dim=2)"],
    ["solve", "--heuristic", "blind"],
    ["bound"],
    ["bound", "--heuristic", "pot(dim=1)"],
    ["bound", "--heuristic", "pot(dim=2, mutexes=none)"],
    ["bound", "--heuristic", "pot(dim=2, mutexes=h2, open=cases)"],
    ["bound", "--heuristic", "max(seq, ocp(dim=1))"],
    ["explain"],
]

# What may differ from run to run.
VOLATILE = {"seconds", "peak_memory_bytes"}


def steady(value):
    """The value without what differs from run to run."""
    if isinstance(value, dict):
        return {key: steady(inner) for key, inner in value.items() if key not in VOLATILE}
    if isinstance(value, list):
        return [steady(inner) for inner in value]
    return value


def run(binary, command, task, folder):
    plan = ["--plan-file", str(folder / "plan")] if command[0] == "solve" else []
    words = [binary, command[0], str(task), *command[1:], *plan, "--json", "-q"]
    ended = subprocess.run(words, capture_output=True, text=True, check=False)
    try:
        found = steady(json.loads(ended.stdout))
    except json.JSONDecodeError:
        found = ended.stdout
    return ended.returncode, found


def difference(old, new, path=""):
    """The first place at which two results differ."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted(old.keys() | new.keys()):
            if old.get(key) != new.get(key):
                return difference(old.get(key), new.get(key), f"{path}.{key}")
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for index, (left, right) in enumerate(zip(old, new, strict=True)):
            if left != right:
                return difference(left, right, f"{path}[{index}]")
    return f"{path}: {str(old)[:80]} | {str(new)[:80]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old", help="the binary before")
    parser.add_argument("new", help="the binary after")
    parser.add_argument("--reference", type=Path, help="the folder of the reference tasks")
    arguments = parser.parse_args()
    tasks = [ROOT / "examples" / name for name in EXAMPLES]
    if arguments.reference:
        tasks += [arguments.reference / name for name in REFERENCE]
        tasks = [task for task in tasks if task.exists()]
    compared = different = 0
    with tempfile.TemporaryDirectory() as folder:
        for task in tasks:
            for command in COMMANDS:
                sides = [
                    run(binary, command, task, Path(folder))
                    for binary in (arguments.old, arguments.new)
                ]
                compared += 1
                if sides[0] != sides[1]:
                    different += 1
                    where = difference(sides[0][1], sides[1][1])
                    codes = f"exit {sides[0][0]} | {sides[1][0]}, " if sides[0][0] != sides[1][0] else ""
                    print(f"{task.name}: {' '.join(command)}: {codes}{where}")
    print(f"{len(tasks)} tasks, {compared} results compared, {different} differ")
    sys.exit(different > 0)


if __name__ == "__main__":
    main()
