"""The dashboard in a browser: textual-serve's terminal in a page, behind a door of our own (`admission`)."""
