"""Which concepts each entry's phrases speak of: `python -m knowledge.learn` writes knowledge/learned.json.

An index, made from the phrases and the lexicon as they stand, because taking thousands of phrases apart
would cost seconds at every start. Nobody edits it; `--check` fails where it is out of date.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from pathlib import Path

from knowledge.analysis import Analyser
from knowledge.loader import HOME, load
from knowledge.matching import ROLES
from knowledge.model import Knowledge
from knowledge.naming import all_phrases, log_odds

GAME = ("game_", "cue_")
"""Concepts that tell the game are weighed apart."""


def learned(knowledge: Knowledge) -> dict[str, dict[str, float]]:
    """Return, for each concept, the entries and topics whose phrases speak of it more than most do."""
    analyser = Analyser(knowledge, ROLES)
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for subject, phrase in all_phrases(knowledge):
        concepts = analyser.analyse(phrase.text).spans
        counts[subject].update(name for name in concepts if not name.startswith(GAME))
    return {
        concept: {subject: round(odds, 2) for subject, odds in sorted(found) if odds >= 0.01}
        for concept, found in sorted(log_odds(counts).items())
    }


def main(arguments: list[str]) -> int:
    """Write the index, or with `--check` tell whether it is up to date."""
    path = HOME / "learned.json"
    made = json.dumps(learned(load(HOME)), indent=1, sort_keys=True) + "\n"
    if "--check" in arguments:
        if _read(path) != made:
            print("knowledge/learned.json is out of date: run «python -m knowledge.learn»", file=sys.stderr)
            return 1
        return 0
    path.write_text(made, "utf-8")
    return 0


def _read(path: Path) -> str:
    return path.read_text("utf-8") if path.is_file() else ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
