"""Question to the facts that it states, and typed replies to the values that they mean.

Only what is said plainly is heard: a denied expression says nothing, and two values of one fact that
are both heard cancel each other.
"""

from __future__ import annotations

from collections.abc import Mapping

from knowledge.analysis import Analyser, Analysis
from knowledge.expressions import compile_expression
from knowledge.matching import ROLES
from knowledge.model import UNKNOWN, Entry, Fact, Knowledge, Text
from knowledge.recognition import PatternIndex, Span
from knowledge.words import fold, stem

LONGEST_REPLY = 6
"""Words: a longer text is a new question, not the answer to ours."""
LEAST_QUALITY = 0.7


class Reader:
    """Reads facts in questions and replies; made once for a knowledge base."""

    def __init__(self, knowledge: Knowledge, analyser: Analyser) -> None:
        self._analyser = analyser
        self._replies = knowledge.words.replies
        self._indexes: dict[str, PatternIndex] = {}

    def _index(self, name: str, facts: tuple[Fact, ...]) -> PatternIndex:
        if name not in self._indexes:
            self._indexes[name] = PatternIndex(
                pattern
                for fact in facts
                for value in fact.values
                for heard in value.heard
                for pattern in compile_expression(
                    f"{fact.name}={value.name}", heard, self._analyser.words.is_little
                )
            )
        return self._indexes[name]

    def read(self, entry: Entry, analysis: Analysis) -> dict[str, str]:
        """Return the facts of the entry that the question states."""
        index = self._index(entry.id, entry.facts)
        spans = index.find(analysis.tokens, frozenset(ROLES), analysis.spans)
        heard: dict[str, str] = {}
        for fact in entry.facts:
            said = {value.name: _sure(spans.get(f"{fact.name}={value.name}", ())) for value in fact.values}
            stated = [name for name, found in said.items() if found and not _inside(name, said)]
            if len(stated) == 1:
                heard[fact.name] = stated[0]
        return heard

    def is_short(self, text: str) -> bool:
        """Return whether a text is no longer than a reply."""
        return len(fold(text).split()) <= LONGEST_REPLY

    def reply(self, fact: Fact, text: str) -> str | None:
        """Return the value that a typed reply means, or None where it is no reply to this question."""
        folded = fold(text)
        if not folded or not self.is_short(text):
            return None
        if folded in self._replies.get(UNKNOWN, ()):
            return UNKNOWN
        for means in (self._named, self._yes_or_no, self._by_label):
            value = means(fact, folded)
            if value:
                return value
        asked = Entry(f"={fact.place}", Text("", ""), (), (fact,), (), fact.place)
        return self.read(asked, self._analyser.analyse(text)).get(fact.name)

    def _named(self, fact: Fact, folded: str) -> str | None:
        """Return the value whose name, label or listed replies the reply is, little words aside."""
        said = self._stems(folded)
        for value in fact.values:
            if folded == value.name or folded in _readings(value.label):
                return value.name
        for value in fact.values:
            if any(
                folded == fold(reply) or (said and said == self._stems(fold(reply)))
                for reply in value.replies
            ):
                return value.name
        return None

    def _yes_or_no(self, fact: Fact, folded: str) -> str | None:
        """Return the value that a yes or no means: the one of that name, or whose label begins so."""
        for name in ("yes", "no"):
            words = self._replies.get(name, frozenset())
            if folded not in words:
                continue
            fitting = [
                v.name for v in fact.values if any(r.split()[0] in words for r in _readings(v.label) if r)
            ]
            if name in fact.names:
                return name
            return fitting[0] if len(fitting) == 1 else None
        return None

    def _by_label(self, fact: Fact, folded: str) -> str | None:
        """Return the value whose label alone has all the telling words of the reply."""
        said = self._stems(folded)
        fitting = [
            value.name
            for value in fact.values
            if said and any(said <= self._stems(reading) for reading in _readings(value.label))
        ]
        return fitting[0] if len(fitting) == 1 else None

    def _stems(self, folded: str) -> set[str]:
        return {stem(word) for word in folded.split() if not self._analyser.words.is_little(word)}

    def pick(self, entries: list[Entry], text: str) -> Entry | None:
        """Return the entry that a typed reply names by its title or by its game, or None."""
        folded = fold(text)
        if not folded or not self.is_short(text):
            return None
        analysis = self._analyser.analyse(text)
        said = self._stems(folded)
        games = {entry.game for entry in entries if analysis.asserted(f"game_{entry.game}")}
        left = [entry for entry in entries if not games or entry.game in games]
        if games and len(said) == 1:
            return left[0] if len(left) == 1 else None
        named = [entry for entry in left if folded in _readings(entry.title)]
        fitting = named or [
            e for e in left if said and any(said <= self._stems(r) for r in _readings(e.title))
        ]
        return fitting[0] if len(fitting) == 1 else None


def _readings(text: Text) -> tuple[str, str]:
    return fold(text.fr), fold(text.ru)


def _sure(spans: tuple[Span, ...]) -> list[Span]:
    return [span for span in spans if not span.denied and span.quality >= LEAST_QUALITY]


def _inside(name: str, said: Mapping[str, list[Span]]) -> bool:
    """Whether all that states a value is part of longer words that state another."""
    rivals = [span for rival, spans in said.items() if rival != name for span in spans]
    return all(any(_holds(other, span) for other in rivals) for span in said[name])


def _holds(outer: Span, inner: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end and outer != inner
