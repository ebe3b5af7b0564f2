"""The tests, which have the folders of the package."""

import os

# Several processes run tests at a time, and threads of BLAS and of scikit-learn would wait for each
# other: k-means takes five times as long. Set before NumPy is loaded, which reads them then.
for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")
