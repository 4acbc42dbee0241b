"""What a player can set for good (language, game, format): the choices, and what a typed word means."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from bot.conversation import Preferences
from bot.refusal import Refusal
from bot.requests import listed, shown
from i18n.catalogs import LANGUAGES, catalog
from i18n.formatting import language_name, typeset
from knowledge.model import Knowledge
from knowledge.words import fold

EVERY = "all"
"""The name of no preference among the games."""


@dataclass(frozen=True, slots=True)
class Setting:
    """Something that a player can set: the question, and the labels of its values by name."""

    name: str
    question: str
    labels: Mapping[str, str]

    def named(self, typed: str) -> str:
        """Return the value that a typed word means, by its name or label; refuse any other."""
        for name, label in self.labels.items():
            if fold(typed) in (fold(name), fold(label)):
                return name
        raise Refusal(
            "«{value}» is not known here; known: {known}.",
            value=shown(typed),
            known=listed(self.labels.values()),
        )

    def apply(self, preferences: Preferences, value: str) -> Preferences:
        """Return the preferences with this setting at a value."""
        if self.name == "language":
            return replace(preferences, language=value)
        if self.name == "game":
            return replace(preferences, game=None if value == EVERY else value)
        return replace(preferences, facts={**preferences.facts, self.name: value})


def settings(knowledge: Knowledge, language: str) -> dict[str, Setting]:
    """Return all that can be set, by name: the language, the game, and each fact that is a setting."""
    messages = catalog(language)
    games = {
        game: knowledge.wordings[f"game.{game}"].forms({}, language)["other"] for game in knowledge.games()
    }
    found = [
        Setting(
            "language", messages.gettext("Which language?"), {one: language_name(one) for one in LANGUAGES}
        ),
        Setting("game", messages.gettext("Which game?"), {**games, EVERY: messages.gettext("All games")}),
    ]
    for fact in knowledge.facts.values():
        if fact.setting:
            labels = {value.name: typeset(value.label[language], language) for value in fact.values}
            found.append(Setting(fact.name, typeset(fact.question[language], language), labels))
    return {setting.name: setting for setting in found}
