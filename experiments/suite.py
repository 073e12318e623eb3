"""What the scripts share: which tasks are run, and the log of what came out."""

import argparse
import collections
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


def by_turns(tasks):
    """A task of each domain, then another one of each, so that a part of a run has all domains."""
    seen = collections.Counter()
    turns = []
    for task in tasks:
        domain = task.split("/")[0]
        turns.append((seen[domain], task))
        seen[domain] += 1
    return [task for _, task in sorted(turns)]


def tasks_of(arguments):
    """The tasks of the list, or one share of them for each of several processes."""
    share, shares = map(int, arguments.share.split("/"))
    return by_turns(arguments.tasks.read_text().split())[share - 1::shares]


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


def answer_of(command):
    """The JSON that a command of hipot prints, and the resources that it used."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    try:
        answer = json.loads(output)
    except ValueError:
        answer = {"status": f"exit {os.waitstatus_to_exitcode(status)}"}
    return answer, usage


def processor_seconds(usage):
    return round(usage.ru_utime + usage.ru_stime, 2)


def solve(hipot, spec, path, arguments):
    """What a run of `hipot solve` gave."""
    with tempfile.TemporaryDirectory() as folder:
        answer, usage = answer_of(
            [hipot, "solve", "-q", "--json", "--heuristic", spec,
             "--cpu-limit", str(arguments.seconds), "--memory-limit", arguments.memory,
             "--seed", str(arguments.seed), "--plan-file", f"{folder}/plan", path])
    search = answer.get("search") or {}
    return {"status": answer["status"], "cost": answer.get("cost"),
            "bound": answer.get("lower_bound"), "expanded": search.get("expanded"),
            "seconds": processor_seconds(usage)}


def bound(hipot, spec, path, arguments):
    """What a run of `hipot bound` gave."""
    answer, usage = answer_of(
        [hipot, "bound", "-q", "--json", "--heuristic", spec,
         "--cpu-limit", str(arguments.seconds), "--memory-limit", arguments.memory, path])
    task = answer.get("task") or {}
    return {"status": answer["status"], "bound": answer.get("lower_bound"),
            "operators": task.get("operators"), "axioms": task.get("axioms"),
            "seconds": processor_seconds(usage), "megabytes": usage.ru_maxrss // 1024}


def commands(doc, here, functions, seconds, memory, has_peers=False, programs=False):
    """The parser of a script with the commands list, run and report, and its commands."""
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    commands = parser.add_subparsers(required=True)
    for name, function in zip(("list", "run", "report"), functions):
        command = commands.add_parser(name)
        command.set_defaults(function=function)
        command.add_argument("--seed", type=int, default=0)
        if has_peers and name != "run":
            command.add_argument("peers", type=pathlib.Path)
        if name != "report":
            command.add_argument("benchmarks", nargs="+", type=pathlib.Path)
        if name != "list":
            command.add_argument("--log", type=pathlib.Path, required=True)
    command = commands.choices["run"]
    command.add_argument("--tasks", type=pathlib.Path, default=here / "tasks.txt")
    hipot = here.parents[1] / "target/release/hipot"
    if programs:
        command.add_argument("--hipot", nargs="+", default=[f"={hipot}"])
    else:
        command.add_argument("--hipot", default=hipot)
    command.add_argument("--seconds", type=float, default=seconds)
    command.add_argument("--memory", default=memory)
    command.add_argument("--share", default="1/1", help="I/N: every N-th task, from the I-th")
    return parser, commands.choices


def call(parser):
    """Does what the command line asks for."""
    arguments = parser.parse_args()
    arguments.function(arguments)
