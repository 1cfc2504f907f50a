"""The shape of the gameweek in Dagster: what a person sees in the lineage, and what it promises."""

from __future__ import annotations

import re
import subprocess
import sys

import dagster as dg
import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from backroom_pipeline.defs.contest import contest_definitions
from backroom_pipeline.defs.partitions import Gameweek, dagster_name, manager_group
from backroom_pipeline.league import League
from backroom_pipeline_tests.defs.conftest import TOP

SLUGS = st.from_regex(r"[a-z0-9-]{1,24}", fullmatch=True)


@pytest.fixture(scope="module")
def repository(league: League) -> dg.RepositoryDefinition:
    return contest_definitions(league).get_repository_def()


def specs(repository: dg.RepositoryDefinition) -> dict[str, dg.AssetSpec]:
    return {spec.key.to_user_string(): spec for d in repository.assets_defs_by_key.values() for spec in d.specs}


def upstream(spec: dg.AssetSpec) -> list[str]:
    return sorted(dep.asset_key.to_user_string() for dep in spec.deps)


def test_the_definitions_are_these(repository: dg.RepositoryDefinition, snapshot: SnapshotAssertion) -> None:
    assets = [
        f"{spec.group_name} | {key} <- {', '.join(upstream(spec)) or 'nothing'} | {', '.join(spec.owners)}"
        f" | {', '.join(sorted(spec.kinds))}"
        for key, spec in sorted(specs(repository).items())
    ]
    checks = sorted(
        f"{check.to_user_string()}{' blocking' if spec.blocking else ''}"
        for check in repository.asset_checks_defs_by_key
        for spec in [repository.asset_checks_defs_by_key[check].get_spec_for_check_key(check)]
    )
    jobs = sorted(name for name in repository.job_names if not name.startswith("__"))
    assert {"assets": assets, "checks": checks, "jobs": jobs} == snapshot


def test_no_asset_of_a_manager_depends_on_an_asset_of_another(repository: dg.RepositoryDefinition) -> None:
    found = specs(repository)
    edges = [
        (spec.tags["manager"], found[dep.asset_key.to_user_string()].tags["manager"])
        for spec in found.values()
        for dep in spec.deps
        if "manager" in spec.tags and "manager" in found[dep.asset_key.to_user_string()].tags
    ]
    assert len(edges) == 8 * 4, "three edges inside each backroom and one to its outcomes"
    assert all(one == other for one, other in edges)


def test_no_two_groups_depend_on_each_other(repository: dg.RepositoryDefinition) -> None:
    found = specs(repository)
    between = {
        (found[dep.asset_key.to_user_string()].group_name, spec.group_name)
        for spec in found.values()
        for dep in spec.deps
    }
    apart = {(one, other) for one, other in between if one != other}
    assert not {(one, other) for one, other in apart if (other, one) in apart}, "a cycle would hide the lineage"


def test_every_asset_says_what_it_is_and_whose(repository: dg.RepositoryDefinition) -> None:
    for key, spec in specs(repository).items():
        assert spec.description, key
        assert spec.owners, key
        assert spec.kinds, key
        assert spec.group_name != "default", key
        assert spec.tags["stage"], key
        assert spec.partitions_def is not None, key


def test_every_check_is_run_per_gameweek(repository: dg.RepositoryDefinition, league: League) -> None:
    keys = [f"{season}-gw{gameweek:02d}" for season, gameweek in league.gameweeks]
    checks = repository.asset_checks_defs_by_key
    assert len(checks) == 8
    for key, definition in checks.items():
        partitions = definition.get_spec_for_check_key(key).partitions_def
        assert partitions is not None, f"{key} would be run once and not per gameweek"
        assert partitions.get_partition_keys() == keys


def test_every_preflight_check_blocks(repository: dg.RepositoryDefinition) -> None:
    specs = [definition.get_spec_for_check_key(key) for key, definition in repository.asset_checks_defs_by_key.items()]
    on_briefing = [spec for spec in specs if spec.asset_key == dg.AssetKey("briefing")]
    assert len(on_briefing) == 6
    assert all(spec.blocking for spec in on_briefing)


def test_no_asset_has_a_backfill_policy_because_a_backfill_must_stop_at_the_first_failure(
    repository: dg.RepositoryDefinition,
) -> None:
    assert {definition.backfill_policy for definition in repository.assets_defs_by_key.values()} == {None}


@given(one=SLUGS, other=SLUGS)
def test_two_slugs_never_share_a_name_in_dagster(one: str, other: str) -> None:
    assert (dagster_name(one) == dagster_name(other)) == (one == other)
    assert re.fullmatch(r"\w+", dagster_name(one), re.ASCII)
    assert manager_group(one) not in ("gameweek", "results", "outcomes")


@given(number=st.integers(1, 38))
def test_a_gameweek_is_its_partition_key_and_back(number: int) -> None:
    assert Gameweek.of(Gameweek("2025-26", number).key) == ("2025-26", number)


@pytest.mark.parametrize("key", ["2025-26", "2025-26-gw7", "gw07", "2025-26-gw07 ", "2025-26-gw007"])
def test_a_key_that_is_no_gameweek_is_refused(key: str) -> None:
    with pytest.raises(ValueError, match="write it like 2025-26-gw07"):
        Gameweek.of(key)


def test_loading_the_definitions_imports_nothing_heavy() -> None:
    code = (
        "import sys; import backroom_pipeline.definitions; heavy = ('lancedb', 'litellm', 'pandas', 'numpy', 'scipy', "
        "'duckdb', 'pyarrow', 'onnxruntime'); print([name for name in heavy if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=TOP)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")
