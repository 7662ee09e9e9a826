"""Handlers: what each event adds to the draft of its run, one module per subject."""
