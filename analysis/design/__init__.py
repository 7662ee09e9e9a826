"""Helps to choose a configuration: limits of memory, the Pareto front and its knee, the search over arena limits,
boards.

All figures here are Vela's estimates for compiled configurations. Nothing is compiled here and no file is read.
"""
