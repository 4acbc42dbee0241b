"""Every case of tests/cases against the tables: the outcome expected comes from the source texts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from bot.wording import Words
from knowledge.loader import knowledge
from knowledge.model import Ruling
from knowledge.table import Settled, decide

CASES = Path(__file__).parent / "cases"
FIELDS = ("deal", "penalties", "bans", "choice", "handful", "points_returned", "adjustment")


def read_cases() -> list[tuple[str, dict[str, Any]]]:
    found = []
    for path in sorted(CASES.rglob("*.yaml")):
        entry = path.relative_to(CASES).with_suffix("").as_posix()
        found += [(entry, case) for case in yaml.load(path.read_text("utf-8"), yaml.BaseLoader)]
    return found


ALL = read_cases()


def ruling_as_case(ruling: Ruling) -> dict[str, Any]:
    data = {
        "deal": ruling.deal,
        "penalties": [
            {"kind": p.kind, "amount": p.amount, "unit": p.unit, "to": p.to} for p in ruling.penalties
        ],
        "bans": [{"who": b.who, "what": b.what, "deal": b.deal, "for": b.lasting} for b in ruling.bans],
        "choice": {"who": ruling.choice.who, "between": list(ruling.choice.between)}
        if ruling.choice
        else None,
        "handful": ruling.handful,
        "points_returned": ruling.points_returned,
        "adjustment": [
            {"to": a.to, "bound": a.bound, "amount": a.amount, "unit": a.unit} for a in ruling.adjustment
        ],
    }
    return {key: plain(value) for key, value in data.items() if value and value != "none"}


def plain(value: Any) -> Any:
    if isinstance(value, list):
        return sorted((plain(item) for item in value), key=str)
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items() if item is not None}
    return f"{value:g}" if isinstance(value, float) else value


def number_texts(value: Any) -> Any:
    """Bring the numbers of a case («0.50») to one spelling."""
    if isinstance(value, list):
        return sorted((number_texts(item) for item in value), key=str)
    if isinstance(value, dict):
        return {
            key: f"{float(item):g}" if key == "amount" else number_texts(item) for key, item in value.items()
        }
    return value


@pytest.mark.parametrize(("entry", "case"), ALL, ids=[f"{e}: {c['name']}" for e, c in ALL])
def test_case(entry: str, case: dict[str, Any]) -> None:
    known = knowledge()
    decision = decide(known.entries[entry], case.get("facts", {}))
    assert isinstance(decision, Settled), f"not settled: {decision}"
    expected = {k: number_texts(v) for k, v in case["ruling"].items() if v and v != "none"}
    sources = expected.pop("sources", None)
    assert ruling_as_case(decision.ruling) == expected
    if sources is not None:
        cited = {f"{c.document} {c.section}" for c in decision.ruling.citations}
        assert cited == set(sources)
    for language, wanted in case.get("says", {}).items():
        parts = Words(known, language, case.get("facts", {})).parts(decision.ruling)
        text = "\n".join(sentence for sentences in parts.values() for sentence in sentences)
        for words in wanted:
            assert words.casefold() in text.casefold().replace("\u202f", " ").replace("\u00a0", " ")


def test_every_distinct_ruling_has_a_case() -> None:
    known = knowledge()
    met: set[tuple[str, Ruling]] = set()
    for entry, case in ALL:
        decision = decide(known.entries[entry], case.get("facts", {}))
        if isinstance(decision, Settled):
            met.add((entry, decision.ruling))
    wanted = {(entry.id, rule.ruling): str(rule.place) for entry in known for rule in entry.rules}
    missing = [f"{entry} {wanted[entry, r]}" for entry, r in wanted if (entry, r) not in met]
    assert not missing, f"{len(missing)} rulings without a case: {missing[:20]}"
