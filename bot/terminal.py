"""The chat in the terminal: lines in, lines out, options by number or in words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TextIO

from bot.answer import Answer, Answers
from bot.cards import cards
from bot.comparison import compare
from bot.conversation import Answered, Conversation, Decline, Event, Preferences, Said, State, Turn
from bot.preferences import Setting, settings
from bot.refusal import Refusal
from bot.requests import clean, shown
from bot.screen import Screen
from i18n.catalogs import Messages, catalog
from knowledge.words import fold

Choice = tuple[str, Callable[[], None]]
LEAVING = ("/quit", "/exit", "/q", "quit", "exit", "q")


def chat(conversation: Conversation, source: TextIO, target: TextIO, language: str | None) -> int:
    """Talk until the lines end; return the exit status. `language` is that of the locale, if it is ours."""
    screen = Screen(target)
    talk = Talk(conversation, screen, language or "fr")
    interactive = source.isatty() and screen.terminal
    if interactive:
        talk.greet()
    try:
        for line in screen.prompted() if interactive else source:
            if line.strip() in LEAVING:
                break
            talk.take(line)
    except KeyboardInterrupt:
        target.write("\n")
    return 0


class Talk:
    """One player's talk: where it stands, what is set, and what can be picked by number."""

    def __init__(self, conversation: Conversation, screen: Screen, language: str) -> None:
        self.conversation = conversation
        self.knowledge = conversation.knowledge
        self.answers = Answers(conversation.knowledge)
        self.screen = screen
        self.state = State(language=language)
        self.preferences = Preferences()
        self.choices: list[Choice] = []

    @property
    def language(self) -> str:
        """The language set, else that of the last question."""
        return self.preferences.language or self.state.language

    @property
    def messages(self) -> Messages:
        """The messages of the language that is spoken."""
        return catalog(self.language)

    @property
    def settings(self) -> dict[str, Setting]:
        """What can be set, each by a command of its name."""
        return settings(self.knowledge, self.language)

    def greet(self) -> None:
        """Say what this is and how to begin."""
        gettext = self.messages.gettext
        self.screen.write(
            gettext("Arbitre: tell me what happened at the table, and I give the ruling."), "title"
        )
        self.screen.write(gettext("? for help, Ctrl-D to leave."), "source")

    def take(self, line: str) -> None:
        """Take a line: a question, an answer, a number or a command."""
        try:
            text = clean(line)
            if text == "?" or text.startswith("/"):
                self.command(text)
            elif not self.picked(text):
                self.advance(Said(text))
        except Refusal as refusal:
            self.screen.write(refusal.text(self.language), "refusal")

    def picked(self, text: str) -> bool:
        """Pick an option by its number or its words; return whether there was one."""
        number = text.rstrip(".)")
        if self.choices and number.isascii() and number.isdigit() and len(number) <= 3:
            if not 1 <= int(number) <= len(self.choices):
                raise Refusal(
                    "There is no option {number}; they go from 1 to {last}.",
                    number=number,
                    last=len(self.choices),
                )
            self.choices[int(number) - 1][1]()
            return True
        for label, act in self.choices:
            if fold(label) == fold(text):
                act()
                return True
        return False

    def advance(self, event: Event) -> None:
        """Take the conversation on by an event, and show where it leads."""
        self.show(self.conversation.advance(self.state, event, self.preferences))

    def show(self, turn: Turn) -> None:
        """Show a turn, and keep the settings that it answers."""
        self.state = turn.state
        self.preferences = self.conversation.remember(turn.state, self.preferences)
        answer = self.answers.answer(turn)
        self.screen.show(answer.lines)
        self.offer(answer)

    def offer(self, answer: Answer) -> None:
        """Offer the options by number; changes stand in one line, as they are seldom wanted."""
        options = answer.choices or answer.options
        self.choices = [(option.label, partial(self.advance, option.event)) for option in options]
        if answer.choices:
            self.screen.number(option.label for option in options)
        elif options:
            told = " · ".join(f"{number}. {option.label}" for number, option in enumerate(options, 1))
            self.screen.write(self.messages.gettext("To change: {options}").format(options=told), "source")

    # Commands --------------------------------------------------------------------------------------

    def command(self, text: str) -> None:
        """Run a command."""
        name, _, value = text.removeprefix("/").partition(" ")
        name, value = name.casefold(), value.strip()
        commands = {"?": self.help, "help": self.help, "table": self.table, "sources": self.sources}
        if name in commands:
            commands[name]()
        elif name not in self.settings:
            raise Refusal("Unknown command «{value}»; ? tells which there are.", value=shown(text))
        elif value:
            self.set(name, self.settings[name].named(value))
        else:
            self.menu(self.settings[name])

    def help(self) -> None:
        """Tell what can be typed."""
        gettext = self.messages.gettext
        self.screen.write(gettext("Tell in your own words what happened; I ask only what still matters."))
        self.screen.write(gettext("Answer by number or in words; a new question starts afresh."))
        told = {f"/{name}": setting.question for name, setting in self.settings.items()}
        told["/table"] = gettext("This ruling in all formats.")
        told["/sources"] = gettext("The texts that I rule from.")
        told["/quit"] = gettext("Leave (or Ctrl-D).")
        for name, explained in told.items():
            self.screen.write(explained, "number", f"{name:<10} ")

    def menu(self, setting: Setting) -> None:
        """Offer the values of a setting."""
        self.screen.write(setting.question, "question")
        self.choices = [(label, partial(self.set, setting.name, v)) for v, label in setting.labels.items()]
        self.screen.number(setting.labels.values())

    def set(self, name: str, value: str) -> None:
        """Set something for good, and show again where the talk stands."""
        self.preferences = self.settings[name].apply(self.preferences, value)
        self.state = replace(self.state, language=self.language)
        self.choices = []
        label = self.settings[name].labels[value]
        self.screen.write(self.messages.gettext("Set: {value}.").format(value=label), "source")
        entry = self.knowledge.entry(self.state.entry) if self.state.entry else None
        if entry is not None and entry.fact(name):
            self.advance(Answered(name, value))
            return
        turn = self.conversation.resume(self.state, self.preferences)
        if turn is not None and not isinstance(turn.step, Decline):
            self.show(turn)

    def table(self) -> None:
        """Show the entry at hand in all formats."""
        if self.state.entry is None:
            raise Refusal("Ask a question first: /table shows its ruling in all formats.")
        entry = self.knowledge.entries[self.state.entry]
        facts = {n: v for n, v in self.state.stated.items() if n not in self.settings}
        self.screen.show(compare(self.knowledge, entry, facts, self.language).lines)

    def sources(self) -> None:
        """Show the cards of the sources."""
        for card in cards(self.knowledge, self.language):
            self.screen.show(card.lines)
