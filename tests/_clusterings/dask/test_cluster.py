"""A real cluster of processes: the same numbers, also if a worker dies on the way."""

import logging
import os
import re
import signal
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import fuzzyrand as fr

da = pytest.importorskip("dask.array")
distributed = pytest.importorskip("distributed")

pytestmark = [
    pytest.mark.slow,
    # What dask's own processes and sockets say while they come and go.
    pytest.mark.filterwarnings("ignore"),
]


@pytest.fixture(scope="module")
def client():
    with (
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            memory_limit="1GiB",
            dashboard_address=None,
            silence_logs=logging.CRITICAL,
        ) as cluster,
        distributed.Client(cluster, timeout="60s") as client,
    ):
        yield client


def soft_rows(block_id=None, rows=2000, wait=0.0):
    """A block of memberships; the file is sorted by cluster."""
    time.sleep(wait)
    rng = np.random.default_rng(block_id[0])
    cluster = block_id[0] % 3 if block_id[0] < 9 else 2
    drawn = rng.standard_gamma(0.6 + 4.0 * np.eye(3)[cluster], size=(rows, 3))
    return drawn / drawn.sum(axis=1, keepdims=True)


def labels(block_id=None, rows=2000, wait=0.0):
    time.sleep(wait)
    rng = np.random.default_rng(100 + block_id[0])
    return np.where(rng.random(rows) < 0.3, rng.integers(3, size=rows), block_id[0] % 3)


def clusterings(blocks=12, wait=0.0, rows=2000):
    soft = da.map_blocks(
        soft_rows,
        rows=rows,
        wait=wait,
        chunks=((rows,) * blocks, (3,)),
        dtype=float,
        meta=np.zeros((0, 0)),
    )
    hard = da.map_blocks(
        labels, rows=rows, wait=wait, chunks=((rows,) * blocks,), dtype=int, meta=np.zeros(0, int)
    )
    return hard, soft


def test_the_same_numbers_as_in_memory(client):
    hard, soft = clusterings(rows=500)
    a, b = hard.compute(), soft.compute()
    shuffled = b[np.random.default_rng(0).permutation(len(b))]
    for first, second, model in [(hard, soft, "fit"), (hard, hard[::-1], "perm")]:
        found = fr.compare(first, second, model=model)
        expected = fr.compare(first.compute(), second.compute(), model=model)
        error = found.error_bound + expected.error_bound + 1e-12
        assert found.adjusted == pytest.approx(expected.adjusted, abs=error)
    # Two fuzzy clusterings of a sorted file, sampled: the truth lies within the error.
    found = fr.compare(soft, shuffled, model="perm", effort=fr.Effort(pairs=10**6))
    expected = fr.compare(b, shuffled, model="perm", effort=fr.Effort(pairs="all"))
    assert 0.0 < found.stderr < 0.01
    assert abs(found.adjusted - expected.adjusted) < 4.0 * found.stderr
    assert a.size == b.shape[0] == found.n


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_a_worker_dies_in_the_middle(client):
    hard, soft = clusterings(blocks=16, wait=0.15)
    calm = fr.compare(*clusterings(blocks=16), model="fit")
    started = client.run(os.getpid)
    victim = next(iter(started.values()))
    killer = threading.Timer(1.0, os.kill, (victim, signal.SIGKILL))
    killer.start()
    try:
        found = fr.compare(hard, soft, model="fit")
    finally:
        killer.cancel()
    assert victim not in client.run(os.getpid).values()
    assert found.adjusted == calm.adjusted
    assert found.to_dict()["computed"] == calm.to_dict()["computed"]
    client.wait_for_workers(2, timeout=60)


@pytest.mark.skipif(sys.platform != "linux", reason="others count memory differently")
def test_workers_hold_a_few_blocks_only(client):
    # 24 blocks of 3.6 MB of memberships; all of them would take 86 MB.
    def peak():  # not getrusage, which begins with what the parent process held
        status = Path("/proc/self/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024.0

    small = clusterings(blocks=2, rows=150_000)
    fr.compare(*small, model="fit")  # what the code itself needs
    before = client.run(peak)
    fr.compare(*clusterings(blocks=24, rows=150_000), model="fit")
    after = client.run(peak)
    for worker, size in after.items():
        assert size - before[worker] < 40.0
