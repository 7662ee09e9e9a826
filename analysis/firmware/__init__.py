"""What a firmware project takes over of a compiled program: an array in C, sizes of the runner's pools, operators to build."""
