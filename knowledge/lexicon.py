"""Reads the lexicon: concepts with the words that mean them, and the signs of entries and topics."""

from __future__ import annotations

from knowledge.model import LANGUAGES, Concept, Expression, Phrase, Sign, Topic, Words
from knowledge.nodes import Node
from knowledge.words import fold


def read_concepts(nodes: list[Node]) -> dict[str, Concept]:
    """Read concepts; a name that stands in two files is a fault."""
    concepts: dict[str, Concept] = {}
    for node in nodes:
        for name, item in node.items():
            if name in concepts:
                item.fault(f"the concept «{name}» stands at {concepts[name].place} already")
            fields = item.fields((*LANGUAGES, "game", "weight"), ())
            expressions = tuple(
                Expression(one.text(), language, one.place)
                for language in LANGUAGES
                if language in fields
                for one in fields[language].members()
            )
            game = fields["game"].text() if "game" in fields else None
            weight = fields["weight"].number() if "weight" in fields else None
            concepts[name] = Concept(name, expressions, item.place, game, 1.0 if weight is None else weight)
    return concepts


def read_signs(node: Node) -> tuple[Sign, ...]:
    """Read signs: concepts that stand together, `a|b` for either, `-c` for absent, `*2` for weight."""
    return tuple(_sign(item) for item in node.members())


def _sign(node: Node) -> Sign:
    concepts, without, weight = [], [], 1.0
    for word in node.text().split():
        if word.startswith("-"):
            without.append(word[1:])
        elif word.startswith("*"):
            try:
                weight = float(word[1:])
            except ValueError:
                node.fault(f"«{word}» is not a weight")
        else:
            concepts.append(tuple(word.split("|")))
    if not concepts:
        node.fault("a sign needs at least one concept")
    return Sign(tuple(concepts), tuple(without), weight, node.place)


def read_topics(nodes: list[Node]) -> dict[str, Topic]:
    """Read the topics that the sources do not rule on."""
    topics = {}
    for node in nodes:
        for name, item in node.items():
            fields = item.fields(("games", "signs", "phrases"), ())
            phrases = []
            if "phrases" in fields:
                for language, listed in fields["phrases"].fields(LANGUAGES).items():
                    phrases += [Phrase(one.text(), language, one.place) for one in listed.members()]
            topics[name] = Topic(
                id=name,
                games=tuple(fields["games"].words()) if "games" in fields else (),
                signs=read_signs(fields["signs"]) if "signs" in fields else (),
                phrases=tuple(phrases),
                place=item.place,
            )
    return topics


def read_words(node: Node) -> Words:
    """Read the word lists, both languages together: no folded word is of two scripts."""
    plain = ("little", "denials", "denials_after", "parting", "common")
    keys = (*plain, "spoken", "replies")
    fields = node.fields(keys, keys)
    lists = {
        key: frozenset(
            word
            for _, listed in fields[key].fields(LANGUAGES, LANGUAGES).items()
            for item in listed.members()
            for word in fold(item.text()).split()
        )
        for key in plain
        if key in fields
    }
    spoken = {
        fold(word): tuple(fold(item.text()).split())
        for listed in (fields["spoken"].fields(LANGUAGES).values() if "spoken" in fields else ())
        for word, item in listed.items()
    }
    replies = {
        name: frozenset(
            fold(item.text()) for listed in node_of.fields(LANGUAGES).values() for item in listed.members()
        )
        for name, node_of in (fields["replies"].items() if "replies" in fields else ())
    }
    return Words(
        little=lists.get("little", frozenset()),
        denials=lists.get("denials", frozenset()),
        denials_after=lists.get("denials_after", frozenset()),
        parting=lists.get("parting", frozenset()),
        ordinary=lists.get("common", frozenset()),
        spoken=spoken,
        replies=replies,
    )
