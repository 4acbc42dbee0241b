"""One question as a program asks it: what is given in advance is checked, then the conversation answers."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from bot.conversation import Conversation, Picked, Preferences, State, Turn
from bot.refusal import Refusal
from i18n.catalogs import LANGUAGES
from knowledge.model import UNKNOWN, Entry, Knowledge

LONGEST = 5_000
"""The most characters of a question; a story of four hundred words has half as many."""


@dataclass(frozen=True, slots=True)
class Request:
    """A question, or an entry named outright, with what is known in advance."""

    question: str = ""
    entry: str | None = None
    language: str | None = None
    game: str | None = None
    facts: Mapping[str, str] = field(default_factory=dict)


def answer_request(conversation: Conversation, request: Request) -> Turn:
    """Return where a request leads; raise Refusal for what cannot be used in it."""
    knowledge = conversation.knowledge
    preferences = Preferences(check_language(request.language), check_game(knowledge, request.game))
    check_facts(knowledge, request.facts)
    if request.entry is None:
        turn = conversation.ask(clean(request.question), preferences, request.facts)
        if turn.state.entry is not None:
            check_values(knowledge.entries[turn.state.entry], request.facts)
        return turn
    entry = find_entry(knowledge, request.entry)
    check_values(entry, request.facts)
    if not request.question:
        return conversation.open(entry.id, request.facts, preferences)
    heard = conversation.ask(clean(request.question), preferences).state
    state = State(heard.language, heard.question, answered=request.facts)
    return conversation.advance(state, Picked(entry.id), preferences)


def clean(text: str) -> str:
    """Return a question without control characters; refuse one that is empty or too long."""
    kept = "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cs")).strip()
    if all(unicodedata.category(c)[0] in "CZ" or c.isspace() for c in kept):
        raise Refusal("The question is empty: say in a few words what happened at the table.")
    if len(kept) > LONGEST:
        raise Refusal(
            "The question is too long: {length} characters, at most {limit} are read.",
            length=len(kept),
            limit=LONGEST,
        )
    return kept


def check_language(language: str | None) -> str | None:
    """Return a language that we speak, or None; refuse any other."""
    if language is not None and language not in LANGUAGES:
        raise Refusal(
            "Unknown language «{value}»; known: {known}.", value=shown(language), known=listed(LANGUAGES)
        )
    return language


def check_game(knowledge: Knowledge, game: str | None) -> str | None:
    """Return a game that the knowledge covers, or None; refuse any other."""
    if game is not None and game not in knowledge.games():
        raise Refusal(
            "Unknown game «{value}»; known: {known}.", value=shown(game), known=listed(knowledge.games())
        )
    return game


def check_facts(knowledge: Knowledge, facts: Mapping[str, str]) -> None:
    """Refuse a fact that no entry knows, and a value that it has in no entry."""
    values: dict[str, dict[str, None]] = {}
    for entry in knowledge:
        for fact in entry.facts:
            values.setdefault(fact.name, {}).update(dict.fromkeys(fact.names))
    for name, value in facts.items():
        if name not in values:
            raise _unknown_fact(name, sorted(values))
        if value not in (*values[name], UNKNOWN):
            raise _unknown_value(name, value, values[name])


def check_values(entry: Entry, facts: Mapping[str, str]) -> None:
    """Refuse a value that a fact lacks in this entry; facts that it does not know are passed over."""
    for name, value in facts.items():
        fact = entry.fact(name)
        if fact is not None and value not in (*fact.names, UNKNOWN):
            raise _unknown_value(name, value, fact.names)


def check_known(entry: Entry, facts: Mapping[str, str]) -> None:
    """Refuse a fact that this entry does not know."""
    for name in facts:
        if entry.fact(name) is None:
            raise _unknown_fact(name, [fact.name for fact in entry.facts])


def find_entry(knowledge: Knowledge, name: str) -> Entry:
    """Return an entry by its id; refuse one that does not exist."""
    entry = knowledge.entry(name)
    if entry is None:
        raise Refusal("Unknown entry «{value}»; «arbitre entries» lists them all.", value=shown(name))
    return entry


def read_facts(words: Iterable[str]) -> dict[str, str]:
    """Read facts written NAME=VALUE."""
    facts = {}
    for word in words:
        name, sign, value = (part.strip() for part in word.partition("="))
        if not (name and sign and value):
            raise Refusal("A fact is given as NAME=VALUE, not «{value}».", value=shown(word))
        facts[name] = value
    return facts


def with_defaults(request: Request, defaults: Request) -> Request:
    """Return a request with the language, game and facts of another where its own are missing."""
    return replace(
        request,
        language=request.language or defaults.language,
        game=request.game or defaults.game,
        facts={**defaults.facts, **request.facts},
    )


def listed(names: Iterable[str]) -> str:
    """Return names as a list in a sentence."""
    return ", ".join(names) or "—"


def shown(text: str) -> str:
    """Return a value as a sentence can quote it: on one line, and not endless."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= 60 else f"{line[:60]}…"


def _unknown_fact(name: str, known: Iterable[str]) -> Refusal:
    return Refusal("Unknown fact «{value}»; known: {known}.", value=shown(name), known=listed(known))


def _unknown_value(name: str, value: str, known: Iterable[str]) -> Refusal:
    return Refusal(
        "The fact «{fact}» has no value «{value}»; known: {known}.",
        fact=name,
        value=shown(value),
        known=listed((*known, UNKNOWN)),
    )
