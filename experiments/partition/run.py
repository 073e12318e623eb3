#!/usr/bin/env python3
"""Cost partitioning and the state equation: warm against cold, and a table.

Warm against cold: evaluations a second of processor time, over the first
states of a breadth-first search, of one LP that goes on from state to state
(warm), of one that forgets its last solution (restarted), and of a new LP in
each state (new), on the first task of each domain, less those with a large LP
or few states. With --table, the values in the initial states against those of an
independent program.

    cargo build --release -p hipot-partition --examples
    python3 experiments/partition/run.py --tasks FOLDER [--table TABLE.tsv]
"""

import argparse
import datetime
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def first_of_each_domain(folder):
    """DOMAIN__PROBLEM.sas with the first problem of each domain."""
    firsts = {}
    for path in sorted(folder.glob("*__*.sas")):
        firsts.setdefault(path.name.split("__")[0], path)
    return list(firsts.values())


def markdown(lines):
    """Lines with tabs as a Markdown table."""
    for number, line in enumerate(lines):
        cells = line.split("\t")
        print("| " + " | ".join(cells) + " |", flush=True)
        if number == 0:
            print("|---" + "|--:" * (len(cells) - 1) + "|")


def warm(examples, tasks, spec, states):
    print(f"\n{spec}, {states} states\n")
    command = [examples / "warm", spec, str(states), *first_of_each_domain(tasks)]
    ended = subprocess.run(command, text=True, stdout=subprocess.PIPE, check=True)
    lines = ended.stdout.splitlines()
    markdown(lines)
    ratios = [float(line.split("\t")[-1]) for line in lines[1:]]
    print(f"\nWarm is at least 10 times as fast as new on {sum(r >= 10 for r in ratios)} of "
          f"{len(ratios)} tasks; median {statistics.median(ratios):.1f}.")


def reference(examples, tasks, table):
    ended = subprocess.run([examples / "reference", table, tasks], text=True,
                           stdout=subprocess.PIPE)
    *lines, failures = ended.stdout.splitlines()
    print(f"\nAgainst the table: {len(lines) - 1} values, {failures}. Slower than one second:\n")
    seconds = lines[0].split("\t").index("seconds")
    slow = [line for line in lines[1:] if float(line.split("\t")[seconds]) > 1]
    markdown([line.rstrip("\t") for line in lines[:1] + slow])
    return ended.returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tasks", type=pathlib.Path, required=True)
    parser.add_argument("--table", type=pathlib.Path)
    parser.add_argument("--examples", type=pathlib.Path, default=ROOT / "target/release/examples")
    parser.add_argument("--seq-states", type=int, default=4000)
    parser.add_argument("--ocp-states", type=int, default=1000)
    arguments = parser.parse_args()
    print(datetime.date.today())
    warm(arguments.examples, arguments.tasks, "seq", arguments.seq_states)
    warm(arguments.examples, arguments.tasks, "ocp2", arguments.ocp_states)
    if arguments.table:
        sys.exit(reference(arguments.examples, arguments.tasks, arguments.table))


if __name__ == "__main__":
    main()
