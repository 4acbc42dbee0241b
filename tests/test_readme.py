"""The README's entry is a real one: it loads, checks and rules."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from knowledge.check import check
from knowledge.loader import HOME, load
from knowledge.table import Missing, Settled, decide

README = Path(__file__).parents[1] / "README.md"


def test_the_entry_of_the_readme_loads_and_rules(tmp_path: Path) -> None:
    entry, tariff = re.findall(r"```yaml\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    home = tmp_path / "knowledge"
    shutil.copytree(HOME, home, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    (home / "entries/tarot/example.yaml").write_text(entry, "utf-8")
    with (home / "tariffs.yaml").open("a", encoding="utf-8") as file:
        file.write(tariff)
    known = load(home)
    assert check(known) == []
    example = known.entries["tarot/example"]
    decision = decide(example, {"moment": "play"})
    assert isinstance(decision, Missing)
    assert decision.fact.name == "repeat"
    settled = decide(example, {"moment": "play", "repeat": "repeat"})
    assert isinstance(settled, Settled)
    assert settled.ruling.penalties[0].amount == 100


def test_the_readme_begins_with_two_commands() -> None:
    commands = re.findall(r"```sh\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    assert commands[0].strip().endswith("arbitre")
    assert commands[1].strip().endswith("pytest")
