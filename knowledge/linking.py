"""Joins entries that hand over to one another into tables that are complete in themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from knowledge.model import Entry, Fact, Rule
from knowledge.nodes import Faults
from knowledge.rulings import merge, overlap


def link(entries: Mapping[str, Entry], faults: Faults) -> dict[str, Entry]:
    """Return the entries with the rows of every hand-over in place of the hand-over.

    What the entry itself says comes first. An unknown entry, a circle and a fact whose values
    differ between two linked entries are faults.
    """
    linked: dict[str, Entry] = {}
    for name in entries:
        _link(name, entries, linked, (), faults)
    for entry in linked.values():
        for other in entry.see_also:
            if other not in entries:
                faults.add(entry.place, f"see_also names «{other}», which is no entry")
    return linked


def _link(
    name: str,
    entries: Mapping[str, Entry],
    linked: dict[str, Entry],
    above: tuple[str, ...],
    faults: Faults,
) -> Entry:
    if name in linked:
        return linked[name]
    entry = entries[name]
    facts, rows = list(entry.facts), []
    for rule in entry.rules:
        target = rule.hands_over
        if target is None:
            rows.append(rule)
        elif target not in entries:
            faults.add(rule.place, f"hand_over names «{target}», which is no entry")
        elif target in (*above, name):
            faults.add(rule.place, f"the hand-over to «{target}» runs in a circle")
        else:
            other = _link(target, entries, linked, (*above, name), faults)
            _take_facts(facts, other, rule, faults)
            rows += _joined(rule, other)
    linked[name] = replace(entry, facts=tuple(facts), rules=tuple(rows))
    return linked[name]


def _take_facts(facts: list[Fact], other: Entry, rule: Rule, faults: Faults) -> None:
    """Take the other entry's facts in, each before those that it comes before there."""
    for number, fact in enumerate(other.facts):
        mine = next((known for known in facts if known.name == fact.name), None)
        if mine is None:
            later = {following.name for following in other.facts[number:]}
            place = next((n for n, known in enumerate(facts) if known.name in later), len(facts))
            facts.insert(place, fact)
        elif not set(mine.names) <= set(fact.names):
            faults.add(
                rule.place,
                f"the fact «{fact.name}» has values here that «{other.id}» does not know",
            )


def _joined(rule: Rule, other: Entry) -> list[Rule]:
    rows = []
    for row in other.rules:
        when = overlap(rule.when, row.when)
        if when is not None:
            rows.append(Rule(when, merge(row.ruling, rule.ruling, inner_first=True), rule.place))
    return rows
