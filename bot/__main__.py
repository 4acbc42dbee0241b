"""`python -m bot`: the arbitre command."""

from bot.cli import run

if __name__ == "__main__":
    run()
