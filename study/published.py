"""The results published by the authors, for comparison.

R. DeWolfe, J. L. Andrews, Random models for fuzzy clustering similarity measures,
arXiv:2312.10270. Values of the toy example come from the results kept with their Julia package (the
mean of both orders of a pair; a Monte Carlo error of up to 0.004 for fit, sym and flat). Means of
the factorial were read off the vector graphics of Figures 3 and 4, where the coordinates of the
markers give them to three decimals.
"""

from __future__ import annotations

CITATION = "R. DeWolfe and J. L. Andrews, arXiv:2312.10270"

#: Toy example, comparisons 1 to 10.
TOY_ADJUSTED = {
    "perm": (0.0769, 0.0123, 0.9742, 0.0738, -0.0004, 0.0751, 0.9417, 0.0119, -0.0004, 0.0769),
    "fit": (-0.3783, 0.0352, 0.9748, -0.0040, -0.3446, 0.0442, 0.9525, -0.0894, -0.1144, 0.0804),
    "sym": (-0.3964, 0.2084, 0.9736, -0.0716, -0.3446, -0.0495, 0.9525, 0.3452, -0.1140, -0.1267),
    "flat": (-1.124, -0.793, 0.945, -1.222, -2.046, -1.175, 0.902, -0.850, -2.142, -1.187),
}
#: Ranking table of the toy example, most similar first.
TOY_RANKING = {
    "ndc": (3, 7, 2, 8, 1, 6, 10, 4, 5, 9),
    "perm": (3, 7, 1, 6, 10, 4, 2, 8, 5, 9),
    "fit": (3, 7, 10, 6, 4, 2, 8, 9, 5, 1),
    "sym": (3, 7, 8, 2, 6, 4, 9, 10, 5, 1),
    "flat": (3, 7, 2, 8, 1, 6, 10, 4, 5, 9),
}

#: Error analysis: share of computations with an error below 0.01, and the largest error.
ERROR_SHARE = 0.995
ERROR_LARGEST = {"fit": 0.02, "sym": 0.02, "flat": 0.002}

Means = dict[str, dict[str, tuple[float, ...]]]

#: Factorial, both randomised: mean of each model over everything but one factor, with its levels in
#: the order of ``factorial.FULL``.
TWO_SIDED: Means = {
    "clusters": {
        "fit": (0.312, 0.314, 0.320, 0.270, 0.242, 0.233, 0.246),
        "sym": (0.359, 0.258, 0.018, -0.232, -0.383, -0.517, -0.605),
        "flat": (-0.185, -0.376, -0.520, -0.470, -0.210, 0.055, 0.295),
        "perm": (0.295, 0.295, 0.303, 0.265, 0.250, 0.234, 0.212),
    },
    "points": {
        "fit": (0.322, 0.295, 0.276, 0.267, 0.260, 0.258, 0.258),
        "sym": (-0.157, -0.156, -0.157, -0.157, -0.158, -0.159, -0.159),
        "flat": (-0.204, -0.201, -0.202, -0.201, -0.201, -0.201, -0.201),
        "perm": (0.245, 0.260, 0.266, 0.269, 0.271, 0.271, 0.272),
    },
    "imbalance": {
        "fit": (0.264, 0.277, 0.279, 0.287),
        "sym": (0.228, 0.104, -0.164, -0.798),
        "flat": (0.125, 0.002, -0.232, -0.702),
        "perm": (0.253, 0.263, 0.269, 0.275),
    },
    "precision": {
        "fit": (0.284, 0.283, 0.296, 0.264, 0.257),
        "sym": (-0.121, -0.122, -0.127, -0.206, -0.213),
        "flat": (-0.208, -0.209, -0.210, -0.202, -0.179),
        "perm": (0.251, 0.251, 0.251, 0.276, 0.296),
    },
    "share": {
        "fit": (0.671, 0.406, 0.198, 0.048, 0.060),
        "sym": (0.494, 0.077, -0.254, -0.494, -0.611),
        "flat": (0.470, 0.038, -0.300, -0.537, -0.679),
        "perm": (0.653, 0.393, 0.203, 0.077, 0.000),
    },
}
#: The same with one clustering randomised and the other fixed.
ONE_SIDED: Means = {
    "clusters": {
        "fit": (0.283, 0.271, 0.267, 0.229, 0.225, 0.245, 0.290),
        "sym": (0.327, 0.290, 0.237, 0.072, 0.029, 0.012, 0.031),
        "flat": (0.290, 0.415, 0.531, 0.687, 0.825, 0.909, 0.955),
        "perm": (0.282, 0.275, 0.276, 0.241, 0.234, 0.227, 0.213),
    },
    "points": {
        "fit": (0.319, 0.281, 0.257, 0.246, 0.237, 0.235, 0.234),
        "sym": (0.196, 0.159, 0.141, 0.131, 0.126, 0.123, 0.122),
        "flat": (0.663, 0.661, 0.659, 0.658, 0.658, 0.658, 0.657),
        "perm": (0.233, 0.248, 0.251, 0.253, 0.254, 0.254, 0.255),
    },
    "imbalance": {
        "fit": (0.254, 0.260, 0.260, 0.260),
        "sym": (0.242, 0.179, 0.108, 0.042),
        "flat": (0.724, 0.689, 0.645, 0.578),
        "perm": (0.238, 0.247, 0.254, 0.260),
    },
    "precision": {
        "fit": (0.289, 0.289, 0.298, 0.229, 0.189),
        "sym": (0.202, 0.202, 0.198, 0.086, 0.025),
        "flat": (0.670, 0.671, 0.670, 0.648, 0.636),
        "perm": (0.253, 0.254, 0.254, 0.246, 0.242),
    },
    "share": {
        "fit": (0.664, 0.389, 0.172, 0.013, 0.054),
        "sym": (0.624, 0.313, 0.068, -0.112, -0.180),
        "flat": (0.851, 0.729, 0.633, 0.563, 0.519),
        "perm": (0.645, 0.372, 0.177, 0.055, 0.000),
    },
}
