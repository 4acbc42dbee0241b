"""What the knowledge base is made of: frozen values, no behaviour beyond looking themselves up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

LANGUAGES = ("fr", "ru")
UNKNOWN = "unknown"
"""The answer « I don't know », which every question offers beside the fact's own values."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where something is written: a file of the knowledge base and a line in it."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class Text:
    """The same words in the two languages of the players."""

    fr: str
    ru: str

    def __getitem__(self, language: str) -> str:
        return self.ru if language == "ru" else self.fr


@dataclass(frozen=True, slots=True)
class Value:
    """One answer to a fact's question.

    `heard` are the expressions by which a question states it, `replies` what a player types as the answer.
    """

    name: str
    label: Text
    heard: tuple[Expression, ...] = ()
    replies: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that a ruling may depend on, and the question that finds it out.

    `presumed` is the value that holds unless it is stated: such a fact is never asked. A fact that is
    a `setting` is kept for the player's next questions.
    """

    name: str
    question: Text
    values: tuple[Value, ...]
    place: Place
    presumed: str | None = None
    setting: bool = False
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its values, in the order in which they are offered."""
        return tuple(value.name for value in self.values)

    def value(self, name: str) -> Value:
        """Return the value of that name; raise KeyError if there is none."""
        for value in self.values:
            if value.name == name:
                return value
        raise KeyError(name)


@dataclass(frozen=True, slots=True)
class Penalty:
    """What somebody pays or gets: `amount` in points, percent, match points or `unit`."""

    kind: str
    to: str
    amount: float | None = None
    unit: str | None = None


@dataclass(frozen=True, slots=True)
class Ban:
    """What somebody may not do, on which deal, and for how long where it is less than the deal."""

    who: str
    what: str
    deal: str
    lasting: str | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """Who may choose between what."""

    who: str
    between: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.who}: {' | '.join(self.between)}"


@dataclass(frozen=True, slots=True)
class Adjustment:
    """A bound on a side's adjusted score, in percent or match points."""

    to: str
    bound: str
    amount: float
    unit: str


@dataclass(frozen=True, slots=True)
class Citation:
    """The clause that a ruling rests on: document, section, and the sentences counted from 1."""

    document: str
    section: str
    sentences: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Ruling:
    """An outcome: data that a program can compare, and the words that the standard sentences lack.

    `says` maps a part of the text (verdict, penalty, choice, …) to what stands there.
    """

    deal: str = "none"
    penalties: tuple[Penalty, ...] = ()
    bans: tuple[Ban, ...] = ()
    choice: Choice | None = None
    handful: str | None = None
    points_returned: str | None = None
    adjustment: tuple[Adjustment, ...] = ()
    citations: tuple[Citation, ...] = ()
    says: tuple[tuple[str, tuple[Text, ...]], ...] = ()

    def said(self, part: str) -> tuple[Text, ...]:
        """Return what the entry itself says in that part of the text."""
        for name, texts in self.says:
            if name == part:
                return texts
        return ()


@dataclass(frozen=True, slots=True)
class Rule:
    """A row of a decision table: the values for which it holds, and its ruling."""

    when: Mapping[str, frozenset[str]]
    ruling: Ruling
    place: Place
    hands_over: str | None = None


@dataclass(frozen=True, slots=True)
class Impossible:
    """A combination of facts that cannot happen, with the reason why."""

    when: Mapping[str, frozenset[str]]
    why: str
    place: Place


@dataclass(frozen=True, slots=True)
class Phrase:
    """A player's way of naming an entry, as the search matches it."""

    text: str
    language: str
    place: Place
    ambiguous: bool = False


@dataclass(frozen=True, slots=True)
class Expression:
    """Words by which something is recognised in a question; see `knowledge.expressions`."""

    text: str
    language: str
    place: Place


@dataclass(frozen=True, slots=True)
class Entry:
    """One matter that the sources rule on: its names, its facts in asking order, its table."""

    id: str
    title: Text
    phrases: tuple[Phrase, ...]
    facts: tuple[Fact, ...]
    rules: tuple[Rule, ...]
    place: Place
    impossible: tuple[Impossible, ...] = ()
    see_also: tuple[str, ...] = ()
    note: str | None = None
    signs: tuple[Sign, ...] = ()

    @property
    def game(self) -> str:
        """The game that the entry belongs to."""
        return self.id.partition("/")[0]

    def fact(self, name: str) -> Fact | None:
        """Return the fact of that name, or None where the entry does not know it."""
        return next((fact for fact in self.facts if fact.name == name), None)

    def documents(self) -> tuple[str, ...]:
        """Return the documents that its rules cite, in the order in which they come."""
        return tuple(dict.fromkeys(c.document for rule in self.rules for c in rule.ruling.citations))


@dataclass(frozen=True, slots=True)
class Sign:
    """Concepts that, found together in a question, speak for an entry or a topic."""

    concepts: tuple[tuple[str, ...], ...]
    without: tuple[str, ...]
    weight: float
    place: Place


@dataclass(frozen=True, slots=True)
class Topic:
    """A matter that the sources do not rule on, recognised so that it can be refused."""

    id: str
    games: tuple[str, ...]
    signs: tuple[Sign, ...]
    phrases: tuple[Phrase, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a source: how many sentences it has, and which of them rule on nothing and why."""

    title: str
    starts: str
    sentences: int
    digest: str
    repeats: Mapping[int, tuple[str, int]]
    silent: Mapping[int, str]
    place: Place


@dataclass(frozen=True, slots=True)
class Document:
    """A source text and its card; `holds` are the values of settings (the format) for which it is the law."""

    id: str
    name: str
    file: str
    card: Mapping[str, Text]
    sections: Mapping[str, Section]
    place: Place
    holds: Mapping[str, frozenset[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Concept:
    """Something that players speak of, with the expressions that mean it in each language.

    `weight` is less than 1 for what is said of many matters and tells little.
    """

    name: str
    expressions: tuple[Expression, ...]
    place: Place
    game: str | None = None
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Variant:
    """A form of a standard sentence: when it holds, and its plural forms by language and CLDR category."""

    when: Mapping[str, frozenset[str]]
    forms: Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Wording:
    """A standard sentence or word; of its variants the first whose condition fits is used."""

    variants: tuple[Variant, ...]
    place: Place

    def forms(self, facts: Mapping[str, str], language: str) -> Mapping[str, str]:
        """Return the plural forms of the first variant that the facts allow."""
        for variant in self.variants:
            if all(facts.get(name) in values for name, values in variant.when.items()):
                return variant.forms[language]
        raise KeyError(language)


@dataclass(frozen=True, slots=True)
class Words:
    """Word lists, folded: little words, denials, ordinary words, spoken spellings, short replies."""

    little: frozenset[str] = frozenset()
    denials: frozenset[str] = frozenset()
    denials_after: frozenset[str] = frozenset()
    parting: frozenset[str] = frozenset()
    ordinary: frozenset[str] = frozenset()
    spoken: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    replies: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @property
    def known(self) -> frozenset[str]:
        """All words that are no misspelling."""
        return self.ordinary | self.little | self.denials

    def is_little(self, word: str) -> bool:
        """Return whether a folded word carries no meaning of its own."""
        return word in self.little


@dataclass(frozen=True, slots=True)
class Knowledge:
    """All that the program knows, read once and changed by nobody."""

    entries: Mapping[str, Entry]
    facts: Mapping[str, Fact]
    documents: Mapping[str, Document]
    wordings: Mapping[str, Wording]
    concepts: Mapping[str, Concept] = field(default_factory=dict)
    topics: Mapping[str, Topic] = field(default_factory=dict)
    words: Words = Words()
    learned: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries.values())

    def entry(self, name: str) -> Entry | None:
        """Return the entry of that id, or None."""
        return self.entries.get(name)

    def games(self) -> tuple[str, ...]:
        """Return the games, in the order in which their entries stand."""
        return tuple(dict.fromkeys(entry.game for entry in self))
