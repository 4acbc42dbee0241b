"""Question to ranked entries."""

from __future__ import annotations

from dataclasses import dataclass

from rapidfuzz import fuzz

from knowledge.model import Knowledge
from knowledge.words import fold


@dataclass(frozen=True, slots=True)
class Analysis:
    """Stub, replaced soon."""

    text: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entry that a question may be about, with a score from 0 to 1."""

    entry: str
    score: float


@dataclass(frozen=True, slots=True)
class Match:
    """What a question seems to be about: `verdict` is sure, close or weak."""

    verdict: str
    candidates: tuple[Candidate, ...]
    nearest: tuple[str, ...]
    language: str
    analysis: Analysis


class Matcher:
    """Ranks the entries for a question."""

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge

    def match(self, text: str, game: str | None = None) -> Match:
        """Return the entries that the question may be about, best first."""
        del game
        folded = fold(text)
        scores = [
            Candidate(e.id, max(fuzz.token_set_ratio(folded, fold(p.text)) for p in e.phrases) / 100)
            for e in self.knowledge
        ]
        best = tuple(sorted(scores, key=lambda c: -c.score)[:5])
        language = "ru" if any("а" <= c <= "я" for c in folded) else "fr"
        top = best[0].score
        verdict = "sure" if top > 0.85 else "close" if top > 0.6 else "weak"
        kept = best if verdict != "weak" else ()
        return Match(verdict, kept, tuple(c.entry for c in best[:3]), language, Analysis(text))
