"""What the scripts share: which tasks are run, and the log of what came out."""

import json
import re


def by_numbers(path):
    """Sorts p2 before p10."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", str(path))]


def problems(folder):
    """The problems of a domain, in the order of their numbers."""
    return sorted((path for path in folder.glob("*.pddl") if "domain" not in path.name),
                  key=by_numbers)


def chosen(benchmarks, between):
    """The tasks: at least two of each domain, evenly spread, or those halfway between them."""
    for folder in sorted(path for path in benchmarks.iterdir() if path.is_dir()):
        found = problems(folder)
        step = max(1, len(found) // 2)
        yield from found[step // 2 if between else 0::step]


def read_log(*logs):
    rows = (json.loads(line) for log in logs if log.exists() for line in log.read_text().splitlines())
    return {(row["task"], row["configuration"]): row for row in rows}
