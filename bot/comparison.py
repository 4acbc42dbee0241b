"""One entry in all formats, one under the other: what a director compares, short enough for a phone."""

from __future__ import annotations

from collections.abc import Mapping

from bot.answer import Answer
from bot.conversation import State
from bot.voice import Line, Voice, certain, in_sentence
from knowledge.model import Entry, Fact, Knowledge, Ruling
from knowledge.rulings import When
from knowledge.table import Settled, branch_out, complete, decide, next_fact, remaining

MOST_BRANCHES = 6
"""How many open outcomes of one format are told; beyond, the table says on what they depend."""

Block = tuple[Line, ...]


def compare(knowledge: Knowledge, entry: Entry, facts: Mapping[str, str], language: str) -> Answer:
    """Return the outcomes of an entry in every value of its setting, for the facts known so far.

    Values with the same outcome stand together. A setting that is among the facts is the only one
    told; an entry without a setting has one block.
    """
    column = _Column(knowledge, entry, language)
    setting = next((fact for fact in entry.facts if fact.setting), None)
    others = {name: value for name, value in facts.items() if setting is None or name != setting.name}
    lines = [column.title(), *column.voice.facts(entry, complete(entry, others))]
    if setting is None:
        return Answer(language, (*lines, *column.block(facts), *column.sources(others)))
    grouped: dict[Block, list[str]] = {}
    for value in setting.names if setting.name not in facts else [facts[setting.name]]:
        block = column.block({**others, setting.name: value})
        grouped.setdefault(block, []).append(column.voice.label(setting, value))
    for block, labels in grouped.items():
        lines += [Line("condition", " · ".join(labels)), *block]
    return Answer(language, (*lines, *column.sources(others)))


class _Column:
    """The outcomes of one entry in one language."""

    def __init__(self, knowledge: Knowledge, entry: Entry, language: str) -> None:
        self.entry = entry
        self.voice = Voice(knowledge, State(language=language))
        self.told: list[Ruling] = []

    def title(self) -> Line:
        return self.voice.title(self.entry, {})

    def block(self, facts: Mapping[str, str]) -> Block:
        """Return the outcome for these facts, or every open one with its condition."""
        decision = decide(self.entry, facts)
        if isinstance(decision, Settled):
            self.told.append(decision.ruling)
            points = [Line("point", text) for text in self.voice.short(decision.ruling, facts)]
            return (*points, *self.voice.readings(decision.ruling, facts))
        known = complete(self.entry, facts)
        left = remaining(self.entry, known)
        branches = branch_out(self.entry, left, known)
        if len(branches) > MOST_BRANCHES:
            fact = next_fact(self.entry, left, known)
            return (Line("point", self.depends(fact)),) if fact else ()
        return tuple(self.branch(branch.when, branch.ruling, facts) for branch in branches)

    def branch(self, when: When, ruling: Ruling, facts: Mapping[str, str]) -> Line:
        self.told.append(ruling)
        outcome = " ".join(self.voice.short(ruling, {**facts, **certain(when)}))
        condition = self.voice.condition(self.entry, when)
        return Line("point", self.voice.set(f"{condition}: {in_sentence(outcome)}"))

    def sources(self, facts: Mapping[str, str]) -> list[Line]:
        """Return the lines that say where all that was told is written."""
        return [Line("source", text) for text in self.voice.sources(self.told, facts)]

    def depends(self, fact: Fact) -> str:
        question = fact.question[self.voice.language]
        message = self.voice.messages.gettext("Depends on the facts, first of all: {question}")
        return self.voice.set(message.format(question=question))
