"""What is known of a compile: the figures that Vela and ExecuTorch print, which releases belong together, what was
delegated, and what a model is made of.
"""
