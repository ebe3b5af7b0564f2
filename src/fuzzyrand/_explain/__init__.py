"""Where two clusterings disagree: points, clusters, refinement, fuzziness."""
