"""The bot as a service: the application put together, its faults told, its start and its end."""

from __future__ import annotations

import asyncio
import logging
from time import monotonic
from typing import Any

from telegram import Update
from telegram.constants import ChatType, UpdateType
from telegram.error import BadRequest, Conflict, Forbidden, InvalidToken, NetworkError, TelegramError
from telegram.ext import (
    Application,
    CallbackQueryHandler,
    CommandHandler,
    ContextTypes,
    MessageHandler,
    filters,
)

from bot.buttons import Buttons
from bot.conversation import Conversation
from bot.logs import set_up, whereabouts
from bot.refusal import Refusal
from bot.settings import Settings
from bot.store import Store
from bot.telegram.chats import Chats, language_of
from bot.telegram.courier import Courier
from bot.telegram.handlers import Handlers
from bot.telegram.lanes import Lanes
from bot.telegram.profile import publish
from bot.telegram.screens import Screens
from bot.telegram.taps import Taps
from bot.telegram.transport import Bot, Polling
from knowledge.loader import knowledge
from knowledge.matching import Matcher
from knowledge.reading import Reader

ALLOWED_UPDATES = (UpdateType.MESSAGE, UpdateType.EDITED_MESSAGE, UpdateType.CALLBACK_QUERY)
SILENCE = 300.0
"""Seconds for which the same fault of polling is not logged again."""
REFUSED = 2
_log = logging.getLogger(__name__)

AnyApplication = Application[Any, Any, Any, Any, Any, Any]


def serve(settings: Settings) -> int:
    """Run the bot until it is told to stop; return 0, or 2 where Telegram does not accept the token."""
    if settings.token is None:
        raise Refusal("TELEGRAM_BOT_TOKEN is not set; @BotFather on Telegram gives a token.")
    set_up(settings.log_level, settings.token)
    matcher = Matcher(knowledge())
    service = Service(settings, Conversation(knowledge(), matcher, Reader(knowledge(), matcher.analyser)))
    try:
        service.application.run_polling(bootstrap_retries=-1, allowed_updates=ALLOWED_UPDATES)
    except InvalidToken:
        service.refused = True
    if service.refused:
        raise Refusal("TELEGRAM_BOT_TOKEN is not accepted by the Bot API server.")
    _log.info("stopped")
    return 0


class Service:
    """One bot: application, handlers, store."""

    def __init__(self, settings: Settings, conversation: Conversation) -> None:
        self.refused = False
        self.lanes = Lanes()
        self.store = Store(settings.database_url)
        self._told: dict[str, float] = {}
        bot = Bot(settings.token or "", settings.api_url, Polling(self.refuse), self.tell_once)
        self.courier = Courier(bot, self.lanes, self.store)
        buttons = Buttons(conversation.knowledge)
        self.screens = Screens(conversation.knowledge, buttons)
        self.chats = Chats(self.store, buttons, self.screens.facts)
        self.handlers = Handlers(conversation, self.screens, self.chats, self.courier)
        self.taps = Taps(conversation, buttons, self.screens, self.chats, self.courier)
        self.application: AnyApplication = (
            Application.builder()
            .bot(bot)
            .concurrent_updates(self.lanes)
            .post_init(self.begin)
            .post_shutdown(self.end)
            .build()
        )
        self.lanes.running = lambda: self.application.running
        self._profile: asyncio.Task[None] | None = None
        self._add_handlers()

    def _add_handlers(self) -> None:
        """Private chats are answered; in groups, so far, only commands that name this bot."""
        add, do = self.application.add_handler, self.handlers
        private = filters.ChatType.PRIVATE
        fresh = filters.UpdateType.MESSAGE
        heard = fresh & (private | (filters.ChatType.GROUPS & Addressed(self.application.bot)))
        add(CommandHandler("start", do.start, heard))
        add(CommandHandler("help", do.help, heard))
        add(CommandHandler("sources", do.sources, heard))
        add(CommandHandler(["language", "game", *self.screens.facts], do.menu, heard))
        unknown = filters.COMMAND & fresh & private
        add(MessageHandler(unknown & (~Directed() | Addressed(self.application.bot)), do.help))
        add(MessageHandler(filters.TEXT & ~filters.COMMAND & fresh & private, do.said))
        edited = filters.UpdateType.EDITED_MESSAGE & private
        add(MessageHandler(filters.TEXT & ~filters.COMMAND & edited, do.edited))
        add(MessageHandler(filters.StatusUpdate.MIGRATE, do.migrated))
        add(MessageHandler(~filters.TEXT & ~filters.StatusUpdate.ALL & fresh & private, do.not_text))
        add(CallbackQueryHandler(self.taps.tapped))
        self.application.add_error_handler(self.failed)

    def refuse(self) -> None:
        """Stop: the server does not accept the token any more, and there is nothing to wait for."""
        if self.application.running and not self.refused:
            self.refused = True
            self.application.stop_running()

    async def begin(self, application: AnyApplication) -> None:
        """Open the store, and set what Telegram shows of the bot without waiting for it."""
        asyncio.get_running_loop().set_exception_handler(_unhandled)
        await self.store.open()
        self._profile = asyncio.create_task(publish(application.bot, self.screens))
        _log.info("polling as @%s", application.bot.username)

    async def end(self, application: AnyApplication) -> None:
        """Let go of what was opened."""
        del application
        if self._profile is not None:
            self._profile.cancel()
        await self.store.close()

    # Faults ------------------------------------------------------------------------------------

    async def failed(self, update: object, context: ContextTypes.DEFAULT_TYPE) -> None:
        """Log what went wrong, without a word of anybody; tell the player one sentence where it helps."""
        error = context.error
        if error is None or isinstance(error, Forbidden):
            return  # the bot was blocked or put out: nobody to tell
        if not isinstance(update, Update):
            self.tell_once(error)
            return
        if isinstance(error, TelegramError) and not isinstance(error, BadRequest):
            _log.warning("update %d: %s", update.update_id, type(error).__name__)
            return  # it may have arrived: no second try
        _log.error("update %d: %s", update.update_id, whereabouts(error))
        await self.excuse(update)

    async def excuse(self, update: Update) -> None:
        """Tell the player that it is our fault, in their language."""
        chat, user = update.effective_chat, update.effective_user
        if chat is None or chat.type != ChatType.PRIVATE:
            return
        try:
            language = (await self.chats.find(chat.id, user)).language
        except Exception:  # the fault may lie there
            language = language_of(user)
        try:
            await self.courier.send(chat.id, self.screens.trouble(language))
        except TelegramError as error:
            _log.warning("update %d: no excuse was sent (%s)", update.update_id, type(error).__name__)

    def tell_once(self, error: BaseException) -> None:
        """Log a fault of polling in one line, and not again for a while."""
        kind = type(error).__name__
        if monotonic() - self._told.get(kind, -SILENCE) < SILENCE:
            return
        self._told[kind] = monotonic()
        if isinstance(error, Conflict):
            _log.error("another program polls with this token, or a webhook is set (Conflict): trying again")
        elif isinstance(error, NetworkError):
            _log.warning("the Bot API server is not reached (%s): trying again", kind)
        else:
            _log.error("polling: %s", whereabouts(error))


class Addressed(filters.MessageFilter):
    """Commands that name this bot: /help@its_name."""

    def __init__(self, bot: Any) -> None:
        super().__init__()
        self.bot = bot

    def filter(self, message: Any) -> bool:
        """Return whether the first word ends in this bot's name."""
        word = (message.text or "").split(maxsplit=1)[:1]
        return bool(word) and word[0].lower().endswith(f"@{self.bot.username.lower()}")


class Directed(filters.MessageFilter):
    """Commands that name a bot, whichever."""

    def filter(self, message: Any) -> bool:
        """Return whether the first word has a name in it."""
        return "@" in (message.text or "").split(maxsplit=1)[0]


def _unhandled(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log what no one has caught, without its text."""
    del loop
    error = context.get("exception")
    _log.error("%s %s", context.get("message"), whereabouts(error) if error else "")
