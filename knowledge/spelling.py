"""Words as players type them brought to words that the lexicon knows: typos, SMS, lost apostrophes."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache

from rapidfuzz.distance import OSA

from knowledge.words import stem

SHORTEST, LONGEST = 4, 30
"""Words shorter or longer are never corrected: too many real words lie near, or none does."""
TWO_TYPOS = 7
"""From this length on, two typos are forgiven."""
EXACT, BY_SOUND, ONE_TYPO, TWO_TYPO = 1.0, 0.9, 0.85, 0.7
DOUBTFUL = 0.6
"""How much a correction counts where an ordinary word lies as near."""

_ELIDED = re.compile(r"^(?:qu|[ldjnmstc])(?=[aeiouyh])")
_SOUNDS = [
    (re.compile(pattern), sound)
    for pattern, sound in (
        (r"ph", "f"),
        (r"eau|au", "o"),
        (r"qu|q|ck", "k"),
        (r"c(?=[eiy])", "s"),
        (r"c", "k"),
        (r"g(?=[eiy])", "j"),
        (r"ain|ein|aim", "in"),
        (r"(?<=[aeiou])s(?=[aeiou])", "z"),
        (r"(.)\1+", r"\1"),
        (r"ai|ei", "e"),
        (r"y", "i"),
        (r"(?<!^)h", ""),
        (r"(?:er|ez|et|es|ee|ent)$", "e"),
        (r"[estxdpz]+$", ""),
        (r"em(?=[pb])|en(?=[dt])|am(?=[pb])", "an"),
    )
]


@lru_cache(maxsize=16384)
def sound(word: str) -> str:
    """Return how a French word sounds, roughly: « ecar » and « écart » meet."""
    for pattern, replacement in _SOUNDS:
        word = pattern.sub(replacement, word)
    return word


def _deletions(word: str) -> set[str]:
    return {word, *(word[:place] + word[place + 1 :] for place in range(len(word)))}


class Speller:
    """Knows the words of the lexicon, and finds those that a mistyped word may stand for."""

    def __init__(self, words: Iterable[str], ordinary: Iterable[str]) -> None:
        self._words = set(words)
        self.stems = set(map(stem, self._words))
        self.ordinary = set(ordinary)
        self._ordinary_stems = {stem(word) for word in self.ordinary if word[0] > "z"}
        self._by_length: defaultdict[int, list[str]] = defaultdict(list)
        self._near: dict[int, Mapping[str, list[str]]] = {}
        self._sounds: defaultdict[str, set[str]] | None = None
        self._known: dict[str, dict[str, float]] = {}
        for word in self._words | self.ordinary:
            if SHORTEST <= len(word) <= LONGEST:
                self._by_length[len(word)].append(word)

    def _nearby(self, length: int) -> Mapping[str, list[str]]:
        """Return the words of a length by what is left of them without one letter; made when first asked."""
        if length not in self._near:
            near: defaultdict[str, list[str]] = defaultdict(list)
            for word in self._by_length.get(length, ()):
                for shorter in _deletions(word):
                    near[shorter].append(word)
            self._near[length] = near
        return self._near[length]

    def knows(self, word: str) -> bool:
        """Return whether a folded word is one of the lexicon, in any of its forms, or an ordinary one."""
        return stem(word) in self.stems or self._is_ordinary(word)

    def _is_ordinary(self, word: str) -> bool:
        """Russian words are compared by stem: a list cannot hold all their forms."""
        return word in self.ordinary or (word[0] > "z" and stem(word) in self._ordinary_stems)

    def resolve(self, word: str) -> dict[str, float]:
        """Return the stems that a folded word may stand for, with how sure that is (0 to 1)."""
        found = self._known.get(word)
        if found is None:
            found = self._resolve(word)
            if len(self._known) < 100_000:
                self._known[word] = found
        return found

    def _resolve(self, word: str) -> dict[str, float]:
        if stem(word) in self.stems:
            return {stem(word): EXACT}
        if self._is_ordinary(word) or len(word) > LONGEST:
            return {}
        elided = _ELIDED.match(word)
        if elided:
            rest = word[elided.end() :]
            if len(rest) > 1 and self.knows(rest):
                return {stem(rest): EXACT} if stem(rest) in self.stems else {}
        return {**self._mistyped(word), **self._by_sound(word)}

    def _by_sound(self, word: str) -> dict[str, float]:
        """Return the French words that sound like this one; a key of one letter says nothing."""
        if word[0] > "z" or len(word) < SHORTEST - 1 or len(sound(word)) < 2:
            return {}
        if self._sounds is None:  # made when first asked
            self._sounds = defaultdict(set)
            for known in self._words:
                if known[0] <= "z" and len(known) >= SHORTEST:
                    self._sounds[sound(known)].add(known)
        return {stem(alike): BY_SOUND for alike in self._sounds.get(sound(word), ())}

    def _mistyped(self, word: str) -> dict[str, float]:
        """Return the words that lie nearest, one or two typos away."""
        if len(word) < SHORTEST or word[0].isdigit():
            return {}
        shortened = _deletions(word)
        near = {
            each
            for length in range(len(word) - 1, len(word) + 2)
            for shorter in shortened
            for each in self._nearby(length).get(shorter, ())
        }
        allowed = 2 if len(word) >= TWO_TYPOS else 1
        distances = {w: OSA.distance(word, w, score_cutoff=allowed) for w in near}
        close = {w: d for w, d in distances.items() if d <= allowed}
        if not close:
            return {}
        best = min(close.values())
        quality = ONE_TYPO if best <= 1 else TWO_TYPO
        nearest = [w for w, d in close.items() if d == best]
        if any(stem(w) not in self.stems for w in nearest):
            quality = DOUBTFUL
        return {stem(w): quality for w in nearest if stem(w) in self.stems}
