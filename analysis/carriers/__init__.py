"""What logs went through on their way here, tools that stamp, wrap, store, quote or change lines, and how the lines are found again."""
