"""The peer of the load benchmark: what a careful person writes with DuckDB alone. It writes the same columns as
Tenter does: bronze, quarantine and silver as Parquet; no log, no receipts, no proof.

usage: plain_script.py first|later CSV FOLDER
"""

from __future__ import annotations

import sys
from pathlib import Path

import duckdb

SOURCE = ["order_id", "customer_id", "order_date", "order_total", "currency", "source_updated_at"]


def land(connection: duckdb.DuckDBPyConnection, csv: str, out: Path, batch: str) -> None:
    connection.execute(f"""
        copy (
            select *, '{csv}' as _source_file, row_number() over () + 1 as _source_line,
                   timestamp '2026-03-01 12:00:00' as _loaded_at, '{batch}' as _batch_id
            from read_csv('{csv}', all_varchar = true, header = true, delim = ',', quote = '"')
        ) to '{out}' (format parquet)
    """)


def judge(connection: duckdb.DuckDBPyConnection, bronze: Path) -> None:
    raw = ", ".join(f"{name} as raw_{name}" for name in SOURCE)
    connection.execute(f"""
        create temp table judged as
        with typed as (
            select trim(order_id) as order_id, trim(customer_id) as customer_id,
                   try_cast(order_date as date) as order_date, try_cast(order_total as decimal(18,2)) as order_total,
                   upper(trim(currency)) as currency, try_cast(source_updated_at as timestamp) as source_updated_at,
                   {raw}, _source_file, _source_line, _loaded_at
            from read_parquet('{bronze}')
        )
        select *, concat_ws('; ',
            case when coalesce(order_id, '') = '' then 'missing order_id' end,
            case when coalesce(customer_id, '') = '' then 'missing customer_id' end,
            case when order_date is null then 'unparseable order_date' end,
            case when order_total is null then 'unparseable order_total' end,
            case when order_total < 0 then 'order_total_non_negative' end,
            case when currency is null or currency not in ('AUD', 'NZD', 'USD') then 'currency_allowed' end,
            case when source_updated_at is null then 'unparseable source_updated_at' end) as _reject_reason
        from typed
    """)


def quarantine(connection: duckdb.DuckDBPyConnection, out: Path, batch: str) -> None:
    connection.execute(f"""
        copy (
            select * exclude (_reject_reason), substr(sha256(concat_ws('|', _source_file, _source_line)), 1, 32)
                   as _reject_id, _reject_reason, replace(_reject_reason, ' ', '.') as _reject_codes,
                   '{batch}' as _batch_id, timestamp '2026-03-01 12:00:00' as _quarantined_at,
                   null::timestamp as _resolved_at, null::varchar as _resolved_by
            from judged where _reject_reason <> ''
        ) to '{out}' (format parquet)
    """)


NEWEST = f"""
    select {", ".join(SOURCE)}, _source_file, _loaded_at from (
        select *, row_number() over (partition by order_id
                                     order by source_updated_at desc, _source_file desc, _source_line desc) as place
        from judged where _reject_reason = ''
    ) where place = 1
"""


def first(csv: str, folder: Path) -> None:
    connection = duckdb.connect()
    land(connection, csv, folder / "bronze-1.parquet", "first")
    judge(connection, folder / "bronze-1.parquet")
    quarantine(connection, folder / "quarantine-1.parquet", "first")
    connection.execute(f"copy ({NEWEST}) to '{folder / 'silver-1.parquet'}' (format parquet)")


def later(csv: str, folder: Path) -> None:
    connection = duckdb.connect()
    land(connection, csv, folder / "bronze-2.parquet", "later")
    judge(connection, folder / "bronze-2.parquet")
    quarantine(connection, folder / "quarantine-2.parquet", "later")
    old = f"read_parquet('{folder / 'silver-1.parquet'}')"
    connection.execute(f"""
        create temp table changed as
        select s.* from ({NEWEST}) s left join {old} t using (order_id)
        where t.order_id is null or s.source_updated_at >= t.source_updated_at
    """)
    connection.execute(f"""
        copy (
            select * from {old} t where not exists (select 1 from changed c where c.order_id = t.order_id)
            union all select * from changed
        ) to '{folder / "silver-2.parquet"}' (format parquet)
    """)


if __name__ == "__main__":
    {"first": first, "later": later}[sys.argv[1]](sys.argv[2], Path(sys.argv[3]))
