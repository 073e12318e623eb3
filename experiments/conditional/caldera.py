#!/usr/bin/env python3
"""All tasks of both variants of caldera: solved, validated, and compared with Fast Downward.

Each task is solved with `auto`; the plan is checked by `hipot validate`, which executes it by the
semantics of PDDL, and by VAL, if its program `Validate` is installed. Fast Downward's blind search solves
it as well, with the same limits on processor time and memory, if the package up-fast-downward is installed.
What came out is appended to a log, and what is in the log is not repeated.

    cargo build --release
    target/peer/bin/python experiments/conditional/caldera.py run BENCHMARKS... --log log.jsonl
    python3 experiments/conditional/caldera.py report --log log.jsonl
"""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "experiments"))

from peer import domain_of, find_peer, solve_with_peer  # noqa: E402
from suite import answer_of, call, problems, processor_seconds, read_log  # noqa: E402

DOMAINS = ("caldera-opt18-adl", "caldera-split-opt18-adl")


def run(arguments):
    known = read_log(arguments.log)
    folders = [folder / domain for domain in DOMAINS for folder in arguments.benchmarks]
    of_domains = [problems(folder) for folder in folders if folder.is_dir()]
    with arguments.log.open("a") as log:
        for path in (path for together in zip(*of_domains) for path in together):
            task = f"{path.parent.name}/{path.stem}"
            if (task, "both") not in known:
                row = {"task": task, "configuration": "both", **ours(path, arguments)}
                if peer := find_peer():
                    row["peer"] = solve_with_peer(
                        peer, "astar(blind())", path, arguments.seconds, arguments.gigabytes << 30)
                print(json.dumps(row), file=log, flush=True)
    report(arguments)


def ours(path, arguments):
    """What a run of hipot gave, and what others say about its plan."""
    with tempfile.TemporaryDirectory() as folder:
        plan = pathlib.Path(folder, "plan")
        answer, usage = answer_of(
            [arguments.hipot, "solve", "-q", "--json", "--cpu-limit", str(arguments.seconds),
             "--memory-limit", f"{arguments.gigabytes}G", "--plan-file", plan, path])
        row = {"status": answer["status"], "cost": answer.get("cost"),
               "bound": answer.get("lower_bound"), "is_translated": answer.get("task") is not None,
               "seconds": processor_seconds(usage), "validate": None, "val": None}
        if answer["status"] != "solved":
            return row
        verdict, _ = answer_of([arguments.hipot, "validate", "-q", "--json", path, plan])
        row["validate"] = verdict["status"] == "valid" and verdict["cost"] == answer["cost"]
        if val := shutil.which("Validate"):
            done = subprocess.run([val, domain_of(path), path, plan], capture_output=True, text=True)
            row["val"] = "Plan valid" in done.stdout
        return row


def report(arguments):
    rows = sorted(read_log(arguments.log).values(), key=lambda row: row["task"])
    word = {True: "valid", False: "**invalid**", None: "–"}
    print("| task | hipot | s | `hipot validate` | VAL | Fast Downward, blind | s |")
    print("|---|--:|--:|---|---|--:|--:|")
    solved = peers = 0
    for row in rows:
        peer = row.get("peer") or {"cost": None, "status": "–", "seconds": None}
        own, other = row["cost"], peer["cost"]
        solved, peers = solved + (own is not None), peers + (other is not None)
        differ = own is not None and other is not None and own != other
        text = f"≥ {row['bound']}" if own is None else f"**{own}**" if differ else own
        print(f"| {row['task']} | {text} | {row['seconds']} | {word[row['validate']]} | "
              f"{word[row['val']]} | {peer['status'] if other is None else other} | "
              f"{peer['seconds']} |")
    translated = sum(row["is_translated"] for row in rows)
    print(f"\n{len(rows)} tasks: {translated} translated, {solved} solved; "
          f"Fast Downward's blind search solves {peers}.")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    jobs = parser.add_subparsers(required=True)
    for function in (run, report):
        job = jobs.add_parser(function.__name__)
        job.set_defaults(function=function)
        job.add_argument("--log", type=pathlib.Path, required=True)
    job = jobs.choices["run"]
    job.add_argument("benchmarks", nargs="+", type=pathlib.Path)
    job.add_argument("--hipot", default=ROOT / "target/release/hipot")
    job.add_argument("--seconds", type=float, default=60)
    job.add_argument("--gigabytes", type=int, default=4)
    call(parser)


if __name__ == "__main__":
    main()
