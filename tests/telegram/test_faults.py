"""What goes wrong on the way: Telegram's refusals, the network, the database, our own bugs."""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.buttons import LONGEST
from bot.cli import conversation
from bot.telegram.lanes import AT_WORK
from bot.telegram.service import Service
from knowledge.model import LANGUAGES
from tests.bot_api import TOKEN, BotApi, Fault, Player
from tests.telegram.conftest import running, settings
from tests.telegram.test_dialogue import ENTRY, PHRASES, label, question, said

TROUBLE = "Something went wrong on my side. Please try again."
ASKED = "oublier de fournir au tarot"


async def test_an_unreadable_update_does_not_stop_the_rest(
    api: BotApi, service: Service, caplog: pytest.LogCaptureFixture
) -> None:
    player = Player(api, 1)
    secret = "mot de passe du joueur"
    broken = player.message(text=secret)
    del broken["date"]
    number = await api.post(message=broken)
    await api.post(message="this is no message", edited_message=5)
    assert question("format", "fr") in (await player.say(ASKED)).text
    await api.post(callback_query={"id": 1})
    assert said("How I work", "fr") in (await player.say("/help")).text
    assert f"update {number} cannot be read" in caplog.text
    assert secret not in caplog.text
    assert service.application.running


async def test_a_pause_that_telegram_wants_holds_one_chat_only(api: BotApi, service: Service) -> None:
    slow, quick = Player(api, 1), Player(api, 2)
    api.faults["sendMessage"].append(Fault(429, "Too Many Requests: retry after 1", {"retry_after": 1}))
    start = time.monotonic()
    await slow.write(ASKED)
    await api.until(lambda: len(api.calls_of("sendMessage")) == 1)
    await slow.write("/help")
    await quick.say(ASKED)
    assert time.monotonic() - start < 0.9
    assert slow.silent()
    assert question("format", "fr") in (await slow.next()).text
    assert said("How I work", "fr") in (await slow.next()).text  # in order
    assert time.monotonic() - start >= 1
    async with asyncio.timeout(2):
        while service.lanes._places._value != AT_WORK:
            await asyncio.sleep(0.01)


@pytest.mark.usefixtures("service")
async def test_a_second_refusal_is_not_tried_again(api: BotApi) -> None:
    player = Player(api, 1)
    for _ in range(2):
        api.faults["sendMessage"].append(Fault(429, "Too Many Requests", {"retry_after": 1}))
    await player.write(ASKED)
    await api.until(lambda: len(api.calls_of("sendMessage")) == 2)
    await player.say("/help")
    assert len(api.calls_of("sendMessage")) == 3
    api.faults["sendMessage"].append(Fault(429, "Too Many Requests", {"retry_after": 3600}))
    await player.write(ASKED)
    assert said("How I work", "fr") in (await player.say("/help")).text


@pytest.mark.parametrize(
    "fault",
    [
        Fault(403, "Forbidden: bot was blocked by the user"),
        Fault(),
        Fault(does_it=True),
        Fault(502, "Bad Gateway"),
        Fault(body="<html>no JSON"),
    ],
    ids=["blocked", "dropped", "sent and dropped", "bad gateway", "no JSON"],
)
async def test_a_message_that_did_not_go_is_not_sent_again(
    api: BotApi, service: Service, fault: Fault, caplog: pytest.LogCaptureFixture
) -> None:
    player = Player(api, 1)
    api.faults["sendMessage"].append(fault)
    await player.write(ASKED)
    await api.settled()
    await player.write("/help")
    await api.until(lambda: len(api.calls_of("sendMessage")) == 2)
    assert said("How I work", "fr") in api.shown[-1].text
    assert len(api.shown) == 1 + fault.does_it
    assert ASKED not in caplog.text
    assert not [r for r in caplog.records if r.levelno >= logging.ERROR]
    assert service.application.running


async def test_a_bug_gets_one_sentence_and_no_words_in_the_log(
    api: BotApi, service: Service, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> None:
        raise KeyError(f"{ASKED} {TOKEN}")

    player = Player(api, 1, "ru")
    with monkeypatch.context() as patch:
        patch.setattr(service.handlers.conversation, "advance", broken)
        assert (await player.say(ASKED)).text == said(TROUBLE, "ru")
    assert "KeyError" in caplog.text
    assert "test_faults.py" in caplog.text
    assert ASKED not in caplog.text
    assert TOKEN not in caplog.text
    assert question("format", "fr") in (await player.say(ASKED)).text


async def test_a_refused_message_gets_one_sentence(api: BotApi, service: Service) -> None:
    player = Player(api, 1)
    api.faults["sendMessage"].append(Fault(400, "Bad Request: can't parse entities"))
    assert (await player.say(ASKED)).text == said(TROUBLE, "fr")
    for _ in range(2):
        api.faults["sendMessage"].append(Fault(400, "Bad Request: can't parse entities"))
    await player.write(ASKED)
    assert said("How I work", "fr") in (await player.say("/help")).text
    assert service.application.running


async def test_polling_goes_on_after_a_conflict(
    api: BotApi, service: Service, caplog: pytest.LogCaptureFixture
) -> None:
    player = Player(api, 1)
    api.faults["getUpdates"].append(Fault(409, "Conflict: terminated by other getUpdates request"))
    assert question("format", "fr") in (await player.say(ASKED)).text
    lines = [record.getMessage() for record in caplog.records if "Conflict" in record.getMessage()]
    assert len(lines) == 1
    assert "\n" not in lines[0]
    assert service.application.running


@pytest.mark.usefixtures("service")
async def test_late_taps_and_deleted_messages(api: BotApi) -> None:
    player = Player(api, 1)
    first = await player.say(ASKED)
    assert question("completed", "fr") in (await player.tap(first, "Donnes libres", old=True)).text
    del api.messages[1, first.message["message_id"]]
    again = await player.tap(first, "Triplettes")
    assert again.kind == "sent"
    assert "Triplettes" in again.text
    # too old to be seen: Telegram gives the message without its content
    gone = {"chat": first.message["chat"], "message_id": first.message["message_id"], "date": 0}
    await player.press(first, player.data(first, "Quadrettes"), message=gone)
    assert "Quadrettes" in (await player.next()).text
    await player.press(first, "x", message=None)
    await player.say("/help")
    assert player.silent()


@pytest.mark.usefixtures("service")
async def test_a_stale_button_puts_the_question_again(api: BotApi) -> None:
    player = Player(api, 1)
    first = await player.say(ASKED)
    data = player.data(first, "Donnes libres")
    note = said("What I know has changed since then; here it is afresh.", "fr")
    for stale in (f"{data[:7]}zzz{data[10:]}", f"0{data[1:]}", "1fr.zzzzzz.....B", "nonsense", "é" * 32):
        await player.press(first, stale)
        shown = await player.next()
        assert note in shown.text
        assert question("format", "fr") in shown.text
        await player.tap(shown, "Triplettes")
        await player.tap(await player.say("/format"), said("Ask me each time", "fr"))
    opened = await player.say("/start tarot_revoke")
    data = player.data(opened, "Donnes libres")
    await player.press(opened, f"{data[:7]}zzz{data[10:]}")
    assert note in (await player.next()).text
    await player.press(opened, "nonsense")
    lost = "This button is out of date. Please type your question again."
    assert (await player.next()).text == said(lost, "fr")
    for odd in (
        "1fr......Slanguage=de",
        "1fr......Sno=such",
        "1fr......Sgame=all",
        "1fr......Sgame",
        "1fr......Z",
        "1fr......",
    ):
        await player.press(opened, odd)
        await player.say("/help")
    assert len(odd) <= LONGEST


@pytest.mark.usefixtures("service")
async def test_a_group_that_moved_meanwhile_is_followed(api: BotApi) -> None:
    player = Player(api, 1)
    player.chat = {"id": -5, "type": "group", "title": "Club"}
    moved = {"migrate_to_chat_id": -1005}
    api.faults["sendMessage"].append(Fault(400, "Bad Request: group chat was upgraded", moved))
    await player.write("/help@arbitre_test_bot")
    await api.until(lambda: bool(api.shown))
    assert api.shown[0].chat == -1005


async def test_commands_and_descriptions_are_set_once(api: BotApi, tmp_path: Path) -> None:
    api.faults["getMyDescription"].append(Fault(500, "Internal Server Error"))
    async with running(settings(api, tmp_path)):
        await api.until(lambda: bool(api.profile["short"].get("ru")))
        assert api.profile["commands"][""]
        assert not api.profile["description"].get("")  # the fault: French went no further
    async with running(settings(api, tmp_path)):
        await api.until(lambda: "" in api.profile["short"])
    calls = len(api.calls)
    async with running(settings(api, tmp_path)) as service:
        await api.until(lambda: len(api.calls_of("getMyShortDescription")) >= 2 * len(LANGUAGES))
        assert service._profile is not None
        await service._profile
    assert not [name for name, _ in api.calls[calls:] if name.startswith("set")]
    assert {c["command"] for c in api.profile["commands"]["ru"]} >= {"help", "language", "game", "format"}


@pytest.mark.parametrize(
    "url", ["postgresql+psycopg://nobody@127.0.0.1:9/none", "sqlite+aiosqlite:////dev/null/x"]
)
async def test_a_dead_database_does_not_stop_answers(
    api: BotApi, url: str, caplog: pytest.LogCaptureFixture
) -> None:
    player = Player(api, 1)
    async with running(replace(settings(api, Path()), database_url=url)):
        shown = await player.say(PHRASES["fr"])
        for fact, value in (("format", "libre"), ("completed", "yes"), ("offender", "defence")):
            shown = await player.tap(shown, label(fact, value, "fr"))
        assert question("contract", "fr") in shown.text
        await player.tap(await player.say("/language"), "Русский")
    warned = [record for record in caplog.records if "database" in record.getMessage()]
    assert len(warned) == 1
    assert conversation().knowledge.entries[ENTRY]
