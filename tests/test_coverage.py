"""The ledger of the sources against the source texts, where those are at hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from knowledge.coverage import coverage
from knowledge.loader import knowledge
from knowledge.model import Document
from tests import source_text

SOURCES = Path(__file__).parents[2] / "shared" / "sources"


def test_every_sentence_that_rules_is_cited() -> None:
    uses = coverage(knowledge())
    assert sum(use.ruling for use in uses) > 150
    assert [f"{use.document} {use.section.title}: {use.missing}" for use in uses if use.missing] == []


def test_a_sentence_is_either_cited_or_accounted_for() -> None:
    for use in coverage(knowledge()):
        both = {*use.section.silent, *use.section.repeats}
        assert not both & set(use.cited)
        for title, number in use.section.repeats.values():
            assert title
            assert number > 0


@pytest.mark.skipif(not SOURCES.is_dir(), reason="the source texts are not at hand")
@pytest.mark.parametrize("document", knowledge().documents.values(), ids=lambda document: document.id)
def test_the_ledger_counts_what_the_source_says(document: Document) -> None:
    text = (SOURCES / document.file).read_text("utf-8")
    starts = {section.title: section.starts for section in document.sections.values()}
    cut = source_text.table if text.lstrip().startswith("| FAUTE") else source_text.prose
    found = cut(text, starts)
    assert {title: len(sentences) for title, sentences in found.items()} == {
        section.title: section.sentences for section in document.sections.values()
    }
    assert {title: source_text.digest(sentences) for title, sentences in found.items()} == {
        section.title: section.digest for section in document.sections.values()
    }
