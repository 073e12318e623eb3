#!/usr/bin/env python3
"""Blind A* of hipot and of Fast Downward on the same SAS+ tasks.

Each task is solved by both planners one after the other, in turn, and the
ratios of one run are what counts: machines differ and are noisy. Costs must
agree. The peer comes from PyPI (package up-fast-downward); where it is not
installed, the script says so and ends well.

    cargo build --release
    python3 -m venv target/peer && target/peer/bin/pip install up-fast-downward
    target/peer/bin/python experiments/blind-astar/run.py --benchmarks DIR

DIR holds the IPC tasks, a folder for each domain.
"""

import argparse
import datetime
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "experiments"))

from peer import domain_of, find_peer  # noqa: E402


# Tasks for which blind A* expands between 0.5 and 20 million states.
TASKS = """
barman-opt11-strips/pfile01-001 blocks/probBLOCKS-9-0 depot/p03 driverlog/p05 driverlog/p07
elevators-opt08-strips/p04 floortile-opt11-strips/opt-p01-002 freecell/p04 ged-opt14-strips/d-3-4
gripper/prob07 hiking-opt14-strips/ptesting-2-2-4 miconic/s9-0 nomystery-opt11-strips/p04 openstacks-strips/p06 parcprinter-08-strips/p04 pegsol-08-strips/p26
pipesworld-notankage/p12-net2-b10-g4
""".split()

# Growth: time for each expanded state after so many of them.
GROWTH_TASKS = ["gripper/prob07", "floortile-opt11-strips/opt-p01-002", "parcprinter-08-strips/p04"]


def translate(benchmarks, task, folder):
    problem = benchmarks / f"{task}.pddl"
    sas = folder / (task.replace("/", "__") + ".sas")
    command = [sys.executable, "-m", "fast_downward.translate", domain_of(problem), problem,
               "--sas-file", sas]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return sas


def measure(command, stdin=None):
    """Runs a command: its output, CPU seconds and peak resident bytes."""
    with tempfile.TemporaryFile() as out:
        child = subprocess.Popen(command, stdin=stdin, stdout=out, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        text = out.read().decode()
    if child.returncode != 0:
        raise RuntimeError(f"{command[0]} ended with {child.returncode}")
    return text, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def run_hipot(hipot, sas):
    command = [hipot, "solve", "--json", "-q", "--heuristic", "blind", "--plan-file", os.devnull, sas]
    text, seconds, memory = measure(command)
    report = json.loads(text)
    return report["cost"], report["search"]["expanded"], seconds, memory


def run_peer(binary, sas):
    command = [binary, "--search", "astar(blind())", "--internal-plan-file", os.devnull]
    with open(sas) as stdin:
        text, seconds, memory = measure(command, stdin)
    number = lambda pattern: int(re.search(pattern, text)[1])
    return number(r"Plan cost: (\d+)"), number(r"Expanded (\d+) state"), seconds, memory


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def compare(hipot, peer, files):
    print("| task | expanded (M) | hipot s | FD s | time ratio | ratio a state | hipot MB | FD MB "
          "| memory ratio |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|")
    times, per_state, memories = [], [], []
    for task, sas in files.items():
        cost, expanded, seconds, memory = run_hipot(hipot, sas)
        peer_cost, peer_expanded, peer_seconds, peer_memory = run_peer(peer, sas)
        if cost != peer_cost:
            sys.exit(f"{task}: hipot finds {cost}, Fast Downward {peer_cost}")
        times.append(peer_seconds / seconds)
        per_state.append((peer_seconds / peer_expanded) / (seconds / expanded))
        memories.append(peer_memory / memory)
        print(f"| {task} | {expanded / 1e6:.2f} | {seconds:.2f} | {peer_seconds:.2f} "
              f"| {times[-1]:.2f} | {per_state[-1]:.2f} | {memory >> 20} | {peer_memory >> 20} "
              f"| {memories[-1]:.2f} |", flush=True)
    print(f"\nGeometric means over {len(times)} tasks, costs identical: "
          f"{geometric_mean(times):.2f} times fewer seconds, "
          f"{geometric_mean(per_state):.2f} times fewer seconds for each expanded state, "
          f"{geometric_mean(memories):.2f} times less memory.")


def growth(hipot, files):
    """Seconds for each expanded state after 100,000 and after 10 million."""
    print("\n| task | ns a state at 100,000 | at 10 million | ratio |")
    print("|---|--:|--:|--:|")
    for task in GROWTH_TASKS:
        command = [hipot, "solve", "-vv", "--heuristic", "blind", "--plan-file", os.devnull,
                   files[task]]
        log = subprocess.run(command, check=True, text=True, capture_output=True).stderr
        samples = [(int(expanded), float(seconds)) for expanded, seconds in
                   re.findall(r"expanded=(\d+) seconds=([\d.]+)", log)]
        at = {}
        for states in (100_000, 10_000_000):
            expanded, seconds = next(sample for sample in samples if sample[0] >= states)
            at[states] = seconds / expanded * 1e9
        early, late = at.values()
        print(f"| {task} | {early:.0f} | {late:.0f} | {late / early:.2f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--benchmarks", type=pathlib.Path,
                        default=ROOT / "target/ipc/optimal-strips")
    parser.add_argument("--hipot", type=pathlib.Path, default=ROOT / "target/release/hipot")
    parser.add_argument("--only", help="only tasks with this in their name")
    arguments = parser.parse_args()
    peer = find_peer()
    if peer is None:
        return print("skipped: the package up-fast-downward is not installed for this Python")
    if not arguments.benchmarks.is_dir():
        return print(f"skipped: no IPC tasks at {arguments.benchmarks}")
    tasks = [task for task in TASKS if not arguments.only or arguments.only in task]
    with tempfile.TemporaryDirectory() as folder:
        files = {task: translate(arguments.benchmarks, task, pathlib.Path(folder))
                 for task in tasks}
        print(f"{datetime.date.today()}, hipot {revision()}, CPU seconds of the whole process\n")
        compare(arguments.hipot, peer, files)
        if not arguments.only:
            growth(arguments.hipot, files)


def revision():
    command = ["git", "-C", ROOT, "describe", "--always", "--dirty"]
    return subprocess.run(command, text=True, capture_output=True).stdout.strip() or "unknown"


if __name__ == "__main__":
    main()
