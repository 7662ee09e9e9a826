"""Widgets that know nothing of screens: they show neutral tables, lines and bars, and say what was chosen."""
