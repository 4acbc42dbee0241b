"""The source documents: their cards, their sections, and which sentences rule on nothing."""

from __future__ import annotations

from knowledge.model import Document, Section
from knowledge.nodes import Node

CARD = ("what", "play", "edition", "regulations")


def read_documents(node: Node) -> dict[str, Document]:
    """Read the ledger of the sources, by the short id with which rules cite them."""
    return {name: _document(name, item) for name, item in node.items()}


def _document(name: str, node: Node) -> Document:
    required = ("name", "file", "card", "sections")
    fields = node.fields((*required, "holds"), required)
    card = fields["card"].fields(CARD, CARD) if "card" in fields else {}
    sections = fields["sections"].items() if "sections" in fields else ()
    return Document(
        id=name,
        name=fields["name"].text() if "name" in fields else name,
        file=fields["file"].text() if "file" in fields else "",
        card={key: item.both() for key, item in card.items()},
        sections={title: _section(title, item) for title, item in sections},
        place=node.place,
        holds={fact: frozenset(item.words()) for fact, item in fields["holds"].items()}
        if "holds" in fields
        else {},
    )


def _section(title: str, node: Node) -> Section:
    keys = ("starts", "sentences", "digest", "repeats", "silent")
    fields = node.fields(keys, ("sentences", "digest"))
    count = int(fields["sentences"].number() or 0) if "sentences" in fields else 0
    repeats = {}
    for number, first in fields["repeats"].items() if "repeats" in fields else ():
        words = first.text().split()
        section = " ".join(words[:-1]) or title
        repeats[_ordinal(first, number)] = (section, _ordinal(first, words[-1]))
    silent = {}
    for numbers, why in fields["silent"].items() if "silent" in fields else ():
        for number in numbers.replace(",", " ").split():
            silent[_ordinal(why, number)] = why.text()
    return Section(
        title=title,
        starts=fields["starts"].text() if "starts" in fields else title,
        sentences=count,
        digest=fields["digest"].text() if "digest" in fields else "",
        repeats=repeats,
        silent=silent,
        place=node.place,
    )


def _ordinal(node: Node, word: str) -> int:
    if word.isdigit():
        return int(word)
    node.fault(f"«{word}» is not the number of a sentence")
    return 0
