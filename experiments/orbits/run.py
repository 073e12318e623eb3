#!/usr/bin/env python3
"""States expanded and processor seconds, with and without symmetries.

    run.py HIPOT --tasks FOLDER [--heuristic SPEC] [--limit SECONDS] [--memory SIZE]

HIPOT is the program, FOLDER has a folder for each domain of the IPC. Every plan is executed by
`hipot validate`, and all costs of a task must be equal. Prints a table in Markdown.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

# One task of each domain that a search with pot(dim=1) solves within seconds, but not at once.
TASKS = [
    "airport/p16-airport3-p4",
    "barman-opt11-strips/pfile01-003",
    "blocks/probBLOCKS-9-0",
    "depot/p03",
    "driverlog/p05",
    "elevators-opt08-strips/p04",
    "freecell/p09",
    "ged-opt14-strips/d-8-1",
    "gripper/prob07",
    "hiking-opt14-strips/ptesting-2-2-4",
    "logistics00/probLOGISTICS-6-2",
    "miconic/s7-0",
    "mprime/prob04",
    "openstacks-opt08-strips/p28",
    "parcprinter-08-strips/p07",
    "pathways/p04",
    "pegsol-08-strips/p28",
    "pegsol-opt11-strips/p17",
    "pipesworld-notankage/p11-net2-b10-g2",
    "pipesworld-tankage/p11-net2-b10-g2-t30",
    "psr-small/p46-s97-n5-l2-f30",
    "satellite/p04-pfile4",
    "scanalyzer-08-strips/p07",
    "sokoban-opt08-strips/p16",
    "sokoban-opt11-strips/p15",
    "storage/p13",
    "tetris-opt14-strips/p03-8",
    "tidybot-opt11-strips/p13",
    "tpp/p07",
    "transport-opt08-strips/p04",
    "transport-opt11-strips/p05",
    "trucks-strips/p09",
    "visitall-opt11-strips/problem11-full",
    "visitall-opt14-strips/p-1-13",
    "woodworking-opt11-strips/p01",
    "zenotravel/p07",
]

CHOICES = ["off", "on", "auto"]


def processor_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def solve(arguments, problem, choice, plan):
    """The result of a run and its processor seconds."""
    command = [arguments.hipot, "solve", "--json", "--heuristic", arguments.heuristic,
               "--symmetries", choice, "--cpu-limit", f"{arguments.limit}s",
               "--memory-limit", arguments.memory, "--plan-file", plan, problem]
    begin = processor_time()
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    return json.loads(ran.stdout), processor_time() - begin


def cells(arguments, problem, plan):
    """For each choice: states expanded, processor seconds; and the cost and the generators."""
    row, costs, symmetries = [], set(), 0
    for choice in CHOICES:
        result, seconds = solve(arguments, problem, choice, plan)
        if result["status"] != "solved":
            row += [result["status"], f"{seconds:.2f}"]
            continue
        subprocess.run([arguments.hipot, "validate", problem, plan],
                       check=True, capture_output=True)
        costs.add(result["cost"])
        search = result["search"]
        symmetries = max(symmetries, search.get("symmetries", 0))
        is_used = "" if choice != "auto" or "symmetries" in search else " (no)"
        row += [f"{search['expanded']:,}{is_used}", f"{seconds:.2f}"]
    if len(costs) > 1:
        sys.exit(f"{problem}: costs {costs}")
    return [costs.pop() if costs else "?", symmetries, *row]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("hipot", help="the program")
    parser.add_argument("--tasks", type=Path, required=True, help="a folder for each domain")
    parser.add_argument("--heuristic", default="pot(dim=1)")
    parser.add_argument("--limit", type=int, default=60, help="processor seconds")
    parser.add_argument("--memory", default="3G")
    arguments = parser.parse_args()
    names = ["cost", "generators", *(f"{it}{what}" for it in CHOICES for what in ("", ": s"))]
    print("| task | " + " | ".join(names) + " |\n|---|" + "--:|" * len(names))
    with tempfile.TemporaryDirectory() as folder:
        for task in TASKS:
            row = cells(arguments, arguments.tasks / f"{task}.pddl", Path(folder) / "plan")
            print(f"| {task} | " + " | ".join(map(str, row)) + " |", flush=True)


if __name__ == "__main__":
    main()
