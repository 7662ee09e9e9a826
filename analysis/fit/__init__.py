"""Whether what a run needs fits on a board: its memories held against those of the board, region by region."""
