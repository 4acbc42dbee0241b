"""The bot in a process of its own: restarts, signals, a server that is away, and what the log holds."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from tests.bot_api import TOKEN, BotApi, Fault, Player
from tests.telegram.conftest import Process
from tests.telegram.test_dialogue import WAY, label, question, said, walk

ASKED = "oublier de fournir au tarot"
SECRETS = (
    ASKED,
    "в таро сбросил имея масть",
    "le voisin Dupont a triché",
    "Léo",
    "Зоя",
    TOKEN,
    TOKEN.split(":")[1],
)


@pytest_asyncio.fixture
async def process(api: BotApi, tmp_path: Path) -> AsyncIterator[Process]:
    bot = Process(api, tmp_path)
    yield bot
    if bot.process is not None:
        await bot.stop(signal.SIGKILL)


async def test_a_button_works_in_a_new_process_with_an_empty_store(
    api: BotApi, process: Process, tmp_path: Path
) -> None:
    player = Player(api, 1)
    await process.start()
    first = await player.say(ASKED)
    assert await process.stop(signal.SIGKILL) == -signal.SIGKILL
    for file in tmp_path.glob("store.sqlite*"):
        file.unlink()
    await player.press(first, player.data(first, label("format", "libre", "fr")))
    await process.start()
    second = await player.next()
    assert second.message["message_id"] == first.message["message_id"]
    assert question("completed", "fr") in second.text
    ruling = await walk(player, second, "fr")
    assert label("contract", WAY["contract"], "fr").lower() in ruling.text.lower()
    # and what the buttons do not carry, the question, is read from the message replied to
    assert said("What is it about?", "fr") in (await player.tap(ruling, said("Not this", "fr"))).text
    assert await process.stop(signal.SIGTERM) == 0


async def test_the_log_of_a_bad_session_holds_no_token_and_no_words(api: BotApi, process: Process) -> None:
    french, russian = Player(api, 1), Player(api, 2, "ru")
    api.faults["getMyCommands"].append(Fault(400, f"Bad Request: {TOKEN}"))
    api.faults["getUpdates"].append(Fault(409, "Conflict: terminated by other getUpdates request"))
    await process.start()
    broken = french.message(text=SECRETS[2])
    del broken["date"]
    await api.post(message=broken)
    shown = await french.say(ASKED)
    api.faults["sendMessage"].append(Fault(400, f"Bad Request: can't parse «{SECRETS[2]}» {TOKEN}"))
    await french.say(SECRETS[2])
    api.faults["sendMessage"].append(Fault(429, "Too Many Requests", {"retry_after": 1}))
    await russian.say(SECRETS[1])
    for fault in (Fault(), Fault(403, "Forbidden"), Fault(500, SECRETS[2]), Fault(body=f"no JSON {ASKED}")):
        api.faults["sendMessage"].append(fault)
        sent = len(api.calls_of("sendMessage"))
        await russian.write(SECRETS[1])
        await api.until(lambda sent=sent: len(api.calls_of("sendMessage")) > sent)
    api.faults["answerCallbackQuery"].append(Fault(400, f"Bad Request: {TOKEN}"))
    await french.press(shown, french.data(shown, "Triplettes"))
    await french.next()
    api.faults["getUpdates"].append(Fault(body=f"no JSON {ASKED}"))
    await french.say("/help")
    assert await process.stop(signal.SIGTERM) == 0
    log = process.logged()
    assert "polling as" in log
    assert "cannot be read" in log
    assert "another program polls" in log
    assert "BadRequest" in log
    assert not [secret for secret in SECRETS if secret in log]


async def test_a_signal_ends_it_well_even_in_a_pause(api: BotApi, process: Process) -> None:
    await process.start()
    await Player(api, 1).say("/help")
    api.faults["sendMessage"].append(Fault(429, "Too Many Requests", {"retry_after": 50}))
    await Player(api, 2).write(ASKED)
    await api.until(lambda: len(api.calls_of("sendMessage")) == 2)
    assert await process.stop(signal.SIGINT) == 0
    assert "Traceback" not in process.logged()


async def test_it_waits_for_a_server_that_is_away(process: Process) -> None:
    api = BotApi()
    async with api:
        port = int(api.url.rpartition(":")[2])
    process.environ["TELEGRAM_API_URL"] = f"http://127.0.0.1:{port}"
    await process.start()
    await process.logs("is not reached")
    api = BotApi(port)
    async with api:
        assert said("How I work", "fr") in (await Player(api, 1).say("/help")).text
        assert await process.stop(signal.SIGTERM) == 0
    assert "Traceback" not in process.logged()


async def test_a_signal_ends_the_wait_for_a_server(process: Process) -> None:
    process.environ["TELEGRAM_API_URL"] = "http://127.0.0.1:9"
    await process.start()
    await process.logs("is not reached")
    assert await process.stop(signal.SIGTERM) == 0
    assert "Traceback" not in process.logged()


async def test_a_token_that_is_not_accepted_is_one_sentence(api: BotApi, process: Process) -> None:
    api.token = "1:other"
    await process.start()
    assert process.process is not None
    assert await asyncio.wait_for(process.process.wait(), 20) == 2
    assert len(process.logged().splitlines()) == 1
    assert "TELEGRAM_BOT_TOKEN" in process.logged()


async def test_a_token_that_is_withdrawn_ends_it(api: BotApi, process: Process) -> None:
    await process.start()
    await Player(api, 1).say("/help")
    api.token = "1:other"
    await api.changed()
    await api.post(message={})
    assert process.process is not None
    assert await asyncio.wait_for(process.process.wait(), 20) == 2
    assert "TELEGRAM_BOT_TOKEN" in process.logged().splitlines()[-1]
