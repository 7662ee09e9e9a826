"""Which printed figures can be believed: checks against each other, and repairs."""
