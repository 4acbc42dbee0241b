"""What is known of a chat when an update comes, and what is kept of it for the next one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from telegram import Message, User

from bot.buttons import Buttons, Returned, Stale
from bot.conversation import Preferences, State, Turn
from bot.store import Store, Talk
from i18n.catalogs import LANGUAGES
from knowledge.model import UNKNOWN

MOST_TEXTS = 1000
"""How many chats' last questions are held in memory."""


@dataclass(frozen=True, slots=True)
class Chat:
    """A chat as an update finds it: what it has set, and where its talk stands."""

    id: int
    preferences: Preferences
    talk: Talk | None
    state: State
    language: str

    def speaking(self, text: str) -> Preferences:
        """Return the preferences for a text: one without letters has no language of its own."""
        if any(character.isalpha() for character in text):
            return self.preferences
        return replace(self.preferences, language=self.language)

    def chosen(self, setting: str) -> str | None:
        """Return what is set under this name."""
        chosen = {"language": self.preferences.language, "game": self.preferences.game}
        return chosen[setting] if setting in chosen else self.preferences.facts.get(setting)


class Chats:
    """All chats, out of the store; the words of players stay in memory, and few of them."""

    def __init__(self, store: Store, buttons: Buttons, facts: Iterable[str]) -> None:
        self.store = store
        self.buttons = buttons
        self.facts = tuple(facts)
        self._texts: dict[int, tuple[int, str]] = {}

    async def of(self, message: Message) -> Chat:
        """Return the chat of a message that its player wrote."""
        return await self.find(message.chat.id, message.from_user)

    async def find(self, number: int, user: User | None) -> Chat:
        """Return what is known of a chat; its language: as set, as last spoken, the player's, French."""
        preferences = _preferences(await self.store.settings(number), self.facts)
        talk = await self.store.talk(number)
        state = self._state(talk)
        noted, text = self._texts.get(number, (None, ""))
        if state and talk and noted == talk.question:
            state = replace(state, question=text)
        language = preferences.language or (state.language if state else language_of(user))
        return Chat(number, preferences, talk, replace(state or State(), language=language), language)

    def _state(self, talk: Talk | None) -> State | None:
        """Return the state of a talk, or None where there is none that still fits the knowledge."""
        try:
            return self.buttons.read(talk.state)[0] if talk else None
        except Stale:
            return None

    def note(self, chat: int, question: int, text: str) -> None:
        """Note the last question of a chat, never beyond this process: a typed choice of entry reads it."""
        self._texts.pop(chat, None)
        self._texts[chat] = question, text
        if len(self._texts) > MOST_TEXTS:
            del self._texts[next(iter(self._texts))]

    async def remember(self, chat: Chat, turn: Turn) -> None:
        """Keep the settings (the format) that were answered on the way, for the questions to come."""
        for name in self.facts:
            value = turn.state.answered.get(name, UNKNOWN)
            if value not in (UNKNOWN, chat.preferences.facts.get(name)):
                await self.store.set(chat.id, name, value)

    async def keep(self, chat: int, state: State, question: int, answer: int, last: int) -> None:
        """Keep where the talk stands, so that an answer can be typed as well."""
        talk = Talk(self.buttons.write(state, Returned()), question, answer, last)
        await self.store.keep(chat, talk)


def language_of(user: User | None) -> str:
    """Return the language of a player's telephone where it is ours, else French."""
    spoken = (user.language_code if user and user.language_code else "").split("-")[0].lower()
    return spoken if spoken in LANGUAGES else LANGUAGES[0]


def _preferences(settings: Mapping[str, str], facts: Iterable[str]) -> Preferences:
    language = settings.get("language")
    kept = {name: settings[name] for name in facts if name in settings}
    return Preferences(language if language in LANGUAGES else None, settings.get("game"), kept)
