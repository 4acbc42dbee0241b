"""The phrases of entries and topics as evidence: exact names, and which words speak for which entry."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable
from heapq import nlargest

from knowledge.analysis import Analysis
from knowledge.model import Knowledge, Phrase
from knowledge.recognition import Token
from knowledge.tuning import Parameters
from knowledge.words import fold, stem

GAME = "game_"
"""What the concepts that name a game begin with."""
MOST_WORDS = 40
SMOOTHING = 30.0
"""How many words of an average entry are mixed into each, so that a single phrase proves little."""


class Names:
    """The phrases of a knowledge base, indexed by the stems of their words."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._is_little = knowledge.words.is_little
        self._subjects: list[str] = []
        self._exactly: defaultdict[str, list[int]] = defaultdict(list)
        self._at: defaultdict[str, list[int]] = defaultdict(list)
        counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for subject, phrase in all_phrases(knowledge):
            telling = [word for word in fold(phrase.text).split() if not self._is_little(word)]
            stems = list(map(stem, telling))
            for each in numbered(stems):
                self._at[each].append(len(self._subjects))
            counts[subject].update(set(stems))
            self._exactly[" ".join(telling)].append(len(self._subjects))
            self._subjects.append(subject)
        count = max(1, len(self._subjects))
        self._weight = {each: math.log(1 + count / len(at)) for each, at in self._at.items()}
        self._whole = self._masses()
        self._speaks = log_odds(counts)

    def _masses(self) -> list[float]:
        masses = [0.0] * len(self._subjects)
        for each, at in self._at.items():
            for number in at:
                masses[number] += self._weight[each]
        return masses

    def scores(self, analysis: Analysis, parameters: Parameters) -> dict[str, float]:
        """Return what the words of a question say for each entry and topic that they speak for."""
        present: dict[str, float] = {}
        telling = _telling(analysis)
        for token in telling:
            for each, quality in token.stems.items():
                present[each] = max(quality, present.get(each, 0.0))
        if len(present) > MOST_WORDS:  # of a long story the rarest words tell enough
            rarest = nlargest(MOST_WORDS, present, key=lambda each: self._weight.get(each, 0.0))
            present = {each: present[each] for each in rarest}
        scores: defaultdict[str, float] = defaultdict(float)
        told = numbered([each for token in telling for each in token.stems])
        repeated = {
            each: present[each.partition("#")[0]] for each in told if each.partition("#")[0] in present
        }
        for subject, score in self._best_phrases(repeated, _words(telling)).items():
            scores[subject] += parameters.names * score
        length = math.sqrt(sum(quality for each, quality in present.items() if each in self._weight) or 1.0)
        for each, quality in present.items():
            weight = parameters.words * quality / length
            for subject, odds in self._speaks.get(each, ()):
                scores[subject] += odds * weight
        return scores

    def _best_phrases(self, present: dict[str, float], words: str) -> dict[str, float]:
        """Return, for each subject, how much of its best phrase stands in the question."""
        mass: defaultdict[int, float] = defaultdict(float)
        for each, quality in present.items():
            weight = self._weight.get(each, 0.0) * quality
            for number in self._at.get(each, ()):
                mass[number] += weight
        asked = sum(self._weight.get(each, 0.0) for each in present) or 1.0
        best: dict[str, float] = {}
        for number, found in mass.items():
            share = found / self._whole[number]
            most = share * share * found
            subject = self._subjects[number]
            if most > best.get(subject, 0.0):
                score = most * (0.5 + 0.5 * found / asked)
                if score > best.get(subject, 0.0):
                    best[subject] = score
        for number in self._exactly.get(words, ()):
            found = mass.get(number, 0.0)
            share = found / self._whole[number] if found else 0.0
            score = share * share * found * (0.5 + 0.5 * found / asked) + 2 * found
            if score > best.get(self._subjects[number], 0.0):
                best[self._subjects[number]] = score
        return best


def _telling(analysis: Analysis) -> list[Token]:
    """Return the words of a question but those that name a game: these are weighed apart."""
    named = {
        place
        for concept, spans in analysis.spans.items()
        if concept.startswith(GAME)
        for span in spans
        for place in range(span.start, span.end)
    }
    return [token for place, token in enumerate(analysis.tokens) if place not in named]


def _words(tokens: Iterable[Token]) -> str:
    return " ".join(token.word for token in tokens if not token.stop and not token.little)


def numbered(stems: Iterable[str]) -> set[str]:
    """Tell a second use of a stem from the first: « renonce sur renonce » has more than « renonce »."""
    seen: Counter[str] = Counter()
    found = set()
    for each in stems:
        seen[each] += 1
        found.add(each if seen[each] == 1 else f"{each}#{seen[each]}")
    return found


def all_phrases(knowledge: Knowledge) -> Iterable[tuple[str, Phrase]]:
    """Yield every phrase with the entry or topic that it belongs to."""
    for subject in (*knowledge, *knowledge.topics.values()):
        for phrase in subject.phrases:
            yield subject.id, phrase


def log_odds(counts: dict[str, Counter[str]]) -> dict[str, list[tuple[str, float]]]:
    """Return, for each feature, the subjects that use it more than the average does, and how much more."""
    whole: Counter[str] = Counter()
    for counter in counts.values():
        whole.update(counter)
    total = sum(whole.values()) or 1
    speaks: defaultdict[str, list[tuple[str, float]]] = defaultdict(list)
    for subject, counter in counts.items():
        size = sum(counter.values())
        for each, count in counter.items():
            average = whole[each] / total
            share = (count + SMOOTHING * average) / (size + SMOOTHING)
            if share > average:
                speaks[each].append((subject, math.log(share / average)))
    return speaks
