"""What figures mean: time, bytes, use of ports and MACs, what bounds a run; each with what it assumes."""
