"""Who is served when: a lane for each chat, kept in order, and a few lanes at work at once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from time import monotonic
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from telegram import Update
from telegram.error import RetryAfter
from telegram.ext import BaseUpdateProcessor

AT_WORK = 6
"""Updates handled at once; more are slower on one core."""
QUEUED = 256
"""Updates taken from the queue at once; they wait for their lane or for a place."""
LONGEST_WAIT = 60.0
"""Seconds that a chat waits at Telegram's demand; a longer wait is given up."""
_STEP = 0.25

_T = TypeVar("_T")


class Lanes(BaseUpdateProcessor):
    """Handles the updates of one chat one after the other, those of different chats side by side."""

    def __init__(self) -> None:
        super().__init__(QUEUED)
        self.running: Callable[[], bool] = lambda: True
        self._places = asyncio.Semaphore(AT_WORK)
        self._lanes: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    async def do_process_update(self, update: object, coroutine: Awaitable[Any]) -> None:
        """Handle an update when its lane and a place are free."""
        chat = update.effective_chat if isinstance(update, Update) else None
        user = update.effective_user if isinstance(update, Update) else None
        number = chat.id if chat else user.id if user else 0
        lane = self._lanes.get(number) or self._lanes.setdefault(number, asyncio.Lock())
        async with lane, self._places:
            await coroutine

    async def patiently(self, call: Callable[[], Awaitable[_T]]) -> _T:
        """Call; where Telegram wants a pause, make it in this lane alone and call once again."""
        try:
            return await call()
        except RetryAfter as error:
            wait = error.retry_after
            if not await self._pause(wait.total_seconds() if isinstance(wait, timedelta) else wait):
                raise
        return await call()

    async def _pause(self, seconds: float) -> bool:
        """Wait without taking a place; return False where it is too long, or the bot is stopping."""
        if seconds > LONGEST_WAIT:
            return False
        end = monotonic() + seconds
        self._places.release()
        try:
            while self.running() and (left := end - monotonic()) > 0:
                await asyncio.sleep(min(_STEP, left))
        finally:
            await self._places.acquire()
        return self.running()

    async def initialize(self) -> None:
        """Nothing to set up."""

    async def shutdown(self) -> None:
        """Nothing to let go."""
