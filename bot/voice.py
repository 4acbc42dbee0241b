"""The lines and options of a step in one language: what `bot.answer` puts together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bot.conversation import Answered, Ask, Decline, Event, Give, Picked, Rejected, Reopened, State
from bot.wording import Words, in_force
from i18n.catalogs import Messages, catalog
from i18n.formatting import typeset
from knowledge.model import UNKNOWN, Entry, Fact, Knowledge, Ruling
from knowledge.rulings import When
from knowledge.table import Branch, Settled, decide
from knowledge.words import fold

MOST_CHANGES = 2
"""How many «what would change it» are told under a ruling."""
MOST_OUTCOMES, ROOM = 40, 3000
"""How many open outcomes are told at once, and how many characters they may take of a message's 4,096."""
SHORT = ("verdict", "handful", "points", "penalty", "adjustment", "ban", "choice", "silent")
"""The parts of a ruling that are told in short; what the director must do stands in the full ruling."""


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


class Voice:
    """One turn in one language."""

    def __init__(self, knowledge: Knowledge, state: State) -> None:
        self.knowledge = knowledge
        self.state = state
        self.language = state.language
        self.messages: Messages = catalog(state.language)

    def words(self, facts: Mapping[str, str]) -> Words:
        """Return the wording of rulings for these facts."""
        return Words(self.knowledge, self.language, facts)

    def set(self, text: str) -> str:
        """Return a text with the spaces of its language."""
        return typeset(text, self.language)

    # Steps -------------------------------------------------------------------------------------

    def given(self, step: Give) -> list[Line]:
        """Return the lines of a ruling, or of all that are open."""
        lines = [self.title(step.entry, step.facts), *self.facts(step.entry, step.facts)]
        if step.ruling is not None:
            lines += self.ruling(step.ruling, step.facts)
        else:
            lines.append(Line("verdict", self.messages.gettext("It depends:")))
            lines += self.branches(step)
        lines += self.asides(step)
        return lines

    def asked(self, step: Ask) -> list[Line]:
        """Return the lines that ask about a fact."""
        return [
            self.title(step.entry, step.facts),
            *self.facts(step.entry, step.facts),
            Line("question", self.set(step.fact.question[self.language])),
        ]

    def unclear(self) -> Line:
        """Return the line that says that a reply was not understood."""
        return Line("aside", self.messages.gettext("I did not understand that; here is the question again."))

    def choice(self) -> list[Line]:
        """Return the line that asks which matter is meant."""
        return [Line("question", self.messages.gettext("What is it about?"))]

    def declined(self, step: Decline) -> list[Line]:
        """Return the lines that say that nothing answers the question."""
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
        """Return the line that names the game, the entry and the settings in force."""
        names = [self.words(facts).say(f"game.{entry.game}"), self.set(entry.title[self.language])]
        return Line("title", " · ".join([*names, *self.settings(entry, facts)]))

    def settings(self, entry: Entry, facts: Mapping[str, str]) -> list[str]:
        """Return the labels of the settings in force."""
        return [
            self.label(fact, facts[fact.name])
            for fact in entry.facts
            if fact.setting and facts.get(fact.name, UNKNOWN) != UNKNOWN
        ]

    def label(self, fact: Fact, value: str) -> str:
        """Return the label of a value."""
        if value == UNKNOWN:
            return self.messages.gettext("I don't know")
        return self.set(fact.value(value).label[self.language])

    def told(self, fact: Fact, value: str) -> str:
        """Return a value so that it is understood away from its question, where a bare «yes» is not."""
        label = self.label(fact, value)
        answer, comma, rest = label.partition(", ")
        if comma and self.is_yes_or_no(answer):
            return rest[0].upper() + rest[1:]
        if value != UNKNOWN and (value not in ("yes", "no") or " " in label):
            return label
        return f"{self.set(fact.question[self.language])} {label}"

    def is_yes_or_no(self, word: str) -> bool:
        """Whether a label begins with a bare yes or no, which says nothing away from its question."""
        replies = self.knowledge.words.replies
        return any(fold(word) in replies.get(name, ()) for name in ("yes", "no"))

    def facts(self, entry: Entry, facts: Mapping[str, str]) -> list[Line]:
        """Show back what was understood, so that a fact misheard is seen."""
        stated = [
            in_sentence(self.told(fact, facts[fact.name]))
            for fact in entry.facts
            if fact.name in facts and not fact.setting and facts[fact.name] not in (UNKNOWN, fact.presumed)
        ]
        if not stated:
            return []
        understood = self.messages.gettext("Taken as said: {facts}.")
        return [Line("facts", self.set(understood.format(facts="; ".join(stated))))]

    def ruling(self, ruling: Ruling, facts: Mapping[str, str]) -> list[Line]:
        """Return what a ruling says, its verdict first."""
        lines: list[Line] = []
        for part, sentences in self.words(facts).parts(ruling).items():
            if part == "reading":
                lines += self.readings(ruling, facts)
            else:
                lines += [Line("point" if lines else "verdict", sentence) for sentence in sentences[:1]]
                lines += [Line("point", sentence) for sentence in sentences[1:]]
        return lines

    def readings(self, ruling: Ruling, facts: Mapping[str, str]) -> list[Line]:
        """Return the lines that mark how an unclear clause is read."""
        marked = self.messages.gettext("The text is not explicit; read thus: {reading}")
        readings = self.words(facts).parts(ruling).get("reading", [])
        return [Line("aside", self.set(marked.format(reading=reading))) for reading in readings]

    def branches(self, step: Give) -> list[Line]:
        """Tell every outcome that is open: in full where it fits a message, else in short or in outline."""
        if len(step.branches) <= MOST_OUTCOMES:
            for tell in (self.in_full, self.in_short):
                lines = [line for branch in step.branches for line in tell(step, branch)]
                if sum(len(line.text) + 3 for line in lines) <= ROOM:
                    return lines
        return self.in_outline(step)

    def in_full(self, step: Give, branch: Branch) -> list[Line]:
        """Tell a branch with all that its ruling says."""
        told = self.ruling(branch.ruling, {**step.facts, **certain(branch.when)})
        condition = self.set(self.condition(step.entry, branch.when) + ":")
        return [Line("condition", condition), *(Line("point", line.text) for line in told)]

    def in_short(self, step: Give, branch: Branch) -> list[Line]:
        """Tell a branch in one line: its condition, and what becomes of the deal and who pays."""
        facts = {**step.facts, **certain(branch.when)}
        outcome = in_sentence(" ".join(self.short(branch.ruling, facts)))
        return [Line("point", self.set(f"{self.condition(step.entry, branch.when)}: {outcome}"))]

    def in_outline(self, step: Give) -> list[Line]:
        """Tell only on what the outcome depends, where there is too much to tell."""
        open_facts = {name for branch in step.branches for name in branch.when}
        asked = [f.question[self.language] for f in step.entry.facts if f.name in open_facts]
        too_many = self.messages.gettext("There are too many outcomes to tell; it depends on this:")
        return [Line("aside", too_many), *(Line("point", self.set(question)) for question in asked)]

    def short(self, ruling: Ruling, facts: Mapping[str, str]) -> list[str]:
        """Return the sentences of a ruling that matter in a comparison."""
        parts = self.words(facts).parts(ruling)
        told = [sentence for part in SHORT for sentence in parts.get(part, ())]
        return told or [sentence for sentences in parts.values() for sentence in sentences][:1]

    def condition(self, entry: Entry, when: When) -> str:
        """Return the condition of a branch in words."""
        told = []
        for name, values in when.items():
            fact = entry.fact(name)
            if fact is not None:
                first, *others = [value for value in fact.names if value in values]
                joined = [self.told(fact, first), *(in_sentence(self.label(fact, v)) for v in others)]
                told.append(self.messages.gettext(" or ").join(joined))
        return " · ".join([*told[:1], *map(in_sentence, told[1:])])

    def asides(self, step: Give) -> list[Line]:
        """The lines under a ruling: what would change it, the entry's note, the sources, see also."""
        lines = [Line("aside", text) for text in self.would_change(step)]
        if step.entry.note:
            lines.append(Line("aside", self.words(step.facts).say(f"note.{step.entry.note}")))
        rulings = [step.ruling] if step.ruling else [branch.ruling for branch in step.branches]
        lines += [Line("source", text) for text in self.sources(rulings, step.facts)]
        if step.entry.see_also:
            titles = [self.knowledge.entries[n].title[self.language] for n in step.entry.see_also]
            see_also = self.messages.gettext("See also: {titles}.").format(titles="; ".join(titles))
            lines.append(Line("aside", self.set(see_also)))
        return lines

    def sources(self, rulings: list[Ruling], facts: Mapping[str, str]) -> list[str]:
        """Return the documents cited, each with its sections."""
        sections: dict[str, dict[str, None]] = {}
        for ruling in rulings:
            for citation in in_force(self.knowledge, ruling, facts):
                name = self.knowledge.documents[citation.document].name
                sections.setdefault(name, {})[self.set(f"«{citation.section}»")] = None
        return [f"{name}, {', '.join(titles)}" for name, titles in sections.items()]

    def would_change(self, step: Give) -> list[str]:
        """Tell, from the table, which other value of a fact would bring which other outcome."""
        told: list[str] = []
        if step.ruling is None:
            return told
        mine = self.headline(step.ruling, step.facts)
        for fact in reversed(step.entry.facts):
            if not self.may_differ(fact) or fact.name not in step.facts or len(told) == MOST_CHANGES:
                continue
            if step.ruling.choice and step.facts[fact.name] == fact.presumed:
                continue  # what is not decided yet stands in the choice
            for value in fact.names:
                facts = {**step.facts, fact.name: value}
                other = decide(step.entry, facts)
                if not isinstance(other, Settled):
                    continue
                differing = [s for s in self.headline(other.ruling, facts) if s not in mine]
                if differing:
                    condition = self.messages.gettext("Otherwise, {condition}: {outcome}")
                    places = {"condition": self.told(fact, value), "outcome": differing[0]}
                    inside = {name: in_sentence(text) for name, text in places.items()}
                    told.append(self.set(condition.format(**inside)))
                    break
        return told

    def may_differ(self, fact: Fact) -> bool:
        """Whether «otherwise» is worth telling: who, whether, how often; not what it was that happened."""
        shared = fact.name in self.knowledge.facts and not fact.setting
        return shared or fact.presumed is not None or set(fact.names) == {"yes", "no"}

    def headline(self, ruling: Ruling, facts: Mapping[str, str]) -> list[str]:
        """Return the sentences that say most of an outcome."""
        parts = self.words(facts).parts(ruling)
        return [s for part in ("verdict", "penalty", "handful") for s in parts.get(part, [])]

    # Options -----------------------------------------------------------------------------------

    def replies(self, fact: Fact) -> list[Option]:
        """Return the answers to a question, «I don't know» last."""
        values = (*fact.names, UNKNOWN)
        return [Option(Answered(fact.name, value), self.label(fact, value)) for value in values]

    def changes(self, entry: Entry, facts: Mapping[str, str]) -> list[Option]:
        """Offer to change each fact in force, and to say that another entry was meant."""
        options = [
            Option(Reopened(fact.name), self.told(fact, facts[fact.name]), "change")
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
        """Return the entries to pick from."""
        options = []
        for name in names:
            entry = self.knowledge.entries[name]
            game = self.words({}).say(f"game.{entry.game}")
            options.append(Option(Picked(name), f"{game} · {self.set(entry.title[self.language])}", "entry"))
        if choosing:
            options.append(Option(Rejected(), self.messages.gettext("None of these"), "other"))
        return options


def in_sentence(text: str) -> str:
    """Return a sentence as it stands inside another: small first letter, unless it opens an acronym."""
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]


def certain(when: When) -> dict[str, str]:
    """Return the facts that a condition settles to one value."""
    return {name: next(iter(values)) for name, values in when.items() if len(values) == 1}
