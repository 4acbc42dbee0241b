"""The arguments of the arbitre command: their names, and the help that explains them."""

from __future__ import annotations

import argparse
from importlib.metadata import PackageNotFoundError, version
from typing import NoReturn

from i18n.catalogs import messages


class Parser(argparse.ArgumentParser):
    """An argument parser that complains in one line."""

    def error(self, message: str) -> NoReturn:
        """Complain about the arguments and leave with status 2."""
        self.exit(2, f"{self.prog}: {' '.join(message.split())} ({self.prog} --help)\n")


def build_parser(language: str | None) -> argparse.ArgumentParser:
    """Return the parser of all commands, its help in a language."""
    gettext = messages(language).gettext
    parser = Parser(
        prog="arbitre",
        description=gettext("A referee for French tarot, belote and bridge."),
        epilog=gettext("Without a command: the Telegram bot if there is a token, else a chat."),
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"arbitre {_version()}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")

    def command(name: str, explained: str) -> argparse.ArgumentParser:
        return commands.add_parser(name, help=explained, description=explained, allow_abbrev=False)

    command("chat", gettext("chat in the terminal"))
    command("telegram", gettext("serve on Telegram"))
    ask = command("ask", gettext("answer one question"))
    ask.add_argument("question", nargs="*", metavar="QUESTION", help=gettext("what happened at the table"))
    ask.add_argument("--json", action="store_true", help=gettext("answer as a JSON object"))
    ask.add_argument("--batch", metavar="FILE", help=gettext("questions as JSON Lines («-»: standard input)"))
    ask.add_argument("--game", metavar="GAME", help=gettext("the game, where the question leaves it open"))
    entries = command("entries", gettext("list what can be ruled on"))
    entries.add_argument("--json", action="store_true", help=gettext("as a JSON array, with all details"))
    check = command("check", gettext("prove the knowledge base and list its faults"))
    check.add_argument("--coverage", action="store_true", help=gettext("tell which sentences are cited"))
    check.add_argument("--verbose", action="store_true", help=gettext("tell the longest way of each entry"))
    evaluate = command("eval", gettext("score question files"))
    evaluate.add_argument("files", nargs="+", metavar="FILE", help=gettext("a question file (JSON Lines)"))
    evaluate.add_argument("--misses", action="store_true", help=gettext("list what went wrong"))
    table = command("table", gettext("show one entry in all formats"))
    table.add_argument("entry", metavar="ENTRY", help=gettext("an entry's id, like tarot/revoke"))
    sources = command("sources", gettext("show the cards of the source documents"))
    for one in (ask, table):
        one.add_argument(
            "--fact",
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help=gettext("an answer given in advance; can be repeated"),
        )
    for one in (ask, entries, table, sources):
        one.add_argument("--lang", metavar="fr|ru", help=gettext("the language of the answer"))
    return parser


def _version() -> str:
    try:
        return version("arbitre")
    except PackageNotFoundError:
        return "?"
