"""A report or table for other programs and people: Markdown, CSV, JSON, a page, sentences, traces. It makes texts, no
files.

Any text may come from a log or the name of a file. So each format has its way to write a text so that it is never read
as a formula, markup or code (`escaping`).
"""
