#!/usr/bin/env python3
"""What two-dimensional potentials cost a search, against the blind heuristic.

Both search the same generated tasks with 30 variables for some seconds; the
time for each generated state is compared. The bar is a ratio of 5.

    cargo build --release
    python3 experiments/evaluation/run.py
"""

import datetime
import json
import os
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
HIPOT = ROOT / "target/release/hipot"
TASKS = [("shuttle", "25", "4"), ("shuttle", "24", "5"), ("hanoi", "30"), ("rings", "30")]


def nanoseconds(sas, heuristic):
    """The search's time for each generated state."""
    command = [HIPOT, "solve", "--json", "-q", "--heuristic", heuristic, "--time-limit", "20s",
               "--memory-limit", "4G", "--plan-file", os.devnull, sas]
    report = json.loads(subprocess.run(command, text=True, capture_output=True).stdout)
    search = report["search"]
    return search["seconds"] / search["generated"] * 1e9, report["task"]["variables"]


def main():
    print(f"{datetime.date.today()}\n")
    print("| task | variables | blind ns | pot(dim=2) ns | ratio |")
    print("|---|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as folder:
        for task in TASKS:
            sas = pathlib.Path(folder, "task.sas")
            subprocess.run([HIPOT, "generate", "-q", *task, "-o", sas], check=True)
            blind, variables = nanoseconds(sas, "blind")
            potential, _ = nanoseconds(sas, "pot(dim=2)")
            print(f"| {' '.join(task)} | {variables} | {blind:.0f} | {potential:.0f} "
                  f"| {potential / blind:.2f} |", flush=True)


if __name__ == "__main__":
    main()
