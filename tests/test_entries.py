"""Every case of tests/cases against the tables: the outcome expected comes from the source texts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from bot.wording import Words
from knowledge.loader import knowledge
from knowledge.model import Ruling
from knowledge.rulings import DEALS
from knowledge.table import Settled, allows, complete, decide
from tests.cases_of_entries import as_case, cases, expected


@pytest.mark.parametrize(("entry", "case"), cases(), ids=[f"{e}: {c['name']}" for e, c in cases()])
def test_case(entry: str, case: dict[str, Any]) -> None:
    known = knowledge()
    facts = case.get("facts") or {}
    decision = decide(known.entries[entry], facts)
    assert isinstance(decision, Settled), f"not settled: {decision}"
    assert as_case(decision.ruling) == expected(case)
    if "sources" in case["ruling"]:
        cited = {f"{c.document} {c.section}" for c in decision.ruling.citations}
        assert cited == set(case["ruling"]["sources"])
    for language, wanted in case.get("says", {}).items():
        parts = Words(known, language, facts).parts(decision.ruling)
        text = "\n".join(sentence for sentences in parts.values() for sentence in sentences)
        for words in wanted:
            assert words.casefold() in text.casefold().replace("\u202f", " ").replace("\u00a0", " ")


def test_every_distinct_ruling_has_a_case() -> None:
    known = knowledge()
    met: set[tuple[str, Ruling]] = set()
    for entry, case in cases():
        decision = decide(known.entries[entry], case.get("facts") or {})
        if isinstance(decision, Settled):
            met.add((entry, decision.ruling))
    wanted = {(entry.id, rule.ruling): str(rule.place) for entry in known for rule in entry.rules}
    assert len(wanted) > 100
    missing = [f"{entry} {wanted[entry, r]}" for entry, r in wanted if (entry, r) not in met]
    assert not missing


def mutants(ruling: Ruling) -> Iterator[tuple[str, Ruling]]:
    """Yield a ruling with one thing changed: an outcome, an amount, a receiver, a ban, a choice."""
    yield "deal", replace(ruling, deal=next(d for d in DEALS if d != ruling.deal))
    for n, penalty in enumerate(ruling.penalties):
        before, after = ruling.penalties[:n], ruling.penalties[n + 1 :]
        yield f"penalty {n} dropped", replace(ruling, penalties=(*before, *after))
        for change in ({"to": "nobody"}, {"kind": "other"}, {"amount": (penalty.amount or 0) + 1}):
            yield (
                f"penalty {n} {change}",
                replace(ruling, penalties=(*before, replace(penalty, **change), *after)),
            )
    for n, bound in enumerate(ruling.adjustment):
        before, after = ruling.adjustment[:n], ruling.adjustment[n + 1 :]
        for change in ({"to": "nobody"}, {"bound": "other"}, {"amount": -bound.amount - 1}, {"unit": "x"}):
            yield (
                f"adjustment {n} {change}",
                replace(ruling, adjustment=(*before, replace(bound, **change), *after)),
            )
    for n, ban in enumerate(ruling.bans):
        before, after = ruling.bans[:n], ruling.bans[n + 1 :]
        for change in ({"who": "nobody"}, {"what": "other"}, {"deal": "other"}, {"lasting": "other"}):
            yield f"ban {n} {change}", replace(ruling, bans=(*before, replace(ban, **change), *after))
    if ruling.choice:
        yield "choice dropped", replace(ruling, choice=None)
        yield "choice who", replace(ruling, choice=replace(ruling.choice, who="nobody"))
    for name in ("handful", "points_returned"):
        yield name, replace(ruling, **{name: "other"})


def test_a_changed_ruling_fails_a_case() -> None:
    survivors, tried = [], 0
    for entry in knowledge():
        mine = [case for name, case in cases() if name == entry.id]
        for rule in entry.rules:
            wanted = [
                expected(case)
                for case in mine
                if allows(rule.when, complete(entry, case.get("facts") or {}))
                and (settled := decide(entry, case.get("facts") or {}))
                and isinstance(settled, Settled)
                and settled.ruling == rule.ruling
            ]
            for name, mutant in mutants(rule.ruling):
                tried += 1
                if all(as_case(mutant) == want for want in wanted):
                    survivors.append(f"{rule.place} {dict(rule.when)}: {name}")
    assert tried > 1000
    assert not survivors, f"{len(survivors)} of {tried} mutants live: {survivors[:10]}"
