#!/usr/bin/env python3
"""Certificates as proofs that VeriPB checks: sizes, seconds, and whether it rejects forged ones.

`run` takes tasks in the `.sas` format and a table with their optimal costs (columns `task` and `hstar`,
separated by tabs). For each task it makes a certificate of a function with features of one fact, or of two if
the bound is not the optimal cost, and certificates of searches; each is exported and checked if it
proves the optimal cost. Forged ones claim one more, with a constant or weights to match. All of them are
false, so none may be accepted. `report` prints tables.

    cargo build --release -p hipot-cli
    cargo install veripb
    python3 experiments/proofs/veripb.py run TASKS COSTS.tsv --log log.jsonl
    python3 experiments/proofs/veripb.py report --log log.jsonl
"""

import argparse
import csv
import json
import pathlib
import re
import resource
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]

FUNCTIONS = ["pot(dim=1, mutexes=none)", "pot(dim=2, mutexes=none)"]
SEARCHES = ["blind", "pot(dim=1, mutexes=none)"]


def measured(command, seconds):
    """Exit code, output, and processor seconds; the code is None if it takes too long."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return None, "", seconds
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done.returncode, done.stdout + done.stderr, spent


def forged(certificate):
    """Certificates that claim one more: nothing else changed, the constant, and some weights."""
    text, mark, states = certificate.partition(b"\nstates\n")
    higher = re.sub(rb"claim bound (\d+)", lambda it: b"claim bound %d" % (int(it[1]) + 1), text)
    yield higher + mark + states
    denominator = re.search(rb"\ndenominator (\d+)\n", higher)
    if not denominator:
        return
    more = int(denominator[1])
    constant = re.compile(rb"\nconstant (-?\d+)")
    yield constant.sub(lambda it: b"\nconstant %d" % (int(it[1]) + more), higher) + mark + states
    features = list(re.finditer(rb"\n(-?\d+)(?= \d+=)", higher))
    for feature in features[:: max(1, len(features) // 3)][:3]:
        weight = b"\n%d" % (int(feature[1]) + more)
        yield higher[: feature.start()] + weight + higher[feature.end():] + mark + states


def check(task, certificate, folder, arguments):
    """Exports a certificate and lets VeriPB check it."""
    prefix = folder / "out"
    export = [arguments.hipot, "export", task, certificate, "--format", "veripb", "-o", prefix]
    code, output, exporting = measured(export, arguments.seconds)
    if code != 0:
        return {"refused": output.strip() or "too slow"}
    files = [folder / "out.opb", folder / "out.pbp"]
    code, output, checking = measured([arguments.veripb, *files], arguments.seconds)
    sizes = [file.stat().st_size for file in files]
    return {"accepted": code == 0 and "s VERIFIED UNSATISFIABLE" in output, "too_slow": code is None,
            "formula": sizes[0], "proof": sizes[1], "exporting": exporting, "checking": checking}


def run_certificate(task, command, cost, folder, arguments):
    """Makes a certificate; None if it does not prove the cost."""
    certificate = folder / "proof"
    certificate.unlink(missing_ok=True)
    command = [arguments.hipot, *command, "-q", "--json", "--cpu-limit", str(arguments.seconds),
               "--memory-limit", "2G", "--certificate", certificate, task]
    code, output, _ = measured(command, 2 * arguments.seconds)
    if code != 0:
        return None
    report = json.loads(output)
    listed = (report.get("certificate") or {}).get("states", 0)
    text = certificate.read_bytes()
    claim = re.search(rb"\nclaim bound (\d+)\n", text)
    if not claim or int(claim[1]) != cost or listed > arguments.states:
        return None
    row = {"listed": listed, "certificate": len(text), **check(task, certificate, folder, arguments)}
    row["forged"] = row["caught"] = 0
    if row.get("accepted"):
        for forgery in forged(text):
            (folder / "forged").write_bytes(forgery)
            row["forged"] += 1
            judged = check(task, folder / "forged", folder, arguments)
            row["caught"] += judged.get("accepted") is False and not judged["too_slow"]
    return row


def run(arguments):
    lines = [line for line in arguments.costs.read_text().splitlines() if not line.startswith("#")]
    costs = {row["task"]: row["hstar"] for row in csv.DictReader(lines, delimiter="\t")}
    with arguments.log.open("a") as log, tempfile.TemporaryDirectory() as folder:
        for path in sorted(arguments.tasks.glob("*.sas")):
            if not costs.get(path.name):
                continue
            cost, folder = int(float(costs[path.name])), pathlib.Path(folder)
            kinds = [("function", "bound", FUNCTIONS), ("search", "solve", SEARCHES)]
            for kind, command, heuristics in kinds:
                for heuristic in heuristics:
                    options = [command, "--heuristic", heuristic]
                    if command == "solve":
                        options += ["--plan-file", folder / "plan"]
                    row = run_certificate(path, options, cost, folder, arguments)
                    if row:
                        what = {"task": path.stem, "kind": kind, "heuristic": heuristic}
                        print(json.dumps(what | {"cost": cost} | row), file=log, flush=True)
                        if kind == "function":
                            break


def report(arguments):
    rows = [json.loads(line) for line in arguments.log.read_text().splitlines()]
    for kind in ["function", "search"]:
        chosen = [row for row in rows if row["kind"] == kind]
        # A search that lists no state is a function.
        chosen = [row for row in chosen if kind == "function" or row["listed"]]
        accepted = [row for row in chosen if row.get("accepted")]
        forgeries, caught = (sum(row[key] for row in accepted) for key in ["forged", "caught"])
        tasks = {row["task"] for row in accepted}
        print(f"## {kind}: {len(accepted)} of {len(chosen)} accepted, of {len(tasks)} tasks; "
              f"{caught} of {forgeries} forged ones rejected\n")
        print("| task | heuristic | cost | listed | certificate | formula | proof | exporting | VeriPB |")
        print("|---|---|--:|--:|--:|--:|--:|--:|--:|")
        for row in accepted:
            name = row["heuristic"].replace(", mutexes=none", "")
            print(f"| {row['task'].replace('__', '/')} | {name} | {row['cost']} | {row['listed']} "
                  f"| {row['certificate']} | {row['formula']} | {row['proof']} "
                  f"| {row['exporting']:.2f} | {row['checking']:.2f} |")
        for row in chosen:
            if not row.get("accepted"):
                why = row.get("refused") or ("too slow" if row["too_slow"] else "rejected")
                print(f"\n- {row['task']}, {row['heuristic']}: {why}")
        print()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("run")
    command.add_argument("tasks", type=pathlib.Path)
    command.add_argument("costs", type=pathlib.Path)
    command.add_argument("--log", type=pathlib.Path, required=True)
    command.add_argument("--hipot", default=ROOT / "target/release/hipot")
    command.add_argument("--veripb", default="veripb")
    command.add_argument("--seconds", type=int, default=60)
    command.add_argument("--states", type=int, default=2000, help="most listed states")
    command.set_defaults(call=run)
    command = commands.add_parser("report")
    command.add_argument("--log", type=pathlib.Path, required=True)
    command.set_defaults(call=report)
    arguments = parser.parse_args()
    arguments.call(arguments)


if __name__ == "__main__":
    main()
