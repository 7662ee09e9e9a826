"""Which configuration to take: limits, what exceeds them, the Pareto front and its knee, the search over arena limits, boards.

Everything here is about figures that Vela estimated for compiled configurations; nothing is compiled and no file is read.
"""
