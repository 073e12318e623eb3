"""What the tests share."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def examples() -> Path:
    """The folder of example tasks."""
    return ROOT / "examples"
