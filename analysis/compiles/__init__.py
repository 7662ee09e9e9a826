"""What is known of a compile: the words of Vela and of ExecuTorch, releases that fit together, what was delegated, a model's parts."""
