"""Clusterings in dask arrays and dataframes; dask is imported only if such an object is given."""
