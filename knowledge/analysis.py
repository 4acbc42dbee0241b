"""What a question says: its language, and the concepts in it with where they stand.

The text is cut into folded words, each word brought to the stems that it may stand for, and the
expressions of the lexicon are looked for among them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from knowledge import scripts
from knowledge.expressions import WIDE, compile_expression, positions, spelled_out
from knowledge.model import Knowledge, Phrase
from knowledge.recognition import PatternIndex, Span, Token
from knowledge.spelling import Speller
from knowledge.words import fold, tokens

LONGEST = 600
"""Words of a question that are read; the rest of a longer story is left aside."""
STOPS = ".;!?…"
FRENCH_HEAD_START = 0.12
"""How much better a Latin-letter text must read as Russian than as French to be taken for it."""
SHORTEST_PROOF = 3
"""Shorter words do not prove that a text in Latin letters is Russian."""
SHORTEST_FOREIGN = 4
"""Shorter texts in Latin letters are not taken for Russian on another keyboard."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """A question taken apart."""

    language: str
    tokens: tuple[Token, ...]
    spans: Mapping[str, tuple[Span, ...]] = field(default_factory=dict)

    @property
    def is_words(self) -> bool:
        """Whether anything is recognised, or some word is one of ours as it is spelled; else it is noise."""
        return bool(self.spans) or any(1.0 in token.stems.values() for token in self.tokens)

    def quality(self, concept: str) -> float:
        """Return how surely a concept is in the question, from 0 to 1."""
        return max((span.quality for span in self.spans.get(concept, ())), default=0.0)

    def asserted(self, concept: str) -> tuple[Span, ...]:
        """Return where a concept is stated and not denied."""
        return tuple(span for span in self.spans.get(concept, ()) if not span.denied)


class Analyser:
    """Takes questions apart with the lexicon of a knowledge base."""

    def __init__(self, knowledge: Knowledge, roles: Iterable[str] = ()) -> None:
        self.words = knowledge.words
        self.roles = frozenset(roles)
        self.spoken = knowledge.words.spoken
        self.speller = Speller(_vocabulary(knowledge), self.words.known)
        self._index = PatternIndex(
            pattern
            for concept in knowledge.concepts.values()
            for expression in concept.expressions
            for pattern in compile_expression(concept.name, expression, self.words.is_little)
        )

    def analyse(self, text: str) -> Analysis:
        """Return what a question says."""
        language, written = self.language(text)
        found = self.tokens(written)
        spans = self._index.find(found, self.roles, {})
        return Analysis(language, found, spans)

    def language(self, text: str) -> tuple[str, str]:
        """Return the language of a text, and the text in the letters of that language."""
        if scripts.is_cyrillic(text):
            return "ru", text
        if len(text.strip()) < SHORTEST_FOREIGN:
            return "fr", text
        readings = {
            "fr": text,
            "layout": scripts.from_wrong_layout(text),
            "latin": scripts.from_latin(text),
        }
        shares = {
            name: self._share_known(reading, 1 if name == "fr" else SHORTEST_PROOF)
            for name, reading in readings.items()
        }
        shares["fr"] += FRENCH_HEAD_START
        best = max(shares, key=lambda name: shares[name])
        return ("fr" if best == "fr" else "ru"), readings[best]

    def tokens(self, text: str) -> tuple[Token, ...]:
        """Cut a text into its words and the stops between its clauses."""
        found: list[Token] = []
        for word in tokens(text)[:LONGEST]:
            if word in STOPS or word == ",":
                found.append(Token(word, {}, stop=word != ",", parting=True))
                continue
            found.extend(map(self._token, self.spoken.get(word, (word,))))
        return tuple(found)

    def _token(self, word: str) -> Token:
        return Token(
            word,
            self.speller.resolve(word),
            little=self.words.is_little(word),
            denial=word in self.words.denials,
            parting=word in self.words.parting,
            denies_before=word in self.words.denials_after,
        )

    def _share_known(self, text: str, shortest: int) -> float:
        """Return the share of a text's letters that stand in words we know, of so many letters at least."""
        known = total = 0.0
        for word in tokens(text)[:60]:
            if word in STOPS or word == "," or word.isdigit():
                continue
            total += len(word)
            if len(word) < shortest:
                continue
            if self.speller.knows(word) or self.words.is_little(word) or word in self.spoken:
                known += len(word)
            elif self.speller.resolve(word):
                known += len(word) / 2
        return known / total if total else 0.0


def _vocabulary(knowledge: Knowledge) -> Iterator[str]:
    """Yield every word by which something is recognised, folded."""
    texts = [e.text for concept in knowledge.concepts.values() for e in concept.expressions]
    texts += [
        expression.text
        for entry in knowledge
        for fact in entry.facts
        for value in fact.values
        for expression in value.heard
    ]
    for text in dict.fromkeys(texts):
        for written in spelled_out(text):
            for choices in positions(written, knowledge.words.is_little):
                for choice in choices:
                    if choice != WIDE and not choice.startswith("@"):
                        yield choice.removeprefix("=")
    for phrase in _phrases(knowledge):
        yield from _telling(fold(phrase.text).split(), knowledge.words.is_little)


def _telling(words: list[str], is_little: Callable[[str], bool]) -> list[str]:
    telling = [word for word in words if not is_little(word)]
    return telling if len(telling) > 1 else words


def _phrases(knowledge: Knowledge) -> Iterator[Phrase]:
    for subject in (*knowledge, *knowledge.topics.values()):
        yield from subject.phrases
