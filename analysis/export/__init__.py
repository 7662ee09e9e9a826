"""A report or table for other programs and people: Markdown, CSV, JSON, a page, sentences, traces.  Texts only, no files.

Every text may come from a log or a file's name, so each format has its way to keep it a text (`escaping`).
"""
