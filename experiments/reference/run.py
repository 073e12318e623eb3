#!/usr/bin/env python3
"""Checks hipot against a table of values from an independent program.

For each task of the table: `hipot bound` with pot(dim=1) and pot(dim=2) must
give the table's value rounded up, certified; `hipot verify` must accept the
certificate, and reject it with the bound or the constant raised by one, for
another task, and cut in half (weights raised where a constraint binds are
tested in `crates/hipot/tests/reference.rs`); `hipot solve` with pot(dim=2) must find
a plan of the table's optimal cost without reopening a state, and must expand
nothing before the last f layer where the initial value is perfect.

    cargo build --release
    python3 experiments/reference/run.py --table TABLE.tsv --tasks FOLDER
"""

import argparse
import datetime
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile
import time
from fractions import Fraction

ROOT = pathlib.Path(__file__).resolve().parents[2]


def read_table(path):
    lines = [line.rstrip("\n") for line in open(path) if not line.startswith("#")]
    columns = lines[0].split("\t")
    return [dict(zip(columns, line.split("\t"))) for line in lines[1:]]


class Checker:
    def __init__(self, hipot, folder):
        self.hipot, self.folder = hipot, folder
        self.failures = []

    def run(self, *arguments):
        command = [self.hipot, *map(str, arguments), "--json", "-q"]
        ended = subprocess.run(command, text=True, capture_output=True, cwd=self.folder)
        return ended.returncode, json.loads(ended.stdout)

    def expect(self, condition, task, message):
        if not condition:
            self.failures.append(f"{task}: {message}")
            print(f"  FAILED {task}: {message}", flush=True)

    def bound(self, sas, dimension, expected):
        """Checks the bound and its certificate; the exact value."""
        spec = f"pot(dim={dimension}, mutexes=none)"
        code, report = self.run("bound", sas, "--heuristic", spec, "--certificate", "certificate")
        heuristic = report["heuristic"]
        rounded = math.ceil(float(expected) - 1e-4)
        self.expect(code == 0 and heuristic["initial"] == rounded, sas.name,
                    f"{spec} gives {heuristic['initial']}, the table {expected}")
        exact = Fraction(heuristic["initial_exact"])
        self.expect(abs(exact - Fraction(expected)) <= Fraction("0.0005") * (1 + abs(exact)),
                    sas.name, f"{spec} is exactly {exact}, the table has {expected}")
        self.expect(heuristic["certified"] is True, sas.name, "not certified")
        self.certificate(sas, heuristic["initial"])
        return heuristic

    def certificate(self, sas, bound):
        file = pathlib.Path(self.folder, "certificate")
        text = file.read_text()
        code, report = self.run("verify", sas, "certificate")
        self.expect(code == 0 and report["lower_bound"] == bound, sas.name, f"verify: {report}")
        changed = {
            "bound + 1": re.sub(r"claim bound \d+", f"claim bound {bound + 1}", text),
            "another task": re.sub("sha256:[0-9a-f]{8}", "sha256:00000000", text),
            "constant + 1": re.sub(r"constant (-?\d+)", lambda m: f"constant {int(m[1]) + 1}", text),
        }
        for name, other in changed.items():
            file.write_text(other)
            code, report = self.run("verify", sas, "certificate")
            self.expect(code == 1 and report["reason"], sas.name, f"verify accepts {name}")
        file.write_text(text[: len(text) // 2])
        code, _ = self.run("verify", sas, "certificate")
        self.expect(code == 31, sas.name, "verify accepts half a certificate")

    def solve(self, sas, optimal, limit):
        code, report = self.run("solve", sas, "--heuristic", "pot(dim=2)", "--plan-file", "plan",
                                "--time-limit", limit)
        if report["status"] in ("time-limit", "memory-limit"):
            return None
        search = report["search"]
        self.expect(code == 0 and str(report["cost"]) == optimal, sas.name,
                    f"cost {report['cost']}, the table has {optimal}")
        self.expect(search["reopened"] == 0, sas.name, "states were reopened")
        if report["heuristic"]["initial"] == report["cost"]:
            self.expect(search["expanded_until_last_jump"] == 0, sas.name,
                        "states were expanded before the last layer")
        return search["expanded"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--table", type=pathlib.Path, required=True)
    parser.add_argument("--tasks", type=pathlib.Path, required=True)
    parser.add_argument("--hipot", type=pathlib.Path, default=ROOT / "target/release/hipot")
    parser.add_argument("--solve-limit", default="60s")
    arguments = parser.parse_args()
    rows = read_table(arguments.table)
    print(f"{datetime.date.today()}, {len(rows)} tasks\n")
    print("| task | pot1 | pot2 | exact | rung | method | LP nonzeros | LP s | expanded | total s |")
    print("|---|--:|--:|--:|---|---|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as folder:
        checker = Checker(arguments.hipot.resolve(), folder)
        for row in rows:
            sas = (arguments.tasks / row["task"]).resolve()
            begin = time.time()
            one = checker.bound(sas, 1, row["pot1"])
            two = checker.bound(sas, 2, row["pot2"])
            expanded = None
            if row["hstar"]:
                expanded = checker.solve(sas, row["hstar"], arguments.solve_limit)
            lp = two["lp"]
            exact = float(Fraction(two["initial_exact"]))
            print(f"| {sas.stem} | {one['initial']} | {two['initial']} | {exact:.5f} | {lp['rung']} "
                  f"| {lp['method']} | {lp['nonzeros']} | {lp['seconds']:.2f} "
                  f"| {'–' if expanded is None else expanded} | {time.time() - begin:.1f} |",
                  flush=True)
    print(f"\n{len(rows)} tasks, {len(checker.failures)} failures")
    sys.exit(1 if checker.failures else 0)


if __name__ == "__main__":
    main()
