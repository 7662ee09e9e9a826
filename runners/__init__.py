"""Jobs that yield bytes and progress, run folders, and the reading of inputs; they know no meaning of what they carry."""
