"""A log while somebody looks at it: its lines as they come, its dumps as one row each, and filters for lines and tables."""
