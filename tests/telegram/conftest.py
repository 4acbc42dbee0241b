"""A bot in this process over real HTTP to the stand-in, and a bot in a process of its own."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest_asyncio

from bot.cli import conversation
from bot.settings import Settings
from bot.telegram.service import ALLOWED_UPDATES, Service
from tests.bot_api import TOKEN, BotApi

ROOT = Path(__file__).parents[2]


@pytest_asyncio.fixture
async def api() -> AsyncIterator[BotApi]:
    """The stand-in; at the end, every request must have been one that Telegram takes."""
    async with BotApi() as server:
        yield server
        assert not server.violations


@asynccontextmanager
async def running(settings: Settings) -> AsyncIterator[Service]:
    """A bot in this process, polling."""
    service = Service(settings, conversation())
    application = service.application
    await application.initialize()
    await service.begin(application)
    assert application.updater is not None
    await application.updater.start_polling(
        bootstrap_retries=-1, allowed_updates=ALLOWED_UPDATES, error_callback=service.tell_once
    )
    await application.start()
    try:
        yield service
    finally:
        await application.updater.stop()
        await application.stop()
        await application.shutdown()
        await service.end(application)


def settings(api: BotApi, folder: Path) -> Settings:
    return Settings(token=TOKEN, api_url=api.url, database_url=f"sqlite+aiosqlite:///{folder}/store.sqlite")


@pytest_asyncio.fixture
async def service(api: BotApi, tmp_path: Path) -> AsyncIterator[Service]:
    async with running(settings(api, tmp_path)) as bot:
        yield bot


class Process:
    """The bot as an operator runs it."""

    def __init__(self, api: BotApi, folder: Path, level: str = "debug") -> None:
        self.log = folder / "log"
        self.environ = {
            **os.environ,
            "TELEGRAM_BOT_TOKEN": TOKEN,
            "TELEGRAM_API_URL": api.url,
            "ARBITRE_DATABASE_URL": f"sqlite+aiosqlite:///{folder}/store.sqlite",
            "ARBITRE_LOG_LEVEL": level,
        }
        self.process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        with self.log.open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "bot", "telegram", cwd=ROOT, env=self.environ, stdout=log, stderr=log
            )

    async def stop(self, how: signal.Signals) -> int:
        assert self.process is not None
        if self.process.returncode is None:
            self.process.send_signal(how)
        return await asyncio.wait_for(self.process.wait(), 20)

    async def logs(self, text: str) -> None:
        """Wait until the log says something."""
        async with asyncio.timeout(20):
            while text not in self.logged():
                await asyncio.sleep(0.02)

    def logged(self) -> str:
        return self.log.read_text("utf-8")
