"""The cards of the source documents: what each is, for which play it holds, and what comes first."""

from __future__ import annotations

from bot.answer import Answer, Line
from i18n.catalogs import catalog
from i18n.formatting import typeset
from knowledge.model import Document, Knowledge


def cards(knowledge: Knowledge, language: str) -> list[Answer]:
    """Return the card of every document, in the order of the sources."""
    return [card(document, language) for document in knowledge.documents.values()]


def card(document: Document, language: str) -> Answer:
    """Return the card of a document."""
    messages = catalog(language)
    told = {
        "what": messages.gettext("What it is: {text}"),
        "play": messages.gettext("Holds for: {text}"),
        "edition": messages.gettext("Edition: {text}"),
        "regulations": messages.gettext("What comes first: {text}"),
    }
    lines = [
        Line("point", typeset(told[key].format(text=text[language]), language))
        for key, text in document.card.items()
    ]
    return Answer(language, (Line("title", document.name), *lines))
