"""The two contract tables of the Spark oracle, once as the documents that the product reads and once as plain values
for the load written in PySpark."""

from __future__ import annotations

import dataclasses
from pathlib import Path

ZONE = "Europe/Berlin"  # the same in every zone database; some keep other local times before 1970 elsewhere

SETTINGS = f"workspace: Oracle\ntime zone: {ZONE}\n"

LANDING = """\
Description: Orders exactly as the shop sent them.
Landing: landing/orders/*.csv
Format: csv
"""

ORDERS = """\
Description: One row per order line; the newest version wins.
Owner: Sales data team
From: bronze.orders_raw
Primary key: order_id, line_no
Version column: source_updated_at
Not null: [customer_id, order_date, order_total, currency]
Null values: ["n/a", "NULL"]
Optional: note
Clean:
  order_id: trim(order_id)
  customer_id: trim(customer_id)
  currency: upper(trim(currency))
  order_total: replace(order_total, ',', '')
Allowed values:
  currency: {values: [AUD, NZD, USD], reason: unknown currency}
Checks:
  order_total_non_negative: {rule: order_total >= 0, reason: negative total}
  discount_fits: discount <= order_total
  quantity_in_range: quantity is null or quantity between 1 and 1000
Max reject ratio: 95%
Schema:
  order_id: string
  line_no: int
  customer_id: string
  order_date:
    type: date
    from: Order Date
    clean: "coalesce(try_cast(order_date as date), to_date(order_date, 'd/M/yyyy'))"
  order_total: decimal(18,2)
  discount: decimal(12,3)
  quantity: bigint
  rating: double
  is_gift: boolean
  currency: string
  note: string
  source_updated_at: timestamp
"""

FIRST_ORDERS = """\
Description: One row per order, without versions; the last line sent wins, others are rejected.
Owner: Sales data team
From: bronze.orders_raw
Primary key: order_id
Not null: [currency]
Null values: ["n/a"]
Checks:
  known_currency: currency in ('AUD', 'NZD', 'USD')
  some_quantity: quantity > 0
Max reject ratio: 95%
Schema:
  order_id: string
  currency: string
  quantity: int
  rating: float
"""


@dataclasses.dataclass(frozen=True)
class Column:
    name: str
    type: str
    source: str  # column of the landed rows
    clean: str | None = None  # over the landed columns and the declared name
    required: bool = False


@dataclasses.dataclass(frozen=True)
class Check:
    name: str
    rule: str
    reason: str
    columns: tuple[str, ...]


@dataclasses.dataclass(frozen=True)
class Contract:
    name: str
    key: tuple[str, ...]
    version: str | None
    null_values: tuple[str, ...]
    columns: tuple[Column, ...]
    checks: tuple[Check, ...]


CONTRACTS = (
    Contract(
        name="orders",
        key=("order_id", "line_no"),
        version="source_updated_at",
        null_values=("n/a", "NULL"),
        columns=(
            Column("order_id", "string", "order_id", "trim(order_id)", True),
            Column("line_no", "int", "line_no", None, True),
            Column("customer_id", "string", "customer_id", "trim(customer_id)", True),
            Column(
                "order_date",
                "date",
                "Order_Date",
                "coalesce(try_cast(order_date as date), to_date(order_date, 'd/M/yyyy'))",
                True,
            ),
            Column("order_total", "decimal(18,2)", "order_total", "replace(order_total, ',', '')", True),
            Column("discount", "decimal(12,3)", "discount"),
            Column("quantity", "bigint", "quantity"),
            Column("rating", "double", "rating"),
            Column("is_gift", "boolean", "is_gift"),
            Column("currency", "string", "currency", "upper(trim(currency))", True),
            Column("note", "string", "note"),
            Column("source_updated_at", "timestamp", "source_updated_at", None, True),
        ),
        checks=(
            Check("currency_allowed", "currency in ('AUD', 'NZD', 'USD')", "unknown currency", ("currency",)),
            Check("order_total_non_negative", "order_total >= 0", "negative total", ("order_total",)),
            Check("discount_fits", "discount <= order_total", "discount_fits", ("discount", "order_total")),
            Check(
                "quantity_in_range",
                "quantity is null or quantity between 1 and 1000",
                "quantity_in_range",
                ("quantity",),
            ),
        ),
    ),
    Contract(
        name="first_orders",
        key=("order_id",),
        version=None,
        null_values=("n/a",),
        columns=(
            Column("order_id", "string", "order_id", None, True),
            Column("currency", "string", "currency", None, True),
            Column("quantity", "int", "quantity"),
            Column("rating", "float", "rating"),
        ),
        checks=(
            Check("known_currency", "currency in ('AUD', 'NZD', 'USD')", "known_currency", ("currency",)),
            Check("some_quantity", "quantity > 0", "some_quantity", ("quantity",)),
        ),
    ),
)


def write_project(folder: Path) -> None:
    tables = folder / "Lakehouse" / "Shop" / "Tables"
    tables.mkdir(parents=True)
    (folder / "landing" / "orders").mkdir(parents=True)
    (folder / "tenter.yml").write_text(SETTINGS, encoding="utf-8")
    (tables / "bronze.orders_raw.yml").write_text(LANDING, encoding="utf-8")
    (tables / "silver.orders.yml").write_text(ORDERS, encoding="utf-8")
    (tables / "silver.first_orders.yml").write_text(FIRST_ORDERS, encoding="utf-8")
