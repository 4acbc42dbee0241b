"""The interface in French and Russian: catalogs, numbers, typography, and the language of a text."""
