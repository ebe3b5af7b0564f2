"""The order of the recipes, with the most common methods first."""

from sphinx_gallery.sorting import FileNameSortKey

ORDER = (
    "gaussian_mixture",
    "fuzzy_c_means",
    "hdbscan_noise",
    "grid_search",
    "resolution",
    "significance_interval",
    "many_runs",
    "recurring_topics",
    "recurring_cells",
    "recurring_ancestry",
    "lda_sklearn",
    "lda_gensim",
    "sparse_topics",
    "admixture",
    "single_cells",
    "dask",
    "pictures",
)


class RecipeOrder(FileNameSortKey):
    """Sort key of a recipe by its file name; a recipe that is not listed stops the build."""

    def __call__(self, filename: str) -> int:
        """Return the position of a recipe."""
        return ORDER.index(filename.removeprefix("plot_").removesuffix(".py"))
