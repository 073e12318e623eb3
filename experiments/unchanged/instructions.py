#!/usr/bin/env python3
"""Counts the instructions of two builds of hipot with callgrind: blind A*, a search with
pot(dim=2), making the LP of dimension 2 and certifying its solution, a translation from PDDL.

    instructions.py OLD NEW

Counts repeat where seconds do not. What is counted is one function with all that it calls;
for the LP it is everything but the solver, because the writer's functions are inlined
differently from build to build.
Needs valgrind; takes some minutes.
"""

import argparse
import re
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# What is measured: a name, the command line, and the function (as valgrind shows it); `None`
# for the whole run without the LP solver.
WORKLOADS = [
    ("blind A*", ["solve", "{blind}", "--heuristic", "blind"], r"hipot::search::search\b"),
    (
        "A* with pot(dim=2)",
        ["solve", "{search}", "--heuristic", "pot(dim=2)"],
        r"hipot::search::search\b",
    ),
    (
        "the LP of dimension 2, unsolved",
        ["bound", "{lp}", "--heuristic", "pot(dim=2)"],
        None,
    ),
    (
        "translation",
        ["translate", "{domain}", "{problem}", "-o", "{out}"],
        r"hipot_translate::translate::translate\b",
    ),
]


def count(binary, words, function, folder):
    out = folder / "callgrind.out"
    command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", binary, *words]
    subprocess.run(command, capture_output=True, check=True)
    listed = subprocess.run(
        ["callgrind_annotate", "--inclusive=yes", "--threshold=100", str(out)],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    counted = {"wanted": 0, "solver": 0, "all": 0}
    for line in listed.splitlines():
        found = re.match(r"\s*([\d,]+) \([^)]*\)\s+(.*)", line)
        if not found:
            continue
        instructions, name = int(found.group(1).replace(",", "")), found.group(2)
        if name.startswith("PROGRAM TOTALS"):
            counted["all"] = instructions
        elif re.search(r":Highs_run\b", name):
            counted["solver"] += instructions
        elif function and re.search(function, name):
            counted["wanted"] += instructions
    return counted["wanted"] if function else counted["all"] - counted["solver"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old", help="the binary before")
    parser.add_argument("new", help="the binary after")
    for name in ("blind", "search", "lp"):
        parser.add_argument(f"--{name}", type=Path, help="another task [default: hanoi 10]")
    parser.add_argument("--domain", type=Path, default=ROOT / "examples/frogs/domain.pddl")
    parser.add_argument("--problem", type=Path, default=ROOT / "examples/frogs/problem.pddl")
    arguments = parser.parse_args()
    print(f"{'workload':32} {'before':>16} {'after':>16}   ratio")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        hanoi = folder / "hanoi.sas"
        subprocess.run([arguments.old, "generate", "hanoi", "10", "-o", hanoi], check=True)
        places = {key: str(value or hanoi) for key, value in vars(arguments).items()}
        places["out"] = str(folder / "out.sas")
        for workload, words, function in WORKLOADS:
            words = [word.format(**places) for word in words]
            if words[0] == "solve":
                words += ["--plan-file", str(folder / "plan")]
            before, after = (
                count(binary, words, function, folder) for binary in (arguments.old, arguments.new)
            )
            ratio = after / before if before else float("nan")
            print(f"{workload:32} {before:16,} {after:16,}   {ratio:.4f}")


if __name__ == "__main__":
    main()
