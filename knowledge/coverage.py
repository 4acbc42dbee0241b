"""Which sentences of the sources are cited, repeated elsewhere, or rule on nothing."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from knowledge.model import Knowledge, Section


@dataclass(frozen=True, slots=True)
class Coverage:
    """How a section of a source is used, in sentence numbers counted from 1."""

    document: str
    section: Section
    cited: tuple[int, ...]
    missing: tuple[int, ...]

    @property
    def ruling(self) -> int:
        """How many sentences rule on something and are no repetition."""
        return len(self.cited) + len(self.missing)


def coverage(knowledge: Knowledge) -> list[Coverage]:
    """Return the use of every section, in the order of the sources."""
    cited: dict[tuple[str, str], set[int]] = defaultdict(set)
    for entry in knowledge:
        for rule in entry.rules:
            for citation in rule.ruling.citations:
                cited[citation.document, citation.section].update(citation.sentences)
    return [
        _section(document.id, section, cited[document.id, section.title])
        for document in knowledge.documents.values()
        for section in document.sections.values()
    ]


def _section(document: str, section: Section, cited: set[int]) -> Coverage:
    ruling = [
        n for n in range(1, section.sentences + 1) if n not in section.silent and n not in section.repeats
    ]
    return Coverage(
        document,
        section,
        tuple(n for n in ruling if n in cited),
        tuple(n for n in ruling if n not in cited),
    )


def uncited(knowledge: Knowledge) -> list[tuple[Section, tuple[int, ...]]]:
    """Return the sections with sentences that nobody cites and nothing accounts for."""
    return [(use.section, use.missing) for use in coverage(knowledge) if use.missing]
