"""What the scripts share: which tasks are run, and the log of what came out."""

import csv
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile


def by_numbers(path):
    """Sorts p2 before p10."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", str(path))]


def problems(folder):
    """The problems of a domain, in the order of their numbers."""
    return sorted((path for path in folder.glob("*.pddl") if "domain" not in path.name),
                  key=by_numbers)


def chosen(benchmarks, between):
    """The tasks: at least two of each domain, evenly spread, or those halfway between them."""
    for folder in sorted(path for path in benchmarks.iterdir() if path.is_dir()):
        found = problems(folder)
        step = max(1, len(found) // 2)
        yield from found[step // 2 if between else 0::step]


def read_log(*logs):
    rows = (json.loads(line) for log in logs if log.exists() for line in log.read_text().splitlines())
    return {(row["task"], row["configuration"]): row for row in rows}


def read_peers(path):
    """The rows of a table of what planners of IPC 2023 solved, by task."""
    lines = (line for line in path.read_text().splitlines() if not line.startswith("#"))
    rows = csv.DictReader(lines, delimiter="\t")
    return {f"{row['domain']}/{pathlib.Path(row['problem']).stem}": row for row in rows}


def find(benchmarks, task):
    """The problem file of a task, DOMAIN/PROBLEM, in one of some folders of domains."""
    for folder in benchmarks:
        if (path := folder / f"{task}.pddl").exists():
            return path
    sys.exit(f"{task} is in none of {', '.join(map(str, benchmarks))}")


def solve(hipot, spec, path, arguments):
    """What a run of `hipot solve` gave."""
    with tempfile.TemporaryDirectory() as folder:
        command = [hipot, "solve", "-q", "--json", "--heuristic", spec,
                   "--cpu-limit", str(arguments.seconds), "--memory-limit", arguments.memory,
                   "--seed", str(arguments.seed), "--plan-file", f"{folder}/plan", path]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
    try:
        answer = json.loads(output)
    except ValueError:
        answer = {"status": f"exit {os.waitstatus_to_exitcode(status)}"}
    search = answer.get("search") or {}
    return {"status": answer["status"], "cost": answer.get("cost"),
            "bound": answer.get("lower_bound"), "expanded": search.get("expanded"),
            "seconds": round(usage.ru_utime + usage.ru_stime, 2)}
