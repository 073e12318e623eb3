#!/usr/bin/env python3
"""`solve --anytime` on tasks that are too hard to solve: plans, and the gap to the lower bound.

`list` makes the list of tasks: of each domain one of the last third and one of the middle, by a
seed. `run` solves each and appends what came out to a log; what is in the log is not repeated. Plans
are executed again by `hipot validate`. `report` prints the table, without the tasks that were solved.

    cargo build --release
    python3 experiments/anytime/run.py list BENCHMARKS... > experiments/anytime/tasks.txt
    python3 experiments/anytime/run.py run BENCHMARKS... --log log.jsonl
    python3 experiments/anytime/run.py report --log log.jsonl

BENCHMARKS are folders with a folder for each domain.
"""

import json
import pathlib
import random
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.append(str(ROOT / "experiments"))

from suite import call, commands, find, problems, read_log, tasks_of  # noqa: E402

CONFIGURATION = "anytime"


def make_list(arguments):
    rng = random.Random(arguments.seed)
    folders = [path for benchmarks in arguments.benchmarks for path in sorted(benchmarks.iterdir())]
    for third in (2, 1):
        for folder in filter(pathlib.Path.is_dir, folders):
            found = problems(folder)
            part = found[len(found) * third // 3:len(found) * (third + 1) // 3]
            if part:
                print(f"{folder.name}/{rng.choice(part).stem}")


def validated_cost(hipot, path, plan):
    """What `hipot validate` says that a plan costs; None if it is none."""
    command = [hipot, "validate", "-q", "--json", path, plan]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    return json.loads(answer.stdout).get("cost") if answer.returncode == 0 else None


def solve(hipot, path, arguments):
    with tempfile.TemporaryDirectory() as folder:
        plan = pathlib.Path(folder) / "plan"
        command = [hipot, "solve", "-q", "--json", "--anytime",
                   "--cpu-limit", f"{arguments.seconds:g}s", "--memory-limit", arguments.memory,
                   "--plan-file", plan, path]
        begin = time.time()
        process = subprocess.run(command, capture_output=True, text=True, check=False)
        seconds = time.time() - begin
        plans = sorted(pathlib.Path(folder).glob("plan.*"), key=lambda it: int(it.suffix[1:]))
        try:
            answer = json.loads(process.stdout)
        except ValueError:
            answer = {"status": f"exit {process.returncode}"}
        bound = "cost" if answer.get("cost") is not None else "upper_bound"
        return {
            "status": answer["status"],
            "lower_bound": answer.get("lower_bound"),
            "upper_bound": answer.get(bound),
            "gap": answer.get("gap"),
            "plans": len(plans),
            "first": round(plans[0].stat().st_mtime - begin, 2) if plans else None,
            "first_cost": validated_cost(hipot, path, plans[0]) if plans else None,
            "validated": validated_cost(hipot, path, plan) if plan.exists() else None,
            "seconds": round(seconds, 2),
        }


def run(arguments):
    known = read_log(arguments.log)
    with arguments.log.open("a") as log:
        for task in tasks_of(arguments):
            if (task, CONFIGURATION) not in known:
                row = solve(arguments.hipot, find(arguments.benchmarks, task), arguments)
                row = {"task": task, "configuration": CONFIGURATION, **row}
                print(json.dumps(row), file=log, flush=True)


def cell(value):
    return "" if value is None else f"{value:.1%}" if isinstance(value, float) else str(value)


def report(arguments):
    rows = {task: row for (task, _), row in read_log(arguments.log).items()}
    open_ones = {task: row for task, row in rows.items() if row["status"].endswith("limit")}
    found = [row for row in open_ones.values() if row["validated"] is not None]
    wrong = [task for task, row in rows.items() if row["upper_bound"] != row["validated"]]
    print(f"{len(rows)} tasks, of which {len(open_ones)} end at a limit. "
          f"Of these, {len(found)} have a valid plan ({len(found) / max(1, len(open_ones)):.0%}).\n"
          f"Plans that are invalid, or do not cost what hipot says: {len(wrong)}.\n")
    print("| task | status | first plan | after s | plans | best plan | lower bound | gap |")
    print("|---|---|--:|--:|--:|--:|--:|--:|")
    for task, row in open_ones.items():
        first = None if row["first"] is None else f"{row['first']:.1f}"
        cells = [row["first_cost"], first, row["plans"], row["upper_bound"], row["lower_bound"],
                 row["gap"]]
        print(f"| {task} | {row['status']} | " + " | ".join(map(cell, cells)) + " |")


def main():
    functions = (make_list, run, report)
    parser, _ = commands(__doc__, HERE, functions, 30, "4G")
    call(parser)


if __name__ == "__main__":
    main()
