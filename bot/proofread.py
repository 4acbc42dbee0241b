"""The texts as players read them: what does not fit a screen, mixes languages, or disagrees on an amount."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import product

from bot.answer import Answer
from bot.conversation import Give, State
from bot.voice import Line, Voice
from i18n.formatting import number
from knowledge.model import LANGUAGES, UNKNOWN, Entry, Fact, Knowledge, Place, Rule, Text
from knowledge.nodes import Fault, Faults
from knowledge.table import Open, complete, decide

LONGEST_TEXT = 4096
"""UTF-16 units: the limit of a Telegram message."""
LONGEST_LABEL = 60
LONGEST_QUESTION = 200

_SPACES = str.maketrans("\u202f\u00a0", "  ")
_LATIN = re.compile(r"[A-Za-zÀ-ÖØ-öø-ÿŒœ]+")
_CYRILLIC = re.compile(r"[А-Яа-яЁё]+")
_ROMAN = re.compile(r"[IVXLC]+")
_UNIT = re.compile(r"\{amount\}\s*([\w%]+)")
_KINDS = {"bonus_match_points": "match_points", "suspension": "months"}
_BOTH_PARTS = ("penalty", "adjustment")

Amount = tuple[float, str]
Amounts = Counter[Amount]


def proofread(knowledge: Knowledge) -> list[Fault]:
    """Return every fault of the texts, with the file and line of its entry, fact or rule."""
    faults = Faults()
    units = unit_words(knowledge)
    for entry in knowledge:
        _check_words(entry.place, "the title", entry.title, faults, knowledge)
        for fact in entry.facts:
            _check_fact(fact, faults, knowledge)
        data = {one for rule in entry.rules for one in _data(rule)}
        for rule in entry.rules:
            for part, texts in rule.ruling.says:
                for text in texts:
                    _check_words(rule.place, f"«{part}»", text, faults, knowledge)
            _check_says(rule, data, units, faults)
            _check_rule(entry, rule, knowledge, faults)
        _check_doubts(entry, knowledge, faults)
    for document in knowledge.documents.values():
        for text in document.card.values():
            _check_words(document.place, "the card", text, faults, knowledge)
    _check_wordings(knowledge, faults)
    return faults.found


# Questions and words --------------------------------------------------------------------------------


def _check_fact(fact: Fact, faults: Faults, knowledge: Knowledge) -> None:
    _check_words(fact.place, f"the question about «{fact.name}»", fact.question, faults, knowledge)
    for language in LANGUAGES:
        question = fact.question[language]
        if not question.endswith("?") or not question[:1].isupper():
            faults.add(
                fact.place, f"the question about «{fact.name}» is no question in «{language}»: {question}"
            )
        if len(question) > LONGEST_QUESTION:
            faults.add(
                fact.place,
                f"the question about «{fact.name}» is too long in «{language}»: {len(question)} characters",
            )
    for value in fact.values:
        what = f"the label of «{fact.name}: {value.name}»"
        _check_words(fact.place, what, value.label, faults, knowledge)
        for language in LANGUAGES:
            label = value.label[language]
            if len(label) > LONGEST_LABEL or "\n" in label:
                faults.add(
                    fact.place, f"{what} is longer than a button of {LONGEST_LABEL} characters: {label}"
                )
    for language in LANGUAGES:
        labels = Counter(value.label[language].casefold() for value in fact.values)
        for label in (label for label, count in labels.items() if count > 1):
            faults.add(fact.place, f"two values of «{fact.name}» have the label «{label}»")


def _check_words(place: Place, what: str, text: Text, faults: Faults, knowledge: Knowledge) -> None:
    for language in LANGUAGES:
        for word in foreign_words(text[language], language, knowledge):
            faults.add(place, f"{what} has a foreign word in «{language}»: {word}")


def foreign_words(text: str, language: str, knowledge: Knowledge) -> list[str]:
    """Return the words in the other language's letters, names of documents and Roman numerals excepted."""
    for document in knowledge.documents.values():
        text = text.replace(document.name, "")
    found = (_LATIN if language == "ru" else _CYRILLIC).findall(text)
    return [word for word in found if word != "FFT" and not _ROMAN.fullmatch(word)]


def _check_wordings(knowledge: Knowledge, faults: Faults) -> None:
    for name, wording in knowledge.wordings.items():
        for variant in wording.variants:
            for language, forms in variant.forms.items():
                for form in forms.values():
                    for word in foreign_words(re.sub(r"\{\w*\}", "", form), language, knowledge):
                        faults.add(wording.place, f"«{name}» has a foreign word in «{language}»: {word}")


# Amounts --------------------------------------------------------------------------------------------


def unit_words(knowledge: Knowledge) -> dict[str, str]:
    """Return how the words for units begin, with what they count, from the sentences of penalties."""
    units = {}
    for name, wording in knowledge.wordings.items():
        sort, _, kind = name.partition(".")
        for variant in wording.variants if sort == "penalty" else ():
            for forms in variant.forms.values():
                words = [word for form in forms.values() for word in _UNIT.findall(form)]
                if words:
                    units[_start(words)] = _KINDS.get(kind, kind)
    return units


def _start(words: list[str]) -> str:
    """Return how all of some words begin; the first and the last in order differ the most."""
    first, last = min(words), max(words)
    same = next((n for n, letter in enumerate(first) if letter != last[n]), len(first))
    return first[:same]


def amounts(text: str, units: Mapping[str, str]) -> Amounts:
    """Return the amounts with a unit in a text, as often as they stand there."""
    starts = "|".join(map(re.escape, units))
    pattern = rf"(?<![\w,.])([−-]?\d+(?:,\d+)?)\s*({starts})"
    return Counter(
        (float(written.replace("−", "-").replace(",", ".")), units[start])
        for written, start in re.findall(pattern, text.translate(_SPACES))
    )


def _check_says(rule: Rule, data: set[Amount], units: Mapping[str, str], faults: Faults) -> None:
    """Compare what an author wrote by hand: language with language, and penalties with the entry's data.

    A penalty may speak of what comes next time, so the data of the whole entry count.
    """
    for part, texts in rule.ruling.says:
        for text in texts:
            french, russian = amounts(text.fr, units), amounts(text.ru, units)
            if french != russian:
                faults.add(
                    rule.place,
                    f"«{part}»: {_told(french)} in French, but {_told(russian)} in Russian",
                )
            strange = [one for one in french if part in _BOTH_PARTS and one not in data]
            if strange:
                faults.add(rule.place, f"«{part}» speaks of {_told(strange)}, which the data do not have")


def _data(rule: Rule) -> Iterator[Amount]:
    for penalty in rule.ruling.penalties:
        if penalty.amount is not None:
            yield penalty.amount, _KINDS.get(penalty.kind, penalty.kind)
    for bound in rule.ruling.adjustment:
        yield bound.amount, bound.unit


def _told(found: Amounts | list[Amount]) -> str:
    return ", ".join(f"{value:g} {unit.replace('_', ' ')}" for value, unit in sorted(found)) or "none"


# Whole answers --------------------------------------------------------------------------------------


def _check_rule(entry: Entry, rule: Rule, knowledge: Knowledge, faults: Faults) -> None:
    """Render a rule's ruling in each of its settings, and look for its amounts there."""
    for facts in _situations(entry, rule):
        step = Give(entry, complete(entry, facts), rule.ruling)
        for language in LANGUAGES:
            lines = Voice(knowledge, State(language=language)).given(step)
            _check_length(rule.place, lines, language, faults)
            told = " ".join(line.text for line in lines if line.role in ("verdict", "point", "aside"))
            for amount, unit in _data(rule):
                written = re.escape(number(amount, language))
                if not re.search(rf"(?<![\d,−]){written}(?![\d,]\d|\d)", told.translate(_SPACES)):
                    faults.add(
                        rule.place,
                        f"the amount {amount:g} {unit.replace('_', ' ')} is not told in «{language}»",
                    )


def _situations(entry: Entry, rule: Rule) -> Iterator[dict[str, str]]:
    """Yield facts for which a rule holds: every value of a setting, one of each other fact."""
    facts = {fact.name: fact for fact in entry.facts}
    chosen = []
    for name, values in rule.when.items():
        ordered = [value for value in facts[name].names if value in values]
        chosen.append([(name, value) for value in (ordered if facts[name].setting else ordered[:1])])
    for pairs in product(*chosen):
        yield dict(pairs)


def _check_doubts(entry: Entry, knowledge: Knowledge, faults: Faults) -> None:
    """Render what is said to a player who knows nothing: all outcomes that are open."""
    settings = [fact for fact in entry.facts if fact.setting]
    for values in product(*((*fact.names, UNKNOWN) for fact in settings)):
        facts = dict.fromkeys((fact.name for fact in entry.facts), UNKNOWN)
        facts |= dict(zip((fact.name for fact in settings), values, strict=True))
        decision = decide(entry, facts)
        if isinstance(decision, Open):
            step = Give(entry, complete(entry, facts), None, decision.branches)
            for language in LANGUAGES:
                lines = Voice(knowledge, State(language=language)).given(step)
                _check_length(entry.place, lines, language, faults)


def _check_length(place: Place, lines: list[Line], language: str, faults: Faults) -> None:
    units = len(Answer(language, tuple(lines)).text.encode("utf-16-le")) // 2
    if units > LONGEST_TEXT:
        faults.add(place, f"an answer in «{language}» has {units} units; {LONGEST_TEXT} fit a message")
