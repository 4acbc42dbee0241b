"""The decision logic: facts in, a ruling out, or the next fact to ask, or all that is still open."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

from knowledge.model import UNKNOWN, Entry, Fact, Rule, Ruling
from knowledge.rulings import When

MOST_BRANCHES = 14
"""How many open outcomes are told at once; beyond, the next fact is asked first."""


@dataclass(frozen=True, slots=True)
class Settled:
    """The facts leave one ruling."""

    ruling: Ruling


@dataclass(frozen=True, slots=True)
class Missing:
    """The ruling still depends on this fact."""

    fact: Fact


@dataclass(frozen=True, slots=True)
class Branch:
    """A ruling that is still open, and the condition under which it holds."""

    when: When
    ruling: Ruling


@dataclass(frozen=True, slots=True)
class Open:
    """A fact stays unknown: every ruling that is left, with its condition."""

    branches: tuple[Branch, ...]


Decision = Settled | Missing | Open


def decide(entry: Entry, facts: Mapping[str, str]) -> Decision:
    """Return what the entry's table says for the facts known so far.

    A fact answered `UNKNOWN` opens all rulings that are left, unless they are too many to be read:
    then the other facts are asked first.
    """
    known = complete(entry, facts)
    left = remaining(entry, known)
    if len({rule.ruling for rule in left}) == 1:
        return Settled(left[0].ruling)
    asked = next_fact(entry, left, known)
    doubted = {name for name, value in facts.items() if value == UNKNOWN}
    if any(_depends(left, fact, known) for fact in entry.facts if fact.name in doubted):
        branches = branch_out(entry, left, known)
        if len(branches) <= MOST_BRANCHES or asked is None:
            return Open(branches)
    if asked is None:
        return Open(branch_out(entry, left, known))
    return Missing(asked)


def complete(entry: Entry, facts: Mapping[str, str]) -> dict[str, str]:
    """Return the facts that the entry knows, with the presumed ones where nothing else is said."""
    known = {fact.name: fact.presumed for fact in entry.facts if fact.presumed is not None}
    for fact in entry.facts:
        value = facts.get(fact.name)
        if value in fact.names or value == UNKNOWN:
            known[fact.name] = value
    return known


def remaining(entry: Entry, known: Mapping[str, str]) -> list[Rule]:
    """Return the rules that the known facts leave possible."""
    return [rule for rule in entry.rules if allows(rule.when, known)]


def allows(when: When, known: Mapping[str, str]) -> bool:
    """Return whether a condition can still hold."""
    return all(known.get(name, UNKNOWN) in (UNKNOWN, *values) for name, values in when.items())


def next_fact(entry: Entry, left: list[Rule], known: Mapping[str, str]) -> Fact | None:
    """Return the first fact, in the entry's order, on which the ruling still depends."""
    for fact in entry.facts:
        if fact.name not in known and _depends(left, fact, known):
            return fact
    return None


def _depends(left: list[Rule], fact: Fact, known: Mapping[str, str]) -> bool:
    """Whether two situations that differ in this fact alone have different rulings.

    The rules divide all situations among them, so two of them that agree on every other fact
    and have different rulings are enough.
    """
    if known.get(fact.name, UNKNOWN) != UNKNOWN:
        return False
    speaking = [rule for rule in left if fact.name in rule.when]
    for one, other in combinations(speaking, 2):
        if one.ruling != other.ruling and _meet(one.when, other.when, fact.name):
            return True
    return False


def _meet(one: When, other: When, apart: str) -> bool:
    return all(name == apart or name not in other or values & other[name] for name, values in one.items())


def branch_out(entry: Entry, left: Iterable[Rule], known: Mapping[str, str]) -> tuple[Branch, ...]:
    """Return the rulings that are left, each with the shortest condition that leads to it."""
    branches = [Branch(_unsettled(rule.when, known), rule.ruling) for rule in left]
    sizes = {fact.name: len(fact.names) for fact in entry.facts}
    merged = True
    while merged:
        merged = False
        for one, other in combinations(branches, 2):
            joint = _join(one, other, sizes)
            if joint is not None:
                place = branches.index(one)
                branches.remove(other)
                branches[place] = joint
                merged = True
                break
    order = {fact.name: number for number, fact in enumerate(entry.facts)}
    return tuple(
        Branch(dict(sorted(branch.when.items(), key=lambda pair: order[pair[0]])), branch.ruling)
        for branch in branches
    )


def _unsettled(when: When, known: Mapping[str, str]) -> dict[str, frozenset[str]]:
    return {n: values for n, values in when.items() if known.get(n, UNKNOWN) == UNKNOWN}


def _join(one: Branch, other: Branch, sizes: Mapping[str, int]) -> Branch | None:
    """Join two branches of one ruling whose conditions differ in one fact at most."""
    if one.ruling != other.ruling:
        return None
    names = {*one.when, *other.when}
    differing = [name for name in names if one.when.get(name) != other.when.get(name)]
    if len(differing) > 1:
        return None
    when = dict(one.when)
    for name in differing:
        if name in one.when and name in other.when:
            when[name] = one.when[name] | other.when[name]
        if name not in one.when or name not in other.when or len(when[name]) == sizes[name]:
            when.pop(name, None)
    return Branch(when, one.ruling)
