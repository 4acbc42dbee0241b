"""Puts a ruling into words: the entry's own sentences, and the standard ones made from the data."""

from __future__ import annotations

from collections.abc import Mapping

from i18n.formatting import number, plural, typeset
from knowledge.model import Adjustment, Ban, Citation, Knowledge, Penalty, Ruling
from knowledge.rulings import PARTS
from knowledge.table import allows


class Words:
    """The wording of rulings in one language, for the facts of one situation."""

    def __init__(self, knowledge: Knowledge, language: str, facts: Mapping[str, str]) -> None:
        self.knowledge = knowledge
        self.language = language
        self.facts = facts

    def parts(self, ruling: Ruling) -> dict[str, list[str]]:
        """Return the sentences of a ruling by part, in the order in which they are shown."""
        said: dict[str, list[str]] = {}
        for part in PARTS:
            own = [typeset(text[self.language], self.language) for text in ruling.said(part)]
            sentences = own or self.standard(part, ruling)
            if sentences:
                said[part] = sentences
        return said

    def standard(self, part: str, ruling: Ruling) -> list[str]:
        """Return the standard sentences of a part, made from the ruling's data."""
        told: list[str] = []
        match part:
            case "verdict" if ruling.deal != "none":
                told = [self.say(f"deal.{ruling.deal}")]
            case "handful" if ruling.handful:
                told = [self.say(f"handful.{ruling.handful}")]
            case "points" if ruling.points_returned:
                told = [self.say(f"points_returned.{ruling.points_returned}")]
            case "penalty":
                told = [self.penalty(penalty) for penalty in ruling.penalties]
            case "adjustment":
                told = [self.adjustment(bound) for bound in ruling.adjustment]
            case "ban":
                told = [self.ban(ban) for ban in ruling.bans]
        return told

    def say(self, name: str, **values: str | float) -> str:
        """Return a standard sentence or word, with the values put in."""
        forms = self.knowledge.wordings[name].forms(self.facts, self.language)
        amount = values.get("amount")
        form = forms["other"]
        if isinstance(amount, float | int):
            form = forms.get(plural(amount, self.language), form)
            values["amount"] = number(amount, self.language)
        return typeset(form.format_map(values), self.language)

    def penalty(self, penalty: Penalty) -> str:
        """Return the sentence of a penalty."""
        to = self.say(f"to.{penalty.to}")
        if penalty.amount is None:
            return self.say(f"penalty.{penalty.kind}", to=to)
        return self.say(f"penalty.{penalty.kind}", to=to, amount=penalty.amount)

    def adjustment(self, bound: Adjustment) -> str:
        """Return the sentence of a bound on an adjusted score."""
        name = f"adjust.{bound.bound}.{bound.unit}"
        return self.say(name, who=self.say(f"who.{bound.to}"), amount=bound.amount)

    def ban(self, ban: Ban) -> str:
        """Return the sentence of a ban."""
        return self.say(f"ban.{ban.what}", who=self.say(f"who.{ban.who}"), deal=self.say(f"on.{ban.deal}"))


def in_force(knowledge: Knowledge, ruling: Ruling, facts: Mapping[str, str]) -> tuple[Citation, ...]:
    """Return the citations of documents that hold for the facts known; all, where none would be left."""
    holding = tuple(
        citation
        for citation in ruling.citations
        if allows(knowledge.documents[citation.document].holds, facts)
    )
    return holding or ruling.citations
