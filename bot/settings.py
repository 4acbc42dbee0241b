"""The environment read once into frozen settings; a value that cannot be used is refused by name."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from bot.refusal import Refusal
from i18n.catalogs import spoken

TELEGRAM = "https://api.telegram.org"
LOG_LEVELS = ("debug", "info", "warning", "error")
STORES = ("sqlite+aiosqlite://", "postgresql+psycopg://")
_TOKEN = re.compile(r"[0-9]+:[A-Za-z0-9_-]+")
_SECRET = re.compile(r"[A-Za-z0-9_-]{1,256}")


@dataclass(frozen=True, slots=True)
class Settings:
    """How the bot runs. What is secret does not show in the repr.

    `language` is that of the operator's locale, or None where it is neither French nor Russian.
    """

    token: str | None = field(default=None, repr=False)
    api_url: str = TELEGRAM
    webhook_url: str | None = None
    webhook_listen: str = "127.0.0.1"
    webhook_port: int = 8443
    webhook_secret: str | None = field(default=None, repr=False)
    database_url: str = field(default="sqlite+aiosqlite://", repr=False)
    admins: frozenset[int] = frozenset()
    log_level: str = "info"
    language: str | None = None


def read_settings(environ: Mapping[str, str]) -> Settings:
    """Return the settings of an environment; raise Refusal for a value that cannot be used.

    An empty value counts as none.
    """
    given = {name: value.strip() for name, value in environ.items() if value.strip()}
    secret = given.get("ARBITRE_WEBHOOK_SECRET")
    if secret is not None and not _SECRET.fullmatch(secret):
        raise Refusal("ARBITRE_WEBHOOK_SECRET must be 1 to 256 letters, digits, «_» or «-».")
    webhook_url = _url(given, "ARBITRE_WEBHOOK_URL")
    if webhook_url is not None and secret is None:
        raise Refusal("ARBITRE_WEBHOOK_URL is set: ARBITRE_WEBHOOK_SECRET is needed as well.")
    return Settings(
        token=_token(given),
        api_url=_api_url(given),
        webhook_url=webhook_url,
        webhook_listen=given.get("ARBITRE_WEBHOOK_LISTEN", "127.0.0.1"),
        webhook_port=_port(given),
        webhook_secret=secret,
        database_url=_database(given),
        admins=_admins(given),
        log_level=_log_level(given),
        language=spoken(environ),
    )


def _token(given: Mapping[str, str]) -> str | None:
    token = given.get("TELEGRAM_BOT_TOKEN")
    if token is not None and not _TOKEN.fullmatch(token):
        raise Refusal("TELEGRAM_BOT_TOKEN is not a bot's token; @BotFather gives one like 123456:ABC-def.")
    return token


def _api_url(given: Mapping[str, str]) -> str:
    url = _url(given, "TELEGRAM_API_URL")
    if url is not None and url.endswith("/bot"):
        raise Refusal("TELEGRAM_API_URL is to be given without «/bot» at its end.")
    return url or TELEGRAM


def _url(given: Mapping[str, str], name: str) -> str | None:
    url = given.get(name)
    if url is None:
        return None
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable or re.search(r"\s", url):
        raise Refusal("{name} is not an http or https address: «{value}».", name=name, value=url)
    return url.rstrip("/")


def _port(given: Mapping[str, str]) -> int:
    port = given.get("ARBITRE_WEBHOOK_PORT", "8443")
    if not re.fullmatch(r"[0-9]{1,5}", port) or not 1 <= int(port) <= 65535:
        raise Refusal("ARBITRE_WEBHOOK_PORT must be a number from 1 to 65535, not «{value}».", value=port)
    return int(port)


def _database(given: Mapping[str, str]) -> str:
    url = given.get("ARBITRE_DATABASE_URL")
    if url is None:
        return f"sqlite+aiosqlite:///{(data_folder(given, sys.platform) / 'arbitre.sqlite').as_posix()}"
    if not url.startswith(STORES):
        raise Refusal("ARBITRE_DATABASE_URL must begin with {stores}.", stores=" / ".join(STORES))
    return url


def data_folder(environ: Mapping[str, str], platform: str) -> Path:
    """Return the folder where the user's programs keep their data; it need not exist yet."""
    if platform == "win32" and environ.get("LOCALAPPDATA"):
        return Path(environ["LOCALAPPDATA"]) / "arbitre"
    if platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "arbitre"
    folder = Path(environ.get("XDG_DATA_HOME", ""))
    return (folder if folder.is_absolute() else Path.home() / ".local" / "share") / "arbitre"


def _admins(given: Mapping[str, str]) -> frozenset[int]:
    words = [word.strip() for word in given.get("ARBITRE_ADMINS", "").split(",") if word.strip()]
    for word in words:
        if not re.fullmatch(r"[0-9]{1,19}", word):
            raise Refusal(
                "ARBITRE_ADMINS must list Telegram user ids (numbers) parted by commas; «{value}» is none.",
                value=word,
            )
    return frozenset(map(int, words))


def _log_level(given: Mapping[str, str]) -> str:
    level = given.get("ARBITRE_LOG_LEVEL", "info")
    if level.lower() not in LOG_LEVELS:
        raise Refusal(
            "ARBITRE_LOG_LEVEL must be one of {levels}, not «{value}».",
            levels=", ".join(LOG_LEVELS),
            value=level,
        )
    return level.lower()
