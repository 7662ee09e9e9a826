"""What `compare` says besides the figures: how the setups differ, whether repeats separate, and what each operator's
counterpart needs.
"""
