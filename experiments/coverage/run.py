#!/usr/bin/env python3
"""Coverage and perfect initial values: hipot against Fast Downward and SymK.

`run` gives every configuration each task of a fixed list, from PDDL, with 30 CPU
seconds and 2 GB in all (translation included), one process after the other, and
appends what came out to a log; what is in the log is not repeated. `report` makes
the tables: tasks solved by domain, and tasks that a peer solves and hipot does not
with the reason. The list is a rule: tasks number 1, 1 + n, 1 + 2n, … of each domain,
n such that there are at least two; with `--between` those halfway between them.
`perfect` tells, from several logs, how often the initial value is the optimal cost.

    cargo build --release
    python3 -m venv target/peer && target/peer/bin/pip install up-fast-downward up-symk
    target/peer/bin/python experiments/coverage/run.py run --benchmarks DIR
    target/peer/bin/python experiments/coverage/run.py report
    target/peer/bin/python experiments/coverage/run.py run --between --seconds 60 \\
        --only auto pot1 pot2 pot3 --log target/between.jsonl --benchmarks DIR
    target/peer/bin/python experiments/coverage/run.py run --between --unsolved \\
        --only lmcut --log target/between.jsonl --benchmarks DIR
    target/peer/bin/python experiments/coverage/run.py perfect \\
        --logs target/coverage.jsonl target/between.jsonl

DIR holds the IPC tasks, a folder for each domain.
"""

import argparse
import collections
import datetime
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "experiments"))

from peer import domain_of, find_peer  # noqa: E402
from suite import by_numbers, chosen, read_log  # noqa: E402

OURS = {"auto": "auto"}
BOUNDS = {"pot1": "pot(dim=1, mutexes=none)", "pot2": "pot(dim=2, mutexes=h2, open=cases)",
          "pot3": "pot(dim=3, mutexes=h2, open=cases)"}
PEERS = {"lmcut": "astar(lmcut())", "ipdb": "astar(ipdb())", "blind": "astar(blind())",
         "symk": "sym_bd()"}


def limited(seconds, memory):
    def set_limits():
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 1))
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    return set_limits


def measure(command, seconds, memory=None, stdin=None):
    """Runs a command: exit status (None if killed), output, CPU seconds."""
    with tempfile.TemporaryFile() as out:
        child = subprocess.Popen(list(map(str, command)), stdin=stdin, stdout=out,
                                 stderr=subprocess.DEVNULL,
                                 preexec_fn=memory and limited(seconds, memory))
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        text = out.read().decode(errors="replace")
    return child.returncode, text, usage.ru_utime + usage.ru_stime


def run_ours(arguments, spec, problem):
    command = [arguments.hipot, "solve", "--json", "-q", "--heuristic", spec, "--plan-file",
               os.devnull, "--cpu-limit", arguments.seconds, "--memory-limit",
               f"{arguments.memory}M", problem]
    _, text, seconds = measure(command, arguments.seconds)
    report = json.loads(text)
    heuristic, search = report.get("heuristic") or {}, report.get("search") or {}
    return {"status": report["status"], "cost": report.get("cost"), "seconds": seconds,
            "initial": heuristic.get("initial"), "spec": heuristic.get("spec"),
            "expanded": search.get("expanded"), "bound": report.get("lower_bound")}


def run_bound(arguments, spec, problem):
    command = [arguments.hipot, "bound", "--json", "-q", "--heuristic", spec, "--time-limit",
               arguments.seconds, "--memory-limit", f"{arguments.memory}M", problem]
    _, text, seconds = measure(command, arguments.seconds)
    report = json.loads(text)
    return {"status": report["status"], "cost": None, "seconds": seconds,
            "initial": (report.get("heuristic") or {}).get("initial")}


def run_peer(arguments, search, problem):
    memory = arguments.memory << 20
    with tempfile.TemporaryDirectory() as folder:
        sas = pathlib.Path(folder, "output.sas")
        command = [sys.executable, "-m", "fast_downward.translate", domain_of(problem), problem,
                   "--sas-file", sas]
        code, _, used = measure(command, arguments.seconds, memory)
        if code != 0:
            return {"status": "translation", "cost": None, "seconds": used, "initial": None}
        left = max(1.0, arguments.seconds - used)
        peer = arguments.symk if search.startswith("sym") else arguments.peer
        command = [peer, "--search", search, "--internal-plan-file", os.devnull]
        with open(sas) as stdin:
            code, text, seconds = measure(command, left, memory, stdin)
    number = lambda pattern: int(found[1]) if (found := re.search(pattern, text)) else None
    cost = number(r"Plan cost: (\d+)")
    status = "solved" if cost is not None else {12: "unsolvable", 22: "memory-limit"}.get(
        code, "time-limit")
    return {"status": status, "cost": cost, "seconds": used + seconds,
            "initial": number(r"Initial heuristic value for [^:]*: (\d+)"),
            "expanded": number(r"Expanded (\d+) state")}


def is_settled(done, task, name):
    """Whether a bound of higher dimension would tell nothing: h* is not known, or reached; or
    `auto` had features of size 2 chosen (then pot2 may be higher) or all (then pot3 may)."""
    costs = [row["cost"] for (other, _), row in done.items()
             if other == task and row["cost"] is not None]
    auto = done.get((task, "auto")) or {}
    is_complete = "budget" not in (auto.get("spec") or "budget")
    return name in ("pot2", "pot3") and (not costs or auto.get("initial") == costs[0]
                                         or is_complete == (name == "pot2"))


def run(arguments):
    done = read_log(arguments.log)
    configurations = [(name, run_ours, spec) for name, spec in OURS.items()]
    configurations += [(name, run_bound, spec) for name, spec in BOUNDS.items()]
    if arguments.peer is None:
        print("Fast Downward is not installed: hipot alone")
    else:
        configurations += [(name, run_peer, search) for name, search in PEERS.items()
                           if arguments.symk or name != "symk"]
    if arguments.only:
        configurations = [entry for entry in configurations if entry[0] in arguments.only]
    solved = {task for (task, _), row in done.items() if row["cost"] is not None}
    for problem in chosen(arguments.benchmarks, arguments.between):
        task = str(problem.relative_to(arguments.benchmarks).with_suffix(""))
        if arguments.unsolved and task in solved:
            continue
        for name, runner, spec in configurations:
            if (task, name) not in done and not is_settled(done, task, name):
                row = {"task": task, "configuration": name, **runner(arguments, spec, problem)}
                with arguments.log.open("a") as log:
                    log.write(json.dumps(row) + "\n")
                print(task, name, row["status"], row["cost"], f"{row['seconds']:.1f}", flush=True)


def report(arguments):
    rows = read_log(arguments.log)
    names = [name for name in (*OURS, *PEERS) if any(key[1] == name for key in rows)]
    tasks = sorted({task for task, _ in rows}, key=by_numbers)
    solved = {key for key, row in rows.items() if row["cost"] is not None}
    costs = collections.defaultdict(set)
    for task, name in solved:
        costs[task].add(rows[task, name]["cost"])
    wrong = [task for task, found in costs.items() if len(found) > 1]
    print(f"## {datetime.date.today()}: {len(tasks)} tasks of "
          f"{len({task.split('/')[0] for task in tasks})} domains\n")
    print("| domain | tasks | " + " | ".join(names) + " |\n|---|--:|" + "--:|" * len(names))
    for domain in sorted({task.split("/")[0] for task in tasks}):
        own = [task for task in tasks if task.startswith(domain + "/")]
        counts = [sum((task, name) in solved for task in own) for name in names]
        print(f"| {domain} | {len(own)} | " + " | ".join(map(str, counts)) + " |")
    totals = [sum((task, name) in solved for task in tasks) for name in names]
    print(f"| **all** | {len(tasks)} | " + " | ".join(f"**{total}**" for total in totals) + " |")
    print(f"\nCosts that differ: {', '.join(wrong) or 'none'}.\n")
    print("Solved by a peer and not by `auto`:\n")
    for task in tasks:
        others = [name for name in PEERS if (task, name) in solved]
        ours = rows.get((task, "auto"))
        if others and ours and ours["cost"] is None:
            print(f"- {task} ({', '.join(others)}): {ours['status']}, initial {ours['initial']} of "
                  f"{min(costs[task])}, {ours['expanded']} expanded, {ours['spec']}")


def perfect(arguments):
    """How often the initial value is the optimal cost, by domain."""
    rows = read_log(*arguments.logs)
    costs = {task: row["cost"] for (task, _), row in rows.items() if row["cost"] is not None}
    tasks = {task for task, name in rows if name in OURS}
    columns = {"auto": ("auto",), "dimension 2": ("auto", "pot2"),
               "dimensions 2 and 3": ("auto", "pot2", "pot3"), "dimension 1": ("pot1",)}
    values = {column: {} for column in columns}
    for column, names in columns.items():
        for task in tasks & costs.keys():
            found = [rows[task, name]["initial"] for name in names if (task, name) in rows]
            if any(value is not None for value in found):
                values[column][task] = max(value for value in found if value is not None)
    wrong = [task for known in values.values() for task, value in known.items()
             if value > costs[task]]

    def count(column, domain):
        own = {task: value for task, value in values[column].items() if task.startswith(domain)}
        return sum(value == costs[task] for task, value in own.items()), len(own)

    domains = sorted({task.split("/")[0] for task in tasks})
    print(f"## {datetime.date.today()}: {len(tasks)} tasks of {len(domains)} domains\n")
    print("| domain | tasks | h* known | " + " | ".join(columns) + " |")
    print("|---|--:|--:|" + "--:|" * len(columns))
    for domain in domains:
        own = {task for task in tasks if task.startswith(domain + "/")}
        cells = ["{} of {}".format(*count(column, domain + "/")) for column in columns]
        print(f"| {domain} | {len(own)} | {len(own & costs.keys())} | " + " | ".join(cells) + " |")
    cells = ["**{} of {} ({:.0%})**".format(*(pair := count(column, "")), pair[0] / max(1, pair[1]))
             for column in columns]
    print(f"| **all** | {len(tasks)} | {len(tasks & costs.keys())} | " + " | ".join(cells) + " |")
    print(f"\nValues above h*: {', '.join(wrong) or 'none'}.")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("job", choices=("run", "report", "perfect"))
    parser.add_argument("--benchmarks", type=pathlib.Path,
                        default=ROOT / "target/ipc/optimal-strips")
    parser.add_argument("--hipot", type=pathlib.Path, default=ROOT / "target/release/hipot")
    parser.add_argument("--log", type=pathlib.Path, default=ROOT / "target/coverage.jsonl")
    parser.add_argument("--logs", type=pathlib.Path, nargs="+", help="all logs, for perfect")
    parser.add_argument("--seconds", type=int, default=30)
    parser.add_argument("--memory", type=int, default=2000, help="in MB")
    parser.add_argument("--between", action="store_true", help="other tasks of the same domains")
    parser.add_argument("--unsolved", action="store_true",
                        help="only tasks that nobody has solved in the log")
    parser.add_argument("--only", nargs="+", help="configurations to run, all if not given")
    arguments = parser.parse_args()
    arguments.peer, arguments.symk = find_peer(), find_peer("up_symk")
    {"run": run, "report": report, "perfect": perfect}[arguments.job](arguments)


if __name__ == "__main__":
    main()
