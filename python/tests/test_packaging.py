"""The package for planutils installs and runs, and knows all commands. Of the recipe
for Apptainer, which is not built here, the labels are true and the run script runs. The
scripts that make and try releases are sound."""

import importlib.resources
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT, make_command

import hipot

PACKAGE = ROOT / "packaging" / "planutils" / "hipot"
RECIPE = (ROOT / "packaging" / "apptainer" / "hipot.def").read_text()
SCRIPTS = [PACKAGE / name for name in ("install", "uninstall", "run")]
SCRIPTS += [ROOT / "scripts" / "release", ROOT / "packaging" / "try"]

DOMAIN = """
(define (domain lamps)
  (:requirements :adl :derived-predicates)
  (:predicates (on ?x) (linked ?x ?y) (lit ?x) (seen ?x) (done))
  {derived}
  (:action switch :parameters (?x) :precondition (and) :effect (on ?x))
  (:action finish :parameters (?x ?y) :precondition {condition} :effect {effect}))
"""
PROBLEM = """
(define (problem two) (:domain lamps)
  (:objects a b) (:init (linked a b)) (:goal (done)))
"""
LIGHT = "(:derived (lit ?y) (or (on ?y) (exists (?x) (and (linked ?x ?y) (lit ?x)))))"
ALL = "(and (done) (forall (?z) (seen ?z)))"
DIFFERENT = "(and (not (= ?x ?y)) (on ?x))"

# For each label a task that has what it names: condition, effect, derived predicate,
# and the optimal cost.
LABELS = {
    "SupportsDerivedPredicates": ("(lit ?y)", "(done)", LIGHT, 2),
    "SupportsUniversallyQuantifiedPreconditions": (
        "(forall (?z) (on ?z))",
        "(done)",
        "",
        3,
    ),
    "SupportsExistentiallyQuantifiedPreconditions": (
        "(exists (?z) (and (on ?z) (linked ?z ?y)))",
        "(done)",
        "",
        2,
    ),
    "SupportsUniversallyQuantifiedEffects": ("(on ?x)", ALL, "", 2),
    "SupportsNegativePreconditions": ("(not (on ?x))", "(done)", "", 1),
    "SupportsEqualityPreconditions": ("(and (= ?x ?y) (on ?x))", "(done)", "", 2),
    "SupportsInequalityPreconditions": (DIFFERENT, "(done)", "", 2),
    "SupportsConditionalEffects": (DIFFERENT, "(when (on ?y) (done))", "", 3),
    "SupportsImplyPreconditions": ("(imply (linked ?x ?y) (on ?y))", "(done)", "", 1),
}


def frogs(*, folder: Path = ROOT / "examples" / "frogs") -> list[str]:
    return [str(folder / "domain.pddl"), str(folder / "problem.pddl")]


def test_the_wheel_has_the_licenses_of_what_is_in_it() -> None:
    notices = importlib.resources.files("hipot") / "NOTICES.txt"
    text = notices.read_text()
    highs = ["highs-sys", "HiGHS/LICENSE.txt", "pdqsort", "filereaderlp"]
    for name in [*highs, "pyo3", "Rust's standard library"]:
        assert name in text
    # The lab is not part of the wheel.
    assert "rusqlite" not in text


@pytest.mark.parametrize("file", SCRIPTS, ids=lambda file: file.name)
def test_scripts_are_sound(file: Path) -> None:
    assert os.access(file, os.X_OK)
    subprocess.run(["/bin/bash", "-n", file], check=True)
    beside = Path(sys.executable).parent
    if shellcheck := shutil.which("shellcheck", path=f"{beside}:{os.defpath}"):
        subprocess.run([shellcheck, file], check=True)


def test_the_script_for_planutils_knows_all_commands(tmp_path: Path) -> None:
    command = make_command(tmp_path / "bin")
    shown = subprocess.run(
        [command, "help"], check=True, capture_output=True, text=True
    )
    (listed,) = re.findall(r"^Commands:\n((?:  .*\n)+)", shown.stdout, re.MULTILINE)
    commands = set(re.findall(r"^  ([a-z]+)", listed, re.MULTILINE))
    assert len(commands) > 10
    text = (PACKAGE / "run").read_text()
    (known,) = re.findall(r"^(solve [^)]*)\)", text, re.MULTILINE)
    assert {*re.findall(r"[a-z]+", known), "help"} == commands


class Planutils:
    """The command `planutils` in a home of its own, with our package among its own."""

    def __init__(self, home: Path, source: Path, wheel: str) -> None:
        self.home = home
        self.package = home / "planutils" / "packages" / "hipot"
        shutil.copytree(source, home / "planutils")
        shutil.copytree(PACKAGE, self.package)
        self.environment = {
            "HOME": str(home),
            "HIPOT_PACKAGE": wheel,
            "PATH": f"{Path(sys.executable).parent}:{os.defpath}",
            "PYTHONPATH": str(home),
        }

    def run(self, *arguments: str, answer: str = "") -> str:
        program = "from planutils import main; main()"
        done = subprocess.run(
            [sys.executable, "-c", program, *arguments],
            cwd=self.home,
            env=self.environment,
            input=answer,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


def test_planutils_installs_runs_and_serves_the_planner(tmp_path: Path) -> None:
    source = Path(pytest.importorskip("planutils").__file__).parent
    wheel = os.environ.get("HIPOT_WHEEL") or pytest.skip("HIPOT_WHEEL names no wheel")
    planutils = Planutils(tmp_path, source, wheel)
    planutils.run("setup")
    planutils.run("install", "--yes", "hipot")
    planutils.run("check-installed", "hipot")

    assert "Lower bound: 8" in planutils.run("run", "hipot", "bound", *frogs())
    printed = planutils.run("run", "hipot", "--", *frogs(), "--heuristic", "blind")
    assert "; Metric: 8" in printed
    # What its service calls and returns, which it has made of our template.
    manifest = json.loads((planutils.package / "manifest.json").read_text())
    service = manifest["endpoint"]["services"]["solve"]
    assert service["call"] == "hipot {domain} {problem}"
    returned = filter(Path.is_file, tmp_path.glob(service["return"]["files"]))
    assert [file.name for file in returned] == ["sas_plan"]
    plan = tmp_path / "sas_plan"
    assert hipot.validate(*frogs(), plan=plan)

    planutils.run("uninstall", "hipot", answer="y\n")
    assert not (planutils.package / "venv").exists()


def section(name: str) -> list[str]:
    """The lines of a section of the recipe."""
    (text,) = re.findall(rf"^%{name}\n((?: .*\n|\n)*)", RECIPE, re.MULTILINE)
    return [line.strip() for line in text.splitlines() if line.strip()]


def labels() -> dict[str, str]:
    return dict(line.split(maxsplit=1) for line in section("labels"))


def test_the_recipe_has_the_labels_of_competitions() -> None:
    others = {"Name", "Description", "Authors", "License", "Tracks"}
    assert labels().keys() == others | LABELS.keys()


@pytest.mark.parametrize("label", LABELS)
def test_labels_are_true(label: str) -> None:
    condition, effect, derived, cost = LABELS[label]
    domain = DOMAIN.format(condition=condition, effect=effect, derived=derived)
    solution = hipot.solve(hipot.Pddl(domain, PROBLEM))
    assert solution.cost == cost
    assert solution.heuristic is not None
    is_blind = solution.heuristic.spec == "blind"
    assert labels()[label] == ("partially" if is_blind else "yes")


@pytest.mark.parametrize("given, file", [(["found"], "found"), ([], "sas_plan")])
def test_the_recipe_runs_the_planner(
    tmp_path: Path, given: list[str], file: str
) -> None:
    (line,) = section("runscript")
    path = f"{make_command(tmp_path / 'bin').parent}:{os.defpath}"
    subprocess.run(
        ["/bin/sh", "-c", line, "run", *frogs(), *given],
        cwd=tmp_path,
        env={**os.environ, "PATH": path},
        check=True,
        capture_output=True,
    )
    assert (tmp_path / file).read_text().endswith("; cost = 8 (unit cost)\n")
