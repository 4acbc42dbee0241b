from __future__ import annotations

from pathlib import Path

import pytest

from bot.refusal import Refusal
from bot.settings import TELEGRAM, data_folder, read_settings

TOKEN = "123456:ABC-def_123"


def test_defaults() -> None:
    settings = read_settings({"HOME": "/home/x"})
    assert settings.token is None
    assert settings.api_url == TELEGRAM
    assert settings.webhook_url is None
    assert (settings.webhook_listen, settings.webhook_port) == ("127.0.0.1", 8443)
    assert settings.database_url.startswith("sqlite+aiosqlite:///")
    assert settings.admins == frozenset()
    assert settings.log_level == "info"
    assert settings.language is None


def test_all_that_can_be_set() -> None:
    settings = read_settings(
        {
            "TELEGRAM_BOT_TOKEN": f" {TOKEN}\n",
            "TELEGRAM_API_URL": "http://127.0.0.1:8081/",
            "ARBITRE_WEBHOOK_URL": "https://example.org/hook",
            "ARBITRE_WEBHOOK_LISTEN": "0.0.0.0",
            "ARBITRE_WEBHOOK_PORT": "80",
            "ARBITRE_WEBHOOK_SECRET": "s-e_cret",
            "ARBITRE_DATABASE_URL": "postgresql+psycopg://u:pw@h/db",
            "ARBITRE_ADMINS": "1, 22,",
            "ARBITRE_LOG_LEVEL": "DEBUG",
            "LC_ALL": "",
            "LANG": "ru_RU.UTF-8",
        }
    )
    assert settings.token == TOKEN
    assert settings.api_url == "http://127.0.0.1:8081"
    assert settings.webhook_port == 80
    assert settings.admins == {1, 22}
    assert settings.log_level == "debug"
    assert settings.language == "ru"
    for secret in (TOKEN, "s-e_cret", "pw"):
        assert secret not in repr(settings)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TELEGRAM_BOT_TOKEN", "secretword"),
        ("TELEGRAM_BOT_TOKEN", "12:sec ret"),
        ("TELEGRAM_API_URL", "ftp://x"),
        ("TELEGRAM_API_URL", "localhost:8081"),
        ("TELEGRAM_API_URL", "http://x:99999"),
        ("TELEGRAM_API_URL", "http://[x"),
        ("TELEGRAM_API_URL", "http://x/bot"),
        ("ARBITRE_WEBHOOK_URL", "x"),
        ("ARBITRE_WEBHOOK_URL", "https://example.org"),
        ("ARBITRE_WEBHOOK_PORT", "0"),
        ("ARBITRE_WEBHOOK_PORT", "65536"),
        ("ARBITRE_WEBHOOK_PORT", "٣"),
        ("ARBITRE_WEBHOOK_SECRET", "é"),
        ("ARBITRE_DATABASE_URL", "mysql://x"),
        ("ARBITRE_DATABASE_URL", "sqlite:///x"),
        ("ARBITRE_ADMINS", "1,@me"),
        ("ARBITRE_LOG_LEVEL", "loud"),
    ],
)
def test_an_unusable_value_is_refused_by_name(name: str, value: str) -> None:
    with pytest.raises(Refusal) as refused:
        read_settings({name: value})
    for language in (None, "fr", "ru"):
        sentence = refused.value.text(language)
        assert name in sentence
        assert "\n" not in sentence
        assert name != "TELEGRAM_BOT_TOKEN" or value not in sentence


def test_an_empty_value_is_none() -> None:
    assert read_settings({"TELEGRAM_BOT_TOKEN": " ", "ARBITRE_LOG_LEVEL": ""}).token is None


@pytest.mark.parametrize(
    ("environ", "language"),
    [
        ({"LC_ALL": "ru_RU.UTF-8", "LANG": "fr_FR"}, "ru"),
        ({"LANG": "fr"}, "fr"),
        ({"LC_ALL": "C", "LANG": "fr_FR.UTF-8"}, None),
        ({"LC_MESSAGES": "fr_CA.UTF-8"}, "fr"),
        ({"LANG": "en_GB.UTF-8"}, None),
    ],
)
def test_language_of_the_locale(environ: dict[str, str], language: str | None) -> None:
    assert read_settings(environ).language == language


def test_data_folder() -> None:
    assert data_folder({"XDG_DATA_HOME": "/data"}, "linux") == Path("/data/arbitre")
    assert data_folder({"XDG_DATA_HOME": "relative"}, "linux") == Path.home() / ".local/share/arbitre"
    assert data_folder({"LOCALAPPDATA": "/local"}, "win32") == Path("/local/arbitre")
