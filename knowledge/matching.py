"""Question to ranked entries: concepts weighed by how telling they are, names on top.

An entry is described by signs (concepts that stand together) and by names (phrases). Topics that the
sources do not rule on are described in the same way and compete: where one wins, the question is refused.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from heapq import nsmallest

from knowledge.analysis import Analyser, Analysis
from knowledge.model import Entry, Knowledge, Sign, Topic
from knowledge.naming import Names
from knowledge.quiet import uncollected
from knowledge.tuning import Parameters

ROLES = ("declarer", "defender", "dealer", "bridge_declarer", "dummy")
"""The concepts that name who acts: a wide gap in an expression does not reach across them."""
MOST_CANDIDATES = 5


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
    topic: str | None = None


@dataclass(frozen=True, slots=True)
class _Subject:
    """An entry or a topic as the matcher sees it."""

    id: str
    games: tuple[str, ...]
    signs: tuple[Sign, ...]
    company: frozenset[str]
    is_topic: bool


@dataclass(frozen=True, slots=True)
class _Sign:
    """A sign of a subject: what it weighs with all its concepts, and of how many it needs one at least."""

    subject: int
    weight: float
    whole: float
    without: frozenset[str]
    least: int


class Matcher:
    """Ranks the entries for a question; made once for a knowledge base."""

    @uncollected()
    def __init__(self, knowledge: Knowledge, parameters: Parameters | None = None) -> None:
        self.parameters = parameters or Parameters()
        self.analyser = Analyser(knowledge, ROLES)
        self._subjects = [*map(_entry_subject, knowledge), *map(_topic_subject, knowledge.topics.values())]
        self._number = {subject.id: number for number, subject in enumerate(self._subjects)}
        self._weights = _weights(self._subjects, knowledge)
        self._concepts = {
            *self._weights,
            *(c for s in self._subjects for sign in s.signs for c in sign.without),
        }
        self._kinds = {(s.is_topic, s.games): s for s in self._subjects}
        self._by_concept: defaultdict[str, list[int]] = defaultdict(list)
        self._groups_of: defaultdict[str, list[int]] = defaultdict(list)
        self._sign_of: list[int] = []
        self._signs: list[_Sign] = []
        self._index_signs()
        self._games = {c.name: c.game for c in knowledge.concepts.values() if c.game}
        self._all_games = knowledge.games()
        self._names = Names(knowledge)
        self._learned = knowledge.learned
        self._entries = frozenset(entry.id for entry in knowledge)

    def match(self, text: str, game: str | None = None) -> Match:
        """Return what a question is about; `game` is the player's setting, a preference."""
        return self.rank(self.analyser.analyse(text), game)

    def rank(self, analysis: Analysis, game: str | None = None) -> Match:
        """Return what a question that has been taken apart is about."""
        scores = self.scores(analysis, game) if analysis.is_words else {}
        entries = [(name, score) for name, score in scores.items() if name in self._entries]
        if game and not self._speaks_of_another(analysis, game):
            entries = self._preferred(entries, game)
        entries = nsmallest(MOST_CANDIDATES, entries, key=_by_score)
        topics = [(name, score) for name, score in scores.items() if name not in self._entries]
        topic = min(topics, key=_by_score, default=("", 0.0))
        candidates = tuple(
            Candidate(name, round(self._confidence(score), 3))
            for name, score in entries
            if score > 0 or name == entries[0][0]
        )
        nearest = tuple(name for name, score in entries[:3] if score > 0)
        best = entries[0][1] if entries else 0.0
        near = self._nearness(analysis, entries, told=game is not None)
        verdict = self._verdict(best, max(near[1:], default=0.0), topic[1])
        if verdict == "weak":
            lost = topic[0] if topic[1] > 0 else None
            return Match("weak", (), nearest, analysis.language, analysis, lost)
        floor = best * self.parameters.company_share
        kept = tuple(
            c for c, score in zip(candidates, near, strict=False) if score >= floor or c is candidates[0]
        )
        return Match(verdict, candidates if verdict == "sure" else kept, nearest, analysis.language, analysis)

    def _verdict(self, best: float, second: float, topic: float) -> str:
        p = self.parameters
        if best < p.weak or topic > best * p.topic_share:
            return "weak"
        if best >= p.sure and best - second >= p.margin * best:
            return "sure"
        return "close" if second >= best * p.company_share else "sure" if best >= p.lone else "close"

    def _nearness(self, analysis: Analysis, entries: list[tuple[str, float]], told: bool) -> list[float]:
        """Return how near entries are to the first: those of another game nearer, where no game is told."""
        factor = 1.0 if told or self._spoken_games(analysis) else self.parameters.rival
        return [
            score * (1.0 if name.partition("/")[0] == entries[0][0].partition("/")[0] else factor)
            for name, score in entries
        ]

    def _spoken_games(self, analysis: Analysis) -> list[str]:
        """Return the games that a question names, or of which it says what no other has."""
        only_there = {self._games[concept] for concept in analysis.spans if concept in self._games}
        return [
            game
            for game in self._all_games
            if game in only_there or analysis.quality(f"game_{game}") or analysis.quality(f"cue_{game}")
        ]

    def _speaks_of_another(self, analysis: Analysis, game: str) -> bool:
        """Return whether a question names another game, or speaks of what only another has."""
        return any(other != game for other in self._spoken_games(analysis))

    def _preferred(self, entries: list[tuple[str, float]], game: str) -> list[tuple[str, float]]:
        """Return the entries of the player's game alone, where one of them is near the best."""
        mine = [(name, score) for name, score in entries if name.partition("/")[0] == game]
        best, most = (max((score for _, score in some), default=0.0) for some in (mine, entries))
        return mine if mine and best >= most * self.parameters.preferred_share else entries

    def _confidence(self, score: float) -> float:
        return max(0.0, score) / (max(0.0, score) + self.parameters.half)

    def scores(self, analysis: Analysis, game: str | None = None) -> dict[str, float]:
        """Return the score of every entry and topic that anything speaks for."""
        p = self.parameters
        present = {
            c: self._weights.get(c, 0.0) * self._presence(analysis, c)
            for c in analysis.spans
            if c in self._concepts
        }
        total = sum(present.values())
        games = self._game_evidence(analysis, game)
        fits = {kind: _game_fit(kind[1], games) for kind in self._kinds}
        shares = {kind: 1.0 if _is_at_hand(s, games) else p.unspoken for kind, s in self._kinds.items()}
        known: defaultdict[int, float] = defaultdict(float)
        for concept, weight in present.items():
            for number in self._by_concept.get(concept, ()):
                known[number] += weight
        best = self._best_signs(present)
        named = self._names.scores(analysis, p)
        learned = self._learned_scores(analysis)
        for name in named:
            known.setdefault(self._number[name], 0.0)
        scores: dict[str, float] = {}
        for number, explained in known.items():
            subject = self._subjects[number]
            kind = subject.is_topic, subject.games
            score, used = best.get(number, (0.0, 0.0))
            score += p.support * (explained - used) - p.against * (total - explained) + fits[kind]
            score += named.get(subject.id, 0.0) + learned.get(subject.id, 0.0)
            scores[subject.id] = score * shares[kind]
        return scores

    def _learned_scores(self, analysis: Analysis) -> dict[str, float]:
        """Return what the concepts of a question say for those whose phrases speak of them."""
        spoken = {c: self._presence(analysis, c) for c in analysis.spans if c in self._learned}
        length = math.sqrt(max(1.0, sum(spoken.values())))
        scores: defaultdict[str, float] = defaultdict(float)
        for concept, presence in spoken.items():
            for name, odds in self._learned[concept].items():
                scores[name] += self.parameters.concepts * odds * presence / length
        return scores

    def _presence(self, analysis: Analysis, concept: str) -> float:
        """Return how surely a concept is spoken of; where it is only denied it counts less."""
        denied = self.parameters.denied
        return max(
            (span.quality * (denied if span.denied else 1.0) for span in analysis.spans[concept]), default=0.0
        )

    def _best_signs(self, present: Mapping[str, float]) -> dict[int, tuple[float, float]]:
        """Return, by subject, the score of its best sign and the weight of the concepts in it."""
        groups: dict[int, float] = {}
        for concept, weight in present.items():
            for group in self._groups_of.get(concept, ()):
                if weight > groups.get(group, 0.0):
                    groups[group] = weight
        masses: defaultdict[int, float] = defaultdict(float)
        counts: Counter[int] = Counter()
        for group, weight in groups.items():
            masses[self._sign_of[group]] += weight
            counts[self._sign_of[group]] += 1
        best: dict[int, tuple[float, float]] = {}
        completeness = self.parameters.completeness
        for number, mass in masses.items():
            sign = self._signs[number]
            if counts[number] < sign.least or (sign.without and not present.keys().isdisjoint(sign.without)):
                continue
            score = sign.weight * mass * (mass / sign.whole) ** completeness
            if score > best.get(sign.subject, (0.0, 0.0))[0]:
                best[sign.subject] = (score, mass)
        return best

    def _index_signs(self) -> None:
        """Note which signs each concept speaks for, so that a question looks at no others."""
        for number, subject in enumerate(self._subjects):
            for concept in subject.company:
                self._by_concept[concept].append(number)
            for sign in subject.signs:
                whole = sum(max(self._weights[c] for c in group) for group in sign.concepts)
                for group in sign.concepts:
                    for concept in dict.fromkeys(group):
                        self._groups_of[concept].append(len(self._sign_of))
                    self._sign_of.append(len(self._signs))
                # a refusal rests on all that its sign asks for
                least = len(sign.concepts) if subject.is_topic else 1
                self._signs.append(_Sign(number, sign.weight, whole, frozenset(sign.without), least))

    def _game_evidence(self, analysis: Analysis, preferred: str | None) -> dict[str, float]:
        """Return how much speaks for and against each game."""
        p = self.parameters
        evidence = dict.fromkeys(self._all_games, 0.0)
        named = {g for g in self._all_games if analysis.quality(f"game_{g}")}
        for game in self._all_games:
            cued = max(
                (analysis.quality(c) for c, g in self._games.items() if g == game), default=0.0
            ) or analysis.quality(f"cue_{game}")
            if cued:
                evidence[game] += p.cue * cued
            if game == preferred:
                evidence[game] += p.preference
        if len(named) == 1:
            for game in self._all_games:
                evidence[game] += p.named if game in named else -p.named
        elif named:
            for game in named:
                evidence[game] += p.cue
        return evidence


def _by_score(scored: tuple[str, float]) -> tuple[float, str]:
    """Order by score, best first, then by name."""
    return -scored[1], scored[0]


def _is_at_hand(subject: _Subject, evidence: Mapping[str, float]) -> bool:
    """A topic of some games refuses only where something speaks for one of them."""
    return not (subject.is_topic and subject.games) or any(evidence[game] > 0 for game in subject.games)


def _game_fit(games: tuple[str, ...], evidence: Mapping[str, float]) -> float:
    """Return what the evidence of games says against a subject of some games (none: of any)."""
    if not games:
        return 0.0
    best = max(evidence.values(), default=0.0)
    return max(evidence.get(game, 0.0) for game in games) - max(0.0, best)


def _entry_subject(entry: Entry) -> _Subject:
    return _Subject(entry.id, (entry.game,), entry.signs, _company(entry.signs), False)


def _topic_subject(topic: Topic) -> _Subject:
    return _Subject(topic.id, topic.games, topic.signs, _company(topic.signs), True)


def _company(signs: Iterable[Sign]) -> frozenset[str]:
    return frozenset(concept for sign in signs for group in sign.concepts for concept in group)


def _weights(subjects: list[_Subject], knowledge: Knowledge) -> dict[str, float]:
    """Weigh each concept by how few entries and topics it speaks for, and by its own weight."""
    counts = Counter(concept for subject in subjects for concept in subject.company)
    own = {concept.name: concept.weight for concept in knowledge.concepts.values()}
    return {c: own.get(c, 1.0) * math.log(1 + len(subjects) / n) for c, n in counts.items()}
