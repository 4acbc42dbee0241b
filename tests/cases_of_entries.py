"""The cases of tests/cases, and rulings brought to the form in which the cases write them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml

from knowledge.model import Ruling

CASES = Path(__file__).parent / "cases"


@cache
def cases() -> list[tuple[str, dict[str, Any]]]:
    """Return (entry id, case) for every case."""
    found = []
    for path in sorted(CASES.rglob("*.yaml")):
        entry = path.relative_to(CASES).with_suffix("").as_posix()
        found += [(entry, case) for case in yaml.load(path.read_text("utf-8"), yaml.BaseLoader)]
    return found


def as_case(ruling: Ruling) -> dict[str, Any]:
    """Return a ruling as a case writes it: texts, empty fields left out."""
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
    return {key: _plain(value) for key, value in data.items() if value and value != "none"}


def expected(case: dict[str, Any]) -> dict[str, Any]:
    """Return the ruling that a case expects, its numbers brought to one spelling."""
    return {k: _numbers(v) for k, v in case["ruling"].items() if v and v != "none" and k != "sources"}


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return sorted((_plain(item) for item in value), key=str)
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items() if item is not None}
    return f"{value:g}" if isinstance(value, float) else value


def _numbers(value: Any) -> Any:
    if isinstance(value, list):
        return sorted((_numbers(item) for item in value), key=str)
    if isinstance(value, dict):
        return {key: f"{float(item):g}" if key == "amount" else _numbers(item) for key, item in value.items()}
    return value
