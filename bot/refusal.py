"""An input that cannot be used, told in one sentence: English for programs, else the reader's language."""

from __future__ import annotations

from i18n.catalogs import messages


class Refusal(Exception):  # noqa: N818 - it is no error of ours, but an answer
    """Something given to us cannot be used. The message is a msgid of the catalogs, with its places."""

    def __init__(self, message: str, /, **places: object) -> None:
        super().__init__(message)
        self.message = message
        self.places = places

    def text(self, language: str | None = None) -> str:
        """Return the sentence in a language; without one in English."""
        places = {
            name: place.text(language) if isinstance(place, Refusal) else place
            for name, place in self.places.items()
        }
        return messages(language).gettext(self.message).format(**places)

    def __str__(self) -> str:
        return self.text()
