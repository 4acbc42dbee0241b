"""What a chat shows, made of the answers of the core: rulings with their buttons, menus, help, excuses."""

from __future__ import annotations

from collections.abc import Iterable

from bot.answer import Answers, Line, Option, Voice
from bot.buttons import Buttons, Compared, Consulted, Preferred, Returned, Tap
from bot.cards import card, cards
from bot.comparison import compare
from bot.conversation import Answered, Give, Preferences, Reopened, State, Turn
from bot.markup import Button, Screen, screen
from bot.preferences import EVERY, settings
from i18n.catalogs import LANGUAGES, Messages, catalog
from knowledge.model import Entry, Knowledge

TELLING = 3
"""Words that a phrase shown as an example has at least."""


class Screens:
    """Makes screens over one knowledge base, in any language."""

    def __init__(self, knowledge: Knowledge, buttons: Buttons) -> None:
        self.knowledge = knowledge
        self.buttons = buttons
        self.answers = Answers(knowledge)
        self.facts = {name: fact for name, fact in knowledge.facts.items() if fact.setting}

    # The conversation --------------------------------------------------------------------------

    def turn(self, turn: Turn, before: Iterable[Line] = ()) -> Screen:
        """Return the answer to a turn, with everything that can be tapped."""
        answer = self.answers.answer(turn)
        taps: list[tuple[str, Tap]] = []
        last = [option for option in answer.options if option.role == "other"]
        for option in answer.options:
            if option.role != "other":
                taps += self.taps(turn, option)
        if isinstance(turn.step, Give):
            taps += self.beside(turn.step, catalog(turn.state.language))
        taps += [(option.label, option.event) for option in last]
        buttons = [Button(label, self.buttons.write(turn.state, tap)) for label, tap in taps]
        return screen((*before, *answer.lines), buttons)

    def taps(self, turn: Turn, option: Option) -> list[tuple[str, Tap]]:
        """Return the buttons of an option: a setting is changed in one tap, so each value has its own."""
        event = option.event
        if option.role != "change" or not isinstance(event, Reopened):
            return [(option.label, event)]
        fact = turn.step.entry.fact(event.fact) if isinstance(turn.step, Give) else None
        if fact is None or not fact.setting or not isinstance(turn.step, Give):
            return [(f"✎ {option.label}", event)]
        voice = Voice(self.knowledge, turn.state)
        others = [value for value in fact.names if value != turn.step.facts.get(fact.name)]
        return [(f"→ {voice.label(fact, value)}", Answered(fact.name, value)) for value in others]

    def beside(self, step: Give, messages: Messages) -> list[tuple[str, Tap]]:
        """Return what is offered beside a ruling: all values of its setting, and the cards of its sources."""
        taps: list[tuple[str, Tap]] = [
            (messages.gettext("Compare all"), Compared(fact.name))
            for fact in step.entry.facts
            if fact.setting
        ]
        rulings = [step.ruling] if step.ruling else [branch.ruling for branch in step.branches]
        cited = dict.fromkeys(citation.document for ruling in rulings for citation in ruling.citations)
        return taps + [(f"ⓘ {self.knowledge.documents[name].name}", Consulted(name)) for name in cited]

    def card(self, document: str, state: State) -> Screen:
        """Return the card of a document, with the way back to the ruling."""
        lines = card(self.knowledge.documents[document], state.language).lines
        return screen(lines, self.back(state))

    def comparison(self, entry: Entry, fact: str, state: State, preferences: Preferences) -> Screen:
        """Return an entry under every value of a setting, for the facts known so far."""
        facts = {**preferences.facts, **state.stated}
        facts.pop(fact, None)
        return screen(compare(self.knowledge, entry, facts, state.language).lines, self.back(state))

    def back(self, state: State) -> list[Button]:
        """Return the button that leads back to where the conversation stands."""
        label = catalog(state.language).gettext("Back")
        return [Button(f"← {label}", self.buttons.write(state, Returned()))]

    # Commands ----------------------------------------------------------------------------------

    def greeting(self, language: str) -> Screen:
        """Return what a player reads first."""
        messages = catalog(language)
        voice = Voice(self.knowledge, State(language=language))
        games = ", ".join(voice.words({}).say(f"game.{game}") for game in self.knowledge.games())
        lines = [
            ("heading", messages.gettext("I referee at the card table: {games}.").format(games=games)),
            ("aside", messages.gettext("Tell me in your own words what happened.")),
            ("aside", messages.gettext("I ask what is still missing, and give the ruling with its source.")),
            ("examples", messages.gettext("For example:")),
            *(("examples", f"• {example}") for example in self.examples(language)),
            ("commands", messages.gettext("/help says what else I can do.")),
        ]
        return screen(Line(role, voice.set(text)) for role, text in lines)

    def examples(self, language: str) -> list[str]:
        """Return one telling phrase of each game."""
        examples = []
        for game in self.knowledge.games():
            phrases = [
                phrase.text
                for entry in self.knowledge
                if entry.game == game
                for phrase in entry.phrases
                if phrase.language == language and len(phrase.text.split()) >= TELLING
            ]
            examples += phrases[:1]
        return examples

    def help(self, language: str) -> Screen:
        """Return what the bot can do."""
        messages = catalog(language)
        texts = [
            ("heading", messages.gettext("How I work")),
            ("aside", messages.gettext("Type what happened at the table, in French or in Russian.")),
            ("aside", messages.gettext("Answer my questions by a tap or in words.")),
            (
                "aside",
                messages.gettext(
                    "Under a ruling you can change what I took as said, or tell me that it was not that."
                ),
            ),
            *(("commands", f"/{name}: {told}") for name, told in self.commands(language).items()),
        ]
        voice = Voice(self.knowledge, State(language=language))
        return screen(Line(role, voice.set(text)) for role, text in texts)

    def commands(self, language: str) -> dict[str, str]:
        """Return the commands with what each does, as the menu of the chat shows them."""
        messages = catalog(language)
        return {
            "help": messages.gettext("how I work"),
            "language": messages.gettext("the language of my answers"),
            "game": messages.gettext("your game"),
            **{name: fact.question[language] for name, fact in self.facts.items()},
            "sources": messages.gettext("the texts that I rule by"),
        }

    def sources(self, language: str) -> Screen:
        """Return the cards of all documents."""
        return screen(line for answer in cards(self.knowledge, language) for line in answer.lines)

    # Settings ----------------------------------------------------------------------------------

    def menu(self, name: str, language: str, chosen: str | None) -> Screen | None:
        """Return the menu of a setting with the value in force marked; None where there is no such setting.

        The empty value unsets it: the language is then that of the question, the format is asked.
        """
        setting = settings(self.knowledge, language).get(name)
        if setting is None:
            return None
        messages = catalog(language)
        labels = {"" if value == EVERY else value: label for value, label in setting.labels.items()}
        each, own = messages.gettext("Ask me each time"), messages.gettext("That of the question")
        labels.setdefault("", each if name in self.facts else own)
        state = State(language=language)
        buttons = [
            Button(
                f"✓ {label}" if value == (chosen or "") else label,
                self.buttons.write(state, Preferred(name, value)),
            )
            for value, label in labels.items()
        ]
        kept = messages.gettext("Kept for the questions to come.")
        return screen([Line("question", setting.question), Line("aside", kept)], buttons)

    def allowed(self, name: str, value: str) -> bool:
        """Return whether a setting can have this value; the empty one unsets it."""
        setting = settings(self.knowledge, LANGUAGES[0]).get(name)
        return setting is not None and value != EVERY and value in ("", *setting.labels)

    # Excuses -----------------------------------------------------------------------------------

    def sentence(self, text: str, language: str) -> Screen:
        """Return a screen of one sentence."""
        return screen([Line("aside", Voice(self.knowledge, State(language=language)).set(text))])

    def outdated(self, language: str) -> str:
        """Return the sentence for a button that fits no more, above the question put again."""
        return catalog(language).gettext("What I know has changed since then; here it is afresh.")

    def lost(self, language: str) -> Screen:
        """Return the screen for a button that nothing is known of any more."""
        text = catalog(language).gettext("This button is out of date. Please type your question again.")
        return self.sentence(text, language)

    def not_text(self, language: str) -> Screen:
        """Return the screen for a message that is no text."""
        text = catalog(language).gettext("I read text only: say in a few words what happened at the table.")
        return self.sentence(text, language)

    def trouble(self, language: str) -> Screen:
        """Return the screen for a fault of ours."""
        text = catalog(language).gettext("Something went wrong on my side. Please try again.")
        return self.sentence(text, language)
