"""The HTTP requests of the bot, hardened: one update that cannot be read does not stop the rest."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from functools import cache
from http import HTTPStatus
from ssl import SSLContext
from typing import Any

from httpx import create_ssl_context
from telegram import Update
from telegram.error import NetworkError, TelegramError
from telegram.ext import ExtBot
from telegram.request import HTTPXRequest

CONNECTIONS = 16
_BREATH = 0.1
_log = logging.getLogger(__name__)


@cache
def certificates() -> SSLContext:
    """Return the authorities that servers are checked by; they take long to load, so once for all."""
    return create_ssl_context()


class Requests(HTTPXRequest):
    """Requests whose unreadable answers are not logged: they hold what players wrote."""

    def __init__(self, connections: int) -> None:
        super().__init__(connections, httpx_kwargs={"verify": certificates()})

    @staticmethod
    def parse_json_payload(payload: bytes) -> dict[str, Any]:
        """Return the answer of the Bot API; raise TelegramError where it is none."""
        try:
            answer = json.loads(payload.decode("utf-8", "replace"))
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise TelegramError("the server did not answer in JSON") from None
        return answer


class Polling(Requests):
    """The requests for updates; each that the library cannot read becomes an empty one of the same id.

    The library would ask for it again for ever, with everything behind it. `refused` is called where
    the server does not accept the token any more; the library would end its polling, and run on deaf.
    """

    def __init__(self, refused: Callable[[], None]) -> None:
        super().__init__(1)
        self.refused = refused

    async def do_request(self, *args: Any, **kwargs: Any) -> tuple[int, bytes]:
        """Send a request; where the token is not accepted, say so and give no updates until the end."""
        status, payload = await super().do_request(*args, **kwargs)
        if status not in (HTTPStatus.UNAUTHORIZED, HTTPStatus.NOT_FOUND):
            return status, payload
        self.refused()
        await asyncio.sleep(_BREATH)
        return HTTPStatus.OK, b'{"ok": true, "result": []}'

    @staticmethod
    def parse_json_payload(payload: bytes) -> dict[str, Any]:
        """Return the answer of the Bot API with every update in it readable."""
        answer = Requests.parse_json_payload(payload)
        updates = answer.get("result")
        if isinstance(updates, list):
            answer["result"] = [kept for update in updates if (kept := readable(update)) is not None]
        return answer


class Bot(ExtBot[None]):
    """The bot; what keeps it from starting is told, and not in silence tried again."""

    def __init__(self, token: str, api: str, polling: Polling, told: Callable[[Exception], None]) -> None:
        super().__init__(
            token,
            base_url=f"{api}/bot",
            base_file_url=f"{api}/file/bot",
            request=Requests(CONNECTIONS),
            get_updates_request=polling,
        )
        self._told = told

    async def initialize(self) -> None:
        """Ask the server who the bot is."""
        try:
            await super().initialize()
        except NetworkError as error:
            self._told(error)
            raise


def readable(update: Any) -> dict[str, Any] | None:
    """Return an update as it came, or empty where the library cannot read it; None where it has no id."""
    number = update.get("update_id") if isinstance(update, dict) else None
    if not isinstance(number, int):
        _log.warning("an update without an id was skipped")
        return None
    try:
        Update.de_json(dict(update), None)
    except Exception as error:
        _log.warning("update %d cannot be read (%s): skipped", number, type(error).__name__)
        return {"update_id": number}
    return dict(update)
