"""A Dask cluster in the place of a batch's own processes."""
