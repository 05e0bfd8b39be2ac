"""Feeds the engine: from files that are there, and from a command while it runs."""
