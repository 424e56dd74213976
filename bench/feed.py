"""The orders feed of the load benchmark: 5,000,000 rows and a later tenth of that, made by arithmetic on the row number
and a seed, and kept in the cache."""

from __future__ import annotations

from pathlib import Path

import duckdb

SEED = 20260301
FIRST_ROWS = 5_000_000

# Whole numbers spread over 0 … 2^32 - 1; `salt` makes independent ones of the same row.
_SPREAD = "(((n * 2654435761 + {salt} * 40503 + {seed}) % 4294967296 * 22695477 + 1) % 4294967296)"


def _spread(salt: int) -> str:
    return _SPREAD.format(salt=salt, seed=SEED)


def _rows(first: int, count: int, key: str, moment: str) -> str:
    """About one row in ten names an earlier order again; about 1.75 % break a rule."""
    return f"""
        select
            format('SO-{{:08d}}', {key}) as order_id,
            format('C-{{:06d}}', {_spread(2)} % 250000) as customer_id,
            case when {_spread(3)} % 1000 < 5 then '2026-02-30'
                 else strftime(date '2026-01-01' + ({_spread(4)} % 365)::int, '%Y-%m-%d') end as order_date,
            case when {_spread(5)} % 1000 < 5 then 'unknown'
                 else printf('%d.%02d', {_spread(6)} % 5000, {_spread(7)} % 100) end as order_total,
            case when {_spread(8)} % 10000 < 75 then 'EUR'
                 else list_extract(['AUD', 'NZD', 'USD'], ({_spread(9)} % 3 + 1)::int) end as currency,
            strftime(timestamp '2026-01-01 00:00:00' + to_seconds({moment}), '%Y-%m-%d %H:%M:%S') as source_updated_at
        from (select unnest(range({first}, {first + count})) as n)
    """


def _first(rows: int) -> str:
    again = f"case when {_spread(1)} % 10 = 0 then n * ({_spread(10)} % 1000) // 1000 else n end"
    return _rows(0, rows, again, f"{_spread(11)} % 10000000")


def _later(rows: int) -> str:
    """Nine in ten change an order of the first file, the others are new."""
    key = f"case when n % 10 = 0 then n else {_spread(12)} % {rows} end"
    return _rows(rows, rows // 10, key, f"20000000 + {_spread(13)} % 1000000")


def make(cache: Path, rows: int = FIRST_ROWS) -> tuple[Path, Path]:
    """A first file of so many rows and a later one of a tenth; they are made when they are not there yet."""
    folder = cache / "bench"
    folder.mkdir(parents=True, exist_ok=True)
    mark = f"{SEED}" if rows == FIRST_ROWS else f"{SEED}-{rows}"
    made: list[Path] = []
    for name, select in ((f"orders-first-{mark}.csv", _first(rows)), (f"orders-later-{mark}.csv", _later(rows))):
        path = folder / name
        if not path.exists():
            unfinished = path.with_suffix(".part")
            duckdb.connect().execute(f"copy ({select}) to '{unfinished}' (format csv, header)")
            unfinished.rename(path)
        made.append(path)
    return made[0], made[1]
