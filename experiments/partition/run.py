#!/usr/bin/env python3
"""Cost partitioning and the state equation: warm against cold, and a table.

Warm against cold: evaluations a second of processor time, over the first
states of a breadth-first search, of one LP that goes on from state to state
(warm), of one that forgets its last solution (restarted), and of a new LP in
each state (new). With --table, the values in the initial states against those
of an independent program.

    cargo build --release -p hipot-partition --examples
    python3 experiments/partition/run.py --tasks FOLDER [--table TABLE.tsv]
"""

import argparse
import datetime
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

TASKS = [
    "gripper__prob03", "blocks__probBLOCKS-5-0", "logistics00__probLOGISTICS-5-0",
    "driverlog__p02", "depot__p01", "rovers__p04", "trucks-strips__p01", "pathways__p01",
    "zenotravel__p03", "transport-opt08-strips__p02",
]


def markdown(lines):
    """Lines with tabs as a Markdown table."""
    for number, line in enumerate(lines):
        cells = line.split("\t")
        print("| " + " | ".join(cells) + " |", flush=True)
        if number == 0:
            print("|---" + "|--:" * (len(cells) - 1) + "|")


def warm(examples, tasks, spec, states):
    print(f"\n{spec}, {states} states\n")
    files = [tasks / f"{name}.sas" for name in TASKS]
    command = [examples / "warm", spec, str(states), *files]
    ended = subprocess.run(command, text=True, stdout=subprocess.PIPE, check=True)
    markdown(ended.stdout.splitlines())


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
    parser.add_argument("--ocp-states", type=int, default=200)
    arguments = parser.parse_args()
    print(datetime.date.today())
    warm(arguments.examples, arguments.tasks, "seq", arguments.seq_states)
    warm(arguments.examples, arguments.tasks, "ocp2", arguments.ocp_states)
    if arguments.table:
        sys.exit(reference(arguments.examples, arguments.tasks, arguments.table))


if __name__ == "__main__":
    main()
