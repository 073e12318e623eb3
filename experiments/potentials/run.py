#!/usr/bin/env python3
"""Two-dimensional potentials on IPC tasks: bounds, LP sizes, seconds.

`bounds` computes pot(dim=2) for ten tasks that were out of reach for LPs as the
paper writes them; `growth` shows how the reduced LP grows with the instance in
domains with interchangeable objects; `sweep` takes every 8th task (or Nth), 60 seconds
and 4 GB each, and counts where pot(dim=2) is certified, and where at least
pot(dim=1); `plain` measures the reduced LP against the one that the paper writes,
solved by HiGHS with its defaults, on one task of each domain. One core; each task
in a process of its own.

    cargo build --release
    python3 experiments/potentials/run.py bounds --benchmarks DIR

DIR holds the IPC tasks, a folder for each domain. `plain` needs a program more:

    cargo build --release -p hipot-potential --example plain_lp
"""

import argparse
import collections
import concurrent.futures
import datetime
import json
import math
import pathlib
import re
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Tasks, and the LP's optimum rounded up where it is known.
BOUNDS = {
    "freecell/p02": 14, "mystery/prob03": 4, "barman-opt11-strips/pfile01-001": 74,
    "gripper/prob20": None, "elevators-opt08-strips/p02": 26, "depot/p02": 15,
    "logistics98/prob01": None, "childsnack-opt14-strips/child-snack_pfile01-2": 21,
    "pipesworld-notankage/p05-net1-b10-g4": None, "woodworking-opt08-strips/p05": None,
}

GROWTH = {
    "gripper": ["prob01", "prob05", "prob10", "prob20"],
    "childsnack-opt14-strips": ["child-snack_pfile01-2", "child-snack_pfile04-2",
                                "child-snack_pfile07-2", "child-snack_pfile10-2"],
    "barman-opt11-strips": ["pfile01-001", "pfile04-013", "pfile05-017"],
    "visitall-opt11-strips": ["problem02-full", "problem05-full", "problem08-full",
                              "problem11-full"],
}


def bound(hipot, problem, *options):
    """The report of `hipot bound`, or nothing, and the elapsed seconds."""
    command = [hipot, "bound", "--json", "-q", "--heuristic", "pot(dim=2, mutexes=none)", problem]
    begin = time.monotonic()
    result = subprocess.run([*command, *options], capture_output=True, text=True)
    seconds = time.monotonic() - begin
    return (json.loads(result.stdout) if result.returncode in (0, 11) else None), seconds


def bounds(arguments):
    print("| task | bound | exact | rows | columns | nonzeros | method | seconds |")
    print("|---|--:|--:|--:|--:|--:|---|--:|")
    for task, expected in BOUNDS.items():
        report, seconds = bound(arguments.hipot, arguments.benchmarks / f"{task}.pddl",
                                "--time-limit", "60")
        if report is None:
            print(f"| {task} | – | – | – | – | – | – | more than 60 |", flush=True)
            continue
        heuristic = report["heuristic"]
        if expected not in (None, heuristic["initial"]):
            raise SystemExit(f"{task}: the bound is {heuristic['initial']}, not {expected}")
        numerator, _, denominator = heuristic["initial_exact"].partition("/")
        exact, lp = int(numerator) / int(denominator or 1), heuristic["lp"]
        print(f"| {task} | {heuristic['initial']} | {exact:.5f} | {lp['rows']} | {lp['columns']} "
              f"| {lp['nonzeros']} | {lp['method']} | {seconds:.2f} |", flush=True)


def growth(arguments):
    print("| task | facts | operators | rows | columns | nonzeros | seconds |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    for domain, problems in GROWTH.items():
        for problem in problems:
            path = arguments.benchmarks / domain / f"{problem}.pddl"
            report, seconds = bound(arguments.hipot, path, "--time-limit", "60")
            if report is None or report["heuristic"]["spec"].startswith("pot(dim=1"):
                print(f"| {domain}/{problem} | – | – | – | – | – | more than 60 |", flush=True)
                continue
            task, lp = report["task"], report["heuristic"]["lp"]
            print(f"| {domain}/{problem} | {task['facts']} | {task['operators']} | {lp['rows']} "
                  f"| {lp['columns']} | {lp['nonzeros']} | {seconds:.2f} |", flush=True)


def by_numbers(path):
    """Sorts p2 before p10."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", str(path))]


def is_solved(heuristic):
    """Whether the function is within 0.1% of the LP's optimum, or is known to have the same
    bound. Of an LP that was cut short, only the former is known: its optimum is estimated, with
    all that may be missing."""
    lp = heuristic["lp"]
    optimum, gap = lp["objective"], lp["gap"] or 0.0
    has_best_bound = math.ceil(optimum - 1e-6) <= heuristic["initial"]
    return gap <= 1e-3 * (1 + abs(optimum)) or not heuristic["fallbacks"] and has_best_bound


def extent(heuristic):
    """What a report's heuristic is: full, begun, chosen, atomic, or nothing."""
    spec = heuristic.get("spec", "")
    if spec.startswith("pot(dim=2"):
        return ("chosen" if not heuristic["complete"] else
                "full" if is_solved(heuristic) else "begun")
    return "atomic" if spec.startswith("pot(dim=1") else "–"


def sweep(arguments):
    problems = sorted((path for path in arguments.benchmarks.glob("*/*.pddl")
                       if "domain" not in path.name), key=by_numbers)[::arguments.every]
    if arguments.open_in:
        left = open_in_table(arguments.open_in)
        problems = [path for path in problems if name_of(arguments, path) in left]
    before = bounds_of_table(arguments.before) if arguments.before else {}
    print("| task | features | bound | before | nonzeros | seconds |\n|---|---|--:|--:|--:|--:|")
    counts, changes = collections.Counter(), collections.Counter()
    run = lambda path: bound(arguments.hipot, path, "--time-limit", "60", "--memory-limit", "4G")
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for path, (report, seconds) in zip(problems, pool.map(run, problems)):
            heuristic = (report or {}).get("heuristic") or {}
            counts[extent(heuristic)] += 1
            name = name_of(arguments, path)
            lp, now = heuristic.get("lp") or {}, (report or {}).get("lower_bound")
            if name in before and now is not None:
                changes["higher" if now > before[name] else "lower" if now < before[name] else "same"] += 1
            print(f"| {name} | {extent(heuristic)} | {'–' if now is None else now} "
                  f"| {before.get(name, '–')} | {lp.get('nonzeros', '–')} | {seconds:.1f} |", flush=True)
    total, full, least = len(problems), counts["full"], len(problems) - counts["–"]
    print(f"\n{total} tasks: all pairs for {full} ({full / total:.1%}), all pairs but not to the end "
          f"for {counts['begun']}, chosen pairs for {counts['chosen']}, at least pot(dim=1) for "
          f"{least} ({least / total:.1%}).")
    if before:
        print(f"\nThan before: {changes['higher']} bounds higher, {changes['same']} the same, "
              f"{changes['lower']} lower.")


def name_of(arguments, path):
    return str(path.relative_to(arguments.benchmarks).with_suffix(""))


def open_in_table(file):
    """The tasks of an earlier sweep whose LP over all pairs was not solved."""
    rows = (line.split("|") for line in file.read_text().splitlines() if "/" in line)
    return {row[1].strip() for row in rows if len(row) > 3 and row[2].strip() != "full"}


def bounds_of_table(file):
    """The bounds of an earlier sweep."""
    rows = (line.split("|") for line in file.read_text().splitlines() if line.startswith("| "))
    return {row[1].strip(): int(row[3]) for row in rows if row[3].strip().isdigit()}


# Domains whose task has a larger plain LP are left out of `plain`: building it
# takes gigabytes, and both ways would only be stopped at their limit.
MOST_NONZEROS = 1_200_000


def chosen(folder):
    """The task 30% down the list of a domain, by its numbers."""
    problems = sorted((path for path in folder.glob("*.pddl") if "domain" not in path.name),
                      key=by_numbers)
    return problems[len(problems) * 3 // 10]


def both_ways(arguments, problem):
    """What plain_lp says about a task, or an error."""
    with tempfile.TemporaryDirectory() as folder:
        sas, limit = pathlib.Path(folder, "task.sas"), arguments.plain_limit
        for command in ([arguments.hipot, "translate", "-q", problem, "-o", sas],
                        [arguments.plain_lp, sas, str(limit), str(MOST_NONZEROS)]):
            try:
                result = subprocess.run(command, capture_output=True, text=True,
                                        timeout=2 * limit + 300)
            except subprocess.TimeoutExpired:
                return {"error": f"{command[0].name} did not end"}
            if result.returncode != 0:
                return {"error": (result.stderr.strip().splitlines() or ["no message"])[-1]}
    return json.loads(result.stdout)


def measured(arguments, problem):
    """What the log has about a task, or else what is measured now."""
    name = f"{problem.parent.name}/{problem.stem}"
    for line in arguments.log.read_text().splitlines():
        if json.loads(line)["name"] == name:
            return json.loads(line)
    report = {"name": name, **both_ways(arguments, problem)}
    with arguments.log.open("a") as log:
        log.write(json.dumps(report) + "\n")
    return report


def plain_bound(plain):
    """The plain LP's optimum, rounded up as far as the tolerance allows."""
    objective = plain["objective"]
    return None if objective is None else math.ceil(objective - min(1e-2, 1e-6 * (1 + abs(objective))))


def plain_row(name, report):
    """A line of the table, and the ratio of the times."""
    plain, ours = report["plain"], report["ours"]
    ratio = plain["seconds"] / ours["seconds"]
    optimum = plain_bound(plain)
    bounds = f"{'–' if optimum is None else optimum} | {ours.get('bound') or ours['error'] or 0}"
    more = "" if plain["ended"] else "> "
    print(f"| {name} | {plain['nonzeros']} | {ours.get('nonzeros', '–')} "
          f"| {more}{plain['seconds']:.4g} | {ours['seconds']:.4g} | {more}{ratio:.3g} | {bounds} "
          f"| {plain['end']} |", flush=True)
    return ratio


def plain(arguments):
    arguments.log.touch()
    folders = sorted(path for path in arguments.benchmarks.iterdir() if path.is_dir())
    problems = [chosen(folder) for folder in folders]
    print("| task | plain nonzeros | our nonzeros | plain seconds | our seconds | ratio "
          "| plain bound | our bound | plain end |\n|---|--:|--:|--:|--:|--:|--:|--:|---|")
    ratios, left_out, differ, stopped = [], [], [], 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for report in pool.map(lambda problem: measured(arguments, problem), problems):
            name = report["name"]
            if "ours" not in report:
                why = report.get("error") or f"{report['plain']['nonzeros']} nonzeros"
                left_out.append(f"{name} ({why})")
                continue
            ratios.append(plain_row(name, report))
            stopped += not report["plain"]["ended"]
            if plain_bound(report["plain"]) not in (None, report["ours"].get("bound")):
                differ.append(name)
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    print(f"\n{len(ratios)} tasks of as many domains: geometric mean of the ratios {mean:.1f}, "
          f"least {min(ratios):.3g}; {stopped} plain solves stopped at {arguments.plain_limit:g} s."
          f"\n\nBounds that differ: {', '.join(differ) or 'none'}."
          f"\n\nLeft out, with more than {MOST_NONZEROS} nonzeros: "
          f"{', '.join(left_out) or 'none'}.")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("job", choices=("bounds", "growth", "sweep", "plain"))
    parser.add_argument("--benchmarks", type=pathlib.Path,
                        default=ROOT / "target/ipc/optimal-strips")
    parser.add_argument("--hipot", type=pathlib.Path, default=ROOT / "target/release/hipot")
    parser.add_argument("--every", type=int, default=8, metavar="N",
                        help="sweep: every Nth task of all")
    parser.add_argument("--plain-lp", type=pathlib.Path, help="plain: the program",
                        default=ROOT / "target/release/examples/plain_lp")
    parser.add_argument("--plain-limit", type=float, default=300, metavar="SECONDS",
                        help="plain: the limit of each way")
    parser.add_argument("--log", type=pathlib.Path, default=ROOT / "target/plain.jsonl",
                        help="plain: where results are kept; what is there is not repeated")
    parser.add_argument("--before", type=pathlib.Path, metavar="FILE",
                        help="sweep: the table of an earlier one, to compare with")
    parser.add_argument("--open-in", type=pathlib.Path, metavar="FILE",
                        help="sweep: only the tasks that this table does not have in full")
    parser.add_argument("--jobs", type=int, default=1, metavar="N",
                        help="sweep, plain: so many tasks at once")
    arguments = parser.parse_args()
    print(f"## {datetime.date.today()}, {arguments.job}\n")
    {"bounds": bounds, "growth": growth, "sweep": sweep,
     "plain": plain}[arguments.job](arguments)


if __name__ == "__main__":
    main()
