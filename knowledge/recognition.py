"""Finds the expressions of the lexicon among the words of a question: gaps, roles and denials."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from knowledge.expressions import Element, Pattern

LOOSE = 0.9
"""How much surer a match is without each word that it skips."""


@dataclass(frozen=True, slots=True)
class Token:
    """A word of the question: as typed and folded, with the stems that it may stand for.

    A `stop` ends a clause, a `parting` word is one over which a denial does not reach, `denies_before`
    one that denies what stands before it (« il ne chute pas »).
    """

    word: str
    stems: Mapping[str, float]
    little: bool = False
    stop: bool = False
    denial: bool = False
    parting: bool = False
    denies_before: bool = False


@dataclass(frozen=True, slots=True)
class Span:
    """Where something was recognised: words from `start` up to `end`, how surely, and whether denied."""

    start: int
    end: int
    quality: float
    denied: bool = False


class PatternIndex:
    """Compiled expressions by the stem or concept that they begin with."""

    def __init__(self, patterns: Iterable[Pattern]) -> None:
        self._by_stem: defaultdict[str, list[Pattern]] = defaultdict(list)
        self._by_exact: defaultdict[str, list[Pattern]] = defaultdict(list)
        self._waiting: list[Pattern] = []
        for pattern in patterns:
            if pattern.concepts:
                self._waiting.append(pattern)
                continue
            first = pattern.elements[0]
            for stem in first.stems:
                self._by_stem[stem].append(pattern)
            for word in first.exact:
                self._by_exact[word].append(pattern)
        self._waiting = _in_order(self._waiting)

    def find(
        self,
        words: tuple[Token, ...],
        roles: frozenset[str],
        known: Mapping[str, tuple[Span, ...]],
    ) -> dict[str, tuple[Span, ...]]:
        """Return all that is recognised in a question, with what was `known` of it before."""
        search = _Search(words, roles, known)
        for start, token in enumerate(words):
            candidates = [p for stem in token.stems for p in self._by_stem.get(stem, ())]
            for pattern in (*candidates, *self._by_exact.get(token.word, ())):
                search.try_at(pattern, start)
        search.mark_roles()
        for pattern in self._waiting:
            for start in search.starts(pattern.elements[0]):
                search.try_at(pattern, start)
        return {name: tuple(spans) for name, spans in search.spans.items()}


def _in_order(patterns: list[Pattern]) -> list[Pattern]:
    """Order patterns so that a concept is found before those that refer to it."""
    needs: defaultdict[str, set[str]] = defaultdict(set)
    for pattern in patterns:
        needs[pattern.means].update(pattern.concepts)
    depth: dict[str, int] = {}

    def deep(name: str, above: tuple[str, ...] = ()) -> int:
        if name not in depth:
            inner = [deep(n, (*above, name)) for n in needs.get(name, ()) if n not in (*above, name)]
            depth[name] = 1 + max(inner, default=0)
        return depth[name]

    return sorted(patterns, key=lambda pattern: deep(pattern.means))


class _Search:
    """The matching of patterns in one question."""

    def __init__(
        self,
        words: tuple[Token, ...],
        roles: frozenset[str],
        known: Mapping[str, tuple[Span, ...]],
    ) -> None:
        self.words = words
        self.roles = roles
        self.spans: defaultdict[str, list[Span]] = defaultdict(list)
        for name, spans in known.items():
            self.spans[name] = list(spans)
        self.at: defaultdict[str, list[int]] = defaultdict(list)
        for number, token in enumerate(words):
            for stem in token.stems:
                self.at[stem].append(number)
        self.role_words: set[int] = set()
        self.own_denials = {
            span.end - 1
            for spans in known.values()
            for span in spans
            if span.end - span.start > 1 and not span.denied and words[span.end - 1].denial
        }
        self.mark_roles()

    def mark_roles(self) -> None:
        """Note which words name a role: a wide gap does not reach across them."""
        self.role_words = {
            place
            for role in self.roles
            for span in self.spans.get(role, ())
            for place in range(span.start, span.end)
        }

    def starts(self, element: Element) -> list[int]:
        """Return where an element may begin a match."""
        places = {span.start for name in element.concepts for span in self.spans.get(name, ())}
        for stem in element.stems & self.at.keys():
            places.update(self.at[stem])
        if element.exact:
            places.update(n for n, token in enumerate(self.words) if token.word in element.exact)
        return sorted(places)

    def try_at(self, pattern: Pattern, start: int) -> None:
        """Note a match of the pattern that begins at a word, if there is one."""
        found = self._match(pattern.elements, 0, start, 1.0, False)
        if found is None:
            return
        end, quality, denied = found
        span = Span(start, end, quality, denied or self._denied(start, end, pattern.language))
        if end - start > 1 and self.words[end - 1].denial and not span.denied:
            self.own_denials.add(end - 1)
        if span not in self.spans[pattern.means]:
            self.spans[pattern.means].append(span)

    def _match(
        self, elements: tuple[Element, ...], number: int, place: int, quality: float, denied: bool
    ) -> tuple[int, float, bool] | None:
        after_denial = number > 0 and place > 0 and self.words[place - 1].denial
        for end, share in self._ends(elements[number], place, after_denial):
            if number + 1 == len(elements):
                return end, quality * share, denied
            for following, skipped, skipped_denial in self._after(elements[number + 1], end):
                found = self._match(
                    elements,
                    number + 1,
                    following,
                    quality * share * LOOSE**skipped,
                    denied or skipped_denial,
                )
                if found is not None:
                    return found
        return None

    def _ends(self, element: Element, place: int, after_denial: bool) -> Iterator[tuple[int, float]]:
        """Yield where an element may end; a denied concept counts only where the pattern denies it."""
        for name in element.concepts:
            for span in self.spans.get(name, ()):
                if span.start == place and (after_denial or not span.denied):
                    yield span.end, span.quality
        share = self._word(element, self.words[place])
        if share:
            yield place + 1, share

    def _word(self, element: Element, token: Token) -> float:
        if token.word in element.exact:
            return 1.0
        best = 0.0
        for stem, quality in token.stems.items():
            if quality > best and stem in element.stems:
                best = quality
        return best

    def _after(self, element: Element, place: int) -> Iterator[tuple[int, int, bool]]:
        """Yield where the next element may begin, how many words are skipped, and whether one denies."""
        skipped, denied = 0, False
        while place < len(self.words) and skipped <= element.gap:
            token = self.words[place]
            if token.stop:
                return
            yield place, skipped, denied
            if place in self.role_words and element.gap > 1:
                return
            denied = denied or token.denial
            if not token.little:
                skipped += 1
            place += 1

    def _denied(self, start: int, end: int, language: str) -> bool:
        """Return whether a match is denied by a word just before it, or in French just after.

        A denial that ends something else recognised (« garde sans ») denies nothing.
        """
        reach = 2 if language == "fr" else 1
        place = start - 1
        while place >= 0 and reach:
            token = self.words[place]
            if token.stop or token.parting:
                break
            if token.denial and place not in self.own_denials:
                return True
            if not token.little:
                reach -= 1
            place -= 1
        return language == "fr" and end < len(self.words) and self.words[end].denies_before
