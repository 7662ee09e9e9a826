"""What stands around one line and how it is written: stamps, prefixes, quotes, rows, encodings, languages; no line is read to know it."""
