"""What the tests share."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def make_command(folder: Path) -> Path:
    """The command `hipot`, alone in a new folder."""
    folder.mkdir()
    file = folder / "hipot"
    file.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m hipot "$@"\n')
    file.chmod(0o755)
    return file


@pytest.fixture
def examples() -> Path:
    """The folder of example tasks."""
    return ROOT / "examples"
