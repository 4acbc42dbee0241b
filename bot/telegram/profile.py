"""What Telegram shows of the bot beside its messages: the menu of commands, and the descriptions."""

from __future__ import annotations

import logging

from telegram import Bot, BotCommand
from telegram.error import TelegramError

from bot.answer import Voice
from bot.conversation import State
from bot.telegram.screens import Screens
from i18n.catalogs import LANGUAGES, catalog

COMMAND, DESCRIPTION, SHORT = 256, 512, 120
"""The most characters of a command's, the bot's, and its short description."""
_log = logging.getLogger(__name__)


async def publish(bot: Bot, screens: Screens) -> None:
    """Set commands and descriptions where they differ; a failure is logged and stops nothing.

    French stands for all languages that have none of their own.
    """
    for language in LANGUAGES:
        code = None if language == LANGUAGES[0] else language
        try:
            await _publish(bot, screens, language, code)
        except TelegramError as error:
            _log.warning("commands and descriptions were not set (%s)", type(error).__name__)


async def _publish(bot: Bot, screens: Screens, language: str, code: str | None) -> None:
    commands = [BotCommand(name, told[:COMMAND]) for name, told in screens.commands(language).items()]
    if list(await bot.get_my_commands(language_code=code)) != commands:
        await bot.set_my_commands(commands, language_code=code)
    description, short = descriptions(screens, language)
    if (await bot.get_my_description(language_code=code)).description != description:
        await bot.set_my_description(description, language_code=code)
    if (await bot.get_my_short_description(language_code=code)).short_description != short:
        await bot.set_my_short_description(short, language_code=code)


def descriptions(screens: Screens, language: str) -> tuple[str, str]:
    """Return what an empty chat and the bot's profile say."""
    messages = catalog(language)
    voice = Voice(screens.knowledge, State(language=language))
    games = ", ".join(voice.words({}).say(f"game.{game}") for game in screens.knowledge.games())
    short = messages.gettext("I referee at the card table: {games}.").format(games=games)
    telling = [short, messages.gettext("Tell me in your own words what happened.")]
    return voice.set(" ".join(telling))[:DESCRIPTION], voice.set(short)[:SHORT]
