"""A turn as a program reads it: the JSON object that the contract promises."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

from bot.answer import Answer, Answers
from bot.conversation import Answered, Ask, Give, Turn
from bot.wording import in_force
from knowledge.model import Citation, Entry, Knowledge, Ruling
from knowledge.table import Branch

MOST_CANDIDATES = 5
Json = dict[str, Any]


def turn_as_json(answers: Answers, turn: Turn) -> Json:
    """Return a turn as one object."""
    knowledge, step, state = answers.knowledge, turn.step, turn.state
    entry = step.entry if isinstance(step, Give | Ask) else None
    answer = answers.answer(turn)
    told: Json = {
        "lang": state.language,
        "status": _status(turn),
        "entry": entry.id if entry else None,
        "candidates": _candidates(turn),
        "understood": dict(state.heard),
        "facts": dict(step.facts) if isinstance(step, Give | Ask) else state.stated,
        "question": None,
        "ruling": None,
        "text": answer.plain,
    }
    if isinstance(step, Ask):
        told["question"] = _question(step, answer)
    if isinstance(step, Give) and step.ruling is not None:
        told["ruling"] = ruling_as_json(knowledge, step.ruling, step.facts)
    elif isinstance(step, Give):
        told["branches"] = [
            one for branch in step.branches for one in _branches(knowledge, branch, step.facts)
        ]
    return told


def _question(step: Ask, answer: Answer) -> Json:
    """Return the question about a fact; its options end with «I don't know»."""
    asked = [line.text for line in answer.lines if line.role == "question"]
    options = [
        {"value": option.event.value, "text": option.label}
        for option in answer.options
        if isinstance(option.event, Answered)
    ]
    return {"fact": step.fact.name, "text": " ".join(asked), "options": options}


def _status(turn: Turn) -> str:
    return {"Give": "ruling", "Ask": "question", "Choose": "choose", "Decline": "unknown"}[
        type(turn.step).__name__
    ]


def _candidates(turn: Turn) -> list[Json]:
    """Return the candidates; an entry that was named outright is the only one, and certain."""
    if turn.candidates or turn.state.entry is None:
        kept = turn.candidates[:MOST_CANDIDATES]
        return [{"entry": one.entry, "score": round(min(max(one.score, 0.0), 1.0), 3)} for one in kept]
    return [{"entry": turn.state.entry, "score": 1.0}]


def _branches(knowledge: Knowledge, branch: Branch, facts: Mapping[str, str]) -> list[Json]:
    """Return a branch as data, one object for each set of values that leads to it."""
    told = []
    for values in product(*(sorted(values) for values in branch.when.values())):
        condition = dict(zip(branch.when, values, strict=True))
        ruling = ruling_as_json(knowledge, branch.ruling, {**facts, **condition})
        told.append({"if": condition, "ruling": ruling})
    return told


def ruling_as_json(knowledge: Knowledge, ruling: Ruling, facts: Mapping[str, str]) -> Json:
    """Return a ruling as data."""
    told: Json = {
        "deal": ruling.deal,
        "penalties": [
            _set({"kind": p.kind, "amount": _number(p.amount), "unit": p.unit, "to": p.to})
            for p in ruling.penalties
        ],
        "bans": [_set({"who": b.who, "what": b.what, "deal": b.deal, "for": b.lasting}) for b in ruling.bans],
        "choice": str(ruling.choice) if ruling.choice else "",
        "handful": ruling.handful,
        "points_returned": ruling.points_returned,
        "adjustment": [
            {"to": a.to, "bound": a.bound, "amount": _number(a.amount), "unit": a.unit}
            for a in ruling.adjustment
        ],
        "sources": _sources(knowledge, in_force(knowledge, ruling, facts)),
    }
    return _set(told)


def _set(fields: Json) -> Json:
    return {name: value for name, value in fields.items() if value is not None}


def _number(value: float | None) -> float | int | None:
    return int(value) if value is not None and value == int(value) else value


def _sources(knowledge: Knowledge, citations: tuple[Citation, ...]) -> list[Json]:
    cited = dict.fromkeys((knowledge.documents[c.document].name, c.section) for c in citations)
    return [{"document": document, "section": section} for document, section in cited]


def entry_as_json(knowledge: Knowledge, entry: Entry) -> Json:
    """Return what `arbitre entries --json` tells of an entry."""
    citations = tuple(citation for rule in entry.rules for citation in rule.ruling.citations)
    return {
        "id": entry.id,
        "game": entry.game,
        "title": {"fr": entry.title.fr, "ru": entry.title.ru},
        "phrases": {
            language: [phrase.text for phrase in entry.phrases if phrase.language == language]
            for language in ("fr", "ru")
        },
        "facts": [fact.name for fact in entry.facts],
        "rules": len(entry.rules),
        "sources": _sources(knowledge, citations),
    }
