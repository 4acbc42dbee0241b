"""What the tap of a button leads to: its data are read, the core is asked, the message is edited."""

from __future__ import annotations

from dataclasses import replace

from telegram import CallbackQuery, Message, Update
from telegram.ext import ContextTypes

from bot.answer import Line
from bot.buttons import Buttons, Compared, Consulted, Preferred, Returned, Stale, Tap
from bot.conversation import Conversation, State, Turn
from bot.markup import Screen
from bot.refusal import Refusal
from bot.requests import clean
from bot.telegram.chats import Chat, Chats
from bot.telegram.courier import Courier
from bot.telegram.screens import Screens


class Taps:
    """The handler of taps. A tap carries its state, so a second one of the same does the same."""

    def __init__(
        self, conversation: Conversation, buttons: Buttons, screens: Screens, chats: Chats, courier: Courier
    ) -> None:
        self.conversation = conversation
        self.buttons = buttons
        self.screens = screens
        self.chats = chats
        self.courier = courier

    async def tapped(self, update: Update, context: ContextTypes.DEFAULT_TYPE) -> None:
        """Do what a button carries, and show the outcome in the place of its message."""
        del context
        query = update.callback_query
        if query is None:
            return
        await self.courier.acknowledge(query)
        if query.message is None or query.data is None:
            return
        chat = await self.chats.find(query.message.chat.id, query.from_user)
        text, question = _question(query)
        try:
            state, tap = self.buttons.read(query.data)
            state = replace(state, language=chat.preferences.language or state.language, question=text)
            turn, screen = await self.press(chat, state, tap)
        except Stale as stale:
            turn, screen = self.afresh(chat, stale, text)
        shown = await self.courier.show(chat.id, query.message.message_id, screen, question)
        if turn is not None:
            last = chat.talk.last if chat.talk else 0
            await self.chats.keep(chat.id, turn.state, question or 0, shown, last)

    async def press(self, chat: Chat, state: State, tap: Tap) -> tuple[Turn | None, Screen]:
        """Return where a tap leads; raise Stale where it leads nowhere any more."""
        match tap:
            case Preferred(name, value):
                return None, await self.prefer(chat, state.language, name, value)
            case Consulted(document):
                return None, self.screens.card(document, state)
            case Compared(fact) if state.entry:
                entry = self.conversation.knowledge.entries[state.entry]
                return None, self.screens.comparison(entry, fact, state, chat.preferences)
            case Returned() | Compared():
                turn = self.conversation.resume(state, chat.preferences)
            case _:
                turn = self.conversation.advance(state, tap, chat.preferences)
        if turn is None:
            raise Stale(state.language, state.entry)
        await self.chats.remember(chat, turn)
        return turn, self.screens.turn(turn)

    async def prefer(self, chat: Chat, language: str, name: str, value: str) -> Screen:
        """Set something for the chat, and return its menu with the new value marked."""
        if name == "language" and value:
            language = value
        menu = self.screens.menu(name, language, value) if self.screens.allowed(name, value) else None
        if menu is None:
            raise Stale(language)
        await self.chats.store.set(chat.id, name, value or None)
        return menu

    def afresh(self, chat: Chat, stale: Stale, text: str) -> tuple[Turn | None, Screen]:
        """Return the question put again for a button that fits no more, saying so."""
        language = chat.preferences.language or stale.language or chat.language
        if text:
            turn = self.conversation.ask(text, chat.speaking(text))
        elif stale.entry:
            turn = self.conversation.open(stale.entry, {}, replace(chat.preferences, language=language))
        else:
            return None, self.screens.lost(language)
        note = Line("note", self.screens.outdated(turn.state.language))
        return turn, self.screens.turn(turn, [note])


def _question(query: CallbackQuery) -> tuple[str, int | None]:
    """Return the player's question that the message of a button replies to, and its id."""
    replied = query.message.reply_to_message if isinstance(query.message, Message) else None
    if replied is None or not replied.text or replied.text.startswith("/"):
        return "", replied.message_id if replied else None
    try:
        return clean(replied.text), replied.message_id
    except Refusal:
        return "", replied.message_id
