"""Files to knowledge: gathers every fault with its file and line, then raises once."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

from knowledge.lexicon import read_concepts, read_signs, read_topics, read_words
from knowledge.linking import link
from knowledge.model import (
    LANGUAGES,
    Entry,
    Expression,
    Fact,
    Impossible,
    Knowledge,
    Phrase,
    Place,
    Text,
    Value,
    Variant,
    Wording,
)
from knowledge.nodes import Faults, Node, read
from knowledge.quiet import uncollected
from knowledge.rulings import Context, Tariff, read_rules, read_ruling, read_when
from knowledge.sources import read_documents

HOME = Path(__file__).parent
ENTRY_KEYS = (
    "title",
    "phrases",
    "signs",
    "note",
    "see_also",
    "facts",
    "rules",
    "impossible",
)
FACT_KEYS = ("question", "values", "presumed", "setting", "groups")


@cache
def knowledge() -> Knowledge:
    """Return the knowledge that travels with the program, read once."""
    return load(HOME)


@uncollected()
def load(home: Path) -> Knowledge:
    """Read the knowledge base below a folder; raise KnowledgeError with all its faults."""
    faults = Faults()
    documents = read_documents(_file(home, "sources.yaml", faults))
    shared = read_facts(_file(home, "facts.yaml", faults))
    tariffs = _read_tariffs(_file(home, "tariffs.yaml", faults), shared)
    wordings = _read_wordings(_file(home, "wording.yaml", faults), shared)
    concepts = read_concepts([_file(home, _name(path, home), faults) for path in _yaml(home / "lexicon")])
    topics = read_topics([_file(home, _name(path, home), faults) for path in _yaml(home / "topics")])
    words = read_words(_file(home, "words.yaml", faults))
    entries = {}
    for path in _yaml(home / "entries"):
        name = _name(path, home / "entries").removesuffix(".yaml")
        context = Context(shared, documents, tariffs)
        entries[name] = read_entry(name, _file(home, _name(path, home), faults), context)
    linked = link(entries, faults)
    faults.raise_if_any()
    return Knowledge(
        linked, shared, documents, wordings, concepts, topics, words, _read_learned(home, faults)
    )


def _read_learned(home: Path, faults: Faults) -> dict[str, dict[str, float]]:
    """Read the index that `knowledge.learn` makes; without it the phrases count by their words alone."""
    path = home / "learned.json"
    try:
        read = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    except ValueError:
        read = None
    if not isinstance(read, dict):
        faults.add(Place(f"{home.name}/learned.json", 1), "unreadable; run «python -m knowledge.learn»")
        return {}
    return read


def _yaml(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.yaml"))


def _name(path: Path, home: Path) -> str:
    return path.relative_to(home).as_posix()


def _file(home: Path, name: str, faults: Faults) -> Node:
    path = home / name
    if not path.is_file():
        faults.add(Place(f"{home.name}/{name}", 1), "the file is missing")
    return read(path, f"{home.name}/{name}", faults) if path.is_file() else Node(None, name, faults)


def read_entry(name: str, node: Node, context: Context) -> Entry:
    """Read one entry; what it hands over to is linked later."""
    fields = node.fields(ENTRY_KEYS, ("title", "phrases", "rules"))
    facts = tuple(
        _entry_fact(item, context.facts) for item in (fields["facts"].members() if "facts" in fields else [])
    )
    by_name = {**context.facts, **{fact.name: fact for fact in facts}}
    own = replace(context, facts=by_name)
    rules = read_rules(fields["rules"].members(), own) if "rules" in fields else []
    impossible = [
        _impossible(item, by_name)
        for item in (fields["impossible"].members() if "impossible" in fields else [])
    ]
    return Entry(
        id=name,
        title=fields["title"].both() if "title" in fields else Text("", ""),
        phrases=read_phrases(fields["phrases"]) if "phrases" in fields else (),
        facts=facts,
        rules=tuple(rules),
        place=node.place,
        impossible=tuple(impossible),
        see_also=tuple(fields["see_also"].words()) if "see_also" in fields else (),
        note=fields["note"].text() if "note" in fields else None,
        signs=read_signs(fields["signs"]) if "signs" in fields else (),
    )


def read_phrases(node: Node) -> tuple[Phrase, ...]:
    """Read phrases by language; one in «ambiguous» may stand in several entries of a game."""
    phrases = []
    for language, listed in node.fields(LANGUAGES, LANGUAGES).items():
        for item in listed.members():
            text = item.text()
            ambiguous = text.endswith("(ambiguous)")
            written = text.removesuffix("(ambiguous)").strip()
            phrases.append(Phrase(written, language, item.place, ambiguous))
    return tuple(phrases)


def read_facts(node: Node) -> dict[str, Fact]:
    """Read the facts that the entries share."""
    fields = node.fields(("facts",), ("facts",))
    if "facts" not in fields:
        return {}
    return {name: _fact(name, item, None) for name, item in fields["facts"].items()}


def _entry_fact(node: Node, shared: Mapping[str, Fact]) -> Fact:
    if not node.is_mapping:
        name = node.text()
        if name not in shared:
            node.fault(f"«{name}» is not a shared fact; describe it here (question, values)")
            return Fact(name, Text("", ""), (), node.place)
        return replace(shared[name], place=node.place)
    pairs = list(node.items())
    if len(pairs) != 1:
        node.fault("one fact for each line of the list is expected here")
    name, described = pairs[0]
    base = shared.get(name)
    if described.is_list and base is not None:
        chosen = [value for word in described.words() for value in _picked(described, base, word)]
        return replace(base, values=tuple(chosen), place=node.place)
    return _fact(name, described, base)


def _picked(node: Node, base: Fact, word: str) -> list[Value]:
    if word in base.names:
        return [base.value(word)]
    node.fault(f"«{base.name}» has no value «{word}»; known: {', '.join(base.names)}")
    return []


def _fact(name: str, node: Node, base: Fact | None) -> Fact:
    fields = node.fields(FACT_KEYS, () if base else ("question", "values"))
    values = base.values if base else ()
    if "values" in fields:
        values = tuple(_value(key, item, base) for key, item in fields["values"].items())
    fact = Fact(
        name=name,
        question=fields["question"].both()
        if "question" in fields
        else (base.question if base else Text("", "")),
        values=values,
        place=node.place,
        presumed=fields["presumed"].text() if "presumed" in fields else None,
        setting="setting" in fields or (base.setting if base else False),
        groups={key: tuple(item.words()) for key, item in fields["groups"].items()}
        if "groups" in fields
        else (base.groups if base else {}),
    )
    if fact.presumed is not None and fact.presumed not in fact.names:
        fields["presumed"].fault(f"«{name}» has no value «{fact.presumed}» to presume")
    return fact


def _value(name: str, node: Node, base: Fact | None) -> Value:
    fields = node.fields((*LANGUAGES, "heard", "replies"), LANGUAGES)
    inherited = base.value(name) if base and name in base.names else Value(name, Text("", ""))
    heard = read_expressions(fields["heard"]) if "heard" in fields else inherited.heard
    replies = inherited.replies
    if "replies" in fields:
        replies = tuple(e.text for e in read_expressions(fields["replies"]))
    written = {key: fields[key].text() for key in LANGUAGES if key in fields}
    return Value(name, Text(written.get("fr", ""), written.get("ru", "")), heard, replies)


def read_expressions(node: Node) -> tuple[Expression, ...]:
    """Read expressions by language: the words by which something is recognised."""
    return tuple(
        Expression(item.text(), language, item.place)
        for language, listed in node.fields(LANGUAGES).items()
        for item in listed.members()
    )


def _impossible(node: Node, facts: Mapping[str, Fact]) -> Impossible:
    fields = node.fields(("when", "why"), ("when", "why"))
    when = read_when(fields["when"], facts) if "when" in fields else {}
    return Impossible(when, fields["why"].text() if "why" in fields else "", node.place)


def _read_tariffs(node: Node, facts: Mapping[str, Fact]) -> dict[str, Tariff]:
    tariffs = {}
    for name, rows in node.items():
        read_rows = []
        for row in rows.members():
            fields = row.fields(("when", "deal", "penalties", "adjustment", "say"), ("when",))
            when = read_when(fields["when"], facts) if "when" in fields else {}
            read_rows.append((when, read_ruling(fields, {})))
        tariffs[name] = Tariff(tuple(read_rows))
    return tariffs


def _read_wordings(node: Node, facts: Mapping[str, Fact]) -> dict[str, Wording]:
    wordings = {}
    for name, item in node.items():
        variants = [_variant(one, facts) for one in (item.members() if item.is_list else [item])]
        wordings[name] = Wording(tuple(variants), item.place)
    return wordings


def _variant(node: Node, facts: Mapping[str, Fact]) -> Variant:
    fields = node.fields(("when", *LANGUAGES), LANGUAGES)
    when = read_when(fields["when"], facts) if "when" in fields else {}
    forms = {}
    for language in LANGUAGES:
        if language not in fields:
            continue
        written = fields[language]
        if written.is_mapping:
            forms[language] = {category: item.text() for category, item in written.items()}
        else:
            forms[language] = {"other": written.text()}
    return Variant(when, forms)
