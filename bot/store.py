"""What outlives a restart: what each chat has set, and where its last talk stands.

A database that fails stops nobody: reads give what a new chat has, writes are lost, one warning is
logged, and after a pause it is tried again. Every write is one statement, for several processes share it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

from sqlalchemy import (
    BigInteger,
    Column,
    Dialect,
    MetaData,
    String,
    Table,
    delete,
    event,
    literal,
    select,
    text,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.schema import CreateTable

PATIENCE = 4.0
"""Seconds that an answer waits for the database at most."""
PAUSE = 15.0
"""Seconds for which a database that failed is left alone."""
_BUSY = 2000
"""Milliseconds that SQLite waits for another writer."""
_LOCK = 0x41524249
"""The advisory lock under which PostgreSQL makes the tables."""

_log = logging.getLogger(__name__)
_T = TypeVar("_T")
_tables = MetaData()

SETTINGS = Table(
    "settings",
    _tables,
    Column("chat", BigInteger, primary_key=True, autoincrement=False),
    Column("name", String(64), primary_key=True),
    Column("value", String(64), nullable=False),
)
TALKS = Table(
    "talks",
    _tables,
    Column("chat", BigInteger, primary_key=True, autoincrement=False),
    Column("state", String(64), nullable=False),
    Column("question", BigInteger, nullable=False),
    Column("answer", BigInteger, nullable=False),
    Column("last", BigInteger, nullable=False),
)


@dataclass(frozen=True, slots=True)
class Talk:
    """Where the last talk of a chat stands, without a word of it.

    `state` is that of our buttons; the numbers are the messages of the question, of our answer, and
    the last one that the player typed.
    """

    state: str
    question: int
    answer: int
    last: int


class Store:
    """The database by its SQLAlchemy URL; the tables are made when it is first reached."""

    def __init__(self, url: str, patience: float = PATIENCE, pause: float = PAUSE) -> None:
        self.url = make_url(url)
        self.patience = patience
        self.pause = pause
        self._engine: AsyncEngine | None = None
        self._made = False
        self._making = asyncio.Lock()
        self._begun: set[asyncio.Future[Any]] = set()
        self._down_until = 0.0
        self._warned = False

    async def settings(self, chat: int) -> Mapping[str, str]:
        """Return what a chat has set, by name."""

        async def read(connection: AsyncConnection) -> Mapping[str, str]:
            query = select(SETTINGS.c.name, SETTINGS.c.value).where(SETTINGS.c.chat == chat)
            return {row.name: row.value for row in await connection.execute(query)}

        return await self._reach(read, {})

    async def set(self, chat: int, name: str, value: str | None) -> None:
        """Set something for a chat; None unsets it."""

        async def write(connection: AsyncConnection) -> None:
            if value is None:
                which = (SETTINGS.c.chat == chat) & (SETTINGS.c.name == name)
                await connection.execute(delete(SETTINGS).where(which))
                return
            await connection.execute(_upsert(connection.dialect, SETTINGS, chat=chat, name=name, value=value))

        await self._reach(write, None)

    async def talk(self, chat: int) -> Talk | None:
        """Return where the last talk of a chat stands, if there was one."""

        async def read(connection: AsyncConnection) -> Talk | None:
            row = (await connection.execute(select(TALKS).where(TALKS.c.chat == chat))).first()
            return Talk(row.state, row.question, row.answer, row.last) if row else None

        return await self._reach(read, None)

    async def keep(self, chat: int, talk: Talk) -> None:
        """Keep where the talk of a chat stands, in place of the last one."""
        values = {"state": talk.state, "question": talk.question, "answer": talk.answer, "last": talk.last}

        async def write(connection: AsyncConnection) -> None:
            await connection.execute(_upsert(connection.dialect, TALKS, chat=chat, **values))

        await self._reach(write, None)

    async def move(self, old: int, new: int) -> None:
        """Move what a group has set to the supergroup that it became; what is set there already stays."""

        async def write(connection: AsyncConnection) -> None:
            source = select(literal(new), SETTINGS.c.name, SETTINGS.c.value).where(SETTINGS.c.chat == old)
            moved = _insert(connection.dialect, SETTINGS).from_select(["chat", "name", "value"], source)
            await connection.execute(moved.on_conflict_do_nothing())
            await connection.execute(delete(SETTINGS).where(SETTINGS.c.chat == old))
            await connection.execute(delete(TALKS).where(TALKS.c.chat == old))

        await self._reach(write, None)

    async def open(self) -> bool:
        """Make the tables where they are missing; return whether the database is there."""

        async def nothing(connection: AsyncConnection) -> bool:
            del connection
            return True

        return await self._reach(nothing, False)

    async def close(self) -> None:
        """Let go of the database, once what was begun has ended."""
        if self._begun:
            await asyncio.wait(self._begun, timeout=self.patience)
        if self._engine is not None:
            await self._engine.dispose()
            self._engine = None

    async def _reach(self, work: Callable[[AsyncConnection], Awaitable[_T]], otherwise: _T) -> _T:
        """Return what the work gives within one transaction; where the database fails, the other value."""
        if monotonic() < self._down_until:
            return otherwise
        task = asyncio.ensure_future(self._work(work))
        self._begun.add(task)
        task.add_done_callback(self._begun.discard)
        # not cut short: the driver would leave its thread and its connection behind
        await asyncio.wait({task}, timeout=self.patience)
        error = task.exception() if task.done() else TimeoutError()
        if error is None:
            if self._warned:
                _log.warning("the database answers again")
            self._warned = False
            return task.result()
        if not isinstance(error, SQLAlchemyError | OSError | ImportError):
            raise error
        task.add_done_callback(lambda late: late.cancelled() or late.exception())
        self._down_until = monotonic() + self.pause
        if not self._warned:
            kind = type(error).__name__
            _log.warning("the database does not answer (%s): settings are not kept until it does", kind)
        self._warned = True
        return otherwise

    async def _work(self, work: Callable[[AsyncConnection], Awaitable[_T]]) -> _T:
        engine = await self._ready()
        async with engine.begin() as connection:
            return await work(connection)

    async def _ready(self) -> AsyncEngine:
        if self._engine is None:
            self._engine = _engine(self.url)
        async with self._making:
            if not self._made:
                async with self._engine.begin() as connection:
                    await _make_tables(connection)
                self._made = True
        return self._engine


def _engine(url: Any) -> AsyncEngine:
    if url.get_backend_name() != "sqlite":
        return create_async_engine(url, pool_pre_ping=True, connect_args={"connect_timeout": 3})
    if url.database and url.database != ":memory:":
        Path(url.database).parent.mkdir(parents=True, exist_ok=True)
    engine = create_async_engine(url)
    event.listen(engine.sync_engine, "connect", _set_sqlite)
    return engine


def _set_sqlite(connection: Any, record: object) -> None:
    """Let readers and a writer work side by side, and writers wait for each other."""
    del record
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {_BUSY}")
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA synchronous = NORMAL")
    cursor.close()


async def _make_tables(connection: AsyncConnection) -> None:
    """Make what is missing; of several processes that start at once, one makes it."""
    if connection.dialect.name == "postgresql":
        await connection.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
    for table in _tables.sorted_tables:
        await connection.execute(CreateTable(table, if_not_exists=True))


def _insert(dialect: Dialect, table: Table) -> Any:
    """Return the insert of a dialect; SQLite's and PostgreSQL's know the same ways to meet a conflict."""
    return (postgresql if dialect.name == "postgresql" else sqlite).insert(table)


def _upsert(dialect: Dialect, table: Table, **values: Any) -> Any:
    """Return the one statement that writes a row, over the one of the same key if there is one."""
    keys = [column.name for column in table.primary_key]
    others = {name: value for name, value in values.items() if name not in keys}
    statement = _insert(dialect, table).values(**values)
    return statement.on_conflict_do_update(index_elements=keys, set_=others)
