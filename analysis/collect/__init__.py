"""What each event means for the run it belongs to, by subject."""
