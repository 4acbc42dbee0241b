"""Arbitre: the conversation and its front-ends."""
