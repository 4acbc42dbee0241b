"""What messages and commands lead to: the chat is found, the core is asked, the screen is sent.

Every handler may be called twice with the same update: what is kept is written over, and the number
of the last message typed tells a message that comes again.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace

from telegram import Message, Update
from telegram.ext import ContextTypes

from bot.conversation import Conversation, Said
from bot.markup import Screen
from bot.refusal import Refusal
from bot.requests import clean
from bot.telegram.chats import Chats
from bot.telegram.courier import Courier
from bot.telegram.screens import Screens

Context = ContextTypes.DEFAULT_TYPE


class Handlers:
    """The handlers of messages and commands over one conversation core."""

    def __init__(self, conversation: Conversation, screens: Screens, chats: Chats, courier: Courier) -> None:
        self.conversation = conversation
        self.screens = screens
        self.chats = chats
        self.courier = courier
        self.albums: deque[str] = deque(maxlen=100)

    # Messages ----------------------------------------------------------------------------------

    async def said(self, update: Update, context: Context) -> None:
        """Answer a text: a question, or the answer to ours."""
        del context
        message = update.effective_message
        if message is None or message.text is None:
            return
        chat = await self.chats.of(message)
        talk = chat.talk
        if talk and talk.last == message.message_id:
            return  # it came again
        try:
            text = clean(message.text)
        except Refusal as refusal:
            await self.say(message, self.screens.sentence(refusal.text(chat.language), chat.language))
            return
        turn = self.conversation.advance(chat.state, Said(text), chat.speaking(text))
        question = talk.question if talk and turn.state.question != text else message.message_id
        if question == message.message_id:
            self.chats.note(chat.id, question, text)
        await self.chats.remember(chat, turn)
        answer = await self.courier.send(chat.id, self.screens.turn(turn), question)
        await self.chats.keep(chat.id, turn.state, question, answer, message.message_id)

    async def edited(self, update: Update, context: Context) -> None:
        """Answer the last question afresh where it was edited; other edits change nothing."""
        del context
        message = update.effective_message
        if message is None or message.text is None:
            return
        chat = await self.chats.of(message)
        talk = chat.talk
        if talk is None or talk.question != message.message_id:
            return
        try:
            text = clean(message.text)
        except Refusal:
            return
        self.chats.note(chat.id, message.message_id, text)
        turn = self.conversation.ask(text, chat.speaking(text))
        screen = self.screens.turn(turn)
        answer = await self.courier.show(chat.id, talk.answer, screen, message.message_id)
        await self.chats.keep(chat.id, turn.state, message.message_id, answer, talk.last)

    async def not_text(self, update: Update, context: Context) -> None:
        """Say that only texts are read; once for an album."""
        del context
        message = update.effective_message
        if message is None or message.media_group_id in self.albums:
            return
        if message.media_group_id:
            self.albums.append(message.media_group_id)
        await self.say(message, self.screens.not_text(await self.language(message)))

    async def migrated(self, update: Update, context: Context) -> None:
        """Move the settings of a group that became a supergroup; told from both sides, in either order."""
        del context
        message = update.effective_message
        if message is not None and message.migrate_to_chat_id:
            await self.chats.store.move(message.chat.id, message.migrate_to_chat_id)
        elif message is not None and message.migrate_from_chat_id:
            await self.chats.store.move(message.migrate_from_chat_id, message.chat.id)

    # Commands ----------------------------------------------------------------------------------

    async def start(self, update: Update, context: Context) -> None:
        """Greet; where a deep link names an entry («/» as «_»), open it."""
        message = update.effective_message
        if message is None:
            return
        chat = await self.chats.of(message)
        payload = context.args[0] if context.args else ""
        entries = self.conversation.knowledge.entries
        entry = next((name for name in entries if name.replace("/", "_") == payload), None)
        if entry is None:
            await self.say(message, self.screens.greeting(chat.language))
            return
        turn = self.conversation.open(entry, {}, replace(chat.preferences, language=chat.language))
        answer = await self.courier.send(chat.id, self.screens.turn(turn))
        await self.chats.keep(chat.id, turn.state, 0, answer, message.message_id)

    async def help(self, update: Update, context: Context) -> None:
        """Tell what the bot can do; an unknown command gets this as well."""
        del context
        if (message := update.effective_message) is not None:
            await self.say(message, self.screens.help(await self.language(message)))

    async def sources(self, update: Update, context: Context) -> None:
        """Show the cards of the source documents."""
        del context
        if (message := update.effective_message) is not None:
            await self.say(message, self.screens.sources(await self.language(message)))

    async def menu(self, update: Update, context: Context) -> None:
        """Show the menu of a setting; the command names it."""
        del context
        message = update.effective_message
        if message is None or not message.text:
            return
        setting = message.text.split()[0].lstrip("/").partition("@")[0].lower()
        chat = await self.chats.of(message)
        screen = self.screens.menu(setting, chat.language, chat.chosen(setting))
        if screen is not None:
            await self.say(message, screen)

    # Parts -------------------------------------------------------------------------------------

    async def language(self, message: Message) -> str:
        """Return the language to answer a message in."""
        return (await self.chats.of(message)).language

    async def say(self, message: Message, screen: Screen) -> None:
        """Send a screen that answers no question."""
        await self.courier.send(message.chat.id, screen)
