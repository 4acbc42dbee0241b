"""The conversation without I/O and without words: an event and a state in, a state and a step out.

Every front-end drives this one function, `advance`; what a player reads is made in `bot.answer`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import assert_never

from knowledge.matching import Candidate, Match, Matcher
from knowledge.model import UNKNOWN, Entry, Fact, Knowledge, Ruling
from knowledge.reading import Reader
from knowledge.table import Branch, Missing, Open, Settled, complete, decide

MOST_OFFERED = 4
"""How many entries are offered at once, beside «none of these»."""
_NOTHING: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class Preferences:
    """What a player has set: a language, a game, and the facts that are settings (the format)."""

    language: str | None = None
    game: str | None = None
    facts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class State:
    """Where a conversation stands: enough to go on from, in this process or another."""

    language: str = "fr"
    question: str = ""
    entry: str | None = None
    heard: Mapping[str, str] = field(default_factory=dict)
    answered: Mapping[str, str] = field(default_factory=dict)
    asked: str | None = None
    offered: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()

    @property
    def stated(self) -> dict[str, str]:
        """The facts heard in the question and those answered since; an answer wins."""
        return {**self.heard, **self.answered}


@dataclass(frozen=True, slots=True)
class Said:
    """A player typed something: a question, or the answer to ours."""

    text: str


@dataclass(frozen=True, slots=True)
class Picked:
    """A player picked one of the entries."""

    entry: str


@dataclass(frozen=True, slots=True)
class Answered:
    """A player answered the question about a fact; `UNKNOWN` is an answer too."""

    fact: str
    value: str


@dataclass(frozen=True, slots=True)
class Reopened:
    """A player wants to change the answer about a fact."""

    fact: str


@dataclass(frozen=True, slots=True)
class Rejected:
    """A player says that none of what was offered, or not this entry, is meant."""


Event = Said | Picked | Answered | Reopened | Rejected


@dataclass(frozen=True, slots=True)
class Give:
    """The ruling; or, where a fact stays unknown, all that are open with their conditions."""

    entry: Entry
    facts: Mapping[str, str]
    ruling: Ruling | None
    branches: tuple[Branch, ...] = ()


@dataclass(frozen=True, slots=True)
class Ask:
    """One more fact is needed."""

    entry: Entry
    facts: Mapping[str, str]
    fact: Fact


@dataclass(frozen=True, slots=True)
class Choose:
    """Several entries fit; the player picks."""

    candidates: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class Decline:
    """The sources do not answer this; `nearest` are the closest matters that they do rule on."""

    nearest: tuple[str, ...] = ()


Step = Give | Ask | Choose | Decline


@dataclass(frozen=True, slots=True)
class Turn:
    """What one event leads to; `unclear` where what was typed was not understood and is asked again."""

    state: State
    step: Step
    candidates: tuple[Candidate, ...] = ()
    unclear: bool = False


class Conversation:
    """The rules of the talk over one knowledge base; holds nothing of any player."""

    def __init__(self, knowledge: Knowledge, matcher: Matcher, reader: Reader) -> None:
        self.knowledge = knowledge
        self.matcher = matcher
        self.reader = reader

    def advance(self, state: State, event: Event, preferences: Preferences) -> Turn:
        """Return the next state and step. An event that no longer fits starts the entry afresh."""
        match event:
            case Said(text):
                return self._said(state, text, preferences)
            case Picked(entry):
                return self._picked(state, entry, preferences)
            case Answered(fact, value):
                answered = {**state.answered, fact: value}
                return self._go_on(replace(state, answered=answered, asked=None), preferences)
            case Reopened(fact):
                return self._reopened(state, fact, preferences)
            case Rejected():
                return self._rejected(state, preferences)
            case _:
                assert_never(event)

    def ask(self, text: str, preferences: Preferences, given: Mapping[str, str] = _NOTHING) -> Turn:
        """Return where a new question leads, whatever was said before.

        `given` are answers known in advance; they win over what the question says.
        """
        match = self.matcher.match(text, preferences.game)
        language = preferences.language or match.language
        state = State(language=language, question=text, answered=given)
        best = match.candidates[0].entry if match.verdict == "sure" else self._only_fitting(match, given)
        if best is not None:
            others = tuple(c.entry for c in match.candidates if c.entry != best)
            state = replace(state, entry=best, heard=self._heard(best, match), offered=others)
            turn = self._go_on(state, preferences)
            return replace(turn, candidates=match.candidates)
        if match.verdict == "close":
            offered = match.candidates[:MOST_OFFERED]
            state = replace(state, offered=tuple(c.entry for c in offered))
            return Turn(state, Choose(offered), match.candidates)
        return Turn(state, Decline(match.nearest))

    def _only_fitting(self, match: Match, given: Mapping[str, str]) -> str | None:
        """Return the candidate that the facts given in advance are about, where there is just one."""
        if not given or match.verdict != "close":
            return None
        entries = [self.knowledge.entries[candidate.entry] for candidate in match.candidates]
        fitting = [entry.id for entry in entries if all(entry.fact(name) for name in given)]
        return fitting[0] if len(fitting) == 1 else None

    def open(self, entry: str, facts: Mapping[str, str], preferences: Preferences) -> Turn:
        """Return where an entry leads that is named outright, with the facts given."""
        language = preferences.language or "fr"
        return self._go_on(State(language=language, entry=entry, answered=facts), preferences)

    def resume(self, state: State, preferences: Preferences) -> Turn | None:
        """Return where a state stands under preferences that have changed; None where nothing was said."""
        if state.entry is not None:
            return self._go_on(state, preferences)
        return self.ask(state.question, preferences, state.answered) if state.question else None

    def remember(self, state: State, preferences: Preferences) -> Preferences:
        """Return the preferences with the settings (the format) that were answered on the way."""
        settings = {name for name, fact in self.knowledge.facts.items() if fact.setting}
        kept = {n: v for n, v in state.answered.items() if n in settings and v != UNKNOWN}
        return replace(preferences, facts={**preferences.facts, **kept})

    def _heard(self, entry: str, match: Match) -> dict[str, str]:
        return self.reader.read(self.knowledge.entries[entry], match.analysis)

    def _said(self, state: State, text: str, preferences: Preferences) -> Turn:
        reply = self._as_reply(state, text)
        if reply is not None:
            return self.advance(state, reply, preferences)
        turn = self.ask(text, preferences)
        again = self._again(state, preferences)
        if again is not None and isinstance(turn.step, Decline) and self.reader.is_short(text):
            return replace(again, unclear=True)
        return turn

    def _again(self, state: State, preferences: Preferences) -> Turn | None:
        """Return the question that waits for an answer, as it was asked."""
        if state.entry is not None and state.asked is not None:
            return self._reopened(state, state.asked, preferences)
        if state.entry is None and state.offered:
            return Turn(state, Choose(tuple(Candidate(name, 0.0) for name in state.offered)))
        return None

    def _as_reply(self, state: State, text: str) -> Event | None:
        """Take a typed text as the answer to what was asked, if it is one."""
        if state.entry is not None and state.asked is not None:
            fact = self.knowledge.entries[state.entry].fact(state.asked)
            value = self.reader.reply(fact, text) if fact else None
            return Answered(state.asked, value) if value else None
        if state.entry is None and state.offered:
            entries = [self.knowledge.entries[name] for name in state.offered]
            picked = self.reader.pick(entries, text)
            return Picked(picked.id) if picked else None
        return None

    def _picked(self, state: State, entry: str, preferences: Preferences) -> Turn:
        heard: Mapping[str, str] = {}
        if state.question:
            heard = self._heard(entry, self.matcher.match(state.question, preferences.game))
        others = tuple(name for name in state.offered if name != entry)
        given = state.answered if state.entry is None else {}
        picked = replace(state, entry=entry, heard=heard, answered=given, asked=None, offered=others)
        return self._go_on(picked, preferences)

    def _reopened(self, state: State, name: str, preferences: Preferences) -> Turn:
        entry = self.knowledge.entries[state.entry] if state.entry else None
        fact = entry.fact(name) if entry else None
        if entry is None or fact is None:
            return self._go_on(state, preferences)
        heard = {n: value for n, value in state.heard.items() if n != name}
        answered = {n: value for n, value in state.answered.items() if n != name}
        again = replace(state, heard=heard, answered=answered, asked=name)
        return Turn(again, Ask(entry, self._in_force(entry, again, preferences), fact))

    def _rejected(self, state: State, preferences: Preferences) -> Turn:
        refused = (*state.refused, *((state.entry,) if state.entry else state.offered))
        left = tuple(name for name in state.offered if name not in refused)
        if not left and state.question:
            match = self.matcher.match(state.question, preferences.game)
            left = tuple(n for n in match.nearest if n not in refused)[:MOST_OFFERED]
        cleared = replace(state, entry=None, heard={}, answered={}, asked=None, offered=left, refused=refused)
        if not left:
            return Turn(cleared, Decline())
        return Turn(cleared, Choose(tuple(Candidate(name, 0.0) for name in left)))

    def _in_force(self, entry: Entry, state: State, preferences: Preferences) -> dict[str, str]:
        return complete(entry, {**preferences.facts, **state.stated})

    def _go_on(self, state: State, preferences: Preferences) -> Turn:
        entry = self.knowledge.entries[state.entry] if state.entry else None
        if entry is None:
            return Turn(state, Decline())
        facts = {**preferences.facts, **state.stated}
        known = complete(entry, facts)
        decision = decide(entry, facts)
        match decision:
            case Settled(ruling):
                return Turn(replace(state, asked=None), Give(entry, known, ruling))
            case Open(branches):
                return Turn(replace(state, asked=None), Give(entry, known, None, branches))
            case Missing(fact):
                return Turn(replace(state, asked=fact.name), Ask(entry, known, fact))
            case _:
                assert_never(decision)
