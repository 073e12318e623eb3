"""Downward Lab runs hipot and understands everything that it says."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT, make_command

pytest.importorskip("lab")

COUNTS = ["evaluations", "evaluated", "expansions", "generated", "reopened"]
JUMPS = [f"{what}_until_last_jump" for what in COUNTS if what != "evaluated"]
PRESENT = [
    *COUNTS,
    *JUMPS,
    *["dead_ends", "initial_h_value", "search_time", "total_time", "planner_time"],
    *["memory", "planner_memory", "translator_variables", "translator_operators"],
    *["score_expansions", "score_search_time", "score_memory", "score_planner_time"],
]


@pytest.fixture(scope="module")
def properties(
    tmp_path_factory: pytest.TempPathFactory,
) -> dict[str, dict[str, object]]:
    """What Lab's parsers find after the experiment in the documentation was run."""
    folder = tmp_path_factory.mktemp("lab")
    text = (ROOT / "docs/editors.md").read_text()
    (block,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    script = folder / "experiment.py"
    script.write_text(block)
    command = make_command(folder / "bin")
    path = os.pathsep.join([str(command.parent), os.defpath])
    subprocess.run(
        [sys.executable, script, "--all"],
        cwd=ROOT,
        env={**os.environ, "PATH": path},
        check=True,
        timeout=600,
    )
    (found,) = folder.glob("data/*-eval/properties")
    return json.loads(found.read_text())


def test_solved_tasks_have_every_attribute(
    properties: dict[str, dict[str, object]],
) -> None:
    solved = [run for run in properties.values() if run["domain"] == "frogs"]
    assert [run["algorithm"] for run in solved] == ["blind", "pot(dim=2)"]
    for run in solved:
        assert (run["coverage"], run["cost"], run["plan_length"]) == (1, 8, 8)
        assert (run["error"], run["unsolvable"]) == ("success", 0)
        assert [name for name in PRESENT if name not in run] == []
    assert [run["initial_h_value"] for run in solved] == [1, 8]
    assert [run["limit_search_memory"] for run in solved] == [3584, 3584]


def test_tasks_without_a_plan_are_told_apart(
    properties: dict[str, dict[str, object]],
) -> None:
    unsolvable = [run for run in properties.values() if run["domain"] == "raft"]
    assert len(unsolvable) == 2
    for run in unsolvable:
        assert (run["coverage"], run["unsolvable"]) == (0, 1)
        assert run["error"] == "search-unsolvable"


def test_nothing_is_unexplained(properties: dict[str, dict[str, object]]) -> None:
    assert len(properties) == 4
    for run in properties.values():
        assert run.get("unexplained_errors", []) == []


def test_limits_are_explained(tmp_path: Path) -> None:
    """Lab's outcomes know the exit code of a limit, if the log says that it has one."""
    from downward.parsers.exitcode_parser import parse_exit_code
    from lab.tools import Properties

    task = ROOT / "examples" / "coffee.sas"
    command = [sys.executable, "-m", "hipot", "solve", "--downward-log", str(task)]
    limits = ["--time-limit", "0.000001"]
    run = subprocess.run(
        [*command, *limits], cwd=tmp_path, capture_output=True, text=True
    )
    properties = Properties()
    properties["planner_exit_code"] = run.returncode
    parse_exit_code(run.stdout, properties)
    assert (properties["error"], run.stderr) == ("search-out-of-time", "")
    assert "unexplained_errors" not in properties
