"""What the scripts share: where Fast Downward and SymK are, and where a domain stands."""

import importlib.util
import os
import pathlib


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
