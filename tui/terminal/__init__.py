"""What the terminal at hand can show, how the screens are made to fit it, and how it is left as it was found."""
