"""Question to the facts that it states."""

from __future__ import annotations

from knowledge.matching import Analysis
from knowledge.model import Entry, Fact, Knowledge
from knowledge.words import fold


class Reader:
    """Reads facts and replies."""

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge

    def read(self, entry: Entry, analysis: Analysis) -> dict[str, str]:
        """Return the facts of the entry that the question states."""
        del entry, analysis
        return {}

    def reply(self, fact: Fact, text: str) -> str | None:
        """Return the value that a typed reply means, or None where it is no reply to this question."""
        for value in fact.values:
            if fold(text) in (fold(value.label.fr), fold(value.label.ru), value.name):
                return value.name
        return None

    def pick(self, entries: list[Entry], text: str) -> Entry | None:
        """Return the entry that a typed reply names, or None."""
        for entry in entries:
            if fold(text) in (fold(entry.title.fr), fold(entry.title.ru)):
                return entry
        return None
