"""A step as a player reads it: lines with a role each, and the options that can be tapped.

Plain text for `ask` and the terminal; Telegram sets the same lines in its own markup.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import assert_never

from babel.support import Translations

from bot.conversation import (
    Answered,
    Ask,
    Choose,
    Decline,
    Event,
    Give,
    Picked,
    Rejected,
    Reopened,
    State,
    Turn,
)
from bot.wording import Words
from i18n.catalogs import catalog
from i18n.formatting import typeset
from knowledge.model import UNKNOWN, Entry, Fact, Knowledge, Ruling
from knowledge.rulings import When
from knowledge.table import Branch, Settled, decide

MOST_CHANGES = 2
"""How many «what would change it» are told under a ruling."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of an answer. Role: title, facts, verdict, point, condition, aside, source or question."""

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class Option:
    """Something that a player can tap. Role: answer, entry, change or other."""

    event: Event
    label: str
    role: str = "answer"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a player reads, and what can be answered to it."""

    language: str
    lines: tuple[Line, ...]
    options: tuple[Option, ...] = ()

    @property
    def text(self) -> str:
        """The lines as plain text."""
        marks = {"point": "• ", "source": "— "}
        return "\n".join(marks.get(line.role, "") + line.text for line in self.lines)


class Answers:
    """Puts the steps of a conversation into words."""

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge

    def answer(self, turn: Turn) -> Answer:
        """Return the answer for a turn, in the language of its state."""
        voice = _Voice(self.knowledge, turn.state)
        step = turn.step
        match step:
            case Give():
                return voice.answer(voice.given(step), voice.changes(step.entry, step.facts))
            case Ask():
                return voice.answer(voice.asked(step), voice.replies(step.fact))
            case Choose():
                return voice.answer(voice.choice(), voice.entries([c.entry for c in step.candidates], True))
            case Decline():
                return voice.answer(voice.declined(step), voice.entries(step.nearest, False))
            case _:
                assert_never(step)


class _Voice:
    """One turn in one language."""

    def __init__(self, knowledge: Knowledge, state: State) -> None:
        self.knowledge = knowledge
        self.state = state
        self.language = state.language
        self.messages: Translations = catalog(state.language)

    def answer(self, lines: list[Line], options: list[Option]) -> Answer:
        return Answer(self.language, tuple(lines), tuple(options))

    def words(self, facts: Mapping[str, str]) -> Words:
        return Words(self.knowledge, self.language, facts)

    def set(self, text: str) -> str:
        return typeset(text, self.language)

    # Steps -------------------------------------------------------------------------------------

    def given(self, step: Give) -> list[Line]:
        lines = [self.title(step.entry, step.facts), *self.facts(step.entry, step.facts)]
        if step.ruling is not None:
            lines += self.ruling(step.ruling, step.facts)
        else:
            lines.append(Line("verdict", self.messages.gettext("It depends:")))
            lines += self.branches(step)
        lines += self.asides(step)
        return lines

    def asked(self, step: Ask) -> list[Line]:
        return [
            self.title(step.entry, step.facts),
            *self.facts(step.entry, step.facts),
            Line("question", self.set(step.fact.question[self.language])),
        ]

    def choice(self) -> list[Line]:
        return [Line("question", self.messages.gettext("What is it about?"))]

    def declined(self, step: Decline) -> list[Line]:
        lines = [
            Line("verdict", self.messages.gettext("My sources do not rule on that.")),
            Line("aside", self.covered()),
        ]
        if step.nearest:
            lines.append(Line("question", self.messages.gettext("The nearest matters that they rule on:")))
        return lines

    def covered(self) -> str:
        """Say what the sources cover."""
        games = ", ".join(self.words({}).say(f"game.{game}") for game in self.knowledge.games())
        return self.set(
            self.messages.gettext(
                "They cover faults and incidents of play and their penalties: {games}."
            ).format(games=games)
        )

    # Parts of a ruling -------------------------------------------------------------------------

    def title(self, entry: Entry, facts: Mapping[str, str]) -> Line:
        names = [self.words(facts).say(f"game.{entry.game}"), self.set(entry.title[self.language])]
        return Line("title", " · ".join([*names, *self.settings(entry, facts)]))

    def settings(self, entry: Entry, facts: Mapping[str, str]) -> list[str]:
        return [
            self.label(fact, facts[fact.name])
            for fact in entry.facts
            if fact.setting and facts.get(fact.name, UNKNOWN) != UNKNOWN
        ]

    def label(self, fact: Fact, value: str) -> str:
        if value == UNKNOWN:
            return self.messages.gettext("I don't know")
        return self.set(fact.value(value).label[self.language])

    def facts(self, entry: Entry, facts: Mapping[str, str]) -> list[Line]:
        """Show back what was understood, so that a fact misheard is seen."""
        stated = [
            self.label(fact, facts[fact.name])
            for fact in entry.facts
            if fact.name in facts and not fact.setting and facts[fact.name] not in (UNKNOWN, fact.presumed)
        ]
        if not stated:
            return []
        understood = self.messages.gettext("Taken as said: {facts}.")
        return [Line("facts", self.set(understood.format(facts="; ".join(stated))))]

    def ruling(self, ruling: Ruling, facts: Mapping[str, str]) -> list[Line]:
        lines: list[Line] = []
        for part, sentences in self.words(facts).parts(ruling).items():
            for sentence in sentences:
                role = "point" if lines else "verdict"
                if part == "reading":
                    reading = self.messages.gettext("The text is not explicit; read thus: {reading}")
                    role, sentence = "aside", self.set(reading.format(reading=sentence))
                lines.append(Line(role, sentence))
        return lines

    def branches(self, step: Give) -> list[Line]:
        lines = []
        for branch in step.branches:
            lines.append(Line("condition", f"{self.condition(step.entry, branch.when)} :".replace(" :", ":")))
            told = self.ruling(branch.ruling, {**step.facts, **_certain(branch.when)})
            lines += [Line("point", line.text) for line in told]
        return [Line(line.role, self.set(line.text)) for line in lines]

    def condition(self, entry: Entry, when: When) -> str:
        told = []
        for name, values in when.items():
            fact = entry.fact(name)
            if fact is not None:
                joined = [self.label(fact, value) for value in fact.names if value in values]
                told.append(self.messages.gettext(" or ").join(joined))
        return ", ".join(told)

    def asides(self, step: Give) -> list[Line]:
        """The lines under a ruling: what would change it, the entry's note, the sources, see also."""
        lines = [Line("aside", text) for text in self.would_change(step)]
        if step.entry.note:
            lines.append(Line("aside", self.words(step.facts).say(f"note.{step.entry.note}")))
        rulings = [step.ruling] if step.ruling else [branch.ruling for branch in step.branches]
        lines += [Line("source", text) for text in self.sources(rulings)]
        if step.entry.see_also:
            titles = [self.knowledge.entries[n].title[self.language] for n in step.entry.see_also]
            see_also = self.messages.gettext("See also: {titles}.").format(titles="; ".join(titles))
            lines.append(Line("aside", self.set(see_also)))
        return lines

    def sources(self, rulings: list[Ruling]) -> list[str]:
        sections: dict[str, dict[str, None]] = {}
        for ruling in rulings:
            for citation in ruling.citations:
                name = self.knowledge.documents[citation.document].name
                sections.setdefault(name, {})[self.set(f"« {citation.section} »")] = None
        return [f"{name}, {', '.join(titles)}" for name, titles in sections.items()]

    def would_change(self, step: Give) -> list[str]:
        """Tell, from the table, which other value of a fact would bring which other outcome."""
        told: list[str] = []
        if step.ruling is None:
            return told
        mine = self.headline(step.ruling, step.facts)
        for fact in reversed(step.entry.facts):
            if fact.setting or fact.name not in step.facts or len(told) == MOST_CHANGES:
                continue
            for value in fact.names:
                facts = {**step.facts, fact.name: value}
                other = decide(step.entry, facts)
                if not isinstance(other, Settled):
                    continue
                differing = [s for s in self.headline(other.ruling, facts) if s not in mine]
                if differing:
                    condition = self.messages.gettext("Otherwise, {condition}: {outcome}")
                    outcome = differing[0][0].lower() + differing[0][1:]
                    told.append(
                        self.set(condition.format(condition=self.label(fact, value).lower(), outcome=outcome))
                    )
                    break
        return told

    def headline(self, ruling: Ruling, facts: Mapping[str, str]) -> list[str]:
        parts = self.words(facts).parts(ruling)
        return [s for part in ("verdict", "penalty", "handful") for s in parts.get(part, [])]

    # Options -----------------------------------------------------------------------------------

    def replies(self, fact: Fact) -> list[Option]:
        values = (*fact.names, UNKNOWN)
        return [Option(Answered(fact.name, value), self.label(fact, value)) for value in values]

    def changes(self, entry: Entry, facts: Mapping[str, str]) -> list[Option]:
        """Offer to change each fact in force, and to say that another entry was meant."""
        options = [
            Option(Reopened(fact.name), self.label(fact, facts[fact.name]), "change")
            for fact in entry.facts
            if fact.name in facts and self.counts(entry, fact, facts)
        ]
        if self.state.question or self.state.offered:
            options.append(Option(Rejected(), self.messages.gettext("Not this"), "other"))
        return options

    def counts(self, entry: Entry, fact: Fact, facts: Mapping[str, str]) -> bool:
        """Whether another value of the fact would lead elsewhere."""
        here = decide(entry, facts)
        others = [value for value in (*fact.names, UNKNOWN) if value != facts[fact.name]]
        return any(decide(entry, {**facts, fact.name: value}) != here for value in others)

    def entries(self, names: tuple[str, ...] | list[str], choosing: bool) -> list[Option]:
        options = []
        for name in names:
            entry = self.knowledge.entries[name]
            game = self.words({}).say(f"game.{entry.game}")
            options.append(Option(Picked(name), f"{game} · {self.set(entry.title[self.language])}", "entry"))
        if choosing:
            options.append(Option(Rejected(), self.messages.gettext("None of these"), "other"))
        return options


def _certain(when: When) -> dict[str, str]:
    """Return the facts that a condition settles to one value."""
    return {name: next(iter(values)) for name, values in when.items() if len(values) == 1}


def branch_conditions(branch: Branch) -> dict[str, str | list[str]]:
    """Return a branch's condition as data: a value, or the list of values that lead there."""
    return {
        name: next(iter(values)) if len(values) == 1 else sorted(values)
        for name, values in branch.when.items()
    }
