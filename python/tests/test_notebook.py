"""The notebook runs, and shows what is stored in it.

Different weights may be optimal, and which of them the LP solver finds depends on its
version and the machine. Cells with the tag `weights` show what follows from weights:
there only the kind and the number of outputs are compared. What holds for all optimal
weights, the notebook asserts itself.
"""

import copy
import itertools
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")

DOCS = ROOT / "docs"
NOTEBOOK = nbformat.read(DOCS / "tutorial.ipynb", as_version=4)


def outputs(cell: Any) -> list[object]:
    """What a cell shows. Text printed in several pieces is one."""
    shown: list[object] = []
    for kind, group in itertools.groupby(cell.outputs, lambda one: one.output_type):
        if kind == "stream":
            shown.append("".join(output.text for output in group))
        else:
            shown.extend(dict(output.data) for output in group)
    return shown


def kinds(shown: list[object]) -> list[object]:
    return [sorted(one) if isinstance(one, dict) else "text" for one in shown]


@pytest.fixture
def nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is read from the user's home, nor written to it."""
    jupyter = [f"JUPYTER_{what}_DIR" for what in ("CONFIG", "DATA", "RUNTIME")]
    for name in ["HOME", "IPYTHONDIR", *jupyter]:
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.delenv("PYTHONSTARTUP", raising=False)


@pytest.mark.usefixtures("nobody")
def test_the_stored_outputs_are_those_of_a_run() -> None:
    run = copy.deepcopy(NOTEBOOK)
    for cell in run.cells:
        if cell.cell_type == "code":
            cell.outputs = []
    resources = {"metadata": {"path": str(DOCS)}}
    nbclient.NotebookClient(run, timeout=300, resources=resources).execute()
    for stored, found in zip(NOTEBOOK.cells, run.cells, strict=True):
        if stored.cell_type != "code":
            continue
        shown, expected = outputs(found), outputs(stored)
        assert kinds(shown) == kinds(expected), stored.source
        if "weights" not in stored.metadata.get("tags", []):
            assert shown == expected, stored.source


def test_it_has_outputs_and_pictures() -> None:
    code = [cell for cell in NOTEBOOK.cells if cell.cell_type == "code"]
    shown = [output for cell in code for output in outputs(cell)]
    pictures = [
        one for one in shown if isinstance(one, dict) and "image/svg+xml" in one
    ]
    assert len(pictures) == 4
    assert all(cell.outputs for cell in code)
    assert (DOCS / "tutorial.ipynb").stat().st_size < 100_000
