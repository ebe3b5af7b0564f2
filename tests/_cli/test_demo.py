"""The demonstration that the command gives when nothing is asked."""

import subprocess
import sys


def test_the_demo_shows_the_main_job():
    run = [sys.executable, "-m", "fuzzyrand"]
    shown = subprocess.run(run, capture_output=True, text=True, check=True).stdout
    assert shown.count("It depends on the model:") == 6
    assert "178 points: hard, 3 clusters; fuzzy, 3 clusters; first clustering fixed" in shown
    for model in ("perm", "fit", "sym", "flat"):
        assert shown.count(f"   {model}: ") == 2
