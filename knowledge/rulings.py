"""Reads the rules of an entry: a tree of groups and cases, unfolded into the rows of a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from knowledge.model import (
    Adjustment,
    Ban,
    Choice,
    Citation,
    Document,
    Fact,
    Penalty,
    Rule,
    Ruling,
    Text,
)
from knowledge.nodes import Node

When = Mapping[str, frozenset[str]]
T = TypeVar("T")

PARTS = (
    "verdict",
    "handful",
    "points",
    "penalty",
    "adjustment",
    "ban",
    "choice",
    "duty",
    "note",
    "reading",
    "silent",
)
"""The parts of a ruling's text, in the order in which they are shown."""
GATHERED = ("duty", "note", "reading")
"""The parts to which a case adds; in the others it replaces what its group says."""
DEALS = ("continues", "scored", "cancelled", "redealt", "adjusted", "none")
DATA = ("deal", "penalties", "bans", "choice", "handful", "points_returned", "adjustment")
KEYS = ("when", *DATA, "cites", "say", "hand_over", "apply", "cases")


@dataclass(frozen=True)
class Tariff:
    """Rows that several rules apply, each under its condition."""

    rows: tuple[tuple[When, Ruling], ...]


@dataclass(frozen=True)
class Context:
    """What a rule may speak of: facts by name, documents and tariffs."""

    facts: Mapping[str, Fact]
    documents: Mapping[str, Document]
    tariffs: Mapping[str, Tariff]


@dataclass(frozen=True)
class _Draft:
    """A row in the making: what its groups have said so far."""

    when: When
    ruling: Ruling
    hands_over: str | None = None
    tariffs: tuple[str, ...] = ()


def read_when(node: Node, facts: Mapping[str, Fact]) -> dict[str, frozenset[str]]:
    """Read a condition; a fact or value that does not exist is a fault."""
    when: dict[str, frozenset[str]] = {}
    for name, written in node.items():
        fact = facts.get(name)
        if fact is None:
            known = ", ".join(facts)
            written.fault(f"«{name}» is not a fact that can be asked here; known: {known}")
            continue
        values: set[str] = set()
        for word in written.words():
            if word in fact.names:
                values.add(word)
            elif word in fact.groups:
                values.update(value for value in fact.groups[word] if value in fact.names)
            else:
                known = ", ".join((*fact.names, *fact.groups))
                written.fault(f"«{name}» has no value «{word}»; known: {known}")
        when[name] = frozenset(values)
    return when


def overlap(one: When, other: When) -> dict[str, frozenset[str]] | None:
    """Return the condition that holds where both hold, or None where they exclude each other."""
    both = dict(one)
    for name, values in other.items():
        both[name] = both[name] & values if name in both else values
        if not both[name]:
            return None
    return both


def merge(outer: Ruling, inner: Ruling, *, inner_first: bool = False) -> Ruling:
    """Return the outer ruling with what the inner one adds; where both speak, the inner wins.

    With `inner_first` the inner one's texts and citations come before the outer one's.
    """
    return Ruling(
        deal=inner.deal if inner.deal != "none" else outer.deal,
        penalties=_union(outer.penalties, inner.penalties),
        bans=_union(outer.bans, inner.bans),
        choice=inner.choice or outer.choice,
        handful=inner.handful or outer.handful,
        points_returned=inner.points_returned or outer.points_returned,
        adjustment=_union(outer.adjustment, inner.adjustment),
        citations=merge_citations(inner.citations, outer.citations)
        if inner_first
        else merge_citations(outer.citations, inner.citations),
        says=_merge_says(outer, inner, inner_first),
    )


def merge_citations(outer: tuple[Citation, ...], inner: tuple[Citation, ...]) -> tuple[Citation, ...]:
    """Return the citations of both, one for each section."""
    merged: dict[tuple[str, str], tuple[int, ...]] = {}
    for cited in (*outer, *inner):
        key = (cited.document, cited.section)
        merged[key] = tuple(sorted({*merged.get(key, ()), *cited.sentences}))
    return tuple(Citation(document, section, n) for (document, section), n in merged.items())


def _union(outer: tuple[T, ...], inner: tuple[T, ...]) -> tuple[T, ...]:
    return (*outer, *(item for item in inner if item not in outer))


def _merge_says(outer: Ruling, inner: Ruling, inner_first: bool) -> tuple[tuple[str, tuple[Text, ...]], ...]:
    says = []
    for part in PARTS:
        before, after = outer.said(part), inner.said(part)
        gathered = _union(after, before) if inner_first else _union(before, after)
        texts = gathered if part in GATHERED else after or before
        if texts:
            says.append((part, texts))
    return tuple(says)


def read_rules(nodes: list[Node], context: Context) -> list[Rule]:
    """Return the rows of a table, its groups, cases and tariffs unfolded."""
    start = _Draft({}, Ruling())
    return [row for node in nodes for row in _unfold(node, start, context)]


def _unfold(node: Node, outer: _Draft, context: Context) -> list[Rule]:
    fields = node.fields(KEYS)
    when: When = read_when(fields["when"], context.facts) if "when" in fields else {}
    joint = overlap(outer.when, when)
    if joint is None:
        node.fault("this case can never hold: its condition contradicts that of its group")
        return []
    tariffs = outer.tariffs
    if "apply" in fields:
        tariffs = (*tariffs, *_tariff_names(fields["apply"], context))
    draft = _Draft(
        joint,
        merge(outer.ruling, read_ruling(fields, context.documents)),
        fields["hand_over"].text() if "hand_over" in fields else outer.hands_over,
        tariffs,
    )
    if "cases" in fields:
        return [row for case in fields["cases"].members() for row in _unfold(case, draft, context)]
    return _rows(node, draft, context)


def _rows(node: Node, draft: _Draft, context: Context) -> list[Rule]:
    drafts = [draft]
    for name in draft.tariffs:
        fitting = []
        for one in drafts:
            for when, ruling in context.tariffs[name].rows:
                joint = overlap(one.when, when)
                if joint is not None:
                    fitting.append(replace(one, when=joint, ruling=merge(ruling, one.ruling)))
        if not fitting:
            node.fault(f"the tariff «{name}» has no row for this case")
        drafts = fitting
    return [Rule(one.when, one.ruling, node.place, one.hands_over) for one in drafts]


def _tariff_names(node: Node, context: Context) -> list[str]:
    names = []
    for name in node.words():
        if name in context.tariffs:
            names.append(name)
        else:
            node.fault(f"unknown tariff «{name}»; known: {', '.join(context.tariffs)}")
    return names


def read_ruling(fields: Mapping[str, Node], documents: Mapping[str, Document]) -> Ruling:
    """Read what one node of a table says of the outcome."""
    deal = fields["deal"].text() if "deal" in fields else "none"
    if deal not in DEALS:
        fields["deal"].fault(f"«{deal}» is no outcome of a deal; known: {', '.join(DEALS)}")
    return Ruling(
        deal=deal,
        penalties=tuple(map(_penalty, _members(fields, "penalties"))),
        bans=tuple(map(_ban, _members(fields, "bans"))),
        choice=_choice(fields["choice"]) if "choice" in fields else None,
        handful=_one_of(fields, "handful", ("counted", "not_counted")),
        points_returned=_one_of(fields, "points_returned", ("yes", "no")),
        adjustment=tuple(map(_adjustment, _members(fields, "adjustment"))),
        citations=merge_citations(
            (), tuple(_citation(node, documents) for node in _members(fields, "cites"))
        ),
        says=_says(fields["say"]) if "say" in fields else (),
    )


def _members(fields: Mapping[str, Node], key: str) -> list[Node]:
    return fields[key].members() if key in fields else []


def _one_of(fields: Mapping[str, Node], key: str, allowed: tuple[str, ...]) -> str | None:
    if key not in fields:
        return None
    word = fields[key].text()
    if word not in allowed:
        fields[key].fault(f"«{word}» is not known for «{key}»; known: {', '.join(allowed)}")
    return word


def _penalty(node: Node) -> Penalty:
    fields = node.fields(("kind", "amount", "unit", "to"), ("kind", "to"))
    return Penalty(
        _word(fields, "kind"),
        _word(fields, "to"),
        fields["amount"].number() if "amount" in fields else None,
        _word(fields, "unit") or None,
    )


def _ban(node: Node) -> Ban:
    fields = node.fields(("who", "what", "deal", "for"), ("who", "what", "deal"))
    lasting = _word(fields, "for") or None
    return Ban(_word(fields, "who"), _word(fields, "what"), _word(fields, "deal"), lasting)


def _choice(node: Node) -> Choice:
    fields = node.fields(("who", "between"), ("who", "between"))
    between = tuple(fields["between"].words()) if "between" in fields else ()
    return Choice(_word(fields, "who"), between)


def _adjustment(node: Node) -> Adjustment:
    fields = node.fields(("to", "bound", "amount", "unit"), ("to", "bound", "amount", "unit"))
    amount = fields["amount"].number() if "amount" in fields else None
    return Adjustment(_word(fields, "to"), _word(fields, "bound"), amount or 0.0, _word(fields, "unit"))


def _word(fields: Mapping[str, Node], key: str) -> str:
    return fields[key].text() if key in fields else ""


def _citation(node: Node, documents: Mapping[str, Document]) -> Citation:
    words = node.text().split()
    numbers = []
    while len(words) > 1 and words[-1].rstrip(",").isdigit():
        numbers.append(int(words.pop().rstrip(",")))
    document_id, section_title = words[0] if words else "", " ".join(words[1:])
    document = documents.get(document_id)
    section = document.sections.get(section_title) if document else None
    if document is None:
        node.fault(f"unknown document «{document_id}»; known: {', '.join(documents)}")
    elif section is None:
        node.fault(f"«{document_id}» has no section «{section_title}»")
    elif not numbers:
        node.fault("say which sentences of the section are meant: their numbers, at the end")
    else:
        for number in numbers:
            if not 1 <= number <= section.sentences:
                node.fault(f"«{section_title}» has no sentence {number}")
    return Citation(document_id, section_title, tuple(sorted(numbers)))


def _says(node: Node) -> tuple[tuple[str, tuple[Text, ...]], ...]:
    says = node.fields(PARTS)
    return tuple(
        (
            part,
            tuple(item.both() for item in says[part].members())
            if says[part].is_list
            else (says[part].both(),),
        )
        for part in PARTS
        if part in says
    )
