"""Many runs: clusters that recur, runs that agree, a consensus, and what chance would give."""
