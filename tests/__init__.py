"""The tests, in the same folders as the package."""

import os

# Several processes run tests at the same time, and threads of BLAS and scikit-learn would wait for
# each other: k-means would take five times as long. NumPy reads these variables when it is loaded.
for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")
