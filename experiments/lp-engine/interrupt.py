#!/usr/bin/env python3
"""What Ctrl-C leaves: `hipot bound` is interrupted at random moments of large LPs.

Each of the twenty tasks with the largest LPs of tasks.txt is interrupted ten times, between 0.3
and 15 seconds after its start. Required each time: exit code 130, a certificate that
`hipot verify` accepts with the printed bound, and from the second second on a bound that is not
below that of dimension 1.

    python3 experiments/lp-engine/interrupt.py target/ipc/optimal-strips SIZES.jsonl

SIZES.jsonl is the log of `run.py compare`.
"""

import argparse
import json
import math
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


def bound_of(hipot, path, spec):
    """The bound of a heuristic that is computed to its end."""
    command = [hipot, "bound", "-q", "--json", "--heuristic", spec, path]
    return json.loads(subprocess.run(command, capture_output=True, check=True).stdout)["lower_bound"]


def interrupted(hipot, path, after, certificate):
    """The exit code, the bound, and the seconds from the interrupt to the end."""
    command = [hipot, "bound", "-q", "--json", "--heuristic", "pot(dim=2, mutexes=none)",
               "--certificate", certificate, path]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        output, _ = process.communicate(timeout=after)
        return process.returncode, json.loads(output)["lower_bound"], 0.0
    except subprocess.TimeoutExpired:
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate()
        bound = json.loads(output)["lower_bound"] if output else None
        return process.returncode, bound, time.monotonic() - begin


def faults(hipot, path, after, atomic):
    """What went wrong in one run, how long it took to end, and whether it was interrupted."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        certificate = pathlib.Path(folder) / "certificate.json"
        code, bound, seconds = interrupted(hipot, path, after, certificate)
        if code not in (0, 130):
            found.append(f"exit code {code}")
        if certificate.exists():
            verify = [hipot, "verify", "--json", path, certificate]
            verdict = subprocess.run(verify, capture_output=True, text=True)
            accepted = verdict.returncode == 0 and f"{bound}" in verdict.stdout
            if not accepted:
                found.append(f"verify: exit code {verdict.returncode}")
        elif after >= 2 or bound:
            found.append("no certificate")
        if after >= 2 and (bound is None or bound < atomic):
            found.append(f"bound {bound}, dimension 1 has {atomic}")
    return found, seconds, code == 130


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("benchmarks", type=pathlib.Path)
    parser.add_argument("sizes", type=pathlib.Path)
    parser.add_argument("--hipot", type=pathlib.Path, default=ROOT / "target/release/hipot")
    parser.add_argument("--part", type=int, nargs=2, default=(0, 1), metavar=("I", "N"),
                        help="every Nth task from the Ith on, to share the work")
    arguments = parser.parse_args()
    rows = [json.loads(line) for line in arguments.sizes.read_text().splitlines()]
    sizes = {row["task"]: row["nonzeros"] for row in rows if row["nonzeros"]}
    tasks = sorted(sizes, key=sizes.get)[-20:]
    first, step = arguments.part
    tasks = tasks[first::step]
    print("| task | nonzeros | dimension 1 | interrupted | slowest to end, s | faults |\n"
          "|---|--:|--:|--:|--:|---|")
    total = 0
    for task in tasks:
        path = arguments.benchmarks / f"{task}.pddl"
        atomic = bound_of(arguments.hipot, path, "pot(dim=1, mutexes=none)")
        results, rng = [], random.Random(task)
        for _ in range(10):
            after = math.exp(rng.uniform(math.log(0.3), math.log(15)))
            results.append(faults(arguments.hipot, path, after, atomic))
        bad = [fault for found, _, _ in results for fault in found]
        total += len(bad)
        print(f"| {task} | {sizes[task]} | {atomic} | {sum(it[2] for it in results)} | "
              f"{max(it[1] for it in results):.2f} | {'; '.join(bad) or '–'} |", flush=True)
    print(f"\n{10 * len(tasks)} runs, {total} faults")
    sys.exit(total > 0)


if __name__ == "__main__":
    main()
