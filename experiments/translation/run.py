#!/usr/bin/env python3
"""hipot translate and Fast Downward's translator on the same PDDL tasks.

Each task goes through both, one after the other, each in a process of its own
with 60 CPU seconds and 8 GB; sizes, CPU seconds and peak memory are recorded.
For some tasks of each domain hipot then searches on Fast Downward's task for
a second and, if that was enough, Fast Downward on hipot's for ten: the optimal
costs must agree. Records go
to a file line by line, so that an interrupted run can go on; `report` reads
them. The peer comes from PyPI (package up-fast-downward).

    cargo build --release
    python3 -m venv target/peer && target/peer/bin/pip install up-fast-downward
    target/peer/bin/python experiments/translation/run.py run --benchmarks DIR
    target/peer/bin/python experiments/translation/run.py report
    target/peer/bin/python experiments/translation/run.py growth

DIR holds suites, a suite holds domains, and a domain holds PDDL files.
"""

import argparse
import collections
import datetime
import hashlib
import json
import math
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

TRANSLATE_SECONDS, MEMORY = 60, 8 << 30
SEARCH_SECONDS, PEER_SEARCH_SECONDS = 1, 10
SIZES = ("variables", "derived_variables", "facts", "operators", "goals", "mutex_groups", "axioms")
PEER_NAMES = {"derived_variables": "derived variables", "goals": "goal facts",
              "mutex_groups": "mutex groups"}
LARGEST = ("airport", "satellite", "logistics98", "pipesworld-tankage", "tidybot-opt11-strips",
           "parcprinter-08-strips", "openstacks-strips", "trucks-strips")


def problems(benchmarks):
    """All problems, in an order that mixes the domains but is always the same."""
    found = [p for p in benchmarks.glob("*/*/*.pddl") if "domain" not in p.name]
    return sorted(found, key=lambda p: hashlib.md5(str(p.relative_to(benchmarks)).encode()).digest())


def measure(command, seconds, stdin=None):
    """Runs a command under limits: exit code, output, CPU seconds, peak bytes."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    with tempfile.TemporaryFile() as out:
        child = subprocess.Popen(command, stdin=stdin, stdout=out, stderr=subprocess.DEVNULL,
                                 preexec_fn=limit)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        text = out.read().decode(errors="replace")
    return child.returncode, text, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def translate_here(hipot, problem, sas):
    command = [hipot, "translate", "--json", "-q", problem, "-o", sas]
    code, text, seconds, memory = measure(command, TRANSLATE_SECONDS)
    sizes = json.loads(text).get("task") if text else None
    return {"code": code, "seconds": seconds, "memory": memory, "sizes": sizes if code == 0 else None}


def translate_there(problem, sas):
    command = [sys.executable, "-m", "fast_downward.translate", domain_of(problem), problem,
               "--sas-file", sas]
    code, text, seconds, memory = measure(command, TRANSLATE_SECONDS)
    sizes = None
    if code == 0:
        number = lambda name: int(re.search(rf"^Translator {name}: (\d+)$", text, re.M)[1])
        sizes = {size: number(PEER_NAMES.get(size, size)) for size in SIZES}
    return {"code": code, "seconds": seconds, "memory": memory, "sizes": sizes}


def cost_by_hipot(hipot, sas):
    command = [hipot, "solve", "--json", "-q", "--heuristic", "blind", "--plan-file", os.devnull,
               "--time-limit", str(SEARCH_SECONDS), sas]
    code, text, _, _ = measure(command, SEARCH_SECONDS + 1)
    return json.loads(text)["cost"] if code == 0 else "unsolvable" if code == 11 else None


def cost_by_peer(binary, sas):
    command = [binary, "--search", "astar(blind())", "--internal-plan-file", os.devnull]
    with open(sas) as stdin:
        code, text, _, _ = measure(command, PEER_SEARCH_SECONDS, stdin)
    if code in (11, 12):
        return "unsolvable"
    found = re.search(r"Plan cost: (\d+)", text)
    return int(found[1]) if code == 0 and found else None


def record(hipot, peer, benchmarks, problem, folder, with_costs):
    ours, theirs = folder / "ours.sas", folder / "theirs.sas"
    row = {"task": str(problem.relative_to(benchmarks))}
    row["hipot"] = translate_here(hipot, problem, ours)
    row["fd"] = translate_there(problem, theirs)
    if with_costs and row["hipot"]["code"] == row["fd"]["code"] == 0:
        row["cost_theirs"] = cost_by_hipot(hipot, theirs)
        row["cost_ours"] = cost_by_peer(peer, ours) if row["cost_theirs"] is not None else None
    return row


def run(arguments):
    peer = find_peer()
    if peer is None:
        print("up-fast-downward is not installed for this Python: nothing to compare with")
        return
    done = set()
    if arguments.records.exists():
        done = {json.loads(line)["task"] for line in arguments.records.open()}
    with tempfile.TemporaryDirectory() as folder, arguments.records.open("a") as out:
        of_domain = collections.Counter()
        for problem in problems(arguments.benchmarks):
            task = str(problem.relative_to(arguments.benchmarks))
            of_domain[problem.parent] += 1
            if task in done or arguments.only not in task:
                continue
            with_costs = of_domain[problem.parent] <= arguments.costs
            row = record(arguments.hipot, peer, arguments.benchmarks, problem,
                         pathlib.Path(folder), with_costs)
            out.write(json.dumps(row) + "\n")
            out.flush()


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def verdict(row):
    """How the sizes compare: equal, better, or worse."""
    ours, theirs = row["hipot"]["sizes"], row["fd"]["sizes"]
    if all(ours[size] == theirs[size] for size in SIZES):
        return "equal"
    smaller = ("variables", "derived_variables", "facts", "operators")
    return "better" if all(ours[size] <= theirs[size] for size in smaller) else "worse"


def report(arguments):
    rows = [json.loads(line) for line in arguments.records.open()]
    print(f"## {datetime.date.today()}, {len(rows)} tasks\n")
    ours = [row for row in rows if row["hipot"]["code"] == 0]
    theirs = [row for row in rows if row["fd"]["code"] == 0]
    both = [row for row in ours if row["fd"]["code"] == 0]
    lost = [row["task"] for row in theirs if row["hipot"]["code"] != 0]
    print(f"Within {TRANSLATE_SECONDS} CPU seconds hipot translates {len(ours)} tasks, Fast Downward "
          f"{len(theirs)}; only Fast Downward: {', '.join(lost) or 'none'}.\n")
    domains = collections.defaultdict(list)
    for row in both:
        domains[row["task"].rsplit("/", 1)[0]].append(row)
    print("| domain | tasks | equal | better | worse | costs compared |\n|---|--:|--:|--:|--:|--:|")
    disputes = []
    for domain, of_domain in sorted(domains.items()):
        counts = collections.Counter(map(verdict, of_domain))
        costs = [row for row in of_domain
                 if row.get("cost_ours") is not None and row.get("cost_theirs") is not None]
        disputes += [row["task"] for row in costs if row["cost_ours"] != row["cost_theirs"]]
        print(f"| {domain} | {len(of_domain)} | {counts['equal']} | {counts['better']} "
              f"| {counts['worse']} | {len(costs)} |")
    print(f"\nOptimal costs that differ: {', '.join(disputes) or 'none'}.\n")
    report_speed(both)


def report_speed(both):
    slow = [row for row in both if row["fd"]["seconds"] > 1]
    times = [row["fd"]["seconds"] / row["hipot"]["seconds"] for row in slow]
    memories = [row["fd"]["memory"] / row["hipot"]["memory"] for row in slow]
    print(f"On the {len(slow)} tasks on which Fast Downward takes more than 1 CPU second, hipot is "
          f"**{geometric_mean(times):.1f} times** as fast (geometric mean; least {min(times):.1f}), "
          f"and needs **{geometric_mean(memories):.1f} times** less memory "
          f"(least {min(memories):.1f}).\n")
    print("The largest of some domains:\n\n| task | operators | hipot s | FD s | ratio | hipot MB "
          "| FD MB | ratio |\n|---|--:|--:|--:|--:|--:|--:|--:|")
    for domain in LARGEST:
        of_domain = [row for row in both if row["task"].split("/")[-2] == domain]
        if not of_domain:
            continue
        row = max(of_domain, key=lambda row: row["fd"]["seconds"])
        mine, peer = row["hipot"], row["fd"]
        print(f"| {row['task']} | {mine['sizes']['operators']} | {mine['seconds']:.2f} "
              f"| {peer['seconds']:.2f} | {peer['seconds'] / mine['seconds']:.1f} "
              f"| {mine['memory'] >> 20} | {peer['memory'] >> 20} "
              f"| {peer['memory'] / mine['memory']:.1f} |")


# A family whose operators grow with the cube of its size: carriers bring
# parcels from any place to any other, so that nothing but size changes.
DOMAIN = """(define (domain couriers) (:requirements :strips :typing)
  (:types courier place parcel)
  (:predicates (at ?c - courier ?p - place) (lies ?x - parcel ?p - place)
               (holds ?c - courier ?x - parcel))
  (:action go :parameters (?c - courier ?from ?to - place)
    :precondition (at ?c ?from) :effect (and (at ?c ?to) (not (at ?c ?from))))
  (:action take :parameters (?c - courier ?x - parcel ?p - place)
    :precondition (and (at ?c ?p) (lies ?x ?p))
    :effect (and (holds ?c ?x) (not (lies ?x ?p))))
  (:action leave :parameters (?c - courier ?x - parcel ?p - place)
    :precondition (and (at ?c ?p) (holds ?c ?x))
    :effect (and (lies ?x ?p) (not (holds ?c ?x)))))
"""


def couriers(places):
    couriers, parcels = places // 4, places // 4
    names = lambda letter, count: " ".join(f"{letter}{i}" for i in range(count))
    init = [f"(at c{i} p{i % places})" for i in range(couriers)]
    init += [f"(lies x{i} p{2 * i % places})" for i in range(parcels)]
    goal = [f"(lies x{i} p{(3 * i + 1) % places})" for i in range(parcels)]
    return (f"(define (problem couriers-{places}) (:domain couriers)\n"
            f"(:objects {names('c', couriers)} - courier {names('p', places)} - place "
            f"{names('x', parcels)} - parcel)\n(:init {' '.join(init)})\n"
            f"(:goal (and {' '.join(goal)})))\n")


def growth(arguments):
    """Time for each operator of a family of growing tasks."""
    print("| places | operators | seconds | µs an operator |\n|--:|--:|--:|--:|")
    results = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "domain.pddl").write_text(DOMAIN)
        for places in (52, 112, 240):
            problem = folder / f"p{places}.pddl"
            problem.write_text(couriers(places))
            runs = [translate_here(arguments.hipot, problem, folder / "o.sas") for _ in range(5)]
            operators = runs[0]["sizes"]["operators"]
            seconds = min(run["seconds"] for run in runs)
            results.append((operators, seconds))
            print(f"| {places} | {operators} | {seconds:.3f} | {seconds / operators * 1e6:.2f} |")
    for (few, short), (many, long) in zip(results, results[1:]):
        print(f"\n{many / few:.1f} times the operators take {long / short:.1f} times as long.")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("job", choices=("run", "report", "growth"))
    parser.add_argument("--benchmarks", type=pathlib.Path, default=ROOT / "target/ipc")
    parser.add_argument("--hipot", type=pathlib.Path, default=ROOT / "target/release/hipot")
    parser.add_argument("--records", type=pathlib.Path, default=ROOT / "target/translation.jsonl")
    parser.add_argument("--only", default="", help="only tasks with this in their name")
    parser.add_argument("--costs", type=int, default=8, metavar="N",
                        help="compare the optimal costs of N tasks of each domain")
    arguments = parser.parse_args()
    {"run": run, "report": report, "growth": growth}[arguments.job](arguments)


if __name__ == "__main__":
    main()
