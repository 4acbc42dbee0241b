"""What a question says: its language, and the concepts in it with where they stand.

The text is cut into folded words, each word brought to the stems that it may stand for, and the
expressions of the lexicon are looked for among them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from knowledge import scripts
from knowledge.expressions import WIDE, Element, Pattern, compile_expression, positions, spelled_out
from knowledge.model import Knowledge, Phrase
from knowledge.spelling import Speller
from knowledge.words import fold, tokens

LONGEST = 600
"""Words of a question that are read; the rest of a longer story is left aside."""
STOPS = ".;!?…"
FRENCH_HEAD_START = 0.12
"""How much better a Latin-letter text must read as Russian than as French to be taken for it."""
SHORTEST_FOREIGN = 4
"""Shorter texts in Latin letters are not taken for Russian on another keyboard."""
LOOSE = 0.9
"""How much surer a match is without each word that it skips."""
PARTING = (",", "et", "mais", "ou", "puis", "и", "а", "но", "или")
"""Words over which a denial does not reach."""
LATER_DENIALS = ("pas", "jamais")


@dataclass(frozen=True, slots=True)
class Token:
    """A word of the question: as typed and folded, with the stems that it may stand for."""

    word: str
    stems: Mapping[str, float]
    little: bool = False
    stop: bool = False
    denial: bool = False


@dataclass(frozen=True, slots=True)
class Span:
    """Where something was recognised: words from `start` up to `end`, how surely, and whether denied."""

    start: int
    end: int
    quality: float
    denied: bool = False


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
        shares = {name: self._share_known(reading) for name, reading in readings.items()}
        shares["fr"] += FRENCH_HEAD_START
        best = max(shares, key=lambda name: shares[name])
        return ("fr" if best == "fr" else "ru"), readings[best]

    def tokens(self, text: str) -> tuple[Token, ...]:
        """Cut a text into its words and the stops between its clauses."""
        found: list[Token] = []
        for word in tokens(text)[:LONGEST]:
            if word in STOPS or word == ",":
                found.append(Token(word, {}, stop=word != ","))
                continue
            found.extend(map(self._token, self.spoken.get(word, (word,))))
        return tuple(found)

    def _token(self, word: str) -> Token:
        return Token(
            word,
            self.speller.resolve(word),
            little=self.words.is_little(word),
            denial=word in self.words.denials,
        )

    def _share_known(self, text: str) -> float:
        """Return the share of a text's letters that stand in words we know."""
        known = total = 0.0
        for word in tokens(text)[:60]:
            if word in STOPS or word == "," or word.isdigit():
                continue
            total += len(word)
            if self.speller.knows(word) or self.words.is_little(word) or word in self.spoken:
                known += len(word)
            elif self.speller.resolve(word):
                known += len(word) / 2
        return known / total if total else 0.0


class PatternIndex:
    """Compiled expressions by the stem or concept that they begin with."""

    def __init__(self, patterns: Iterable[Pattern]) -> None:
        self._by_stem: defaultdict[str, list[Pattern]] = defaultdict(list)
        self._by_exact: defaultdict[str, list[Pattern]] = defaultdict(list)
        self._by_concept: defaultdict[str, list[Pattern]] = defaultdict(list)
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
            if token.stop or token.word in PARTING:
                break
            if token.denial and place not in self.own_denials:
                return True
            if not token.little:
                reach -= 1
            place -= 1
        return language == "fr" and end < len(self.words) and self.words[end].word in LATER_DENIALS


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
