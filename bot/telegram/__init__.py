"""The Telegram front-end: updates in, messages and buttons out. The library's one door."""

import os

os.environ.setdefault("PTB_TIMEDELTA", "1")  # the library's durations as it will have them; else it warns

from bot.telegram.service import serve

__all__ = ["serve"]
