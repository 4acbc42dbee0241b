"""Proves that the knowledge base is sound: every combination of facts, every citation, every name."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from itertools import combinations, product

from knowledge.coverage import uncited
from knowledge.model import Entry, Fact, Knowledge, Rule, Ruling
from knowledge.nodes import Fault, Faults
from knowledge.rulings import overlap
from knowledge.words import fold

Situation = dict[str, str]
GAMES = ("game_", "cue_")
"""Concepts that tell the game, which the matcher looks up by their names."""


def check(knowledge: Knowledge) -> list[Fault]:
    """Return every fault of a knowledge base that could be read, in the order of files and lines."""
    faults = Faults()
    for entry in knowledge:
        _check_table(entry, faults)
        _check_facts(entry, faults)
        _check_rulings(entry, knowledge, faults)
    _check_phrases(knowledge, faults)
    _check_lexicon(knowledge, faults)
    _check_citations(knowledge, faults)
    return sorted(faults.found, key=lambda fault: (fault.place.file, fault.place.line))


def situations(entry: Entry) -> Iterator[Situation]:
    """Yield every combination of an entry's facts that can happen."""
    names = [fact.name for fact in entry.facts]
    for values in product(*(fact.names for fact in entry.facts)):
        situation = dict(zip(names, values, strict=True))
        if not any(_holds(case.when, situation) for case in entry.impossible):
            yield situation


def _holds(when: Mapping[str, frozenset[str]], situation: Situation) -> bool:
    return all(situation[name] in values for name, values in when.items())


def _told(situation: Mapping[str, str]) -> str:
    return ", ".join(f"{name}: {value}" for name, value in situation.items())


def _check_table(entry: Entry, faults: Faults) -> None:
    reached: set[int] = set()
    gaps: list[Situation] = []
    clashes: dict[tuple[int, int], Situation] = {}
    for situation in situations(entry):
        fitting = [n for n, rule in enumerate(entry.rules) if _holds(rule.when, situation)]
        reached.update(fitting)
        if not fitting:
            gaps.append(situation)
        for pair in combinations(fitting, 2):
            clashes.setdefault(pair, situation)
    if gaps:
        more = f" (and {len(gaps) - 1} more)" if len(gaps) > 1 else ""
        faults.add(entry.place, f"no rule for: {_told(gaps[0])}{more}")
    for (one, other), situation in clashes.items():
        place = entry.rules[other].place
        faults.add(
            entry.rules[one].place,
            f"this rule and the one at line {place.line} both hold for: {_told(situation)}",
        )
    for number, rule in enumerate(entry.rules):
        if number not in reached:
            faults.add(rule.place, f"this rule is never reached: {_condition(rule)}")
    _check_impossible(entry, faults)


def _condition(rule: Rule) -> str:
    return ", ".join(f"{name}: {' or '.join(sorted(v))}" for name, v in rule.when.items())


def _check_impossible(entry: Entry, faults: Faults) -> None:
    for case in entry.impossible:
        for rule in entry.rules:
            joint = overlap(case.when, rule.when)
            if joint is not None and joint == dict(rule.when):
                faults.add(rule.place, "this rule is for a case that is declared impossible")


def _check_facts(entry: Entry, faults: Faults) -> None:
    for fact in entry.facts:
        if not _matters(entry, fact):
            faults.add(fact.place, f"the fact «{fact.name}» changes nothing in any case")
        for value in fact.values:
            for language in ("fr", "ru"):
                if not value.label[language]:
                    faults.add(fact.place, f"«{fact.name}: {value.name}» has no label in {language}")


def _matters(entry: Entry, fact: Fact) -> bool:
    speaking = [rule for rule in entry.rules if fact.name in rule.when]
    return any(
        one.ruling != other.ruling
        and overlap(
            {n: v for n, v in one.when.items() if n != fact.name},
            {n: v for n, v in other.when.items() if n != fact.name},
        )
        is not None
        for one, other in combinations(speaking, 2)
    ) or any(
        one.ruling != other.ruling and fact.name in one.when and fact.name not in other.when
        for one in speaking
        for other in entry.rules
        if other not in speaking
        and overlap({n: v for n, v in one.when.items() if n != fact.name}, other.when) is not None
        and overlap(one.when, other.when) is None
    )


def _check_rulings(entry: Entry, knowledge: Knowledge, faults: Faults) -> None:
    for rule in entry.rules:
        for name in wording_names(rule.ruling):
            if name not in knowledge.wordings:
                faults.add(rule.place, f"wording.yaml has no «{name}»")
        if not rule.ruling.citations and not rule.ruling.said("silent"):
            faults.add(rule.place, "this rule cites no source (cites: [document section numbers])")
        if rule.ruling.choice and not rule.ruling.said("choice"):
            faults.add(rule.place, "a choice needs its words (say: choice)")
        if rule.ruling.deal == "none" and not rule.ruling.says and not rule.ruling.penalties:
            faults.add(rule.place, "this rule says nothing: no deal, no penalty and no words")
    if entry.note and f"note.{entry.note}" not in knowledge.wordings:
        faults.add(entry.place, f"wording.yaml has no «note.{entry.note}»")


def wording_names(ruling: Ruling) -> list[str]:
    """Return the names of the standard sentences and words that a ruling's data need."""
    names = [f"deal.{ruling.deal}"] if ruling.deal != "none" else []
    for penalty in ruling.penalties:
        names += [f"penalty.{penalty.kind}", f"to.{penalty.to}"]
    for ban in ruling.bans:
        if not ruling.said("ban"):
            names += [f"ban.{ban.what}", f"who.{ban.who}", f"on.{ban.deal}"]
    for bound in ruling.adjustment:
        if not ruling.said("adjustment"):
            names += [f"adjust.{bound.bound}.{bound.unit}", f"who.{bound.to}"]
    if ruling.handful:
        names.append(f"handful.{ruling.handful}")
    if ruling.points_returned:
        names.append(f"points_returned.{ruling.points_returned}")
    return names


def _check_phrases(knowledge: Knowledge, faults: Faults) -> None:
    standing: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    for entry in knowledge:
        seen: Counter[str] = Counter()
        for phrase in entry.phrases:
            key = fold(phrase.text)
            seen[key] += 1
            if not key:
                faults.add(phrase.place, "an empty phrase")
            elif seen[key] > 1:
                faults.add(phrase.place, f"«{phrase.text}» stands twice in this entry")
            if not phrase.ambiguous:
                for other, text in standing[entry.game, key]:
                    if other != entry.id:
                        faults.add(
                            phrase.place,
                            f"«{text}» is a phrase of «{other}» too; drop one, or write (ambiguous) "
                            "behind both",
                        )
            standing[entry.game, key].append((entry.id, phrase.text))
        for language in ("fr", "ru"):
            if not any(phrase.language == language for phrase in entry.phrases):
                faults.add(entry.place, f"no phrase in «{language}»")


def _check_lexicon(knowledge: Knowledge, faults: Faults) -> None:
    heard = [
        expression
        for entry in knowledge
        for fact in entry.facts
        for value in fact.values
        for expression in value.heard
    ]
    for concept in knowledge.concepts.values():
        for text, count in Counter((e.language, e.text) for e in concept.expressions).items():
            if count > 1:
                faults.add(concept.place, f"«{text[1]}» stands twice in «{concept.name}»")
        heard += concept.expressions
    spoken_of = {*knowledge.learned, *_in_signs(knowledge)}
    for expression in heard:
        for name in re.findall(r"@([a-z0-9_]+)", expression.text):
            spoken_of.add(name)
            if name not in knowledge.concepts:
                faults.add(expression.place, f"«{expression.text}»: there is no concept «{name}»")
    for concept in knowledge.concepts.values():
        if concept.name not in spoken_of and not concept.game and not concept.name.startswith(GAMES):
            faults.add(concept.place, f"nothing uses the concept «{concept.name}»: no sign, no expression")
    _check_signs(knowledge, faults)


def _in_signs(knowledge: Knowledge) -> Iterator[str]:
    """Yield the concepts that the signs of entries and topics name."""
    for subject in (*knowledge, *knowledge.topics.values()):
        for sign in subject.signs:
            yield from (concept for group in sign.concepts for concept in group)
            yield from sign.without


def _check_signs(knowledge: Knowledge, faults: Faults) -> None:
    for subject in (*knowledge, *knowledge.topics.values()):
        for sign in subject.signs:
            for name in (*(c for group in sign.concepts for c in group), *sign.without):
                if name not in knowledge.concepts:
                    faults.add(sign.place, f"a sign of «{subject.id}» names «{name}», which is no concept")


def _check_citations(knowledge: Knowledge, faults: Faults) -> None:
    for section, numbers in uncited(knowledge):
        listed = ", ".join(map(str, numbers))
        faults.add(
            section.place,
            f"«{section.title}»: sentence {listed} is neither cited by a rule nor accounted for",
        )
