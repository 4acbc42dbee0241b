"""A stand-in of the Telegram Bot API on loopback, and players who write and tap.

Every request is checked: against `../shared/bot-api/api.json` where it is there (methods, parameters,
types), and against the limits that Telegram states in prose (lengths, buttons, HTML) in any case.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from aiohttp import web

SPEC = Path(__file__).parents[2] / "shared" / "bot-api" / "api.json"
TOKEN = "123456789:AAexampleTokenOfTheTests_0123456789-ab"
USERNAME = "arbitre_test_bot"
TAGS = {"b", "strong", "i", "em", "u", "ins", "s", "strike", "del", "code", "pre", "a", "blockquote"}
PATIENCE = 20.0


@dataclass(frozen=True)
class Fault:
    """What a method answers instead of doing its work; without a status the connection is dropped."""

    status: int | None = None
    description: str = ""
    parameters: dict[str, Any] = field(default_factory=dict)
    body: str | None = None
    does_it: bool = False


@dataclass(frozen=True)
class Shown:
    """A message that the bot sent or edited."""

    kind: str
    message: dict[str, Any]

    @property
    def text(self) -> str:
        return str(self.message["text"])

    @property
    def chat(self) -> int:
        return int(self.message["chat"]["id"])

    @property
    def buttons(self) -> list[dict[str, str]]:
        keyboard = self.message.get("reply_markup", {}).get("inline_keyboard", [])
        return [button for row in keyboard for button in row]

    @property
    def labels(self) -> list[str]:
        return [button["text"] for button in self.buttons]


class BotApi:
    """The server: updates in a queue, messages by chat, everything that was asked of it."""

    def __init__(self, port: int = 0) -> None:
        self.port = port
        self.spec = json.loads(SPEC.read_text("utf-8")) if SPEC.exists() else None
        self.url = ""
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.violations: list[str] = []
        self.faults: dict[str, deque[Fault]] = defaultdict(deque)
        self.shown: list[Shown] = []
        self.messages: dict[tuple[int, int], dict[str, Any]] = {}
        self.open_queries: set[str] = set()
        self.profile: dict[str, dict[str, Any]] = {"commands": {}, "description": {}, "short": {}}
        self.token = TOKEN
        self.offset = 0
        self._updates: list[dict[str, Any]] = []
        self._numbers = iter(range(1000, 10**9))
        self._changed = asyncio.Condition()
        self._runner: web.AppRunner | None = None

    async def __aenter__(self) -> BotApi:
        app = web.Application()
        app.router.add_route("*", "/bot{token}/{method}", self._serve)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self.port, reuse_address=True)
        await site.start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._runner is not None
        await self._runner.cleanup()

    # What the tests do -------------------------------------------------------------------------

    def number(self) -> int:
        return next(self._numbers)

    async def post(self, **content: Any) -> int:
        """Queue an update; return its id."""
        number = self.number()
        await self.post_raw({"update_id": number, **content})
        return number

    async def post_raw(self, update: Any) -> None:
        self._updates.append(update)
        await self.changed()

    async def changed(self) -> None:
        async with self._changed:
            self._changed.notify_all()

    async def until(self, holds: Callable[[], bool], what: str = "what was waited for") -> None:
        """Wait until something holds."""
        async with self._changed:
            try:
                async with asyncio.timeout(PATIENCE):
                    while not holds():
                        await self._changed.wait()
            except TimeoutError:
                raise AssertionError(f"{what} did not come; last calls: {self.calls[-5:]}") from None

    async def settled(self) -> None:
        """Wait until every update has been fetched and the bot asks for more."""
        last = max((u["update_id"] for u in self._updates if isinstance(u, dict)), default=0)
        await self.until(lambda: self.offset > last, "the confirmation of all updates")

    def calls_of(self, method: str) -> list[dict[str, Any]]:
        return [parameters for name, parameters in self.calls if name == method]

    # The server --------------------------------------------------------------------------------

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        method = request.match_info["method"]
        if request.match_info["token"] != self.token:
            return _refuse(401, "Unauthorized")
        parameters = dict(await request.post())
        self.calls.append((method, parameters))
        self.violations += self._faults_of(method, parameters)
        fault = self.faults[method].popleft() if self.faults[method] else None
        if fault is not None and not fault.does_it:
            await self.changed()
            return self._fail(request, fault)
        work = getattr(self, re.sub("([A-Z])", r"_\1", f"_{method}").lower(), None)
        if work is None:
            self.violations.append(f"{method}: the stand-in does not know it")
            return _refuse(404, "Not Found")
        try:
            result = await work(parameters)
        except RefusedError as refused:
            return _refuse(400, f"Bad Request: {refused}")
        finally:
            await self.changed()
        if fault is not None:
            return self._fail(request, fault)
        return web.json_response({"ok": True, "result": result})

    def _fail(self, request: web.Request, fault: Fault) -> web.StreamResponse:
        if fault.body is not None:
            return web.Response(text=fault.body, status=fault.status or 200)
        if fault.status is None:
            assert request.transport is not None
            request.transport.abort()
            return web.Response()
        return _refuse(fault.status, fault.description, fault.parameters)

    async def _get_me(self, _: dict[str, Any]) -> dict[str, Any]:
        return {"id": 1, "is_bot": True, "first_name": "Arbitre", "username": USERNAME}

    async def _delete_webhook(self, _: dict[str, Any]) -> bool:
        return True

    async def _get_updates(self, parameters: dict[str, Any]) -> list[Any]:
        if "allowed_updates" not in parameters:
            self.violations.append("getUpdates: without allowed_updates")
        self.offset = max(self.offset, int(parameters.get("offset", 0)))
        self._updates = [u for u in self._updates if u["update_id"] >= self.offset]
        await self.changed()
        end = time.monotonic() + int(parameters.get("timeout", 0))
        while not self._updates and (left := end - time.monotonic()) > 0:
            async with self._changed:
                try:
                    await asyncio.wait_for(self._changed.wait(), left)
                except TimeoutError:
                    break
        return list(self._updates[:100])

    async def _send_message(self, parameters: dict[str, Any]) -> dict[str, Any]:
        chat = int(parameters["chat_id"])
        message = self._message(chat, self.number(), parameters)
        reply = json.loads(parameters.get("reply_parameters", "{}"))
        if reply:
            replied = self.messages.get((chat, reply["message_id"]))
            if replied is None and not reply.get("allow_sending_without_reply"):
                raise RefusedError("message to be replied not found")
            if replied is not None:
                message["reply_to_message"] = {k: v for k, v in replied.items() if k != "reply_to_message"}
        self.messages[chat, message["message_id"]] = message
        self.shown.append(Shown("sent", dict(message)))
        return message

    async def _edit_message_text(self, parameters: dict[str, Any]) -> dict[str, Any]:
        key = int(parameters["chat_id"]), int(parameters["message_id"])
        if key not in self.messages:
            raise RefusedError("message to edit not found")
        old = self.messages[key]
        message = self._message(*key, parameters)
        same = ("text", "html", "reply_markup")
        if all(old.get(name) == message.get(name) for name in same):
            raise RefusedError("message is not modified: specified new message content is the same")
        message["reply_to_message"] = old.get("reply_to_message")
        self.messages[key] = {k: v for k, v in message.items() if v is not None}
        self.shown.append(Shown("edited", dict(self.messages[key])))
        return self.messages[key]

    async def _answer_callback_query(self, parameters: dict[str, Any]) -> bool:
        if parameters["callback_query_id"] not in self.open_queries:
            raise RefusedError("query is too old and response timeout expired or query ID is invalid")
        self.open_queries.discard(parameters["callback_query_id"])
        return True

    async def _get_my_commands(self, parameters: dict[str, Any]) -> Any:
        return self.profile["commands"].get(parameters.get("language_code", ""), [])

    async def _set_my_commands(self, parameters: dict[str, Any]) -> bool:
        self.profile["commands"][parameters.get("language_code", "")] = json.loads(parameters["commands"])
        return True

    async def _get_my_description(self, parameters: dict[str, Any]) -> Any:
        return {"description": self.profile["description"].get(parameters.get("language_code", ""), "")}

    async def _set_my_description(self, parameters: dict[str, Any]) -> bool:
        self.profile["description"][parameters.get("language_code", "")] = parameters["description"]
        return True

    async def _get_my_short_description(self, parameters: dict[str, Any]) -> Any:
        return {"short_description": self.profile["short"].get(parameters.get("language_code", ""), "")}

    async def _set_my_short_description(self, parameters: dict[str, Any]) -> bool:
        self.profile["short"][parameters.get("language_code", "")] = parameters["short_description"]
        return True

    def _message(self, chat: int, number: int, parameters: dict[str, Any]) -> dict[str, Any]:
        message = {
            "message_id": number,
            "date": int(time.time()),
            "chat": {"id": chat, "type": "private" if chat > 0 else "group", "title": "t"},
            "from": {"id": 1, "is_bot": True, "first_name": "Arbitre", "username": USERNAME},
            "text": plain(parameters["text"])[0],
            "html": parameters["text"],
        }
        if "reply_markup" in parameters:
            message["reply_markup"] = json.loads(parameters["reply_markup"])
        return message

    # The checks --------------------------------------------------------------------------------

    def _faults_of(self, method: str, parameters: dict[str, Any]) -> Iterator[str]:
        for fault in [*self._spec_faults(method, parameters), *_limit_faults(method, parameters)]:
            yield f"{method}: {fault}"

    def _spec_faults(self, method: str, parameters: dict[str, Any]) -> Iterator[str]:
        if self.spec is None:
            return
        described = self.spec["methods"].get(method)
        if described is None:
            yield "unknown method"
            return
        fields = {one["name"]: one for one in described.get("fields", [])}
        yield from (
            f"{name} is missing" for name, one in fields.items() if one["required"] > (name in parameters)
        )
        for name, text in parameters.items():
            if name not in fields:
                yield f"unknown parameter {name}"
            elif not any(self._fits(_decoded(kind, text), kind) for kind in fields[name]["types"]):
                yield f"{name} is no {fields[name]['types']}: {text!r}"

    def _fits(self, value: Any, kind: str) -> bool:
        """Whether a decoded value is of a type of the Bot API."""
        assert self.spec is not None
        if kind.startswith("Array of "):
            return isinstance(value, list) and all(self._fits(one, kind[9:]) for one in value)
        simple = {"Integer": int, "String": str, "Boolean": bool, "Float": (int, float)}
        if kind in simple:
            return isinstance(value, simple[kind])  # type: ignore[arg-type]
        described = self.spec["types"][kind]
        if described.get("subtypes"):
            return any(self._fits(value, one) for one in described["subtypes"])
        fields = {one["name"]: one for one in described.get("fields", [])}
        if not isinstance(value, dict) or not value.keys() <= fields.keys():
            return False
        return all(
            any(self._fits(value[name], one) for one in each["types"])
            if name in value
            else not each["required"]
            for name, each in fields.items()
        )


class RefusedError(Exception):
    """A request that Telegram would refuse with 400."""


def _refuse(status: int, description: str, parameters: dict[str, Any] | None = None) -> web.Response:
    body: dict[str, Any] = {"ok": False, "error_code": status, "description": description}
    return web.json_response({**body, "parameters": parameters} if parameters else body, status=status)


def _decoded(kind: str, text: str) -> Any:
    if kind == "String":
        return text
    try:
        return json.loads(text)
    except ValueError:
        return None


def _limit_faults(method: str, parameters: dict[str, Any]) -> Iterator[str]:
    if method in ("sendMessage", "editMessageText"):
        yield from _text_faults(parameters)
    keyboard = json.loads(parameters.get("reply_markup", "{}")).get("inline_keyboard", [])
    yield from _keyboard_faults(keyboard)
    commands = json.loads(parameters.get("commands", "[]"))
    if len(commands) > 100 or (method == "setMyCommands" and not commands):
        yield f"{len(commands)} commands"
    for command in commands:
        name, told = command["command"], command["description"]
        if not re.fullmatch("[a-z0-9_]{1,32}", name) or not 1 <= len(told) <= 256:
            yield f"a command {command}"
    if len(parameters.get("description", "")) > 512 or len(parameters.get("short_description", "")) > 120:
        yield "a description that is too long"


def _text_faults(parameters: dict[str, Any]) -> Iterator[str]:
    text, faults = plain(parameters["text"])
    yield from faults
    if not 1 <= units(text.strip()) <= 4096:
        yield f"a text of {units(text)} units"
    if parameters.get("parse_mode") != "HTML":
        yield "no HTML"


def _keyboard_faults(keyboard: list[list[dict[str, str]]]) -> Iterator[str]:
    if sum(map(len, keyboard)) > 100:
        yield "more than 100 buttons"
    for row in keyboard:
        if not 1 <= len(row) <= 8:
            yield f"a row of {len(row)} buttons"
        for button in row:
            if set(button) != {"text", "callback_data"} or not button["text"].strip():
                yield f"a button without one action: {button}"
                continue
            data = button["callback_data"]
            if not 1 <= len(data.encode()) <= 64 or not data.isascii():
                yield f"callback_data: {data}"


class _Html(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.text, self.open, self.faults = "", [], []  # type: ignore[var-annotated]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in TAGS:
            self.faults.append(f"tag <{tag}>")
        if attrs and tag != "a":
            self.faults.append(f"attributes of <{tag}>")
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> closes nothing")

    def handle_data(self, data: str) -> None:
        self.text += data


def plain(html: str) -> tuple[str, list[str]]:
    """Return the text of Telegram's HTML, and what is wrong with it."""
    parser = _Html()
    parser.feed(html)
    parser.close()
    return parser.text, parser.faults + [f"<{tag}> is not closed" for tag in parser.open]


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


class Player:
    """Somebody with a telephone, in a private chat with the bot."""

    def __init__(self, api: BotApi, number: int, language: str | None = "fr") -> None:
        self.api = api
        self.user = {"id": number, "is_bot": False, "first_name": "Зоя & <b>Léo</b>"}
        if language:
            self.user["language_code"] = language
        self.chat: dict[str, Any] = {"id": number, "type": "private", "first_name": "Léo"}
        self.seen = 0

    def message(self, **content: Any) -> dict[str, Any]:
        base = {
            "message_id": self.api.number(),
            "date": int(time.time()),
            "chat": self.chat,
            "from": self.user,
        }
        text = content.get("text", "")
        if text.startswith("/"):
            length = len(text.split()[0])
            content["entities"] = [{"type": "bot_command", "offset": 0, "length": length}]
        message = {**base, **content}
        self.api.messages[self.chat["id"], message["message_id"]] = message
        return message

    async def write(self, text: str = "", **content: Any) -> dict[str, Any]:
        """Write something, and wait for nothing."""
        message = self.message(**({"text": text} if text else {}), **content)
        await self.api.post(message=message)
        return message

    async def say(self, text: str = "", **content: Any) -> Shown:
        """Write something; return what the bot shows then."""
        await self.write(text, **content)
        return await self.next()

    async def edit(self, message: dict[str, Any], text: str) -> None:
        edited = {**message, "text": text, "edit_date": int(time.time())}
        self.api.messages[self.chat["id"], message["message_id"]] = edited
        await self.api.post(edited_message=edited)

    async def press(self, shown: Shown, data: str, *, old: bool = False, **content: Any) -> str:
        """Press a button by its data, and wait for nothing; return the query's id."""
        query = str(self.api.number())
        if not old:
            self.api.open_queries.add(query)
        message = self.api.messages.get((shown.chat, shown.message["message_id"]), shown.message)
        message = {k: v for k, v in message.items() if k != "html"}
        body = {"id": query, "from": self.user, "chat_instance": "1", "data": data, "message": message}
        await self.api.post(callback_query={**body, **content})
        return query

    async def tap(self, shown: Shown, label: str, *, old: bool = False) -> Shown:
        """Tap the button with this label; return what the bot shows then."""
        await self.press(shown, self.data(shown, label), old=old)
        return await self.next()

    @staticmethod
    def data(shown: Shown, label: str) -> str:
        fitting = [b["callback_data"] for b in shown.buttons if b["text"].removeprefix("✎ ") == label]
        fitting = fitting or [b["callback_data"] for b in shown.buttons if label in b["text"]]
        assert fitting, f"no button «{label}» among {shown.labels} under {shown.text}"
        return fitting[0]

    async def next(self) -> Shown:
        """Return the next thing that the bot shows in this chat."""

        def mine() -> list[Shown]:
            return [shown for shown in self.api.shown if shown.chat == self.chat["id"]]

        await self.api.until(lambda: len(mine()) > self.seen, "an answer")
        self.seen += 1
        return mine()[self.seen - 1]

    def silent(self) -> bool:
        """Whether the bot has shown nothing more in this chat."""
        return len([s for s in self.api.shown if s.chat == self.chat["id"]]) == self.seen
