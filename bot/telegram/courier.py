"""Brings screens to chats: sends, edits, and knows which refusals of Telegram mean nothing."""

from __future__ import annotations

from telegram import (
    Bot,
    CallbackQuery,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    LinkPreviewOptions,
    Message,
    ReplyParameters,
)
from telegram.constants import ParseMode
from telegram.error import BadRequest, ChatMigrated

from bot.markup import Rows, Screen
from bot.store import Store
from bot.telegram.lanes import Lanes

_PLAIN = LinkPreviewOptions(is_disabled=True)


class Courier:
    """Sends and edits messages, patiently, and once."""

    def __init__(self, bot: Bot, lanes: Lanes, store: Store) -> None:
        self.bot = bot
        self.lanes = lanes
        self.store = store

    async def send(self, chat: int, screen: Screen, question: int | None = None) -> int:
        """Send a screen, as a reply to the question if there is one; return the last message's id."""
        sent = 0
        for number, text in enumerate(screen.messages, 1):
            rows = screen.rows if number == len(screen.messages) else ()
            try:
                sent = (await self._send(chat, text, rows, question)).message_id
            except ChatMigrated as moved:
                await self.store.move(chat, moved.new_chat_id)
                chat, question = moved.new_chat_id, None
                sent = (await self._send(chat, text, rows, question)).message_id
        return sent

    async def show(self, chat: int, message: int, screen: Screen, question: int | None = None) -> int:
        """Put a screen in the place of a message; send it where that cannot be edited."""
        whole = len(screen.messages) == 1
        try:
            await self.lanes.patiently(
                lambda: self.bot.edit_message_text(
                    screen.messages[0],
                    chat_id=chat,
                    message_id=message,
                    parse_mode=ParseMode.HTML,
                    link_preview_options=_PLAIN,
                    reply_markup=_keyboard(screen.rows) if whole else None,
                )
            )
        except BadRequest as error:
            if _says(error, "message is not modified"):
                return message  # a double tap
            if not _says(error, "message to edit not found", "message can't be edited"):
                raise
            return await self.send(chat, screen, question)
        if whole:
            return message
        return await self.send(chat, Screen(screen.messages[1:], screen.rows), question)

    async def acknowledge(self, query: CallbackQuery) -> None:
        """Tell Telegram that a tap has arrived; too late is no fault."""
        try:
            await self.lanes.patiently(query.answer)
        except BadRequest as error:
            if not _says(error, "query is too old", "query id is invalid"):
                raise

    async def _send(self, chat: int, text: str, rows: Rows, question: int | None) -> Message:
        reply = ReplyParameters(question, allow_sending_without_reply=True) if question else None
        return await self.lanes.patiently(
            lambda: self.bot.send_message(
                chat,
                text,
                parse_mode=ParseMode.HTML,
                link_preview_options=_PLAIN,
                reply_parameters=reply,
                reply_markup=_keyboard(rows),
            )
        )


def _keyboard(rows: Rows) -> InlineKeyboardMarkup | None:
    if not rows:
        return None
    return InlineKeyboardMarkup(
        [[InlineKeyboardButton(button.label, callback_data=button.data) for button in row] for row in rows]
    )


def _says(error: BadRequest, *messages: str) -> bool:
    return any(message in error.message.lower() for message in messages)
