"""The only room that knows Dagster: the gameweek as assets, checks and jobs, in the order in which they happen."""

import warnings

# Checks need a partitions_def to be run per gameweek; Dagster calls that a preview at every load (1.13.27).
warnings.filterwarnings("ignore", message="Specifying a partitions_def on an AssetCheckSpec")
