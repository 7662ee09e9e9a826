"""Example models that come with the program, in the seed convention: `ModelUnderTest` and `ModelInputs`."""
