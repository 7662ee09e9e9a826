"""The screens: each renders report objects and asks the app by message; none parses or starts a process by itself."""
