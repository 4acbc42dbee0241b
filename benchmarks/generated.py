"""A knowledge base blown up by generated entries, on disk and made the same way each time.

Generated entries are like the real ones in number of phrases, words a phrase and signs, and are put
together from the real ones' words and concepts, so that every word of a question leads to far more
entries than before; a share of their words is invented, as other games would bring words of their own.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Sequence
from pathlib import Path

import yaml

from knowledge.loader import HOME
from knowledge.model import LANGUAGES, Entry, Knowledge
from knowledge.words import fold

SEED = 20261129
INVENTED = 0.25
"""The share of words that the real knowledge base does not have."""
INVENTED_PER_ENTRY = 3
"""How many different words an entry invents, in each language."""
PHRASES = (5, 6, 6, 7)
WORDS = (2, 3, 3, 4)
SIGNS = (2, 3, 3, 4, 5)
CONCEPTS = (1, 1, 2, 2, 3)
SYLLABLES = {
    "fr": "ba ce di fo gu ja le mi no pu ra se ti vo lan ber cou mar nal tou",
    "ru": "ба ве ги до жу за ле ми но пу ра се ти фо кла тор бир сма нок руш",
}


def blow_up(known: Knowledge, times: int, home: Path) -> None:
    """Write the knowledge base to a folder, with so many generated entries that it is `times` as large."""
    shutil.copytree(HOME, home, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    maker = Maker(known, random.Random(SEED))
    real = list(known)
    for number in range(len(real) * (times - 1)):
        pattern = real[number % len(real)]
        folder = home / "entries" / pattern.game / "generated"
        folder.mkdir(exist_ok=True)
        (folder / f"{number:05}.yaml").write_text(maker.entry(number, pattern), encoding="utf-8")


class Maker:
    """Makes entries out of the words and concepts of the real ones."""

    def __init__(self, known: Knowledge, chance: random.Random) -> None:
        self._chance = chance
        self._words = {
            language: [
                word
                for entry in known
                for phrase in entry.phrases
                if phrase.language == language
                for word in fold(phrase.text).split()
            ]
            for language in LANGUAGES
        }
        self._concepts = sorted(
            {c for e in known for sign in e.signs for group in sign.concepts for c in group}
        )
        self._cites = {
            document.id: next(
                f"{document.id} {name} 1" for name, section in document.sections.items() if section.sentences
            )
            for document in known.documents.values()
        }

    def entry(self, number: int, like: Entry) -> str:
        """Return an entry as a YAML file, of the game of a real one and citing its document."""
        own = {language: self._invented(language) for language in LANGUAGES}
        written = {
            "title": {"fr": f"Cas {number}", "ru": f"Случай {number}"},
            "phrases": {language: self._phrases(language, own[language]) for language in LANGUAGES},
            "signs": [self._sign() for _ in range(self._chance.choice(SIGNS))],
            "facts": [],
            "rules": [
                {
                    "cites": [self._cites[like.documents()[0]]],
                    "say": {"verdict": {"fr": f"Décision {number}.", "ru": f"Решение {number}."}},
                }
            ],
        }
        return yaml.safe_dump(written, allow_unicode=True, sort_keys=False, width=110)

    def _phrases(self, language: str, own: Sequence[str]) -> list[str]:
        return [
            " ".join(self._word(language, own) for _ in range(self._chance.choice(WORDS)))
            for _ in range(self._chance.choice(PHRASES))
        ]

    def _word(self, language: str, own: Sequence[str]) -> str:
        return self._chance.choice(own if self._chance.random() < INVENTED else self._words[language])

    def _invented(self, language: str) -> list[str]:
        return [
            "".join(self._chance.choices(SYLLABLES[language].split(), k=self._chance.choice((3, 4))))
            for _ in range(INVENTED_PER_ENTRY)
        ]

    def _sign(self) -> str:
        picked = self._chance.sample(self._concepts, self._chance.choice(CONCEPTS))
        return " ".join([*picked, "*1.2"] if self._chance.random() < 0.3 else picked)
