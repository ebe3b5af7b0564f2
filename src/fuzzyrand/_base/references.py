"""References in full, by the short form that texts cite."""

from __future__ import annotations

REFERENCES = {
    "Andrews et al., 2022": "J. L. Andrews, R. Browne, C. D. Hvingelby, On assessments of "
    "agreement between fuzzy partitions, Journal of Classification 39 (2022), 326–342.",
    "Brouwer, 2009": "R. K. Brouwer, Extending the Rand, adjusted Rand and Jaccard indices to "
    "fuzzy partitions, Journal of Intelligent Information Systems 32 (2009), 213–235.",
    "Collins & Dent, 1988": "L. M. Collins, C. W. Dent, Omega: a general formulation of the Rand "
    "index of cluster recovery suitable for non-disjoint solutions, Multivariate Behavioral "
    "Research 23 (1988), 231–242.",
    "D'Ambrosio et al., 2021": "A. D'Ambrosio, S. Amodio, C. Iorio, G. Pandolfo, R. Siciliano, "
    "Adjusted concordance index: an extension of the adjusted Rand index to fuzzy partitions, "
    "Journal of Classification 38 (2021), 112–128.",
    "Denœux et al., 2018": "T. Denœux, S. Li, S. Sriboonchitta, Evaluating and comparing soft "
    "partitions: an approach based on Dempster-Shafer theory, IEEE Transactions on Fuzzy Systems "
    "26 (2018), 1231–1244.",
    "DeWolfe & Andrews, 2025": "R. DeWolfe, J. L. Andrews, Random models for adjusting fuzzy Rand "
    "index extensions, Advances in Data Analysis and Classification 19 (2025), 361–385.",
    "Fowlkes & Mallows, 1983": "E. B. Fowlkes, C. L. Mallows, A method for comparing two "
    "hierarchical clusterings, Journal of the American Statistical Association 78 (1983), "
    "553–569.",
    "Gagolewski, 2025": "M. Gagolewski, Normalised clustering accuracy: an asymmetric external "
    "cluster validity measure, Journal of Classification 42 (2025).",
    "Gates & Ahn, 2017": "A. J. Gates, Y.-Y. Ahn, The impact of random models on clustering "
    "similarity, Journal of Machine Learning Research 18 (2017), no. 87, 1–28.",
    "Hubert & Arabie, 1985": "L. Hubert, P. Arabie, Comparing partitions, Journal of "
    "Classification 2 (1985), 193–218.",
    "Hüllermeier et al., 2012": "E. Hüllermeier, M. Rifqi, S. Henzgen, R. Senge, Comparing fuzzy "
    "partitions: a generalization of the Rand index and related measures, IEEE Transactions on "
    "Fuzzy Systems 20 (2012), 546–556.",
    "Jaccard, 1912": "P. Jaccard, The distribution of the flora in the alpine zone, New "
    "Phytologist 11 (1912), 37–50.",
    "Meilă, 2007": "M. Meilă, Comparing clusterings: an information based distance, Journal of "
    "Multivariate Analysis 98 (2007), 873–895.",
    "Morey & Agresti, 1984": "L. C. Morey, A. Agresti, The measurement of classification "
    "agreement: an adjustment to the Rand statistic for chance agreement, Educational and "
    "Psychological Measurement 44 (1984), 33–37.",
    "Rand, 1971": "W. M. Rand, Objective criteria for the evaluation of clustering methods, "
    "Journal of the American Statistical Association 66 (1971), 846–850.",
    "Rosenberg & Hirschberg, 2007": "A. Rosenberg, J. Hirschberg, V-measure: a conditional "
    "entropy-based external cluster evaluation measure, EMNLP-CoNLL (2007), 410–420.",
    "Vinh et al., 2010": "N. X. Vinh, J. Epps, J. Bailey, Information theoretic measures for "
    "clusterings comparison: variants, properties, normalization and correction for chance, "
    "Journal of Machine Learning Research 11 (2010), 2837–2854.",
}
