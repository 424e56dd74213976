"""Public tables written by Spark: the right rows, or a refusal by the name of what is not built."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from deltalake import DeltaTable, QueryBuilder
from driver import Refused, drive, read_ours, rows_of

ROOT = Path(__file__).resolve().parents[2]
SOURCE = Path(os.environ.get("TENTER_DELTA_TABLES", ROOT.parent / "shared" / "data" / "delta-tables"))

pytestmark = pytest.mark.skipif(
    not SOURCE.is_dir(), reason=f"public Delta tables were NOT read: no folder {SOURCE} (set TENTER_DELTA_TABLES)"
)

# Rows, by the number that must come back. Where the table brings no `expected` rows, delta-rs says what is right.
READABLE = {
    "golden/124-decimal-decode-bug": 1,
    "golden/basic-with-inserts-merge": 140,
    "golden/basic-with-inserts-overwrite-restore": 200,
    "golden/basic-with-vacuum-protocol-check-feature": 100,
    "golden/corrupted-last-checkpoint-kernel": 100,
    "golden/data-reader-date-types-America": 1,
    "golden/data-reader-date-types-Etc": 1,
    "golden/data-reader-date-types-Iceland": 1,
    "golden/data-reader-date-types-Pst": 1,
    "golden/data-reader-date-types-utc": 1,
    "golden/data-reader-primitives": 11,
    "golden/data-skipping-basic-stats-all-types-columnmapping-name": 1,
    "golden/data-skipping-change-stats-collected-across-versions": 3,
    "golden/data-skipping-partition-and-data-column": 4,
    "golden/log-replay-latest-metadata-protocol": 40,
    "golden/log-replay-special-characters": 0,
    "golden/only-checkpoint-files": 25,
    "golden/parquet-decimal-type": 99_998,
    "golden/snapshot-data1": 20,
    "golden/snapshot-data2-deleted": 20,
    "golden/snapshot-data3": 30,
    "golden/snapshot-repartitioned": 20,
    "golden/time-travel-schema-changes-a": 10,
    "golden/time-travel-start-start20": 20,
    "golden/time-travel-start-start20-start40": 30,
    "golden/v2-checkpoint-json": 10,
    "kernel/cdf-column-mapping-name-mode": 3,
    "kernel/cdf-table-delete-conditional-all-rows": 0,
    "kernel/cdf-table-delete-conditional-two-rows": 8,
    "kernel/cdf-table-non-partitioned": 11,
    "kernel/cdf-table-update-ops": 10,
    "kernel/table-with-cdf": 0,
    "kernel/table-without-dv-small": 10,
    "kernel/v1-multi-part-struct-stats-only": 5,
    "kernel/v1-single-part-struct-stats-only": 5,
    "kernel/v2-checkpoints-json-without-sidecars": 11,
    "kernel/v2-checkpoints-parquet-with-sidecars": 1233,
    "kernel/v2-classic-checkpoint-parquet": 20,
    "kernel/v2-classic-parquet-struct-stats-only": 5,
}

# The code, and a word that the message must hold.
REFUSED = {
    "golden/basic-decimal-table": ("delta.feature_unsupported", "partition columns (part)"),
    "golden/canonicalized-paths-normal-a": ("engine.query", "/some/unqualified/absolute/path"),
    "golden/canonicalized-paths-special-a": ("engine.query", "/some/unqualified/with space/p@#h"),
    "golden/data-reader-absolute-paths-escaped-chars": ("delta.replay", "no metaData"),
    "golden/data-reader-array-primitives": ("delta.feature_unsupported", "array"),
    "golden/data-reader-map": ("delta.feature_unsupported", "map"),
    "golden/data-reader-nested-struct": ("delta.feature_unsupported", "struct"),
    "golden/data-reader-partition-values": ("delta.feature_unsupported", "partition columns"),
    "golden/data-reader-timestamp_ntz-name-mode": ("delta.feature_unsupported", "partition columns (tsNtzPartition)"),
    "golden/deltalog-commit-info": ("delta.action", "no schemaString"),
    "golden/deltalog-invalid-protocol-version": ("delta.feature_unsupported", "reader version 99"),
    "golden/deltalog-state-reconstruction-from-checkpoint-missing-metadata": ("delta.replay", "no metaData"),
    "golden/deltalog-state-reconstruction-without-metadata": ("delta.replay", "no metaData"),
    "golden/deltalog-state-reconstruction-without-protocol": ("delta.replay", "no protocol"),
    "golden/dv-with-columnmapping": ("delta.feature_unsupported", "deletionVectors"),
    "golden/log-replay-dv-key-cases": ("delta.feature_unsupported", "deletionVectors"),
    "golden/no-delta-log-folder": ("delta.no_table", "no Delta table"),
    "golden/table-with-columnmapping-mode-id": ("delta.feature_unsupported", "columnMapping (mode id)"),
    "golden/table-with-columnmapping-mode-name": ("delta.feature_unsupported", "struct"),
    "golden/versions-not-contiguous": ("delta.log_gap", "log entry 1 is missing"),
    "kernel/300k-add-files-100-col-partitioned": ("delta.feature_unsupported", "partition columns"),
    "kernel/cdf-table-with-cdc-and-dvs": ("delta.feature_unsupported", "deletionVectors"),
    "kernel/crc-malformed": ("delta.no_table", "no log entry"),
    "kernel/parquet_row_group_skipping": ("delta.feature_unsupported", "struct"),
    "kernel/table-with-dv-small": ("delta.feature_unsupported", "deletionVectors"),
    "kernel/type-widening": ("delta.feature_unsupported", "typeWidening"),
    "kernel/unshredded-variant": ("delta.feature_unsupported", "variantType"),
    "kernel/void-column": ("delta.feature_unsupported", "void"),
}


def unpacked(name: str, into: Path) -> Path:
    packed = SOURCE / f"{name}.tar.zst"
    if packed.exists():
        subprocess.run(["tar", "--zstd", "-xf", str(packed), "-C", str(into)], check=True, capture_output=True)
    else:
        shutil.copytree(SOURCE / name, into / Path(name).name)
    return into / Path(name).name


def table_folder(folder: Path) -> Path:
    return folder / "delta" if (folder / "delta").is_dir() else folder


@pytest.mark.parametrize("name", READABLE)
def test_gives_the_right_rows(name: str, tmp_path: Path) -> None:
    folder = unpacked(name, tmp_path)
    mine = read_ours(table_folder(folder), tmp_path / "ours.parquet")
    assert mine.num_rows == READABLE[name]
    expected = sorted(folder.glob("expected/**/*.parquet"))
    if expected:
        right = pq.read_table(folder / "expected", partitioning=None).select(mine.column_names)
    else:
        query = QueryBuilder().register("t", DeltaTable(str(table_folder(folder))))
        right = pa.table(query.execute("SELECT * FROM t").read_all()).select(mine.column_names)
    assert rows_of(mine) == rows_of(right)


@pytest.mark.parametrize("name", REFUSED)
def test_is_refused_by_name(name: str, tmp_path: Path) -> None:
    code, words = REFUSED[name]
    with pytest.raises(Refused) as refused:
        read_ours(table_folder(unpacked(name, tmp_path)), tmp_path / "ours.parquet")
    assert refused.value.code == code
    assert words in refused.value.message


def test_a_broken_hint_is_worth_a_warning(tmp_path: Path) -> None:
    folder = table_folder(unpacked("golden/corrupted-last-checkpoint-kernel", tmp_path))
    state = drive("state", str(folder))
    assert state["version"] == 11
    assert any("_last_checkpoint" in warning for warning in state["warnings"])
