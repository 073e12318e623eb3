"""What the scripts share: where Fast Downward and SymK are, where a domain stands, and how they solve a
task."""

import importlib.util
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile


def find_peer(name="up_fast_downward"):
    """The binary of the installed package up-fast-downward, or up-symk, or nothing."""
    package = importlib.util.find_spec(name)
    if package is None or importlib.util.find_spec("fast_downward.translate") is None:
        return None
    folder = pathlib.Path(package.origin).parent
    binaries = [p for p in folder.rglob("downward") if p.is_file() and os.access(p, os.X_OK)]
    return binaries[0] if binaries else None


def domain_of(problem):
    """The domain file beside a problem, by the names that are in use."""
    name = problem.name
    for candidate in ("domain.pddl", f"{problem.stem}-domain.pddl", f"{name[:3]}-domain.pddl",
                      f"domain_{name}", f"domain-{name}", name.replace("prob", "domain")):
        path = problem.with_name(candidate)
        if candidate != name and path.exists():
            return path
    raise FileNotFoundError(f"no domain beside {problem}")


def solve_with_peer(binary, search, problem, seconds, memory):
    """What Fast Downward or SymK finds for a task, with limits in seconds of processor time and bytes,
    both for the translator and the search together. A search with h^max is not for axioms."""
    with tempfile.TemporaryDirectory() as folder:
        sas = pathlib.Path(folder, "output.sas")
        translate = [sys.executable, "-m", "fast_downward.translate", domain_of(problem), problem,
                     "--sas-file", sas]
        code, _, translated = within(translate, seconds, memory)
        row = {"cost": None, "bound": None, "seconds": round(translated, 2)}
        if code != 0 or not sas.exists():
            return {"status": "translation", **row}
        if "hmax" in search and has_axioms(sas):
            return {"status": "unsupported", **row}
        command = [binary, "--search", search, "--internal-plan-file", f"{folder}/plan"]
        with sas.open() as task:
            code, text, used = within(command, max(1, seconds - translated), memory, task)
    row["seconds"] = round(translated + used, 2)
    if row["seconds"] > seconds + 1:
        # Memory may take long to be given back after the time is up.
        return {"status": "time-limit", **row}
    if found := re.search(r"Plan cost: (\d+)", text):
        return {"status": "solved", **row, "cost": int(found[1])}
    ends = {10: "unsolvable", 11: "unsolvable", 12: "unsolvable", 22: "memory-limit", 23: "time-limit",
            33: "unsupported", 34: "unsupported", -24: "time-limit", -9: "time-limit"}
    return {"status": ends.get(code, f"exit {code}"), **row}


def has_axioms(sas):
    """Whether a task in the SAS format has axioms: their number stands behind the operators."""
    lines = sas.read_text().splitlines()
    last = max((place for place, line in enumerate(lines) if line == "end_operator"), default=None)
    return last is not None and lines[last + 1] != "0"


def within(command, seconds, memory, stdin=None):
    """Runs a command within limits: exit status, output, seconds of processor time."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 1))
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    with tempfile.TemporaryFile() as out:
        child = subprocess.Popen(list(map(str, command)), stdin=stdin, stdout=out,
                                 stderr=subprocess.STDOUT, preexec_fn=limit)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        text = out.read().decode(errors="replace")
    return child.returncode, text, usage.ru_utime + usage.ru_stime
