"""The rules as data: entries, facts, sources and lexicon, and the logic that reads them."""
