"""Players talk to the bot over real HTTP: questions, follow-ups, changes, settings, in both languages."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest
import pytest_asyncio

from bot.cli import conversation
from bot.conversation import Ask, Preferences, State, Turn
from bot.telegram.service import Service
from i18n.catalogs import catalog
from i18n.formatting import typeset
from knowledge.model import Entry
from tests.bot_api import BotApi, Player, Shown
from tests.telegram.conftest import running, settings

pytestmark = [pytest.mark.usefixtures("service"), pytest.mark.asyncio(loop_scope="module")]
ENTRY = "tarot/revoke"
WAY = {"format": "libre", "completed": "yes", "offender": "defence", "contract": "made"}
PHRASES = {"fr": "oublier de fournir au tarot", "ru": "в таро сбросил имея масть"}
REPLIES = {
    "fr": ("donnes libres", "oui", "un défenseur", "contrat réussi"),
    "ru": ("свободные сдачи", "да", "защитник", "контракт сделан"),
}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def api() -> AsyncIterator[BotApi]:
    async with BotApi() as server:
        yield server
        assert not server.violations


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def service(api: BotApi, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Service]:
    """One bot for all the dialogues, as it serves all players."""
    async with running(settings(api, tmp_path_factory.mktemp("store"))) as bot:
        yield bot


def entry(name: str = ENTRY) -> Entry:
    return conversation().knowledge.entries[name]


def label(fact: str, value: str, language: str, name: str = ENTRY) -> str:
    found = entry(name).fact(fact)
    assert found is not None
    return typeset(found.value(value).label[language], language)


def question(fact: str, language: str, name: str = ENTRY) -> str:
    found = entry(name).fact(fact)
    assert found is not None
    return typeset(found.question[language], language)


def said(text: str, language: str) -> str:
    return typeset(catalog(language).gettext(text), language)


async def walk(player: Player, shown: Shown, language: str) -> Shown:
    """Tap the answers of the way to the ruling, whatever is asked."""
    for fact, value in WAY.items():
        if question(fact, language) in shown.text:
            shown = await player.tap(shown, label(fact, value, language))
    return shown


@pytest.mark.parametrize("language", ["fr", "ru"])
async def test_question_to_ruling_to_changes(api: BotApi, language: str) -> None:
    player = Player(api, api.number(), language)
    asked = await player.write(PHRASES[language])
    first = await player.next()
    assert first.kind == "sent"
    assert first.message["reply_to_message"]["message_id"] == asked["message_id"]
    assert question("format", language) in first.text
    assert len(first.buttons) == 6  # five formats and «I don't know»

    ruling = await walk(player, first, language)
    assert ruling.kind == "edited"
    assert ruling.message["message_id"] == first.message["message_id"]
    assert "<b>" in ruling.message["html"]
    assert "<i>— FFT, donnes libres" in ruling.message["html"]
    assert "FFT, donnes libres" in ruling.text
    assert label("format", "libre", language) in ruling.text.splitlines()[0]

    reopened = await player.tap(ruling, label("contract", "made", language))
    assert question("contract", language) in reopened.text
    other = await player.tap(reopened, label("contract", "failed", language))
    assert other.text != ruling.text
    assert label("contract", "failed", language).lower() in other.text.lower()

    triplets = await player.tap(other, f"→ {label('format', 'triplettes', language)}")
    assert label("format", "triplettes", language) in triplets.text.splitlines()[0]

    others = await player.tap(triplets, said("Not this", language))
    assert said("What is it about?", language) in others.text
    assert said("None of these", language) in others.labels[-1]
    assert other.text.splitlines()[0].rpartition(" · ")[0] not in others.labels
    picked = await player.tap(others, others.labels[0])
    assert picked.text.startswith(others.labels[0])

    again = await player.say(PHRASES[language])
    assert again.kind == "sent"
    # the format is known by now: it was answered once
    assert question("format", language) not in again.text
    assert label("format", "triplettes", language) in again.text


@pytest.mark.parametrize("language", ["fr", "ru"])
async def test_answers_may_be_typed(api: BotApi, service: Service, language: str) -> None:
    player = Player(api, api.number(), language)
    asked = await player.write(PHRASES[language])
    shown = await player.next()
    for reply in REPLIES[language]:
        shown = await player.say(reply)
        assert shown.kind == "sent"
        assert shown.message["reply_to_message"]["message_id"] == asked["message_id"]
    expected = conversation().open(ENTRY, WAY, Preferences(language=language))
    assert service.screens.answers.answer(expected).lines[1].text in shown.text
    # the buttons under it know the question, which only the replied-to message holds
    assert said("What is it about?", language) in (await player.tap(shown, said("Not this", language))).text


async def test_what_is_no_reply_is_a_new_question(api: BotApi) -> None:
    player = Player(api, api.number())
    await player.say(PHRASES["fr"])
    asked = await player.write("lenteur de jeu")
    shown = await player.next()
    assert shown.message["reply_to_message"]["message_id"] == asked["message_id"]
    assert entry("tarot/slow-play").title.fr in shown.text


async def test_choice_by_tap_and_by_name(api: BotApi) -> None:
    player = Player(api, api.number())
    shown = await player.say("renonce")
    assert {"Tarot · Renonce", "Belote · Renonce"} <= set(shown.labels)
    assert (await player.tap(shown, "Belote · Renonce")).text.startswith("Belote · Renonce")
    shown = await player.say("renonce")
    declined = await player.tap(shown, said("None of these", "fr"))
    assert "Belote · Renonce" not in declined.labels


async def test_i_do_not_know_gives_all_that_is_open(api: BotApi) -> None:
    player = Player(api, api.number())
    shown = await player.say(PHRASES["fr"])
    for fact in ("format", "completed", "offender"):
        shown = await player.tap(shown, label(fact, WAY[fact], "fr"))
    shown = await player.tap(shown, said("I don't know", "fr"))
    assert said("It depends:", "fr") in shown.text


async def test_deep_link_and_greeting(api: BotApi) -> None:
    player = Player(api, api.number(), "ru")
    opened = await player.say("/start tarot_revoke")
    assert entry().title.ru in opened.text
    ruling = await walk(player, opened, "ru")
    assert said("Not this", "ru") not in ruling.labels  # there was no question to look further with
    for payload in ("/start", "/start no_such", "/start <b>"):
        assert "Белот" in (await player.say(payload)).text
    assert "Belote" in (await Player(api, api.number(), "fr").say("/start")).text


async def test_cards_and_comparison_and_back(api: BotApi) -> None:
    player = Player(api, api.number())
    ruling = await walk(player, await player.say("/start tarot_revoke"), "fr")
    card = await player.tap(ruling, "ⓘ FFT, donnes libres")
    assert card.text.startswith("FFT, donnes libres")
    assert (await player.tap(card, said("Back", "fr"))).text == ruling.text
    table = await player.tap(ruling, said("Compare all", "fr"))
    assert all(label("format", value, "fr") in table.text for value in ("libre", "triplettes", "quadrettes"))
    assert (await player.tap(table, said("Back", "fr"))).text == ruling.text
    every = await player.say("/sources")
    assert all(document.name in every.text for document in conversation().knowledge.documents.values())


async def test_help_lists_every_command(api: BotApi) -> None:
    for text in ("/help", "/nothing", "/help@arbitre_test_bot"):
        shown = await Player(api, api.number()).say(text)
        assert all(f"/{name}" in shown.text for name in ("language", "game", "format", "sources"))


async def test_language_chosen_wins(api: BotApi) -> None:
    player = Player(api, api.number(), "fr")
    old = await player.say(PHRASES["fr"])
    menu = await player.say("/language")
    assert menu.labels[-1] == f"✓ {said('That of the question', 'fr')}"
    menu = await player.tap(menu, "Русский")
    assert said("Kept for the questions to come.", "ru") in menu.text
    assert "✓ Русский" in menu.labels
    assert question("format", "ru") in (await player.say(PHRASES["fr"])).text
    # a button made before is in the new language as well
    assert question("completed", "ru") in (await player.tap(old, "Triplettes")).text
    await player.tap(menu, said("That of the question", "ru"))
    assert question("completed", "fr") in (await player.say(PHRASES["fr"])).text


async def test_language_of_the_question_then_of_the_telephone(api: BotApi) -> None:
    player = Player(api, api.number(), "ru-RU")
    assert question("format", "fr") in (await player.say(PHRASES["fr"])).text
    assert said("How I work", "fr") in (await player.say("/help")).text  # as last spoken
    for code, language in [("ru-RU", "ru"), ("pt-br", "fr"), (None, "fr")]:
        assert (
            said("My sources do not rule on that.", language)
            in (await Player(api, api.number(), code).say("🂡 1")).text
        )


async def test_game_and_format_are_kept(api: BotApi) -> None:
    player = Player(api, api.number())
    menu = await player.tap(await player.say("/format"), "Triplettes")
    assert "✓ Triplettes" in menu.labels
    menu = await player.tap(await player.say("/game"), "Tarot")
    assert "✓ Tarot" in menu.labels
    shown = await player.say("/start tarot_revoke")
    assert "Triplettes" in shown.text
    assert question("completed", "fr") in shown.text
    await player.tap(await player.say("/format"), said("Ask me each time", "fr"))
    assert question("format", "fr") in (await player.say("/start tarot_revoke")).text


async def test_double_taps_change_nothing(api: BotApi) -> None:
    player = Player(api, api.number())
    first = await player.say(PHRASES["fr"])
    data = player.data(first, "Donnes libres")
    queries = [await player.press(first, data) for _ in range(4)]
    shown = await player.next()
    await api.until(lambda: api.open_queries.isdisjoint(queries), "an answer to every query")
    assert question("completed", "fr") in shown.text
    await player.say("/help")  # handled after them
    assert player.silent()


async def test_the_same_update_twice(api: BotApi) -> None:
    player = Player(api, api.number())
    await player.say(PHRASES["fr"])
    typed = await player.write("donnes libres")
    await api.post(message=typed)
    await api.post(message=typed)
    assert question("completed", "fr") in (await player.next()).text
    await player.say("/help")
    assert player.silent()


async def test_an_edited_question_is_answered_afresh_in_place(api: BotApi) -> None:
    player = Player(api, api.number())
    asked = await player.write("une chose sans aucun rapport")
    first = await player.next()
    await player.edit(asked, PHRASES["fr"])
    second = await player.next()
    assert second.kind == "edited"
    assert second.message["message_id"] == first.message["message_id"]
    assert question("format", "fr") in second.text
    reply = await player.write("donnes libres")
    await player.next()
    await player.edit(reply, "triplettes")  # no question: nothing happens
    await player.edit(player.message(text="/help"), "/format")
    await player.say("/help")
    assert player.silent()


async def test_groups_hear_only_commands_that_name_the_bot(api: BotApi) -> None:
    player = Player(api, api.number())
    before = len(api.shown)
    player.chat = {"id": -300, "type": "group", "title": "Club"}
    for text in (PHRASES["fr"], "/help", "/help@other_bot", "/start@other_bot tarot_revoke"):
        await player.write(text)
    await player.write(photo=[{"file_id": "a", "file_unique_id": "a", "width": 1, "height": 1}])
    shown = await player.say("/help@Arbitre_Test_Bot")
    assert said("How I work", "fr") in shown.text
    assert len(api.shown) == before + 1
    channel = {**player.message(text=PHRASES["fr"]), "chat": {"id": -200, "type": "channel", "title": "c"}}
    await api.post(channel_post=channel)
    await api.settled()
    assert len(api.shown) == before + 1


async def test_a_group_that_became_a_supergroup_keeps_its_settings(api: BotApi, service: Service) -> None:
    await service.store.set(-100, "game", "belote")
    player = Player(api, api.number())
    player.chat = {"id": -100, "type": "group", "title": "Club"}
    await player.write(migrate_to_chat_id=-1000100)
    player.chat = {"id": -1000100, "type": "supergroup", "title": "Club"}
    await player.write(migrate_from_chat_id=-100)
    await player.say("/help@arbitre_test_bot")
    assert await service.store.settings(-1000100) == {"game": "belote"}
    assert await service.store.settings(-100) == {}


@pytest.mark.parametrize(
    "content",
    [
        {"photo": [{"file_id": "a", "file_unique_id": "a", "width": 1, "height": 1}], "caption": "renonce"},
        {"voice": {"file_id": "a", "file_unique_id": "a", "duration": 1}},
        {
            "sticker": {
                "file_id": "a",
                "file_unique_id": "a",
                "type": "regular",
                "width": 1,
                "height": 1,
                "is_animated": False,
                "is_video": False,
            }
        },
        {"location": {"longitude": 2.0, "latitude": 48.0}},
    ],
    ids=["photo", "voice", "sticker", "location"],
)
async def test_what_is_no_text_gets_one_sentence(api: BotApi, content: Any) -> None:
    player = Player(api, api.number())
    text = said("I read text only: say in a few words what happened at the table.", "fr")
    assert (await player.say(**content)).text == text


async def test_an_album_gets_one_sentence(api: BotApi) -> None:
    player = Player(api, api.number())
    photo = [{"file_id": "a", "file_unique_id": "a", "width": 1, "height": 1}]
    for _ in range(3):
        await player.write(photo=photo, media_group_id="9")
    await player.next()
    await player.say("/help")
    assert player.silent()


ODD = [
    "😀" * 2048,
    "<b>renonce</b> & <script>",
    "\x00\x07renonce\u202e",
    "'; DROP TABLE talks; --",
    "a" * 4096,
    "\u200b",
    "ё" * 4096,
]


@pytest.mark.parametrize("text", ODD, ids=range(len(ODD)))
async def test_odd_texts_get_an_answer(api: BotApi, text: str) -> None:
    player = Player(api, api.number())
    shown = await player.say(text)
    assert shown.text
    assert said("Something went wrong on my side. Please try again.", "fr") not in shown.text
    assert question("format", "fr") in (await player.say(PHRASES["fr"])).text


async def test_the_core_and_the_chat_say_the_same(api: BotApi, service: Service) -> None:
    player = Player(api, api.number())
    shown = await walk(player, await player.say(PHRASES["fr"]), "fr")
    turn: Turn = conversation().ask(PHRASES["fr"], Preferences())
    assert isinstance(turn.step, Ask)
    turn = conversation().resume(replace(turn.state, answered=WAY), Preferences()) or turn
    lines = service.screens.answers.answer(turn).lines
    assert all(line.text in shown.text for line in lines)
    assert isinstance(turn.state, State)
