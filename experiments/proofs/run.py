#!/usr/bin/env python3
"""Certificates of searches: what they take, and whether they prove the plans optimal.

`list` makes the list of tasks: those that `auto` solved in short time, by a log of experiments/auto.
`run` solves each with a certificate, translates it, checks the certificate and the plan with
hipot-verify, and appends what came out to a log; what is in the log is not repeated. `report`
prints the table.

    cargo build --release -p hipot-cli -p hipot-verify
    python3 experiments/proofs/run.py list --log experiments/auto/DATE.jsonl > experiments/proofs/tasks.txt
    python3 experiments/proofs/run.py run BENCHMARKS... --log log.jsonl
    python3 experiments/proofs/run.py report --log log.jsonl

BENCHMARKS are folders with a folder for each domain.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.append(str(ROOT / "experiments"))

from suite import find, read_log, tasks_of  # noqa: E402

CONFIGURATION = "auto"


def make_list(arguments):
    for (task, configuration), row in sorted(read_log(arguments.log).items()):
        is_solved = row["status"] in ("solved", "unsolvable")
        if configuration == CONFIGURATION and is_solved and row["seconds"] <= arguments.seconds:
            print(task)


def measured(command):
    """Exit code, output, seconds and peak of memory in KB."""
    begin = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    output = process.stdout.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    return os.waitstatus_to_exitcode(status), output, time.monotonic() - begin, usage.ru_maxrss


def run_task(task, path, arguments):
    row = {"task": task, "configuration": CONFIGURATION}
    with tempfile.TemporaryDirectory() as folder:
        plan, proof, sas = (f"{folder}/{name}" for name in ["plan", "proof", "task.sas"])
        _, output, _, peak = measured(
            [arguments.hipot, "solve", "-q", "--json", "--cpu-limit", str(arguments.seconds),
             "--memory-limit", arguments.memory, "--plan-file", plan, "--certificate", proof, path])
        report = json.loads(output)
        row |= {"status": report["status"], "cost": report["cost"], "peak": peak}
        if report["status"] not in ("solved", "unsolvable"):
            return row
        row |= {"expanded": report["search"]["expanded"], "search": report["seconds"]["search"],
                "heuristic": report["heuristic"]["spec"], "certificate": report["certificate"],
                "symmetries": report["search"].get("symmetries", 0)}
        row["bytes"] = pathlib.Path(proof).stat().st_size
        measured([arguments.hipot, "translate", "-q", path, "-o", sas])
        check = [arguments.verifier, sas, proof, "--require", "optimal"]
        code, verdict, seconds, peak = measured(
            check + (["--plan", plan] if report["status"] == "solved" else []))
        row |= {"code": code, "verdict": verdict, "checking": seconds, "checker_peak": peak}
    return row


def run(arguments):
    done = read_log(arguments.log)
    with arguments.log.open("a") as log:
        for task in tasks_of(arguments):
            if (task, CONFIGURATION) not in done:
                row = run_task(task, find(arguments.benchmarks, task), arguments)
                print(json.dumps(row), file=log, flush=True)


def report(arguments):
    rows = list(read_log(arguments.log).values())
    solved = [row for row in rows if "code" in row]
    proved = [row for row in solved if row["code"] == 0]
    listed = [row for row in proved if row["certificate"]["states"]]
    print(f"{len(rows)} tasks, {len(solved)} solved, {len(proved)} proved by hipot-verify, "
          f"{len(listed)} of them with listed states.\n")
    print("| task | cost | expanded | listed | bytes | search | writing | checking "
          "| peak of solving, checking (MB) |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|")
    for row in solved:
        certificate = row["certificate"]
        states = certificate["states"] if row["code"] == 0 else "not proved"
        print(f"| {row['task']} | {row['cost']} | {row['expanded']} | {states} | {row['bytes']} "
              f"| {row['search']:.2f} | {certificate['seconds']:.2f} | {row['checking']:.2f} "
              f"| {row['peak'] >> 10}, {row['checker_peak'] >> 10} |")
    for row in solved:
        if row["code"]:
            print(f"\n- {row['task']}: {row['heuristic']}, symmetries: {row['symmetries']}; "
                  f"{row['verdict'].strip()}")
    unsolved = [row["task"] for row in rows if "code" not in row]
    print(f"\nNot solved: {', '.join(unsolved) or 'none'}.")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("list")
    command.add_argument("--log", type=pathlib.Path, required=True)
    command.add_argument("--seconds", type=float, default=20)
    command.set_defaults(call=make_list)
    command = commands.add_parser("run")
    command.add_argument("benchmarks", type=pathlib.Path, nargs="+")
    command.add_argument("--log", type=pathlib.Path, required=True)
    command.add_argument("--hipot", default=ROOT / "target/release/hipot")
    command.add_argument("--verifier", default=ROOT / "target/release/hipot-verify")
    command.add_argument("--seconds", type=int, default=30)
    command.add_argument("--memory", default="4G")
    command.add_argument("--tasks", type=pathlib.Path, default=HERE / "tasks.txt")
    command.add_argument("--share", default="1/1", help="I/N: every N-th task, from the I-th")
    command.set_defaults(call=run)
    command = commands.add_parser("report")
    command.add_argument("--log", type=pathlib.Path, required=True)
    command.set_defaults(call=report)
    arguments = parser.parse_args()
    arguments.call(arguments)


if __name__ == "__main__":
    main()
