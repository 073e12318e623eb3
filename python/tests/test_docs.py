"""The Python in the documentation runs."""

import os
import re

import pytest
from conftest import ROOT

BLOCKS = [
    (file, number, block)
    for file in ("README.md", "docs/python.md")
    for number, block in enumerate(
        re.findall(r"```python\n(.*?)```", (ROOT / file).read_text(), re.DOTALL)
    )
]


def test_there_are_examples() -> None:
    assert any(file == "docs/python.md" for file, _, _ in BLOCKS)


@pytest.mark.parametrize("file, number, block", BLOCKS)
def test_example(
    file: str, number: int, block: str, capsys: pytest.CaptureFixture[str]
) -> None:
    names: dict[str, object] = {}
    if "unified_planning" in block:
        examples = pytest.importorskip("unified_planning.test.examples")
        names["problem"] = examples.get_example_problems()["basic"].problem
    before = os.getcwd()
    os.chdir(ROOT)
    try:
        exec(compile(block, f"{file}, block {number}", "exec"), names)
    finally:
        os.chdir(before)
    printed = capsys.readouterr().out
    # What a comment says is printed is printed.
    for said in re.findall(r"print\(.*#\s+(.*?)(?: …)?\n", block):
        assert said in printed
