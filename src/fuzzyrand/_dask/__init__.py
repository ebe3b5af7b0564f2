"""Clusterings in dask arrays and dataframes; dask is imported only where such an object is met."""
